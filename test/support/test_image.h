/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Images in tests: their pixels and what samplers make of them, computed plainly, a pixel and a component at a time, as
 * the specification's formulas say (OpenCL C section 8). */
#ifndef SUPPORT_TEST_IMAGE_H
#define SUPPORT_TEST_IMAGE_H

#include "test_device.h"

enum { TEST_MAX_PIXEL = 16, TEST_MAX_FORMATS = 128 };

/** What a channel type is read and written as. */
typedef enum test_pixel_kind_t { TEST_PIXEL_FLOAT, TEST_PIXEL_INT, TEST_PIXEL_UINT } test_pixel_kind_t;

test_pixel_kind_t test_pixel_kind(const cl_image_format *format);
/** Bytes of a pixel. */
size_t test_pixel_size(const cl_image_format *format);
/** "CL_RGBA, CL_FLOAT" as numbers, for messages; valid until the next call. */
const char *test_format_name(const cl_image_format *format);

/** The components that a kernel reads. Integers, half and float are exact, all else is so up to double precision. */
void test_pixel_decode(const cl_image_format *format, const void *pixel, double out[4]);

/** A colour as a kernel writes it: float, int or unsigned int by the format's kind. */
typedef union test_color_t {
  cl_float f[4];
  cl_int i[4];
  cl_uint u[4];
} test_color_t;

/** The pixel that such a colour becomes. */
void test_pixel_encode(const cl_image_format *format, const test_color_t *color, void *out);

/** The formats of images of a type; how many there are. */
cl_uint test_formats(cl_mem_object_type type, cl_image_format formats[TEST_MAX_FORMATS]);

/** An image's pixels in host memory, tightly packed. Sizes that the type does not have are 1. */
typedef struct test_pixels_t {
  cl_image_format format;
  cl_mem_object_type type;
  size_t width, height, depth, layers;
  unsigned char *data;
} test_pixels_t;

/** Memory with random contents, in which half and float are finite and of moderate size; test_pixels_free. */
void test_pixels_create(test_pixels_t *pixels, uint32_t *seed);
void test_pixels_free(test_pixels_t *pixels);
size_t test_pixels_bytes(const test_pixels_t *pixels);
/** An image with these contents. */
cl_mem test_pixels_image(const test_pixels_t *pixels, cl_mem_flags flags);

typedef struct test_sampler_t {
  cl_bool normalized;
  cl_addressing_mode addressing;
  cl_filter_mode filter;
} test_sampler_t;

/** What read_image gives at coordinates: x, y, z as far as the type has them, then the layer. */
void test_sample(const test_pixels_t *pixels, const test_sampler_t *sampler, const float coordinates[4], double out[4]);

/** The next number of a fixed sequence. */
uint32_t test_random(uint32_t *seed);

/** How many coordinates images of a type have, the layer among them; and that type in OpenCL C: "image2d_t". */
unsigned test_image_coordinates(cl_mem_object_type type);
const char *test_image_type_name(cl_mem_object_type type, bool is_depth);

/** An image description with all dimensions that the type has. */
cl_image_desc test_image_desc(cl_mem_object_type type, size_t width, size_t height, size_t depth, size_t layers);

/** Define tests of one type of image, of each kind of pixel, by the program's own
 * `void check_kind(cl_mem_object_type type, bool is_depth, test_pixel_kind_t kind)`. */
#define TEST_IMAGE_CASE(name, type)                            \
  static void name(void **state) {                             \
    (void)state;                                               \
    if (!test_device_number(CL_DEVICE_IMAGE_SUPPORT)) skip();  \
    check_kind(CL_MEM_OBJECT_##type, false, TEST_PIXEL_FLOAT); \
    check_kind(CL_MEM_OBJECT_##type, false, TEST_PIXEL_INT);   \
    check_kind(CL_MEM_OBJECT_##type, false, TEST_PIXEL_UINT);  \
  }
#define TEST_DEPTH_IMAGE_CASE(name)                                  \
  static void name(void **state) {                                   \
    (void)state;                                                     \
    if (!test_device_number(CL_DEVICE_IMAGE_SUPPORT)) skip();        \
    check_kind(CL_MEM_OBJECT_IMAGE2D, true, TEST_PIXEL_FLOAT);       \
    check_kind(CL_MEM_OBJECT_IMAGE2D_ARRAY, true, TEST_PIXEL_FLOAT); \
  }

#endif
