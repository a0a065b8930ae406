/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Pixels and colours, by the conversion rules of OpenCL C section 8.3. */
#include <math.h>
#include <stdio.h>

#include "test_image.h"

/* ------------------------------------------------------------ formats */

test_pixel_kind_t test_pixel_kind(const cl_image_format *format) {
  switch (format->image_channel_data_type) {
    case CL_SIGNED_INT8:
    case CL_SIGNED_INT16:
    case CL_SIGNED_INT32: return TEST_PIXEL_INT;
    case CL_UNSIGNED_INT8:
    case CL_UNSIGNED_INT16:
    case CL_UNSIGNED_INT32: return TEST_PIXEL_UINT;
    default: return TEST_PIXEL_FLOAT;
  }
}

/* Which component of the colour each stored one is, in the order of memory: "bgra". */
static const char *components(const cl_image_format *format) {
  switch (format->image_channel_order) {
    case CL_R:
    case CL_DEPTH:
    case CL_INTENSITY:
    case CL_LUMINANCE: return "r";
    case CL_A: return "a";
    case CL_RG: return "rg";
    case CL_RGB: return "rgb";
    case CL_BGRA:
    case CL_sBGRA: return "bgra";
    case CL_ARGB: return "argb";
    default: return "rgba";
  }
}

static int index_of(char component) { return component == 'r' ? 0 : component == 'g' ? 1 : component == 'b' ? 2 : 3; }

static size_t component_size(const cl_image_format *format) {
  switch (format->image_channel_data_type) {
    case CL_SNORM_INT8:
    case CL_UNORM_INT8:
    case CL_SIGNED_INT8:
    case CL_UNSIGNED_INT8: return 1;
    case CL_SIGNED_INT32:
    case CL_UNSIGNED_INT32:
    case CL_FLOAT: return 4;
    default: return 2;
  }
}

static bool is_srgb(const cl_image_format *format) {
  return format->image_channel_order >= CL_sRGB && format->image_channel_order <= CL_sBGRA;
}

/* Bits of each component of a packed format, from the highest that is used; 0 of others. */
static unsigned packed_bits(const cl_image_format *format, unsigned bits[3]) {
  static const unsigned table[3][3] = {{5, 6, 5}, {5, 5, 5}, {10, 10, 10}};
  cl_channel_type type = format->image_channel_data_type;
  if (type < CL_UNORM_SHORT_565 || type > CL_UNORM_INT_101010) return 0;
  memcpy(bits, table[type - CL_UNORM_SHORT_565], 3 * sizeof *bits);
  return bits[0] + bits[1] + bits[2];
}

size_t test_pixel_size(const cl_image_format *format) {
  unsigned bits[3];
  if (packed_bits(format, bits)) return format->image_channel_data_type == CL_UNORM_INT_101010 ? 4 : 2;
  return component_size(format) * strlen(components(format));
}

const char *test_format_name(const cl_image_format *format) {
  static char text[64];
  snprintf(text, sizeof text, "order 0x%x, type 0x%x", format->image_channel_order, format->image_channel_data_type);
  return text;
}

/* ------------------------------------------------------------ decoding */

static double half_value(unsigned bits) {
  int exponent = (int)(bits >> 10 & 31);
  double fraction = bits & 1023, sign = bits & 0x8000 ? -1 : 1;
  if (exponent == 31) return fraction != 0 ? NAN : sign * INFINITY;
  return sign * (exponent ? ldexp(1024 + fraction, exponent - 25) : ldexp(fraction, -24));
}

static double component_value(cl_channel_type type, const unsigned char *bytes) {
  uint32_t bits = 0;
  float value;
  switch (type) {
    case CL_UNORM_INT8: return bytes[0] / 255.0;
    case CL_SNORM_INT8: return fmax((int8_t)bytes[0] / 127.0, -1);
    case CL_SIGNED_INT8: return (int8_t)bytes[0];
    case CL_UNSIGNED_INT8: return bytes[0];
    case CL_SIGNED_INT32:
    case CL_UNSIGNED_INT32: memcpy(&bits, bytes, 4); return type == CL_SIGNED_INT32 ? (int32_t)bits : (double)bits;
    case CL_FLOAT: memcpy(&value, bytes, 4); return value;
    default: break;
  }
  memcpy(&bits, bytes, 2);
  switch (type) {
    case CL_UNORM_INT16: return bits / 65535.0;
    case CL_SNORM_INT16: return fmax((int16_t)bits / 32767.0, -1);
    case CL_SIGNED_INT16: return (int16_t)bits;
    case CL_UNSIGNED_INT16: return bits;
    default: return half_value(bits);
  }
}

