/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Writing images in kernels, against a plain reference: every type of image and format, write-only and read-write; and
 * what the queries of images answer there. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "test_il.h"
#include "test_image.h"

enum { WIDTH = 9, HEIGHT = 6, DEPTH = 5, LAYERS = 4, MAX_PIXELS = WIDTH * HEIGHT * DEPTH };

static const char source[] =
    "#pragma OPENCL EXTENSION cl_khr_depth_images : enable\n"
    "#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable\n"
    "#define WRITER(access) \\\n"
    "  kernel void access##_kernel(access IMAGE image, global const VECTOR *colors, int4 size) { \\\n"
    "    int4 c = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0); \\\n"
    "    WRITE(image, c.FLOATS, colors[(c.z * size.y + c.y) * size.x + c.x]SCALAR); \\\n"
    "  }\n"
    "WRITER(write_only)\n"
    "WRITER(read_write)\n";

static cl_program build(cl_mem_object_type type, bool is_depth, test_pixel_kind_t kind) {
  static const char *const vectors[] = {"float4", "int4", "uint4"}, *const writes[] = {"f", "i", "ui"};
  static const char *const swizzles[] = {"", "x", "xy", "", "xyzw"};
  char options[200];
  snprintf(options, sizeof options,
           "-cl-std=CL3.0 -DIMAGE=%s -DVECTOR=%s -DWRITE=write_image%s -DFLOATS=%s -DSCALAR=%s",
           test_image_type_name(type, is_depth), vectors[kind], writes[kind], swizzles[test_image_coordinates(type)],
           is_depth ? ".x" : "");
  return test_program(source, options);
}

/* Values around everything that conversion does: ends of ranges, ties, specials. */
static float choose_float(uint32_t *seed) {
  static const float specials[] = {0.0f,  -0.0f, 1.0f,    -1.0f,   0.5f,  0.25f, 2.0f,     -2.0f,     1e-8f,
                                   6e-8f, 1e9f,  65519.f, 65520.f, 1e-5f, NAN,   INFINITY, -INFINITY, 0.0031308f};
  uint32_t choice = test_random(seed);
  if (choice % 4 == 0) return specials[choice / 4 % (sizeof specials / sizeof *specials)];
  float whole = (float)(test_random(seed) % 512);
  switch (choice % 3) {
    case 0: return (whole + 0.5f) / 255.0f;
    case 1: return (whole + 0.5f) / 65535.0f;
    default: return (float)test_random(seed) / 8388608.0f - 0.5f;
  }
}

static void choose_colors(test_pixel_kind_t kind, uint32_t *seed, test_color_t *out, size_t count) {
  for (size_t i = 0; i < count; i++) {
    for (int c = 0; c < 4; c++) {
      uint32_t bits = test_random(seed) << 8 ^ test_random(seed);
      out[i].u[c] = bits >> (test_random(seed) % 32);
      if (kind == TEST_PIXEL_INT && bits % 2) out[i].u[c] = ~out[i].u[c];
      if (kind == TEST_PIXEL_FLOAT) out[i].f[c] = choose_float(seed);
    }
  }
}

/* The signs and payloads of NaN are free. */
static bool same_pixel(const cl_image_format *format, const unsigned char *a, const unsigned char *b) {
  double left[4], right[4];
  if (memcmp(a, b, test_pixel_size(format)) == 0) return true;
  if (test_pixel_kind(format) != TEST_PIXEL_FLOAT) return false;
  test_pixel_decode(format, a, left);
  test_pixel_decode(format, b, right);
  for (int i = 0; i < 4; i++) {
    if (left[i] != right[i] && !(isnan(left[i]) && isnan(right[i]))) return false;
  }
  return true;
}

static void check_pixels(cl_mem image, const cl_image_format *format, const size_t size[3], const test_color_t *colors,
                         const char *name) {
  static unsigned char actual[MAX_PIXELS * TEST_MAX_PIXEL];
  const size_t origin[3] = {0, 0, 0}, pixel = test_pixel_size(format);
  ASSERT_CL(clEnqueueReadImage(dut.queue, image, CL_TRUE, origin, size, 0, 0, actual, 0, NULL, NULL));
  for (size_t i = 0; i < size[0] * size[1] * size[2]; i++) {
    unsigned char expected[TEST_MAX_PIXEL];
    test_pixel_encode(format, &colors[i], expected);
    if (same_pixel(format, actual + i * pixel, expected)) continue;
    fail_msg("%s, %s: pixel %zu of color (%g, %g, %g, %g) (0x%x ...) is 0x%02x%02x..., not 0x%02x%02x...", name,
             test_format_name(format), i, (double)colors[i].f[0], (double)colors[i].f[1], (double)colors[i].f[2],
             (double)colors[i].f[3], colors[i].u[0], actual[i * pixel], actual[i * pixel + 1], expected[0],
             expected[1]);
  }
}

