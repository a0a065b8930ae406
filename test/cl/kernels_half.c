/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * OpenCL C: cl_khr_fp16. Every half through arithmetic, comparisons, conversions in all roundings, and the functions
 * that bin/accuracy does not measure; half in arguments, structs, memory, images, printf and work-group functions. */
#include <math.h>
#include <stdio.h>

#include <CL/cl_ext.h>

#include "kernel_case.h"
#include "test_half.h"
#include "test_process.h"

enum { all_halves = 1 << 16 };

#define PRAGMA "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"

static int open_device(void **state) {
  int failed = test_device_open(state);
  return failed ? failed : !test_device_number(CL_DEVICE_HALF_FP_CONFIG);
}

static void the_device_says_what_it_has(void **state) {
  (void)state;
  const cl_device_fp_config least = CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN;
  assert_int_equal(test_device_number(CL_DEVICE_HALF_FP_CONFIG) & least, least);
  assert_true(test_device_number(CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF) > 0);
  assert_true(test_device_number(CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF) > 0);
}

/** Bits of every half. */
static const cl_half *halves(void) {
  static cl_half bits[all_halves];
  for (size_t i = 0; i < all_halves; i++) bits[i] = (cl_half)i;
  return bits;
}

static bool same_half(cl_half a, cl_half b) {
  const double x = test_half_to_double(a), y = test_half_to_double(b);
  return (isnan(x) && isnan(y)) || a == b;
}

/** Runs `body` over every half x, into `results` of `size` bytes each. */
static void run_all(const char *result_type, const char *body, size_t size, void *results) {
  char source[1024];
  snprintf(source, sizeof source,
           PRAGMA
           "kernel void k(global const half *in, global %s *out) {\n"
           "  size_t i = get_global_id(0);\n  half x = in[i];\n  out[i] = %s;\n}\n",
           result_type, body);
  cl_kernel kernel = test_kernel(source, "-cl-std=CL3.0", "k");
  cl_mem in = test_buffer(all_halves * sizeof(cl_half), halves()), out = test_buffer(all_halves * size, NULL);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof in, &in));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof out, &out));
  const size_t global = all_halves;
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
  test_read(out, all_halves * size, results);
  ASSERT_CL(clReleaseMemObject(in));
  ASSERT_CL(clReleaseMemObject(out));
  ASSERT_CL(clReleaseKernel(kernel));
}

/** `body` gives the half that `reference` rounds to. */
static void check_half(const char *body, double (*reference)(double x)) {
  static cl_half results[all_halves];
  run_all("half", body, sizeof *results, results);
  for (size_t i = 0; i < all_halves; i++) {
    const cl_half expected = test_half_from_double(reference(test_half_to_double((uint16_t)i)));
    if (!same_half(results[i], expected)) fail_msg("%s of 0x%zx: 0x%x, not 0x%x", body, i, results[i], expected);
  }
}

static void check_int(const char *body, cl_int (*reference)(double x)) {
  static cl_int results[all_halves];
  run_all("int", body, sizeof *results, results);
  for (size_t i = 0; i < all_halves; i++) {
    const cl_int expected = reference(test_half_to_double((uint16_t)i));
    if (results[i] != expected) fail_msg("%s of 0x%zx: %d, not %d", body, i, results[i], expected);
  }
}

#define FORMULA(name, expression) \
  static double name(double x) { return expression; }
#define QUESTION(name, expression) \
  static cl_int name(double x) { return (cl_int)(expression); }

FORMULA(plus_third, x + test_half_to_double(0x3555))
FORMULA(minus_large, x - 1000)
FORMULA(times_self, x *x)
FORMULA(third_of, x / 3)
FORMULA(reciprocal, 1 / x)
FORMULA(negated, -x)
FORMULA(magnitude, fabs(x))
FORMULA(whole_below, floor(x))
FORMULA(whole_above, ceil(x))
FORMULA(whole_part, trunc(x))
FORMULA(whole_even, rint(x))
FORMULA(whole_away, round(x))
FORMULA(root, sqrt(x))
FORMULA(greater_than_one, isnan(x) ? 1 : x > 1 ? x : 1)
FORMULA(less_than_one, isnan(x) ? 1 : x < 1 ? x : 1)
FORMULA(positive_difference, isnan(x) ? x : x > 2 ? x - 2 : 0)
FORMULA(clamped, x < -1 ? -1 : x > 1.5 ? 1.5 : x)
FORMULA(sign_of, isnan(x) ? 0 : x > 0 ? 1 : x < 0 ? -1 : x)
FORMULA(step_at_half, x < 0.5 ? 0 : 1)
FORMULA(with_minus, copysign(x, -1))
FORMULA(next_above, isnan(x) || x == INFINITY ? x
                    : x == 0 ? 0x1p-24
                             : test_half_to_double((uint16_t)(test_half_from_double(x) + (x > 0 ? 1 : -1))))

