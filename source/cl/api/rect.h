/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Boxes of bytes in buffers and host memory, as the rectangular commands describe them. Arithmetic is checked. */
#ifndef CL_API_RECT_H
#define CL_API_RECT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct rect_t {
  size_t origin[3];
  /** Bytes; never zero after rect_make. */
  size_t row_pitch, slice_pitch;
} rect_t;

/** A box with pitches of zero replaced by the tightly packed ones. False when a pitch is smaller than the region or the
 * slice pitch is no multiple of the row pitch, or on overflow. `region` has no zero. */
bool rect_make(const size_t origin[3], const size_t region[3], size_t row_pitch, size_t slice_pitch, rect_t *out_rect);

/** The bytes that a box touches: from `*out_start` up to `*out_end`. False on overflow. */
bool rect_extent(const rect_t *rect, const size_t region[3], size_t *out_start, size_t *out_end);

/** True when two boxes in one memory, of equal pitches, have a byte in common; offsets are those of the buffers in the
 * memory (OpenCL specification, appendix "Checking for Memory Copy Overlap"). */
bool rects_overlap(const rect_t *a, size_t a_offset, const rect_t *b, size_t b_offset, const size_t region[3]);

#endif
