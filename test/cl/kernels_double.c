/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * OpenCL C in double precision: arithmetic, math functions within their error bounds, conversions. */
#include <math.h>
#include <stdio.h>

#include "kernel_case.h"

enum { COUNT = 512 };

typedef struct math_case_t {
  const char *name;
  long double (*reference)(long double);
  double ulp;
  double low, high;
} math_case_t;

static long double reference_rsqrt(long double x) { return 1.0L / sqrtl(x); }

static const math_case_t cases[] = {
    {"acos", acosl, 4, -1, 1},
    {"asin", asinl, 4, -1, 1},
    {"atan", atanl, 5, -100, 100},
    {"cbrt", cbrtl, 2, -1e9, 1e9},
    {"ceil", ceill, 0, -1e3, 1e3},
    {"cos", cosl, 4, -1e4, 1e4},
    {"cosh", coshl, 4, -80, 80},
    {"erf", erfl, 16, -5, 5},
    {"erfc", erfcl, 16, -5, 20},
    {"exp", expl, 3, -700, 709},
    {"exp2", exp2l, 3, -1020, 1023},
    {"expm1", expm1l, 3, -20, 700},
    {"fabs", fabsl, 0, -1e30, 1e30},
    {"floor", floorl, 0, -1e3, 1e3},
    {"log", logl, 3, 1e-300, 1e300},
    {"log10", log10l, 3, 1e-300, 1e300},
    {"log1p", log1pl, 2, -0.99, 1e10},
    {"log2", log2l, 3, 1e-300, 1e300},
    {"rint", rintl, 0, -1e3, 1e3},
    {"round", roundl, 0, -1e3, 1e3},
    {"rsqrt", reference_rsqrt, 2, 1e-300, 1e300},
    {"sin", sinl, 4, -1e4, 1e4},
    {"sinh", sinhl, 4, -80, 80},
    {"sqrt", sqrtl, 0.5, 0, 1e300},
    {"tan", tanl, 5, -1e3, 1e3},
    {"tanh", tanhl, 5, -20, 20},
    {"trunc", truncl, 0, -1e3, 1e3},
};

static void fill(double *in, double low, double high) {
  bool logarithmic = low > 0 && high / low > 1e6;
  for (int i = 0; i < COUNT; i++) {
    double t = (double)i / (COUNT - 1);
    in[i] = logarithmic ? low * exp(t * (log(high) - log(low))) : low + (high - low) * t;
  }
}

static void skip_without_doubles(void) {
  if (!test_device_has_feature("__opencl_c_fp64")) skip();
}

static void functions_are_within_their_bounds(void **state) {
  (void)state;
  skip_without_doubles();
  static double in[COUNT];
  static long double expected[COUNT];
  char source[512];
  for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
    fill(in, cases[c].low, cases[c].high);
    for (int i = 0; i < COUNT; i++) expected[i] = cases[c].reference((long double)in[i]);
    snprintf(source, sizeof(source),
             "kernel void math(global const double *in, global double *out) {\n"
             "  out[get_global_id(0)] = %s(in[get_global_id(0)]);\n}",
             cases[c].name);
    kernel_case_run(&(kernel_case_t){
        .name = cases[c].name,
        .kernel = "math",
        .source = source,
        .global = {COUNT},
        .args = {KERNEL_IN(in), KERNEL_OUT_DOUBLES(expected)},
        .ulp = cases[c].ulp,
    });
  }
}

static void arithmetic_is_correctly_rounded(void **state) {
  (void)state;
  skip_without_doubles();
  static double a[COUNT], b[COUNT], sums[COUNT], quotients[COUNT], fused[COUNT];
  fill(a, -3.3, 1.7e5);
  for (int i = 0; i < COUNT; i++) {
    b[i] = a[(i * 71 + 3) % COUNT] + 0.1;
    sums[i] = a[i] + b[i];
    quotients[i] = a[i] / b[i];
    fused[i] = fma(a[i], b[i], -a[i]);
  }
  kernel_case_run(&(kernel_case_t){
      .name = "arithmetic",
      .source = "kernel void arithmetic(global const double *a, global const double *b, global double *sums,\n"
                "                       global double *quotients, global double *fused) {\n"
                "  size_t i = get_global_id(0);\n"
                "  sums[i] = a[i] + b[i]; quotients[i] = a[i] / b[i]; fused[i] = fma(a[i], b[i], -a[i]);\n"
                "}\n",
      .global = {COUNT},
      .args = {KERNEL_IN(a), KERNEL_IN(b), KERNEL_OUT(sums), KERNEL_OUT(quotients), KERNEL_OUT(fused)},
  });
}

static void conversions_to_and_from_double(void **state) {
  (void)state;
  skip_without_doubles();
  static double in[COUNT];
  static cl_float floats[COUNT];
  static cl_long longs[COUNT];
  fill(in, -1.5e10, 2.5e10);
  for (int i = 0; i < COUNT; i++) {
    floats[i] = (cl_float)in[i];
    longs[i] = (cl_long)in[i];
  }
  kernel_case_run(&(kernel_case_t){
      .name = "convert",
      .source = "kernel void convert(global const double4 *in, global float4 *floats, global long4 *longs) {\n"
                "  size_t i = get_global_id(0);\n"
                "  floats[i] = convert_float4(in[i]); longs[i] = convert_long4(in[i]);\n"
                "}\n",
      .global = {COUNT / 4},
      .args = {KERNEL_IN(in), KERNEL_OUT(floats), KERNEL_OUT(longs)},
  });
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(functions_are_within_their_bounds),
      cmocka_unit_test(arithmetic_is_correctly_rounded),
      cmocka_unit_test(conversions_to_and_from_double),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
