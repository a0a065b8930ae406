/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What muxCommandNDRange is told of the memory that pointers may reach, by a kernel that has code for distinct buffers,
 * and by one that has not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include "device_fixture.h"
#include "nd_range_spy.h"

enum { ITEMS = 64 };
static const size_t bytes = sizeof(cl_uint) * ITEMS * ITEMS;

static const char source[] =
    "kernel void sums(global const uint *in, global uint *out, uint n) {\n"
    "  const size_t i = get_global_id(0);\n"
    "  for (uint j = 0; j < n; j++) out[i] += in[i * n + j];\n"
    "}\n"
    "kernel void copy(global const uint *in, global uint *out, uint n) {\n"
    "  out[get_global_id(0)] = in[get_global_id(0)] + n;\n"
    "}\n";

static cl_uint *first, *second;

/* The two pointers that were recorded last. */
static mux_descriptor_info_t recorded[2];

static void note_nd_range(mux_kernel_t kernel, const mux_ndrange_options_t *options) {
  (void)kernel;
  memcpy(recorded, options->descriptors, sizeof recorded);
}

static int set_up(void **state) {
  (void)state;
  if (device_fixture_open()) return -1;
  first = clSVMAlloc(context, CL_MEM_READ_WRITE, bytes, 0);
  second = clSVMAlloc(context, CL_MEM_READ_WRITE, 2 * bytes, 0);
  if (!first || !second) return -1;
  memset(first, 0, bytes);
  memset(second, 0, 2 * bytes);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  clSVMFree(context, first);
  clSVMFree(context, second);
  return device_fixture_close();
}

static void run(const char *name, const cl_uint *in, cl_uint *out) {
  const size_t items = ITEMS;
  const cl_uint n = ITEMS;
  const char *text = source;
  cl_int error;
  cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
  assert_int_equal(error, CL_SUCCESS);
  assert_int_equal(clBuildProgram(program, 1, &device, "-cl-std=CL3.0", NULL, NULL), CL_SUCCESS);
  cl_kernel kernel = clCreateKernel(program, name, &error);
  assert_int_equal(error, CL_SUCCESS);
  assert_int_equal(clSetKernelArgSVMPointer(kernel, 0, in), CL_SUCCESS);
  assert_int_equal(clSetKernelArgSVMPointer(kernel, 1, out), CL_SUCCESS);
  assert_int_equal(clSetKernelArg(kernel, 2, sizeof n, &n), CL_SUCCESS);
  memset(recorded, 0, sizeof recorded);
  assert_int_equal(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL), CL_SUCCESS);
  assert_int_equal(clFinish(queue), CL_SUCCESS);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
}

static void expect(size_t index, const void *pointer, const void *allocation, uint64_t size) {
  assert_int_equal(recorded[index].type, mux_descriptor_info_type_custom_buffer);
  assert_ptr_equal(recorded[index].custom_buffer_descriptor.data, pointer);
  assert_ptr_equal(recorded[index].custom_buffer_descriptor.allocation, allocation);
  assert_int_equal(recorded[index].custom_buffer_descriptor.allocation_size, size);
}

static void pointers_come_with_their_allocations(void **state) {
  (void)state;
  run("sums", first, second + ITEMS);
  expect(0, first, first, bytes);
  expect(1, second + ITEMS, second, 2 * bytes);
}

/* The device works on all memory of the process. */
static void memory_of_the_process_is_unknown(void **state) {
  (void)state;
  cl_uint own[ITEMS] = {0};
  run("sums", first, own);
  expect(0, first, first, bytes);
  expect(1, own, NULL, 0);
}

static void kernels_without_such_code_are_not_asked(void **state) {
  (void)state;
  run("copy", first, second);
  expect(0, first, NULL, 0);
  expect(1, second, NULL, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pointers_come_with_their_allocations),
      cmocka_unit_test(memory_of_the_process_is_unknown),
      cmocka_unit_test(kernels_without_such_code_are_not_asked),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
