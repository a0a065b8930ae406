/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A value with so many additions that its uses are divided: every one of them still finds it. */
#include <stdio.h>
#include <stdlib.h>

#include "test_device.h"

enum { STEPS = 2500, ITEMS = 40, STEP_SIZE = 64 };

static char *write_source(void) {
  const size_t size = (size_t)(STEPS + 4) * STEP_SIZE;
  char *source = malloc(size), *at = source;
  assert_non_null(source);
  at += snprintf(at, (size_t)4 * STEP_SIZE,
                 "kernel void uses(global const int *in, global int *out, int b) {\n"
                 "  int i = get_global_id(0), a = in[i];\n");
  for (int step = 0; step < STEPS; step++) {
    at += snprintf(at, STEP_SIZE, "  a = a > b ? a - in[%d] : b + %d;\n", step % ITEMS, step);
  }
  snprintf(at, STEP_SIZE, "  out[i] = a;\n}\n");
  return source;
}

static void run_uses(void **state) {
  int in[ITEMS], actual[ITEMS];
  char *source = write_source();
  for (int i = 0; i < ITEMS; i++) in[i] = i * 7919 % 1009;
  cl_kernel kernel = test_kernel(source, *state, "uses");
  free(source);
  cl_mem buffers[] = {test_buffer(sizeof(in), in), test_buffer(sizeof(in), in)};
  for (cl_uint i = 0; i < 2; i++) ASSERT_CL(clSetKernelArg(kernel, i, sizeof(cl_mem), &buffers[i]));
  for (int b = 0; b < 900; b += 299) {
    const size_t range = ITEMS;
    ASSERT_CL(clSetKernelArg(kernel, 2, sizeof(b), &b));
    ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &range, NULL, 0, NULL, NULL));
    test_read(buffers[1], sizeof(actual), actual);
    for (int i = 0; i < ITEMS; i++) {
      int a = in[i];
      for (int step = 0; step < STEPS; step++) a = a > b ? a - in[step % ITEMS] : b + step;
      assert_int_equal(actual[i], a);
    }
  }
  for (int i = 0; i < 2; i++) ASSERT_CL(clReleaseMemObject(buffers[i]));
  ASSERT_CL(clReleaseKernel(kernel));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test_prestate(run_uses, "")};
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
