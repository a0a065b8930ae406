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
#include <sstream>
#include <string>
#include <sycl/sycl.hpp>
#include <unistd.h>
#include <vector>

#include <CL/cl.h>

namespace syclex = sycl::ext::oneapi::experimental;

namespace {

constexpr size_t items = 256, group_size = 64, skipped = 77;

/* Sides of images in two dimensions and in three, and channels of an element. */
constexpr size_t side = 16, volume_side = 8, channels = 4;

/** Free functions, as items of an ND-range; classes whose operator gets a group, for hierarchical parallelism, or an
 * item and accessors of images, and samplers. */
enum class Form { function, hierarchical, images, samplers };

struct Constant {
  cl_uint id;
  int value;
};

struct Case {
  std::string body, globals;
  /** The kernel's body on the reference, where it is another one. */
  std::string reference_body;
  Form form = Form::function;
  /** Values of specialization constants other than their defaults. */
  std::vector<Constant> constants;
  /** Units in the last place that floats may be apart. */
  int64_t tolerance = 0;
  bool found = false;
};

struct Results {
  std::vector<float> floats = std::vector<float>(items);
  /** After those of the items come those of the image that kernels may write. */
  std::vector<int> ints = std::vector<int>(items + side * side * channels);
  /** Lines that the kernel printed, sorted. */
  std::vector<std::string> printed;
};

bool starts(const std::string &line, const char *prefix) { return line.rfind(prefix, 0) == 0; }

Form form_of(const std::string &name) {
  if (name == "images") return Form::images;
  return name == "samplers" ? Form::samplers : Form::hierarchical;
}

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
    } else if (starts(line, "form ")) {
      result.form = form_of(line.substr(strlen("form ")));
    } else if (starts(line, "constant ")) {
      std::istringstream words(line.substr(strlen("constant ")));
      Constant constant;
      words >> constant.id >> constant.value;
      result.constants.push_back(constant);
    } else if (starts(line, "reference: ")) {
      result.reference_body += line.substr(strlen("reference: ")) + "\n";
    } else if (starts(line, "global: ")) {
      result.globals += line.substr(strlen("global: ")) + "\n";
    } else if (!starts(line, "== ")) {
      result.body += line + "\n";
    }
  }
  return result;
}

const std::string item_variables = R"(
  auto group = item.get_group();
  auto sub = item.get_sub_group();
  size_t i = item.get_global_linear_id(), l = item.get_local_linear_id();
  float f = 0;
  int r = 0;
)";
const std::string item_results = "  out_floats[i] = f;\n  out_ints[i] = r;\n";
const std::string members = "const float *x; const int *n; float *out_floats; int *out_ints; int *memory;\n";

std::string make_function(const std::string &body) {
  return "extern \"C\" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::nd_range_kernel<1>))\n"
         "SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::sub_group_size<16>))\n"
         "void k(const float *x, const int *n, float *out_floats, int *out_ints, int *memory) {\n"
         "  auto item = oneapi::this_work_item::get_nd_item<1>();\n" +
         item_variables + body + item_results + "}\n";
}

/* Kernels that are classes exist once something submits them. */
std::string make_hierarchical(const std::string &body) {
  return "struct k {\n" + members + "void operator()(group<1> group) const {\n" + body + R"(}
};
void submit(handler &to, k kernel) { to.parallel_for_work_group(range<1>(1), range<1>(1), kernel); }
)";
}

const std::string samplers = "sampler tiled, bordered, smooth;\n";

std::string make_images(const std::string &body, const std::string &more_members) {
  return "struct k {\n" + members + R"(
  accessor<float4, 2, access::mode::read, access::target::image> colors;
  accessor<int4, 2, access::mode::read, access::target::image> numbers;
  accessor<float4, 3, access::mode::read, access::target::image> volume;
  accessor<int4, 2, access::mode::write, access::target::image> written;
)" + more_members +
         "void operator()(nd_item<1> item) const {" + item_variables + body + item_results + R"(}
};
void submit(handler &to, k kernel) { to.parallel_for(nd_range<1>(1, 1), kernel); }
)";
}

std::string make_kernel(const Case &test) {
  switch (test.form) {
    case Form::hierarchical: return make_hierarchical(test.body);
    case Form::images: return make_images(test.body, "");
    case Form::samplers: return make_images(test.body, samplers);
    default: return make_function(test.body);
  }
}

