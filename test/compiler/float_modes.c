/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Builds in threads that round otherwise, or trap: the code is the same, and the thread keeps what it had. */
#include <fenv.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>

#include "test_device.h"

enum { roots = 8 };

/** Roots that the compiler knows, in enough kernels that several threads compile them. */
static const char source[] =
    "#define K(name) kernel void name(global double *out, global float *p, int n) {"
    " for (int i = 0; i < n; i++) p[get_global_id(0)] += sin(p[i]) * cos(p[i + 1]) / tan(p[i + 2]);"
    " out[0] = sqrt(2.0); out[1] = sqrt(3.0); out[2] = sqrt(5.0); out[3] = sqrt(6.0);"
    " out[4] = sqrt(7.0); out[5] = sqrt(8.0); out[6] = sqrt(10.0); out[7] = sqrt(11.0); }\n"
    "#define F(name) K(name##1) K(name##2) K(name##3) K(name##4)\n"
    "F(a) F(b) F(c) F(d) F(e) F(f)\n";

/** Runs on a thread with the usual modes. */
static void check_kernel(cl_program program, const char *name) {
  static const volatile double of[roots] = {2, 3, 5, 6, 7, 8, 10, 11};
  double out[roots];
  const cl_int turns = 0;
  const size_t global = 1;
  cl_int error;
  cl_kernel kernel = clCreateKernel(program, name, &error);
  ASSERT_CL(error);
  cl_mem buffer = test_buffer(sizeof out, NULL);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof buffer, &buffer));
  ASSERT_CL(clSetKernelArg(kernel, 2, sizeof turns, &turns));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
  test_read(buffer, sizeof out, out);
  for (int i = 0; i < roots; i++) {
    if (out[i] != sqrt(of[i])) fail_msg("%s: sqrt(%g) is %a, not %a", name, of[i], out[i], sqrt(of[i]));
  }
  ASSERT_CL(clReleaseMemObject(buffer));
  ASSERT_CL(clReleaseKernel(kernel));
}

static void rounding_is_no_part_of_the_code(void **state) {
  (void)state;
  static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  if (!test_device_number(CL_DEVICE_DOUBLE_FP_CONFIG)) skip();
  for (int i = 0; i < 3; i++) {
    assert_int_equal(fesetround(modes[i]), 0);
    cl_program program = test_program(source, NULL);
    const int after = fegetround();
    assert_int_equal(fesetround(FE_TONEAREST), 0);
    assert_int_equal(after, modes[i]);
    for (char name[] = "a1"; name[0] <= 'f'; name[0]++) check_kernel(program, name);
    ASSERT_CL(clReleaseProgram(program));
  }
}

/** The compiler tries what the program computes: the thread's own signals are not for that. */
static void traps_are_not_for_the_compiler(void **state) {
  (void)state;
  const int traps = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW;
  if (feenableexcept(traps) == -1) skip();
  cl_program program = test_program(
      "kernel void k(global float *out) { out[0] = sqrt(-1.0f); out[1] = log(0.0f); out[2] = 1.0f / 0.0f; }", NULL);
  assert_int_equal(fedisableexcept(FE_ALL_EXCEPT), traps);
  ASSERT_CL(clReleaseProgram(program));
}

static void flags_stay(void **state) {
  (void)state;
  feclearexcept(FE_ALL_EXCEPT);
  feraiseexcept(FE_OVERFLOW | FE_INEXACT);
  cl_program program = test_program("kernel void k(global float *out) { out[0] = sqrt(-1.0f); }", NULL);
  assert_int_equal(fetestexcept(FE_ALL_EXCEPT), FE_OVERFLOW | FE_INEXACT);
  ASSERT_CL(clReleaseProgram(program));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rounding_is_no_part_of_the_code),
      cmocka_unit_test(traps_are_not_for_the_compiler),
      cmocka_unit_test(flags_stay),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
