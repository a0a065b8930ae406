/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * OpenCL C: results that the specification names (section 7.5.1), which the bounds on errors alone would not hold,
 * arguments at the ends of functions, and the time that results below the normal range take. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernel_case.h"
#include "test_process.h"

typedef struct angle_case_t {
  cl_float y, x, turns;
} angle_case_t;

static const angle_case_t angles[] = {
    {0.0f, -0.0f, 1.0f},          {-0.0f, -0.0f, -1.0f},
    {0.0f, 0.0f, 0.0f},           {-0.0f, 0.0f, -0.0f},
    {0.0f, -3.0f, 1.0f},          {-0.0f, -3.0f, -1.0f},
    {0.0f, 3.0f, 0.0f},           {-0.0f, 3.0f, -0.0f},
    {-1.0f, 0.0f, -0.5f},         {-1.0f, -0.0f, -0.5f},
    {1.0f, 0.0f, 0.5f},           {1.0f, -0.0f, 0.5f},
    {7.0f, -INFINITY, 1.0f},      {-7.0f, -INFINITY, -1.0f},
    {7.0f, INFINITY, 0.0f},       {-7.0f, INFINITY, -0.0f},
    {INFINITY, 5.0f, 0.5f},       {-INFINITY, 5.0f, -0.5f},
    {INFINITY, -5.0f, 0.5f},      {-INFINITY, -5.0f, -0.5f},
    {INFINITY, -INFINITY, 0.75f}, {-INFINITY, -INFINITY, -0.75f},
    {INFINITY, INFINITY, 0.25f},  {-INFINITY, INFINITY, -0.25f},
};
enum { ANGLES = sizeof(angles) / sizeof(angles[0]) };

static void angles_in_half_turns_are_exact_on_axes_and_diagonals(void **state) {
  (void)state;
  cl_float y[ANGLES], x[ANGLES];
  cl_uint bits[ANGLES];
  for (int i = 0; i < ANGLES; i++) {
    y[i] = angles[i].y;
    x[i] = angles[i].x;
    memcpy(&bits[i], &angles[i].turns, sizeof(bits[i]));
  }
  static const char *const sources[] = {
      "kernel void turns(global const float *y, global const float *x, global float *out) {\n"
      "  size_t i = get_global_id(0);\n"
      "  out[i] = atan2pi(y[i], x[i]);\n"
      "}\n",
      "kernel void turns(global const float *y, global const float *x, global float *out) {\n"
      "  size_t i = get_global_id(0);\n"
      "  out[i] = convert_float(atan2pi(convert_double(y[i]), convert_double(x[i])));\n"
      "}\n",
  };
  for (size_t s = 0; s < sizeof(sources) / sizeof(sources[0]); s++) {
    kernel_case_run(&(kernel_case_t){
        .name = "turns",
        .source = sources[s],
        .global = {ANGLES},
        .args = {KERNEL_IN(y), KERNEL_IN(x), KERNEL_OUT(bits)},
    });
  }
}

enum { SMALL = 48 };

/** Right, and not something between that and the logarithm of zero. */
static void relaxed_logarithms_take_subnormal_numbers(void **state) {
  (void)state;
  cl_float in[SMALL], natural[SMALL];
  cl_uint right[SMALL];
  for (int i = 0; i < SMALL; i++) {
    in[i] = ldexpf(1.0f + 0.25f * (cl_float)(i % 4), i % 24 - 149);
    natural[i] = (cl_float)log(in[i]);
    right[i] = 7;
  }
  kernel_case_run(&(kernel_case_t){
      .name = "logarithms",
      .source = "bool fits(float found, float expected) { return fabs(found - expected) < 0.001f; }\n"
                "kernel void logarithms(global const float *in, global const float *natural, global uint *out) {\n"
                "  size_t i = get_global_id(0);\n"
                "  out[i] = (fits(log(in[i]), natural[i]) ? 1 : 0) |\n"
                "           (fits(log2(in[i]), natural[i] * M_LOG2E_F) ? 2 : 0) |\n"
                "           (fits(log10(in[i]), natural[i] * M_LOG10E_F) ? 4 : 0);\n"
                "}\n",
      .options = "-cl-std=CL3.0 -cl-fast-relaxed-math",
      .global = {SMALL},
      .args = {KERNEL_IN(in), KERNEL_IN(natural), KERNEL_OUT(right)},
  });
}

