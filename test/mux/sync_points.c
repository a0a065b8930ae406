/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Sync points: what commands give and take, and that commands run as if in order. */
#include "support.h"

TEST(belongs_to_its_command_buffer) {
  test_buffer_t buffer = test_buffer_create(64);
  mux_command_buffer_t a = test_command_buffer_create(), b = test_command_buffer_create();
  const uint8_t pattern = 1;
  mux_sync_point_t point = NULL;
  ASSERT_SUCCESS(muxCommandFillBuffer(a, buffer.buffer, 0, 64, &pattern, 1, 0, NULL, &point));
  assert_non_null(point);
  assert_ptr_equal(point->command_buffer, a);
  ASSERT_SUCCESS(muxCommandFillBuffer(a, buffer.buffer, 0, 64, &pattern, 1, 1, &point, NULL));
  ASSERT_INVALID(muxCommandFillBuffer(b, buffer.buffer, 0, 64, &pattern, 1, 1, &point, NULL));
  test_command_buffer_destroy(b);
  test_command_buffer_destroy(a);
  test_buffer_destroy(&buffer);
}

TEST(is_not_written_on_error) {
  mux_command_buffer_t command_buffer = test_command_buffer_create();
  mux_sync_point_t point = NULL;
  ASSERT_INVALID(muxCommandUserCallback(command_buffer, NULL, NULL, 0, NULL, &point));
  assert_null(point);
  test_command_buffer_destroy(command_buffer);
}

/* Each step needs the one before it; every second one says so. */
TEST(leaves_commands_in_order) {
  enum { steps = 1000 };
  test_buffer_t buffer = test_buffer_create(steps + 1);
  mux_command_buffer_t command_buffer = test_command_buffer_create();
  const uint8_t pattern = 42;
  mux_sync_point_t points[3] = {NULL};
  for (int i = 0; i < 3; i++)
    ASSERT_SUCCESS(muxCommandFillBuffer(command_buffer, buffer.buffer, 0, 1, &pattern, 1, 0, NULL, &points[i]));
  for (uint64_t i = 0; i < steps; i++) {
    const bool waits = i % 2;
    ASSERT_SUCCESS(muxCommandCopyBuffer(command_buffer, buffer.buffer, i, buffer.buffer, i + 1, 1, waits ? 3 : 0,
                                        waits ? points : NULL, &points[i % 3]));
  }
  ASSERT_SUCCESS(test_command_buffer_run(command_buffer));
  for (int i = 0; i <= steps; i++) assert_int_equal(buffer.bytes[i], 42);
  test_command_buffer_destroy(command_buffer);
  test_buffer_destroy(&buffer);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(belongs_to_its_command_buffer),
    cmocka_unit_test(is_not_written_on_error),
    cmocka_unit_test(leaves_commands_in_order),
};

TEST_MAIN(tests)
