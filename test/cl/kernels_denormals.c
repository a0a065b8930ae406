/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Denormal numbers and rounding: what the application sets for its threads is not the kernels' affair, and
 * -cl-denorms-are-zero is, of the build or of the link. */
#include <fenv.h>
#include <math.h>
#include <stdio.h>

#include "test_device.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
static unsigned mode_get(void) { return _mm_getcsr() & ~0x3Fu; }
static void mode_disturb(void) { _mm_setcsr(0x1F80u | 0x8040u | 0x4000u); } /* flush, round upwards */
#else
static unsigned mode_get(void) { return (unsigned)fegetround(); }
static void mode_disturb(void) { (void)fesetround(FE_UPWARD); }
#endif

static const char source[] =
    "kernel void k(global const T *in, global T *out) {\n"
    "  size_t i = get_global_id(0);\n"
    "  out[i] = in[i] * (T)0.5;\n"
    "}\n";

enum { count = 100 };

/** Runs the kernel over `in`, on this thread too. */
static void run(cl_program program, size_t size, const void *in, void *out) {
  cl_int error;
  cl_kernel kernel = clCreateKernel(program, "k", &error);
  ASSERT_CL(error);
  cl_mem from = test_buffer(count * size, in), to = test_buffer(count * size, NULL);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof from, &from));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof to, &to));
  const size_t global = count;
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
  test_read(to, count * size, out);
  ASSERT_CL(clReleaseMemObject(from));
  ASSERT_CL(clReleaseMemObject(to));
  ASSERT_CL(clReleaseKernel(kernel));
}

/** Bits: odd numbers of the least normal binade and denormals, whose halves are denormal, and one that is not exact. */
static void check_float(cl_program program, bool flushed) {
  cl_uint in[count], out[count];
  for (cl_uint i = 0; i < count; i++) in[i] = i % 2 ? 0x00800000u + 2 * i : 2 * i;
  run(program, 4, in, out);
  for (cl_uint i = 0; i < count; i++) {
    const cl_uint half = i % 2 ? 0x00400000u + i : i;
    if (out[i] != (flushed ? 0 : half)) fail_msg("0x%x / 2 = 0x%x", in[i], out[i]);
  }
}

static void check_double(cl_program program, bool flushed) {
  cl_ulong in[count], out[count];
  for (cl_ulong i = 0; i < count; i++) in[i] = i % 2 ? 0x0010000000000000u + 2 * i : 2 * i;
  run(program, 8, in, out);
  for (cl_ulong i = 0; i < count; i++) {
    const cl_ulong half = i % 2 ? 0x0008000000000000u + i : i;
    if (out[i] != (flushed ? 0 : half)) fail_msg("0x%llx / 2 = 0x%llx", (long long)in[i], (long long)out[i]);
  }
}

static void denormals_are_kept(void **state) {
  (void)state;
  cl_program program = test_program(source, "-DT=float");
  check_float(program, false);
  ASSERT_CL(clReleaseProgram(program));
  if (!test_device_number(CL_DEVICE_DOUBLE_FP_CONFIG)) return;
  program = test_program(source, "-DT=double");
  check_double(program, false);
  ASSERT_CL(clReleaseProgram(program));
}

static void denormals_are_flushed_on_demand(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  cl_program program = test_program(source, "-DT=float -cl-denorms-are-zero");
  check_float(program, true);
  ASSERT_CL(clReleaseProgram(program));
  program = test_program(source, "-DT=double -cl-denorms-are-zero");
  check_double(program, true);
  ASSERT_CL(clReleaseProgram(program));
}

enum { COPIES = 67 };

/** Runs `kernel`, whose first arguments are a buffer with copies of `x` and one of `bytes` for each work-item, over one
 * work-item or COPIES; `out` gets what it made. */
static void run_copies(cl_kernel kernel, size_t size, const void *x, size_t items, size_t bytes, void *out) {
  _Alignas(cl_double) unsigned char in[COPIES * sizeof(cl_double)];
  for (size_t i = 0; i < COPIES; i++) memcpy(in + i * size, x, size);
  cl_mem from = test_buffer(COPIES * size, in), to = test_buffer(items * bytes, NULL);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(cl_mem), &from));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof(cl_mem), &to));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  test_read(to, items * bytes, out);
  ASSERT_CL(clReleaseMemObject(from));
  ASSERT_CL(clReleaseMemObject(to));
}

