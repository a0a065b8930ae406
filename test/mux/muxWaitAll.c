/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * muxWaitAll. */
#include <stdatomic.h>
#include <time.h>

#include "support.h"

static void count_completion(mux_command_buffer_t command_buffer, mux_result_t error, void *user_data) {
  (void)command_buffer, (void)error;
  const struct timespec time = {.tv_nsec = 1000000};
  nanosleep(&time, NULL);
  atomic_fetch_add((atomic_int *)user_data, 1);
}

TEST(returns_at_once_when_there_is_nothing) { ASSERT_SUCCESS(muxWaitAll(test.queue)); }

TEST(waits_for_all_callbacks) {
  enum { count = 8 };
  mux_command_buffer_t command_buffers[count];
  atomic_int completed = 0;
  for (int i = 0; i < count; i++) {
    command_buffers[i] = test_command_buffer_create();
    ASSERT_SUCCESS(muxFinalizeCommandBuffer(command_buffers[i]));
    ASSERT_SUCCESS(muxDispatch(test.queue, command_buffers[i], NULL, NULL, 0, NULL, 0, count_completion, &completed));
  }
  ASSERT_SUCCESS(muxWaitAll(test.queue));
  assert_int_equal(atomic_load(&completed), count);
  for (int i = 0; i < count; i++) test_command_buffer_destroy(command_buffers[i]);
}

TEST(succeeds_also_when_work_failed) {
  test_failure_t failure = test_failure_create();
  mux_command_buffer_t command_buffer = test_command_buffer_create();
  test_failure_record(&failure, command_buffer);
  ASSERT_SUCCESS(muxFinalizeCommandBuffer(command_buffer));
  ASSERT_SUCCESS(muxDispatch(test.queue, command_buffer, NULL, NULL, 0, NULL, 0, NULL, NULL));
  ASSERT_SUCCESS(muxWaitAll(test.queue));
  test_command_buffer_destroy(command_buffer);
  test_failure_destroy(&failure);
}

TEST(refuses_bad_arguments) { ASSERT_REFUSES_BAD(mux_queue_t, queue, muxWaitAll(bad)); }

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(returns_at_once_when_there_is_nothing),
    cmocka_unit_test(waits_for_all_callbacks),
    cmocka_unit_test(succeeds_also_when_work_failed),
    cmocka_unit_test(refuses_bad_arguments),
};

TEST_MAIN(tests)
