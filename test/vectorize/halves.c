/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Divisions of halves are rounded correctly where a program may be approximate, too: the inverse of one may be too
 * large, or too small, for a half. */
#include "test_device.h"
#include "test_half.h"

enum { COUNT = 4096 + 5 };

static const char source[] =
    "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
    "kernel void divide(global const half *restrict x, global const half *restrict y, global half *restrict out) {\n"
    "  const size_t i = get_global_id(0);\n"
    "  out[i] = x[i] / y[i];\n"
    "}\n"
    "kernel void divide_two(global const half *restrict x, global const half *restrict y, global half *restrict out) "
    "{\n"
    "  const size_t i = get_global_id(0), count = get_global_size(0);\n"
    "  out[i] = x[i] / y[i];\n"
    "  out[count + i] = x[count - 1 - i] / y[i];\n"
    "}\n"
    "kernel void divide_by_first(global const half *restrict x, global const half *restrict y,\n"
    "                            global half *restrict out) {\n"
    "  const size_t i = get_global_id(0);\n"
    "  out[i] = x[i] / y[0];\n"
    "}\n";

static uint16_t x[COUNT], y[COUNT], out[2 * COUNT];

static double value(const uint16_t *halves, size_t i) { return test_half_to_double(halves[i]); }

/* No quotient is too large or too small. */
static void fill(double smallest_divisor, double largest_divisor) {
  for (size_t i = 0; i < COUNT; i++) {
    const double part = (double)i / (COUNT - 1);
    y[i] = test_half_from_double(smallest_divisor + part * (largest_divisor - smallest_divisor));
    x[i] = test_half_from_double(value(y, i) * (0.3 + (double)(i * 37 % 101) / 101));
  }
}

static void run(const char *name) {
  const size_t count = COUNT;
  cl_kernel kernel = test_kernel(source, "-cl-std=CL3.0 -cl-fast-relaxed-math", name);
  cl_mem buffers[] = {test_buffer(sizeof(x), x), test_buffer(sizeof(y), y), test_buffer(sizeof(out), NULL)};
  for (cl_uint i = 0; i < 3; i++) ASSERT_CL(clSetKernelArg(kernel, i, sizeof(buffers[i]), &buffers[i]));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &count, NULL, 0, NULL, NULL));
  test_read(buffers[2], sizeof(out), out);
  for (int i = 0; i < 3; i++) ASSERT_CL(clReleaseMemObject(buffers[i]));
  ASSERT_CL(clReleaseKernel(kernel));
}

static void assert_quotient(size_t i, double dividend, double divisor) {
  if (out[i] == test_half_from_double(dividend / divisor)) return;
  fail_msg("%g / %g is %g, should be %g", dividend, divisor, value(out, i), dividend / divisor);
}

static const struct {
  double smallest, largest;
} divisors[] = {{1e-6, 2e-5}, {0.5, 3}, {15000, 60000}};

enum { DIVISORS = sizeof(divisors) / sizeof(divisors[0]) };

static void by_each(void **state) {
  (void)state;
  for (size_t k = 0; k < DIVISORS; k++) {
    fill(divisors[k].smallest, divisors[k].largest);
    run("divide");
    for (size_t i = 0; i < COUNT; i++) assert_quotient(i, value(x, i), value(y, i));
  }
}

static void two_by_each(void **state) {
  (void)state;
  for (size_t k = 0; k < DIVISORS; k++) {
    fill(divisors[k].smallest, divisors[k].largest);
    run("divide_two");
    for (size_t i = 0; i < COUNT; i++) {
      assert_quotient(i, value(x, i), value(y, i));
      assert_quotient(COUNT + i, value(x, COUNT - 1 - i), value(y, i));
    }
  }
}

static void by_the_same(void **state) {
  (void)state;
  for (size_t k = 0; k < DIVISORS; k++) {
    fill(divisors[k].smallest, divisors[k].largest);
    run("divide_by_first");
    for (size_t i = 0; i < COUNT; i++) assert_quotient(i, value(x, i), value(y, 0));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(by_each), cmocka_unit_test(two_by_each),
                                     cmocka_unit_test(by_the_same)};
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
