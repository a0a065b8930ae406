/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * OpenCL C: single-precision math against the C library in double precision, within OpenCL's error bounds. */
#include <math.h>
#include <stdio.h>

#include "kernel_case.h"

enum { COUNT = 512 };

/** How arguments are chosen: a spread over an interval, or over the magnitudes of the type, with special values
 * first. */
typedef struct math_case_t {
  const char *name;
  double (*reference)(double);
  double ulp;
  double low, high;
} math_case_t;

static double reference_exp10(double x) { return pow(10.0, x); }
static double reference_recip(double x) { return 1.0 / x; }
static double reference_rsqrt(double x) { return 1.0 / sqrt(x); }
static double reference_sinpi(double x) { return fmod(x, 1.0) == 0 ? 0 : sin(M_PI * fmod(x, 2.0)); }
static double reference_cospi(double x) { return fabs(fmod(x, 1.0)) == 0.5 ? 0 : cos(M_PI * fmod(x, 2.0)); }
static double reference_asinpi(double x) { return asin(x) / M_PI; }
static double reference_acospi(double x) { return acos(x) / M_PI; }
static double reference_atanpi(double x) { return atan(x) / M_PI; }

static const math_case_t unary[] = {
    {"acos", acos, 4, -1, 1},
    {"acosh", acosh, 4, 1, 1e6},
    {"acospi", reference_acospi, 5, -1, 1},
    {"asin", asin, 4, -1, 1},
    {"asinh", asinh, 4, -1e6, 1e6},
    {"asinpi", reference_asinpi, 5, -1, 1},
    {"atan", atan, 5, -100, 100},
    {"atanh", atanh, 5, -1, 1},
    {"atanpi", reference_atanpi, 5, -100, 100},
    {"cbrt", cbrt, 2, -1e9, 1e9},
    {"ceil", ceil, 0, -1e3, 1e3},
    {"cos", cos, 4, -1e4, 1e4},
    {"cosh", cosh, 4, -80, 80},
    {"cospi", reference_cospi, 4, -50, 50},
    {"erf", erf, 16, -4, 4},
    {"erfc", erfc, 16, -4, 9},
    {"exp", exp, 3, -86, 88},
    {"exp2", exp2, 3, -125, 127},
    {"exp10", reference_exp10, 3, -37, 38},
    {"expm1", expm1, 3, -20, 88},
    {"fabs", fabs, 0, -1e30, 1e30},
    {"floor", floor, 0, -1e3, 1e3},
    {"lgamma", lgamma, 4, 0.01, 100},
    {"log", log, 3, 1e-30, 1e30},
    {"log10", log10, 3, 1e-30, 1e30},
    {"log1p", log1p, 2, -0.99, 1e10},
    {"log2", log2, 3, 1e-30, 1e30},
    {"rint", rint, 0, -1e3, 1e3},
    {"round", round, 0, -1e3, 1e3},
    {"rsqrt", reference_rsqrt, 2, 1e-30, 1e30},
    {"sin", sin, 4, -1e4, 1e4},
    {"sinh", sinh, 4, -80, 80},
    {"sinpi", reference_sinpi, 4, -50, 50},
    {"sqrt", sqrt, 3, 0, 1e30},
    {"tan", tan, 5, -1e3, 1e3},
    {"tanh", tanh, 5, -20, 20},
    {"tgamma", tgamma, 16, 0.1, 30},
    {"trunc", trunc, 0, -1e3, 1e3},
    {"native_sin", sin, 8192, 0.1, 1.5},
    {"native_exp", exp, 8192, -10, 10},
    {"half_sqrt", sqrt, 8192, 0.1, 1e4},
    {"native_recip", reference_recip, 8192, 0.1, 1e4},
};

static const float specials[] = {0.0f,      -0.0f, 1.0f, -1.0f, 0.5f, -0.5f, INFINITY,
                                 -INFINITY, NAN,   2.0f, 3.0f,  1.5f, 2.5f};
enum { SPECIALS = sizeof(specials) / sizeof(specials[0]) };

/** Arguments from `low` to `high`, spread by magnitude when both are positive and far apart. */
static void fill(float *in, double low, double high) {
  bool logarithmic = low > 0 && high / low > 1e6;
  for (int i = 0; i < COUNT; i++) {
    double t = (double)i / (COUNT - 1);
    in[i] = (float)(logarithmic ? low * pow(high / low, t) : low + (high - low) * t);
  }
}

