/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Sizes of pixels, by OpenCL's values (specification, image format descriptor), which all backends use. */
#include "interop/object/make.h"

/* The values are OpenCL's, whose headers only its backend includes. */
enum {
  order_r = 0x10b0,
  order_a,
  order_rg,
  order_ra,
  order_rgb,
  order_rgba,
  order_bgra,
  order_argb,
  order_intensity,
  order_luminance,
  order_depth = 0x10bd,
  order_srgb = 0x10bf,
  order_srgbx,
  order_srgba,
  order_sbgra
};

enum {
  type_snorm_int8 = 0x10d0,
  type_snorm_int16,
  type_unorm_int8,
  type_unorm_int16,
  type_unorm_short_565,
  type_unorm_short_555,
  type_unorm_int_101010,
  type_signed_int8,
  type_signed_int16,
  type_signed_int32,
  type_unsigned_int8,
  type_unsigned_int16,
  type_unsigned_int32,
  type_half_float,
  type_float
};

static size_t channels_of(uint32_t order) {
  switch (order) {
    case order_r:
    case order_a:
    case order_intensity:
    case order_luminance:
    case order_depth: return 1;
    case order_rg:
    case order_ra: return 2;
    case order_rgb:
    case order_srgb: return 3;
    case order_rgba:
    case order_bgra:
    case order_argb:
    case order_srgbx:
    case order_srgba:
    case order_sbgra: return 4;
    default: return 0;
  }
}

size_t interop_pixel_size(uint32_t channel_order, uint32_t channel_type) {
  size_t channels = channels_of(channel_order);
  switch (channel_type) {
    case type_snorm_int8:
    case type_unorm_int8:
    case type_signed_int8:
    case type_unsigned_int8: return channels;
    case type_snorm_int16:
    case type_unorm_int16:
    case type_signed_int16:
    case type_unsigned_int16:
    case type_half_float: return channels * 2;
    case type_signed_int32:
    case type_unsigned_int32:
    case type_float: return channels * 4;
    /* Packed: all channels in one number. */
    case type_unorm_short_565:
    case type_unorm_short_555: return channels ? 2 : 0;
    case type_unorm_int_101010: return channels ? 4 : 0;
    default: return 0;
  }
}
