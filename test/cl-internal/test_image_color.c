/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Colours as pixels: which component lies where for every order, how each type rounds and saturates (OpenCL C section
 * 8.3), those that no device lists too. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cl/memory/image_format.h"

enum { pixel_capacity = 32, untouched = 0xee };

static unsigned char pixel[pixel_capacity];

/* Encodes, and expects that nothing behind the pixel is written. */
static void encode(cl_channel_order order, cl_channel_type type, const void *color, size_t size) {
  const cl_image_format format = {order, type};
  memset(pixel, untouched, sizeof pixel);
  image_color_encode(&format, color, pixel);
  for (size_t i = size; i < sizeof pixel; i++) assert_int_equal(pixel[i], untouched);
}

static uint32_t word(size_t index, size_t size) {
  uint32_t value = 0;
  memcpy(&value, pixel + index * size, size);
  return value;
}

static void components_lie_as_the_order_says(void **state) {
  (void)state;
  const struct {
    cl_channel_order order;
    unsigned count;
    uint32_t stored[4];
  } rows[] = {
      {CL_R, 1, {10}},
      {CL_Rx, 1, {10}},
      {CL_A, 1, {13}},
      {CL_RG, 2, {10, 11}},
      {CL_RGx, 2, {10, 11}},
      {CL_RA, 2, {10, 13}},
      {CL_RGBA, 4, {10, 11, 12, 13}},
      {CL_BGRA, 4, {12, 11, 10, 13}},
      {CL_ARGB, 4, {13, 10, 11, 12}},
      {CL_ABGR, 4, {13, 12, 11, 10}},
      {CL_INTENSITY, 1, {10}},
      {CL_LUMINANCE, 1, {10}},
  };
  const cl_uint color[4] = {10, 11, 12, 13};
  const struct {
    cl_channel_type type;
    size_t size;
  } types[] = {{CL_UNSIGNED_INT8, 1}, {CL_UNSIGNED_INT16, 2}, {CL_UNSIGNED_INT32, 4},
               {CL_SIGNED_INT8, 1},   {CL_SIGNED_INT16, 2},   {CL_SIGNED_INT32, 4}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
      encode(rows[i].order, types[t].type, color, rows[i].count * types[t].size);
      for (unsigned c = 0; c < rows[i].count; c++) assert_int_equal(word(c, types[t].size), rows[i].stored[c]);
    }
  }
}

static void depth_is_one_float(void **state) {
  (void)state;
  const cl_image_format format = {CL_DEPTH, CL_FLOAT}, other = {CL_R, CL_FLOAT};
  const cl_float depth = 0.25F;
  assert_int_equal(image_color_size(&format), sizeof(cl_float));
  assert_int_equal(image_color_size(&other), 4 * sizeof(cl_float));
  encode(CL_DEPTH, CL_FLOAT, &depth, 4);
  assert_memory_equal(pixel, &depth, 4);
  encode(CL_DEPTH, CL_UNORM_INT16, &depth, 2);
  assert_int_equal(word(0, 2), 16384);
}

static uint32_t one_float(cl_channel_type type, float value, size_t size) {
  const cl_float color[4] = {value, 0, 0, 0};
  encode(CL_R, type, color, size);
  return word(0, size);
}