static void run_unary(const math_case_t *math, const char *type, const float *in) {
  char source[512];
  static double expected[COUNT];
  for (int i = 0; i < COUNT; i++) expected[i] = math->reference((double)in[i]);
  snprintf(
      source, sizeof(source),
      "kernel void math(global const %s *in, global %s *out) { out[get_global_id(0)] = %s(in[get_global_id(0)]); }",
      type, type, math->name);
  kernel_case_run(&(kernel_case_t){
      .name = math->name,
      .kernel = "math",
      .source = source,
      .global = {strcmp(type, "float") == 0 ? COUNT : COUNT / 4},
      .args = {{.kind = KERNEL_ARG_BUFFER, .size = COUNT * sizeof(float), .initial = in}, KERNEL_OUT_FLOATS(expected)},
      .ulp = math->ulp,
  });
}

static void functions_of_one_argument_are_within_their_bounds(void **state) {
  (void)state;
  static float in[COUNT];
  for (size_t m = 0; m < sizeof(unary) / sizeof(unary[0]); m++) {
    fill(in, unary[m].low, unary[m].high);
    run_unary(&unary[m], "float", in);
    run_unary(&unary[m], "float4", in);
  }
}

/** Zeros, infinities and NaN give what the C standard says, for all but the native and half functions. */
static void special_values_give_special_results(void **state) {
  (void)state;
  static float in[COUNT];
  for (int i = 0; i < COUNT; i++) in[i] = specials[i % SPECIALS];
  for (size_t m = 0; m < sizeof(unary) / sizeof(unary[0]); m++) {
    if (strncmp(unary[m].name, "native", 6) != 0 && strncmp(unary[m].name, "half", 4) != 0) {
      run_unary(&unary[m], "float", in);
    }
  }
}

typedef struct binary_case_t {
  const char *name;
  double (*reference)(double, double);
  double ulp;
  double low, high;
} binary_case_t;

static double reference_maxmag(double x, double y) {
  return fabs(x) > fabs(y) ? x : fabs(y) > fabs(x) ? y : fmax(x, y);
}
static double reference_minmag(double x, double y) {
  return fabs(x) < fabs(y) ? x : fabs(y) < fabs(x) ? y : fmin(x, y);
}
static double reference_fdim(double x, double y) { return x > y ? x - y : 0.0; }
static double divide(double x, double y) { return x / y; }
static double reference_atan2pi(double x, double y) { return atan2(x, y) / M_PI; }

static const binary_case_t binary[] = {
    {"atan2", atan2, 6, -10, 10},
    {"atan2pi", reference_atan2pi, 6, -10, 10},
    {"copysign", copysign, 0, -5, 5},
    {"fdim", reference_fdim, 1, -10, 10},
    {"fmax", fmax, 0, -10, 10},
    {"fmin", fmin, 0, -10, 10},
    {"fmod", fmod, 0, -100, 100},
    {"hypot", hypot, 4, -100, 100},
    {"maxmag", reference_maxmag, 0, -10, 10},
    {"minmag", reference_minmag, 0, -10, 10},
    {"pow", pow, 16, 0.1, 20},
    {"powr", pow, 16, 0.1, 20},
    {"remainder", remainder, 0, -100, 100},
    {"native_divide", divide, 8192, 0.5, 20},
};

static void functions_of_two_arguments_are_within_their_bounds(void **state) {
  (void)state;
  static float x[COUNT], y[COUNT];
  static double expected[COUNT];
  char source[512];
  for (size_t m = 0; m < sizeof(binary) / sizeof(binary[0]); m++) {
    fill(x, binary[m].low, binary[m].high);
    for (int i = 0; i < COUNT; i++) {
      y[i] = x[(i * 131 + 7) % COUNT];
      expected[i] = binary[m].reference((double)x[i], (double)y[i]);
    }
    snprintf(source, sizeof(source),
             "kernel void math(global const float *x, global const float *y, global float *out) {\n"
             "  size_t i = get_global_id(0); out[i] = %s(x[i], y[i]);\n}",
             binary[m].name);
    kernel_case_run(&(kernel_case_t){
        .name = binary[m].name,
        .kernel = "math",
        .source = source,
        .global = {COUNT},
        .args = {KERNEL_IN(x), KERNEL_IN(y), KERNEL_OUT_FLOATS(expected)},
        .ulp = binary[m].ulp,
    });
  }
}

