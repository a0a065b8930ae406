/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Kernels that share local memory, launched so often that they are compiled anew for the local size: results stay as
 * they were, bit for bit, whichever sizes follow each other, groups of one size or not. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "test_device.h"
#include "test_process.h"

/* Two dimensions of SIDE; MANY launches are surely worth a variant. */
enum { SIDE = 1024, ITEMS = SIDE * SIDE, MANY = 80, SIZES = 6 };

/* Asks in every way: constant and variable dimension, in a function called from two places, enqueued size. */
static const char source[] =
    "float halve(local float *t, uint l, uint n) {\n"
    "  for (uint s = n / 2; s; s >>= 1) {\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (l < s) t[l] = t[l] * 0.75f + t[l + s];\n"
    "  }\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  return t[0];\n"
    "}\n"
    "uint items(void) { uint n = 1; for (uint d = 0; d < 4; d++) n *= get_local_size(d); return n; }\n"
    "kernel void fold(global float *out, local float *t) {\n"
    "  size_t at = get_global_id(1) * get_global_size(0) + get_global_id(0);\n"
    "  uint l = get_local_id(1) * get_local_size(0) + get_local_id(0);\n"
    "  t[l] = (float)(at % 977) * 0.37f;\n"
    "  float sum = halve(t, l, get_local_size(0) * get_local_size(1) * get_local_size(2));\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  t[l] = sum + l;\n"
    "  sum += halve(t, l, items());\n"
    "  out[at] = sum + get_enqueued_local_size(0) * 0.5f + get_local_size(3) + NUMBER;\n"
    "}\n";

static const size_t sizes[SIZES][2] = {{64, 1}, {16, 16}, {1, 32}, {7, 9}, {256, 2}, {1024, 1}};

static cl_kernel make_kernel(int number) {
  char options[64];
  snprintf(options, sizeof options, "-cl-std=CL3.0 -DNUMBER=%d", number);
  cl_kernel kernel = test_kernel(source, options, "fold");
  ASSERT_CL(clSetKernelArg(kernel, 1, 1024 * sizeof(cl_float), NULL));
  return kernel;
}

static void launch(cl_kernel kernel, cl_mem out, const size_t *local) {
  const size_t global[2] = {SIDE, SIDE};
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof out, &out));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 2, NULL, global, local, 0, NULL, NULL));
}

static bool is_uniform(const size_t *local) { return SIDE % local[0] == 0 && SIDE % local[1] == 0; }

static bool is_special(const test_capture_t *capture, const size_t *local) {
  char line[128];
  snprintf(line, sizeof line, "kernel 'fold' specialized for local size %zux%zux1 ", local[0], local[1]);
  return strstr(test_capture_text(capture), line) != NULL;
}

static void results_stay(void **state) {
  (void)state;
  static float first[SIZES][ITEMS], later[ITEMS];
  char log[16];
  cl_kernel kernel = make_kernel(0);
  cl_mem out = test_buffer(sizeof later, NULL);
  test_capture_t capture;
  test_capture_begin(&capture, STDERR_FILENO);
  for (int i = 0; i < SIZES; i++) {
    launch(kernel, out, sizes[i]);
    test_read(out, sizeof later, first[i]);
  }
  int missing = 0;
  for (int i = 0; i < SIZES; i++) {
    const double end = test_seconds() + 100;
    bool wanted = test_is_quern() && is_uniform(sizes[i]);
    for (int turn = 0; turn < MANY || (wanted && !is_special(&capture, sizes[i]) && test_seconds() < end); turn++) {
      launch(kernel, out, sizes[i]);
      if (turn % 16 == 15) ASSERT_CL(clFinish(dut.queue));
    }
    if (wanted && !is_special(&capture, sizes[i])) missing++;
    for (int turn = 0; turn < 2; turn++) launch(kernel, out, sizes[i]);
    test_read(out, sizeof later, later);
    assert_memory_equal(later, first[i], sizeof later);
  }
  bool of_parts = is_special(&capture, sizes[3]);
  test_capture_end(&capture, log, sizeof log);
  assert_int_equal(missing, 0);
  assert_false(of_parts);
  ASSERT_CL(clReleaseMemObject(out));
  ASSERT_CL(clReleaseKernel(kernel));
}

/* Everything is released while the variant is being made, or before its turn comes. */
static void released_meanwhile(void **state) {
  (void)state;
  for (int number = 1; number <= 3; number++) {
    cl_kernel kernel = make_kernel(number);
    cl_mem out = test_buffer(ITEMS * sizeof(cl_float), NULL);
    for (int turn = 0; turn < MANY; turn++) launch(kernel, out, sizes[0]);
    ASSERT_CL(clFinish(dut.queue));
    usleep(number % 3 * 5000);
    ASSERT_CL(clReleaseMemObject(out));
    ASSERT_CL(clReleaseKernel(kernel));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(results_stay),
      cmocka_unit_test(released_meanwhile),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
