/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Images in host memory, and sampling them by the formulas of OpenCL C section 8.2. */
#include <math.h>
#include <stdlib.h>

#include "test_image.h"

uint32_t test_random(uint32_t *seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return *seed >> 8;
}

/* ------------------------------------------------------------ images */

cl_image_desc test_image_desc(cl_mem_object_type type, size_t width, size_t height, size_t depth, size_t layers) {
  bool has_height =
      type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY || type == CL_MEM_OBJECT_IMAGE3D;
  bool is_array = type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
  return (cl_image_desc){.image_type = type,
                         .image_width = width,
                         .image_height = has_height ? height : 0,
                         .image_depth = type == CL_MEM_OBJECT_IMAGE3D ? depth : 0,
                         .image_array_size = is_array ? layers : 0};
}

unsigned test_image_coordinates(cl_mem_object_type type) {
  switch (type) {
    case CL_MEM_OBJECT_IMAGE1D_ARRAY:
    case CL_MEM_OBJECT_IMAGE2D: return 2;
    case CL_MEM_OBJECT_IMAGE2D_ARRAY:
    case CL_MEM_OBJECT_IMAGE3D: return 4;
    default: return 1;
  }
}

const char *test_image_type_name(cl_mem_object_type type, bool is_depth) {
  switch (type) {
    case CL_MEM_OBJECT_IMAGE1D: return "image1d_t";
    case CL_MEM_OBJECT_IMAGE1D_BUFFER: return "image1d_buffer_t";
    case CL_MEM_OBJECT_IMAGE1D_ARRAY: return "image1d_array_t";
    case CL_MEM_OBJECT_IMAGE2D: return is_depth ? "image2d_depth_t" : "image2d_t";
    case CL_MEM_OBJECT_IMAGE2D_ARRAY: return is_depth ? "image2d_array_depth_t" : "image2d_array_t";
    default: return "image3d_t";
  }
}

cl_uint test_formats(cl_mem_object_type type, cl_image_format formats[TEST_MAX_FORMATS]) {
  cl_uint count = 0;
  ASSERT_CL(clGetSupportedImageFormats(dut.context, CL_MEM_READ_WRITE, type, TEST_MAX_FORMATS, formats, &count));
  assert_in_range(count, 1, TEST_MAX_FORMATS);
  return count;
}

size_t test_pixels_bytes(const test_pixels_t *pixels) {
  return pixels->width * pixels->height * pixels->depth * pixels->layers * test_pixel_size(&pixels->format);
}

void test_pixels_create(test_pixels_t *pixels, uint32_t *seed) {
  size_t size = test_pixels_bytes(pixels);
  pixels->data = malloc(size);
  assert_non_null(pixels->data);
  for (size_t i = 0; i < size; i++) pixels->data[i] = (unsigned char)test_random(seed);
  /* The upper byte of a number gets an exponent in the middle. */
  if (pixels->format.image_channel_data_type == CL_HALF_FLOAT) {
    for (size_t i = 1; i < size; i += 2) pixels->data[i] &= 0xbf;
  }
  if (pixels->format.image_channel_data_type == CL_FLOAT) {
    for (size_t i = 3; i < size; i += 4) pixels->data[i] = (unsigned char)((pixels->data[i] & 0x83) | 0x3c);
  }
}

void test_pixels_free(test_pixels_t *pixels) { free(pixels->data); }

cl_mem test_pixels_image(const test_pixels_t *pixels, cl_mem_flags flags) {
  cl_int error;
  const cl_image_desc desc =
      test_image_desc(pixels->type, pixels->width, pixels->height, pixels->depth, pixels->layers);
  cl_mem image = clCreateImage(dut.context, flags | CL_MEM_COPY_HOST_PTR, &pixels->format, &desc, pixels->data, &error);
  ASSERT_CL(error);
  return image;
}

/* ------------------------------------------------------------ texels */

static unsigned dimensions(const test_pixels_t *pixels) {
  switch (pixels->type) {
    case CL_MEM_OBJECT_IMAGE3D: return 3;
    case CL_MEM_OBJECT_IMAGE2D:
    case CL_MEM_OBJECT_IMAGE2D_ARRAY: return 2;
    default: return 1;
  }
}

