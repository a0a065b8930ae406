/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Kernels of which only work-items from some id on do anything, also where ids of 32 bits wrap. */
#include "item.h"

ITEM(at_least, {
  if (g >= n * 5 + 3) out[g] = in[g] + n;
})

ITEM(above_negative, {
  if ((int)g > (int)n * 9 - 40) out[g] = in[g] * 5;
})

ITEM(not_first, {
  if (g != 0) out[g] = in[g - 1] + n;
})

ITEM(wide, {
  if ((ulong)g > n * 7ul) out[g] = in[g] + 5;
})

ITEM(none_left, {
  if (g > 100000u) out[g] = in[g];
})

ITEM(between, {
  if (g > n * 3 && g < 90 + n) out[g] = in[g - 1] + in[g + 1];
})

ITEM(between_and_more, {
  if (g > n * 3 && g < 90 + n && in[g] % 3 != 0) out[g] = in[g - 1] + in[g + 1];
})

/* The bound counts only where something else holds. */
ITEM(behind_test, {
  if (n > 2 && g >= 200 / n) out[g] = in[g] + 8;
})

ITEM(one_after_the_other, {
  if (n > 1) {
    if (g > 2 + n) out[g] = in[g] - g;
  }
})

enum { WIDTH = 128, ROWS = 8 };

typedef struct launch_t {
  size_t start, local[2];
} launch_t;

/* Ids of the rows begin at `start`. */
static const launch_t launches[] = {{0, {5, 1}},           {0, {16, 4}},           {3, {64, 2}},
                                    {0x7fffffd0, {16, 4}}, {0x7fffffd3, {128, 1}}, {0xffffffc9, {64, 8}}};

static const char rows_source[] =
    "kernel void signed_ids(global int *out, ulong start, int low, int high, int row) {\n"
    "  int x = (int)get_global_id(0);\n"
    "  int y = (int)get_global_id(1);\n"
    "  if (x > low && y >= row && x < high) out[y * 128 + (int)(get_global_id(0) - start)] = x;\n"
    "}\n"
    "kernel void unsigned_ids(global int *out, ulong start, int low, int high, int row) {\n"
    "  uint x = (uint)get_global_id(0);\n"
    "  int y = (int)get_global_id(1);\n"
    "  if (x >= (uint)low && y >= row && x < (uint)high) out[y * 128 + (int)(get_global_id(0) - start)] = (int)x;\n"
    "}\n";

static bool is_inside(const cl_int bounds[3], bool is_signed, size_t id, int y) {
  if (y < bounds[2]) return false;
  return is_signed ? (int)id > bounds[0] && (int)id < bounds[1]
                   : (uint)id >= (uint)bounds[0] && (uint)id < (uint)bounds[1];
}

static void check_launch(cl_kernel kernel, const launch_t *launch, const cl_int bounds[3], bool is_signed) {
  static int out[ROWS * WIDTH];
  const size_t offset[] = {launch->start, 0}, local[] = {launch->local[0], launch->local[1]};
  const size_t size[] = {WIDTH / local[0] * local[0], ROWS};
  const cl_ulong start = launch->start;
  memset(out, 0, sizeof(out));
  cl_mem buffer = test_buffer(sizeof(out), out);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(cl_mem), &buffer));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof(start), &start));
  for (cl_uint i = 0; i < 3; i++) ASSERT_CL(clSetKernelArg(kernel, 2 + i, sizeof(bounds[i]), &bounds[i]));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 2, offset, size, local, 0, NULL, NULL));
  test_read(buffer, sizeof(out), out);
  for (int i = 0; i < ROWS * WIDTH; i++) {
    const size_t column = (size_t)(i % WIDTH), id = launch->start + column;
    const bool is_run = column < size[0] && is_inside(bounds, is_signed, id, i / WIDTH);
    assert_int_equal(out[i], is_run ? (int)id : 0);
  }
  ASSERT_CL(clReleaseMemObject(buffer));
}

static void check_rows(const char *name, bool is_signed) {
  static const cl_int bounds[][3] = {{0, 100, 1},
                                     {-7, 1 << 30, 0},
                                     {40, 41, 2},
                                     {90, 20, 0},
                                     {INT32_MIN, INT32_MAX, 3},
                                     {INT32_MAX, INT32_MAX, 0},
                                     {0x7fffffe0, -30, 1},
                                     {-20, 30, 0},
                                     {INT32_MIN + 20, 0, 0},
                                     {-1, INT32_MIN, 0}};
  cl_kernel kernel = test_kernel(rows_source, "-cl-std=CL3.0", name);
  for (size_t i = 0; i < sizeof(launches) / sizeof(*launches); i++) {
    for (size_t k = 0; k < sizeof(bounds) / sizeof(*bounds); k++)
      check_launch(kernel, &launches[i], bounds[k], is_signed);
  }
  ASSERT_CL(clReleaseKernel(kernel));
}

static void rows_of_signed_ids(void **state) {
  (void)state;
  check_rows("signed_ids", true);
}

static void rows_of_unsigned_ids(void **state) {
  (void)state;
  check_rows("unsigned_ids", false);
}

DEFINE_RUN_ITEM

int main(void) {
  const struct CMUnitTest tests[] = {
      ITEM_TEST(at_least),
      ITEM_TEST(above_negative),
      ITEM_TEST(not_first),
      ITEM_TEST(wide),
      ITEM_TEST(none_left),
      ITEM_TEST(between),
      ITEM_TEST(between_and_more),
      ITEM_TEST(behind_test),
      ITEM_TEST(one_after_the_other),
      cmocka_unit_test(rows_of_signed_ids),
      cmocka_unit_test(rows_of_unsigned_ids),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
