/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * read_imageui: formats of unsigned integers. */

#include "image.clh"

#define V uint4
#define S uint
#define CASES_SIGNED
#include "image_integer.clh"

HELPER uint4 decode(uint format, row_t row, int x)
{
  switch (IMAGE_FORMAT_PIXEL(format)) {
    case FORMAT_KEY(uint8, 4, rgba): return split_bytes(((const global uint_pixel *)row)[x]);
    case FORMAT_KEY(uint32, 4, rgba): return ((const global uint4_pixel *)row)[x];
    case FORMAT_KEY(uint32, 1, rgba): return (uint4)(((const global uint *)row)[x], 0, 0, 1);
    case FORMAT_KEY(uint8, 1, rgba): return (uint4)(row[x], 0, 0, 1);
    case FORMAT_KEY(uint16, 1, rgba): return (uint4)(((const global ushort *)row)[x], 0, 0, 1);
    default: return decode_any(format, row, x);
  }
}

#define READ read_imageui
#include "image_read.clh"
