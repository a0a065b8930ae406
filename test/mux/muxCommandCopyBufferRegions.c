/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * muxCommandCopyBufferRegions, and which regions of one buffer overlap. */
#include "support.h"

enum { size = 256 };

TEST(copies_a_box) {
  test_buffer_t a = test_buffer_create(size), b = test_buffer_create(size);
  mux_command_buffer_t command_buffer = test_command_buffer_create();
  const mux_buffer_region_info_t region = {{4, 3, 2}, {2, 1, 0}, {1, 0, 1}, {10, 50}, {5, 20}};
  uint8_t expected[size] = {0};
  for (int i = 0; i < size; i++) a.bytes[i] = (uint8_t)i;
  for (size_t i = 0; i < 24; i++) {
    const size_t x = i % 4, y = i / 4 % 3, z = i / 12;
    expected[1 + x + y * 5 + (1 + z) * 20] = (uint8_t)(2 + x + (1 + y) * 10 + z * 50);
  }
  ASSERT_SUCCESS(muxCommandCopyBufferRegions(command_buffer, a.buffer, b.buffer, &region, 1, NO_SYNC));
  ASSERT_SUCCESS(test_command_buffer_run(command_buffer));
  assert_memory_equal(b.bytes, expected, size);
  test_command_buffer_destroy(command_buffer);
  test_buffer_destroy(&b);
  test_buffer_destroy(&a);
}

static void mark(uint8_t *bytes, uint8_t bit, mux_extent_3d_t extent, mux_offset_3d_t origin, mux_extent_2d_t pitch) {
  for (size_t z = 0; z < extent.z; z++) {
    for (size_t y = 0; y < extent.y; y++) {
      for (size_t x = 0; x < extent.x; x++)
        bytes[origin.x + x + (origin.y + y) * pitch.x + (origin.z + z) * pitch.y] |= bit;
    }
  }
}

/* Byte by byte. */
static bool boxes_meet(const mux_buffer_region_info_t *region) {
  uint8_t bytes[4096] = {0};
  mark(bytes, 1, region->region, region->src_origin, region->src_desc);
  mark(bytes, 2, region->region, region->dst_origin, region->dst_desc);
  for (size_t i = 0; i < sizeof(bytes); i++) {
    if (bytes[i] == 3) return true;
  }
  return false;
}

static size_t draw(size_t from, size_t to) {
  static uint32_t state = 1;
  state = state * 1664525u + 1013904223u;
  return from + (state >> 8) % (to - from + 1);
}

static mux_offset_3d_t draw_origin(void) { return (mux_offset_3d_t){draw(0, 9), draw(0, 3), draw(0, 3)}; }

/* Overlap is always found; what is refused for nothing is the smaller part. */
TEST(finds_overlap_like_a_byte_by_byte_comparison) {
  test_buffer_t buffer = test_buffer_create(4096);
  mux_command_buffer_t command_buffer = test_command_buffer_create();
  unsigned refused = 0, apart = 0;
  for (int i = 0; i < 20000; i++) {
    const mux_extent_3d_t extent = {draw(1, 4), draw(1, 3), draw(1, 3)};
    const mux_extent_2d_t pitch = {draw(extent.x, 9), draw(1, 40)};
    const mux_buffer_region_info_t region = {extent, draw_origin(), draw_origin(), pitch, pitch};
    const bool meet = boxes_meet(&region);
    const mux_result_t result =
        muxCommandCopyBufferRegions(command_buffer, buffer.buffer, buffer.buffer, &region, 1, NO_SYNC);
    if (meet) ASSERT_INVALID(result);
    refused += !meet && result;
    apart += !meet;
    if (i % 1000 == 0) ASSERT_SUCCESS(muxResetCommandBuffer(command_buffer));
  }
  assert_true(apart > 1000 && refused < apart);
  test_command_buffer_destroy(command_buffer);
  test_buffer_destroy(&buffer);
}

