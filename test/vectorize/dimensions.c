/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Kernels whose accesses are contiguous along the second or third dimension, in work-groups of all shapes. */
#include <stdio.h>

#include <CL/cl_ext.h>

#include "test_extension.h"

#define FUNCTIONS(X) X(clGetKernelSuggestedLocalWorkSizeKHR)
TEST_EXTENSION_FUNCTIONS(ext, FUNCTIONS)

enum { WIDTH = 48, HEIGHT = 40, DEPTH = 2, SIZE = WIDTH * HEIGHT * DEPTH };

/* x counts rows of WIDTH elements, and y the elements of a row; z counts matrices. Which dimension of the ND-range each
 * of them is, the macros X, Y and Z say. */
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
     "  int x = get_global_id(X), y = get_global_id(Y), z = get_global_id(Z), i = (z * h + x) * w + y;\n"
     "  out[i] = in[i] * 2 + in[i + 1] + x * 100 + y * 10 + z;\n"
     "}\n",
     add_neighbour},
    {"kernel void k(global const int *in, global int *out, int w, int h) {\n"
     "  int x = get_global_id(X), y = get_global_id(Y), z = get_global_id(Z), sum = 0;\n"
     "  for (int k = 0; k < 7; k++) sum += in[k * w + y] * in[(z * h + x) * w + k];\n"
     "  out[(z * h + x) * w + y] = sum;\n"
     "}\n",
     sum_row},
    {"kernel void k(global const int *in, global int *out, int w, int h) {\n"
     "  size_t x = get_global_id(X), y = get_global_id(Y), z = get_global_id(Z), i = (z * h + x) * w + y;\n"
     "  if (y > x) return;\n"
     "  out[i] = in[i] - (int)y;\n"
     "  if (y == 0) out[i] += x;\n"
     "}\n",
     left_of_diagonal},
    /* Values of each work-item live across barriers: they are found again whatever the order of the loops. */
    {"kernel void k(global const int *in, global int *out, int w, int h) {\n"
     "  local int tile[512];\n"
     "  int x = get_global_id(X), y = get_global_id(Y), z = get_global_id(Z), i = (z * h + x) * w + y;\n"
     "  int own = in[i] * 2, id = get_local_id(Y) + get_local_id(X) * get_local_size(Y);\n"
     "  int here = (get_local_id(Z) * get_local_size(X) * get_local_size(Y) + id);\n"
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
     "  int y = get_global_id(Y), z = get_global_id(Z), width = get_local_size(X), start = get_group_id(X) * width;\n"
     "  int here = get_local_id(Z) * get_local_size(Y) + get_local_id(Y);\n"
     "  atomic_xchg(&tile[here], y * 10 + z);\n"
     "  barrier(CLK_LOCAL_MEM_FENCE);\n"
     "  for (int x = start; x < start + width; x++) {\n"
     "    int i = (z * h + x) * w + y;\n"
     "    atomic_xchg(&out[i], in[i] * 2 + in[i + 1] + x * 100 + tile[here]);\n"
     "  }\n"
     "}\n",
     add_neighbour},
};

/* By dimension of the ND-range: whether it is x, y or z. */
typedef struct dimensions_order_t {
  int letter[3];
  const char *options;
} dimensions_order_t;

static const dimensions_order_t orders[] = {
    {{0, 1, 2}, "-cl-std=CL3.0 -DX=0 -DY=1 -DZ=2"},
    {{2, 0, 1}, "-cl-std=CL3.0 -DX=1 -DY=2 -DZ=0"},
};

static void set_arguments(cl_kernel kernel, const cl_mem buffers[2]) {
  const cl_int width = WIDTH, height = HEIGHT;
  for (cl_uint i = 0; i < 2; i++) ASSERT_CL(clSetKernelArg(kernel, i, sizeof(cl_mem), &buffers[i]));
  ASSERT_CL(clSetKernelArg(kernel, 2, sizeof width, &width));
  ASSERT_CL(clSetKernelArg(kernel, 3, sizeof height, &height));
}

/* `local`: sizes in x, y and z. */
static void run_shape(cl_kernel kernel, const dimensions_case_t *test, const dimensions_order_t *order,
                      const size_t local[3]) {
  static cl_int in[SIZE + 1], expected[SIZE], out[SIZE];
  static const size_t sizes[3] = {HEIGHT, WIDTH, DEPTH};
  size_t global[3], local_size[3];
  for (int i = 0; i < 3; i++) {
    global[i] = sizes[order->letter[i]];
    if (local) local_size[i] = local[order->letter[i]];
  }
  for (int i = 0; i <= SIZE; i++) in[i] = (i * 7919) % 1009;
  memset(expected, 0x55, sizeof expected);
  for (size_t z = 0; z < DEPTH; z++) {
    for (size_t x = 0; x < HEIGHT; x++) {
      for (size_t y = 0; y < WIDTH; y++) test->expected(in, expected, x, y, z);
    }
  }
  memset(out, 0x55, sizeof out);
  cl_mem buffers[] = {test_buffer(sizeof in, in), test_buffer(sizeof out, out)};
  set_arguments(kernel, buffers);
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 3, NULL, global, local ? local_size : NULL, 0, NULL, NULL));
  test_read(buffers[1], sizeof out, out);
  for (int i = 0; i < 2; i++) ASSERT_CL(clReleaseMemObject(buffers[i]));
  assert_memory_equal(out, expected, sizeof out);
}