static void check_format(cl_kernel kernel, const char *name, cl_mem_object_type type, const cl_image_format *format,
                         uint32_t *seed) {
  static test_color_t colors[MAX_PIXELS];
  cl_int error;
  cl_image_desc desc = test_image_desc(type, WIDTH, HEIGHT, DEPTH, LAYERS);
  size_t size[3] = {WIDTH, desc.image_height ? HEIGHT : 1, desc.image_depth ? DEPTH : 1};
  if (type == CL_MEM_OBJECT_IMAGE1D_ARRAY) size[1] = LAYERS;
  if (type == CL_MEM_OBJECT_IMAGE2D_ARRAY) size[2] = LAYERS;
  if (type == CL_MEM_OBJECT_IMAGE1D_BUFFER) desc.mem_object = test_buffer(WIDTH * TEST_MAX_PIXEL, NULL);
  cl_mem image = clCreateImage(dut.context, CL_MEM_READ_WRITE, format, &desc, NULL, &error);
  ASSERT_CL(error);
  choose_colors(test_pixel_kind(format), seed, colors, MAX_PIXELS);
  cl_mem buffer = test_buffer(sizeof colors, colors);
  const cl_int4 extent = {.s = {(cl_int)size[0], (cl_int)size[1], (cl_int)size[2], 0}};
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(cl_mem), &image));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof(cl_mem), &buffer));
  ASSERT_CL(clSetKernelArg(kernel, 2, sizeof extent, &extent));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 3, NULL, size, NULL, 0, NULL, NULL));
  check_pixels(image, format, size, colors, name);
  ASSERT_CL(clReleaseMemObject(buffer));
  ASSERT_CL(clReleaseMemObject(image));
  if (desc.mem_object) ASSERT_CL(clReleaseMemObject(desc.mem_object));
}

static void check_kind(cl_mem_object_type type, bool is_depth, test_pixel_kind_t kind) {
  static const char *const names[] = {"write_only_kernel", "read_write_kernel"};
  cl_image_format formats[TEST_MAX_FORMATS];
  cl_uint count = test_formats(type, formats), checked = 0;
  uint32_t seed = 77 + type + kind;
  cl_program program = build(type, is_depth, kind);
  for (int n = 0; n < 2; n++) {
    cl_int error;
    cl_kernel kernel = clCreateKernel(program, names[n], &error);
    ASSERT_CL(error);
    for (cl_uint i = 0; i < count; i++) {
      if (test_pixel_kind(&formats[i]) != kind || (formats[i].image_channel_order == CL_DEPTH) != is_depth) continue;
      check_format(kernel, names[n], type, &formats[i], &seed);
      checked++;
    }
    ASSERT_CL(clReleaseKernel(kernel));
  }
  assert_int_not_equal(checked, 0);
  ASSERT_CL(clReleaseProgram(program));
}

TEST_IMAGE_CASE(images_1d, IMAGE1D)
TEST_IMAGE_CASE(images_1d_of_buffers, IMAGE1D_BUFFER)
TEST_IMAGE_CASE(images_1d_array, IMAGE1D_ARRAY)
TEST_IMAGE_CASE(images_2d, IMAGE2D)
TEST_IMAGE_CASE(images_2d_array, IMAGE2D_ARRAY)
TEST_IMAGE_CASE(images_3d, IMAGE3D)
TEST_DEPTH_IMAGE_CASE(depth_images)

/* ------------------------------------------------------------ queries */

static const char query_source[] =
    "kernel void k(read_only image1d_array_t a, write_only image2d_array_t b, read_write image3d_t c,\n"
    "              read_only image1d_buffer_t d, global int *out) {\n"
    "  int2 size = get_image_dim(b);\n"
    "  int4 box = get_image_dim(c);\n"
    "  const int values[] = {get_image_width(a), (int)get_image_array_size(a), get_image_channel_order(a) == CLK_R,\n"
    "    get_image_channel_data_type(a) == CLK_FLOAT, get_image_width(b), get_image_height(b), size.x, size.y,\n"
    "    (int)get_image_array_size(b), get_image_depth(c), box.x, box.y, box.z, box.w, get_image_width(d)};\n"
    "  for (int i = 0; i < 15; i++) out[i] = values[i];\n"
    "}\n";

