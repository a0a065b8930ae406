/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * clEnqueueFillImage: colours become pixels as a kernel's writes do. */
#include <math.h>

#include "test_image.h"

enum { W = 7, H = 5, D = 4 };

static const size_t zero[3] = {0, 0, 0}, one[3] = {1, 1, 1};

static int open_device(void **state) {
  int failed = test_device_open(state);
  return failed ? failed : !test_device_number(CL_DEVICE_IMAGE_SUPPORT);
}

static cl_mem make(cl_mem_object_type type, const cl_image_format *format) {
  cl_int error;
  const cl_image_desc desc = test_image_desc(type, W, H, D, D);
  cl_mem image = clCreateImage(dut.context, 0, format, &desc, NULL, &error);
  ASSERT_CL(error);
  return image;
}

static void check_color(cl_mem image, const cl_image_format *format, const test_color_t *color) {
  unsigned char expected[TEST_MAX_PIXEL], actual[TEST_MAX_PIXEL];
  test_pixel_encode(format, color, expected);
  ASSERT_CL(clEnqueueFillImage(dut.queue, image, color, zero, one, 0, NULL, NULL));
  ASSERT_CL(clEnqueueReadImage(dut.queue, image, CL_TRUE, zero, one, 0, 0, actual, 0, NULL, NULL));
  if (memcmp(actual, expected, test_pixel_size(format)) == 0) return;
  fail_msg("%s: color (%g, %g, %g, %g) is 0x%02x%02x..., not 0x%02x%02x...", test_format_name(format),
           (double)color->f[0], (double)color->f[1], (double)color->f[2], (double)color->f[3], actual[0], actual[1],
           expected[0], expected[1]);
}

static void converts_colors_to_every_format(void **state) {
  (void)state;
  static const cl_float values[] = {0,     1,        -1,         0.5f,       0.25f,        2,
                                    -3,    1e-7f,    6e-8f,      1e-5f,      65519,        65520,
                                    1e30f, -1e30f,   0.1f,       INFINITY,   0.002f,       0.9999f,
                                    2e-8f, 0.00306f, 1.5f / 255, 2.5f / 255, 3.5f / 65535, 4.5f / 1023};
  enum { COUNT = sizeof values / sizeof *values };
  cl_image_format formats[TEST_MAX_FORMATS];
  cl_uint count = test_formats(CL_MEM_OBJECT_IMAGE2D, formats), seed = 5;
  for (cl_uint f = 0; f < count; f++) {
    cl_mem image = make(CL_MEM_OBJECT_IMAGE2D, &formats[f]);
    for (int i = 0; i < 3 * COUNT; i++) {
      test_color_t color;
      for (int c = 0; c < 4; c++) {
        color.u[c] = (test_random(&seed) << 9 ^ test_random(&seed)) >> (test_random(&seed) % 32);
        if (test_pixel_kind(&formats[f]) == TEST_PIXEL_FLOAT) color.f[c] = values[(i + 5 * c) % COUNT];
      }
      check_color(image, &formats[f], &color);
    }
    ASSERT_CL(clReleaseMemObject(image));
  }
}

static void fills_a_box_and_leaves_the_rest(void **state) {
  (void)state;
  const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
  const cl_mem_object_type types[] = {CL_MEM_OBJECT_IMAGE3D, CL_MEM_OBJECT_IMAGE2D_ARRAY};
  const size_t origin[3] = {2, 1, 1}, region[3] = {3, 2, 2}, all[3] = {W, H, D};
  for (int t = 0; t < 2; t++) {
    unsigned char pixels[D][H][W][4];
    test_color_t background = {.u = {1, 2, 3, 4}}, color = {.u = {9, 8, 7, 6}};
    cl_mem image = make(types[t], &format);
    ASSERT_CL(clEnqueueFillImage(dut.queue, image, &background, zero, all, 0, NULL, NULL));
    ASSERT_CL(clEnqueueFillImage(dut.queue, image, &color, origin, region, 0, NULL, NULL));
    color.u[0] = 0; /* the colour was taken when the call returned */
    ASSERT_CL(clEnqueueReadImage(dut.queue, image, CL_TRUE, zero, all, 0, 0, pixels, 0, NULL, NULL));
    for (size_t z = 0; z < D; z++) {
      for (size_t y = 0; y < H; y++) {
        for (size_t x = 0; x < W; x++) {
          bool inside = x >= 2 && x < 5 && y >= 1 && y < 3 && z >= 1 && z < 3;
          assert_int_equal(pixels[z][y][x][0], inside ? 9 : 1);
          assert_int_equal(pixels[z][y][x][3], inside ? 6 : 4);
        }
      }
    }
    ASSERT_CL(clReleaseMemObject(image));
  }
}