static void arithmetic_is_rounded_once(void **state) {
  (void)state;
  check_half("x + (half)0.333251953125h", plus_third);
  check_half("x - 1000.0h", minus_large);
  check_half("x * x", times_self);
  check_half("x / 3.0h", third_of);
  check_half("1.0h / x", reciprocal);
  check_half("-x", negated);
  check_half("sqrt(x)", root);
}

static void common_functions(void **state) {
  (void)state;
  check_half("fabs(x)", magnitude);
  check_half("floor(x)", whole_below);
  check_half("ceil(x)", whole_above);
  check_half("trunc(x)", whole_part);
  check_half("rint(x)", whole_even);
  check_half("round(x)", whole_away);
  check_half("fmax(x, 1.0h)", greater_than_one);
  check_half("fmin(x, 1.0h)", less_than_one);
  check_half("fdim(x, 2.0h)", positive_difference);
  check_half("isnan(x) ? x : clamp(x, -1.0h, 1.5h)", clamped);
  check_half("sign(x)", sign_of);
  check_half("step(0.5h, x)", step_at_half);
  check_half("copysign(x, -1.0h)", with_minus);
  check_half("nextafter(x, (half)INFINITY)", next_above);
}

QUESTION(is_less, x < 0.25)
QUESTION(is_not, isnan(x) != 0)
QUESTION(is_endless, isinf(x) != 0)
QUESTION(has_end, isfinite(x) != 0)
QUESTION(is_usual, fabs(x) >= 0x1p-14 && isfinite(x))
QUESTION(is_negative, signbit(x) != 0)
QUESTION(is_unequal, x != 2)
QUESTION(exponent_of, isnan(x) ? INT32_MAX : isinf(x) ? INT32_MAX : x == 0 ? INT32_MIN : ilogb(x))

static void comparisons(void **state) {
  (void)state;
  check_int("x < 0.25h", is_less);
  check_int("isless(x, 0.25h)", is_less);
  check_int("isnan(x)", is_not);
  check_int("isinf(x)", is_endless);
  check_int("isfinite(x)", has_end);
  check_int("isnormal(x)", is_usual);
  check_int("signbit(x)", is_negative);
  check_int("isnotequal(x, 2.0h)", is_unequal);
  check_int("isnan(x) || isinf(x) ? INT_MAX : ilogb(x)", exponent_of);
}

QUESTION(to_int, !isfinite(x) ? 0 : x > 0 ? floor(x) : ceil(x))
QUESTION(to_int_rte, !isfinite(x) ? 0 : rint(x))
QUESTION(to_int_rtp, !isfinite(x) ? 0 : ceil(x))
QUESTION(to_int_rtn, !isfinite(x) ? 0 : floor(x))
QUESTION(to_char_sat, isnan(x) ? 0 : x > 127 ? 127 : x < -128 ? -128 : rint(x))
QUESTION(to_uchar_sat, isnan(x) ? 0 : x > 255 ? 255 : x < 0 ? 0 : trunc(x))

static void conversions_to_integers(void **state) {
  (void)state;
  check_int("isinf(x) || isnan(x) ? 0 : convert_int(x)", to_int);
  check_int("convert_char_sat_rte(x)", to_char_sat);
  check_int("convert_uchar_sat(x)", to_uchar_sat);
  check_int("isinf(x) || isnan(x) ? 0 : convert_int_rte(x)", to_int_rte);
  check_int("isinf(x) || isnan(x) ? 0 : convert_int_rtp(x)", to_int_rtp);
  check_int("isinf(x) || isnan(x) ? 0 : convert_int_rtn(x)", to_int_rtn);
}

/** The largest half that is not greater (`up` false), or the least that is not less. */
static cl_half directed(double value, bool up) {
  cl_half nearest = test_half_from_double(value);
  double back = test_half_to_double(nearest);
  if (isnan(value) || back == value) return nearest;
  if (up ? back > value : back < value) return nearest;
  if (back == 0) return up ? 1 : 0x8001;
  return (cl_half)(nearest + ((back > 0) == up ? 1 : -1));
}