TEST(accepts_boxes_side_by_side) {
  static const mux_buffer_region_info_t regions[] = {
      {{4, 4, 4}, {0, 0, 0}, {4, 0, 0}, {8, 32}, {8, 32}},    /* Columns. */
      {{8, 2, 4}, {0, 0, 0}, {0, 2, 0}, {8, 32}, {8, 32}},    /* Rows. */
      {{8, 4, 2}, {0, 0, 0}, {0, 0, 2}, {8, 32}, {8, 32}},    /* Slices. */
      {{4, 2, 2}, {0, 0, 0}, {128, 0, 0}, {8, 32}, {16, 32}}, /* Different pitches, far apart. */
  };
  test_buffer_t buffer = test_buffer_create(size);
  mux_command_buffer_t command_buffer = test_command_buffer_create();
  ASSERT_SUCCESS(muxCommandCopyBufferRegions(command_buffer, buffer.buffer, buffer.buffer, regions,
                                             sizeof(regions) / sizeof(regions[0]), NO_SYNC));
  /* With different pitches, spans that meet are refused, although no byte is in both. */
  const mux_buffer_region_info_t meeting = {{1, 2, 1}, {0, 0, 0}, {1, 0, 0}, {8, 16}, {4, 16}};
  ASSERT_INVALID(muxCommandCopyBufferRegions(command_buffer, buffer.buffer, buffer.buffer, &meeting, 1, NO_SYNC));
  test_command_buffer_destroy(command_buffer);
  test_buffer_destroy(&buffer);
}

TEST(refuses_bad_arguments) {
  test_buffer_t a = test_buffer_create(size), b = test_buffer_create(size);
  mux_command_buffer_t recording = test_command_buffer_create();
  const mux_buffer_region_info_t region = {{1, 1, 1}, {0, 0, 0}, {0, 0, 0}, {1, 1}, {1, 1}};
  const mux_buffer_region_info_t src_leaves = {{1, 1, 1}, {size, 0, 0}, {0, 0, 0}, {1, 1}, {1, 1}};
  const mux_buffer_region_info_t dst_leaves = {{1, 1, 1}, {0, 0, 0}, {0, size, 0}, {1, 1}, {1, 1}};
  ASSERT_CHECKS_COMMAND_BUFFER(muxCommandCopyBufferRegions(command_buffer, a.buffer, b.buffer, &region, 1, NO_SYNC));
  ASSERT_REFUSES_BAD(mux_buffer_t, buffer, muxCommandCopyBufferRegions(recording, bad, b.buffer, &region, 1, NO_SYNC));
  ASSERT_REFUSES_BAD(mux_buffer_t, buffer, muxCommandCopyBufferRegions(recording, a.buffer, bad, &region, 1, NO_SYNC));
  ASSERT_INVALID(muxCommandCopyBufferRegions(recording, a.buffer, b.buffer, &region, 0, NO_SYNC));
  ASSERT_INVALID(muxCommandCopyBufferRegions(recording, a.buffer, b.buffer, NULL, 1, NO_SYNC));
  ASSERT_INVALID(muxCommandCopyBufferRegions(recording, a.buffer, b.buffer, &src_leaves, 1, NO_SYNC));
  ASSERT_INVALID(muxCommandCopyBufferRegions(recording, a.buffer, b.buffer, &dst_leaves, 1, NO_SYNC));
  ASSERT_CHECKS_SYNC(recording, muxCommandCopyBufferRegions(recording, a.buffer, b.buffer, &region, 1, CHECKED_SYNC));
  ASSERT_RECORDS_WITHOUT_MEMORY(muxCommandCopyBufferRegions(recording, a.buffer, b.buffer, &region, 1, NO_SYNC));
  test_command_buffer_destroy(recording);
  test_buffer_destroy(&b);
  test_buffer_destroy(&a);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(copies_a_box),
    cmocka_unit_test(finds_overlap_like_a_byte_by_byte_comparison),
    cmocka_unit_test(accepts_boxes_side_by_side),
    cmocka_unit_test(refuses_bad_arguments),
};

TEST_MAIN(tests)
