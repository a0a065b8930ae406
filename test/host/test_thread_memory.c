/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Memory for a work-group that only one thread gets. */
#include <stdatomic.h>
#include <stdbool.h>

#include "fixture.h"
#include "kernels.h"

/* A page, in which all that has no barrier context fits. */
enum { small = 4096, rounds = 8, items = 256, groups = 600 };

/* Large blocks that may still be had; those that were not. */
static atomic_int left = 1000, refused;

void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);

void *__wrap_aligned_alloc(size_t alignment, size_t size) {
  if (size <= small || atomic_fetch_sub(&left, 1) > 0) return __real_aligned_alloc(alignment, size);
  atomic_fetch_add(&refused, 1);
  return NULL;
}

/** Each round needs more than any thread has. */
static void one_thread_with_memory_runs_all(void **state) {
  (void)state;
  mux_kernel_t kernel = kernel_create(&test, "memory");
  host_test_buffer_t bad = buffer_create(&test, 4);
  mux_descriptor_info_t arg = buffer_arg(bad.buffer);
  mux_fence_t fence;
  assert_int_equal(muxCreateFence(test.device, allocator, &fence), mux_success);
  for (size_t round = 1; round <= rounds; ++round) {
    mux_command_buffer_t commands = command_buffer_create(&test);
    const size_t local = round * items;
    assert_int_equal(launch_record(commands, kernel, local * groups, local, &arg, 1), mux_success);
    assert_int_equal(muxFinalizeCommandBuffer(commands), mux_success);
    atomic_store(&left, 1);
    assert_int_equal(muxDispatch(test.queue, commands, fence, NULL, 0, NULL, 0, NULL, NULL), mux_success);
    assert_int_equal(muxWait(test.queue, fence), mux_success);
    atomic_store(&left, 1000);
    assert_int_equal(muxResetFence(fence), mux_success);
    command_buffer_destroy(&test, commands);
  }
  assert_int_equal(*(uint32_t *)bad.data, 0);
  muxDestroyFence(test.device, fence, allocator);
  buffer_destroy(&test, &bad);
  kernel_destroy(&test, kernel);
  if (atomic_load(&refused)) return;
  print_message("skipped: no other thread came to help\n");
  skip();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(one_thread_with_memory_runs_all, begin, end)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