/** Floats around every half and every midpoint of two, in each rounding. */
static void conversions_from_floats(void **state) {
  (void)state;
  enum { steps = 4, count = all_halves / 2 * steps };
  static cl_float in[count];
  static cl_half expected[4][count];
  for (size_t i = 0; i < count; i++) {
    const double low = test_half_to_double((uint16_t)(i / steps)),
                 high = test_half_to_double((uint16_t)(i / steps + 1));
    const double part[steps] = {0, 0.25, 0.5, 0.5 + 0x1p-12};
    in[i] = isfinite(low) && isfinite(high) ? (cl_float)(low + (high - low) * part[i % steps]) : (cl_float)low;
    if (i % 3 == 0) in[i] = -in[i];
    expected[0][i] = test_half_from_double((double)in[i]);
    expected[1][i] = directed((double)in[i], false);
    expected[2][i] = directed((double)in[i], true);
    expected[3][i] = directed((double)in[i], signbit(in[i]));
  }
  kernel_case_run(&(kernel_case_t){
      .name = "convert",
      .source = PRAGMA
      "kernel void convert(global const float *in, global ushort *e, global ushort *n,\n"
      "                    global ushort *p, global ushort *z) {\n"
      "  size_t i = get_global_id(0);\n"
      "  bool other = isnan(in[i]);\n"
      "  e[i] = as_ushort(other ? (half)NAN : convert_half_rte(in[i]));\n"
      "  n[i] = as_ushort(other ? (half)NAN : convert_half_rtn(in[i]));\n"
      "  p[i] = as_ushort(other ? (half)NAN : convert_half_rtp(in[i]));\n"
      "  z[i] = as_ushort(other ? (half)NAN : convert_half_rtz(in[i]));\n"
      "}\n",
      .global = {31744 * steps},
      .local = {64},
      .args = {{.kind = KERNEL_ARG_BUFFER, .size = 31744 * steps * 4, .initial = in},
               {.kind = KERNEL_ARG_BUFFER, .element = KERNEL_U16, .size = 31744 * steps * 2, .expected = expected[0]},
               {.kind = KERNEL_ARG_BUFFER, .element = KERNEL_U16, .size = 31744 * steps * 2, .expected = expected[1]},
               {.kind = KERNEL_ARG_BUFFER, .element = KERNEL_U16, .size = 31744 * steps * 2, .expected = expected[2]},
               {.kind = KERNEL_ARG_BUFFER, .element = KERNEL_U16, .size = 31744 * steps * 2, .expected = expected[3]}},
  });
}

/** Doubles that a detour through float would round twice, and integers of 64 bits. */
static void conversions_from_wide_numbers(void **state) {
  (void)state;
  static const cl_half from_double[] = {0x3c01, 0x3c00, 0xbc01, 0x0001, 0x0000, 0x7bff};
  static const cl_half from_long[] = {0x7bff, 0x7c00, 0xfbff, 0x6801};
  static const cl_long longs[] = {65519, 65520, -65504, 2050};
  kernel_case_run(&(kernel_case_t){
      .name = "longs",
      .source = PRAGMA
      "kernel void longs(global const long *in, global ushort *out) {\n"
      "  size_t i = get_global_id(0);\n"
      "  out[i] = as_ushort(convert_half_rte(in[i]));\n}\n",
      .global = {4},
      .args = {KERNEL_IN(longs), KERNEL_OUT(from_long)},
  });
  if (!test_device_has_feature("__opencl_c_fp64")) return;
  static const cl_double doubles[] = {
      1 + 0x1p-11 + 0x1p-40, 1 + 0x1p-11 - 0x1p-40, -1 - 0x1p-11 - 0x1p-50, 0x1p-25 + 0x1p-60, 0x1p-25,
      65519.999999999};
  kernel_case_run(&(kernel_case_t){
      .name = "doubles",
      .source = PRAGMA
      "kernel void doubles(global const double *in, global ushort *out) {\n"
      "  size_t i = get_global_id(0);\n"
      "  out[i] = as_ushort(convert_half(in[i]));\n}\n",
      .global = {6},
      .args = {KERNEL_IN(doubles), KERNEL_OUT(from_double)},
  });
}