/** Powers of `x`, a negative subnormal number, by one work-item and by many: what the number itself gives, or a zero in
 * its place (OpenCL C section 7.5.3), and not what its magnitude gives. */
static void check_powers(const char *options, size_t size, const void *x) {
  static const char text[] =
      "kernel void k(global const T *in, global T *out, int four) {\n"
      "  size_t i = get_global_id(0);\n"
      "  out[3 * i] = powr(in[i], (T)(four - 4));\n"
      "  out[3 * i + 1] = 1 / rootn(in[i], 2 - four);\n"
      "  out[3 * i + 2] = pow(in[i], 1 / (T)four);\n"
      "}\n";
  const cl_int four = 4;
  enum { POWERS = 3 };
  _Alignas(cl_double) unsigned char out[sizeof(cl_double) * POWERS * COPIES];
  cl_kernel kernel = test_kernel(text, options, "k");
  ASSERT_CL(clSetKernelArg(kernel, 2, sizeof four, &four));
  for (size_t items = 1; items <= COPIES; items += COPIES - 1) {
    run_copies(kernel, size, x, items, POWERS * size, out);
    for (size_t i = 0; i < POWERS * items; i++) {
      double value = size == sizeof(cl_float) ? (double)((cl_float *)(void *)out)[i] : ((cl_double *)(void *)out)[i];
      if (!isnan(value) && (i % POWERS == 0 || value != 0)) {
        fail_msg("%s, %zu work-items: power %zu is %a", options, items, i % POWERS, value);
      }
    }
  }
  ASSERT_CL(clReleaseKernel(kernel));
}

static void powers_of_denormals_are_those_of_a_number_or_zero(void **state) {
  (void)state;
  const cl_float least = -0x1p-149f, large = -0x1.8p-127f;
  const cl_double least_double = -0x1p-1074, large_double = -0x1.8p-1023;
  check_powers("-DT=float", sizeof least, &least);
  check_powers("-DT=float -cl-denorms-are-zero", sizeof least, &least);
  check_powers("-DT=float -cl-denorms-are-zero", sizeof large, &large);
  if (!test_device_number(CL_DEVICE_DOUBLE_FP_CONFIG)) return;
  check_powers("-DT=double -cl-denorms-are-zero", sizeof least_double, &least_double);
  check_powers("-DT=double -cl-denorms-are-zero", sizeof large_double, &large_double);
}

/** The parts of `x`, a positive subnormal number with `exponent`, by one work-item and by many: the number's own, or
 * those of zero. */
static void check_parts(const char *options, size_t size, const void *x, cl_int exponent) {
  static const char text[] =
      "kernel void k(global const T *in, global int *out) {\n"
      "  size_t i = get_global_id(0);\n"
      "  int e;\n"
      "  out[4 * i] = frexp(in[i], &e) >= (T)0.5;\n"
      "  out[4 * i + 1] = e;\n"
      "  out[4 * i + 2] = ilogb(in[i]);\n"
      "  out[4 * i + 3] = logb(in[i]) == -INFINITY ? FP_ILOGB0 : (int)logb(in[i]);\n"
      "}\n";
  enum { PARTS = 4 };
  const cl_int own[PARTS] = {1, exponent + 1, exponent, exponent}, of_zero[PARTS] = {0, 0, INT32_MIN, INT32_MIN};
  cl_int out[PARTS * COPIES];
  cl_kernel kernel = test_kernel(text, options, "k");
  for (size_t items = 1; items <= COPIES; items += COPIES - 1) {
    run_copies(kernel, size, x, items, sizeof out / COPIES, out);
    for (size_t i = 0; i < PARTS * items; i++) {
      if (out[i] != own[i % PARTS] && out[i] != of_zero[i % PARTS])
        fail_msg("%s, %zu work-items: part %zu is %d", options, items, i % PARTS, out[i]);
    }
  }
  ASSERT_CL(clReleaseKernel(kernel));
}

