/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * muxCommandReadBufferRegions and muxCommandWriteBufferRegions. */
#include "support.h"

enum { size = 256 };

/* A box of 3 bytes, 2 rows, 2 slices: in the buffer with pitches 8 and 32, at the host packed. */
static const mux_buffer_region_info_t read_box = {{3, 2, 2}, {1, 2, 3}, {0, 0, 0}, {8, 32}, {3, 6}};
static const mux_buffer_region_info_t write_box = {{3, 2, 2}, {0, 0, 0}, {1, 2, 3}, {3, 6}, {8, 32}};

static size_t find_byte(size_t x, size_t y, size_t z) { return 1 + x + (2 + y) * 8 + (3 + z) * 32; }

TEST(reads_a_box) {
  test_buffer_t buffer = test_buffer_create(size);
  mux_command_buffer_t command_buffer = test_command_buffer_create();
  uint8_t out[12] = {0};
  for (int i = 0; i < size; i++) buffer.bytes[i] = (uint8_t)i;
  ASSERT_SUCCESS(muxCommandReadBufferRegions(command_buffer, buffer.buffer, out, &read_box, 1, NO_SYNC));
  ASSERT_SUCCESS(test_command_buffer_run(command_buffer));
  for (size_t i = 0; i < 12; i++) assert_int_equal(out[i], find_byte(i % 3, i / 3 % 2, i / 6));
  test_command_buffer_destroy(command_buffer);
  test_buffer_destroy(&buffer);
}

TEST(writes_a_box_and_nothing_else) {
  test_buffer_t buffer = test_buffer_create(size);
  mux_command_buffer_t command_buffer = test_command_buffer_create();
  uint8_t in[12], expected[size] = {0};
  for (size_t i = 0; i < 12; i++) expected[find_byte(i % 3, i / 3 % 2, i / 6)] = in[i] = (uint8_t)(i + 1);
  ASSERT_SUCCESS(muxCommandWriteBufferRegions(command_buffer, buffer.buffer, in, &write_box, 1, NO_SYNC));
  ASSERT_SUCCESS(test_command_buffer_run(command_buffer));
  assert_memory_equal(buffer.bytes, expected, size);
  test_command_buffer_destroy(command_buffer);
  test_buffer_destroy(&buffer);
}

TEST(copies_many_regions_given_once) {
  test_buffer_t buffer = test_buffer_create(size);
  mux_command_buffer_t command_buffer = test_command_buffer_create();
  mux_buffer_region_info_t regions[size / 2];
  uint8_t in[size], out[size] = {0};
  for (size_t i = 0; i < size / 2; i++) {
    in[2 * i] = (uint8_t)i, in[2 * i + 1] = (uint8_t)~i;
    regions[i] = (mux_buffer_region_info_t){{2, 1, 1}, {2 * i, 0, 0}, {2 * i, 0, 0}, {2, 2}, {2, 2}};
  }
  ASSERT_SUCCESS(muxCommandWriteBufferRegions(command_buffer, buffer.buffer, in, regions, size / 2, NO_SYNC));
  ASSERT_SUCCESS(muxCommandReadBufferRegions(command_buffer, buffer.buffer, out, regions, size / 2, NO_SYNC));
  memset(regions, 0xff, sizeof(regions));
  ASSERT_SUCCESS(test_command_buffer_run(command_buffer));
  assert_memory_equal(out, in, size);
  test_command_buffer_destroy(command_buffer);
  test_buffer_destroy(&buffer);
}

static mux_buffer_region_info_t flip(mux_buffer_region_info_t region) {
  return (mux_buffer_region_info_t){region.region, region.dst_origin, region.src_origin, region.dst_desc,
                                    region.src_desc};
}

