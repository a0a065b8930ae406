/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Mipmapped images in kernels (cl_khr_mipmap_image, cl_khr_mipmap_image_writes), against a plain reference: every type
 * of image, levels of detail that are given and that gradients give, filters between levels, limits of samplers, writes
 * to each level, and what the queries answer. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <CL/cl_ext.h>

#include "test_extension.h"
#include "test_image.h"

enum { POINTS = 64, LEVELS = 4, WIDTH = 13, HEIGHT = 6, DEPTH = 5, LAYERS = 3, MAX_PIXELS = WIDTH * HEIGHT * DEPTH };

static const char source[] =
    "#pragma OPENCL EXTENSION cl_khr_mipmap_image : enable\n"
    "#pragma OPENCL EXTENSION cl_khr_mipmap_image_writes : enable\n"
    "#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable\n"
    "#if !defined(cl_khr_mipmap_image) || !defined(cl_khr_mipmap_image_writes)\n"
    "#error no macro\n"
    "#endif\n"
    "kernel void at_lod(read_only IMAGE image, sampler_t s, global const float4 *c, global const float4 *x,\n"
    "                   global const float4 *y, global VECTOR *out) {\n"
    "  size_t i = get_global_id(0);\n"
    "  out[i] = READ(image, s, c[i].FLOATS, x[i].x);\n"
    "}\n"
    "kernel void along(read_only IMAGE image, sampler_t s, global const float4 *c, global const float4 *x,\n"
    "                  global const float4 *y, global VECTOR *out) {\n"
    "  size_t i = get_global_id(0);\n"
    "  out[i] = READ(image, s, c[i].FLOATS, x[i].STEPS, y[i].STEPS);\n"
    "}\n"
    "kernel void first(read_only IMAGE image, sampler_t s, global const float4 *c, global const float4 *x,\n"
    "                  global const float4 *y, global VECTOR *out) {\n"
    "  size_t i = get_global_id(0);\n"
    "  out[i] = READ(image, s, c[i].FLOATS);\n"
    "}\n"
    "kernel void own_sampler(read_only IMAGE image, sampler_t s, global const float4 *c, global const float4 *x,\n"
    "                        global const float4 *y, global VECTOR *out) {\n"
    "  const sampler_t own = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;\n"
    "  size_t i = get_global_id(0);\n"
    "  out[i] = READ(image, own, c[i].FLOATS, x[i].x);\n"
    "}\n"
    "kernel void count(read_only IMAGE image, write_only IMAGE other, global int *out) {\n"
    "  out[0] = get_image_num_mip_levels(image);\n"
    "  out[1] = get_image_num_mip_levels(other);\n"
    "}\n"
    "kernel void write(write_only IMAGE image, int level, int4 size, global const VECTOR *colors) {\n"
    "  int4 c = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);\n"
    "  WRITE(image, c.FLOATS, level, colors[(c.z * size.y + c.y) * size.x + c.x]);\n"
    "}\n"
    "kernel void write_first(write_only IMAGE image, int4 size, global const VECTOR *colors) {\n"
    "  int4 c = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);\n"
    "  WRITE(image, c.FLOATS, colors[(c.z * size.y + c.y) * size.x + c.x]);\n"
    "}\n";

static bool is_array(cl_mem_object_type type) {
  return type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
}

static unsigned dimensions(cl_mem_object_type type) {
  switch (type) {
    case CL_MEM_OBJECT_IMAGE3D: return 3;
    case CL_MEM_OBJECT_IMAGE2D:
    case CL_MEM_OBJECT_IMAGE2D_ARRAY: return 2;
    default: return 1;
  }
}

static cl_program build(cl_mem_object_type type, test_pixel_kind_t kind) {
  static const char *const vectors[] = {"float4", "int4", "uint4"}, *const names[] = {"f", "i", "ui"};
  static const char *const swizzles[] = {"", "x", "xy", "xyzw", "xyzw"};
  char options[240];
  snprintf(options, sizeof options,
           "-cl-std=CL3.0 -DIMAGE=%s -DVECTOR=%s -DREAD=read_image%s -DWRITE=write_image%s -DFLOATS=%s -DSTEPS=%s",
           test_image_type_name(type, false), vectors[kind], names[kind], names[kind],
           swizzles[test_image_coordinates(type)], swizzles[dimensions(type)]);
  return test_program(source, options);
}

