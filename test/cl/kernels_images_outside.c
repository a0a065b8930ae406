/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Writes outside of images are dropped, whatever the coordinates are made of: nothing around the image changes, and
 * inside all is as written. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "test_image.h"

enum { WIDTH = 83, HEIGHT = 21, MARGIN = 3, PITCH = WIDTH + 5, ROWS = HEIGHT + 2 * MARGIN };

typedef unsigned int uint;

static int min(int a, int b) { return a < b ? a : b; }
static int max(int a, int b) { return a > b ? a : b; }

/* Statements of OpenCL C and of C, for one work-item. */
#define BODIES(M)                                                                            \
  M(plain, WRITE(gx, gy);)                                                                   \
  M(shifted, WRITE(gx - 3, gy + 2);)                                                         \
  M(guarded, if (gx < width && gy < height) WRITE(gx, gy);)                                  \
  M(guarded_late, if (gx < width + 2 && gy <= height) WRITE(gx, gy);)                        \
  M(guarded_early, if (gx >= width || gy >= height) return; WRITE(gx, gy);)                  \
  M(guarded_below, if (gx < 2 || gx > width || gy < 1) return; WRITE(gx - 2, gy - 1);)       \
  M(guarded_unsigned, if ((uint)(gx - 2) < (uint)width) WRITE(gx - 2, gy);)                  \
  M(guarded_other, if (gx < height) WRITE(gx + 70, gy);)                                     \
  M(guarded_equal, if (gx == width) WRITE(gx - 1, gy); else if (gx != 5) WRITE(gx - 6, gy);) \
  M(transposed, WRITE(gy, gx);)                                                              \
  M(doubled, WRITE(2 * gx - 40, (gy << 1) - 3);)                                             \
  M(halved, WRITE(gx / 2, gy >> 1);)                                                         \
  M(mirrored, WRITE(width - 1 - gx, height - gy);)                                           \
  M(clamped, WRITE(min(gx, width - 1), max(gy, 4) - 5);)                                     \
  M(chosen, WRITE(gy > 3 ? gx : gx - width, gy);)                                            \
  M(masked, WRITE(gx & 127, gy % 32);)                                                       \
  M(narrow, WRITE((signed char)(gx + 90), gy);)                                              \
  M(wrapped, WRITE((int)((uint)gx * 1000000007u), (int)((uint)gy << 29));)                   \
  M(far, WRITE(gx + 2147483600, gy - 2147483647);)                                           \
  M(columns, for (int k = 0; k < 4; k++) WRITE(4 * gx + k - 2, gy);)                         \
  M(rows, if (gy == 0) for (int y = 0; y < height; y++) WRITE(gx, y);)                       \
  M(all_rows, if (gy == 0) for (int y = -1; y <= height; y++) WRITE(gx, y);)                 \
  M(two, WRITE(gx, gy); WRITE(gx - width, gy - 2);)

/* ---- what shall come out */

static unsigned char expected[HEIGHT][WIDTH];
static int value_of(int x, int y) { return (int)(((uint)x * 7u + (uint)y * 3u) & 127u); }

static void expect(int x, int y) {
  if (x >= 0 && x < WIDTH && y >= 0 && y < HEIGHT) expected[y][x] = (unsigned char)value_of(x, y);
}

#define WRITE(x, y) expect(x, y)
#define DEFINE_BODY(name, ...)                                     \
  static void body_##name(int gx, int gy, int width, int height) { \
    (void)width, (void)height;                                     \
    __VA_ARGS__                                                    \
  }
BODIES(DEFINE_BODY)

#define LIST_BODY(name, ...) {#name, #__VA_ARGS__, body_##name},
static const struct {
  const char *name, *text;
  void (*body)(int gx, int gy, int width, int height);
} bodies[] = {BODIES(LIST_BODY)};
enum { BODY_COUNT = sizeof bodies / sizeof *bodies };

/* ---- what comes out */

static const char frame[] =
    "#define WRITE(x, y) write_imagei(out, (int2)(x, y), (int4)(((uint)(x) * 7u + (uint)(y) * 3u) & 127u))\n"
    "kernel void outside(write_only image2d_t out, int width, int height) {\n"
    "  int gx = get_global_id(0), gy = get_global_id(1);\n"
    "  %s\n"
    "}\n";