TEST(refuses_bad_regions) {
  static const mux_buffer_region_info_t bad[] = {
      {{0, 1, 1}, {0, 0, 0}, {0, 0, 0}, {8, 8}, {8, 8}},
      {{1, 0, 1}, {0, 0, 0}, {0, 0, 0}, {8, 8}, {8, 8}},
      {{1, 1, 0}, {0, 0, 0}, {0, 0, 0}, {8, 8}, {8, 8}},
      {{4, 1, 1}, {0, 0, 0}, {0, 0, 0}, {3, 8}, {8, 8}}, /* Rows longer than the pitch. */
      {{4, 1, 1}, {0, 0, 0}, {0, 0, 0}, {8, 8}, {3, 8}},
      {{4, 1, 1}, {0, 0, 0}, {0, 0, 0}, {8, 0}, {8, 8}},
      {{4, 1, 1}, {0, 0, 0}, {0, 0, 0}, {8, 8}, {8, 0}},
      {{4, 1, 1}, {size - 3, 0, 0}, {0, 0, 0}, {8, 8}, {8, 8}}, /* One byte too far. */
      {{8, 33, 1}, {0, 0, 0}, {0, 0, 0}, {8, 8}, {8, 8}},
      {{8, 1, 2}, {0, 0, 1}, {0, 0, 0}, {8, 128}, {8, 8}},
      {{1, 2, 1}, {0, SIZE_MAX, 0}, {0, 0, 0}, {8, 8}, {8, 8}}, /* Beyond 64 bits. */
      {{1, 1, 1}, {0, 2, 0}, {0, 0, 0}, {SIZE_MAX, 8}, {8, 8}},
      {{1, 1, 1}, {0, 0, 0}, {SIZE_MAX, SIZE_MAX, 0}, {8, 8}, {8, 8}},
  };
  test_buffer_t buffer = test_buffer_create(size);
  mux_command_buffer_t command_buffer = test_command_buffer_create();
  uint8_t data[size * 2] = {0};
  for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
    const mux_buffer_region_info_t regions[] = {read_box, bad[i]}, flipped[] = {write_box, flip(bad[i])};
    ASSERT_INVALID(muxCommandReadBufferRegions(command_buffer, buffer.buffer, data, regions, 2, NO_SYNC));
    ASSERT_INVALID(muxCommandWriteBufferRegions(command_buffer, buffer.buffer, data, flipped, 2, NO_SYNC));
  }
  ASSERT_INVALID(muxCommandReadBufferRegions(command_buffer, buffer.buffer, data, &read_box, 0, NO_SYNC));
  ASSERT_INVALID(muxCommandReadBufferRegions(command_buffer, buffer.buffer, data, NULL, 1, NO_SYNC));
  ASSERT_INVALID(muxCommandWriteBufferRegions(command_buffer, buffer.buffer, data, &write_box, 0, NO_SYNC));
  ASSERT_INVALID(muxCommandWriteBufferRegions(command_buffer, buffer.buffer, data, NULL, 1, NO_SYNC));
  test_command_buffer_destroy(command_buffer);
  test_buffer_destroy(&buffer);
}

TEST(refuses_bad_arguments) {
  test_buffer_t buffer = test_buffer_create(size);
  mux_command_buffer_t to = test_command_buffer_create(), from = test_command_buffer_create();
  const mux_buffer_t good = buffer.buffer;
  uint8_t data[size] = {0};
  ASSERT_CHECKS_COMMAND_BUFFER(muxCommandReadBufferRegions(command_buffer, good, data, &read_box, 1, NO_SYNC));
  ASSERT_CHECKS_COMMAND_BUFFER(muxCommandWriteBufferRegions(command_buffer, good, data, &write_box, 1, NO_SYNC));
  ASSERT_REFUSES_BAD(mux_buffer_t, buffer, muxCommandReadBufferRegions(to, bad, data, &read_box, 1, NO_SYNC));
  ASSERT_REFUSES_BAD(mux_buffer_t, buffer, muxCommandWriteBufferRegions(from, bad, data, &write_box, 1, NO_SYNC));
  ASSERT_INVALID(muxCommandReadBufferRegions(to, good, NULL, &read_box, 1, NO_SYNC));
  ASSERT_INVALID(muxCommandWriteBufferRegions(from, good, NULL, &write_box, 1, NO_SYNC));
  ASSERT_CHECKS_SYNC(to, muxCommandReadBufferRegions(to, good, data, &read_box, 1, CHECKED_SYNC));
  ASSERT_CHECKS_SYNC(from, muxCommandWriteBufferRegions(from, good, data, &write_box, 1, CHECKED_SYNC));
  ASSERT_RECORDS_WITHOUT_MEMORY(muxCommandReadBufferRegions(to, good, data, &read_box, 1, NO_SYNC));
  ASSERT_RECORDS_WITHOUT_MEMORY(muxCommandWriteBufferRegions(from, good, data, &write_box, 1, NO_SYNC));
  test_command_buffer_destroy(from);
  test_command_buffer_destroy(to);
  test_buffer_destroy(&buffer);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(reads_a_box),
    cmocka_unit_test(writes_a_box_and_nothing_else),
    cmocka_unit_test(copies_many_regions_given_once),
    cmocka_unit_test(refuses_bad_regions),
    cmocka_unit_test(refuses_bad_arguments),
};

TEST_MAIN(tests)
