/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * write_imagei: values that a component cannot hold are saturated. OpenCL C has it for signed formats only; SPIR-V's
 * instructions need not tell, and become calls of this function. */

#include "image.clh"

#define V int4
#define S int
#include "image_order.clh"

HELPER int4 clamp_components(int4 v, int low, int high)
{
  v = v < low ? low : v;
  return v > high ? high : v;
}

#define TO_SINT8(v) __builtin_convertvector(clamp_components(v, -128, 127), char4)
#define TO_SINT16(v) __builtin_convertvector(clamp_components(v, -32768, 32767), short4)
#define TO_SINT32(v) (v)

HELPER uint4 limit_components(int4 v, uint high)
{
  uint4 u = AS(uint4, v);
  return u > high ? high : u;
}

#define TO_UINT8(v) __builtin_convertvector(limit_components(v, 255), uchar4)
#define TO_UINT16(v) __builtin_convertvector(limit_components(v, 65535), ushort4)
#define TO_UINT32(v) AS(uint4, v)

OUTLINED void encode_any(uint format, row_t row, int x, int4 v)
{
  v = components_to_stored(IMAGE_FORMAT_ORDER(format), v);
  switch (IMAGE_FORMAT_LAYOUT(format)) {
    STORE_COMPONENTS(sint8, char, TO_SINT8)
    STORE_COMPONENTS(sint16, short, TO_SINT16)
    STORE_COMPONENTS(sint32, int, TO_SINT32)
    STORE_COMPONENTS(uint8, uchar, TO_UINT8)
    STORE_COMPONENTS(uint16, ushort, TO_UINT16)
    STORE_COMPONENTS(uint32, uint, TO_UINT32)
  }
}

HELPER void encode(uint format, row_t row, int x, int4 v)
{
  switch (IMAGE_FORMAT_PIXEL(format)) {
    case FORMAT_KEY(sint8, 4, rgba): ((global char4_pixel *)row)[x] = TO_SINT8(v); break;
    case FORMAT_KEY(sint32, 4, rgba): ((global int4_pixel *)row)[x] = v; break;
    case FORMAT_KEY(sint32, 1, rgba): ((global int *)row)[x] = v.x; break;
    case FORMAT_KEY(sint16, 1, rgba): ((global short *)row)[x] = TO_SINT16(v).x; break;
    default: encode_any(format, row, x, v);
  }
}

#define WRITE write_imagei
#include "image_write.clh"
