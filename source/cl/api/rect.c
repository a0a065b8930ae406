/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Boxes of bytes in buffers and host memory. */
#include "cl/api/rect.h"

#include "base/memory.h"

bool rect_make(const size_t origin[3], const size_t region[3], size_t row_pitch, size_t slice_pitch, rect_t *out_rect) {
  size_t row = row_pitch ? row_pitch : region[0];
  size_t packed_slice;
  if (row < region[0] || !size_multiply(region[1], row, &packed_slice)) return false;
  size_t slice = slice_pitch ? slice_pitch : packed_slice;
  if (slice < packed_slice || slice % row != 0) return false;
  *out_rect = (rect_t){{origin[0], origin[1], origin[2]}, row, slice};
  return true;
}

/** `*out = x + y * row_pitch + z * slice_pitch`. */
static bool position(const rect_t *rect, size_t x, size_t y, size_t z, size_t *out) {
  size_t row, slice;
  return size_multiply(y, rect->row_pitch, &row) && size_multiply(z, rect->slice_pitch, &slice) &&
         size_add(x, row, out) && size_add(*out, slice, out);
}

bool rect_extent(const rect_t *rect, const size_t region[3], size_t *out_start, size_t *out_end) {
  size_t length;
  return position(rect, rect->origin[0], rect->origin[1], rect->origin[2], out_start) &&
         position(rect, region[0], region[1] - 1, region[2] - 1, &length) && size_add(*out_start, length, out_end);
}

/** True when two runs of `length` bytes that repeat every `pitch` bytes lie in each other's gaps. */
static bool fit_in_gaps(size_t a, size_t b, size_t length, size_t pitch) {
  size_t low = a < b ? a : b, high = a < b ? b : a;
  return high >= low + length && high + length <= low + pitch;
}

bool rects_overlap(const rect_t *a, size_t a_offset, const rect_t *b, size_t b_offset, const size_t region[3]) {
  size_t a_start, a_end, b_start, b_end;
  if (!rect_extent(a, region, &a_start, &a_end) || !rect_extent(b, region, &b_start, &b_end)) return true;
  a_start += a_offset, a_end += a_offset, b_start += b_offset, b_end += b_offset;
  if (a_end <= b_start || b_end <= a_start) return false;
  if (fit_in_gaps(a_start % a->row_pitch, b_start % a->row_pitch, region[0], a->row_pitch)) return false;
  size_t slice_length = (region[1] - 1) * a->row_pitch + region[0];
  return !fit_in_gaps(a_start % a->slice_pitch, b_start % a->slice_pitch, slice_length, a->slice_pitch);
}