/** By value, in vectors and in structs. */
static void arguments_by_value(void **state) {
  (void)state;
  typedef struct pair_t {
    cl_half a;
    cl_int n;
    cl_half v[4];
  } pair_t;
  static const cl_half out[] = {0x4200, 0x4500, 0x4700, 0x3c00};
  kernel_case_run(&(kernel_case_t){
      .name = "values",
      .source = PRAGMA
      "typedef struct { half a; int n; half v[4]; } pair_t;\n"
      "kernel void values(half s, half4 v, pair_t p, global half *out) {\n"
      "  out[0] = s + v.x;\n  out[1] = v.y + v.w;\n  out[2] = p.a + p.v[3] + p.n;\n  out[3] = v.z;\n}\n",
      .global = {1},
      .args = {KERNEL_VALUE(cl_half, 0x3c00),
               {.kind = KERNEL_ARG_VALUE, .size = 8, .initial = (const cl_half[]){0x4000, 0x4200, 0x3c00, 0x4000}},
               KERNEL_VALUE(pair_t, 0x3c00, 2, {0, 0, 0, 0x4400}),
               KERNEL_OUT(out)},
  });
}

/** Functions of several vectors, and memory: in 16 work-items' own numbers. */
static void vectors(void **state) {
  (void)state;
  static cl_half in[64], out[64];
  for (int i = 0; i < 64; i++) in[i] = test_half_from_double(i % 16 - 5);
  for (int i = 0; i < 16; i++) {
    double x[4], dot = 0;
    for (int k = 0; k < 4; k++) x[k] = test_half_to_double(in[4 * i + k]), dot += x[k] * x[k];
    out[4 * i] = test_half_from_double(dot);
    out[4 * i + 1] = test_half_from_double(x[3]);
    out[4 * i + 2] = test_half_from_double(x[0] < x[1] ? x[2] : x[3]);
    out[4 * i + 3] = test_half_from_double(fmax(x[0], x[1]) + fmin(x[2], x[3]));
  }
  kernel_case_run(&(kernel_case_t){
      .name = "vectors",
      .source = PRAGMA
      "kernel void vectors(global const half *in, global half *out) {\n"
      "  size_t i = get_global_id(0);\n"
      "  half4 x = vload4(i, in), r;\n"
      "  r.x = dot(x, x);\n"
      "  r.y = shuffle(x, (ushort4)(3, 2, 1, 0)).x;\n"
      "  r.z = isless(x.x, x.y) ? x.z : x.w;\n"
      "  r.w = max(x.x, x.y) + min(x.z, x.w);\n"
      "  vstore4(r, i, out);\n"
      "}\n",
      .global = {16},
      .args = {KERNEL_IN(in), KERNEL_OUT(out)},
  });
}

static void geometry(void **state) {
  (void)state;
  static const cl_half in[] = {0x4200, 0x4400, 0x0000, 0x0000};                                  /* 3, 4, 0, 0 */
  static const cl_half out[] = {0x4500, 0x4500, 0x3c00, 0x4e40, 0x38cd, 0x3a66, 0x0000, 0x0000}; /* 5, 5, 1, 25, ... */
  kernel_case_run(&(kernel_case_t){
      .name = "geometry",
      .source = PRAGMA
      "kernel void geometry(global const half *in, global half *out) {\n"
      "  half4 v = vload4(0, in);\n"
      "  out[0] = length(v); out[1] = distance(v, (half4)0); out[2] = length(normalize(v));\n"
      "  out[3] = dot(v.xy, v.xy); out[4] = normalize(v.xyz).x; out[5] = normalize(v.xy).y;\n"
      "  out[6] = cross(v.xyz, v.xyz).z; out[7] = cross(v, v).w;\n"
      "}\n",
      .global = {1},
      .args = {KERNEL_IN(in), KERNEL_OUT(out)},
  });
}

