/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Copies and fills that several threads share: every byte, no byte more, and overlaps as if one thread did it. */
#include <stdlib.h>
#include <string.h>

#include "fixture.h"

#define KIB ((size_t)1 << 10)
#define MIB ((size_t)1 << 20)

/* Bytes before and after what a command writes. */
enum { MARGIN = 192 };

static unsigned char byte_at(size_t i) { return (unsigned char)(i * 2654435761u >> 13); }

static void bytes_make(unsigned char *bytes, size_t size) {
  for (size_t i = 0; i < size; ++i) bytes[i] = byte_at(i);
}

static void copy_run(void *to, const void *from, size_t size) {
  mux_command_buffer_t commands = command_buffer_create(&test);
  assert_int_equal(muxCommandCopyPointer(commands, to, from, size, 0, NULL, NULL), mux_success);
  run(&test, commands);
  command_buffer_destroy(&test, commands);
}

/* Again and again, so that threads are awake. Lines of the destination begin anywhere, and large ones stream. */
static void copies_of_many_sizes(void **state) {
  (void)state;
  static const size_t sizes[] = {127 * KIB, 128 * KIB, 128 * KIB + 1, 1000003, 3 * MIB - 7, 33 * MIB + 5};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    const size_t size = sizes[i];
    unsigned char *from = malloc(size + 64), *to = malloc(size + 2 * MARGIN);
    assert_true(from && to);
    bytes_make(from, size + 64);
    for (size_t skew = 0; skew < 64; skew += 21) {
      memset(to, 0xA5, size + 2 * MARGIN);
      copy_run(to + MARGIN / 2 + skew, from + skew % 5, size);
      assert_memory_equal(to + MARGIN / 2 + skew, from + skew % 5, size);
      for (size_t j = 0; j < MARGIN / 2 + skew; ++j) assert_int_equal(to[j], 0xA5);
      for (size_t j = MARGIN / 2 + skew + size; j < size + 2 * MARGIN; ++j) assert_int_equal(to[j], 0xA5);
    }
    free(to);
    free(from);
  }
}

/* What a host pointer points to may be the buffer's own memory. */
static void overlapping_reads_are_moves(void **state) {
  (void)state;
  const size_t size = MIB, whole = MIB + 4096;
  host_test_buffer_t buffer = buffer_create(&test, whole);
  unsigned char *bytes = buffer.data, *expected = malloc(whole);
  assert_non_null(expected);
  for (size_t round = 0; round < 10; ++round) {
    const size_t distance = 1 + round * 400, to = round % 2 ? distance : 0, from = distance - to;
    bytes_make(bytes, whole);
    memcpy(expected, bytes, whole);
    memmove(expected + to, expected + from, size);
    mux_command_buffer_t commands = command_buffer_create(&test);
    assert_int_equal(muxCommandReadBuffer(commands, buffer.buffer, from, bytes + to, size, 0, NULL, NULL), mux_success);
    run(&test, commands);
    command_buffer_destroy(&test, commands);
    assert_memory_equal(bytes, expected, whole);
  }
  free(expected);
  buffer_destroy(&test, &buffer);
}

static void fills_end_where_they_shall(void **state) {
  (void)state;
  static const size_t pattern_sizes[] = {1, 3, 4, 16, 100, 128};
  unsigned char pattern[128];
  bytes_make(pattern, sizeof pattern);
  for (size_t i = 0; i < sizeof pattern_sizes / sizeof *pattern_sizes; ++i) {
    const size_t unit = pattern_sizes[i];
    /* As many whole pieces as there are, and some more. */
    for (size_t extra = 0; extra < 2; ++extra) {
      const size_t size = (256 * KIB / unit + extra) * unit;
      unsigned char *to = malloc(size + MARGIN);
      assert_non_null(to);
      memset(to, 0xA5, size + MARGIN);
      mux_command_buffer_t commands = command_buffer_create(&test);
      assert_int_equal(muxCommandFillPointer(commands, to, size, pattern, unit, 0, NULL, NULL), mux_success);
      run(&test, commands);
      for (size_t j = 0; j < size; ++j) assert_int_equal(to[j], pattern[j % unit]);
      for (size_t j = size; j < size + MARGIN; ++j) assert_int_equal(to[j], 0xA5);
      command_buffer_destroy(&test, commands);
      free(to);
    }
  }
}

static void boxes_are_copied_by_rows(void **state) {
  (void)state;
  enum { row = 1000, rows = 100, slices = 5, pitch = 1024 };
  const size_t size = (size_t)pitch * (rows + 1) * slices;
  host_test_buffer_t from = buffer_create(&test, size), to = buffer_create(&test, size);
  bytes_make(from.data, size);
  memset(to.data, 0, size);
  const mux_buffer_region_info_t box = {.region = {row, rows, slices},
                                        .src_origin = {8, 1, 0},
                                        .src_desc = {pitch, (size_t)pitch * (rows + 1)},
                                        .dst_desc = {pitch, (size_t)pitch * (rows + 1)}};
  mux_command_buffer_t commands = command_buffer_create(&test);
  assert_int_equal(muxCommandCopyBufferRegions(commands, from.buffer, to.buffer, &box, 1, 0, NULL, NULL), mux_success);
  run(&test, commands);
  const unsigned char *result = to.data;
  for (size_t i = 0; i < size; ++i) {
    const bool inside = i % pitch < row && i / pitch % (rows + 1) < rows;
    assert_int_equal(result[i], inside ? byte_at(i + 8 + pitch) : 0);
  }
  command_buffer_destroy(&test, commands);
  buffer_destroy(&test, &to);
  buffer_destroy(&test, &from);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(copies_of_many_sizes),
      cmocka_unit_test(overlapping_reads_are_moves),
      cmocka_unit_test(fills_end_where_they_shall),
      cmocka_unit_test(boxes_are_copied_by_rows),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
