/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * muxCancelDispatch of what has not begun; test/cl/cl_khr_terminate_context.c has kernels that run. */
#include "support.h"

static void keep_result(mux_command_buffer_t command_buffer, mux_result_t result, void *user_data) {
  (void)command_buffer;
  *(mux_result_t *)user_data = result;
}

static void count_call(mux_queue_t queue, mux_command_buffer_t command_buffer, void *user_data) {
  (void)queue, (void)command_buffer;
  ++*(int *)user_data;
}

TEST(what_has_not_begun_does_not_begin) {
  mux_command_buffer_t command_buffer = test_command_buffer_create();
  mux_fence_t fence = test_fence_create();
  mux_result_t result = mux_success;
  int calls = 0;
  ASSERT_SUCCESS(muxCommandUserCallback(command_buffer, count_call, &calls, 0, NULL, NULL));
  ASSERT_SUCCESS(muxFinalizeCommandBuffer(command_buffer));
  test_gate_t gate = test_gate_create();
  ASSERT_SUCCESS(muxDispatch(test.queue, command_buffer, fence, &gate.semaphore, 1, NULL, 0, keep_result, &result));
  const mux_result_t cancelled = muxCancelDispatch(test.queue, fence);
  test_gate_open(&gate);
  const mux_result_t waited = muxWait(test.queue, fence);
  ASSERT_SUCCESS(muxWaitAll(test.queue));
  const mux_result_t again = muxCancelDispatch(test.queue, fence);
  test_gate_destroy(&gate);
  test_fence_destroy(fence);
  test_command_buffer_destroy(command_buffer);
  if (cancelled == mux_error_feature_unsupported) {
    print_message("skipped: the target does not cancel\n");
    skip();
  }
  ASSERT_SUCCESS(cancelled);
  ASSERT_RESULT(mux_error_fence_failure, waited);
  assert_true(result != mux_success);
  assert_int_equal(calls, 0);
  ASSERT_INVALID(again);
}

TEST(refuses_bad_handles) { test_refuses_bad_dispatches(muxCancelDispatch); }

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_has_not_begun_does_not_begin),
    cmocka_unit_test(refuses_bad_handles),
};
TEST_MAIN(tests)