std::string make_source(const Case &test) {
  return "#include <sycl/sycl.hpp>\n#include <array>\n#include <complex>\n#include <optional>\n#include <tuple>\n"
         "using namespace sycl;\nnamespace oneapi = sycl::ext::oneapi;\nnamespace syclex = oneapi::experimental;\n" +
         test.globals + make_kernel(test);
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

  ~Capture() {
    restore();
    std::fclose(file_);
  }

  std::vector<std::string> lines() {
    std::vector<std::string> result;
    restore();
    std::rewind(file_);
    for (char line[256]; std::fgets(line, sizeof(line), file_);) result.push_back(line);
    std::sort(result.begin(), result.end());
    return result;
  }

 private:
  void restore() {
    if (before_ < 0) return;
    std::fflush(stdout);
    dup2(before_, STDOUT_FILENO);
    close(before_);
    before_ = -1;
  }

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

/** The kernel of the same SPIR-V with other specialization constants: what the runtime does with the native handles
 * when a program sets them before it builds. */
sycl::kernel specialize(const sycl::kernel &kernel, const std::vector<Constant> &constants) {
  auto check = [](cl_int error) {
    if (error) throw sycl::exception(sycl::errc::runtime, "OpenCL error " + std::to_string(error));
  };
  const cl_kernel general = sycl::get_native<sycl::backend::opencl>(kernel);
  const cl_context context = sycl::get_native<sycl::backend::opencl>(kernel.get_context());
  cl_program source;
  size_t size = 0;
  check(clGetKernelInfo(general, CL_KERNEL_PROGRAM, sizeof(source), &source, nullptr));
  check(clGetProgramInfo(source, CL_PROGRAM_IL, 0, nullptr, &size));
  std::vector<char> module(size);
  check(clGetProgramInfo(source, CL_PROGRAM_IL, size, module.data(), nullptr));
  char name[64];
  check(clGetKernelInfo(general, CL_KERNEL_FUNCTION_NAME, sizeof(name), name, nullptr));
  cl_int error;
  const cl_program program = clCreateProgramWithIL(context, module.data(), size, &error);
  check(error);
  for (const Constant &constant : constants) {
    check(clSetProgramSpecializationConstant(program, constant.id, sizeof(constant.value), &constant.value));
  }
  check(clBuildProgram(program, 0, nullptr, nullptr, nullptr, nullptr));
  const cl_kernel result = clCreateKernel(program, name, &error);
  check(error);
  return sycl::make_kernel<sycl::backend::opencl>(result, kernel.get_context());
}

/** Images that kernels get after the pointers. What they write is in `written` when this is gone. */
class Images {
 public:
  explicit Images(int *written)
      : written_(written, order::rgba, type::signed_int32, sycl::range<2>(side, side)),
        colors_(color_values_.data(), order::rgba, type::fp32, sycl::range<2>(side, side)),
        numbers_(number_values_.data(), order::rgba, type::signed_int32, sycl::range<2>(side, side)),
        volume_(color_values_.data(), order::rgba, type::fp32, sycl::range<3>(volume_side, volume_side, items / 64)) {
    for (size_t i = 0; i < color_values_.size(); i++) {
      color_values_[i] = float(i * 53 % 97) / 16 - 2;
      number_values_[i] = int(i * 71 % 1009) - 400;
    }
  }

  void set_args(sycl::handler &handler, int first) {
    using sycl::access::mode;
    handler.set_arg(first, colors_.get_access<sycl::float4, mode::read>(handler));
    handler.set_arg(first + 1, numbers_.get_access<sycl::int4, mode::read>(handler));
    handler.set_arg(first + 2, volume_.get_access<sycl::float4, mode::read>(handler));
    handler.set_arg(first + 3, written_.get_access<sycl::int4, mode::write>(handler));
  }

  void set_samplers(sycl::handler &handler, int first) {
    using sycl::addressing_mode;
    using coordinates = sycl::coordinate_normalization_mode;
    using sycl::filtering_mode;
    /* Not constant: the runtime takes those for bytes. */
    sycl::sampler tiled(coordinates::normalized, addressing_mode::repeat, filtering_mode::nearest);
    sycl::sampler bordered(coordinates::unnormalized, addressing_mode::clamp, filtering_mode::nearest);
    sycl::sampler smooth(coordinates::unnormalized, addressing_mode::clamp_to_edge, filtering_mode::linear);
    handler.set_arg(first, tiled);
    handler.set_arg(first + 1, bordered);
    handler.set_arg(first + 2, smooth);
  }

 private:
  using order = sycl::image_channel_order;
  using type = sycl::image_channel_type;

  std::vector<float> color_values_ = std::vector<float>(side * side * channels);
  std::vector<int> number_values_ = std::vector<int>(side * side * channels);
  sycl::image<2> written_, colors_, numbers_;
  sycl::image<3> volume_;
};

void run(const sycl::device &device, const Case &test, Results &out) {
  sycl::queue queue(device);
  auto bundle =
      syclex::create_kernel_bundle_from_source(queue.get_context(), syclex::source_language::sycl, make_source(test));
  sycl::kernel kernel = syclex::build(bundle).ext_oneapi_get_kernel(test.form == Form::function ? "k" : "_ZTS1k");
  if (!test.constants.empty()) kernel = specialize(kernel, test.constants);
  float *x = sycl::malloc_shared<float>(items, queue), *floats = sycl::malloc_shared<float>(items, queue);
  int *n = sycl::malloc_shared<int>(items, queue), *ints = sycl::malloc_shared<int>(items, queue);
  int *memory = sycl::malloc_shared<int>(items, queue);
  fill(x, n);
  for (void *zeros : {(void *)floats, (void *)ints, (void *)memory}) std::memset(zeros, 0, items * sizeof(int));
  Capture capture;
  {
    Images images(out.ints.data() + items);
    queue.submit([&](sycl::handler &handler) {
      handler.set_args(x, n, floats, ints, memory);
      if (test.form == Form::images || test.form == Form::samplers) images.set_args(handler, 5);
      if (test.form == Form::samplers) images.set_samplers(handler, 9);
      handler.parallel_for(sycl::nd_range<1>(items, group_size), kernel);
    });
    queue.wait_and_throw();
  }
  out.printed = capture.lines();
  std::copy_n(floats, items, out.floats.begin());
  std::copy_n(ints, items, out.ints.begin());
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
  }
  for (size_t i = 0; i < wanted.ints.size(); i++) {
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
  Case reference = test;
  if (!test.reference_body.empty()) {
    reference.body = test.reference_body;
    reference.form = Form::images;
  }
  Results got, wanted;
  try {
    run(find_device(argv[4]), reference, wanted);
  } catch (const sycl::exception &exception) {
    std::printf("%s\n", exception.what());
    return skipped;
  }
  if (is_empty(wanted)) return std::printf("the reference computes nothing\n"), skipped;
  try {
    run(find_device(argv[3]), test, got);
  } catch (const sycl::exception &exception) {
    return std::printf("%s\n", exception.what()), 1;
  }
  return compare(got, wanted, test.tolerance) ? 0 : 1;
}