/* ------------------------------------------------------------ an image, and its levels in host memory */

typedef struct mipmap_t {
  cl_mem image;
  test_pixels_t levels[LEVELS];
} mipmap_t;

static size_t half(size_t size, unsigned level) { return size >> level ? size >> level : 1; }

/* The level's size as commands count it, and an origin that names the level. */
static void find_box(const mipmap_t *mipmap, unsigned level, size_t origin[4], size_t region[3]) {
  const test_pixels_t *pixels = &mipmap->levels[level];
  cl_mem_object_type type = pixels->type;
  memset(origin, 0, 4 * sizeof *origin);
  origin[dimensions(type) + is_array(type)] = level;
  region[0] = pixels->width;
  region[1] = type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? LAYERS : pixels->height;
  region[2] = type == CL_MEM_OBJECT_IMAGE2D_ARRAY ? LAYERS : pixels->depth;
}

static void mipmap_create(mipmap_t *mipmap, cl_mem_object_type type, const cl_image_format *format, uint32_t *seed) {
  cl_int error;
  cl_image_desc desc = test_image_desc(type, WIDTH, HEIGHT, DEPTH, LAYERS);
  desc.num_mip_levels = LEVELS;
  mipmap->image = clCreateImage(dut.context, CL_MEM_READ_WRITE, format, &desc, NULL, &error);
  ASSERT_CL(error);
  for (unsigned i = 0; i < LEVELS; i++) {
    size_t origin[4], region[3];
    mipmap->levels[i] = (test_pixels_t){.format = *format,
                                        .type = type,
                                        .width = half(WIDTH, i),
                                        .height = dimensions(type) > 1 ? half(HEIGHT, i) : 1,
                                        .depth = dimensions(type) > 2 ? half(DEPTH, i) : 1,
                                        .layers = is_array(type) ? LAYERS : 1};
    test_pixels_create(&mipmap->levels[i], seed);
    find_box(mipmap, i, origin, region);
    ASSERT_CL(clEnqueueWriteImage(dut.queue, mipmap->image, CL_TRUE, origin, region, 0, 0, mipmap->levels[i].data, 0,
                                  NULL, NULL));
  }
}

static void mipmap_release(mipmap_t *mipmap) {
  for (unsigned i = 0; i < LEVELS; i++) test_pixels_free(&mipmap->levels[i]);
  ASSERT_CL(clReleaseMemObject(mipmap->image));
}

/* ------------------------------------------------------------ the reference */

typedef struct mip_sampler_t {
  test_sampler_t plain;
  cl_filter_mode mip_filter;
  float min_lod, max_lod;
} mip_sampler_t;

static cl_sampler make_sampler(const mip_sampler_t *sampler) {
  cl_uint bits[2];
  cl_int error;
  memcpy(&bits[0], &sampler->min_lod, sizeof bits[0]);
  memcpy(&bits[1], &sampler->max_lod, sizeof bits[1]);
  const cl_sampler_properties properties[] = {CL_SAMPLER_NORMALIZED_COORDS,
                                              sampler->plain.normalized,
                                              CL_SAMPLER_ADDRESSING_MODE,
                                              sampler->plain.addressing,
                                              CL_SAMPLER_FILTER_MODE,
                                              sampler->plain.filter,
                                              CL_SAMPLER_MIP_FILTER_MODE_KHR,
                                              sampler->mip_filter,
                                              CL_SAMPLER_LOD_MIN_KHR,
                                              bits[0],
                                              CL_SAMPLER_LOD_MAX_KHR,
                                              bits[1],
                                              0};
  cl_sampler created = clCreateSamplerWithProperties(dut.context, properties, &error);
  ASSERT_CL(error);
  return created;
}

static double squared_length(const cl_float4 *gradient, unsigned count) {
  const double size[3] = {WIDTH, HEIGHT, DEPTH};
  double sum = 0;
  for (unsigned i = 0; i < count; i++) sum += pow((double)gradient->s[i] * size[i], 2);
  return sum;
}

/* The number of levels bounds both kinds, and so does the sampler's maximum; its minimum is for what is computed. */
static double find_lod(const char *kernel, const mip_sampler_t *sampler, cl_mem_object_type type, const cl_float4 *x,
                       const cl_float4 *y) {
  double lod = (double)x->s[0];
  if (strcmp(kernel, "first") == 0) return 0;
  if (strcmp(kernel, "along") == 0) {
    unsigned count = dimensions(type);
    lod = 0.5 * log2(fmax(squared_length(x, count), squared_length(y, count)));
    lod = fmax(lod, (double)sampler->min_lod);
  }
  return fmin(fmax(lod, 0), fmin((double)sampler->max_lod, LEVELS - 1));
}

