/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Kernels with images, launched so often that they are compiled anew for the formats and samplers: results stay as they
 * were, bit for bit, whichever formats follow each other, and objects may go at any moment. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "test_image.h"
#include "test_process.h"

/* Launches of SIDE x SIDE work-items; MANY of them are surely worth a variant. */
enum { SIDE = 512, PIXELS = SIDE * SIDE, MANY = 10, MOST_FORMATS = 5 };

static const char source[] =
    "float4 around(read_only image2d_t in, sampler_t s, float2 at) {\n"
    "  return read_imagef(in, s, at) + 3.0f * read_imagef(in, s, at + (float2)(1.25f, -0.75f));\n"
    "}\n"
    "kernel void mix_images(read_only image2d_t in, sampler_t s, write_only image2d_t out, global float4 *sums) {\n"
    "  int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "  float4 sum = around(in, s, convert_float2(at) * 1.5f - 20.5f);\n"
    "  sum.x += get_image_channel_data_type(in) + get_image_channel_order(out) + get_image_width(in);\n"
    "  write_imagef(out, at, sum * 0.001f);\n"
    "  sums[at.y * SIDE + at.x] = sum;\n"
    "}\n";

/* One launch's surroundings; `kernel` is shared by all. */
typedef struct scene_t {
  cl_kernel kernel;
  cl_sampler sampler;
  cl_mem in, out, sums;
} scene_t;

static cl_mem make_image(const cl_image_format *format, const void *contents) {
  const cl_image_desc desc = test_image_desc(CL_MEM_OBJECT_IMAGE2D, SIDE, SIDE, 1, 1);
  cl_mem_flags flags = contents ? CL_MEM_COPY_HOST_PTR : 0;
  cl_int error;
  cl_mem image =
      clCreateImage(dut.context, CL_MEM_READ_WRITE | flags, format, &desc, (void *)(uintptr_t)contents, &error);
  ASSERT_CL(error);
  return image;
}

static cl_sampler make_sampler(cl_addressing_mode addressing, cl_filter_mode filter) {
  cl_int error;
  const cl_sampler_properties properties[] = {CL_SAMPLER_NORMALIZED_COORDS,
                                              CL_FALSE,
                                              CL_SAMPLER_ADDRESSING_MODE,
                                              addressing,
                                              CL_SAMPLER_FILTER_MODE,
                                              filter,
                                              0};
  cl_sampler sampler = clCreateSamplerWithProperties(dut.context, properties, &error);
  ASSERT_CL(error);
  return sampler;
}

static cl_kernel make_kernel(int number) {
  char options[64];
  snprintf(options, sizeof options, "-cl-std=CL3.0 -DSIDE=%d -DNUMBER=%d", SIDE, number);
  return test_kernel(source, options, "mix_images");
}

static scene_t scene_create(cl_kernel kernel, const cl_image_format *format, cl_addressing_mode addressing,
                            cl_filter_mode filter) {
  test_pixels_t pixels = {
      .format = *format, .type = CL_MEM_OBJECT_IMAGE2D, .width = SIDE, .height = SIDE, .depth = 1, .layers = 1};
  uint32_t seed = 7;
  test_pixels_create(&pixels, &seed);
  scene_t scene = {.kernel = kernel,
                   .sampler = make_sampler(addressing, filter),
                   .in = make_image(format, pixels.data),
                   .out = make_image(format, NULL),
                   .sums = test_buffer(PIXELS * sizeof(cl_float4), NULL)};
  test_pixels_free(&pixels);
  return scene;
}

static void scene_release(const scene_t *scene) {
  ASSERT_CL(clReleaseSampler(scene->sampler));
  ASSERT_CL(clReleaseMemObject(scene->in));
  ASSERT_CL(clReleaseMemObject(scene->out));
  ASSERT_CL(clReleaseMemObject(scene->sums));
}

static void scene_launch(const scene_t *scene) {
  const size_t size[2] = {SIDE, SIDE};
  ASSERT_CL(clSetKernelArg(scene->kernel, 0, sizeof(cl_mem), &scene->in));
  ASSERT_CL(clSetKernelArg(scene->kernel, 1, sizeof(cl_sampler), &scene->sampler));
  ASSERT_CL(clSetKernelArg(scene->kernel, 2, sizeof(cl_mem), &scene->out));
  ASSERT_CL(clSetKernelArg(scene->kernel, 3, sizeof(cl_mem), &scene->sums));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, scene->kernel, 2, NULL, size, NULL, 0, NULL, NULL));
}

/* What a launch gave: the sums, then the pixels written. */
enum { RESULT_BYTES = PIXELS * (sizeof(cl_float4) + TEST_MAX_PIXEL) };

