/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Builds a SYCL kernel from source at run time, by DPC++'s runtime, for two drivers' devices, and compares what it
 * computes on them: run CASES NAME PLATFORM REFERENCE-PLATFORM. kernels.cases tells what a case is. Exit status 0: same
 * results; 1: other ones, or an error; 77: the reference cannot run it. */
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <limits>
#include <string>
#include <sycl/sycl.hpp>
#include <unistd.h>
#include <vector>

namespace syclex = sycl::ext::oneapi::experimental;

namespace {

constexpr size_t items = 256, group_size = 64, skipped = 77;

struct Case {
  std::string body, globals;
  /** Units in the last place that floats may be apart. */
  int64_t tolerance = 0;
  bool found = false;
};

struct Results {
  std::vector<float> floats = std::vector<float>(items);
  std::vector<int> ints = std::vector<int>(items);
  /** Lines that the kernel printed, sorted. */
  std::vector<std::string> printed;
};

bool starts(const std::string &line, const char *prefix) { return line.rfind(prefix, 0) == 0; }

Case read_case(const char *path, const std::string &name) {
  std::ifstream file(path);
  Case result;
  bool is_it = false;
  for (std::string line; std::getline(file, line);) {
    if (starts(line, "== ")) is_it = line.substr(3) == name;
    if (!is_it) continue;
    result.found = true;
    if (starts(line, "tolerance ")) {
      result.tolerance = std::stoll(line.substr(strlen("tolerance ")));
    } else if (starts(line, "global: ")) {
      result.globals += line.substr(strlen("global: ")) + "\n";
    } else if (!starts(line, "== ")) {
      result.body += line + "\n";
    }
  }
  return result;
}

std::string make_source(const Case &test) {
  return "#include <sycl/sycl.hpp>\n#include <array>\n#include <complex>\n#include <optional>\n#include <tuple>\n"
         "using namespace sycl;\nnamespace oneapi = sycl::ext::oneapi;\nnamespace syclex = oneapi::experimental;\n" +
         test.globals +
         "extern \"C\" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::nd_range_kernel<1>))\n"
         "SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::sub_group_size<16>))\n"
         "void k(const float *x, const int *n, float *out_floats, int *out_ints, int *memory) {\n"
         "  auto item = oneapi::this_work_item::get_nd_item<1>();\n"
         "  auto group = item.get_group();\n  auto sub = item.get_sub_group();\n"
         "  size_t i = item.get_global_linear_id(), l = item.get_local_linear_id();\n"
         "  float f = 0;\n  int r = 0;\n" +
         test.body + "  out_floats[i] = f;\n  out_ints[i] = r;\n}\n";
}

sycl::device find_device(const char *platform_name) {
  for (const sycl::platform &platform : sycl::platform::get_platforms()) {
    if (platform.get_info<sycl::info::platform::name>() == platform_name) return platform.get_devices().front();
  }
  throw sycl::exception(sycl::errc::runtime, std::string("there is no platform ") + platform_name);
}

/** What is written to the standard output while this lives. */
class Capture {
 public:
  Capture() : file_(std::tmpfile()), before_(dup(STDOUT_FILENO)) {
    std::fflush(stdout);
    dup2(fileno(file_), STDOUT_FILENO);
  }

  std::vector<std::string> lines() {
    std::vector<std::string> result;
    std::fflush(stdout);
    dup2(before_, STDOUT_FILENO);
    close(before_);
    std::rewind(file_);
    for (char line[256]; std::fgets(line, sizeof(line), file_);) result.push_back(line);
    std::fclose(file_);
    std::sort(result.begin(), result.end());
    return result;
  }

 private:
  std::FILE *file_;
  int before_;
};

/** Numbers of both signs, around one, with ties and repetitions. */
void fill(float *x, int *n) {
  for (size_t i = 0; i < items; i++) {
    x[i] = (float(i * 37 % 101) - 50) / 16;
    n[i] = int((unsigned(i) * 2654435761u >> 7) % 1000) - 300;
  }
}

void run(const sycl::device &device, const std::string &source, Results &out) {
  sycl::queue queue(device);
  auto bundle = syclex::create_kernel_bundle_from_source(queue.get_context(), syclex::source_language::sycl, source);
  sycl::kernel kernel = syclex::build(bundle).ext_oneapi_get_kernel("k");
  float *x = sycl::malloc_shared<float>(items, queue), *floats = sycl::malloc_shared<float>(items, queue);
  int *n = sycl::malloc_shared<int>(items, queue), *ints = sycl::malloc_shared<int>(items, queue);
  int *memory = sycl::malloc_shared<int>(items, queue);
  fill(x, n);
  std::memset(memory, 0, items * sizeof(int));
  Capture capture;
  queue.submit([&](sycl::handler &handler) {
    handler.set_args(x, n, floats, ints, memory);
    handler.parallel_for(sycl::nd_range<1>(items, group_size), kernel);
  });
  queue.wait_and_throw();
  out.printed = capture.lines();
  std::copy_n(floats, items, out.floats.begin());
  for (size_t i = 0; i < items; i++) out.ints[i] = ints[i];
  for (void *pointer : {(void *)x, (void *)floats, (void *)n, (void *)ints, (void *)memory}) sycl::free(pointer, queue);
}

/** Places in the order of floats between two of them. */
int64_t distance(float a, float b) {
  auto place = [](float value) {
    int32_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    return bits < 0 ? int64_t(std::numeric_limits<int32_t>::min()) - bits : int64_t(bits);
  };
  if (std::isnan(a) && std::isnan(b)) return 0;
  return std::llabs(place(a) - place(b));
}

bool compare(const Results &got, const Results &wanted, int64_t tolerance) {
  for (size_t i = 0; i < items; i++) {
    if (distance(got.floats[i], wanted.floats[i]) > tolerance) {
      std::printf("item %zu has %a, not %a\n", i, got.floats[i], wanted.floats[i]);
      return false;
    }
    if (got.ints[i] != wanted.ints[i]) {
      std::printf("item %zu has %d, not %d\n", i, got.ints[i], wanted.ints[i]);
      return false;
    }
  }
  if (got.printed != wanted.printed) std::printf("other lines are printed\n");
  return got.printed == wanted.printed;
}

/** True when all results are the same, and none was written. */
bool is_empty(const Results &results) {
  auto is_zero = [](auto value) { return value == 0; };
  return std::all_of(results.floats.begin(), results.floats.end(), is_zero) &&
         std::all_of(results.ints.begin(), results.ints.end(), is_zero) && results.printed.empty();
}

}  // namespace

int main(int argc, char **argv) {
  if (argc != 5) return std::fprintf(stderr, "usage: run CASES NAME PLATFORM REFERENCE\n"), 1;
  const Case test = read_case(argv[1], argv[2]);
  if (!test.found) return std::fprintf(stderr, "%s has no case %s\n", argv[1], argv[2]), 1;
  const std::string source = make_source(test);
  Results got, wanted;
  try {
    run(find_device(argv[4]), source, wanted);
  } catch (const sycl::exception &exception) {
    std::printf("%s\n", exception.what());
    return skipped;
  }
  if (is_empty(wanted)) return std::printf("the reference computes nothing\n"), skipped;
  try {
    run(find_device(argv[3]), source, got);
  } catch (const sycl::exception &exception) {
    return std::printf("%s\n", exception.what()), 1;
  }
  return compare(got, wanted, test.tolerance) ? 0 : 1;
}
