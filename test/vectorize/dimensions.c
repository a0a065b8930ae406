/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Kernels whose accesses are contiguous along the second dimension, in work-groups of all shapes. */
#include <stdio.h>

#include "test_device.h"

enum { WIDTH = 48, HEIGHT = 40, DEPTH = 2, SIZE = WIDTH * HEIGHT * DEPTH };

/* x counts rows of WIDTH elements, and y the elements of a row; z counts matrices. */
typedef void expected_t(const cl_int *in, cl_int *out, size_t x, size_t y, size_t z);

typedef struct dimensions_case_t {
  const char *source;
  expected_t *expected;
} dimensions_case_t;

static size_t place(size_t x, size_t y, size_t z) { return (z * HEIGHT + x) * WIDTH + y; }

static void add_neighbour(const cl_int *in, cl_int *out, size_t x, size_t y, size_t z) {
  size_t i = place(x, y, z);
  out[i] = in[i] * 2 + in[i + 1] + (cl_int)(x * 100 + y * 10 + z);
}

static void sum_row(const cl_int *in, cl_int *out, size_t x, size_t y, size_t z) {
  cl_int sum = 0;
  for (size_t k = 0; k < 7; k++) sum += in[k * WIDTH + y] * in[place(x, 0, z) + k];
  out[place(x, y, z)] = sum;
}

static void left_of_diagonal(const cl_int *in, cl_int *out, size_t x, size_t y, size_t z) {
  size_t i = place(x, y, z);
  if (y > x) return;
  out[i] = in[i] - (cl_int)y;
  if (y == 0) out[i] += (cl_int)x;
}

static const dimensions_case_t cases[] = {
    {"kernel void k(global const int *in, global int *out, int w, int h) {\n"
     "  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2), i = (z * h + x) * w + y;\n"
     "  out[i] = in[i] * 2 + in[i + 1] + x * 100 + y * 10 + z;\n"
     "}\n",
     add_neighbour},
    {"kernel void k(global const int *in, global int *out, int w, int h) {\n"
     "  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2), sum = 0;\n"
     "  for (int k = 0; k < 7; k++) sum += in[k * w + y] * in[(z * h + x) * w + k];\n"
     "  out[(z * h + x) * w + y] = sum;\n"
     "}\n",
     sum_row},
    {"kernel void k(global const int *in, global int *out, int w, int h) {\n"
     "  size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2), i = (z * h + x) * w + y;\n"
     "  if (y > x) return;\n"
     "  out[i] = in[i] - (int)y;\n"
     "  if (y == 0) out[i] += x;\n"
     "}\n",
     left_of_diagonal},
    /* Values of each work-item live across barriers: they are found again whatever the order of the loops. */
    {"kernel void k(global const int *in, global int *out, int w, int h) {\n"
     "  local int tile[512];\n"
     "  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2), i = (z * h + x) * w + y;\n"
     "  int own = in[i] * 2, id = get_local_id(1) + get_local_id(0) * get_local_size(1);\n"
     "  int here = (get_local_id(2) * get_local_size(0) * get_local_size(1) + id);\n"
     "  if (here < 512) tile[here] = in[i + 1];\n"
     "  barrier(CLK_LOCAL_MEM_FENCE);\n"
     "  int next = here < 512 ? tile[here] : in[i + 1];\n"
     "  barrier(CLK_LOCAL_MEM_FENCE);\n"
     "  out[i] = own + next + x * 100 + y * 10 + z;\n"
     "}\n",
     add_neighbour},
    /* No id along x is read: all work-items with one y do the same, for all x of the work-group. */
    {"kernel void k(global const int *in, global int *out, int w, int h) {\n"
     "  local int tile[512];\n"
     "  int y = get_global_id(1), z = get_global_id(2), width = get_local_size(0), start = get_group_id(0) * width;\n"
     "  int here = get_local_id(2) * get_local_size(1) + get_local_id(1);\n"
     "  atomic_xchg(&tile[here], y * 10 + z);\n"
     "  barrier(CLK_LOCAL_MEM_FENCE);\n"
     "  for (int x = start; x < start + width; x++) {\n"
     "    int i = (z * h + x) * w + y;\n"
     "    atomic_xchg(&out[i], in[i] * 2 + in[i + 1] + x * 100 + tile[here]);\n"
     "  }\n"
     "}\n",
     add_neighbour},
};