static void scene_read(const scene_t *scene, unsigned char *result) {
  const size_t origin[3] = {0, 0, 0}, region[3] = {SIDE, SIDE, 1};
  memset(result, 0, RESULT_BYTES);
  test_read(scene->sums, PIXELS * sizeof(cl_float4), result);
  ASSERT_CL(clEnqueueReadImage(dut.queue, scene->out, CL_TRUE, origin, region, 0, 0,
                               result + PIXELS * sizeof(cl_float4), 0, NULL, NULL));
}

static void scene_run(const scene_t *scene, unsigned char *result) {
  static const unsigned char nothing[PIXELS * sizeof(cl_float4)];
  ASSERT_CL(clEnqueueWriteBuffer(dut.queue, scene->sums, CL_TRUE, 0, sizeof nothing, nothing, 0, NULL, NULL));
  scene_launch(scene);
  scene_read(scene, result);
}

/* Formats that read_imagef takes: all of them, or the first `most`. */
static cl_uint float_formats(cl_image_format *formats, cl_uint most) {
  cl_image_format all[TEST_MAX_FORMATS];
  cl_uint count = test_formats(CL_MEM_OBJECT_IMAGE2D, all), found = 0;
  for (cl_uint i = 0; i < count && found < most; i++) {
    if (test_pixel_kind(&all[i]) == TEST_PIXEL_FLOAT && all[i].image_channel_order != CL_DEPTH)
      formats[found++] = all[i];
  }
  return found;
}

/* How many variants the log tells of so far. */
static int count_variants(const test_capture_t *capture) {
  int count = 0;
  for (const char *at = test_capture_text(capture); (at = strstr(at, "kernel 'mix_images' specialized for")); at++)
    count++;
  return count;
}

static const cl_addressing_mode addressings[] = {CL_ADDRESS_CLAMP, CL_ADDRESS_CLAMP_TO_EDGE};
static const cl_filter_mode filters[] = {CL_FILTER_NEAREST, CL_FILTER_LINEAR};

/* The first launch is general; after many, and some time, one is not. Meanwhile other formats come and go. */
static void results_stay(void **state) {
  (void)state;
  char log[16];
  cl_image_format formats[MOST_FORMATS];
  cl_uint count = float_formats(formats, MOST_FORMATS);
  cl_kernel kernel = make_kernel(0);
  scene_t scenes[MOST_FORMATS];
  unsigned char *first[MOST_FORMATS], *later = malloc(RESULT_BYTES);
  assert_non_null(later);
  test_capture_t capture;
  test_capture_begin(&capture, STDERR_FILENO);
  for (cl_uint i = 0; i < count; i++) {
    scenes[i] = scene_create(kernel, &formats[i], addressings[i % 2], filters[i / 2 % 2]);
    first[i] = malloc(RESULT_BYTES);
    assert_non_null(first[i]);
    scene_run(&scenes[i], first[i]);
  }
  /* Until all variants are there, which takes its time on a busy machine, and a turn more. */
  const double end = test_seconds() + 200;
  int missing = 1;
  for (int turn = 0; turn < MANY || (missing && test_seconds() < end); turn++) {
    missing = test_is_quern() && count_variants(&capture) < (int)count;
    for (cl_uint i = 0; i < count; i++) {
      scene_run(&scenes[i], later);
      assert_memory_equal(later, first[i], RESULT_BYTES);
    }
  }
  test_capture_end(&capture, log, sizeof log);
  assert_false(missing);
  for (cl_uint i = 0; i < count; i++) {
    scene_release(&scenes[i]);
    free(first[i]);
  }
  free(later);
  ASSERT_CL(clReleaseKernel(kernel));
}

/* Everything is released while the variant is being made, or before its turn comes. */
static void released_meanwhile(void **state) {
  (void)state;
  const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
  for (int number = 1; number <= 3; number++) {
    cl_kernel kernel = make_kernel(number);
    scene_t scene = scene_create(kernel, &format, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR);
    for (int launch = 0; launch < 9; launch++) scene_launch(&scene);
    ASSERT_CL(clFinish(dut.queue));
    usleep(number % 3 * 7000);
    scene_release(&scene);
    ASSERT_CL(clReleaseKernel(kernel));
  }
}

/* In a process of its own: it ends while a variant is being made. */
static int end_meanwhile(void) {
  if (test_device_open(NULL)) return 1;
  const cl_image_format format = {CL_RGBA, CL_HALF_FLOAT};
  static cl_kernel kernel;
  static scene_t scene; /* both outlive the program, as is meant: static, they are no leak */
  kernel = make_kernel(100);
  scene = scene_create(kernel, &format, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR);
  for (int launch = 0; launch < 9; launch++) scene_launch(&scene);
  if (clFinish(dut.queue)) return 1;
  usleep(5000);
  return 0;
}

static void process_ends_meanwhile(void **state) {
  (void)state;
  char output[256];
  for (int i = 0; i < 2; i++) assert_int_equal(test_run_self("end", output, sizeof output), 0);
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "end") == 0) return end_meanwhile();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(results_stay),
      cmocka_unit_test(released_meanwhile),
      cmocka_unit_test(process_ends_meanwhile),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
