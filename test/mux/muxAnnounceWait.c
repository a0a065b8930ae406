/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * muxAnnounceWait: what was announced is done as anything else is. Who is woken for it is seen in
 * test/host/test_scheduler.c. */
#include "support.h"

static void count_call(mux_queue_t queue, mux_command_buffer_t command_buffer, void *user_data) {
  (void)queue, (void)command_buffer;
  ++*(int *)user_data;
}

static mux_command_buffer_t counting(int *calls) {
  mux_command_buffer_t command_buffer = test_command_buffer_create();
  ASSERT_SUCCESS(muxCommandUserCallback(command_buffer, count_call, calls, 0, NULL, NULL));
  ASSERT_SUCCESS(muxFinalizeCommandBuffer(command_buffer));
  return command_buffer;
}

static void announce(void) {
  const mux_result_t result = muxAnnounceWait(test.queue);
  if (result != mux_error_feature_unsupported) ASSERT_SUCCESS(result);
}

TEST(what_is_announced_is_executed) {
  enum { rounds = 100 };
  int calls = 0;
  mux_command_buffer_t command_buffer = counting(&calls);
  mux_fence_t fence = test_fence_create();
  for (int i = 0; i < rounds; i++) {
    announce();
    ASSERT_SUCCESS(muxDispatch(test.queue, command_buffer, fence, NULL, 0, NULL, 0, NULL, NULL));
    ASSERT_SUCCESS(i % 2 ? muxWait(test.queue, fence) : muxWaitAll(test.queue));
    assert_int_equal(calls, i + 1);
    ASSERT_SUCCESS(muxResetFence(fence));
  }
  ASSERT_SUCCESS(muxWaitAll(test.queue));
  test_fence_destroy(fence);
  test_command_buffer_destroy(command_buffer);
}

TEST(what_waits_for_a_semaphore_comes_later) {
  int calls = 0;
  mux_command_buffer_t command_buffer = counting(&calls);
  test_gate_t gate = test_gate_create();
  announce();
  ASSERT_SUCCESS(muxDispatch(test.queue, command_buffer, NULL, &gate.semaphore, 1, NULL, 0, NULL, NULL));
  test_gate_open(&gate);
  ASSERT_SUCCESS(muxWaitAll(test.queue));
  assert_int_equal(calls, 1);
  test_gate_destroy(&gate);
  test_command_buffer_destroy(command_buffer);
}

TEST(refuses_bad_handles) {
  ASSERT_INVALID(muxAnnounceWait(NULL));
  ASSERT_INVALID(muxAnnounceWait((mux_queue_t)test.device));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_is_announced_is_executed),
    cmocka_unit_test(what_waits_for_a_semaphore_comes_later),
    cmocka_unit_test(refuses_bad_handles),
};
TEST_MAIN(tests)
