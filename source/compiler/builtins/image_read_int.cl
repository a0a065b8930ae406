/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * read_imagei: formats of integers. OpenCL C says signed ones; SPIR-V's instructions need not tell, and become calls of
 * this function. */

#include "image.clh"

#define V int4
#define S int
#include "image_order.clh"

#define WIDEN(v) __builtin_convertvector(v, int4)

HELPER int4 decode_stored(uint layout, row_t row, int x)
{
  switch (layout) {
    STORED_COMPONENTS(sint8, char, WIDEN)
    STORED_COMPONENTS(sint16, short, WIDEN)
    STORED_COMPONENTS(sint32, int, WIDEN)
    STORED_COMPONENTS(uint8, uchar, WIDEN)
    STORED_COMPONENTS(uint16, ushort, WIDEN)
    STORED_COMPONENTS(uint32, uint, WIDEN)
    default: return 0;
  }
}

OUTLINED int4 decode_any(uint format, row_t row, int x)
{
  return components_from_stored(IMAGE_FORMAT_ORDER(format), decode_stored(IMAGE_FORMAT_LAYOUT(format), row, x));
}

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
