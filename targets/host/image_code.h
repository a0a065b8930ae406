/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Image formats and samplers as kernels see them (compiler/image.h): for the runtime, which describes images to
 * kernels, and for code generation, which is told before a launch what it will say. */
#ifndef HOST_IMAGE_CODE_H
#define HOST_IMAGE_CODE_H

#include <stddef.h>

#include "compiler/image.h"
#include "mux/types.h"

typedef struct host_image_format_t {
  mux_image_format_e format;
  /** IMAGE_FORMAT of compiler/image.h. */
  uint32_t code;
  /** Bytes. */
  uint32_t pixel_size;
} host_image_format_t;

/* Low bytes of OpenCL's constants, as MUX_IMAGE_FORMAT has them. */
enum {
  host_order_r = 0xb0,
  host_order_a = 0xb1,
  host_order_rg = 0xb2,
  host_order_rgb = 0xb4,
  host_order_rgba = 0xb5,
  host_order_bgra = 0xb6,
  host_order_argb = 0xb7,
  host_order_intensity = 0xb8,
  host_order_luminance = 0xb9,
  host_order_depth = 0xbd,
  host_order_srgba = 0xc1,
  host_order_sbgra = 0xc2,
};
enum {
  host_type_snorm8 = 0xd0,
  host_type_snorm16 = 0xd1,
  host_type_unorm8 = 0xd2,
  host_type_unorm16 = 0xd3,
  host_type_565 = 0xd4,
  host_type_555 = 0xd5,
  host_type_101010 = 0xd6,
  host_type_sint8 = 0xd7,
  host_type_sint16 = 0xd8,
  host_type_sint32 = 0xd9,
  host_type_uint8 = 0xda,
  host_type_uint16 = 0xdb,
  host_type_uint32 = 0xdc,
  host_type_half = 0xdd,
  host_type_float = 0xde,
};

#define FORMAT(order, type, size, count, swizzle, clear)                                                        \
  {MUX_IMAGE_FORMAT(host_order_##order, host_type_##type),                                                      \
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
#define PACKED(type, size)                             \
  {MUX_IMAGE_FORMAT(host_order_rgb, host_type_##type), \
   IMAGE_FORMAT((uint32_t)image_component_unorm_##type, 1u, (uint32_t)image_order_rgba, false), (size)}
#define SRGB(order, swizzle)                               \
  {MUX_IMAGE_FORMAT(host_order_##order, host_type_unorm8), \
   IMAGE_FORMAT((uint32_t)image_component_srgb8, 4u, (uint32_t)image_order_##swizzle, true), 4}

static const host_image_format_t host_image_formats[] = {
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
enum { host_image_format_count = sizeof host_image_formats / sizeof *host_image_formats };
#undef FORMAT
#undef NORMALIZED_8
#undef INTEGERS_8
#undef FLOATS
#undef ALL
#undef PACKED
#undef SRGB

/** Null for a format that there is not. */
static inline const host_image_format_t *host_image_format_of(mux_image_format_e format) {
  for (uint32_t i = 0; i < host_image_format_count; ++i)
    if (host_image_formats[i].format == format) return &host_image_formats[i];
  return NULL;
}

/** Fills in what hangs on the format alone. */
static inline void host_image_describe_format(const host_image_format_t *stored, image_description_t *out) {
  /* The high byte of OpenCL's channel orders and types. */
  const uint32_t base = 0x1000;
  out->format = stored->code;
  out->pixel_size = stored->pixel_size;
  out->channel_order = base | stored->format >> 8;
  out->channel_type = base | (stored->format & 0xff);
}

static inline uint32_t host_sampler_address_bits(mux_address_mode_e mode) {
  switch (mode) {
    case mux_address_mode_none: return IMAGE_SAMPLER_ADDRESS_NONE;
    case mux_address_mode_repeat: return IMAGE_SAMPLER_ADDRESS_REPEAT;
    case mux_address_mode_repeat_mirror: return IMAGE_SAMPLER_ADDRESS_MIRRORED_REPEAT;
    case mux_address_mode_clamp: return IMAGE_SAMPLER_ADDRESS_CLAMP;
    case mux_address_mode_clamp_edge: break;
  }
  return IMAGE_SAMPLER_ADDRESS_CLAMP_TO_EDGE;
}

/** A level of detail in 256ths: no image has 16 levels, so that larger ones are no limit. */
static inline uint32_t host_sampler_lod_steps(float lod) {
  float steps = lod * IMAGE_SAMPLER_LOD_STEPS + 0.5f;
  if (!(steps > 0)) return 0;
  return steps < (float)IMAGE_SAMPLER_LOD_LIMIT ? (uint32_t)steps : IMAGE_SAMPLER_LOD_LIMIT;
}

/** Sampler bits as kernels get them. */
static inline uint32_t host_sampler_bits(const mux_sampler_t *sampler) {
  return host_sampler_address_bits(sampler->address_mode) | (sampler->normalize_coords ? IMAGE_SAMPLER_NORMALIZED : 0) |
         (sampler->filter_mode == mux_filter_mode_linear ? IMAGE_SAMPLER_LINEAR : IMAGE_SAMPLER_NEAREST) |
         (sampler->mip_filter_mode == mux_filter_mode_linear ? IMAGE_SAMPLER_LEVELS_LINEAR : 0) |
         IMAGE_SAMPLER_LOD_BITS(host_sampler_lod_steps(sampler->min_lod), host_sampler_lod_steps(sampler->max_lod));
}

#endif
