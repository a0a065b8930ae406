/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * read_imagef: normalized integers, half and float, packed and sRGB formats (OpenCL C section 8.3). */

#include "image.clh"
#include "image_srgb.clh"

#define V float4
#define S float
#include "image_order.clh"

#define FLOAT4(v) __builtin_convertvector(v, float4)
#define FROM_FLOAT(v) (v)
#define FROM_UNORM8(v) (FLOAT4(v) * (1.0f / 255.0f))
#define FROM_UNORM16(v) (FLOAT4(v) * (1.0f / 65535.0f))
#define FROM_SNORM(v, scale) from_snorm(FLOAT4(v) * (1.0f / (scale)))
#define FROM_SNORM8(v) FROM_SNORM(v, 127.0f)
#define FROM_SNORM16(v) FROM_SNORM(v, 32767.0f)

/* The smallest integer is below -1. */
HELPER float4 from_snorm(float4 v) { return v < -1.0f ? -1.0f : v; }

HELPER float4 from_srgb8(uchar4 v)
{
  return (float4)(srgb_to_linear[v.x], srgb_to_linear[v.y], srgb_to_linear[v.z], (float)v.w * (1.0f / 255.0f));
}

HELPER float4 from_555(uint v)
{
  return (float4)((float)(v >> 10 & 31), (float)(v >> 5 & 31), (float)(v & 31), 31) * (1.0f / 31.0f);
}
HELPER float4 from_565(uint v)
{
  return (float4)((float)(v >> 11 & 31) * (1.0f / 31.0f), (float)(v >> 5 & 63) * (1.0f / 63.0f),
                  (float)(v & 31) * (1.0f / 31.0f), 1);
}
HELPER float4 from_101010(uint v)
{
  return (float4)((float)(v >> 20 & 1023), (float)(v >> 10 & 1023), (float)(v & 1023), 1023) * (1.0f / 1023.0f);
}

HELPER float4 decode_stored(uint layout, row_t row, int x)
{
  switch (layout) {
    STORED_COMPONENTS(unorm8, uchar, FROM_UNORM8)
    STORED_COMPONENTS(unorm16, ushort, FROM_UNORM16)
    STORED_COMPONENTS(snorm8, char, FROM_SNORM8)
    STORED_COMPONENTS(snorm16, short, FROM_SNORM16)
    STORED_COMPONENTS(half, half, FLOAT4)
    STORED_COMPONENTS(float, float, FROM_FLOAT)
    case IMAGE_LAYOUT(image_component_srgb8, 4): return from_srgb8(((const global uchar4_pixel *)row)[x]);
    case IMAGE_LAYOUT(image_component_unorm_565, 1): return from_565(((const global ushort *)row)[x]);
    case IMAGE_LAYOUT(image_component_unorm_555, 1): return from_555(((const global ushort *)row)[x]);
    case IMAGE_LAYOUT(image_component_unorm_101010, 1): return from_101010(((const global uint *)row)[x]);
    default: return 0;
  }
}

OUTLINED float4 decode_any(uint format, row_t row, int x)
{
  return components_from_stored(IMAGE_FORMAT_ORDER(format), decode_stored(IMAGE_FORMAT_LAYOUT(format), row, x));
}

HELPER float4 decode(uint format, row_t row, int x)
{
  switch (IMAGE_FORMAT_PIXEL(format)) {
    case FORMAT_KEY(unorm8, 4, rgba):
      return FROM_UNORM8(AS(int4, split_bytes(((const global uint_pixel *)row)[x])));
    case FORMAT_KEY(unorm8, 4, bgra):
      return FROM_UNORM8(AS(int4, split_bytes(((const global uint_pixel *)row)[x])).zyxw);
    case FORMAT_KEY(unorm16, 4, rgba):
      return FROM_UNORM16(AS(int4, split_shorts(((const global uint2_pixel_16 *)row)[x])));
    case FORMAT_KEY(unorm8, 1, rgba): return (float4)((float)row[x] * (1.0f / 255.0f), 0, 0, 1);
    case FORMAT_KEY(float, 1, rgba): return (float4)(((const global float *)row)[x], 0, 0, 1);
    case FORMAT_KEY(float, 4, rgba): return ((const global float4_pixel *)row)[x];
    case FORMAT_KEY(half, 4, rgba): {
      uint4 bits = split_shorts(((const global uint2_pixel_16 *)row)[x]);
      return FLOAT4(AS(half4, __builtin_convertvector(bits, ushort4)));
    }
    default: return decode_any(format, row, x);
  }
}

#define READ read_imagef
#define LINEAR
#define DEPTH
#include "image_read.clh"
