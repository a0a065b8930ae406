/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Boxes of rectangular copies: bounds and overlap. */
#include "mux/validate.h"

/* Byte after the last byte of the box; false when it does not fit into 64 bits. */
static bool find_end(mux_extent_3d_t region, mux_offset_3d_t origin, mux_extent_2d_t pitch, uint64_t *end) {
  uint64_t row, slice, rows, slices;
  return size_add((uint64_t)origin.y, region.y - 1, &row) && size_add((uint64_t)origin.z, region.z - 1, &slice) &&
         size_multiply(row, (uint64_t)pitch.x, &rows) && size_multiply(slice, (uint64_t)pitch.y, &slices) &&
         size_add(rows, slices, &rows) && size_add(rows, (uint64_t)origin.x, &rows) &&
         size_add(rows, (uint64_t)region.x, end);
}

static bool box_is_valid(mux_extent_3d_t region, mux_offset_3d_t origin, mux_extent_2d_t pitch, uint64_t size) {
  uint64_t end;
  return pitch.x >= region.x && pitch.y && find_end(region, origin, pitch, &end) && end <= size;
}

bool mux_region_is_valid(const mux_buffer_region_info_t *region, uint64_t src_size, uint64_t dst_size) {
  const mux_extent_3d_t extent = region->region;
  return extent.x && extent.y && extent.z && box_is_valid(extent, region->src_origin, region->src_desc, src_size) &&
         box_is_valid(extent, region->dst_origin, region->dst_desc, dst_size);
}

static uint64_t find_begin(mux_offset_3d_t origin, mux_extent_2d_t pitch) {
  return origin.x + origin.y * pitch.x + origin.z * pitch.y;
}

/* Both intervals of `length` inside a period fit beside each other, so that no repetition of one meets the other. */
static bool is_apart(uint64_t a, uint64_t b, uint64_t length, uint64_t period) {
  const uint64_t low = a < b ? a : b, high = a < b ? b : a;
  return low + length <= high && high + length <= low + period;
}

bool mux_region_overlaps(const mux_buffer_region_info_t *region) {
  const mux_extent_2d_t pitch = region->src_desc;
  const uint64_t src = find_begin(region->src_origin, pitch), dst = find_begin(region->dst_origin, region->dst_desc);
  uint64_t src_end, dst_end;
  if (!find_end(region->region, region->src_origin, pitch, &src_end)) return true;
  if (!find_end(region->region, region->dst_origin, region->dst_desc, &dst_end)) return true;
  if (src_end <= dst || dst_end <= src) return false;
  if (pitch.x != region->dst_desc.x || pitch.y != region->dst_desc.y) return true;

  /* The spans meet; the boxes may still lie in different columns, or in different rows of every slice. */
  const bool rows_repeat = region->region.z == 1 || pitch.y % pitch.x == 0;
  if (rows_repeat && is_apart(src % pitch.x, dst % pitch.x, region->region.x, pitch.x)) return false;
  return !is_apart(src % pitch.y, dst % pitch.y, (region->region.y - 1) * pitch.x + region->region.x, pitch.y);
}