static double srgb_to_linear(double c) { return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4); }

static void spread(cl_channel_order order, double out[4]) {
  if (order == CL_INTENSITY || order == CL_LUMINANCE) out[1] = out[2] = out[0];
  if (order == CL_INTENSITY) out[3] = out[0];
}

void test_pixel_decode(const cl_image_format *format, const void *pixel, double out[4]) {
  const char *stored = components(format);
  const unsigned char *bytes = pixel;
  unsigned bits[3], total = packed_bits(format, bits);
  out[0] = out[1] = out[2] = 0;
  out[3] = strchr(stored, 'a') ? 0 : 1;
  if (total) {
    uint32_t value = 0;
    memcpy(&value, pixel, test_pixel_size(format));
    for (int i = 0; i < 3; i++) {
      uint32_t mask = (1u << bits[i]) - 1;
      total -= bits[i];
      out[i] = (double)(value >> total & mask) / mask;
    }
    return;
  }
  for (size_t i = 0; stored[i]; i++) {
    double value = component_value(format->image_channel_data_type, bytes + i * component_size(format));
    out[index_of(stored[i])] = is_srgb(format) && stored[i] != 'a' ? srgb_to_linear(value) : value;
  }
  spread(format->image_channel_order, out);
}

/* ------------------------------------------------------------ encoding */

static int32_t normalized(float value, float scale, float low) {
  float product = value * scale;
  if (isnan(product)) return 0;
  return (int32_t)nearbyintf(product < low ? low : product > scale ? scale : product);
}

/* The half nearest to a float, ties to even: tried from above and below. */
static uint16_t half_of(float value) {
  if (isnan(value)) return 0x7e00;
  uint16_t sign = signbit(value) ? 0x8000 : 0;
  double magnitude = fabs((double)value);
  if (magnitude >= 65520) return sign | 0x7c00;
  uint16_t low = 0, high = 0x7c00;
  while (high - low > 1) {
    uint16_t middle = (uint16_t)((low + high) / 2);
    if (half_value(middle) <= magnitude) {
      low = middle;
    } else {
      high = middle;
    }
  }
  double below = magnitude - half_value(low), above = (high == 0x7c00 ? 65536 : half_value(high)) - magnitude;
  return sign | (below < above || (below == above && !(low & 1)) ? low : high);
}

static int32_t clamp(int32_t value, int32_t low, int32_t high) {
  return value < low ? low : value > high ? high : value;
}
static uint32_t limit(uint32_t value, uint32_t high) { return value > high ? high : value; }

static uint32_t component_bits(cl_channel_type type, const test_color_t *color, int i) {
  switch (type) {
    case CL_UNORM_INT8: return (uint32_t)normalized(color->f[i], 255, 0);
    case CL_UNORM_INT16: return (uint32_t)normalized(color->f[i], 65535, 0);
    case CL_SNORM_INT8: return (uint32_t)normalized(color->f[i], 127, -128);
    case CL_SNORM_INT16: return (uint32_t)normalized(color->f[i], 32767, -32768);
    case CL_HALF_FLOAT: return half_of(color->f[i]);
    case CL_SIGNED_INT8: return (uint32_t)clamp(color->i[i], -128, 127);
    case CL_SIGNED_INT16: return (uint32_t)clamp(color->i[i], -32768, 32767);
    case CL_UNSIGNED_INT8: return limit(color->u[i], 255);
    case CL_UNSIGNED_INT16: return limit(color->u[i], 65535);
    default: return color->u[i];
  }
}

static uint32_t srgb_byte(double linear) {
  if (!(linear > 0)) return 0;
  if (linear >= 1) return 255;
  return (uint32_t)lrint(255 * (linear < 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055));
}

void test_pixel_encode(const cl_image_format *format, const test_color_t *color, void *out) {
  const char *stored = components(format);
  unsigned bits[3], total = packed_bits(format, bits);
  if (total) {
    uint32_t value = 0;
    for (int i = 0; i < 3; i++)
      value = value << bits[i] | (uint32_t)normalized(color->f[i], (float)((1 << bits[i]) - 1), 0);
    memcpy(out, &value, test_pixel_size(format));
    return;
  }
  for (size_t i = 0; stored[i]; i++) {
    int from = index_of(stored[i]);
    uint32_t value = is_srgb(format) && from < 3 ? srgb_byte(color->f[from])
                                                 : component_bits(format->image_channel_data_type, color, from);
    memcpy((unsigned char *)out + i * component_size(format), &value, component_size(format));
  }
}
