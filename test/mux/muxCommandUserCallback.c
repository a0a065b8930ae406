/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * muxCommandUserCallback. */
#include <stdlib.h>

#include "support.h"

typedef struct calls_t {
  test_buffer_t buffer;
  mux_queue_t queue;
  mux_command_buffer_t command_buffer;
  uint8_t seen[3];
  int count;
} calls_t;

static void look(mux_queue_t queue, mux_command_buffer_t command_buffer, void *user_data) {
  calls_t *calls = user_data;
  calls->queue = queue;
  calls->command_buffer = command_buffer;
  if (calls->count < 3) calls->seen[calls->count] = calls->buffer.bytes[0];
  calls->count++;
}

TEST(is_called_in_order) {
  calls_t calls = {.buffer = test_buffer_create(64)};
  mux_command_buffer_t command_buffer = test_command_buffer_create();
  for (uint8_t i = 1; i <= 3; i++) {
    ASSERT_SUCCESS(muxCommandFillBuffer(command_buffer, calls.buffer.buffer, 0, 64, &i, 1, NO_SYNC));
    ASSERT_SUCCESS(muxCommandUserCallback(command_buffer, look, &calls, NO_SYNC));
  }
  assert_int_equal(calls.count, 0);
  ASSERT_SUCCESS(test_command_buffer_run(command_buffer));
  assert_int_equal(calls.count, 3);
  for (int i = 0; i < 3; i++) assert_int_equal(calls.seen[i], i + 1);
  assert_ptr_equal(calls.queue, test.queue);
  assert_ptr_equal(calls.command_buffer, command_buffer);
  test_command_buffer_destroy(command_buffer);
  test_buffer_destroy(&calls.buffer);
}

static void dispatch_other(mux_queue_t queue, mux_command_buffer_t command_buffer, void *user_data) {
  (void)command_buffer;
  if (muxDispatch(queue, *(mux_command_buffer_t *)user_data, NULL, NULL, 0, NULL, 0, NULL, NULL)) abort();
}

TEST(may_dispatch) {
  calls_t calls = {.buffer = test_buffer_create(64)};
  mux_command_buffer_t outer = test_command_buffer_create(), inner = test_command_buffer_create();
  ASSERT_SUCCESS(muxCommandUserCallback(inner, look, &calls, NO_SYNC));
  ASSERT_SUCCESS(muxFinalizeCommandBuffer(inner));
  ASSERT_SUCCESS(muxCommandUserCallback(outer, dispatch_other, &inner, NO_SYNC));
  ASSERT_SUCCESS(test_command_buffer_run(outer));
  ASSERT_SUCCESS(muxWaitAll(test.queue));
  assert_int_equal(calls.count, 1);
  test_command_buffer_destroy(inner);
  test_command_buffer_destroy(outer);
  test_buffer_destroy(&calls.buffer);
}

TEST(refuses_bad_arguments) {
  mux_command_buffer_t recording = test_command_buffer_create();
  ASSERT_CHECKS_COMMAND_BUFFER(muxCommandUserCallback(command_buffer, look, NULL, NO_SYNC));
  ASSERT_INVALID(muxCommandUserCallback(recording, NULL, NULL, NO_SYNC));
  ASSERT_CHECKS_SYNC(recording, muxCommandUserCallback(recording, look, NULL, CHECKED_SYNC));
  ASSERT_RECORDS_WITHOUT_MEMORY(muxCommandUserCallback(recording, look, NULL, NO_SYNC));
  test_command_buffer_destroy(recording);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(is_called_in_order),
    cmocka_unit_test(may_dispatch),
    cmocka_unit_test(refuses_bad_arguments),
};

TEST_MAIN(tests)
