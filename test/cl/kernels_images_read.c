/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Reading images in kernels, against a plain reference: every type of image, format, addressing mode and filter, with
 * float and integer coordinates, and without a sampler. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "test_image.h"

enum { POINTS = 96 };

static const char source[] =
    "#pragma OPENCL EXTENSION cl_khr_depth_images : enable\n"
    "kernel void at_floats(read_only IMAGE image, sampler_t s, global const float4 *c, global VECTOR *out) {\n"
    "  size_t i = get_global_id(0);\n"
    "  out[i] = READ(image, s, c[i].FLOATS);\n"
    "}\n"
    "kernel void at_integers(read_only IMAGE image, sampler_t s, global const int4 *c, global VECTOR *out) {\n"
    "  size_t i = get_global_id(0);\n"
    "  out[i] = READ(image, s, c[i].FLOATS);\n"
    "}\n"
    "kernel void plain(read_only IMAGE image, global const int4 *c, global VECTOR *out) {\n"
    "  size_t i = get_global_id(0);\n"
    "  out[i] = READ(image, c[i].FLOATS);\n"
    "}\n"
    "kernel void as_written(read_write IMAGE image, global const int4 *c, global VECTOR *out) {\n"
    "  size_t i = get_global_id(0);\n"
    "  out[i] = READ(image, c[i].FLOATS);\n"
    "}\n";

/* What one program reads. */
typedef struct reader_t {
  cl_mem_object_type type;
  bool is_depth;
  test_pixel_kind_t kind;
  cl_program program;
  cl_mem coordinates, result;
} reader_t;

static cl_program build(cl_mem_object_type type, bool is_depth, test_pixel_kind_t kind) {
  static const char *const vectors[] = {"float4", "int4", "uint4"}, *const reads[] = {"f", "i", "ui"};
  static const char *const swizzles[] = {"", "x", "xy", "", "xyzw"};
  char options[200];
  snprintf(options, sizeof options, "-cl-std=CL3.0 -DIMAGE=%s -DVECTOR=%s -DREAD=read_image%s -DFLOATS=%s",
           test_image_type_name(type, is_depth), is_depth ? "float" : vectors[kind], reads[kind],
           swizzles[test_image_coordinates(type)]);
  return test_program(source, options);
}

static void reader_create(reader_t *reader, cl_mem_object_type type, bool is_depth, test_pixel_kind_t kind) {
  *reader = (reader_t){.type = type, .is_depth = is_depth, .kind = kind, .program = build(type, is_depth, kind)};
  reader->coordinates = test_buffer(POINTS * sizeof(cl_float4), NULL);
  reader->result = test_buffer(POINTS * sizeof(cl_float4), NULL);
}

static void reader_release(reader_t *reader) {
  ASSERT_CL(clReleaseMemObject(reader->result));
  ASSERT_CL(clReleaseMemObject(reader->coordinates));
  ASSERT_CL(clReleaseProgram(reader->program));
}

/** Runs a kernel over `coordinates`; a null sampler is none. */
static void reader_run(reader_t *reader, const char *name, cl_mem image, cl_sampler sampler, const void *coordinates,
                       test_color_t out[POINTS]) {
  cl_int error;
  cl_uint index = 0;
  const size_t points = POINTS;
  cl_kernel kernel = clCreateKernel(reader->program, name, &error);
  ASSERT_CL(error);
  ASSERT_CL(clEnqueueWriteBuffer(dut.queue, reader->coordinates, CL_FALSE, 0, POINTS * sizeof(cl_float4), coordinates,
                                 0, NULL, NULL));
  ASSERT_CL(clSetKernelArg(kernel, index++, sizeof(cl_mem), &image));
  if (sampler) ASSERT_CL(clSetKernelArg(kernel, index++, sizeof(cl_sampler), &sampler));
  ASSERT_CL(clSetKernelArg(kernel, index++, sizeof(cl_mem), &reader->coordinates));
  ASSERT_CL(clSetKernelArg(kernel, index++, sizeof(cl_mem), &reader->result));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &points, NULL, 0, NULL, NULL));
  if (reader->is_depth) {
    cl_float depths[POINTS];
    test_read(reader->result, sizeof depths, depths);
    for (int i = 0; i < POINTS; i++) out[i].f[0] = depths[i];
  } else {
    test_read(reader->result, POINTS * sizeof *out, out);
  }
  ASSERT_CL(clReleaseKernel(kernel));
}

