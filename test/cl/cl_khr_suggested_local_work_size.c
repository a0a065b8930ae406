/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * cl_khr_suggested_local_work_size. */
#include <CL/cl_ext.h>

#include "test_extension.h"

#define FUNCTIONS(X) X(clGetKernelSuggestedLocalWorkSizeKHR)
TEST_EXTENSION_FUNCTIONS(ext, FUNCTIONS)

static cl_kernel kernel;
static cl_mem out;

static int open_device(void **state) {
  if (test_device_open(state) || !test_has_extension("cl_khr_suggested_local_work_size") || !ext_load()) return 1;
  kernel = test_kernel(
      "kernel void sizes(global ulong *out) {\n"
      "  for (uint i = 0; i < 3; i++) out[i] = get_enqueued_local_size(i);\n"
      "}\n",
      "-cl-std=CL3.0", "sizes");
  out = test_buffer(3 * sizeof(cl_ulong), NULL);
  return clSetKernelArg(kernel, 0, sizeof(out), &out);
}

static int close_device(void **state) {
  return clReleaseMemObject(out) || clReleaseKernel(kernel) || test_device_close(state);
}

static cl_int ask(cl_uint dimensions, const size_t *offset, const size_t *global, size_t *out_local) {
  return ext.clGetKernelSuggestedLocalWorkSizeKHR(dut.queue, kernel, dimensions, offset, global, out_local);
}

static void is_what_a_launch_without_a_size_uses(void **state) {
  (void)state;
  static const size_t ranges[][3] = {{1, 1, 1}, {64, 1, 1}, {1000, 1, 1}, {17, 13, 1}, {64, 64, 4}, {1 << 20, 1, 1}};
  for (size_t i = 0; i < sizeof(ranges) / sizeof(*ranges); i++) {
    for (cl_uint dimensions = 1; dimensions <= 3; dimensions++) {
      size_t local[3] = {1, 1, 1};
      cl_ulong used[3];
      ASSERT_CL(ask(dimensions, NULL, ranges[i], local));
      ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, dimensions, NULL, ranges[i], NULL, 0, NULL, NULL));
      test_read(out, sizeof(used), used);
      for (int d = 0; d < 3; d++) assert_int_equal(local[d], used[d]);
    }
  }
}

static void is_what_the_kernel_requires(void **state) {
  (void)state;
  const size_t global[2] = {64, 64};
  size_t local[2];
  cl_kernel required = test_kernel("kernel __attribute__((reqd_work_group_size(8, 4, 1))) void k() {}", NULL, "k");
  ASSERT_CL(ext.clGetKernelSuggestedLocalWorkSizeKHR(dut.queue, required, 2, NULL, global, local));
  assert_int_equal(local[0], 8);
  assert_int_equal(local[1], 4);
  ASSERT_CL(clReleaseKernel(required));
}

static void refuses_bad_arguments(void **state) {
  (void)state;
  const size_t global[3] = {64, 1, 1}, zero[3] = {64, 0, 1}, far[1] = {SIZE_MAX};
  size_t local[3];
  cl_context context = test_other_context();
  cl_command_queue foreign = test_other_queue(context);
  cl_kernel unset = test_kernel("kernel void k(global int *p) { *p = 1; }", NULL, "k");
  ASSERT_CL_ERROR(ext.clGetKernelSuggestedLocalWorkSizeKHR(NULL, kernel, 1, NULL, global, local),
                  CL_INVALID_COMMAND_QUEUE);
  ASSERT_CL_ERROR(ext.clGetKernelSuggestedLocalWorkSizeKHR(dut.queue, NULL, 1, NULL, global, local), CL_INVALID_KERNEL);
  ASSERT_CL_ERROR(ext.clGetKernelSuggestedLocalWorkSizeKHR(foreign, kernel, 1, NULL, global, local),
                  CL_INVALID_CONTEXT);
  ASSERT_CL_ERROR(ext.clGetKernelSuggestedLocalWorkSizeKHR(dut.queue, unset, 1, NULL, global, local),
                  CL_INVALID_KERNEL_ARGS);
  ASSERT_CL_ERROR(ask(0, NULL, global, local), CL_INVALID_WORK_DIMENSION);
  ASSERT_CL_ERROR(ask(4, NULL, global, local), CL_INVALID_WORK_DIMENSION);
  ASSERT_CL_ERROR(ask(1, NULL, NULL, local), CL_INVALID_GLOBAL_WORK_SIZE);
  ASSERT_CL_ERROR(ask(2, NULL, zero, local), CL_INVALID_GLOBAL_WORK_SIZE);
  ASSERT_CL_ERROR(ask(1, far, global, local), CL_INVALID_GLOBAL_OFFSET);
  ASSERT_CL_ERROR(ask(1, NULL, global, NULL), CL_INVALID_VALUE);
  ASSERT_CL(clReleaseKernel(unset));
  ASSERT_CL(clReleaseCommandQueue(foreign));
  ASSERT_CL(clReleaseContext(context));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(is_what_a_launch_without_a_size_uses),
      cmocka_unit_test(is_what_the_kernel_requires),
      cmocka_unit_test(refuses_bad_arguments),
  };
  return cmocka_run_group_tests(tests, open_device, close_device);
}
