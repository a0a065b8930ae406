/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * muxCommandReadBuffer and muxCommandWriteBuffer. */
#include "support.h"

enum { size = 256 };

TEST(copies_when_it_runs) {
  test_buffer_t buffer = test_buffer_create(size);
  mux_command_buffer_t command_buffer = test_command_buffer_create();
  uint8_t in[16] = {0}, out[18] = {0};
  ASSERT_SUCCESS(muxCommandWriteBuffer(command_buffer, buffer.buffer, 100, in, 16, NO_SYNC));
  ASSERT_SUCCESS(muxCommandReadBuffer(command_buffer, buffer.buffer, 99, out, 18, NO_SYNC));
  ASSERT_SUCCESS(muxFinalizeCommandBuffer(command_buffer));
  for (uint8_t round = 1; round <= 3; round++) {
    memset(in, round, sizeof(in));
    ASSERT_SUCCESS(test_command_buffer_run_again(command_buffer));
    assert_int_equal(out[0], 0);
    assert_memory_equal(out + 1, in, sizeof(in));
    assert_int_equal(out[17], 0);
  }
  test_command_buffer_destroy(command_buffer);
  test_buffer_destroy(&buffer);
}

TEST(reaches_the_ends_of_the_buffer) {
  test_buffer_t buffer = test_buffer_create(size);
  mux_command_buffer_t command_buffer = test_command_buffer_create();
  const uint8_t first = 1, last = 2;
  uint8_t out[size] = {0};
  ASSERT_SUCCESS(muxCommandWriteBuffer(command_buffer, buffer.buffer, 0, &first, 1, NO_SYNC));
  ASSERT_SUCCESS(muxCommandWriteBuffer(command_buffer, buffer.buffer, size - 1, &last, 1, NO_SYNC));
  ASSERT_SUCCESS(muxCommandReadBuffer(command_buffer, buffer.buffer, 0, out, size, NO_SYNC));
  ASSERT_SUCCESS(test_command_buffer_run(command_buffer));
  assert_int_equal(out[0], 1);
  assert_int_equal(out[size - 1], 2);
  assert_memory_equal(out, buffer.bytes, size);
  test_command_buffer_destroy(command_buffer);
  test_buffer_destroy(&buffer);
}

TEST(survives_a_lack_of_memory) {
  test_buffer_t buffer = test_buffer_create(size);
  mux_command_buffer_t read = test_command_buffer_create(), write = test_command_buffer_create();
  uint8_t out[4];
  ASSERT_RECORDS_WITHOUT_MEMORY(muxCommandReadBuffer(read, buffer.buffer, 0, out, 4, NO_SYNC));
  ASSERT_RECORDS_WITHOUT_MEMORY(muxCommandWriteBuffer(write, buffer.buffer, 0, out, 4, NO_SYNC));
  test_command_buffer_destroy(write);
  test_command_buffer_destroy(read);
  test_buffer_destroy(&buffer);
}

TEST(refuses_bad_ranges) {
  static const uint64_t bad[][2] = {{0, 0},          {0, size + 1},   {size, 1},
                                    {1, size},       {size + 1, 0},   {UINT64_MAX, 1},
                                    {1, UINT64_MAX}, {UINT64_MAX, 2}, {UINT64_MAX, UINT64_MAX}};
  test_buffer_t buffer = test_buffer_create(size);
  mux_command_buffer_t command_buffer = test_command_buffer_create();
  uint8_t data[size] = {0};
  for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
    ASSERT_INVALID(muxCommandReadBuffer(command_buffer, buffer.buffer, bad[i][0], data, bad[i][1], NO_SYNC));
    ASSERT_INVALID(muxCommandWriteBuffer(command_buffer, buffer.buffer, bad[i][0], data, bad[i][1], NO_SYNC));
  }
  test_command_buffer_destroy(command_buffer);
  test_buffer_destroy(&buffer);
}

TEST(refuses_a_buffer_that_is_not_bound) {
  mux_buffer_t buffer = NULL;
  mux_command_buffer_t command_buffer = test_command_buffer_create();
  uint8_t data[size] = {0};
  ASSERT_SUCCESS(muxCreateBuffer(test.device, size, test.allocator, &buffer));
  ASSERT_INVALID(muxCommandReadBuffer(command_buffer, buffer, 0, data, size, NO_SYNC));
  ASSERT_INVALID(muxCommandWriteBuffer(command_buffer, buffer, 0, data, size, NO_SYNC));
  test_command_buffer_destroy(command_buffer);
  muxDestroyBuffer(test.device, buffer, test.allocator);
}

TEST(refuses_bad_arguments) {
  test_buffer_t buffer = test_buffer_create(size);
  mux_command_buffer_t recording = test_command_buffer_create();
  uint8_t data[size] = {0};
  ASSERT_CHECKS_COMMAND_BUFFER(muxCommandReadBuffer(command_buffer, buffer.buffer, 0, data, 4, NO_SYNC));
  ASSERT_CHECKS_COMMAND_BUFFER(muxCommandWriteBuffer(command_buffer, buffer.buffer, 0, data, 4, NO_SYNC));
  ASSERT_REFUSES_BAD(mux_buffer_t, buffer, muxCommandReadBuffer(recording, bad, 0, data, 4, NO_SYNC));
  ASSERT_REFUSES_BAD(mux_buffer_t, buffer, muxCommandWriteBuffer(recording, bad, 0, data, 4, NO_SYNC));
  ASSERT_INVALID(muxCommandReadBuffer(recording, buffer.buffer, 0, NULL, 4, NO_SYNC));
  ASSERT_INVALID(muxCommandWriteBuffer(recording, buffer.buffer, 0, NULL, 4, NO_SYNC));
  ASSERT_CHECKS_SYNC(recording, muxCommandReadBuffer(recording, buffer.buffer, 0, data, 4, CHECKED_SYNC));
  ASSERT_CHECKS_SYNC(recording, muxCommandWriteBuffer(recording, buffer.buffer, 0, data, 4, CHECKED_SYNC));
  test_command_buffer_destroy(recording);
  test_buffer_destroy(&buffer);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(copies_when_it_runs),
    cmocka_unit_test(reaches_the_ends_of_the_buffer),
    cmocka_unit_test(survives_a_lack_of_memory),
    cmocka_unit_test(refuses_bad_ranges),
    cmocka_unit_test(refuses_a_buffer_that_is_not_bound),
    cmocka_unit_test(refuses_bad_arguments),
};

TEST_MAIN(tests)
