/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * OpenCL C: geometric and relational built-in functions. */
#include <math.h>

#include "kernel_case.h"

enum { COUNT = 64 };

static void fill(cl_float *values, int count, float scale) {
  for (int i = 0; i < count; i++) values[i] = (float)((i * 37 + 11) % 101 - 50) * scale;
}

static void products_lengths_and_distances(void **state) {
  (void)state;
  cl_float a[COUNT * 4], b[COUNT * 4];
  double dots[COUNT], lengths[COUNT], distances[COUNT];
  fill(a, COUNT * 4, 0.5f);
  fill(b, COUNT * 4, 0.25f);
  for (int i = 0; i < COUNT; i++) {
    double dot = 0, length = 0, distance = 0;
    for (int k = 4 * i; k < 4 * i + 4; k++) {
      b[k] = b[k] * (k % 3 == 0 ? 1.0f : 3.0f) + 0.125f;
      dot += (double)a[k] * (double)b[k];
      length += (double)a[k] * (double)a[k];
      distance += pow((double)(a[k] - b[k]), 2);
    }
    dots[i] = dot;
    lengths[i] = sqrt(length);
    distances[i] = sqrt(distance);
  }
  /* All products are exact in single precision, so that sums are exact too, and only the square roots round. */
  kernel_case_run(&(kernel_case_t){
      .name = "measures",
      .source = "kernel void measures(global const float4 *a, global const float4 *b, global float *dots,\n"
                "                     global float *lengths, global float *distances) {\n"
                "  size_t i = get_global_id(0);\n"
                "  dots[i] = dot(a[i], b[i]); lengths[i] = length(a[i]); distances[i] = distance(a[i], b[i]);\n"
                "}\n",
      .global = {COUNT},
      .args = {KERNEL_IN(a), KERNEL_IN(b), KERNEL_OUT_FLOATS(dots), KERNEL_OUT_FLOATS(lengths),
               KERNEL_OUT_FLOATS(distances)},
      .ulp = 5,
  });
}

static void cross_products_are_perpendicular(void **state) {
  (void)state;
  cl_float a[COUNT * 4], b[COUNT * 4], out[COUNT * 4];
  fill(a, COUNT * 4, 1.0f);
  fill(b, COUNT * 4, 2.0f);
  for (int i = 0; i < COUNT; i++) {
    const cl_float *p = a + 4 * i;
    cl_float *q = b + 4 * i, *r = out + 4 * i;
    q[1] += 5;
    r[0] = p[1] * q[2] - p[2] * q[1];
    r[1] = p[2] * q[0] - p[0] * q[2];
    r[2] = p[0] * q[1] - p[1] * q[0];
    r[3] = 0;
  }
  kernel_case_run(&(kernel_case_t){
      .name = "crosses",
      .source = "kernel void crosses(global const float4 *a, global const float4 *b, global float4 *out) {\n"
                "  size_t i = get_global_id(0);\n"
                "  out[i] = cross(a[i], b[i]);\n"
                "}\n",
      .global = {COUNT},
      .args = {KERNEL_IN(a), KERNEL_IN(b), KERNEL_OUT(out)},
  });
}

static void normalized_vectors_have_length_one(void **state) {
  (void)state;
  cl_float a[COUNT * 2];
  double out[COUNT * 2];
  fill(a, COUNT * 2, 0.37f);
  for (int i = 0; i < COUNT; i++) {
    double length = hypot((double)a[2 * i], (double)a[2 * i + 1]);
    for (int k = 0; k < 2; k++) out[2 * i + k] = length > 0 ? (double)a[2 * i + k] / length : 0;
  }
  for (int fast = 0; fast < 2; fast++) {
    kernel_case_run(&(kernel_case_t){
        .name = "normalized",
        .source = "kernel void normalized(global const float2 *a, global float2 *out) {\n"
                  "  size_t i = get_global_id(0);\n"
                  "  out[i] = NORMALIZE(a[i]);\n"
                  "}\n",
        .options = fast ? "-DNORMALIZE=fast_normalize" : "-DNORMALIZE=normalize",
        .global = {COUNT},
        .args = {KERNEL_IN(a), KERNEL_OUT_FLOATS(out)},
        .ulp = fast ? 8192 : 4,
    });
  }
}