static void sample(const mipmap_t *mipmap, const mip_sampler_t *sampler, const cl_float4 *c, double lod,
                   double out[4]) {
  if (sampler->mip_filter == CL_FILTER_NEAREST) {
    test_sample(&mipmap->levels[(int)ceil(lod - 0.5)], &sampler->plain, c->s, out);
    return;
  }
  int low = (int)lod, high = low + 1 < LEVELS ? low + 1 : low;
  double near[4], far[4], weight = lod - low;
  test_sample(&mipmap->levels[low], &sampler->plain, c->s, near);
  test_sample(&mipmap->levels[high], &sampler->plain, c->s, far);
  for (int i = 0; i < 4; i++) out[i] = (1 - weight) * near[i] + weight * far[i];
}

/* ------------------------------------------------------------ reading */

typedef struct reader_t {
  cl_program program;
  test_pixel_kind_t kind;
  cl_float4 coordinates[POINTS], x[POINTS], y[POINTS];
  cl_mem buffers[3], result;
} reader_t;

static float between(uint32_t *seed, float low, float high) {
  return low + (high - low) * (float)test_random(seed) / 16777216.0f;
}

static void reader_create(reader_t *reader, cl_mem_object_type type, test_pixel_kind_t kind, uint32_t *seed) {
  reader->program = build(type, kind);
  reader->kind = kind;
  for (int i = 0; i < POINTS; i++) {
    const float length = exp2f(between(seed, -5, 1));
    for (int j = 0; j < 4; j++) {
      reader->coordinates[i].s[j] = between(seed, -0.2f, 1.2f);
      /* Components that a gradient does not have make no difference. */
      reader->x[i].s[j] = j == 3 ? NAN : between(seed, -length, length);
      reader->y[i].s[j] = j == 3 ? NAN : between(seed, -length, length);
    }
    if (is_array(type)) reader->coordinates[i].s[dimensions(type)] = between(seed, -1, LAYERS);
  }
  reader->result = test_buffer(sizeof(test_color_t[POINTS]), NULL);
}

static void reader_release(reader_t *reader) {
  ASSERT_CL(clReleaseMemObject(reader->result));
  ASSERT_CL(clReleaseProgram(reader->program));
}

/* For "at_lod": levels, and what is between, below and above. */
static void choose_lods(cl_float4 x[POINTS], uint32_t *seed) {
  for (int i = 0; i < POINTS; i++) {
    x[i].s[0] = i % 2 ? between(seed, -1, LEVELS + 1) : (float)(i / 2 % (LEVELS + 2)) - 1;
  }
  x[1].s[0] = INFINITY;
  x[3].s[0] = -INFINITY;
  x[5].s[0] = 0.5f;
}

static void run(reader_t *reader, const char *name, cl_mem image, cl_sampler sampler, const cl_float4 x[POINTS],
                test_color_t out[POINTS]) {
  cl_int error;
  const size_t points = POINTS;
  cl_mem buffers[] = {test_buffer(sizeof reader->coordinates, reader->coordinates), test_buffer(sizeof reader->x, x),
                      test_buffer(sizeof reader->y, reader->y), reader->result};
  cl_kernel kernel = clCreateKernel(reader->program, name, &error);
  ASSERT_CL(error);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(cl_mem), &image));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof(cl_sampler), &sampler));
  for (cl_uint i = 0; i < 4; i++) ASSERT_CL(clSetKernelArg(kernel, 2 + i, sizeof(cl_mem), &buffers[i]));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &points, NULL, 0, NULL, NULL));
  test_read(reader->result, sizeof(test_color_t[POINTS]), out);
  for (int i = 0; i < 3; i++) ASSERT_CL(clReleaseMemObject(buffers[i]));
  ASSERT_CL(clReleaseKernel(kernel));
}

static double component(const test_color_t *color, test_pixel_kind_t kind, int i) {
  return kind == TEST_PIXEL_INT ? color->i[i] : kind == TEST_PIXEL_UINT ? color->u[i] : (double)color->f[i];
}

