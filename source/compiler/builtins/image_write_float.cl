/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * write_imagef: normalized integers are rounded to the nearest even (OpenCL C section 8.3.1). */

#include "image.clh"
#include "image_srgb.clh"

#define V float4
#define S float
#include "image_order.clh"

/* As convert_T_sat_rte of what is scaled already; NaN becomes 0. */
HELPER int4 to_integers(float4 v, float low, float high)
{
  v = v == v ? v : 0;
  v = v > low ? v : low;
  v = v < high ? v : high;
  return __builtin_convertvector(__builtin_elementwise_rint(v), int4);
}

#define TO_UNORM8(v) __builtin_convertvector(to_integers((v) * 255.0f, 0, 255), uchar4)
#define TO_UNORM16(v) __builtin_convertvector(to_integers((v) * 65535.0f, 0, 65535), ushort4)
#define TO_SNORM8(v) __builtin_convertvector(to_integers((v) * 127.0f, -128, 127), char4)
#define TO_SNORM16(v) __builtin_convertvector(to_integers((v) * 32767.0f, -32768, 32767), short4)
#define TO_HALF(v) __builtin_convertvector(v, half4)
#define TO_FLOAT(v) (v)

/* How many steps are at or below the value, by binary search. */
HELPER uchar to_srgb(float v)
{
  int i = 0;
  for (int step = 128; step; step >>= 1)
    i += v >= srgb_steps[i + step - 1] ? step : 0;
  return (uchar)i;
}

HELPER uchar4 to_srgb8(float4 v)
{
  return (uchar4)(to_srgb(v.x), to_srgb(v.y), to_srgb(v.z), TO_UNORM8(v).w);
}

HELPER uint to_packed(float4 v, float4 scale, uint4 shift)
{
  int4 i = to_integers(v * scale, 0, 1023); /* the highest of the maxima: each component has its own */
  int4 high = __builtin_convertvector(scale, int4);
  uint4 bits = AS(uint4, i < high ? i : high) << shift;
  return bits.x | bits.y | bits.z;
}

HELPER void encode_stored(uint layout, row_t row, int x, float4 v)
{
  switch (layout) {
    STORE_COMPONENTS(unorm8, uchar, TO_UNORM8)
    STORE_COMPONENTS(unorm16, ushort, TO_UNORM16)
    STORE_COMPONENTS(snorm8, char, TO_SNORM8)
    STORE_COMPONENTS(snorm16, short, TO_SNORM16)
    STORE_COMPONENTS(half, half, TO_HALF)
    STORE_COMPONENTS(float, float, TO_FLOAT)
    case IMAGE_LAYOUT(image_component_srgb8, 4): ((global uchar4_pixel *)row)[x] = to_srgb8(v); break;
    case IMAGE_LAYOUT(image_component_unorm_565, 1):
      ((global ushort *)row)[x] = (ushort)to_packed(v, (float4)(31, 63, 31, 0), (uint4)(11, 5, 0, 0));
      break;
    case IMAGE_LAYOUT(image_component_unorm_555, 1):
      ((global ushort *)row)[x] = (ushort)to_packed(v, (float4)(31, 31, 31, 0), (uint4)(10, 5, 0, 0));
      break;
    case IMAGE_LAYOUT(image_component_unorm_101010, 1):
      ((global uint *)row)[x] = to_packed(v, (float4)(1023, 1023, 1023, 0), (uint4)(20, 10, 0, 0));
      break;
  }
}

OUTLINED void encode_any(uint format, row_t row, int x, float4 v)
{
  encode_stored(IMAGE_FORMAT_LAYOUT(format), row, x, components_to_stored(IMAGE_FORMAT_ORDER(format), v));
}

HELPER void encode(uint format, row_t row, int x, float4 v)
{
  switch (IMAGE_FORMAT_PIXEL(format)) {
    case FORMAT_KEY(unorm8, 4, rgba):
      ((global uint_pixel *)row)[x] = join_bytes(AS(uint4, to_integers(v * 255.0f, 0, 255)));
      break;
    case FORMAT_KEY(unorm8, 4, bgra):
      ((global uint_pixel *)row)[x] = join_bytes(AS(uint4, to_integers(v * 255.0f, 0, 255)).zyxw);
      break;
    case FORMAT_KEY(unorm16, 4, rgba):
      ((global uint2_pixel_16 *)row)[x] = join_shorts(AS(uint4, to_integers(v * 65535.0f, 0, 65535)));
      break;
    case FORMAT_KEY(unorm8, 1, rgba): row[x] = TO_UNORM8(v).x; break;
    case FORMAT_KEY(float, 1, rgba): ((global float *)row)[x] = v.x; break;
    case FORMAT_KEY(float, 4, rgba): ((global float4_pixel *)row)[x] = v; break;
    case FORMAT_KEY(half, 4, rgba):
      ((global uint2_pixel_16 *)row)[x] =
          join_shorts(__builtin_convertvector(AS(ushort4, TO_HALF(v)), uint4));
      break;
    default: encode_any(format, row, x, v);
  }
}

#define WRITE write_imagef
#define DEPTH
#include "image_write.clh"