/* Section 8.2: orders without alpha have an opaque border; what a depth image's is beyond the first, nobody sees. */
static void border(cl_channel_order order, double out[4]) {
  bool is_opaque = order == CL_R || order == CL_RG || order == CL_RGB || order == CL_LUMINANCE || order == CL_DEPTH;
  out[0] = out[1] = out[2] = 0;
  out[3] = is_opaque;
}

static void texel(const test_pixels_t *pixels, const long index[3], long layer, double out[4]) {
  const size_t size[3] = {pixels->width, pixels->height, pixels->depth};
  for (unsigned i = 0; i < 3; i++) {
    if (index[i] >= 0 && (size_t)index[i] < size[i]) continue;
    border(pixels->format.image_channel_order, out);
    return;
  }
  size_t slice = (size_t)index[2] + (size_t)layer;
  size_t place = (slice * pixels->height + (size_t)index[1]) * pixels->width + (size_t)index[0];
  test_pixel_decode(&pixels->format, pixels->data + place * test_pixel_size(&pixels->format), out);
}

static long clamp(double value, long low, long high) {
  return value<(double)low ? low : value>(double) high ? high : (long)value;
}

static long address(cl_addressing_mode mode, double index, long size) {
  return mode == CL_ADDRESS_CLAMP ? clamp(index, -1, size) : clamp(index, 0, size - 1);
}

/* ------------------------------------------------------------ filters */

/* Single precision, as the specification's formulas are computed. */
static float pixel_coordinate(const test_sampler_t *sampler, float s, long size) {
  switch (sampler->addressing) {
    case CL_ADDRESS_REPEAT: return (s - floorf(s)) * (float)size;
    case CL_ADDRESS_MIRRORED_REPEAT: return fabsf(s - 2.0f * rintf(0.5f * s)) * (float)size;
    default: return sampler->normalized ? s * (float)size : s;
  }
}

static long nearest(const test_sampler_t *sampler, float s, long size) {
  double index = floorf(pixel_coordinate(sampler, s, size));
  if (sampler->addressing == CL_ADDRESS_REPEAT) return (long)index > size - 1 ? (long)index - size : (long)index;
  return address(sampler->addressing, index, size);
}

static double linear(const test_sampler_t *sampler, float s, long size, long out[2]) {
  float u = pixel_coordinate(sampler, s, size) - 0.5f;
  double low = floorf(u);
  if (sampler->addressing == CL_ADDRESS_REPEAT) {
    out[0] = (long)low < 0 ? (long)low + size : (long)low;
    out[1] = (long)low + 1 > size - 1 ? (long)low + 1 - size : (long)low + 1;
  } else {
    out[0] = address(sampler->addressing, low, size);
    out[1] = address(sampler->addressing, low + 1, size);
  }
  return (double)(u - (float)low);
}

void test_sample(const test_pixels_t *pixels, const test_sampler_t *sampler, const float coordinates[4],
                 double out[4]) {
  const size_t size[3] = {pixels->width, pixels->height, pixels->depth};
  unsigned count = dimensions(pixels);
  long layer = pixels->layers == 1 ? 0 : clamp(rintf(coordinates[count]), 0, (long)pixels->layers - 1);
  long pair[3][2] = {{0}};
  double weight[3] = {0};
  bool is_linear = sampler->filter == CL_FILTER_LINEAR;
  for (unsigned i = 0; i < count; i++) {
    if (is_linear) {
      weight[i] = linear(sampler, coordinates[i], (long)size[i], pair[i]);
    } else {
      pair[i][0] = nearest(sampler, coordinates[i], (long)size[i]);
    }
  }
  memset(out, 0, 4 * sizeof *out);
  for (unsigned corner = 0; corner < (is_linear ? 1u << count : 1); corner++) {
    long index[3];
    double share = 1, color[4];
    for (unsigned i = 0; i < 3; i++) {
      bool high = corner >> i & 1;
      index[i] = pair[i][high];
      if (i < count) share *= high ? weight[i] : 1 - weight[i];
    }
    texel(pixels, index, layer, color);
    for (unsigned i = 0; i < 4; i++) out[i] += share * color[i];
  }
}
