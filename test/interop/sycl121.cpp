/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What programs written for SYCL 1.2.1 and its implementations use, under their name of the header. */
#include <SYCL/codeplay.hpp>
#include <cstring>
#include <numeric>
#include <thread>
#include <vector>

#include <CL/sycl.hpp>
#include <CL/sycl/backend/opencl.hpp>

#include "require.hpp"

using namespace cl::sycl;

namespace {

constexpr size_t count = 256;

/* Native objects by get(), which gives a reference; handles of native ones by constructors. */
cl_kernel make_native_kernel(const queue &queue, const char *name) {
  static const char *const source =
      "kernel void scale(global const int *x, global int *y, local int *z, int by) {\n"
      "  size_t i = get_global_id(0); z[0] = by; y[i] = x[i] * by;\n"
      "}\n"
      "kernel void once(global int *x) { x[get_global_id(0)] += get_global_size(0); }\n";
  cl_int error = CL_SUCCESS;
  const context owner = queue.get_context();
  cl_context native = owner.get();
  const cl_program program = clCreateProgramWithSource(native, 1, const_cast<const char **>(&source), nullptr, &error);
  REQUIRE(error == CL_SUCCESS && clBuildProgram(program, 0, nullptr, nullptr, nullptr, nullptr) == CL_SUCCESS);
  const cl_kernel kernel = clCreateKernel(program, name, &error);
  REQUIRE(error == CL_SUCCESS);
  clReleaseProgram(program);
  clReleaseContext(native);
  return kernel;
}

/* Arguments come before the kernel, as everybody writes it. */
void check_arguments(const queue &queue) {
  std::vector<int> values(count), result(count);
  std::iota(values.begin(), values.end(), 0);
  const cl_kernel native = make_native_kernel(queue, "scale"), native_once = make_native_kernel(queue, "once");
  const kernel scale(native, queue.get_context()), once(native_once, queue.get_context());
  {
    buffer<int, 1> from(values.data(), range<1>{count}, {property::buffer::use_host_ptr{}});
    buffer<int, 1> to(result.data(), range<1>(count));
    REQUIRE(from.get_range() == range<1>(count) && from.get_range().get(0) == count);
    queue.submit([&](handler &group) {
      const auto x = from.get_access<access::mode::read>(group);
      const auto y = to.get_access<access::mode::discard_write>(group);
      group.set_args(x, y, accessor<int, 1, access::mode::read_write, access::target::local>(range<1>(1), group), 3);
      group.parallel_for(range<1>(count), scale);
    });
    queue.submit([&](handler &group) {
      group.set_arg(0, to.get_access<access::mode::read_write>(group));
      group.single_task(once);
    });
  }
  for (size_t i = 0; i < count; i++) REQUIRE(result[i] == static_cast<int>(3 * i) + (i == 0));
  clReleaseKernel(native);
  clReleaseKernel(native_once);
}

/* Ranges of a buffer to and from the host's memory, and the same buffer as other elements. */
void check_copies(const queue &queue) {
  buffer<int> numbers;
  numbers = buffer<int>(range<1>{count});
  std::vector<int> values(count / 2, 7);
  std::vector<unsigned char> bytes(count * sizeof(int));
  queue.submit([&](handler &group) {
    const auto all = numbers.get_access<access::mode::discard_write>(group);
    group.fill(all, 1);
  });
  queue
      .submit([&](handler &group) {
        const auto half = numbers.get_access<access::mode::discard_write>(group, range<1>{count / 2}, id<1>{count / 4});
        group.copy(values.data(), half);
      })
      .wait_and_throw();
  buffer<const unsigned char, 1> as_bytes = numbers.reinterpret<const unsigned char, 1>(range<1>(count * sizeof(int)));
  queue
      .submit([&](handler &group) {
        const auto all = as_bytes.get_access<access::mode::read>(group);
        group.copy(all, bytes.data());
      })
      .wait_and_throw();
  for (size_t i = 0; i < count; i++) {
    int value = 0;
    std::memcpy(&value, &bytes[i * sizeof(int)], sizeof(int));
    REQUIRE(value == (i >= count / 4 && i < 3 * count / 4 ? 7 : 1));
  }
}

/* A task of a library, which has the native queue from before. */
void check_task(queue &queue) {
  cl_command_queue native = queue.get();
  buffer<int, 1> numbers{count};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; i++) {
    threads.emplace_back([&] {
      queue.submit([&](codeplay::handler &group) {
        const auto x = numbers.get_access<access::mode::read_write>(group);
        group.interop_task([=](const codeplay::interop_handle &handle) {
          const int value = 9;
          REQUIRE(handle.get_queue() == native);
          REQUIRE(clEnqueueFillBuffer(native, handle.get(x), &value, sizeof(value), 0, count * sizeof(int), 0, nullptr,
                                      nullptr) == CL_SUCCESS);
          REQUIRE(clFinish(native) == CL_SUCCESS);
        });
      });
    });
  }
  for (std::thread &thread : threads) thread.join();
  auto seen = numbers.get_access<access::mode::read>();
  for (size_t i = 0; i < seen.get_count(); i++) REQUIRE(seen[i] == 9);
  clReleaseCommandQueue(native);
}

/* Functions on the host, of points, items, and of nothing. */
void check_functions() {
  queue queue{host_selector{}};
  REQUIRE(queue.is_host());
  buffer<int, 1> numbers{count};
  queue.submit([&](handler &group) {
    const auto x = numbers.get_access<access::mode::discard_write>(group);
    group.parallel_for<class Init>(count, [=](item<1> item) { x[item] = static_cast<int>(item.get_range(0)); });
  });
  queue.submit([&](handler &group) {
    const auto x = numbers.get_access<access::mode::read_write>(group);
    group.single_task<class Once>([=] { x.get_multi_ptr<access::decorated::no>().get()[1] = 5; });
  });
  auto seen = numbers.get_access<access::mode::read>();
  for (size_t i = 0; i < count; i++) REQUIRE(seen[i] == (i == 1 ? 5 : static_cast<int>(count)));
  REQUIRE((item<2>(id<2>(2, 3), range<2>(4, 5)).get_linear_id() == 13));
}

}  // namespace

int main() {
  queue queue(device(platform(backend::opencl).get_devices().at(0)));
  /* The header has brought <iostream>. */
  std::cout << "over " << queue.get_device().get_info<info::device::name>() << std::endl;
  check_arguments(queue);
  check_copies(queue);
  check_task(queue);
  check_functions();
  return 0;
}
