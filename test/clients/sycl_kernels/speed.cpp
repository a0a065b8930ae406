/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * How fast SYCL kernels are that DPC++'s runtime builds at run time, over two drivers in turn:
 * speed PLATFORM REFERENCE. Prints a row of a table for each kernel, then how many times as fast they are in the
 * geometric mean. Exit status 1 where results are apart. */
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>
#include <sycl/sycl.hpp>
#include <vector>

namespace syclex = sycl::ext::oneapi::experimental;

namespace {

constexpr int rounds = 15;

/* Of kernels in one dimension, and the side of those in two. */
constexpr size_t numbers = 1 << 22, side = 2048, matrix = 512, bodies = 4096, group = 256;

const std::string source = R"(
#include <sycl/sycl.hpp>
using namespace sycl;
namespace syclex = ext::oneapi::experimental;
#define KERNEL(DIMENSIONS) \
  extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::nd_range_kernel<DIMENSIONS>)) void

KERNEL(1) saxpy(const float *x, float *y, float a, int) {
  size_t i = ext::oneapi::this_work_item::get_nd_item<1>().get_global_linear_id();
  y[i] = a * x[i] + y[i];
}

KERNEL(2) gemm(const float *x, float *y, float a, int n) {
  auto item = ext::oneapi::this_work_item::get_nd_item<2>();
  size_t row = item.get_global_id(0), column = item.get_global_id(1);
  float sum = 0;
  for (int k = 0; k < n; k++) sum += x[row * n + k] * x[k * n + column];
  y[row * n + column] = a * sum;
}

KERNEL(1) nbody(const float *x, float *y, float a, int n) {
  size_t i = ext::oneapi::this_work_item::get_nd_item<1>().get_global_linear_id();
  float ax = 0, ay = 0, az = 0, px = x[i], py = x[n + i], pz = x[2 * n + i];
  for (int j = 0; j < n; j++) {
    float dx = x[j] - px, dy = x[n + j] - py, dz = x[2 * n + j] - pz;
    float inverse = rsqrt(dx * dx + dy * dy + dz * dz + a);
    float force = inverse * inverse * inverse;
    ax += dx * force;
    ay += dy * force;
    az += dz * force;
  }
  y[i] = ax + ay + az;
}

KERNEL(1) reduction(const float *x, float *y, float, int) {
  auto item = ext::oneapi::this_work_item::get_nd_item<1>();
  float sum = reduce_over_group(item.get_group(), x[item.get_global_linear_id()], plus<float>());
  if (item.get_local_linear_id() == 0) y[item.get_group_linear_id()] = sum;
}

KERNEL(2) stencil(const float *x, float *y, float a, int n) {
  auto item = ext::oneapi::this_work_item::get_nd_item<2>();
  int row = int(item.get_global_id(0)), column = int(item.get_global_id(1));
  if (row == 0 || column == 0 || row == n - 1 || column == n - 1) return;
  const float *at = x + row * n + column;
  y[row * n + column] = at[0] + a * (at[-1] + at[1] + at[-n] + at[n] - 4 * at[0]);
}
)";

struct Work {
  const char *name;
  unsigned dimensions;
  /** Of the range, along each dimension, and what the kernel gets as its last two arguments. */
  size_t size;
  float factor;
  int count;
  /** Numbers of the result, and how far they may be apart, of the largest. */
  size_t results;
  double tolerance;
};

constexpr Work works[] = {
    {"saxpy", 1, numbers, 0.5f, 0, numbers, 1e-5},       {"gemm", 2, matrix, 1, matrix, matrix * matrix, 1e-4},
    {"nbody", 1, bodies, 0.01f, bodies, bodies, 1e-3},   {"reduction", 1, numbers, 0, 0, numbers / group, 1e-4},
    {"stencil", 2, side, 0.2f, side, side * side, 1e-5},
};