static void run_shape(cl_kernel kernel, const dimensions_case_t *test, const size_t local[3]) {
  static cl_int in[SIZE + 1], expected[SIZE], out[SIZE];
  const size_t global[3] = {HEIGHT, WIDTH, DEPTH};
  const cl_int width = WIDTH, height = HEIGHT;
  for (int i = 0; i <= SIZE; i++) in[i] = (i * 7919) % 1009;
  memset(expected, 0x55, sizeof expected);
  for (size_t z = 0; z < DEPTH; z++) {
    for (size_t x = 0; x < HEIGHT; x++) {
      for (size_t y = 0; y < WIDTH; y++) test->expected(in, expected, x, y, z);
    }
  }
  memset(out, 0x55, sizeof out);
  cl_mem buffers[] = {test_buffer(sizeof in, in), test_buffer(sizeof out, out)};
  for (cl_uint i = 0; i < 2; i++) ASSERT_CL(clSetKernelArg(kernel, i, sizeof(cl_mem), &buffers[i]));
  ASSERT_CL(clSetKernelArg(kernel, 2, sizeof width, &width));
  ASSERT_CL(clSetKernelArg(kernel, 3, sizeof height, &height));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 3, NULL, global, local, 0, NULL, NULL));
  test_read(buffers[1], sizeof out, out);
  for (int i = 0; i < 2; i++) ASSERT_CL(clReleaseMemObject(buffers[i]));
  assert_memory_equal(out, expected, sizeof out);
}

static void all_shapes(void **state) {
  static const size_t shapes[][3] = {{1, 48, 1}, {4, 16, 1}, {8, 8, 2},  {10, 12, 1}, {40, 1, 1},
                                     {20, 3, 2}, {1, 1, 1},  {5, 24, 2}, {40, 4, 1},  {2, 6, 2}};
  const dimensions_case_t *test = *state;
  cl_kernel kernel = test_kernel(test->source, "-cl-std=CL3.0", "k");
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) run_shape(kernel, test, shapes[i]);
  run_shape(kernel, test, NULL);
  ASSERT_CL(clReleaseKernel(kernel));
}

/* The size is known when the kernel is compiled, and the last work-groups are smaller. */
static void required_sizes(void **state) {
  static const size_t sizes[][3] = {{8, 16, 1}, {1, 48, 2}, {7, 9, 1}, {3, 11, 2}, {1, 13, 1}, {12, 5, 1}};
  const dimensions_case_t *test = *state;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    char source[1024];
    const int length = snprintf(source, sizeof source, "__attribute__((reqd_work_group_size(%zu, %zu, %zu))) %s",
                                sizes[i][0], sizes[i][1], sizes[i][2], test->source);
    assert_in_range(length, 1, sizeof source - 1);
    cl_kernel kernel = test_kernel(source, "-cl-std=CL3.0", "k");
    run_shape(kernel, test, sizes[i]);
    ASSERT_CL(clReleaseKernel(kernel));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      {"neighbours", all_shapes, NULL, NULL, (void *)(uintptr_t)&cases[0]},
      {"loops", all_shapes, NULL, NULL, (void *)(uintptr_t)&cases[1]},
      {"conditions", all_shapes, NULL, NULL, (void *)(uintptr_t)&cases[2]},
      {"barriers", all_shapes, NULL, NULL, (void *)(uintptr_t)&cases[3]},
      {"no_id_along_x", all_shapes, NULL, NULL, (void *)(uintptr_t)&cases[4]},
      {"required_sizes", required_sizes, NULL, NULL, (void *)(uintptr_t)&cases[0]},
      {"required_sizes_barriers", required_sizes, NULL, NULL, (void *)(uintptr_t)&cases[3]},
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