/** For scalars true is 1. */
static void classifications_of_scalars(void **state) {
  (void)state;
  const cl_float in[10] = {0.0f, -0.0f, 1.5f, -2.5f, INFINITY, -INFINITY, NAN, 1e-40f, 3e38f, -1e-40f};
  cl_int out[10];
  for (int i = 0; i < 10; i++) {
    out[i] = (isnan(in[i]) ? 1 : 0) | (isinf(in[i]) ? 2 : 0) | (isfinite(in[i]) ? 4 : 0) |
             (signbit(in[i]) && !isnan(in[i]) ? 8 : 0) | (isgreater(in[i], 0.5f) ? 16 : 0) |
             (islessequal(in[i], 0.0f) ? 32 : 0) | (isunordered(in[i], 1.0f) ? 64 : 0) | (in[i] != in[i] ? 128 : 0) |
             (islessgreater(in[i], 0.0f) ? 256 : 0);
  }
  kernel_case_run(&(kernel_case_t){
      .name = "classes",
      .source = "kernel void classes(global const float *in, global int *out) {\n"
                "  size_t i = get_global_id(0); float x = in[i];\n"
                "  out[i] = isnan(x) | isinf(x) << 1 | isfinite(x) << 2 | (signbit(x) && !isnan(x)) << 3 |\n"
                "           isgreater(x, 0.5f) << 4 | islessequal(x, 0.0f) << 5 | isunordered(x, 1.0f) << 6 |\n"
                "           isnotequal(x, x) << 7 | islessgreater(x, 0.0f) << 8;\n"
                "}\n",
      .global = {10},
      .args = {KERNEL_IN(in), KERNEL_OUT(out)},
  });
}

/** For vectors true is -1, in integers as wide as the components. */
static void classifications_of_vectors(void **state) {
  (void)state;
  const cl_float in[8] = {0.0f, NAN, 1.5f, INFINITY, -INFINITY, -1.0f, NAN, 7.0f};
  cl_int nans[8], less[8], any_all[2];
  for (int i = 0; i < 8; i++) {
    nans[i] = isnan(in[i]) ? -1 : 0;
    less[i] = isless(in[i], 1.0f) ? -1 : 0;
  }
  any_all[0] = 1;
  any_all[1] = 1;
  kernel_case_run(&(kernel_case_t){
      .name = "vector_classes",
      .source = "kernel void vector_classes(global const float4 *in, global int4 *nans, global int4 *less,\n"
                "                           global int *found) {\n"
                "  size_t i = get_global_id(0); float4 x = in[i];\n"
                "  nans[i] = isnan(x); less[i] = isless(x, (float4)(1.0f));\n"
                "  found[i] = any(isnan(x)) && !all(isnan(x)) && all((int4)(-1)) && !any((int4)(1));\n"
                "}\n",
      .global = {2},
      .args = {KERNEL_IN(in), KERNEL_OUT(nans), KERNEL_OUT(less), KERNEL_OUT(any_all)},
  });
}

static void bitselect_and_select_choose(void **state) {
  (void)state;
  cl_uint a[COUNT], b[COUNT], masks[COUNT], bits[COUNT], chosen[COUNT];
  for (cl_uint i = 0; i < COUNT; i++) {
    a[i] = i * 0x01234567u;
    b[i] = ~i * 0x89ABCDEFu;
    masks[i] = i * 0x10F0F0F1u;
    bits[i] = (a[i] & ~masks[i]) | (b[i] & masks[i]);
    chosen[i] = masks[i] != 0 ? b[i] : a[i]; /* a scalar condition is true when it is not 0 */
  }
  kernel_case_run(&(kernel_case_t){
      .name = "choices",
      .source = "kernel void choices(global const uint *a, global const uint *b, global const uint *m,\n"
                "                    global uint *bits, global uint *chosen) {\n"
                "  size_t i = get_global_id(0);\n"
                "  bits[i] = bitselect(a[i], b[i], m[i]); chosen[i] = select(a[i], b[i], m[i]);\n"
                "}\n",
      .global = {COUNT},
      .args = {KERNEL_IN(a), KERNEL_IN(b), KERNEL_IN(masks), KERNEL_OUT(bits), KERNEL_OUT(chosen)},
  });
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(products_lengths_and_distances),     cmocka_unit_test(cross_products_are_perpendicular),
      cmocka_unit_test(normalized_vectors_have_length_one), cmocka_unit_test(classifications_of_scalars),
      cmocka_unit_test(classifications_of_vectors),         cmocka_unit_test(bitselect_and_select_choose),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
