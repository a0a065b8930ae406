/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * OpenCL C: integer and common built-in functions against C references. */
#include <limits.h>
#include <stdio.h>

#include "kernel_case.h"

enum { COUNT = 240 };

/** Extreme values first, then pseudo-random ones over the whole range. */
static void fill(cl_int *values, uint32_t seed) {
  static const cl_int extremes[] = {0, 1, -1, INT_MAX, INT_MIN, 2, -2, 0x55555555};
  for (int i = 0; i < COUNT; i++) {
    seed = seed * 1664525u + 1013904223u;
    values[i] = i % 3 == 0 ? extremes[(i / 3 + (int)(seed >> 28)) % 8] : (cl_int)seed >> (i % 24);
  }
}

typedef cl_int reference_t(cl_int x, cl_int y, cl_int z);

static cl_int clip(cl_long value) { return value > INT_MAX ? INT_MAX : value < INT_MIN ? INT_MIN : (cl_int)value; }
static cl_int wrap(cl_long value) { return (cl_int)(cl_uint)value; }

static cl_int r_abs(cl_int x, cl_int y, cl_int z) {
  (void)y, (void)z;
  return x < 0 ? wrap(-(cl_long)x) : x;
}
static cl_int r_abs_diff(cl_int x, cl_int y, cl_int z) {
  (void)z;
  return x > y ? wrap((cl_long)x - y) : wrap((cl_long)y - x);
}
static cl_int r_add_sat(cl_int x, cl_int y, cl_int z) {
  (void)z;
  return clip((cl_long)x + y);
}
static cl_int r_sub_sat(cl_int x, cl_int y, cl_int z) {
  (void)z;
  return clip((cl_long)x - y);
}
static cl_int r_hadd(cl_int x, cl_int y, cl_int z) {
  (void)z;
  return (cl_int)(((cl_long)x + y) >> 1);
}
static cl_int r_rhadd(cl_int x, cl_int y, cl_int z) {
  (void)z;
  return (cl_int)(((cl_long)x + y + 1) >> 1);
}
static cl_int r_clz(cl_int x, cl_int y, cl_int z) {
  (void)y, (void)z;
  return x == 0 ? 32 : __builtin_clz((cl_uint)x);
}
static cl_int r_ctz(cl_int x, cl_int y, cl_int z) {
  (void)y, (void)z;
  return x == 0 ? 32 : __builtin_ctz((cl_uint)x);
}
static cl_int r_popcount(cl_int x, cl_int y, cl_int z) {
  (void)y, (void)z;
  return __builtin_popcount((cl_uint)x);
}
static cl_int r_max(cl_int x, cl_int y, cl_int z) {
  (void)z;
  return x > y ? x : y;
}
static cl_int r_min(cl_int x, cl_int y, cl_int z) {
  (void)z;
  return x < y ? x : y;
}
static cl_int r_mul_hi(cl_int x, cl_int y, cl_int z) {
  (void)z;
  return (cl_int)(((cl_long)x * y) >> 32);
}
static cl_int r_mad_hi(cl_int x, cl_int y, cl_int z) { return wrap((cl_long)r_mul_hi(x, y, 0) + z); }
static cl_int r_mad_sat(cl_int x, cl_int y, cl_int z) { return clip((cl_long)x * y + z); }
static cl_int r_rotate(cl_int x, cl_int y, cl_int z) {
  (void)z;
  const cl_uint by = (cl_uint)y & 31, bits = (cl_uint)x;
  return (cl_int)(by == 0 ? bits : bits << by | bits >> (32 - by));
}
static cl_int r_mul24(cl_int x, cl_int y, cl_int z) {
  (void)z;
  return wrap((cl_long)(x % (1 << 23)) * (y % (1 << 23)));
}
static cl_int r_mad24(cl_int x, cl_int y, cl_int z) { return wrap((cl_long)r_mul24(x, y, 0) + z); }
static cl_int r_upsample(cl_int x, cl_int y, cl_int z) {
  (void)z;
  return (cl_int)((cl_uint)(cl_ushort)x << 16 | (cl_ushort)y);
}