static void functions_with_integers_and_pointers(void **state) {
  (void)state;
  static float in[COUNT], fraction[COUNT], mantissa[COUNT], scaled[COUNT];
  static double power[COUNT];
  static cl_int exponent[COUNT], logb_exponent[COUNT];
  fill(in, 0.001, 1000);
  for (int i = 0; i < COUNT; i++) {
    int e;
    fraction[i] = in[i] - floorf(in[i]);
    mantissa[i] = frexpf(in[i], &e);
    exponent[i] = e;
    logb_exponent[i] = ilogbf(in[i]);
    scaled[i] = ldexpf(in[i], i % 9 - 4);
    power[i] = pow((double)in[i], (double)(i % 7 - 3));
  }
  kernel_case_run(&(kernel_case_t){
      .name = "mixed",
      .source = "kernel void mixed(global const float *in, global float *fraction, global float *mantissa,\n"
                "                  global int *exponent, global int *log_exponent, global float *scaled,\n"
                "                  global float *power) {\n"
                "  int i = get_global_id(0), e; float whole;\n"
                "  fraction[i] = fract(in[i], &whole);\n"
                "  mantissa[i] = frexp(in[i], &e); exponent[i] = e;\n"
                "  log_exponent[i] = ilogb(in[i]);\n"
                "  scaled[i] = ldexp(in[i], i % 9 - 4);\n"
                "  power[i] = pown(in[i], i % 7 - 3);\n"
                "}\n",
      .global = {COUNT},
      .args = {KERNEL_IN(in), KERNEL_OUT(fraction), KERNEL_OUT(mantissa), KERNEL_OUT(exponent),
               KERNEL_OUT(logb_exponent), KERNEL_OUT(scaled), KERNEL_OUT_FLOATS(power)},
      .ulp = 16,
  });
}

static void three_operand_functions(void **state) {
  (void)state;
  static float x[COUNT], y[COUNT], z[COUNT];
  static double fused[COUNT], mixed[COUNT], stepped[COUNT], clamped[COUNT];
  fill(x, -10, 10);
  for (int i = 0; i < COUNT; i++) {
    y[i] = x[(i * 37 + 5) % COUNT] + 0.01f;
    z[i] = x[(i * 91 + 3) % COUNT] / 20 + 0.5f;
    fused[i] = fma((double)x[i], (double)y[i], (double)z[i]);
    mixed[i] = (double)x[i] + (double)(y[i] - x[i]) * (double)z[i] + 100;
    double t = fmin(fmax(((double)z[i] + 1) / 3, 0), 1);
    stepped[i] = t * t * (3 - 2 * t) + 1;
    clamped[i] = fmin(fmax((double)x[i], -2), (double)3);
  }
  kernel_case_run(&(kernel_case_t){
      .name = "fused",
      .source = "kernel void fused(global const float *x, global const float *y, global const float *z,\n"
                "                  global float *out, global float *clamped) {\n"
                "  size_t i = get_global_id(0);\n"
                "  out[i] = fma(x[i], y[i], z[i]); clamped[i] = clamp(x[i], -2.0f, 3.0f);\n"
                "}\n",
      .global = {COUNT},
      .args = {KERNEL_IN(x), KERNEL_IN(y), KERNEL_IN(z), KERNEL_OUT_FLOATS(fused), KERNEL_OUT_FLOATS(clamped)},
      .ulp = 0.5,
  });
  kernel_case_run(&(kernel_case_t){
      .name = "steps",
      .source = "kernel void steps(global const float *x, global const float *y, global const float *z,\n"
                "                  global float *mixed, global float *stepped) {\n"
                "  size_t i = get_global_id(0);\n"
                "  mixed[i] = mix(x[i], y[i], z[i]) + 100.0f; stepped[i] = smoothstep(-1.0f, 2.0f, z[i]) + 1.0f;\n"
                "}\n",
      .global = {COUNT},
      .args = {KERNEL_IN(x), KERNEL_IN(y), KERNEL_IN(z), KERNEL_OUT_FLOATS(mixed), KERNEL_OUT_FLOATS(stepped)},
      .ulp = 4,
  });
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(functions_of_one_argument_are_within_their_bounds),
      cmocka_unit_test(special_values_give_special_results),
      cmocka_unit_test(functions_of_two_arguments_are_within_their_bounds),
      cmocka_unit_test(functions_with_integers_and_pointers),
      cmocka_unit_test(three_operand_functions),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