static void queries_answer_what_the_image_is(void **state) {
  (void)state;
  if (!test_device_number(CL_DEVICE_IMAGE_SUPPORT)) skip();
  static const cl_int expected[] = {11, 3, 1, 1, 4, 6, 4, 6, 7, 5, 2, 3, 5, 0, 13};
  enum { COUNT = sizeof expected / sizeof *expected };
  const cl_image_format format = {CL_R, CL_FLOAT};
  cl_image_desc descs[4] = {test_image_desc(CL_MEM_OBJECT_IMAGE1D_ARRAY, 11, 0, 0, 3),
                            test_image_desc(CL_MEM_OBJECT_IMAGE2D_ARRAY, 4, 6, 0, 7),
                            test_image_desc(CL_MEM_OBJECT_IMAGE3D, 2, 3, 5, 0),
                            test_image_desc(CL_MEM_OBJECT_IMAGE1D_BUFFER, 13, 0, 0, 0)};
  cl_kernel kernel = test_kernel(query_source, "-cl-std=CL3.0", "k");
  cl_mem images[4], result = test_buffer(sizeof expected, NULL);
  descs[3].mem_object = test_buffer(256, NULL);
  for (cl_uint i = 0; i < 4; i++) {
    cl_int error;
    images[i] = clCreateImage(dut.context, 0, &format, &descs[i], NULL, &error);
    ASSERT_CL(error);
    ASSERT_CL(clSetKernelArg(kernel, i, sizeof(cl_mem), &images[i]));
  }
  ASSERT_CL(clSetKernelArg(kernel, 4, sizeof(cl_mem), &result));
  const size_t one = 1;
  cl_int actual[COUNT];
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
  test_read(result, sizeof actual, actual);
  for (int i = 0; i < COUNT; i++) {
    /* Clang 22 takes SPIR-V's numbers of channel orders and types, which begin at 0, for OpenCL C's. */
    if (test_uses_il() && (i == 2 || i == 3)) continue;
    /* It also leaves the fourth component of get_image_dim undefined. */
    if (test_uses_il() && i == 13) continue;
    assert_int_equal(actual[i], expected[i]);
  }
  for (int i = 0; i < 4; i++) ASSERT_CL(clReleaseMemObject(images[i]));
  ASSERT_CL(clReleaseMemObject(descs[3].mem_object));
  ASSERT_CL(clReleaseMemObject(result));
  ASSERT_CL(clReleaseKernel(kernel));
}

/* ------------------------------------------------------------ samplers in programs */

static const char sampler_source[] =
    "constant sampler_t outer = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;\n"
    "float4 fetch(read_only image2d_t image, sampler_t s, float2 at) { return read_imagef(image, s, at); }\n"
    "kernel void k(read_only image2d_t image, global float4 *out, sampler_t given) {\n"
    "  const sampler_t inner = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;\n"
    "  out[0] = read_imagef(image, outer, (int2)(-1, 0));\n"
    "  out[1] = fetch(image, outer, (float2)(1.5f, 0.5f));\n"
    "  out[2] = fetch(image, inner, (float2)(0.0f, 0.5f));\n"
    "  out[3] = fetch(image, given, (float2)(9.0f, 0.0f));\n"
    "  out[4] = read_imagef(image, CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST, (int2)(-5, 7));\n"
    "}\n";

static void samplers_come_from_anywhere(void **state) {
  (void)state;
  if (!test_device_number(CL_DEVICE_IMAGE_SUPPORT)) skip();
  const cl_image_format format = {CL_RGBA, CL_FLOAT};
  const cl_image_desc desc = test_image_desc(CL_MEM_OBJECT_IMAGE2D, 2, 1, 0, 0);
  cl_float pixels[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  static const cl_float expected[5][4] = {{0, 0, 0, 0}, {5, 6, 7, 8}, {3, 4, 5, 6}, {5, 6, 7, 8}, {1, 2, 3, 4}};
  cl_int error;
  cl_mem image = clCreateImage(dut.context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, &desc, pixels, &error);
  ASSERT_CL(error);
  const cl_sampler_properties properties[] = {CL_SAMPLER_NORMALIZED_COORDS, CL_FALSE, CL_SAMPLER_ADDRESSING_MODE,
                                              CL_ADDRESS_CLAMP_TO_EDGE, 0};
  cl_sampler sampler = clCreateSamplerWithProperties(dut.context, properties, &error);
  ASSERT_CL(error);
  cl_mem result = test_buffer(sizeof expected, NULL);
  cl_kernel kernel = test_kernel(sampler_source, "-cl-std=CL3.0", "k");
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(cl_mem), &image));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof(cl_mem), &result));
  ASSERT_CL(clSetKernelArg(kernel, 2, sizeof(cl_sampler), &sampler));
  /* A kernel needs the value, not the object. */
  ASSERT_CL(clReleaseSampler(sampler));
  const size_t one = 1;
  cl_float actual[5][4];
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
  test_read(result, sizeof actual, actual);
  assert_memory_equal(actual, expected, sizeof expected);
  ASSERT_CL(clReleaseKernel(kernel));
  ASSERT_CL(clReleaseMemObject(result));
  ASSERT_CL(clReleaseMemObject(image));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(images_1d),
      cmocka_unit_test(images_1d_of_buffers),
      cmocka_unit_test(images_1d_array),
      cmocka_unit_test(images_2d),
      cmocka_unit_test(images_2d_array),
      cmocka_unit_test(images_3d),
      cmocka_unit_test(depth_images),
      cmocka_unit_test(queries_answer_what_the_image_is),
      cmocka_unit_test(samplers_come_from_anywhere),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