/* ------------------------------------------------------------ comparing */

static double component(const test_color_t *color, test_pixel_kind_t kind, int i) {
  return kind == TEST_PIXEL_INT ? color->i[i] : kind == TEST_PIXEL_UINT ? color->u[i] : (double)color->f[i];
}

/* Numbers that are stored as such come back exactly, normalized ones within 1.5 ulp (OpenCL C section 8.3.1.1), sRGB
 * within half an ulp of 8 bits (8.3.1.5), which a table does much better; filters add some roundings. */
static double tolerance(const cl_image_format *format, cl_filter_mode filter, double expected) {
  bool is_exact = test_pixel_kind(format) != TEST_PIXEL_FLOAT || format->image_channel_data_type == CL_FLOAT ||
                  format->image_channel_data_type == CL_HALF_FLOAT;
  if (filter == CL_FILTER_LINEAR) return 4e-6 * fmax(1, fabs(expected));
  return is_exact ? 0 : 1.5 * ldexp(fabs(expected), -23);
}

static void compare(const reader_t *reader, const test_pixels_t *pixels, const test_sampler_t *sampler,
                    const float coordinates[4], const test_color_t *actual) {
  double expected[4];
  test_sample(pixels, sampler, coordinates, expected);
  for (int i = 0; i < (reader->is_depth ? 1 : 4); i++) {
    double value = component(actual, reader->kind, i);
    if (fabs(value - expected[i]) <= tolerance(&pixels->format, sampler->filter, expected[i])) continue;
    fail_msg("%s, %s, address 0x%x, filter 0x%x, normalized %u, at (%a, %a, %a): component %d is %.9g, not %.9g",
             test_image_type_name(pixels->type, reader->is_depth), test_format_name(&pixels->format),
             sampler->addressing, sampler->filter, sampler->normalized, (double)coordinates[0], (double)coordinates[1],
             (double)coordinates[2], i, value, expected[i]);
  }
}

/* ------------------------------------------------------------ coordinates */

static float unit(uint32_t *seed) { return (float)(test_random(seed) & 0xffff) / 65536.0f; }

/* Inside, on edges and centres of pixels, outside by little, by much, and by all there is. */
static float float_coordinate(uint32_t *seed, size_t size, bool normalized) {
  static const float far[] = {1e30f, -1e30f, 3e9f, -3e9f, 16777216.0f, NAN, INFINITY, -INFINITY};
  float pixel = (float)(int)(test_random(seed) % (size + 4)) - 2.0f;
  if (test_random(seed) % 16 == 0) return far[test_random(seed) % (sizeof far / sizeof *far)];
  switch (test_random(seed) % 4) {
    case 0: break;
    case 1: pixel += 0.5f; break;
    case 2: pixel += unit(seed); break;
    default: pixel = (unit(seed) * 9 - 4) * (float)size; break;
  }
  return normalized ? pixel / (float)size : pixel;
}

static void choose_floats(const test_pixels_t *pixels, bool normalized, uint32_t *seed, cl_float4 out[POINTS]) {
  const size_t size[3] = {pixels->width, pixels->height, pixels->depth};
  unsigned count = pixels->type == CL_MEM_OBJECT_IMAGE3D ? 3 : pixels->height > 1 ? 2 : 1;
  for (int i = 0; i < POINTS; i++) {
    for (unsigned d = 0; d < 4; d++) {
      out[i].s[d] =
          d < count ? float_coordinate(seed, size[d], normalized) : float_coordinate(seed, pixels->layers, false);
    }
  }
}