static void all_shapes(void **state) {
  static const size_t shapes[][3] = {{1, 48, 1}, {4, 16, 1}, {8, 8, 2},  {10, 12, 1}, {40, 1, 1},
                                     {20, 3, 2}, {1, 1, 1},  {5, 24, 2}, {40, 4, 1},  {2, 6, 2}};
  const dimensions_case_t *test = *state;
  for (size_t o = 0; o < sizeof orders / sizeof *orders; o++) {
    cl_kernel kernel = test_kernel(test->source, orders[o].options, "k");
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) run_shape(kernel, test, &orders[o], shapes[i]);
    run_shape(kernel, test, &orders[o], NULL);
    ASSERT_CL(clReleaseKernel(kernel));
  }
}

static void run_required_size(const dimensions_case_t *test, const dimensions_order_t *order, const size_t size[3]) {
  char source[1024];
  const int length = snprintf(source, sizeof source, "__attribute__((reqd_work_group_size(%zu, %zu, %zu))) %s",
                              size[order->letter[0]], size[order->letter[1]], size[order->letter[2]], test->source);
  assert_in_range(length, 1, sizeof source - 1);
  cl_kernel kernel = test_kernel(source, order->options, "k");
  run_shape(kernel, test, order, size);
  ASSERT_CL(clReleaseKernel(kernel));
}

/* The size is known when the kernel is compiled, and the last work-groups are smaller. */
static void required_sizes(void **state) {
  static const size_t sizes[][3] = {{8, 16, 1}, {1, 48, 2}, {7, 9, 1}, {3, 11, 2}, {1, 13, 1}, {12, 5, 1}};
  for (size_t o = 0; o < sizeof orders / sizeof *orders; o++) {
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) run_required_size(*state, &orders[o], sizes[i]);
  }
}

/* A local size that the application leaves open is long in the dimension of the lanes. */
static void open_sizes(void **state) {
  const dimensions_case_t *test = *state;
  static const size_t global[3] = {512, 512, 512};
  const cl_mem buffers[] = {test_buffer(64, NULL), test_buffer(64, NULL)};
  for (size_t o = 0; o < sizeof orders / sizeof *orders; o++) {
    cl_kernel kernel = test_kernel(test->source, orders[o].options, "k");
    size_t local[3], width;
    set_arguments(kernel, buffers);
    ASSERT_CL(clGetKernelWorkGroupInfo(kernel, dut.device, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, sizeof width,
                                       &width, NULL));
    ASSERT_CL(ext.clGetKernelSuggestedLocalWorkSizeKHR(dut.queue, kernel, 3, NULL, global, local));
    for (int i = 0; i < 3; i++) {
      /* Without vectors, x is as good. */
      const bool is_long = width > 1 ? orders[o].letter[i] == 1 : i == 0;
      if (is_long) assert_in_range(local[i], 64, 4096);
      if (!is_long) assert_in_range(local[i], 1, 16);
    }
    ASSERT_CL(clReleaseKernel(kernel));
  }
  for (int i = 0; i < 2; i++) ASSERT_CL(clReleaseMemObject(buffers[i]));
}

static int open_device(void **state) { return test_device_open(state) || !ext_load(); }

int main(void) {
  const struct CMUnitTest tests[] = {
      {"neighbours", all_shapes, NULL, NULL, (void *)(uintptr_t)&cases[0]},
      {"loops", all_shapes, NULL, NULL, (void *)(uintptr_t)&cases[1]},
      {"conditions", all_shapes, NULL, NULL, (void *)(uintptr_t)&cases[2]},
      {"barriers", all_shapes, NULL, NULL, (void *)(uintptr_t)&cases[3]},
      {"no_id_along_x", all_shapes, NULL, NULL, (void *)(uintptr_t)&cases[4]},
      {"required_sizes", required_sizes, NULL, NULL, (void *)(uintptr_t)&cases[0]},
      {"required_sizes_barriers", required_sizes, NULL, NULL, (void *)(uintptr_t)&cases[3]},
      {"open_sizes", open_sizes, NULL, NULL, (void *)(uintptr_t)&cases[0]},
  };
  return cmocka_run_group_tests(tests, open_device, test_device_close);
}
