/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * muxCommandCopyBuffer. */
#include "support.h"

enum { size = 128 };

TEST(copies_between_buffers_and_inside_one) {
  test_buffer_t a = test_buffer_create(size), b = test_buffer_create(size);
  mux_command_buffer_t command_buffer = test_command_buffer_create();
  for (int i = 0; i < size; i++) a.bytes[i] = (uint8_t)i;
  ASSERT_SUCCESS(muxCommandCopyBuffer(command_buffer, a.buffer, 10, b.buffer, 20, 30, NO_SYNC));
  ASSERT_SUCCESS(muxCommandCopyBuffer(command_buffer, b.buffer, 20, b.buffer, 50, 30, NO_SYNC)); /* They touch. */
  ASSERT_SUCCESS(muxCommandCopyBuffer(command_buffer, b.buffer, 50, b.buffer, 0, 5, NO_SYNC));
  ASSERT_SUCCESS(test_command_buffer_run(command_buffer));
  for (int i = 0; i < size; i++) {
    const int expected = i < 5 ? 10 + i : i < 20 ? 0 : i < 50 ? i - 10 : i < 80 ? i - 40 : 0;
    assert_int_equal(b.bytes[i], expected);
  }
  test_command_buffer_destroy(command_buffer);
  test_buffer_destroy(&b);
  test_buffer_destroy(&a);
}

TEST(refuses_bad_ranges_and_overlap) {
  static const uint64_t bad[][3] = {{0, 0, 0},          {0, 1, size},       {1, 0, size},      {size, 0, 1},
                                    {UINT64_MAX, 0, 2}, {0, UINT64_MAX, 2}, {0, 0, UINT64_MAX}};
  static const uint64_t overlap[][3] = {{0, 0, 1}, {0, 9, 10}, {9, 0, 10}, {5, 4, 2}};
  test_buffer_t a = test_buffer_create(size), b = test_buffer_create(size);
  mux_command_buffer_t command_buffer = test_command_buffer_create();
  for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
    const uint64_t *range = bad[i];
    ASSERT_INVALID(muxCommandCopyBuffer(command_buffer, a.buffer, range[0], b.buffer, range[1], range[2], NO_SYNC));
  }
  for (size_t i = 0; i < sizeof(overlap) / sizeof(overlap[0]); i++) {
    const uint64_t *range = overlap[i];
    ASSERT_INVALID(muxCommandCopyBuffer(command_buffer, a.buffer, range[0], a.buffer, range[1], range[2], NO_SYNC));
    ASSERT_SUCCESS(muxCommandCopyBuffer(command_buffer, a.buffer, range[0], b.buffer, range[1], range[2], NO_SYNC));
  }
  test_command_buffer_destroy(command_buffer);
  test_buffer_destroy(&b);
  test_buffer_destroy(&a);
}

TEST(refuses_bad_arguments) {
  test_buffer_t a = test_buffer_create(size), b = test_buffer_create(size);
  mux_command_buffer_t recording = test_command_buffer_create();
  mux_buffer_t unbound = NULL;
  ASSERT_SUCCESS(muxCreateBuffer(test.device, size, test.allocator, &unbound));
  ASSERT_CHECKS_COMMAND_BUFFER(muxCommandCopyBuffer(command_buffer, a.buffer, 0, b.buffer, 0, 4, NO_SYNC));
  ASSERT_REFUSES_BAD(mux_buffer_t, buffer, muxCommandCopyBuffer(recording, bad, 0, b.buffer, 0, 4, NO_SYNC));
  ASSERT_REFUSES_BAD(mux_buffer_t, buffer, muxCommandCopyBuffer(recording, a.buffer, 0, bad, 0, 4, NO_SYNC));
  ASSERT_INVALID(muxCommandCopyBuffer(recording, unbound, 0, b.buffer, 0, 4, NO_SYNC));
  ASSERT_INVALID(muxCommandCopyBuffer(recording, a.buffer, 0, unbound, 0, 4, NO_SYNC));
  ASSERT_CHECKS_SYNC(recording, muxCommandCopyBuffer(recording, a.buffer, 0, b.buffer, 0, 4, CHECKED_SYNC));
  ASSERT_RECORDS_WITHOUT_MEMORY(muxCommandCopyBuffer(recording, a.buffer, 0, b.buffer, 0, 4, NO_SYNC));
  muxDestroyBuffer(test.device, unbound, test.allocator);
  test_command_buffer_destroy(recording);
  test_buffer_destroy(&b);
  test_buffer_destroy(&a);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(copies_between_buffers_and_inside_one),
    cmocka_unit_test(refuses_bad_ranges_and_overlap),
    cmocka_unit_test(refuses_bad_arguments),
};

TEST_MAIN(tests)