/* An image in the midst of memory of which nothing else may change. */
typedef struct scene_t {
  unsigned char *memory;
  size_t size, pixel_size;
  cl_mem image;
} scene_t;

static unsigned char *pixel_at(const scene_t *scene, int x, int y) {
  return scene->memory + ((size_t)(y + MARGIN) * PITCH + (size_t)x) * scene->pixel_size;
}

static scene_t scene_create(cl_channel_order order, cl_channel_type type, size_t pixel_size) {
  scene_t scene = {.size = (size_t)PITCH * ROWS * pixel_size, .pixel_size = pixel_size};
  const cl_image_format format = {order, type};
  cl_image_desc desc = test_image_desc(CL_MEM_OBJECT_IMAGE2D, WIDTH, HEIGHT, 1, 1);
  desc.image_row_pitch = PITCH * pixel_size;
  scene.memory = aligned_alloc(4096, (scene.size + 4095) / 4096 * 4096);
  assert_non_null(scene.memory);
  cl_int error;
  scene.image = clCreateImage(dut.context, CL_MEM_WRITE_ONLY | CL_MEM_USE_HOST_PTR, &format, &desc,
                              pixel_at(&scene, 0, 0), &error);
  ASSERT_CL(error);
  return scene;
}

static void scene_release(scene_t *scene) {
  ASSERT_CL(clReleaseMemObject(scene->image));
  free(scene->memory);
}

enum { NOT_WRITTEN = 255 };

static int expected_at(int x, int y) {
  const bool is_inside = x >= 0 && x < WIDTH && y >= 0 && y < HEIGHT;
  return is_inside ? expected[y][x] : NOT_WRITTEN;
}

static void scene_check(const scene_t *scene, const char *name) {
  const size_t origin[3] = {0, 0, 0}, region[3] = {WIDTH, HEIGHT, 1};
  size_t pitch;
  cl_int error;
  void *mapped = clEnqueueMapImage(dut.queue, scene->image, CL_TRUE, CL_MAP_READ, origin, region, &pitch, NULL, 0, NULL,
                                   NULL, &error);
  ASSERT_CL(error);
  for (int y = -MARGIN; y < HEIGHT + MARGIN; y++) {
    for (int x = 0; x < PITCH; x++) {
      const int found = *pixel_at(scene, x, y);
      if (found != expected_at(x, y)) fail_msg("%s: (%d, %d) is %d, not %d", name, x, y, found, expected_at(x, y));
    }
  }
  ASSERT_CL(clEnqueueUnmapMemObject(dut.queue, scene->image, mapped, 0, NULL, NULL));
  ASSERT_CL(clFinish(dut.queue));
}

typedef struct launch_t {
  size_t offset[2], size[2], local[2];
} launch_t;

static const launch_t launches[] = {
    {{0, 0}, {WIDTH, HEIGHT}, {0, 0}},
    {{0, 0}, {96, 24}, {16, 8}},
    {{5, 2}, {WIDTH + 30, HEIGHT}, {0, 0}},
    {{0, 0}, {64, 16}, {64, 1}},
    {{16, 3}, {33, 7}, {1, 1}},
    {{80, 20}, {40, 4}, {8, 4}},
    {{SIZE_MAX / 2 - 40, 0}, {WIDTH, 4}, {0, 0}},
};
enum { LAUNCH_COUNT = sizeof launches / sizeof *launches };

static void launch_run(const scene_t *scene, cl_kernel kernel, unsigned body, const launch_t *launch) {
  const cl_int width = WIDTH, height = HEIGHT;
  memset(scene->memory, NOT_WRITTEN, scene->size);
  memset(expected, NOT_WRITTEN, sizeof expected);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(cl_mem), &scene->image));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof width, &width));
  ASSERT_CL(clSetKernelArg(kernel, 2, sizeof height, &height));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 2, launch->offset, launch->size,
                                   launch->local[0] ? launch->local : NULL, 0, NULL, NULL));
  for (size_t y = 0; y < launch->size[1]; y++) {
    for (size_t x = 0; x < launch->size[0]; x++)
      bodies[body].body((int)(x + launch->offset[0]), (int)(y + launch->offset[1]), width, height);
  }
  scene_check(scene, bodies[body].name);
}

