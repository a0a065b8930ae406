/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * muxCommandCopyPointer and muxCommandFillPointer. */
#include "support.h"

enum { size = 128 * 9 };

#define TEST_NEEDS_SHARING() TEST_NEEDS(test.info->shares_host_memory, "shares_host_memory")

TEST(copies_between_any_addresses) {
  TEST_NEEDS_SHARING();
  mux_command_buffer_t command_buffer = test_command_buffer_create();
  uint8_t source[size], destination[size] = {0};
  for (size_t i = 0; i < size; i++) source[i] = (uint8_t)(i * 7);
  ASSERT_SUCCESS(muxCommandCopyPointer(command_buffer, destination + 3, source + 1, size - 4, NO_SYNC));
  source[1] = 99; /* Read when the command executes. */
  ASSERT_SUCCESS(test_command_buffer_run(command_buffer));
  assert_memory_equal(destination + 3, source + 1, size - 4);
  assert_int_equal(destination[2], 0);
  assert_int_equal(destination[size - 1], 0);
  test_command_buffer_destroy(command_buffer);
}

TEST(copies_ranges_that_touch) {
  TEST_NEEDS_SHARING();
  mux_command_buffer_t command_buffer = test_command_buffer_create();
  uint8_t bytes[16] = {1, 2, 3, 4, 5, 6, 7, 8};
  ASSERT_SUCCESS(muxCommandCopyPointer(command_buffer, bytes + 8, bytes, 8, NO_SYNC));
  ASSERT_SUCCESS(test_command_buffer_run(command_buffer));
  assert_memory_equal(bytes + 8, bytes, 8);
  test_command_buffer_destroy(command_buffer);
}

TEST(fills_with_patterns_of_every_size) {
  TEST_NEEDS_SHARING();
  mux_command_buffer_t command_buffer = test_command_buffer_create();
  for (size_t length = 1; length <= 128; length++) {
    uint8_t pattern[128], bytes[size] = {0};
    for (size_t i = 0; i < length; i++) pattern[i] = (uint8_t)(i + 1);
    ASSERT_SUCCESS(muxResetCommandBuffer(command_buffer));
    ASSERT_SUCCESS(muxCommandFillPointer(command_buffer, bytes + 1, 5 * length, pattern, length, NO_SYNC));
    memset(pattern, 0, sizeof(pattern)); /* It was copied. */
    ASSERT_SUCCESS(test_command_buffer_run(command_buffer));
    for (size_t i = 0; i < size; i++)
      assert_int_equal(bytes[i], i < 1 || i >= 1 + 5 * length ? 0 : (i - 1) % length + 1);
  }
  test_command_buffer_destroy(command_buffer);
}

TEST(refuses_bad_ranges_and_patterns) {
  TEST_NEEDS_SHARING();
  mux_command_buffer_t command_buffer = test_command_buffer_create();
  uint8_t a[256], b[256];
  const uint8_t pattern[256] = {0};
  ASSERT_INVALID(muxCommandCopyPointer(command_buffer, NULL, b, 8, NO_SYNC));
  ASSERT_INVALID(muxCommandCopyPointer(command_buffer, a, NULL, 8, NO_SYNC));
  ASSERT_INVALID(muxCommandCopyPointer(command_buffer, a, b, 0, NO_SYNC));
  ASSERT_INVALID(muxCommandCopyPointer(command_buffer, a, b, UINT64_MAX, NO_SYNC));
  ASSERT_INVALID(muxCommandCopyPointer(command_buffer, a, a + 7, 8, NO_SYNC));
  ASSERT_INVALID(muxCommandCopyPointer(command_buffer, a + 7, a, 8, NO_SYNC));
  ASSERT_INVALID(muxCommandFillPointer(command_buffer, NULL, 8, pattern, 4, NO_SYNC));
  ASSERT_INVALID(muxCommandFillPointer(command_buffer, a, 0, pattern, 4, NO_SYNC));
  ASSERT_INVALID(muxCommandFillPointer(command_buffer, a, UINT64_MAX, pattern, 1, NO_SYNC));
  ASSERT_INVALID(muxCommandFillPointer(command_buffer, a, 8, NULL, 4, NO_SYNC));
  ASSERT_INVALID(muxCommandFillPointer(command_buffer, a, 8, pattern, 0, NO_SYNC));
  ASSERT_INVALID(muxCommandFillPointer(command_buffer, a, 8, pattern, 3, NO_SYNC));
  ASSERT_INVALID(muxCommandFillPointer(command_buffer, a, 129, pattern, 129, NO_SYNC));
  test_command_buffer_destroy(command_buffer);
}

TEST(refuses_bad_arguments) {
  TEST_NEEDS_SHARING();
  mux_command_buffer_t recording = test_command_buffer_create();
  uint8_t a[8], b[8];
  const uint8_t pattern = 1;
  ASSERT_CHECKS_COMMAND_BUFFER(muxCommandCopyPointer(command_buffer, a, b, 4, NO_SYNC));
  ASSERT_CHECKS_COMMAND_BUFFER(muxCommandFillPointer(command_buffer, a, 4, &pattern, 1, NO_SYNC));
  ASSERT_CHECKS_SYNC(recording, muxCommandCopyPointer(recording, a, b, 4, CHECKED_SYNC));
  ASSERT_CHECKS_SYNC(recording, muxCommandFillPointer(recording, a, 4, &pattern, 1, CHECKED_SYNC));
  ASSERT_RECORDS_WITHOUT_MEMORY(muxCommandCopyPointer(recording, a, b, 4, NO_SYNC));
  ASSERT_RECORDS_WITHOUT_MEMORY(muxCommandFillPointer(recording, a, 4, &pattern, 1, NO_SYNC));
  test_command_buffer_destroy(recording);
}

TEST(needs_a_device_that_shares_memory) {
  mux_command_buffer_t command_buffer = test_command_buffer_create();
  uint8_t a[8], b[8];
  const uint8_t pattern = 1;
  ASSERT_UNSUPPORTED_WITH(shares_host_memory, false, muxCommandCopyPointer(command_buffer, a, b, 4, NO_SYNC));
  ASSERT_UNSUPPORTED_WITH(shares_host_memory, false, muxCommandFillPointer(command_buffer, a, 4, &pattern, 1, NO_SYNC));
  test_command_buffer_destroy(command_buffer);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(copies_between_any_addresses),
    cmocka_unit_test(copies_ranges_that_touch),
    cmocka_unit_test(fills_with_patterns_of_every_size),
    cmocka_unit_test(refuses_bad_ranges_and_patterns),
    cmocka_unit_test(refuses_bad_arguments),
    cmocka_unit_test(needs_a_device_that_shares_memory),
};

TEST_MAIN(tests)