/* A power of two or ten or e, or x to the power of y with x = 3, under one set of options. */
typedef struct power_case_t {
  const char *call;
  /** Its natural logarithm per unit of the argument. */
  double rate;
  const char *options;
} power_case_t;

/* Every float whose power is from 2^-128 to 2^-125: about 2^18 of them. */
static cl_uint powers_fill(const power_case_t *power, cl_float **out) {
  const cl_float first = (cl_float)(-125 * M_LN2 / power->rate), last = (cl_float)(-128 * M_LN2 / power->rate);
  cl_uint first_bits, last_bits;
  memcpy(&first_bits, &first, sizeof(first));
  memcpy(&last_bits, &last, sizeof(last));
  const cl_uint count = last_bits - first_bits + 1;
  *out = calloc(count, sizeof(cl_float));
  assert_non_null(*out);
  for (cl_uint i = 0; i < count; i++) {
    const cl_uint bits = first_bits + i;
    memcpy(&(*out)[i], &bits, sizeof(bits));
  }
  return count;
}

/* The table's bound for exp10 is 8192 units in the last place, which holds for all of these functions. */
static void power_check(const power_case_t *power, cl_float x, cl_float actual) {
  const double limit = 8192 * 0x1p-149, expected = exp((double)x * power->rate);
  const bool may_be_flushed = expected - limit < 0x1p-126;
  if (fabs((double)actual - expected) <= limit || (may_be_flushed && actual == 0)) return;
  fail_msg("%s of %a with '%s': %a, not %a", power->call, (double)x, power->options, (double)actual, expected);
}

static void powers_check(const power_case_t *power) {
  char source[256];
  snprintf(source, sizeof(source),
           "kernel void powers(global const float *in, global float *out) {\n"
           "  size_t i = get_global_id(0);\n"
           "  float x = in[i];\n"
           "  out[i] = %s;\n"
           "}\n",
           power->call);
  cl_float *in;
  const cl_uint count = powers_fill(power, &in);
  const size_t size = count * sizeof(cl_float), global = count;
  cl_kernel kernel = test_kernel(source, power->options, "powers");
  cl_mem from = test_buffer(size, in), to = test_buffer(size, NULL);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof from, &from));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof to, &to));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
  cl_float *out = calloc(count, sizeof(cl_float));
  assert_non_null(out);
  test_read(to, size, out);
  for (cl_uint i = 0; i < count; i++) power_check(power, in[i], out[i]);
  free(in);
  free(out);
  ASSERT_CL(clReleaseMemObject(from));
  ASSERT_CL(clReleaseMemObject(to));
  ASSERT_CL(clReleaseKernel(kernel));
}

/** The value or zero, and nothing between. */
static void relaxed_powers_below_the_normal_range_are_right_or_zero(void **state) {
  (void)state;
  static const power_case_t calls[] = {
      {"exp(x)", 1, NULL},
      {"exp2(x)", M_LN2, NULL},
      {"exp10(x)", M_LN10, NULL},
      {"pow(3.0f, x)", 1.0986122886681098, NULL},
      {"powr(3.0f, x)", 1.0986122886681098, NULL},
      {"native_exp(x)", 1, NULL},
      {"native_exp2(x)", M_LN2, NULL},
      {"native_exp10(x)", M_LN10, NULL},
      {"native_powr(3.0f, x)", 1.0986122886681098, NULL},
      {"exp2((float4)(0.0f, 0.0f, x, 0.0f)).z", M_LN2, NULL},
  };
  static const char *const options[] = {"-cl-std=CL3.0 -cl-fast-relaxed-math",
                                        "-cl-std=CL3.0 -cl-unsafe-math-optimizations",
                                        "-cl-std=CL3.0 -cl-fast-relaxed-math -cl-denorms-are-zero"};
  for (size_t c = 0; c < sizeof(calls) / sizeof(calls[0]); c++) {
    for (size_t o = 0; o < sizeof(options) / sizeof(options[0]); o++) {
      powers_check(&(power_case_t){calls[c].call, calls[c].rate, options[o]});
    }
  }
}