static void body_run(scene_t *scenes, unsigned count, unsigned body) {
  char source[1024];
  snprintf(source, sizeof source, frame, bodies[body].text);
  cl_kernel kernel = test_kernel(source, "-cl-std=CL3.0", "outside");
  for (unsigned i = 0; i < count; i++) {
    for (unsigned l = 0; l < LAUNCH_COUNT; l++) launch_run(&scenes[i], kernel, body, &launches[l]);
  }
  ASSERT_CL(clReleaseKernel(kernel));
}

static void two_dimensions(void **state) {
  (void)state;
  scene_t scenes[] = {scene_create(CL_R, CL_SIGNED_INT8, 1), scene_create(CL_RGBA, CL_SIGNED_INT8, 4)};
  /* Of a pixel of four bytes the first is looked at. */
  for (unsigned body = 0; body < BODY_COUNT; body++) body_run(scenes, 2, body);
  for (unsigned i = 0; i < 2; i++) scene_release(&scenes[i]);
}

/* ---- other images */

enum { SIDE = 7, MOST_PIXELS = SIDE * SIDE * SIDE };

static const char other_kinds[] =
    "#define AT(d) ((int)get_global_id(d) - 2)\n"
    "#define VALUE (int4)(1)\n"
    "kernel void line(write_only image1d_t out) { write_imagei(out, AT(0), VALUE); }\n"
    "kernel void lines(write_only image1d_array_t out) { write_imagei(out, (int2)(AT(0), AT(1)), VALUE); }\n"
    "kernel void layers(write_only image2d_array_t out) {"
    "  write_imagei(out, (int4)(AT(0), AT(1), AT(2), 0), VALUE); }\n"
    "kernel void solid(write_only image3d_t out) { write_imagei(out, (int4)(AT(0), AT(1), AT(2), 0), VALUE); }\n";

/* All of the image is written, and nothing else: the sizes are those of the dimensions that it has. */
static void kind_run(const char *name, cl_mem_object_type type, size_t width, size_t height, size_t depth,
                     size_t layers) {
  const size_t count = width * height * depth * layers, size[3] = {SIDE + 4, SIDE + 4, SIDE + 4};
  const cl_image_format format = {CL_R, CL_SIGNED_INT32};
  const cl_image_desc desc = test_image_desc(type, width, height, depth, layers);
  cl_int memory[3 * MOST_PIXELS] = {0}, *pixels = memory + MOST_PIXELS, error;
  cl_mem image = clCreateImage(dut.context, CL_MEM_WRITE_ONLY | CL_MEM_USE_HOST_PTR, &format, &desc, pixels, &error);
  ASSERT_CL(error);
  cl_kernel kernel = test_kernel(other_kinds, "-cl-std=CL3.0", name);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(cl_mem), &image));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 3, NULL, size, NULL, 0, NULL, NULL));
  ASSERT_CL(clFinish(dut.queue));
  const size_t origin[3] = {0, 0, 0};
  const size_t region[3] = {width, type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? layers : height,
                            type == CL_MEM_OBJECT_IMAGE2D_ARRAY ? layers : depth};
  cl_int result[MOST_PIXELS] = {0};
  ASSERT_CL(clEnqueueReadImage(dut.queue, image, CL_TRUE, origin, region, 0, 0, result, 0, NULL, NULL));
  for (size_t i = 0; i < count; i++) assert_int_equal(result[i], 1);
  for (size_t i = 0; i < MOST_PIXELS; i++) assert_int_equal(memory[i], 0);
  for (size_t i = MOST_PIXELS + count; i < sizeof memory / sizeof *memory; i++) assert_int_equal(memory[i], 0);
  ASSERT_CL(clReleaseKernel(kernel));
  ASSERT_CL(clReleaseMemObject(image));
}

static void other_dimensions(void **state) {
  (void)state;
  kind_run("line", CL_MEM_OBJECT_IMAGE1D, SIDE, 1, 1, 1);
  kind_run("lines", CL_MEM_OBJECT_IMAGE1D_ARRAY, SIDE, 1, 1, SIDE - 1);
  kind_run("layers", CL_MEM_OBJECT_IMAGE2D_ARRAY, SIDE - 2, SIDE, 1, SIDE - 1);
  kind_run("solid", CL_MEM_OBJECT_IMAGE3D, SIDE, SIDE - 1, SIDE - 2, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_dimensions),
      cmocka_unit_test(other_dimensions),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
