/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Colours as pixels: for fills, whose colour comes as the components that a kernel would write. */
#include <math.h>
#include <string.h>

#include "cl/memory/image_format.h"

typedef union color_t {
  cl_float f[4];
  cl_int i[4];
  cl_uint u[4];
} color_t;

size_t image_color_size(const cl_image_format *format) {
  return format->image_channel_order == CL_DEPTH ? sizeof(cl_float) : sizeof(color_t);
}

/* ------------------------------------------------------------ components */

/* NaN becomes 0 (OpenCL C section 8.3.1.1). */
static cl_int normalized(float value, float scale, float low) {
  float scaled = value * scale;
  return isnan(scaled) ? 0 : (cl_int)rintf(fminf(fmaxf(scaled, low), scale));
}

static cl_uint half_bits(float value) {
  cl_uint bits;
  memcpy(&bits, &value, sizeof bits);
  cl_uint sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000) return sign | 0x7e00;
  if (magnitude >= 0x477ff000) return sign | 0x7c00; /* halfway from the largest half to the next power of two */
  if (magnitude < 0x38800000) {
    /* The sum is rounded at the last bit of a subnormal half. */
    float absolute = fabsf(value) + 0.5F;
    memcpy(&bits, &absolute, sizeof bits);
    return sign | (bits - 0x3f000000);
  }
  return sign | ((magnitude - 0x38000000 + 0xfff + (magnitude >> 13 & 1)) >> 13);
}

/* Section 8.3.1.5: linear to sRGB, then to an 8-bit integer. */
static cl_uint srgb_byte(float linear) {
  double c = linear;
  if (!(c > 0)) return 0;
  if (c >= 1) return 255;
  c = c < 0.0031308 ? 12.92 * c : 1.055 * pow(c, 1.0 / 2.4) - 0.055;
  return (cl_uint)rint(255 * c);
}

static cl_int clamp_int(cl_int value, cl_int low, cl_int high) {
  return value < low ? low : value > high ? high : value;
}
static cl_uint clamp_uint(cl_uint value, cl_uint high) { return value > high ? high : value; }

/** One component as the low bytes of an integer. */
static cl_uint component(cl_channel_type type, const color_t *color, unsigned index) {
  switch (type) {
    case CL_UNORM_INT8: return (cl_uint)normalized(color->f[index], UINT8_MAX, 0);
    case CL_UNORM_INT16: return (cl_uint)normalized(color->f[index], UINT16_MAX, 0);
    case CL_SNORM_INT8: return (cl_uint)normalized(color->f[index], INT8_MAX, INT8_MIN);
    case CL_SNORM_INT16: return (cl_uint)normalized(color->f[index], INT16_MAX, INT16_MIN);
    case CL_HALF_FLOAT: return half_bits(color->f[index]);
    case CL_SIGNED_INT8: return (cl_uint)clamp_int(color->i[index], INT8_MIN, INT8_MAX);
    case CL_SIGNED_INT16: return (cl_uint)clamp_int(color->i[index], INT16_MIN, INT16_MAX);
    case CL_UNSIGNED_INT8: return clamp_uint(color->u[index], UINT8_MAX);
    case CL_UNSIGNED_INT16: return clamp_uint(color->u[index], UINT16_MAX);
    default: return color->u[index]; /* 32-bit integers, and the bits of float */
  }
}

/* ------------------------------------------------------------ pixels */

/** Where the stored components come from, in the order of memory. */
static const unsigned char *stored_components(cl_channel_order order, unsigned *count) {
  static const struct {
    cl_channel_order order;
    unsigned char count, from[4];
  } table[] = {{CL_R, 1, {0}},
               {CL_Rx, 1, {0}},
               {CL_A, 1, {3}},
               {CL_RG, 2, {0, 1}},
               {CL_RGx, 2, {0, 1}},
               {CL_RA, 2, {0, 3}},
               {CL_RGBA, 4, {0, 1, 2, 3}},
               {CL_BGRA, 4, {2, 1, 0, 3}},
               {CL_ARGB, 4, {3, 0, 1, 2}},
               {CL_ABGR, 4, {3, 2, 1, 0}},
               {CL_INTENSITY, 1, {0}},
               {CL_LUMINANCE, 1, {0}},
               {CL_DEPTH, 1, {0}},
               {CL_sRGB, 3, {0, 1, 2}},
               {CL_sRGBx, 4, {0, 1, 2, 3}},
               {CL_sRGBA, 4, {0, 1, 2, 3}},
               {CL_sBGRA, 4, {2, 1, 0, 3}}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    if (table[i].order != order) continue;
    *count = table[i].count;
    return table[i].from;
  }
  *count = 0;
  return NULL;
}

static bool is_srgb(cl_channel_order order) { return order >= CL_sRGB && order <= CL_sBGRA; }

static void put(unsigned char **out, cl_uint value, size_t size) {
  memcpy(*out, &value, size); /* little-endian */
  *out += size;
}

/** Packed formats: the first component in the highest bits. */
static bool encode_packed(cl_channel_type type, const color_t *color, unsigned char *out) {
  switch (type) {
    case CL_UNORM_SHORT_565:
      put(&out,
          (cl_uint)(normalized(color->f[0], 31, 0) << 11 | normalized(color->f[1], 63, 0) << 5 |
                    normalized(color->f[2], 31, 0)),
          2);
      return true;
    case CL_UNORM_SHORT_555:
      put(&out,
          (cl_uint)(normalized(color->f[0], 31, 0) << 10 | normalized(color->f[1], 31, 0) << 5 |
                    normalized(color->f[2], 31, 0)),
          2);
      return true;
    case CL_UNORM_INT_101010:
      put(&out,
          (cl_uint)(normalized(color->f[0], 1023, 0) << 20 | normalized(color->f[1], 1023, 0) << 10 |
                    normalized(color->f[2], 1023, 0)),
          4);
      return true;
    case CL_UNORM_INT_101010_2:
      put(&out,
          (cl_uint)normalized(color->f[0], 1023, 0) << 22 | (cl_uint)normalized(color->f[1], 1023, 0) << 12 |
              (cl_uint)normalized(color->f[2], 1023, 0) << 2 | (cl_uint)normalized(color->f[3], 3, 0),
          4);
      return true;
    default: return false;
  }
}

void image_color_encode(const cl_image_format *format, const void *color, unsigned char out_pixel[]) {
  color_t components = {{0}};
  memcpy(&components, color, image_color_size(format));
  if (encode_packed(format->image_channel_data_type, &components, out_pixel)) return;
  unsigned count;
  const unsigned char *from = stored_components(format->image_channel_order, &count);
  size_t size = image_format_element_size(format) / (count ? count : 1);
  for (unsigned i = 0; i < count; i++) {
    bool linear = !is_srgb(format->image_channel_order) || from[i] == 3;
    put(&out_pixel,
        linear ? component(format->image_channel_data_type, &components, from[i]) : srgb_byte(components.f[from[i]]),
        size);
  }
}
