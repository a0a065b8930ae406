/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * muxTryWait and muxWait. */
#include <pthread.h>
#include <time.h>

#include "support.h"

typedef struct pending_t {
  test_gate_t gate;
  mux_command_buffer_t command_buffer;
  mux_fence_t fence;
} pending_t;

/* A dispatch that cannot start before the gate is opened. */
static pending_t create_pending(void) {
  pending_t pending = {.gate = test_gate_create(), .command_buffer = test_command_buffer_create()};
  ASSERT_SUCCESS(muxCreateFence(test.device, test.allocator, &pending.fence));
  ASSERT_SUCCESS(muxFinalizeCommandBuffer(pending.command_buffer));
  ASSERT_SUCCESS(
      muxDispatch(test.queue, pending.command_buffer, pending.fence, &pending.gate.semaphore, 1, NULL, 0, NULL, NULL));
  return pending;
}

static void destroy_pending(pending_t *pending) {
  test_gate_destroy(&pending->gate);
  muxDestroyFence(test.device, pending->fence, test.allocator);
  test_command_buffer_destroy(pending->command_buffer);
}

static uint64_t read_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

TEST(only_looks_without_a_timeout) {
  pending_t pending = create_pending();
  ASSERT_RESULT(mux_fence_not_ready, muxTryWait(test.queue, 0, pending.fence));
  test_gate_open(&pending.gate);
  ASSERT_SUCCESS(muxWait(test.queue, pending.fence));
  ASSERT_SUCCESS(muxTryWait(test.queue, 0, pending.fence));
  destroy_pending(&pending);
}

TEST(waits_as_long_as_asked) {
  pending_t pending = create_pending();
  const uint64_t start = read_clock();
  ASSERT_RESULT(mux_fence_not_ready, muxTryWait(test.queue, 5000000, pending.fence));
  assert_true(read_clock() - start >= 5000000);
  test_gate_open(&pending.gate);
  ASSERT_SUCCESS(muxTryWait(test.queue, UINT64_MAX, pending.fence));
  ASSERT_SUCCESS(muxTryWait(test.queue, UINT64_MAX - 1, pending.fence));
  destroy_pending(&pending);
}

static void *wait_for_fence(void *argument) {
  return (void *)(uintptr_t)muxWait(test.queue, ((pending_t *)argument)->fence);
}

TEST(wakes_every_thread_that_waits) {
  pending_t pending = create_pending();
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) assert_int_equal(pthread_create(&threads[i], NULL, wait_for_fence, &pending), 0);
  test_gate_open(&pending.gate);
  for (int i = 0; i < 4; i++) {
    void *result = NULL;
    assert_int_equal(pthread_join(threads[i], &result), 0);
    ASSERT_SUCCESS((mux_result_t)(uintptr_t)result);
  }
  destroy_pending(&pending);
}

TEST(reports_a_failure) {
  test_failure_t failure = test_failure_create();
  mux_command_buffer_t command_buffer = test_command_buffer_create();
  mux_fence_t fence = NULL;
  ASSERT_SUCCESS(muxCreateFence(test.device, test.allocator, &fence));
  test_failure_record(&failure, command_buffer);
  ASSERT_SUCCESS(muxFinalizeCommandBuffer(command_buffer));
  ASSERT_SUCCESS(muxDispatch(test.queue, command_buffer, fence, NULL, 0, NULL, 0, NULL, NULL));
  ASSERT_RESULT(mux_error_fence_failure, muxTryWait(test.queue, UINT64_MAX, fence));
  ASSERT_RESULT(mux_error_fence_failure, muxWait(test.queue, fence));
  muxDestroyFence(test.device, fence, test.allocator);
  test_command_buffer_destroy(command_buffer);
  test_failure_destroy(&failure);
}

TEST(refuses_bad_arguments) {
  mux_fence_t fence = NULL;
  ASSERT_SUCCESS(muxCreateFence(test.device, test.allocator, &fence));
  ASSERT_REFUSES_BAD(mux_queue_t, queue, muxTryWait(bad, 0, fence));
  ASSERT_REFUSES_BAD(mux_queue_t, queue, muxWait(bad, fence));
  ASSERT_REFUSES_BAD(mux_fence_t, fence, muxTryWait(test.queue, 0, bad));
  ASSERT_REFUSES_BAD(mux_fence_t, fence, muxWait(test.queue, bad));
  muxDestroyFence(test.device, fence, test.allocator);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(only_looks_without_a_timeout),  cmocka_unit_test(waits_as_long_as_asked),
    cmocka_unit_test(wakes_every_thread_that_waits), cmocka_unit_test(reports_a_failure),
    cmocka_unit_test(refuses_bad_arguments),
};

TEST_MAIN(tests)
