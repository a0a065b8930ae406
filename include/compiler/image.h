/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Images as kernels see them: what is behind an image argument and a sampler argument. Shared by targets, which fill it
 * in, and the built-in functions, which read it: C and OpenCL C.
 *
 * Everything that a built-in decides hangs on members of the description and on sampler bits alone, so that code for a
 * known description and sampler folds to the loads of that one format. */
#ifndef COMPILER_IMAGE_H
#define COMPILER_IMAGE_H

#ifdef __OPENCL_C_VERSION__
typedef uint uint32_t;
typedef ulong uint64_t;
#define IMAGE_DATA global uchar
#define IMAGE_LEVELS constant const struct image_description_t
#else
#include <stdint.h>
#define IMAGE_DATA void
#define IMAGE_LEVELS const struct image_description_t
#endif

/** How the components of a pixel are stored, each of the same type and side by side, or packed into one integer. */
typedef enum image_component_e {
  image_component_unorm8,
  image_component_unorm16,
  image_component_snorm8,
  image_component_snorm16,
  image_component_sint8,
  image_component_sint16,
  image_component_sint32,
  image_component_uint8,
  image_component_uint16,
  image_component_uint32,
  image_component_half,
  image_component_float,
  /** unorm8 whose first three components are sRGB. */
  image_component_srgb8,
  /** Packed: a 16-bit or 32-bit integer, the first component in the highest bits that are used. */
  image_component_unorm_565,
  image_component_unorm_555,
  image_component_unorm_101010,
} image_component_e;

/** Which components of a pixel a kernel sees as x, y, z, w. */
typedef enum image_order_e {
  /** As stored; those that are missing read as 0, and w as 1: R, RG, RGB, RGBA, depth. */
  image_order_rgba,
  image_order_bgra,
  image_order_argb,
  /** (0, 0, 0, A) */
  image_order_a,
  /** (I, I, I, I) */
  image_order_intensity,
  /** (L, L, L, 1) */
  image_order_luminance,
} image_order_e;

/** A format in one number: component, number of stored components (1 to 4; packed: 1), order, and whether w of the
 * border colour is 0 (OpenCL C section 8.2) and not 1. */
#define IMAGE_FORMAT(component, count, order, clear_border) \
  ((component) << 2 | ((count) - 1) | (order) << 8 | ((clear_border) ? 1 << 12 : 0))
/** All but the border. */
#define IMAGE_FORMAT_PIXEL(format) ((format) & 0xfffu)
/** The part that says how pixels lie in memory. */
#define IMAGE_FORMAT_LAYOUT(format) ((format) & 0xffu)
#define IMAGE_LAYOUT(component, count) ((component) << 2 | ((count) - 1))
#define IMAGE_FORMAT_ORDER(format) ((format) >> 8 & 0xfu)
#define IMAGE_FORMAT_CLEAR_BORDER(format) ((format) >> 12 & 1u)

typedef struct image_description_t image_description_t;
/** What an image argument points to; constant while a kernel runs. Sizes that an image does not have are 1. */
struct image_description_t {
  /** The first pixel. */
  IMAGE_DATA *data;
  /** Bytes from row to row, and from slice to slice or layer to layer. */
  uint64_t row_pitch, slice_pitch;
  /** Pixels. */
  uint32_t width, height, depth;
  uint32_t layers;
  /** IMAGE_FORMAT. */
  uint32_t format;
  /** Bytes of a pixel. */
  uint32_t pixel_size;
  /** OpenCL's numbers, for get_image_channel_order and get_image_channel_data_type. */
  uint32_t channel_order, channel_type;
  /** Mipmap levels, at least one: their descriptions, of one format, the first being this one's equal. */
  IMAGE_LEVELS *levels;
  uint32_t level_count;
};

/** Sampler bits: those of OpenCL C's CLK_ constants as Clang has them, and what only sampler objects can have. */
#define IMAGE_SAMPLER_NORMALIZED 0x01u
#define IMAGE_SAMPLER_ADDRESS_MASK 0x0eu
#define IMAGE_SAMPLER_ADDRESS_NONE 0x00u
#define IMAGE_SAMPLER_ADDRESS_CLAMP_TO_EDGE 0x02u
#define IMAGE_SAMPLER_ADDRESS_CLAMP 0x04u
#define IMAGE_SAMPLER_ADDRESS_REPEAT 0x06u
#define IMAGE_SAMPLER_ADDRESS_MIRRORED_REPEAT 0x08u
#define IMAGE_SAMPLER_NEAREST 0x10u
#define IMAGE_SAMPLER_LINEAR 0x20u
/** Between the two nearest levels, and not from the nearest. */
#define IMAGE_SAMPLER_LEVELS_LINEAR 0x40u
/** The least and the largest level of detail in 256ths, below 16, the latter as its distance to the largest number, so
 * that samplers without limits have no bits. */
#define IMAGE_SAMPLER_LOD_STEPS 256.0f
#define IMAGE_SAMPLER_LOD_LIMIT 0xfffu
#define IMAGE_SAMPLER_LOD_MIN(bits) ((bits) >> 7 & IMAGE_SAMPLER_LOD_LIMIT)
#define IMAGE_SAMPLER_LOD_MAX(bits) (IMAGE_SAMPLER_LOD_LIMIT - ((bits) >> 19 & IMAGE_SAMPLER_LOD_LIMIT))
#define IMAGE_SAMPLER_LOD_BITS(min, max) ((min) << 7 | (IMAGE_SAMPLER_LOD_LIMIT - (max)) << 19)

#endif
