/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * write_imageui: values that a component cannot hold are saturated. */

#include "image.clh"

#define V uint4
#define S uint
#include "image_order.clh"

HELPER uint4 limit_components(uint4 v, uint high) { return v > high ? high : v; }

#define TO_UINT8(v) __builtin_convertvector(limit_components(v, 255), uchar4)
#define TO_UINT16(v) __builtin_convertvector(limit_components(v, 65535), ushort4)
#define TO_UINT32(v) (v)

OUTLINED void encode_any(uint format, row_t row, int x, uint4 v)
{
  v = components_to_stored(IMAGE_FORMAT_ORDER(format), v);
  switch (IMAGE_FORMAT_LAYOUT(format)) {
    STORE_COMPONENTS(uint8, uchar, TO_UINT8)
    STORE_COMPONENTS(uint16, ushort, TO_UINT16)
    STORE_COMPONENTS(uint32, uint, TO_UINT32)
  }
}

HELPER void encode(uint format, row_t row, int x, uint4 v)
{
  switch (IMAGE_FORMAT_PIXEL(format)) {
    case FORMAT_KEY(uint8, 4, rgba): ((global uint_pixel *)row)[x] = join_bytes(limit_components(v, 255)); break;
    case FORMAT_KEY(uint32, 4, rgba): ((global uint4_pixel *)row)[x] = v; break;
    case FORMAT_KEY(uint32, 1, rgba): ((global uint *)row)[x] = v.x; break;
    case FORMAT_KEY(uint8, 1, rgba): row[x] = TO_UINT8(v).x; break;
    case FORMAT_KEY(uint16, 1, rgba): ((global ushort *)row)[x] = TO_UINT16(v).x; break;
    default: encode_any(format, row, x, v);
  }
}

#define WRITE write_imageui
#include "image_write.clh"
