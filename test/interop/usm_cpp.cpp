/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Unified memory in SYCL's spelling, under SYCL's own name of the header: allocations, actions, allocators, buffers
 * with svm_allocator. */
#include <sycl/backend/opencl.hpp>
#include <sycl/sycl.hpp>
#include <thread>
#include <vector>

#include "require.hpp"

namespace {

constexpr size_t count = 1000;
constexpr int thread_count = 4;

sycl::kernel make_kernel(const sycl::context &context, const char *name) {
  static const char source[] =
      "kernel void add(global int *x, int value) { x[get_global_id(0)] += value; }\n"
      "kernel void sum(global const int *global *lists, global int *y) {\n"
      "  size_t i = get_global_id(0); y[i] = lists[0][i] + lists[1][i];\n"
      "}\n";
  return sycl::kernel(sycl::program(context, source, "-cl-std=CL2.0"), name);
}

void check_kinds(const sycl::queue &queue) {
  const sycl::context context = queue.get_context();
  const sycl::device device = queue.get_device();
  REQUIRE(device.has(sycl::aspect::usm_shared_allocations));
  REQUIRE(device.get_info<sycl::info::device::usm_device_allocations>());
  auto *shared = sycl::malloc_shared<int>(count, queue);
  auto *host = sycl::malloc_host<int>(count, queue);
  auto *of_device = sycl::malloc_device<int>(count, queue);
  void *aligned = sycl::aligned_alloc(64, 100, device, context, sycl::usm::alloc::shared);
  int local = 0;
  REQUIRE(shared && host && of_device && aligned && reinterpret_cast<uintptr_t>(aligned) % 64 == 0);
  REQUIRE(sycl::get_pointer_type(shared + count - 1, context) == sycl::usm::alloc::shared);
  REQUIRE(sycl::get_pointer_type(host, context) == sycl::usm::alloc::host);
  REQUIRE(sycl::get_pointer_type(of_device, context) == sycl::usm::alloc::device);
  REQUIRE(sycl::get_pointer_type(&local, context) == sycl::usm::alloc::unknown);
  REQUIRE(sycl::get_pointer_device(of_device, context) == device);
  REQUIRE(sycl::malloc_shared<int>(0, queue) == nullptr);
  for (void *pointer :
       {static_cast<void *>(shared), static_cast<void *>(host), static_cast<void *>(of_device), aligned}) {
    sycl::free(pointer, queue);
  }
  try {
    sycl::free(&local, context);
    REQUIRE(!"memory of the stack was freed");
  } catch (const sycl::exception &error) {
    REQUIRE(error.code() == sycl::errc::invalid);
  }
}

/* By events, as SYCL 2020 orders what has no accessors. */
void check_events(const sycl::queue &queue) {
  auto *x = sycl::malloc_shared<int>(count, queue);
  auto *y = sycl::malloc_device<int>(count, queue);
  std::vector<int> result(count);
  const sycl::kernel add = make_kernel(queue.get_context(), "add");
  const sycl::event filled = queue.fill(x, 5, count);
  const sycl::event added = queue.submit([&](sycl::handler &group) {
    group.depends_on(filled);
    group.set_args(x, 37);
    group.parallel_for(sycl::range<1>(count), add);
  });
  const sycl::event copied = queue.memcpy(y, x, count * sizeof(int), {added});
  const sycl::event cleared = queue.memset(x, 0, count * sizeof(int), {copied});
  queue.prefetch(x, count * sizeof(int), {cleared}).wait();
  queue.mem_advise(x, count * sizeof(int), 0).wait();
  queue.copy(y, result.data(), count, {copied}).wait();
  for (int value : result) REQUIRE(value == 42);
  for (size_t i = 0; i < count; i++) REQUIRE(x[i] == 0);
  sycl::free(x, queue);
  sycl::free(y, queue);
}

/* By addresses, from several threads: the library orders. */
void check_requirements(const sycl::queue &queue) {
  constexpr int rounds = 50;
  auto *x = sycl::malloc_shared<int>(count, queue);
  const sycl::kernel add = make_kernel(queue.get_context(), "add");
  queue.fill(x, 0, count).wait();
  std::vector<std::thread> threads;
  for (int i = 0; i < thread_count; i++) {
    threads.emplace_back([&] {
      for (int round = 0; round < rounds; round++) {
        queue.submit([&](sycl::handler &group) {
          group.require(x, 0);
          group.set_args(x, 1);
          group.parallel_for(sycl::range<1>(count), add);
        });
        queue.submit([&](sycl::handler &group) {
          group.require(x, 0);
          group.host_task([=] {
            for (size_t j = 0; j < count; j++) x[j]++;
          });
        });
      }
    });
  }
  for (std::thread &thread : threads) thread.join();
  queue.wait();
  for (size_t i = 0; i < count; i++) REQUIRE(x[i] == 2 * rounds * thread_count);
  sycl::free(x, queue);
}

/* Containers of the host, whose memory a kernel finds by addresses in memory. */
void check_allocator(const sycl::queue &queue) {
  using allocator = sycl::usm_allocator<int, sycl::usm::alloc::shared>;
  std::vector<int, allocator> one(count, 1, allocator(queue)), two(count, 2, allocator(queue));
  std::vector<const int *, sycl::usm_allocator<const int *, sycl::usm::alloc::host>> lists(
      {one.data(), two.data()}, sycl::usm_allocator<const int *, sycl::usm::alloc::host>(queue));
  std::vector<int, allocator> result(count, 0, allocator(queue));
  const sycl::kernel sum = make_kernel(queue.get_context(), "sum");
  queue
      .submit([&](sycl::handler &group) {
        group.require(one.data(), 0, sycl::access::mode::read);
        group.require(two.data(), 0, sycl::access::mode::read);
        group.set_args(lists.data(), result.data());
        group.parallel_for(sycl::range<1>(count), sum);
      })
      .wait();
  for (int value : result) REQUIRE(value == 3);
}

using svm_buffer = sycl::buffer<int, 1, sycl::svm_allocator<int>>;
using bound = sycl::property::buffer::context_bound;

/* With the property, and only with it. */
static_assert(std::is_constructible_v<svm_buffer, sycl::range<1>, bound>);
static_assert(std::is_constructible_v<svm_buffer, int *, sycl::range<1>, bound>);
static_assert(!std::is_constructible_v<svm_buffer, sycl::range<1>>);
static_assert(!std::is_constructible_v<svm_buffer, int *, sycl::range<1>>);
static_assert(!std::is_constructible_v<svm_buffer, const int *, sycl::range<1>>);
static_assert(std::is_constructible_v<sycl::buffer<int>, sycl::range<1>>);

void check_svm_buffer(const sycl::queue &queue) {
  const sycl::kernel add = make_kernel(queue.get_context(), "add");
  std::vector<int> values(count, 1);
  {
    svm_buffer buffer(values.data(), sycl::range<1>(count), bound(queue.get_context()));
    int *address = buffer.get_pointer();
    queue.submit([&](sycl::handler &group) {
      const auto x = buffer.get_access<sycl::access::mode::read_write>(group);
      group.set_args(x, 10);
      group.parallel_for(sycl::range<1>(count), add);
    });
    queue.submit([&](sycl::handler &group) {
      group.require(address, 0);
      group.set_args(address, 100);
      group.parallel_for(sycl::range<1>(count), add);
    });
    sycl::host_accessor<int> seen(buffer);
    REQUIRE(seen.get_pointer() == address);
    for (size_t i = 0; i < count; i++) REQUIRE(seen[i] == 111);
  }
  for (int value : values) REQUIRE(value == 111);
  try {
    const svm_buffer buffer(values.data(), sycl::range<1>(count), sycl::property_list());
    REQUIRE(!"a buffer with svm_allocator is not bound");
  } catch (const sycl::exception &error) {
    REQUIRE(error.code() == sycl::errc::invalid);
  }
}

}  // namespace

int main() {
  const sycl::device device(sycl::platform(sycl::backend::opencl).get_devices().at(0));
  /* The header has brought <iostream>. */
  std::cout << "over " << device.get_info<sycl::info::device::name>() << std::endl;
  for (const quern_queue_flags_t flags : {quern_queue_flags_t(0), quern_queue_flags_t(quern_queue_out_of_order)}) {
    const sycl::queue queue(sycl::context(device), device, {}, flags);
    check_kinds(queue);
    check_events(queue);
    check_requirements(queue);
    check_allocator(queue);
    check_svm_buffer(queue);
  }
  return 0;
}