static const struct {
  const char *expression;
  reference_t *reference;
} cases[] = {
    {"as_int(abs(x))", r_abs},
    {"as_int(abs_diff(x, y))", r_abs_diff},
    {"add_sat(x, y)", r_add_sat},
    {"sub_sat(x, y)", r_sub_sat},
    {"hadd(x, y)", r_hadd},
    {"rhadd(x, y)", r_rhadd},
    {"clz(x)", r_clz},
    {"ctz(x)", r_ctz},
    {"popcount(x)", r_popcount},
    {"max(x, y)", r_max},
    {"min(x, y)", r_min},
    {"mul_hi(x, y)", r_mul_hi},
    {"mad_hi(x, y, z)", r_mad_hi},
    {"mad_sat(x, y, z)", r_mad_sat},
    {"rotate(x, y)", r_rotate},
    {"mul24(x % (1 << 23), y % (1 << 23))", r_mul24},
    {"mad24(x % (1 << 23), y % (1 << 23), z)", r_mad24},
    {"upsample(convert_short(x), convert_ushort(y))", r_upsample},
};

/** As scalars, and as vectors of four, which must give the same. */
static void functions_of_int_agree_with_c(void **state) {
  (void)state;
  cl_int x[COUNT], y[COUNT], z[COUNT], expected[COUNT];
  char source[512];
  fill(x, 1);
  fill(y, 2);
  fill(z, 3);
  for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
    for (int i = 0; i < COUNT; i++) expected[i] = cases[c].reference(x[i], y[i], z[i]);
    for (int width = 1; width <= 4; width *= 4) {
      const char *suffix = width == 1 ? "" : "4";
      if (width == 4 && (strchr(cases[c].expression, '_') != NULL || strchr(cases[c].expression, '%') != NULL))
        continue;
      snprintf(source, sizeof(source),
               "kernel void apply(global const int%s *a, global const int%s *b, global const int%s *c, global int%s "
               "*out) {\n"
               "  size_t i = get_global_id(0); int%s x = a[i], y = b[i], z = c[i]; out[i] = %s;\n"
               "}\n",
               suffix, suffix, suffix, suffix, suffix, cases[c].expression);
      kernel_case_run(&(kernel_case_t){
          .name = cases[c].expression,
          .kernel = "apply",
          .source = source,
          .global = {(size_t)(COUNT / width)},
          .args = {KERNEL_IN(x), KERNEL_IN(y), KERNEL_IN(z), KERNEL_OUT(expected)},
      });
    }
  }
}

static void arithmetic_on_every_width_wraps(void **state) {
  (void)state;
  cl_int in[COUNT];
  cl_uchar bytes[COUNT];
  cl_short shorts[COUNT];
  cl_ulong longs[COUNT];
  fill(in, 4);
  for (int i = 0; i < COUNT; i++) {
    bytes[i] = (cl_uchar)((cl_uchar)in[i] * 3u + 7u);
    shorts[i] = (cl_short)(cl_ushort)((cl_uint)(cl_short)in[i] * 5u - 9u);
    longs[i] = (cl_ulong)in[i] * 0x9E3779B97F4A7C15u ^ (cl_ulong)in[i] >> 7;
  }
  kernel_case_run(&(kernel_case_t){
      .name = "widths",
      .source = "kernel void widths(global const int *in, global uchar *b, global short *s, global ulong *l) {\n"
                "  size_t i = get_global_id(0); int v = in[i];\n"
                "  b[i] = (uchar)v * 3 + 7; s[i] = (short)v * 5 - 9;\n"
                "  l[i] = (ulong)v * 0x9E3779B97F4A7C15ul ^ (ulong)v >> 7;\n"
                "}\n",
      .global = {COUNT},
      .args = {KERNEL_IN(in), KERNEL_OUT(bytes), KERNEL_OUT(shorts), KERNEL_OUT(longs)},
  });
}

