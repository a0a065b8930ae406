/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Inverses and inverse square roots in vectors: every kind of number, and as exact as a root and a division may be. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "test_device.h"

enum { COUNT = 4096 + 5 };

/* A division may be off by 2.5 ulp of what is divided, which the root is exactly here but for its own rounding. */
static const double most_ulp = 3, division_ulp = 2.5;

static const char source[] =
    "kernel void inverse(global const float *in, global float *out) {\n"
    "  size_t i = get_global_id(0);\n"
    "  out[i] = 1.0f / in[i];\n"
    "}\n"
    "kernel void inverse_of_inverse(global const float *in, global float *out) {\n"
    "  size_t i = get_global_id(0);\n"
    "  out[i] = 7;\n"
    "  if (in[i] != 4.0f) out[i] = 1.0f / (1.0f / in[i]) + 1.0f / sqrt(1.0f / in[i]);\n"
    "}\n"
    "kernel void root(global const float *in, global float *out) {\n"
    "  size_t i = get_global_id(0);\n"
    "  out[i] = 1.0f / sqrt(in[i]);\n"
    "}\n"
    "kernel void forces(global const float *in, global float *out) {\n"
    "  size_t i = get_global_id(0);\n"
    "  float sum = 0;\n"
    "  for (int j = 0; j < 5; j++) {\n"
    "    const float inverse = 1.0f / sqrt(in[i] + j);\n"
    "    if (j & 1) sum += inverse;\n"
    "  }\n"
    "  out[i] = sum;\n"
    "}\n"
    "kernel void quotients(global const float *in, global float *out) {\n"
    "  size_t i = get_global_id(0);\n"
    "  const float x = in[i] / (in[i] + 3.0f), y = x / (in[i] + 1.0f), z = y / sqrt(x);\n"
    "  out[i] = x + y + z + 5.0f / y + (x / z) / sqrt(y);\n"
    "}\n";

static const float special[] = {0.0f,
                                -0.0f,
                                INFINITY,
                                -INFINITY,
                                NAN,
                                -1.0f,
                                FLT_MIN,
                                FLT_MAX,
                                1e-45f,
                                FLT_MIN / 3,
                                1.0f,
                                4.0f,
                                0.25f,
                                -FLT_MIN,
                                -1e-45f,
                                1.0f + 1e-7f,
                                3.0f,
                                0x1p-126f,
                                0x1p127f,
                                0x1.8p-149f,
                                0x1p-128f,
                                0x1.000002p-128f,
                                -0x1p126f,
                                0x1.000002p126f,
                                0x1.fffffep127f,
                                -0x1.5p-127f};

static float in[COUNT], out[COUNT];

static void fill_input(void) {
  unsigned random = 1;
  for (size_t i = 0; i < COUNT; i++) {
    random = random * 1664525 + 1013904223;
    const unsigned bits = random >> 1;
    memcpy(&in[i], &bits, sizeof(bits));
    if (i < sizeof(special) / sizeof(special[0])) in[i] = special[i];
  }
}

static void run_with(const char *options, const char *name) {
  const size_t count = COUNT;
  cl_kernel kernel = test_kernel(source, options, name);
  cl_mem buffers[] = {test_buffer(sizeof(in), in), test_buffer(sizeof(out), NULL)};
  for (cl_uint i = 0; i < 2; i++) ASSERT_CL(clSetKernelArg(kernel, i, sizeof(buffers[i]), &buffers[i]));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &count, NULL, 0, NULL, NULL));
  test_read(buffers[1], sizeof(out), out);
  for (int i = 0; i < 2; i++) ASSERT_CL(clReleaseMemObject(buffers[i]));
  ASSERT_CL(clReleaseKernel(kernel));
}

static void run(const char *name) { run_with("-cl-std=CL3.0", name); }

static bool is_close(float actual, double expected, double ulps) {
  if (isnan(expected)) return isnan(actual);
  if (isinf((float)expected) || expected == 0)
    return actual == (float)expected && !signbit(actual) == !signbit(expected);
  return fabs((double)actual - expected) <= ulps * ldexp(1, (ilogb(expected) < -126 ? -126 : ilogb(expected)) - 23);
}

static void assert_inverses(void) {
  for (size_t i = 0; i < COUNT; i++) {
    const double expected = 1 / (double)in[i];
    if (is_close(out[i], expected, division_ulp)) continue;
    fail_msg("1 / %a is %a, should be %a", (double)in[i], (double)out[i], expected);
  }
}

static void inverses_are_exact_enough(void **state) {
  (void)state;
  fill_input();
  run("inverse");
  assert_inverses();
}

static void inverses_of_each_other(void **state) {
  (void)state;
  fill_input();
  run("inverse_of_inverse");
  for (size_t i = 0; i < COUNT; i++) {
    const double expected = in[i] == 4 ? 7 : (double)in[i] + sqrt((double)in[i]);
    if (!(in[i] > 1e-30f && in[i] < 1e30f) || is_close(out[i], expected, 2 * (most_ulp + division_ulp))) continue;
    fail_msg("of %a it is %a, should be %a", (double)in[i], (double)out[i], expected);
  }
}

static void assert_roots(void) {
  for (size_t i = 0; i < COUNT; i++) {
    if (is_close(out[i], 1 / sqrt((double)in[i]), most_ulp)) continue;
    fail_msg("1 / sqrt(%a) is %a, should be %a", (double)in[i], (double)out[i], 1 / sqrt((double)in[i]));
  }
}

static void roots_are_exact_enough(void **state) {
  (void)state;
  fill_input();
  run("root");
  assert_roots();
}

/* Approximate operations have infinities and zeros unless -cl-finite-math-only says that there are none. */
static void approximate_too(void **state) {
  (void)state;
  fill_input();
  run_with("-cl-std=CL3.0 -cl-unsafe-math-optimizations", "inverse");
  assert_inverses();
  /* Clang 22 writes Fast into SPIR-V for this option, which says that there are no infinities. */
  if (getenv("OPENCL_TEST_IL")) return;
  run_with("-cl-std=CL3.0 -cl-unsafe-math-optimizations", "root");
  assert_roots();
}

static void roots_in_loops_too(void **state) {
  (void)state;
  fill_input();
  run("forces");
  for (size_t i = 0; i < COUNT; i++) {
    const double expected = 1 / sqrt((double)(in[i] + 1.0f)) + 1 / sqrt((double)(in[i] + 3.0f));
    if (is_close(out[i], expected, 2 * most_ulp)) continue;
    fail_msg("of %a the sum is %a, should be %a", (double)in[i], (double)out[i], expected);
  }
}

static void quotients_of_each_other(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT; i++) in[i] = 0.01f + (float)i * 0.37f;
  run_with("-cl-std=CL3.0 -cl-fast-relaxed-math", "quotients");
  for (size_t i = 0; i < COUNT; i++) {
    const double x = (double)in[i] / ((double)in[i] + 3), y = x / ((double)in[i] + 1), z = y / sqrt(x);
    const double expected = x + y + z + 5 / y + (x / z) / sqrt(y);
    if (is_close(out[i], expected, 20)) continue;
    fail_msg("of %a it is %a, should be %a", (double)in[i], (double)out[i], expected);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(inverses_are_exact_enough), cmocka_unit_test(inverses_of_each_other),
      cmocka_unit_test(roots_are_exact_enough),    cmocka_unit_test(approximate_too),
      cmocka_unit_test(roots_in_loops_too),        cmocka_unit_test(quotients_of_each_other)};
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
