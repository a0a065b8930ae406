/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * muxCreateCommandBuffer, muxFinalizeCommandBuffer, muxResetCommandBuffer and muxDestroyCommandBuffer. */
#include "support.h"

static void count_call(mux_queue_t queue, mux_command_buffer_t command_buffer, void *user_data) {
  (void)queue, (void)command_buffer;
  int *count = user_data;
  ++*count;
}

TEST(begins_empty_and_recording) {
  mux_command_buffer_t command_buffer = test_command_buffer_create();
  assert_ptr_equal(command_buffer->device, test.device);
  ASSERT_INVALID(muxDispatch(test.queue, command_buffer, NULL, NULL, 0, NULL, 0, NULL, NULL));
  ASSERT_SUCCESS(test_command_buffer_run(command_buffer));
  test_command_buffer_destroy(command_buffer);
}

TEST(is_finalized_once) {
  mux_command_buffer_t command_buffer = test_command_buffer_create();
  int count = 0;
  ASSERT_SUCCESS(muxCommandUserCallback(command_buffer, count_call, &count, NO_SYNC));
  ASSERT_SUCCESS(muxFinalizeCommandBuffer(command_buffer));
  ASSERT_INVALID(muxFinalizeCommandBuffer(command_buffer));
  ASSERT_INVALID(muxCommandUserCallback(command_buffer, count_call, &count, NO_SYNC));
  assert_int_equal(count, 0);
  test_command_buffer_destroy(command_buffer);
}

TEST(runs_any_number_of_times) {
  mux_command_buffer_t command_buffer = test_command_buffer_create();
  int count = 0;
  ASSERT_SUCCESS(muxCommandUserCallback(command_buffer, count_call, &count, NO_SYNC));
  ASSERT_SUCCESS(muxFinalizeCommandBuffer(command_buffer));
  for (int i = 1; i <= 5; i++) {
    ASSERT_SUCCESS(test_command_buffer_run_again(command_buffer));
    assert_int_equal(count, i);
  }
  test_command_buffer_destroy(command_buffer);
}

TEST(forgets_everything_when_it_is_reset) {
  mux_command_buffer_t command_buffer = test_command_buffer_create();
  int before = 0, after = 0;
  for (int i = 0; i < 3; i++) ASSERT_SUCCESS(muxCommandUserCallback(command_buffer, count_call, &before, NO_SYNC));
  ASSERT_SUCCESS(muxResetCommandBuffer(command_buffer)); /* While recording. */
  ASSERT_SUCCESS(muxCommandUserCallback(command_buffer, count_call, &before, NO_SYNC));
  ASSERT_SUCCESS(muxFinalizeCommandBuffer(command_buffer));
  ASSERT_SUCCESS(muxResetCommandBuffer(command_buffer)); /* When finalized. */
  ASSERT_SUCCESS(muxCommandUserCallback(command_buffer, count_call, &after, NO_SYNC));
  ASSERT_SUCCESS(test_command_buffer_run(command_buffer));
  assert_int_equal(before, 0);
  assert_int_equal(after, 1);
  test_command_buffer_destroy(command_buffer);
}

TEST(is_left_alone_while_it_is_dispatched) {
  test_gate_t gate = test_gate_create();
  mux_command_buffer_t command_buffer = test_command_buffer_create(), clone = NULL;
  int count = 0;
  ASSERT_SUCCESS(muxCommandUserCallback(command_buffer, count_call, &count, NO_SYNC));
  ASSERT_SUCCESS(muxFinalizeCommandBuffer(command_buffer));
  ASSERT_SUCCESS(muxDispatch(test.queue, command_buffer, NULL, &gate.semaphore, 1, NULL, 0, NULL, NULL));
  ASSERT_INVALID(muxDispatch(test.queue, command_buffer, NULL, NULL, 0, NULL, 0, NULL, NULL));
  ASSERT_INVALID(muxFinalizeCommandBuffer(command_buffer));
  ASSERT_INVALID(muxResetCommandBuffer(command_buffer));
  ASSERT_INVALID(muxCommandUserCallback(command_buffer, count_call, &count, NO_SYNC));
  if (test.info->can_clone_command_buffers)
    ASSERT_INVALID(muxCloneCommandBuffer(test.device, test.allocator, command_buffer, &clone));
  test_gate_open(&gate);
  ASSERT_SUCCESS(muxWaitAll(test.queue));
  assert_int_equal(count, 1);
  ASSERT_SUCCESS(muxResetCommandBuffer(command_buffer));
  test_command_buffer_destroy(command_buffer);
  test_gate_destroy(&gate);
}