static void division_and_remainder_truncate(void **state) {
  (void)state;
  cl_int in[COUNT], quotient[COUNT], remainder[COUNT];
  cl_ulong wide[COUNT];
  fill(in, 5);
  for (int i = 0; i < COUNT; i++) {
    cl_int by = i % 13 - 14;
    quotient[i] = in[i] / by;
    remainder[i] = in[i] % by;
    wide[i] = ((cl_ulong)1 << 63 | (cl_uint)in[i]) / (cl_ulong)(i + 1);
  }
  kernel_case_run(&(kernel_case_t){
      .name = "divisions",
      .source = "kernel void divisions(global const int *in, global int *q, global int *r, global ulong *w) {\n"
                "  int i = get_global_id(0), by = i % 13 - 14;\n"
                "  q[i] = in[i] / by; r[i] = in[i] % by;\n"
                "  w[i] = (1ul << 63 | (uint)in[i]) / (ulong)(i + 1);\n"
                "}\n",
      .global = {COUNT},
      .args = {KERNEL_IN(in), KERNEL_OUT(quotient), KERNEL_OUT(remainder), KERNEL_OUT(wide)},
  });
}

/** Shift counts are taken modulo the width of the left operand. */
static void shifts_are_modulo_the_width(void **state) {
  (void)state;
  cl_uint left[COUNT];
  cl_int right[COUNT];
  for (int i = 0; i < COUNT; i++) {
    left[i] = 0x80000001u << (i % 32);
    right[i] = (cl_int)0x80000000 >> (i % 32);
  }
  kernel_case_run(&(kernel_case_t){
      .name = "shifts",
      .source = "kernel void shifts(global uint *left, global int *right) {\n"
                "  int i = get_global_id(0);\n"
                "  left[i] = 0x80000001u << i; right[i] = (int)0x80000000 >> i;\n"
                "}\n",
      .global = {COUNT},
      .args = {KERNEL_OUT(left), KERNEL_OUT(right)},
  });
}

static void common_functions_clamp_step_and_sign(void **state) {
  (void)state;
  cl_int in[COUNT], clamped[COUNT];
  cl_float floats[COUNT], steps[COUNT], signs[COUNT], degrees_of[COUNT];
  fill(in, 6);
  for (int i = 0; i < COUNT; i++) {
    floats[i] = (cl_float)(i - 120) / 8;
    clamped[i] = in[i] < -100 ? -100 : in[i] > 5000 ? 5000 : in[i];
    steps[i] = floats[i] < 1.5f ? 0.0f : 1.0f;
    signs[i] = floats[i] > 0 ? 1.0f : floats[i] < 0 ? -1.0f : 0.0f;
    degrees_of[i] = (cl_float)((double)floats[i] * 57.29577951308232);
  }
  kernel_case_run(&(kernel_case_t){
      .name = "common",
      .source = "kernel void common(global const int *in, global const float *floats, global int *clamped,\n"
                "                   global float *steps, global float *signs, global float *degs) {\n"
                "  size_t i = get_global_id(0);\n"
                "  clamped[i] = clamp(in[i], -100, 5000);\n"
                "  steps[i] = step(1.5f, floats[i]); signs[i] = sign(floats[i]); degs[i] = degrees(floats[i]);\n"
                "}\n",
      .global = {COUNT},
      .args = {KERNEL_IN(in), KERNEL_IN(floats), KERNEL_OUT(clamped), KERNEL_OUT(steps), KERNEL_OUT(signs),
               KERNEL_OUT(degrees_of)},
      .ulp = 2,
  });
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(functions_of_int_agree_with_c),        cmocka_unit_test(arithmetic_on_every_width_wraps),
      cmocka_unit_test(division_and_remainder_truncate),      cmocka_unit_test(shifts_are_modulo_the_width),
      cmocka_unit_test(common_functions_clamp_step_and_sign),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
