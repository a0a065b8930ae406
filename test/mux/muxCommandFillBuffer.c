/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * muxCommandFillBuffer. */
#include "support.h"

enum { size = 128 * 9 };

TEST(repeats_patterns_of_every_size) {
  test_buffer_t buffer = test_buffer_create(size);
  mux_command_buffer_t command_buffer = test_command_buffer_create();
  for (size_t length = 1; length <= 128; length++) {
    uint8_t pattern[128];
    const size_t offset = 2 * length, total = 5 * length;
    for (size_t i = 0; i < length; i++) pattern[i] = (uint8_t)(i + 1);
    memset(buffer.bytes, 0, size);
    ASSERT_SUCCESS(muxResetCommandBuffer(command_buffer));
    ASSERT_SUCCESS(muxCommandFillBuffer(command_buffer, buffer.buffer, offset, total, pattern, length, NO_SYNC));
    memset(pattern, 0, sizeof(pattern)); /* It was copied. */
    ASSERT_SUCCESS(test_command_buffer_run(command_buffer));
    for (size_t i = 0; i < size; i++)
      assert_int_equal(buffer.bytes[i], i < offset || i >= offset + total ? 0 : (i - offset) % length + 1);
  }
  test_command_buffer_destroy(command_buffer);
  test_buffer_destroy(&buffer);
}

TEST(refuses_bad_ranges_and_patterns) {
  /* Offset, size, size of the pattern. */
  static const uint64_t bad[][3] = {{0, 0, 1},     {0, size + 1, 1},   {size, 1, 1},       {0, 8, 0},
                                    {0, 129, 129}, {1, 4, 4},          {0, 6, 4},          {2, 6, 4},
                                    {0, 2, 4},     {UINT64_MAX, 1, 1}, {1, UINT64_MAX, 1}, {0, 256, UINT64_MAX}};
  test_buffer_t buffer = test_buffer_create(size);
  mux_command_buffer_t command_buffer = test_command_buffer_create();
  const uint8_t pattern[256] = {0};
  for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
    const uint64_t *fill = bad[i];
    ASSERT_INVALID(muxCommandFillBuffer(command_buffer, buffer.buffer, fill[0], fill[1], pattern, fill[2], NO_SYNC));
  }
  ASSERT_INVALID(muxCommandFillBuffer(command_buffer, buffer.buffer, 0, 8, NULL, 1, NO_SYNC));
  test_command_buffer_destroy(command_buffer);
  test_buffer_destroy(&buffer);
}

TEST(refuses_bad_arguments) {
  test_buffer_t buffer = test_buffer_create(size);
  mux_command_buffer_t recording = test_command_buffer_create();
  mux_buffer_t unbound = NULL;
  const uint8_t pattern = 1;
  ASSERT_SUCCESS(muxCreateBuffer(test.device, size, test.allocator, &unbound));
  ASSERT_CHECKS_COMMAND_BUFFER(muxCommandFillBuffer(command_buffer, buffer.buffer, 0, 4, &pattern, 1, NO_SYNC));
  ASSERT_REFUSES_BAD(mux_buffer_t, buffer, muxCommandFillBuffer(recording, bad, 0, 4, &pattern, 1, NO_SYNC));
  ASSERT_INVALID(muxCommandFillBuffer(recording, unbound, 0, 4, &pattern, 1, NO_SYNC));
  ASSERT_CHECKS_SYNC(recording, muxCommandFillBuffer(recording, buffer.buffer, 0, 4, &pattern, 1, CHECKED_SYNC));
  ASSERT_RECORDS_WITHOUT_MEMORY(muxCommandFillBuffer(recording, buffer.buffer, 0, 4, &pattern, 1, NO_SYNC));
  muxDestroyBuffer(test.device, unbound, test.allocator);
  test_command_buffer_destroy(recording);
  test_buffer_destroy(&buffer);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(repeats_patterns_of_every_size),
    cmocka_unit_test(refuses_bad_ranges_and_patterns),
    cmocka_unit_test(refuses_bad_arguments),
};

TEST_MAIN(tests)