/** `margin`: how far outside. */
static void choose_integers(const test_pixels_t *pixels, unsigned margin, uint32_t *seed, cl_int4 out[POINTS]) {
  const size_t size[3] = {pixels->width, pixels->height, pixels->depth};
  unsigned count = pixels->type == CL_MEM_OBJECT_IMAGE3D ? 3 : pixels->height > 1 ? 2 : 1;
  for (int i = 0; i < POINTS; i++) {
    for (unsigned d = 0; d < 4; d++) {
      size_t extent = d < count ? size[d] : pixels->layers;
      out[i].s[d] = (cl_int)(test_random(seed) % (extent + 2 * margin)) - (cl_int)margin;
    }
  }
}

/* ------------------------------------------------------------ cases */

static cl_sampler make_sampler(const test_sampler_t *sampler) {
  cl_int error;
  const cl_sampler_properties properties[] = {CL_SAMPLER_NORMALIZED_COORDS,
                                              sampler->normalized,
                                              CL_SAMPLER_ADDRESSING_MODE,
                                              sampler->addressing,
                                              CL_SAMPLER_FILTER_MODE,
                                              sampler->filter,
                                              0};
  cl_sampler out = clCreateSamplerWithProperties(dut.context, properties, &error);
  ASSERT_CL(error);
  return out;
}

/* Section 6.15.15.2: what is read at infinity or NaN, or outside without an addressing mode, is not said; that nothing
 * else happens is. */
static bool is_defined(const test_pixels_t *pixels, const test_sampler_t *sampler, const float coordinates[4]) {
  const size_t size[3] = {pixels->width, pixels->height, pixels->depth};
  for (int d = 0; d < 4; d++) {
    if (!isfinite(coordinates[d])) return false;
  }
  for (int d = 0; d < 3 && sampler->addressing == CL_ADDRESS_NONE; d++) {
    float extent = sampler->normalized ? 1 : (float)size[d];
    if (size[d] > 1 && !(coordinates[d] >= 0 && coordinates[d] < extent)) return false;
  }
  return true;
}

static void check_floats(reader_t *reader, const test_pixels_t *pixels, cl_mem image, const test_sampler_t *sampler,
                         uint32_t *seed) {
  cl_float4 coordinates[POINTS];
  test_color_t colors[POINTS];
  cl_sampler object = make_sampler(sampler);
  choose_floats(pixels, sampler->normalized, seed, coordinates);
  reader_run(reader, "at_floats", image, object, coordinates, colors);
  for (int i = 0; i < POINTS; i++) {
    if (is_defined(pixels, sampler, coordinates[i].s)) compare(reader, pixels, sampler, coordinates[i].s, &colors[i]);
  }
  ASSERT_CL(clReleaseSampler(object));
}

static void check_integers(reader_t *reader, const test_pixels_t *pixels, cl_mem image, cl_addressing_mode addressing,
                           uint32_t *seed) {
  const test_sampler_t sampler = {CL_FALSE, addressing, CL_FILTER_NEAREST};
  cl_int4 coordinates[POINTS];
  test_color_t colors[POINTS];
  cl_sampler object = make_sampler(&sampler);
  choose_integers(pixels, addressing == CL_ADDRESS_NONE ? 0 : 3, seed, coordinates);
  reader_run(reader, "at_integers", image, object, coordinates, colors);
  for (int i = 0; i < POINTS; i++) {
    const cl_int *c = coordinates[i].s;
    compare(reader, pixels, &sampler, (const float[]){(float)c[0], (float)c[1], (float)c[2], (float)c[3]}, &colors[i]);
  }
  ASSERT_CL(clReleaseSampler(object));
}