static void reset_and_record(mux_command_buffer_t command_buffer, mux_result_t error, void *user_data) {
  (void)error;
  mux_result_t *results = user_data;
  results[0] = muxResetCommandBuffer(command_buffer);
  results[1] = muxCommandUserCallback(command_buffer, count_call, user_data, NO_SYNC);
}

TEST(can_be_reset_inside_its_completion_callback) {
  mux_command_buffer_t command_buffer = test_command_buffer_create();
  mux_result_t results[] = {mux_error_internal, mux_error_internal};
  ASSERT_SUCCESS(muxFinalizeCommandBuffer(command_buffer));
  ASSERT_SUCCESS(muxDispatch(test.queue, command_buffer, NULL, NULL, 0, NULL, 0, reset_and_record, results));
  ASSERT_SUCCESS(muxWaitAll(test.queue));
  ASSERT_SUCCESS(results[0]);
  ASSERT_SUCCESS(results[1]);
  test_command_buffer_destroy(command_buffer);
}

static void destroy(mux_command_buffer_t command_buffer, mux_result_t error, void *user_data) {
  (void)error, (void)user_data;
  test_command_buffer_destroy(command_buffer);
}

TEST(can_be_destroyed_inside_its_completion_callback) {
  mux_command_buffer_t command_buffer = test_command_buffer_create();
  ASSERT_SUCCESS(muxFinalizeCommandBuffer(command_buffer));
  ASSERT_SUCCESS(muxDispatch(test.queue, command_buffer, NULL, NULL, 0, NULL, 0, destroy, NULL));
  ASSERT_SUCCESS(muxWaitAll(test.queue));
}

static void take_message(void *user_data, const char *message, const void *data, size_t data_size) {
  (void)user_data, (void)message, (void)data, (void)data_size;
}

TEST(refuses_bad_arguments) {
  mux_command_buffer_t buffer;
  struct mux_callback_info_s no_callback = {0}, callback = {.callback = take_message};
  ASSERT_REFUSES_BAD(mux_device_t, device, muxCreateCommandBuffer(bad, NULL, test.allocator, &buffer));
  ASSERT_INVALID(muxCreateCommandBuffer(test.device, &no_callback, test.allocator, &buffer));
  ASSERT_NULL_OUTPUT(muxCreateCommandBuffer(test.device, NULL, test.allocator, NULL));
  ASSERT_REFUSES_CALLBACKS(muxCreateCommandBuffer(test.device, NULL, allocator, &buffer));
  ASSERT_REFUSES_BAD(mux_command_buffer_t, command_buffer, muxFinalizeCommandBuffer(bad));
  ASSERT_REFUSES_BAD(mux_command_buffer_t, command_buffer, muxResetCommandBuffer(bad));
  ASSERT_SURVIVES_NO_MEMORY(muxCreateCommandBuffer(test.device, &callback, test.allocator, &buffer));
  for (unsigned i = 0; i < TEST_BAD_HANDLE_COUNT; i++)
    muxDestroyCommandBuffer(test.device, test_bad_handle(i, mux_object_id_command_buffer), test.allocator);
  muxDestroyCommandBuffer(NULL, buffer, test.allocator);
  test_command_buffer_destroy(buffer);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(begins_empty_and_recording),
    cmocka_unit_test(is_finalized_once),
    cmocka_unit_test(runs_any_number_of_times),
    cmocka_unit_test(forgets_everything_when_it_is_reset),
    cmocka_unit_test(is_left_alone_while_it_is_dispatched),
    cmocka_unit_test(can_be_reset_inside_its_completion_callback),
    cmocka_unit_test(can_be_destroyed_inside_its_completion_callback),
    cmocka_unit_test(refuses_bad_arguments),
};

TEST_MAIN(tests)
