/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * cl_khr_kernel_clock: time goes on within a work-item and from one launch to the next. */
#include "test_device.h"

#ifndef CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR
#define CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR 0x1076
#endif

enum { ITEMS = 64, TIMES = 4, turns = 100000 };

/** Two readings with work between them, by both scopes, whole and in halves. */
static const char source[] =
    "kernel void times(global ulong *out, global uint *sink, uint n) {\n"
    "  size_t i = get_global_id(0);\n"
    "  out[4 * i] = clock_read_device();\n"
    "  out[4 * i + 1] = as_ulong(clock_read_hilo_device());\n"
    "  for (uint t = 0; t < n; t++) sink[i] = sink[i] * 3 + t;\n"
    "  out[4 * i + 2] = clock_read_work_group();\n"
    "  out[4 * i + 3] = as_ulong(clock_read_hilo_work_group());\n"
    "}\n";

static bool has_clock(void) {
  return test_device_has_feature("__opencl_c_kernel_clock_scope_device") &&
         test_device_has_feature("__opencl_c_kernel_clock_scope_work_group");
}

static void time_goes_on(void **state) {
  (void)state;
  if (!has_clock()) skip();
  const size_t items = ITEMS;
  const cl_uint n = turns;
  cl_ulong out[ITEMS][TIMES], last = 0;
  cl_kernel kernel = test_kernel(source, "-cl-std=CL3.0", "times");
  cl_mem times = test_buffer(sizeof(out), NULL), sink = test_buffer(ITEMS * sizeof(cl_uint), NULL);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(times), &times));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof(sink), &sink));
  ASSERT_CL(clSetKernelArg(kernel, 2, sizeof(n), &n));
  for (int launch = 0; launch < 3; launch++) {
    cl_ulong greatest = 0;
    ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    test_read(times, sizeof(out), out);
    for (int i = 0; i < ITEMS; i++) {
      assert_true(out[i][0] > last);
      assert_true(out[i][1] >= out[i][0] && out[i][2] > out[i][1] && out[i][3] >= out[i][2]);
      if (out[i][3] > greatest) greatest = out[i][3];
    }
    last = greatest;
  }
  ASSERT_CL(clReleaseMemObject(times));
  ASSERT_CL(clReleaseMemObject(sink));
  ASSERT_CL(clReleaseKernel(kernel));
}

static void the_query_agrees_with_the_features(void **state) {
  (void)state;
  if (!has_clock()) skip();
  ASSERT_INFO(clGetDeviceInfo, dut.device, CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR, cl_bitfield,
              (test_device_has_feature("__opencl_c_kernel_clock_scope_sub_group") ? 7 : 3));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(time_goes_on),
      cmocka_unit_test(the_query_agrees_with_the_features),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