static void check(reader_t *reader, const char *name, const mipmap_t *mipmap, const mip_sampler_t *sampler,
                  const cl_float4 x[POINTS]) {
  test_color_t actual[POINTS];
  const test_pixels_t *pixels = &mipmap->levels[0];
  cl_sampler created = make_sampler(sampler);
  run(reader, name, mipmap->image, created, x, actual);
  for (int i = 0; i < POINTS; i++) {
    double expected[4], lod = find_lod(name, sampler, pixels->type, &x[i], &reader->y[i]);
    sample(mipmap, sampler, &reader->coordinates[i], lod, expected);
    for (int j = 0; j < 4; j++) {
      double value = component(&actual[i], reader->kind, j);
      /* A level between two is rounded more than once, and so is a filter. */
      double tolerance = reader->kind == TEST_PIXEL_FLOAT ? 2e-5 * fmax(1, fabs(expected[j])) : 0;
      if (fabs(value - expected[j]) <= tolerance) continue;
      fail_msg(
          "%s of %s, %s, address 0x%x, filter 0x%x, 0x%x between levels, [%g, %g]: point %d at level %.9g: "
          "component %d is %.9g, not %.9g",
          name, test_image_type_name(pixels->type, false), test_format_name(&pixels->format), sampler->plain.addressing,
          sampler->plain.filter, sampler->mip_filter, (double)sampler->min_lod, (double)sampler->max_lod, i, lod, j,
          value, expected[j]);
    }
  }
  ASSERT_CL(clReleaseSampler(created));
}

static void check_reads(reader_t *reader, const mipmap_t *mipmap, uint32_t *seed) {
  static const float limits[][2] = {{0, FLT_MAX}, {1.25f, 2.5f}, {-3, 0.75f}, {2, 100}};
  static const cl_addressing_mode modes[] = {CL_ADDRESS_CLAMP, CL_ADDRESS_REPEAT, CL_ADDRESS_CLAMP_TO_EDGE,
                                             CL_ADDRESS_MIRRORED_REPEAT};
  const unsigned filters = reader->kind == TEST_PIXEL_FLOAT ? 2 : 1;
  cl_float4 lods[POINTS];
  memcpy(lods, reader->x, sizeof lods);
  choose_lods(lods, seed);
  for (unsigned i = 0; i < 4 * filters * filters; i++) {
    const unsigned filter = i / 4 % filters, mip_filter = i / 4 / filters;
    const mip_sampler_t sampler = {{CL_TRUE, modes[i % 4], CL_FILTER_NEAREST + filter},
                                   CL_FILTER_NEAREST + mip_filter,
                                   limits[(i + i / 4) % 4][0],
                                   limits[(i + i / 4) % 4][1]};
    check(reader, "at_lod", mipmap, &sampler, lods);
    check(reader, "along", mipmap, &sampler, reader->x);
    check(reader, "first", mipmap, &sampler, reader->x);
  }
  const mip_sampler_t own = {{CL_TRUE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST}, CL_FILTER_NEAREST, 0, FLT_MAX};
  check(reader, "own_sampler", mipmap, &own, lods);
}

/* ------------------------------------------------------------ writing, counting */

static void choose_colors(test_pixel_kind_t kind, uint32_t *seed, test_color_t colors[MAX_PIXELS]) {
  for (int i = 0; i < MAX_PIXELS; i++) {
    for (int j = 0; j < 4; j++) {
      if (kind == TEST_PIXEL_FLOAT) {
        colors[i].f[j] = (float)(test_random(seed) % 256) / 256.0f;
      } else {
        colors[i].u[j] = test_random(seed) % 128;
      }
    }
  }
}

static void check_level(const mipmap_t *mipmap, unsigned level) {
  static unsigned char actual[MAX_PIXELS * TEST_MAX_PIXEL];
  size_t origin[4], region[3];
  find_box(mipmap, level, origin, region);
  ASSERT_CL(clEnqueueReadImage(dut.queue, mipmap->image, CL_TRUE, origin, region, 0, 0, actual, 0, NULL, NULL));
  assert_memory_equal(actual, mipmap->levels[level].data, test_pixels_bytes(&mipmap->levels[level]));
}