static void parts_of_denormals_are_those_of_a_number_or_zero(void **state) {
  (void)state;
  const cl_float least = 0x1p-149f, large = 0x1.8p-127f;
  const cl_double least_double = 0x1p-1074, large_double = 0x1.8p-1023;
  check_parts("-DT=float", sizeof least, &least, -149);
  check_parts("-DT=float -cl-denorms-are-zero", sizeof least, &least, -149);
  check_parts("-DT=float -cl-denorms-are-zero", sizeof large, &large, -127);
  if (!test_device_number(CL_DEVICE_DOUBLE_FP_CONFIG)) return;
  check_parts("-DT=double -cl-denorms-are-zero", sizeof least_double, &least_double, -1074);
  check_parts("-DT=double -cl-denorms-are-zero", sizeof large_double, &large_double, -1023);
}

static void the_link_may_ask_for_it(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  cl_int error;
  const char *text = source;
  cl_program part = clCreateProgramWithSource(dut.context, 1, &text, NULL, &error);
  ASSERT_CL(error);
  ASSERT_CL(clCompileProgram(part, 1, &dut.device, "-DT=float", 0, NULL, NULL, NULL, NULL));
  cl_program library =
      clLinkProgram(dut.context, 1, &dut.device, "-create-library -enable-link-options", 1, &part, NULL, NULL, &error);
  ASSERT_CL(error);
  cl_program program =
      clLinkProgram(dut.context, 1, &dut.device, "-cl-denorms-are-zero", 1, &library, NULL, NULL, &error);
  ASSERT_CL(error);
  check_float(program, true);
  ASSERT_CL(clReleaseProgram(program));
  ASSERT_CL(clReleaseProgram(library));
  ASSERT_CL(clReleaseProgram(part));
}

static void rounding_is_to_nearest(void **state) {
  (void)state;
  cl_program program = test_program(
      "kernel void k(global const float *in, global float *out) {\n"
      "  size_t i = get_global_id(0);\n"
      "  out[i] = in[i] + 16777216.0f;\n"
      "}\n",
      NULL);
  cl_float in[count], out[count];
  for (int i = 0; i < count; i++) in[i] = (cl_float)(i % 4) * 0.5f;
  run(program, 4, in, out);
  for (int i = 0; i < count; i++) {
    const cl_float expected = i % 4 == 3 ? 16777218.0f : 16777216.0f;
    if (out[i] != expected) fail_msg("%g gave %.9g", (double)in[i], (double)out[i]);
  }
  ASSERT_CL(clReleaseProgram(program));
}

/** All of it again, with other modes in this thread and in those that it creates. */
static void the_application_keeps_its_modes(void **state) {
  mode_disturb();
  const unsigned before = mode_get();
  denormals_are_kept(state);
  assert_int_equal(mode_get(), before);
  if (test_is_quern()) denormals_are_flushed_on_demand(state);
  rounding_is_to_nearest(state);
  assert_int_equal(mode_get(), before);
}

/** A kernel raises what it likes; the flags of the thread that waits for it, and helps, stay. */
static void the_application_keeps_its_flags(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  cl_program program = test_program(
      "kernel void k(global const float *in, global float *out) {\n"
      "  size_t i = get_global_id(0);\n"
      "  out[i] = in[i] / 3.0f + sqrt(-in[i]) + 1.0f / (in[i] - in[i]);\n"
      "}\n",
      NULL);
  const int raised[] = {0, FE_OVERFLOW | FE_INEXACT};
  cl_float in[count], out[count];
  for (int i = 0; i < count; i++) in[i] = (cl_float)(i + 1);
  for (int i = 0; i < 2; i++) {
    for (int disturbed = 0; disturbed < 2; disturbed++) {
      if (disturbed) mode_disturb();
      feclearexcept(FE_ALL_EXCEPT);
      feraiseexcept(raised[i]);
      run(program, 4, in, out);
      const int flags = fetestexcept(FE_ALL_EXCEPT);
      fesetenv(FE_DFL_ENV);
      assert_int_equal(flags, raised[i]);
    }
  }
  ASSERT_CL(clReleaseProgram(program));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_application_keeps_its_modes),
      cmocka_unit_test(denormals_are_kept),
      cmocka_unit_test(denormals_are_flushed_on_demand),
      cmocka_unit_test(powers_of_denormals_are_those_of_a_number_or_zero),
      cmocka_unit_test(parts_of_denormals_are_those_of_a_number_or_zero),
      cmocka_unit_test(the_link_may_ask_for_it),
      cmocka_unit_test(rounding_is_to_nearest),
      cmocka_unit_test(the_application_keeps_its_flags),
  };
  mode_disturb();
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