/** Work-groups of 16: their sum, a scan, and a copy through local memory. */
static void work_groups(void **state) {
  (void)state;
  enum { items = 64 };
  static cl_half in[items], sums[items], scans[items], copies[items];
  for (int i = 0; i < items; i++) in[i] = test_half_from_double(i % 7);
  for (int i = 0; i < items; i++) {
    double sum = 0, scan = 0;
    for (int k = i / 16 * 16; k < i / 16 * 16 + 16; k++) {
      sum += k % 7;
      if (k <= i) scan += k % 7;
    }
    sums[i] = test_half_from_double(sum);
    scans[i] = test_half_from_double(scan);
    copies[i] = in[i / 16 * 16 + 15 - i % 16];
  }
  kernel_case_run(&(kernel_case_t){
      .name = "groups",
      .source = PRAGMA
      "kernel void groups(global const half *in, global half *sums, global half *scans,\n"
      "                   global half *copies, local half *box) {\n"
      "  size_t i = get_global_id(0), l = get_local_id(0);\n"
      "  event_t e = async_work_group_copy(box, in + i - l, 16, 0);\n"
      "  sums[i] = work_group_reduce_add(in[i]);\n"
      "  scans[i] = work_group_scan_inclusive_add(in[i]);\n"
      "  wait_group_events(1, &e);\n"
      "  copies[i] = box[15 - l];\n"
      "}\n",
      .global = {items},
      .local = {16},
      .args = {KERNEL_IN(in), KERNEL_OUT(sums), KERNEL_OUT(scans), KERNEL_OUT(copies), KERNEL_LOCAL(32)},
  });
}

static void printed(void **state) {
  (void)state;
  char output[256];
  test_capture_t capture;
  cl_kernel kernel =
      test_kernel(PRAGMA
                  "kernel void k(half x) {\n"
                  "  printf(\"%f %g %.2v2hf|%v4hg\\n\", x, x + 1, (half2)(x, -x), (half4)(x, 1, 2, 3));\n"
                  "}\n",
                  "-cl-std=CL3.0", "k");
  const cl_half value = 0x3e00;
  const size_t one = 1;
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof value, &value));
  test_capture_begin(&capture, 1);
  cl_int error = clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL);
  if (error == CL_SUCCESS) error = clFinish(dut.queue);
  test_capture_end(&capture, output, sizeof output);
  ASSERT_CL(error);
  assert_string_equal(output, "1.500000 2.5 1.50,-1.50|1.5,1,2,3\n");
  ASSERT_CL(clReleaseKernel(kernel));
}

static void images(void **state) {
  (void)state;
  if (!test_device_number(CL_DEVICE_IMAGE_SUPPORT)) skip();
  enum { pixels = 16 };
  cl_half in[4 * pixels], out[4 * pixels];
  for (int i = 0; i < 4 * pixels; i++) in[i] = test_half_from_double(i * 0.25 - 7);
  const cl_image_format format = {CL_RGBA, CL_HALF_FLOAT};
  const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = pixels, .image_height = 1};
  cl_int error;
  cl_mem from = clCreateImage(dut.context, CL_MEM_COPY_HOST_PTR, &format, &desc, in, &error);
  ASSERT_CL(error);
  cl_mem to = clCreateImage(dut.context, CL_MEM_WRITE_ONLY, &format, &desc, NULL, &error);
  ASSERT_CL(error);
  cl_kernel kernel = test_kernel(PRAGMA
                                 "kernel void k(read_only image2d_t from, write_only image2d_t to) {\n"
                                 "  int2 at = (int2)(get_global_id(0), 0);\n"
                                 "  half4 x = read_imageh(from, at);\n"
                                 "  write_imageh(to, at, x * 2.0h);\n"
                                 "}\n",
                                 "-cl-std=CL3.0", "k");
  const size_t global = pixels, origin[3] = {0}, region[3] = {pixels, 1, 1};
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof from, &from));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof to, &to));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
  ASSERT_CL(clEnqueueReadImage(dut.queue, to, CL_TRUE, origin, region, 0, 0, out, 0, NULL, NULL));
  for (int i = 0; i < 4 * pixels; i++) assert_int_equal(out[i], test_half_from_double(2 * test_half_to_double(in[i])));
  ASSERT_CL(clReleaseMemObject(from));
  ASSERT_CL(clReleaseMemObject(to));
  ASSERT_CL(clReleaseKernel(kernel));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_device_says_what_it_has),
      cmocka_unit_test(arithmetic_is_rounded_once),
      cmocka_unit_test(common_functions),
      cmocka_unit_test(comparisons),
      cmocka_unit_test(conversions_to_integers),
      cmocka_unit_test(conversions_from_floats),
      cmocka_unit_test(conversions_from_wide_numbers),
      cmocka_unit_test(arguments_by_value),
      cmocka_unit_test(vectors),
      cmocka_unit_test(geometry),
      cmocka_unit_test(work_groups),
      cmocka_unit_test(printed),
      cmocka_unit_test(images),
  };
  return cmocka_run_group_tests(tests, open_device, test_device_close);
}