/* Writes random colours to a level, of which the reference hears too; `name` knows no level but the first. */
static void write_level(cl_program program, const char *name, mipmap_t *mipmap, unsigned level, uint32_t *seed) {
  test_color_t colors[MAX_PIXELS];
  test_pixels_t *pixels = &mipmap->levels[level];
  const cl_int number = (cl_int)level;
  const size_t bytes = test_pixel_size(&pixels->format);
  cl_int error;
  cl_uint argument = 1;
  size_t origin[4], region[3];
  find_box(mipmap, level, origin, region);
  choose_colors(test_pixel_kind(&pixels->format), seed, colors);
  for (size_t i = 0; i < region[0] * region[1] * region[2]; i++) {
    test_pixel_encode(&pixels->format, &colors[i], pixels->data + i * bytes);
  }
  const cl_int4 size = {.s = {(cl_int)region[0], (cl_int)region[1], (cl_int)region[2], 0}};
  cl_mem buffer = test_buffer(sizeof colors, colors);
  cl_kernel kernel = clCreateKernel(program, name, &error);
  ASSERT_CL(error);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(cl_mem), &mipmap->image));
  if (strcmp(name, "write") == 0) ASSERT_CL(clSetKernelArg(kernel, argument++, sizeof number, &number));
  ASSERT_CL(clSetKernelArg(kernel, argument++, sizeof size, &size));
  ASSERT_CL(clSetKernelArg(kernel, argument++, sizeof(cl_mem), &buffer));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 3, NULL, region, NULL, 0, NULL, NULL));
  ASSERT_CL(clFinish(dut.queue));
  ASSERT_CL(clReleaseKernel(kernel));
  ASSERT_CL(clReleaseMemObject(buffer));
}

static void check_writes(cl_program program, mipmap_t *mipmap, uint32_t *seed) {
  for (unsigned i = 0; i < LEVELS; i++) {
    write_level(program, "write", mipmap, i, seed);
    for (unsigned j = 0; j < LEVELS; j++) check_level(mipmap, j);
  }
  write_level(program, "write_first", mipmap, 0, seed);
  for (unsigned j = 0; j < LEVELS; j++) check_level(mipmap, j);
}

static void check_count(cl_program program, const mipmap_t *mipmap) {
  cl_int error, answer[2] = {0, 0};
  const size_t one = 1;
  const test_pixels_t *pixels = &mipmap->levels[0];
  cl_image_desc desc = test_image_desc(pixels->type, WIDTH, HEIGHT, DEPTH, LAYERS);
  cl_mem plain = clCreateImage(dut.context, CL_MEM_READ_WRITE, &pixels->format, &desc, NULL, &error);
  ASSERT_CL(error);
  cl_mem buffer = test_buffer(sizeof answer, answer);
  cl_kernel kernel = clCreateKernel(program, "count", &error);
  ASSERT_CL(error);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(cl_mem), &mipmap->image));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof(cl_mem), &plain));
  ASSERT_CL(clSetKernelArg(kernel, 2, sizeof(cl_mem), &buffer));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
  test_read(buffer, sizeof answer, answer);
  assert_int_equal(answer[0], LEVELS);
  assert_int_equal(answer[1], 1);
  ASSERT_CL(clReleaseKernel(kernel));
  ASSERT_CL(clReleaseMemObject(buffer));
  ASSERT_CL(clReleaseMemObject(plain));
}

/* ------------------------------------------------------------ cases */

static void check_kind(cl_mem_object_type type, bool is_depth, test_pixel_kind_t kind) {
  (void)is_depth;
  static const cl_image_format formats[] = {
      {CL_RGBA, CL_FLOAT},     {CL_BGRA, CL_UNORM_INT8},    {CL_R, CL_HALF_FLOAT},   {CL_RGBA, CL_SIGNED_INT32},
      {CL_R, CL_SIGNED_INT16}, {CL_RGBA, CL_UNSIGNED_INT8}, {CL_R, CL_UNSIGNED_INT8}};
  if (!test_has_extension("cl_khr_mipmap_image")) skip();
  uint32_t seed = 5 + type + kind;
  reader_t reader;
  reader_create(&reader, type, kind, &seed);
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
    if (test_pixel_kind(&formats[i]) != kind) continue;
    mipmap_t mipmap;
    mipmap_create(&mipmap, type, &formats[i], &seed);
    check_count(reader.program, &mipmap);
    check_reads(&reader, &mipmap, &seed);
    check_writes(reader.program, &mipmap, &seed);
    mipmap_release(&mipmap);
  }
  reader_release(&reader);
}

