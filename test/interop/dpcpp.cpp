/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * DPC++'s own objects go to the library, and the library's to DPC++: with its headers and its runtime. Argument: the
 * OpenCL platform. */
#include <sycl/backend/opencl.hpp>
#include <sycl/sycl.hpp>
#include <thread>
#include <vector>

#include "quern/opencl.h"
#include "require.hpp"

namespace {

constexpr size_t count = 1024, bytes = count * sizeof(int);
constexpr int rounds = 20, thread_count = 4;

void check(quern_result_t result) {
  if (result != quern_success) std::fprintf(stderr, "%s\n", quern_last_error_message());
  REQUIRE(result == quern_success);
}

sycl::device find_device(const char *name) {
  for (const sycl::platform &platform : sycl::platform::get_platforms()) {
    if (platform.get_backend() == sycl::backend::opencl && platform.get_info<sycl::info::platform::name>() == name) {
      return platform.get_devices().at(0);
    }
  }
  std::fprintf(stderr, "DPC++ shows no platform %s\n", name);
  std::exit(1);
}

/* ------------------------------------------------------------ DPC++ to the library */

/** What the library has of a queue of DPC++. */
struct view {
  quern_context_t context = nullptr;
  quern_queue_t queue = nullptr;
  explicit view(const sycl::queue &from) {
    /* Each native object comes with a reference, which the library takes over. */
    check(quern_opencl_context_make_from_native(sycl::get_native<sycl::backend::opencl>(from.get_context()),
                                                quern_ownership_transfer, nullptr, nullptr, &context));
    check(quern_opencl_queue_make_from_native(context, sycl::get_native<sycl::backend::opencl>(from),
                                              quern_ownership_transfer, &queue));
  }
  ~view() {
    check(quern_queue_release(queue));
    check(quern_context_release(context));
  }
};

quern_kernel_t make_kernel(quern_context_t context) {
  quern_program_t program = nullptr;
  quern_kernel_t kernel = nullptr;
  check(quern_program_create_from_source(
      context, "kernel void add(global int *x, int value) { x[get_global_id(0)] += value; }", nullptr, &program));
  check(quern_kernel_create(program, "add", &kernel));
  check(quern_program_release(program));
  return kernel;
}

quern_event_t submit_addition(const view &to, quern_kernel_t kernel, int *x, int value, quern_event_t before) {
  const quern_range_t range = {1, {0, 0, 0}, {count, 1, 1}, {0, 0, 0}};
  quern_group_t group = nullptr;
  quern_event_t event = nullptr;
  check(quern_group_create(to.queue, &group));
  check(quern_group_depend(group, before));
  check(quern_group_require_pointer(group, x, bytes, quern_access_read_write));
  check(quern_group_set_kernel(group, kernel, &range));
  check(quern_group_set_argument_pointer(group, 0, x));
  check(quern_group_set_argument(group, 1, sizeof(value), &value));
  check(quern_group_submit(group, &event));
  return event;
}

/* DPC++'s allocation and its commands, between groups of the library on the same native queue. DPC++'s event is waited
 * for by a group, and the group's by DPC++. */
void take_turns(sycl::queue queue) {
  const view library(queue);
  const quern_kernel_t kernel = make_kernel(library.context);
  int *x = sycl::malloc_shared<int>(count, queue);
  queue.memset(x, 0, bytes).wait();
  for (int i = 0; i < rounds; i++) {
    const sycl::event filled = queue.fill(x, i, count);
    quern_event_t before = nullptr;
    check(quern_opencl_event_make_from_native(library.context, sycl::get_native<sycl::backend::opencl>(filled).at(0),
                                              quern_ownership_transfer, &before));
    const quern_event_t added = submit_addition(library, kernel, x, 100, before);
    cl_event native = nullptr;
    check(quern_opencl_event_get_native(added, &native));
    const sycl::event after = sycl::make_event<sycl::backend::opencl>({native}, queue.get_context());
    std::vector<int> seen(count);
    queue.memcpy(seen.data(), x, bytes, after).wait();
    for (int value : seen) REQUIRE(value == i + 100);
    check(quern_event_release(before));
    check(quern_event_release(added));
    clReleaseEvent(native);
  }
  sycl::free(x, queue);
  check(quern_kernel_release(kernel));
}

/* A buffer of the library's on a queue of DPC++, for devices on which DPC++ allocates nothing. */
void use_buffer(const sycl::queue &queue) {
  const view library(queue);
  const quern_kernel_t kernel = make_kernel(library.context);
  const quern_range_t range = {1, {0, 0, 0}, {count, 1, 1}, {0, 0, 0}};
  std::vector<int> values(count);
  quern_memory_t memory = nullptr;
  check(quern_buffer_create(bytes, values.data(), nullptr, &memory));
  for (int i = 0; i < rounds; i++) {
    quern_group_t group = nullptr;
    quern_accessor_t x;
    check(quern_group_create(library.queue, &group));
    check(quern_group_access(group, memory, quern_access_read_write, 0, 0, &x));
    check(quern_group_set_kernel(group, kernel, &range));
    check(quern_group_set_argument_accessor(group, 0, x));
    check(quern_group_set_argument(group, 1, sizeof(i), &i));
    check(quern_group_submit(group, nullptr));
  }
  check(quern_memory_release(memory));
  for (int value : values) REQUIRE(value == rounds * (rounds - 1) / 2);
  check(quern_kernel_release(kernel));
}

/* ------------------------------------------------------------ the library to DPC++ */

quern_device_t find_library_device(const char *name) {
  quern_platform_t platforms[16];
  size_t found = 0;
  check(quern_platform_list_of_backend(quern_backend_opencl, 16, platforms, &found));
  for (size_t i = 0; i < found; i++) {
    const char *other = nullptr;
    quern_device_t device = nullptr;
    check(quern_platform_get_name(platforms[i], &other));
    if (std::string(other) != name) continue;
    check(quern_platform_get_devices(platforms[i], quern_device_type_all, 1, &device, nullptr));
    return device;
  }
  REQUIRE(!"the library lists the platform");
  return nullptr;
}

void check_back(const char *name) {
  quern_device_t device = find_library_device(name);
  quern_context_t context = nullptr;
  quern_queue_t queue = nullptr;
  cl_context native_context = nullptr;
  cl_command_queue native_queue = nullptr;
  cl_device_id native_device = nullptr;
  check(quern_context_create(1, &device, nullptr, nullptr, &context));
  check(quern_queue_create(context, device, 0, nullptr, nullptr, &queue));
  check(quern_opencl_context_get_native(context, &native_context));
  check(quern_opencl_queue_get_native(queue, &native_queue));
  check(quern_opencl_device_get_native(device, &native_device));
  {
    const sycl::context owner = sycl::make_context<sycl::backend::opencl>(native_context);
    sycl::queue same = sycl::make_queue<sycl::backend::opencl>(native_queue, owner);
    REQUIRE(sycl::make_device<sycl::backend::opencl>(native_device) == same.get_device());
    use_buffer(same);
    if (same.get_device().has(sycl::aspect::usm_shared_allocations)) take_turns(same);
  }
  clReleaseCommandQueue(native_queue);
  clReleaseContext(native_context);
  check(quern_queue_release(queue));
  check(quern_context_release(context));
}

}  // namespace

int main(int argc, char **argv) {
  const char *name = argc > 1 ? argv[1] : "Quern";
  const sycl::device device = find_device(name);
  std::vector<std::thread> threads;
  for (int i = 0; i < thread_count; i++) {
    threads.emplace_back([&] {
      const sycl::queue in_order(device, sycl::property::queue::in_order()), out_of_order(device);
      use_buffer(in_order);
      use_buffer(out_of_order);
      if (!device.has(sycl::aspect::usm_shared_allocations)) return;
      take_turns(in_order);
      take_turns(out_of_order);
    });
  }
  for (std::thread &thread : threads) thread.join();
  check_back(name);
  return 0;
}