static void normalized_values_round_and_saturate(void **state) {
  (void)state;
  const struct {
    cl_channel_type type;
    size_t size;
    float value;
    uint32_t stored;
  } rows[] = {
      {CL_UNORM_INT8, 1, 0, 0},           {CL_UNORM_INT8, 1, 1, 255},
      {CL_UNORM_INT8, 1, 2, 255},         {CL_UNORM_INT8, 1, -1, 0},
      {CL_UNORM_INT8, 1, NAN, 0},         {CL_UNORM_INT8, 1, 0.5F, 128}, /* 127.5, to even */
      {CL_UNORM_INT8, 1, 0.499F, 127},    {CL_UNORM_INT16, 2, 1, 65535},
      {CL_UNORM_INT16, 2, 3e38F, 65535},  {CL_UNORM_INT16, 2, -0.1F, 0},
      {CL_UNORM_INT16, 2, 0.25F, 16384},  {CL_SNORM_INT8, 1, 1, 127},
      {CL_SNORM_INT8, 1, 9, 127},         {CL_SNORM_INT8, 1, -1, 0x81},
      {CL_SNORM_INT8, 1, -9, 0x80},       {CL_SNORM_INT8, 1, NAN, 0},
      {CL_SNORM_INT16, 2, 1, 32767},      {CL_SNORM_INT16, 2, -1, 0x8001},
      {CL_SNORM_INT16, 2, -1.5F, 0x8000}, {CL_SNORM_INT16, 2, 1.5F, 32767},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    assert_int_equal(one_float(rows[i].type, rows[i].value, rows[i].size), rows[i].stored);
}

static void integers_saturate(void **state) {
  (void)state;
  const struct {
    cl_channel_type type;
    size_t size;
    uint32_t value, stored;
  } rows[] = {
      {CL_UNSIGNED_INT8, 1, 255, 255},
      {CL_UNSIGNED_INT8, 1, 256, 255},
      {CL_UNSIGNED_INT8, 1, UINT32_MAX, 255},
      {CL_UNSIGNED_INT8, 1, 254, 254},
      {CL_UNSIGNED_INT16, 2, 65535, 65535},
      {CL_UNSIGNED_INT16, 2, 65536, 65535},
      {CL_UNSIGNED_INT16, 2, 65534, 65534},
      {CL_UNSIGNED_INT32, 4, UINT32_MAX, UINT32_MAX},
      {CL_SIGNED_INT8, 1, 127, 127},
      {CL_SIGNED_INT8, 1, 128, 127},
      {CL_SIGNED_INT8, 1, (uint32_t)-128, 0x80},
      {CL_SIGNED_INT8, 1, (uint32_t)-129, 0x80},
      {CL_SIGNED_INT8, 1, (uint32_t)-5, 0xfb},
      {CL_SIGNED_INT16, 2, 32768, 32767},
      {CL_SIGNED_INT16, 2, (uint32_t)-32768, 0x8000},
      {CL_SIGNED_INT16, 2, (uint32_t)-32769, 0x8000},
      {CL_SIGNED_INT16, 2, (uint32_t)-7, 0xfff9},
      {CL_SIGNED_INT32, 4, (uint32_t)INT32_MIN, 0x80000000},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const cl_uint color[4] = {rows[i].value, 0, 0, 0};
    encode(CL_R, rows[i].type, color, rows[i].size);
    assert_int_equal(word(0, rows[i].size), rows[i].stored);
  }
}

static void halves_round_to_even(void **state) {
  (void)state;
  const struct {
    float value;
    uint32_t stored;
  } rows[] = {
      {0, 0},
      {-0.0F, 0x8000},
      {1, 0x3c00},
      {-2, 0xc000},
      {65504, 0x7bff},
      {65519.996F, 0x7bff},
      {65520, 0x7c00},
      {-65520, 0xfc00},
      {INFINITY, 0x7c00},
      {-INFINITY, 0xfc00},
      {1.00048828125F, 0x3c00}, /* half of the last bit: to even */
      {1.0004884F, 0x3c01},     /* a little more */
      {1.00146484375F, 0x3c02}, /* half of it, from odd */
      {0x1p-14F, 0x0400},       /* the least normal one */
      {0x1.ff8p-15F, 0x03ff},   /* the largest subnormal one */
      {0x1p-24F, 0x0001},
      {0x1p-25F, 0x0000},
      {0x1.8p-24F, 0x0002},
      {-0x1p-24F, 0x8001},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    assert_int_equal(one_float(CL_HALF_FLOAT, rows[i].value, 2), rows[i].stored);
  assert_int_equal(one_float(CL_HALF_FLOAT, NAN, 2) & 0x7e00, 0x7e00);
  assert_int_equal(one_float(CL_FLOAT, 0.1F, 4), 0x3dcccccd);
}

static void packed_components_are_in_the_highest_bits_first(void **state) {
  (void)state;
  const cl_float color[4] = {1, 0, 0.5F, 1}, other[4] = {0, 1, 0, 0}, last[4] = {0, 0, 1, 0};
  encode(CL_RGB, CL_UNORM_SHORT_565, color, 2);
  assert_int_equal(word(0, 2), 31 << 11 | 16);
  encode(CL_RGB, CL_UNORM_SHORT_565, other, 2);
  assert_int_equal(word(0, 2), 63 << 5);
  encode(CL_RGB, CL_UNORM_SHORT_565, last, 2);
  assert_int_equal(word(0, 2), 31);
  encode(CL_RGB, CL_UNORM_SHORT_555, color, 2);
  assert_int_equal(word(0, 2), 31 << 10 | 16);
  encode(CL_RGB, CL_UNORM_SHORT_555, other, 2);
  assert_int_equal(word(0, 2), 31 << 5);
  encode(CL_RGB, CL_UNORM_SHORT_555, last, 2);
  assert_int_equal(word(0, 2), 31);
  encode(CL_RGB, CL_UNORM_INT_101010, color, 4);
  assert_int_equal(word(0, 4), 1023u << 20 | 512);
  encode(CL_RGB, CL_UNORM_INT_101010, other, 4);
  assert_int_equal(word(0, 4), 1023u << 10);
  encode(CL_RGB, CL_UNORM_INT_101010, last, 4);
  assert_int_equal(word(0, 4), 1023u);
  encode(CL_RGBA, CL_UNORM_INT_101010_2, color, 4);
  assert_true(word(0, 4) == (1023u << 22 | 512u << 2 | 3));
  encode(CL_RGBA, CL_UNORM_INT_101010_2, other, 4);
  assert_int_equal(word(0, 4), 1023u << 12);
  encode(CL_RGBA, CL_UNORM_INT_101010_2, last, 4);
  assert_int_equal(word(0, 4), 1023u << 2);
}

static void packed_pixels_have_one_size_for_all_components(void **state) {
  (void)state;
  const struct {
    cl_image_format format;
    size_t size;
  } rows[] = {
      {{CL_RGB, CL_UNORM_SHORT_565}, 2},     {{CL_RGB, CL_UNORM_SHORT_555}, 2}, {{CL_RGBx, CL_UNORM_INT_101010}, 4},
      {{CL_RGBA, CL_UNORM_INT_101010_2}, 4}, {{CL_RGBA, CL_UNORM_INT8}, 4},     {{CL_RG, CL_HALF_FLOAT}, 4},
      {{CL_INTENSITY, CL_UNORM_INT16}, 2},   {{CL_sRGB, CL_UNORM_INT8}, 3},     {{CL_RGBA, CL_FLOAT}, 16},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    assert_int_equal(image_format_element_size(&rows[i].format), rows[i].size);
}

static void colours_are_stored_as_srgb_and_alpha_is_not(void **state) {
  (void)state;
  const cl_float color[4] = {1, 0.5F, 0.001F, 0.5F}, wrong[4] = {2, -1, NAN, 2};
  const unsigned char red = 255, green = 188, blue = 3, alpha = 128;
  const unsigned char rgba[] = {red, green, blue, alpha}, bgra[] = {blue, green, red, alpha};
  encode(CL_sRGBA, CL_UNORM_INT8, color, 4);
  assert_memory_equal(pixel, rgba, 4);
  encode(CL_sBGRA, CL_UNORM_INT8, color, 4);
  assert_memory_equal(pixel, bgra, 4);
  encode(CL_sRGBx, CL_UNORM_INT8, color, 4);
  assert_memory_equal(pixel, rgba, 4);
  encode(CL_sRGB, CL_UNORM_INT8, color, 3);
  assert_memory_equal(pixel, rgba, 3);
  const unsigned char clamped[] = {255, 0, 0, 255};
  encode(CL_sRGBA, CL_UNORM_INT8, wrong, 4);
  assert_memory_equal(pixel, clamped, 4);
  /* On both sides of where the curve begins: 12.92 c, then a power. */
  const cl_float ends[4] = {0.0031F, 0.0032F, 0.2F, 0};
  const unsigned char stored[] = {10, 11, 124, 0};
  encode(CL_sRGBA, CL_UNORM_INT8, ends, 4);
  assert_memory_equal(pixel, stored, 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(components_lie_as_the_order_says),
      cmocka_unit_test(depth_is_one_float),
      cmocka_unit_test(normalized_values_round_and_saturate),
      cmocka_unit_test(integers_saturate),
      cmocka_unit_test(halves_round_to_even),
      cmocka_unit_test(packed_components_are_in_the_highest_bits_first),
      cmocka_unit_test(packed_pixels_have_one_size_for_all_components),
      cmocka_unit_test(colours_are_stored_as_srgb_and_alpha_is_not),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