TEST_IMAGE_CASE(images_1d, IMAGE1D)
TEST_IMAGE_CASE(images_1d_array, IMAGE1D_ARRAY)
TEST_IMAGE_CASE(images_2d, IMAGE2D)
TEST_IMAGE_CASE(images_2d_array, IMAGE2D_ARRAY)
TEST_IMAGE_CASE(images_3d, IMAGE3D)

/* One component, which is a scalar; arrays too. */
static void check_depth(cl_mem_object_type type) {
  static const char depth_source[] =
      "#pragma OPENCL EXTENSION cl_khr_depth_images : enable\n"
      "#pragma OPENCL EXTENSION cl_khr_mipmap_image : enable\n"
      "#pragma OPENCL EXTENSION cl_khr_mipmap_image_writes : enable\n"
      "kernel void read(read_only IMAGE image, sampler_t s, global float *out) {\n"
      "  FLOATS c = (FLOATS)(0.25f);\n"
      "  out[0] = read_imagef(image, s, c, 0.0f);\n"
      "  out[1] = read_imagef(image, s, c, 0.25f);\n"
      "  out[2] = read_imagef(image, s, c, (float2)(1.0f, 0.0f), (float2)(0.0f, 0.5f));\n"
      "  out[3] = get_image_num_mip_levels(image);\n"
      "}\n"
      "kernel void write(write_only IMAGE image) {\n"
      "  write_imagef(image, (INTS)(0), 0, 0.5f);\n"
      "  write_imagef(image, (INTS)(0), 1, 1.0f);\n"
      "}\n";
  char options[120];
  bool is_array_type = type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
  snprintf(options, sizeof options, "-cl-std=CL3.0 -DIMAGE=%s -DFLOATS=float%c -DINTS=int%c",
           test_image_type_name(type, true), is_array_type ? '4' : '2', is_array_type ? '4' : '2');
  const cl_image_format format = {CL_DEPTH, CL_FLOAT};
  cl_image_desc desc = test_image_desc(type, 2, 2, 1, 2);
  desc.num_mip_levels = 2;
  const mip_sampler_t sampler = {{CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST}, CL_FILTER_LINEAR, 0, FLT_MAX};
  const size_t one = 1;
  float out[4] = {0};
  cl_int error;
  cl_mem image = clCreateImage(dut.context, CL_MEM_READ_WRITE, &format, &desc, NULL, &error);
  ASSERT_CL(error);
  cl_mem buffer = test_buffer(sizeof out, out);
  cl_sampler created = make_sampler(&sampler);
  cl_program program = test_program(depth_source, options);
  cl_kernel write = clCreateKernel(program, "write", &error), read = clCreateKernel(program, "read", &error);
  ASSERT_CL(clSetKernelArg(write, 0, sizeof(cl_mem), &image));
  ASSERT_CL(clSetKernelArg(read, 0, sizeof(cl_mem), &image));
  ASSERT_CL(clSetKernelArg(read, 1, sizeof(cl_sampler), &created));
  ASSERT_CL(clSetKernelArg(read, 2, sizeof(cl_mem), &buffer));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, write, 1, NULL, &one, NULL, 0, NULL, NULL));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, read, 1, NULL, &one, NULL, 0, NULL, NULL));
  test_read(buffer, sizeof out, out);
  /* Steps of two pixels are those of the second level. */
  const float expected[] = {0.5f, 0.625f, 1.0f, 2.0f};
  assert_memory_equal(out, expected, sizeof expected);
  ASSERT_CL(clReleaseKernel(write));
  ASSERT_CL(clReleaseKernel(read));
  ASSERT_CL(clReleaseProgram(program));
  ASSERT_CL(clReleaseSampler(created));
  ASSERT_CL(clReleaseMemObject(buffer));
  ASSERT_CL(clReleaseMemObject(image));
}

static void depth_images(void **state) {
  (void)state;
  if (!test_has_extension("cl_khr_mipmap_image_writes")) skip();
  check_depth(CL_MEM_OBJECT_IMAGE2D);
  check_depth(CL_MEM_OBJECT_IMAGE2D_ARRAY);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(images_1d),       cmocka_unit_test(images_1d_array), cmocka_unit_test(images_2d),
      cmocka_unit_test(images_2d_array), cmocka_unit_test(images_3d),       cmocka_unit_test(depth_images),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
