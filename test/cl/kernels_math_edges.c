/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * OpenCL C: results that the specification names (section 7.5.1), which the bounds on errors alone would not hold, and
 * arguments at the ends of relaxed functions. */
#include <math.h>

#include "kernel_case.h"

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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(angles_in_half_turns_are_exact_on_axes_and_diagonals),
      cmocka_unit_test(relaxed_logarithms_take_subnormal_numbers),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