static void fills_layers_of_rows(void **state) {
  (void)state;
  const cl_image_format format = {CL_R, CL_FLOAT};
  const size_t origin[3] = {1, 1, 0}, region[3] = {2, 2, 1}, all[3] = {W, D, 1};
  const cl_float black[4] = {0}, half[4] = {0.5f};
  cl_float pixels[D][W];
  cl_mem image = make(CL_MEM_OBJECT_IMAGE1D_ARRAY, &format);
  ASSERT_CL(clEnqueueFillImage(dut.queue, image, black, zero, all, 0, NULL, NULL));
  ASSERT_CL(clEnqueueFillImage(dut.queue, image, half, origin, region, 0, NULL, NULL));
  ASSERT_CL(clEnqueueReadImage(dut.queue, image, CL_TRUE, zero, all, 0, 0, pixels, 0, NULL, NULL));
  for (int y = 0; y < D; y++) {
    for (int x = 0; x < W; x++) assert_true(pixels[y][x] == (x > 0 && x < 3 && y > 0 && y < 3 ? 0.5f : 0));
  }
  ASSERT_CL(clReleaseMemObject(image));
}

static void refuses_bad_arguments(void **state) {
  (void)state;
  const cl_image_format format = {CL_R, CL_FLOAT};
  const cl_float color[4] = {0};
  const size_t beyond[3] = {W + 1, 1, 1}, nothing[3] = {1, 0, 1};
  cl_mem image = make(CL_MEM_OBJECT_IMAGE2D, &format), buffer = test_buffer(64, NULL);
#define FILL(queue, image, color, origin, region, count) \
  clEnqueueFillImage(queue, image, color, origin, region, count, NULL, NULL)
  ASSERT_CL_ERROR(FILL(dut.queue, image, NULL, zero, one, 0), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(FILL(dut.queue, image, color, NULL, one, 0), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(FILL(dut.queue, image, color, zero, NULL, 0), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(FILL(dut.queue, image, color, zero, beyond, 0), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(FILL(dut.queue, image, color, zero, nothing, 0), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(FILL(dut.queue, image, color, zero, one, 1), CL_INVALID_EVENT_WAIT_LIST);
  ASSERT_CL_ERROR(FILL(dut.queue, buffer, color, zero, one, 0), CL_INVALID_MEM_OBJECT);
  ASSERT_CL_ERROR(FILL(NULL, image, color, zero, one, 0), CL_INVALID_COMMAND_QUEUE);
  cl_context context = test_other_context();
  cl_command_queue queue = test_other_queue(context);
  ASSERT_CL_ERROR(FILL(queue, image, color, zero, one, 0), CL_INVALID_CONTEXT);
  ASSERT_CL(clReleaseCommandQueue(queue));
  ASSERT_CL(clReleaseContext(context));
  ASSERT_CL(clReleaseMemObject(buffer));
  ASSERT_CL(clReleaseMemObject(image));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(converts_colors_to_every_format),
      cmocka_unit_test(fills_a_box_and_leaves_the_rest),
      cmocka_unit_test(fills_layers_of_rows),
      cmocka_unit_test(refuses_bad_arguments),
  };
  return cmocka_run_group_tests(tests, open_device, test_device_close);
}