/** Logistic functions rely on what a division by infinity gives, also where the program promises that there is none. */
static void relaxed_quotients_with_infinities_and_zeros_are_no_nan(void **state) {
  (void)state;
  static const cl_float xs[] = {-150, 150, -3e38f, 3e38f, 0, 1, -2, 10};
  enum { X = sizeof(xs) / sizeof(*xs), COUNT = 16 * X };
  cl_float in[COUNT], zeros[COUNT] = {0};
  double right[4 * COUNT];
  for (size_t i = 0; i < COUNT; i++) {
    const cl_float x = in[i] = xs[i % X];
    right[4 * i] = x / (1 + expf(-x));
    right[4 * i + 1] = 1 / (1 + expf(-x));
    right[4 * i + 2] = right[4 * i + 3] = x == 0 ? 0 : copysignf(INFINITY, x);
  }
  kernel_case_run(&(kernel_case_t){
      .name = "quotients",
      .source = "kernel void quotients(global const float *in, global const float *zeros, global float *out) {\n"
                "  size_t i = get_global_id(0);\n"
                "  float x = in[i], zero = zeros[i];\n"
                "  out[4 * i] = x / (1 + exp(-x));\n"
                "  out[4 * i + 1] = 1 / (1 + exp(-x));\n"
                "  out[4 * i + 2] = x != 0 ? x / zero : 0;\n"
                "  out[4 * i + 3] = x != 0 ? copysign((float)INFINITY, x) / 3.0f : 0;\n"
                "}\n",
      .options = "-cl-std=CL3.0 -cl-fast-relaxed-math",
      .global = {COUNT},
      .args = {KERNEL_IN(in), KERNEL_IN(zeros), KERNEL_OUT_FLOATS(right)},
      .ulp = 8,
  });
}

/* A number, the same infinity, or any not-a-number; zero of any sign. */
static void gamma_check(const char *name, double x, double expected, double actual, double limit) {
  if (isnan(expected) ? isnan(actual) : expected == actual || fabs(actual - expected) <= limit) return;
  fail_msg("%s of %a: %a, not %a", name, x, actual, expected);
}

/** Poles, where the sign of zero counts; the ends of the range of gamma; numbers that are subnormal. */
static void gamma_functions_at_their_ends(void **state) {
  (void)state;
  static const double xs[] = {0.0,       -0.0,    INFINITY, -INFINITY, NAN,    -1,        -2,         -171,
                              -1e10,     -1e300,  171.6,    172,       1e10,   0x1p-1074, -0x1p-1074, 0x1p-1000,
                              -0x1p-500, 0x1p-60, 1,        2,         -170.5, -184.5,    -200.5,     0.5,
                              1.5,       2.5,     7.5,      8,         8.5,    1e-5,      -0.5,       -1.5,
                              -20.25,    35.04,   35.05,    -41.5,     1e-40,  -1e-40,    1e300,      0x1p53};
  enum { COUNT = sizeof(xs) / sizeof(*xs) };
  const size_t size = sizeof(xs), global = COUNT;
  double out[2 * COUNT];
  cl_kernel kernel = test_kernel(
      "kernel void gammas(global const double *in, global double *out, int is_float) {\n"
      "  size_t i = get_global_id(0);\n"
      "  double x = in[i];\n"
      "  out[2 * i] = is_float ? tgamma((float)x) : tgamma(x);\n"
      "  out[2 * i + 1] = is_float ? lgamma((float)x) : lgamma(x);\n"
      "}\n",
      NULL, "gammas");
  cl_mem from = test_buffer(size, (void *)(uintptr_t)xs), to = test_buffer(2 * size, NULL);
  for (cl_int is_float = 0; is_float < 2; is_float++) {
    ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(cl_mem), &from));
    ASSERT_CL(clSetKernelArg(kernel, 1, sizeof(cl_mem), &to));
    ASSERT_CL(clSetKernelArg(kernel, 2, sizeof(cl_int), &is_float));
    ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
    test_read(to, 2 * size, out);
    const double ulp = is_float ? 0x1p-23 : 0x1p-52, least = is_float ? 0x1p-149 : 0x1p-1074;
    for (size_t i = 0; i < COUNT; i++) {
      const double x = is_float ? (double)(cl_float)xs[i] : xs[i];
      const double product = is_float ? (double)(cl_float)tgamma(x) : tgamma(x);
      const double sum = is_float ? (double)(cl_float)lgamma(x) : lgamma(x);
      gamma_check("tgamma", x, product, out[2 * i], 16 * (fabs(product) * ulp + least));
      gamma_check("lgamma", x, sum, out[2 * i + 1], 16 * (fabs(sum) + 1) * ulp);
    }
  }
  ASSERT_CL(clReleaseMemObject(from));
  ASSERT_CL(clReleaseMemObject(to));
  ASSERT_CL(clReleaseKernel(kernel));
}

