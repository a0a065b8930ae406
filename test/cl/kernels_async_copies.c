/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * cl_khr_extended_async_copies and cl_khr_async_work_group_copy_fence: boxes of elements of any size, both ways. */
#include <stdio.h>
#include <stdlib.h>

#include "test_device.h"

/** From a box in global memory to local memory, there to another place, and back to another box. */
static const char source[] =
    "#pragma OPENCL EXTENSION cl_khr_extended_async_copies : enable\n"
    "#pragma OPENCL EXTENSION cl_khr_async_work_group_copy_fence : enable\n"
    "#if !defined(cl_khr_extended_async_copies) || !defined(cl_khr_async_work_group_copy_fence)\n"
    "#error not defined\n"
    "#endif\n"
    "typedef struct __attribute__((packed)) { uchar byte[SIZE]; } element;\n"
    "kernel void planes(const global element *from, global element *to, local element *box) {\n"
    "  size_t g = get_group_id(0);\n"
    "  event_t e = async_work_group_copy_3D3D(box, 2, from, 3 + g, sizeof(element), 5, 3, 2, 11, 50, 7, 23, 0);\n"
    "  async_work_group_copy_fence(CLK_LOCAL_MEM_FENCE);\n"
    "  e = async_work_group_copy_3D3D(to, 1 + 100 * g, box, 2, sizeof(element), 5, 3, 2, 7, 23, 9, 40, e);\n"
    "  wait_group_events(1, &e);\n"
    "}\n"
    "kernel void lines(const global element *from, global element *to, local element *box) {\n"
    "  size_t g = get_group_id(0);\n"
    "  event_t e = async_work_group_copy_2D2D(box, 1, from, 2 + g, sizeof(element), 6, 4, 13, 8, 0);\n"
    "  wait_group_events(1, &e);\n"
    "  e = async_work_group_copy_2D2D(to, 3 + 100 * g, box, 1, sizeof(element), 6, 4, 8, 10, 0);\n"
    "  wait_group_events(1, &e);\n"
    "}\n";

enum { groups = 4, elements = 400, largest = 64 };

/** Where the box lies in both, in elements. */
typedef struct boxes_t {
  const char *kernel;
  size_t length, lines, planes;
  size_t from, from_line, from_plane, to, to_line, to_plane;
} boxes_t;

static void expect(const boxes_t *boxes, size_t size, const cl_uchar *in, cl_uchar *out) {
  for (size_t g = 0; g < groups; g++) {
    for (size_t plane = 0; plane < boxes->planes; plane++) {
      for (size_t line = 0; line < boxes->lines; line++) {
        const size_t from = boxes->from + g + plane * boxes->from_plane + line * boxes->from_line;
        const size_t to = boxes->to + 100 * g + plane * boxes->to_plane + line * boxes->to_line;
        memcpy(out + to * size, in + from * size, boxes->length * size);
      }
    }
  }
}

static void check(cl_program program, const boxes_t *boxes, size_t size, size_t local) {
  static cl_uchar in[elements * largest], out[elements * largest], expected[elements * largest];
  cl_int error;
  for (size_t i = 0; i < sizeof in; i++) in[i] = (cl_uchar)(i * 31 + i / 251);
  memset(expected, 0xEE, sizeof expected);
  cl_mem from = test_buffer(elements * size, in), to = test_buffer(elements * size, expected);
  expect(boxes, size, in, expected);
  cl_kernel kernel = clCreateKernel(program, boxes->kernel, &error);
  ASSERT_CL(error);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof from, &from));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof to, &to));
  ASSERT_CL(clSetKernelArg(kernel, 2, 64 * size, NULL));
  const size_t global = groups * local;
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
  test_read(to, elements * size, out);
  assert_memory_equal(out, expected, elements * size);
  ASSERT_CL(clReleaseKernel(kernel));
  ASSERT_CL(clReleaseMemObject(from));
  ASSERT_CL(clReleaseMemObject(to));
}

static void boxes_are_copied(void **state) {
  (void)state;
  static const boxes_t all[] = {{"planes", 5, 3, 2, 3, 11, 50, 1, 9, 40}, {"lines", 6, 4, 1, 2, 13, 0, 3, 10, 0}};
  static const size_t sizes[] = {1, 2, 3, 4, 7, 8, 16, 64}, locals[] = {1, 3, 16, 64};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    char options[64];
    snprintf(options, sizeof options, "-cl-std=CL3.0 -Werror -DSIZE=%zu", sizes[s]);
    cl_program program = test_program(source, options);
    for (size_t l = 0; l < sizeof locals / sizeof *locals; l++) {
      for (size_t i = 0; i < 2; i++) check(program, &all[i], sizes[s], locals[l]);
    }
    ASSERT_CL(clReleaseProgram(program));
  }
}

/** As is each language version that the extension may be used with. */
static void every_version_has_it(void **state) {
  (void)state;
  static const char *const versions[] = {"-cl-std=CL1.0", "-cl-std=CL1.2", "-cl-std=CL2.0", "-cl-std=CLC++2021"};
  for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
    char options[64];
    snprintf(options, sizeof options, "%s -DSIZE=4", versions[i]);
    ASSERT_CL(clReleaseProgram(test_program(source, options)));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(boxes_are_copied), cmocka_unit_test(every_version_has_it)};
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
