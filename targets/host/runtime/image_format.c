/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The table of image formats. */
#include "host/runtime/image_format.h"

#include "compiler/image.h"

/* Low bytes of OpenCL's constants, as MUX_IMAGE_FORMAT has them. */
enum {
  order_r = 0xb0,
  order_a = 0xb1,
  order_rg = 0xb2,
  order_rgb = 0xb4,
  order_rgba = 0xb5,
  order_bgra = 0xb6,
  order_argb = 0xb7,
  order_intensity = 0xb8,
  order_luminance = 0xb9,
  order_depth = 0xbd,
  order_srgba = 0xc1,
  order_sbgra = 0xc2,
};
enum {
  type_snorm8 = 0xd0,
  type_snorm16 = 0xd1,
  type_unorm8 = 0xd2,
  type_unorm16 = 0xd3,
  type_565 = 0xd4,
  type_555 = 0xd5,
  type_101010 = 0xd6,
  type_sint8 = 0xd7,
  type_sint16 = 0xd8,
  type_sint32 = 0xd9,
  type_uint8 = 0xda,
  type_uint16 = 0xdb,
  type_uint32 = 0xdc,
  type_half = 0xdd,
  type_float = 0xde,
};

#define FORMAT(order, type, size, count, swizzle, clear)                                                        \
  {MUX_IMAGE_FORMAT(order_##order, type_##type),                                                                \
   IMAGE_FORMAT((uint32_t)image_component_##type, (uint32_t)(count), (uint32_t)image_order_##swizzle, (clear)), \
   (size) * (count)}
#define NORMALIZED_8(order, count, swizzle, clear) \
  FORMAT(order, unorm8, 1, count, swizzle, clear), FORMAT(order, snorm8, 1, count, swizzle, clear)
#define INTEGERS_8(order, count, swizzle, clear) \
  FORMAT(order, sint8, 1, count, swizzle, clear), FORMAT(order, uint8, 1, count, swizzle, clear)
#define FLOATS(order, count, swizzle, clear)                                                           \
  NORMALIZED_8(order, count, swizzle, clear), FORMAT(order, unorm16, 2, count, swizzle, clear),        \
      FORMAT(order, snorm16, 2, count, swizzle, clear), FORMAT(order, half, 2, count, swizzle, clear), \
      FORMAT(order, float, 4, count, swizzle, clear)
#define ALL(order, count, swizzle, clear)                                                               \
  FLOATS(order, count, swizzle, clear), INTEGERS_8(order, count, swizzle, clear),                       \
      FORMAT(order, sint16, 2, count, swizzle, clear), FORMAT(order, sint32, 4, count, swizzle, clear), \
      FORMAT(order, uint16, 2, count, swizzle, clear), FORMAT(order, uint32, 4, count, swizzle, clear)
#define PACKED(type, size)                   \
  {MUX_IMAGE_FORMAT(order_rgb, type_##type), \
   IMAGE_FORMAT((uint32_t)image_component_unorm_##type, 1u, (uint32_t)image_order_rgba, false), (size)}
#define SRGB(order, swizzle)                     \
  {MUX_IMAGE_FORMAT(order_##order, type_unorm8), \
   IMAGE_FORMAT((uint32_t)image_component_srgb8, 4u, (uint32_t)image_order_##swizzle, true), 4}

static const host_image_format_t formats[] = {
    ALL(rgba, 4, rgba, true),
    ALL(r, 1, rgba, false),
    ALL(rg, 2, rgba, false),
    NORMALIZED_8(bgra, 4, bgra, true),
    INTEGERS_8(bgra, 4, bgra, true),
    NORMALIZED_8(argb, 4, argb, true),
    INTEGERS_8(argb, 4, argb, true),
    ALL(a, 1, a, true),
    FLOATS(intensity, 1, intensity, true),
    FLOATS(luminance, 1, luminance, false),
    PACKED(565, 2),
    PACKED(555, 2),
    PACKED(101010, 4),
    SRGB(srgba, rgba),
    SRGB(sbgra, bgra),
    FORMAT(depth, unorm16, 2, 1, rgba, false),
    FORMAT(depth, float, 4, 1, rgba, false),
};
enum { format_count = sizeof formats / sizeof *formats };

/* Depth images are 2d, as OpenCL C has no type for others. */
static bool type_has(mux_image_type_e type, mux_image_format_e format) {
  return type == mux_image_type_2d || format >> 8 != order_depth;
}

const host_image_format_t *host_image_format_find(mux_image_type_e type, mux_image_format_e format) {
  for (uint32_t i = 0; i < format_count; ++i)
    if (formats[i].format == format) return type_has(type, format) ? &formats[i] : NULL;
  return NULL;
}

mux_result_t host_get_supported_image_formats(mux_device_t device, mux_image_type_e image_type,
                                              mux_allocation_type_e allocation_type, uint32_t count,
                                              mux_image_format_e *out_formats, uint32_t *out_count) {
  (void)device, (void)allocation_type;
  uint32_t found = 0;
  for (uint32_t i = 0; i < format_count; ++i) {
    if (!type_has(image_type, formats[i].format)) continue;
    if (found < count) out_formats[found] = formats[i].format;
    ++found;
  }
  if (out_count) *out_count = found;
  return mux_success;
}