static void check_plain(reader_t *reader, const char *kernel, const test_pixels_t *pixels, cl_mem image,
                        uint32_t *seed) {
  const test_sampler_t sampler = {CL_FALSE, CL_ADDRESS_NONE, CL_FILTER_NEAREST};
  cl_int4 coordinates[POINTS];
  test_color_t colors[POINTS];
  choose_integers(pixels, 0, seed, coordinates);
  reader_run(reader, kernel, image, NULL, coordinates, colors);
  for (int i = 0; i < POINTS; i++) {
    const cl_int *c = coordinates[i].s;
    compare(reader, pixels, &sampler, (const float[]){(float)c[0], (float)c[1], (float)c[2], (float)c[3]}, &colors[i]);
  }
}

static void check_format(reader_t *reader, const cl_image_format *format, uint32_t *seed) {
  test_pixels_t pixels = {*format, reader->type, 7, 1, 1, 1, NULL};
  if (reader->type == CL_MEM_OBJECT_IMAGE2D || reader->type == CL_MEM_OBJECT_IMAGE2D_ARRAY ||
      reader->type == CL_MEM_OBJECT_IMAGE3D) {
    pixels.height = 5;
  }
  if (reader->type == CL_MEM_OBJECT_IMAGE3D) pixels.depth = 4;
  if (reader->type == CL_MEM_OBJECT_IMAGE1D_ARRAY || reader->type == CL_MEM_OBJECT_IMAGE2D_ARRAY) pixels.layers = 3;
  test_pixels_create(&pixels, seed);
  cl_mem image = test_pixels_image(&pixels, CL_MEM_READ_WRITE);
  for (cl_addressing_mode mode = CL_ADDRESS_NONE; mode <= CL_ADDRESS_MIRRORED_REPEAT; mode++) {
    bool wraps = mode == CL_ADDRESS_REPEAT || mode == CL_ADDRESS_MIRRORED_REPEAT;
    for (cl_bool normalized = wraps; normalized <= CL_TRUE; normalized++) {
      check_floats(reader, &pixels, image, &(test_sampler_t){normalized, mode, CL_FILTER_NEAREST}, seed);
      if (reader->kind == TEST_PIXEL_FLOAT && mode != CL_ADDRESS_NONE) {
        check_floats(reader, &pixels, image, &(test_sampler_t){normalized, mode, CL_FILTER_LINEAR}, seed);
      }
    }
    if (!wraps) check_integers(reader, &pixels, image, mode, seed);
  }
  check_plain(reader, "plain", &pixels, image, seed);
  check_plain(reader, "as_written", &pixels, image, seed);
  ASSERT_CL(clReleaseMemObject(image));
  test_pixels_free(&pixels);
}

static void check_kind(cl_mem_object_type type, bool is_depth, test_pixel_kind_t kind) {
  cl_image_format formats[TEST_MAX_FORMATS];
  cl_uint count = test_formats(type, formats), checked = 0;
  uint32_t seed = 20170 + type + kind;
  reader_t reader;
  reader_create(&reader, type, is_depth, kind);
  for (cl_uint i = 0; i < count; i++) {
    if (test_pixel_kind(&formats[i]) != kind || (formats[i].image_channel_order == CL_DEPTH) != is_depth) continue;
    check_format(&reader, &formats[i], &seed);
    checked++;
  }
  assert_int_not_equal(checked, 0);
  reader_release(&reader);
}

TEST_IMAGE_CASE(images_1d, IMAGE1D)
TEST_IMAGE_CASE(images_1d_array, IMAGE1D_ARRAY)
TEST_IMAGE_CASE(images_2d, IMAGE2D)
TEST_IMAGE_CASE(images_2d_array, IMAGE2D_ARRAY)
TEST_IMAGE_CASE(images_3d, IMAGE3D)
TEST_DEPTH_IMAGE_CASE(depth_images)

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(images_1d),       cmocka_unit_test(images_1d_array), cmocka_unit_test(images_2d),
      cmocka_unit_test(images_2d_array), cmocka_unit_test(images_3d),       cmocka_unit_test(depth_images),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