enum { TIMED = 1 << 16, TRIES = 9 };

/* The shortest of some launches over arguments from `first` to `last`. */
static double shortest_launch(cl_kernel kernel, cl_float first, cl_float last) {
  const size_t size = TIMED * sizeof(cl_float), global = TIMED, local = 256;
  cl_float *in = malloc(size);
  assert_non_null(in);
  for (int i = 0; i < TIMED; i++)
    in[i] = isinf(first) ? first : first + (last - first) * (cl_float)(i * 41 % TIMED) / TIMED;
  cl_mem from = test_buffer(size, in), to = test_buffer(size, NULL);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(cl_mem), &from));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof(cl_mem), &to));
  double least = INFINITY;
  for (int i = 0; i < TRIES; i++) {
    const double begin = test_seconds();
    ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
    ASSERT_CL(clFinish(dut.queue));
    least = fmin(least, test_seconds() - begin);
  }
  free(in);
  ASSERT_CL(clReleaseMemObject(from));
  ASSERT_CL(clReleaseMemObject(to));
  return least;
}

/** A CPU takes a hundred cycles and more for an operation with a subnormal result, or one rounded to zero: ten times as
 * long as a vector of exponentials. Of these kernels no operation has one. */
static void results_below_the_normal_range_take_no_longer(void **state) {
  (void)state;
  static const struct {
    const char *call;
    cl_float first, last;
  } calls[] = {
      {"exp(x)", -110, -80},      {"exp(x)", -INFINITY, -INFINITY},
      {"exp2(x)", -160, -110},    {"exp10(x)", -50, -30},
      {"pow(x, 1.5f + x)", 0, 0}, {"powr(2.0f, x)", -160, -110},
      {"erf(x)", 9, 20},          {"erfc(x)", 9, 12},
      {"erfc(x)", -20, -9},       {"exp(20.0 * x)", -INFINITY, -INFINITY},
  };
  if (!test_is_quern()) skip();
  for (size_t c = 0; c < sizeof(calls) / sizeof(*calls); c++) {
    char source[256];
    snprintf(source, sizeof(source),
             "kernel void times(global const float *in, global float *out) {\n"
             "  size_t i = get_global_id(0);\n"
             "  float x = in[i];\n"
             "  out[i] = %s;\n"
             "}\n",
             calls[c].call);
    cl_kernel kernel = test_kernel(source, NULL, "times");
    const double usual = shortest_launch(kernel, 1, 2), below = shortest_launch(kernel, calls[c].first, calls[c].last);
    if (below > 5 * usual)
      fail_msg("%s from %g to %g: %.2f times as long", calls[c].call, (double)calls[c].first, (double)calls[c].last,
               below / usual);
    ASSERT_CL(clReleaseKernel(kernel));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(angles_in_half_turns_are_exact_on_axes_and_diagonals),
      cmocka_unit_test(relaxed_logarithms_take_subnormal_numbers),
      cmocka_unit_test(relaxed_powers_below_the_normal_range_are_right_or_zero),
      cmocka_unit_test(relaxed_quotients_with_infinities_and_zeros_are_no_nan),
      cmocka_unit_test(gamma_functions_at_their_ends),
      cmocka_unit_test(results_below_the_normal_range_take_no_longer),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