/** A device with the kernels and their memory. */
class Runner {
 public:
  explicit Runner(const sycl::device &device) : queue_(device, sycl::property::queue::in_order()) {
    auto text = syclex::create_kernel_bundle_from_source(queue_.get_context(), syclex::source_language::sycl, source);
    auto bundle = syclex::build(text);
    for (const Work &work : works) kernels_.push_back(bundle.ext_oneapi_get_kernel(work.name));
    x_ = sycl::malloc_device<float>(numbers, queue_);
    y_ = sycl::malloc_device<float>(numbers, queue_);
  }
  Runner(const Runner &) = delete;
  ~Runner() {
    sycl::free(x_, queue_);
    sycl::free(y_, queue_);
  }

  void fill() {
    std::vector<float> values(numbers);
    for (size_t i = 0; i < numbers; i++) values[i] = float(i * 2654435761u % 1000) / 500 - 1;
    queue_.memcpy(x_, values.data(), numbers * sizeof(float)).wait();
    queue_.memset(y_, 0, numbers * sizeof(float)).wait();
  }

  double milliseconds(size_t index) {
    const Work &work = works[index];
    const auto begin = std::chrono::steady_clock::now();
    queue_.submit([&](sycl::handler &handler) {
      handler.set_args(x_, y_, work.factor, work.count);
      if (work.dimensions == 1) {
        handler.parallel_for(sycl::nd_range<1>(work.size, group), kernels_[index]);
      } else {
        handler.parallel_for(sycl::nd_range<2>({work.size, work.size}, {16, 16}), kernels_[index]);
      }
    });
    queue_.wait_and_throw();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  }

  std::vector<float> results(const Work &work) {
    std::vector<float> values(work.results);
    queue_.memcpy(values.data(), y_, values.size() * sizeof(float)).wait();
    return values;
  }

 private:
  sycl::queue queue_;
  std::vector<sycl::kernel> kernels_;
  float *x_, *y_;
};

sycl::device find_device(const std::string &platform_name) {
  for (const sycl::platform &platform : sycl::platform::get_platforms()) {
    if (platform.get_info<sycl::info::platform::name>() == platform_name) return platform.get_devices().front();
  }
  throw sycl::exception(sycl::errc::runtime, "there is no platform " + platform_name);
}

double median(std::array<double, rounds> times) {
  std::sort(times.begin(), times.end());
  return times[rounds / 2];
}

bool are_close(const std::vector<float> &a, const std::vector<float> &b, double tolerance) {
  double largest = 0, apart = 0;
  for (size_t i = 0; i < a.size(); i++) {
    largest = std::max(largest, double(std::fabs(b[i])));
    apart = std::max(apart, double(std::fabs(a[i] - b[i])));
  }
  return largest > 0 && apart <= tolerance * largest;
}

/** How many times as fast the kernel is; 0 where its results are apart. */
double compare(Runner &own, Runner &reference, size_t index) {
  const Work &work = works[index];
  std::array<double, rounds> times, reference_times;
  for (Runner *runner : {&own, &reference}) {
    runner->fill();
    runner->milliseconds(index);
  }
  if (!are_close(own.results(work), reference.results(work), work.tolerance)) {
    std::printf("%s: the results are apart\n", work.name);
    return 0;
  }
  for (int round = 0; round < rounds; round++) {
    times[round] = own.milliseconds(index);
    reference_times[round] = reference.milliseconds(index);
  }
  const double ratio = median(reference_times) / median(times);
  std::printf("| %s | %.2f | %.2f | %.2f |\n", work.name, median(times), median(reference_times), ratio);
  return ratio;
}

}  // namespace

int main(int argc, char **argv) {
  if (argc != 3) return std::fprintf(stderr, "usage: speed PLATFORM REFERENCE\n"), 1;
  try {
    Runner own(find_device(argv[1])), reference(find_device(argv[2]));
    double product = 1;
    for (size_t index = 0; index < std::size(works); index++) product *= compare(own, reference, index);
    std::printf("%.2f\n", std::pow(product, 1.0 / double(std::size(works))));
    return product > 0 ? 0 : 1;
  } catch (const sycl::exception &exception) {
    return std::printf("%s\n", exception.what()), 1;
  }
}
