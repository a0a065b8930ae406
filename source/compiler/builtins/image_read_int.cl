/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * read_imagei: formats of integers. OpenCL C says signed ones; SPIR-V's instructions need not tell, and become calls of
 * this function. */

#include "image.clh"

#define V int4
#define S int
#define CASES_SIGNED                      \
  STORED_COMPONENTS(sint8, char, WIDEN)   \
  STORED_COMPONENTS(sint16, short, WIDEN) \
  STORED_COMPONENTS(sint32, int, WIDEN)
#include "image_integer.clh"

HELPER int4 decode(uint format, row_t row, int x)
{
  switch (IMAGE_FORMAT_PIXEL(format)) {
    case FORMAT_KEY(sint8, 4, rgba): return WIDEN(((const global char4_pixel *)row)[x]);
    case FORMAT_KEY(sint32, 4, rgba): return ((const global int4_pixel *)row)[x];
    case FORMAT_KEY(sint32, 1, rgba): return (int4)(((const global int *)row)[x], 0, 0, 1);
    case FORMAT_KEY(sint16, 1, rgba): return (int4)(((const global short *)row)[x], 0, 0, 1);
    default: return decode_any(format, row, x);
  }
}

#define READ read_imagei
#include "image_read.clh"
