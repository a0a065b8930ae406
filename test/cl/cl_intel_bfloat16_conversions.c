/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * cl_intel_bfloat16_conversions: every bfloat16 to float; floats to bfloat16 around every value, all ties among them;
 * vectors of every size. */
#include <stdio.h>
#include <stdlib.h>

#include "test_device.h"
#include "test_extension.h"

enum { VALUES = 1 << 16, LOWER = 5, FLOATS = VALUES * LOWER };

/** Lower halves of the bits of floats: exact, just below, at and above the middle, just below the next. */
static const cl_uint lower[LOWER] = {0, 0x7fff, 0x8000, 0x8001, 0xffff};

/** Rounds to the nearest by comparing distances. */
static cl_ushort reference(cl_uint bits) {
  const cl_uint rest = bits & 0xffff;
  const cl_ushort below = (cl_ushort)(bits >> 16);
  if ((bits & 0x7fffffff) > 0x7f800000) return below | 0x40;
  if (rest < 0x8000 || (rest == 0x8000 && below % 2 == 0)) return below;
  return (cl_ushort)(below + 1);
}

static void make_source(char *out, size_t size, int width) {
  char n[16] = "", load[64] = "in[i]", store[64] = "out[i] = r";
  if (width > 1) {
    snprintf(n, sizeof(n), "%d", width);
    snprintf(load, sizeof(load), "vload%d(i, in)", width);
    snprintf(store, sizeof(store), "vstore%d(r, i, out)", width);
  }
  snprintf(out, size,
           "#ifndef cl_intel_bfloat16_conversions\n#error \"there is no macro\"\n#endif\n"
           "kernel void narrow(global const float *in, global ushort *out) {\n"
           "  size_t i = get_global_id(0); ushort%s r = intel_convert_bfloat16%s_as_ushort%s(%s); %s; }\n"
           "kernel void widen(global const ushort *in, global float *out) {\n"
           "  size_t i = get_global_id(0); float%s r = intel_convert_as_bfloat16%s_float%s(%s); %s; }\n",
           n, n, n, load, store, n, n, n, load, store);
}

static void run(const char *source, const char *name, cl_mem in, cl_mem out, size_t items) {
  cl_kernel kernel = test_kernel(source, "-Werror", name);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(in), &in));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof(out), &out));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  ASSERT_CL(clReleaseKernel(kernel));
}

static void floats_become_the_nearest_bfloat16(const char *source, int width) {
  cl_uint *bits = malloc(FLOATS * sizeof(*bits));
  cl_ushort *got = malloc(FLOATS * sizeof(*got));
  for (cl_uint i = 0; i < FLOATS; i++) bits[i] = i / LOWER << 16 | lower[i % LOWER];
  cl_mem in = test_buffer(FLOATS * sizeof(*bits), bits), out = test_buffer(FLOATS * sizeof(*got), NULL);
  const size_t count = FLOATS / (size_t)width;
  run(source, "narrow", in, out, count);
  test_read(out, FLOATS * sizeof(*got), got);
  for (size_t i = 0; i < count * (size_t)width; i++) {
    if (got[i] != reference(bits[i])) print_error("%#x gives %#x, width %d\n", bits[i], got[i], width);
    assert_int_equal(got[i], reference(bits[i]));
  }
  free(bits);
  free(got);
  ASSERT_CL(clReleaseMemObject(in));
  ASSERT_CL(clReleaseMemObject(out));
}

static void every_bfloat16_is_a_float(const char *source, int width) {
  cl_ushort *values = malloc(VALUES * sizeof(*values));
  cl_uint *got = malloc(VALUES * sizeof(*got));
  for (cl_uint i = 0; i < VALUES; i++) values[i] = (cl_ushort)i;
  cl_mem in = test_buffer(VALUES * sizeof(*values), values), out = test_buffer(VALUES * sizeof(*got), NULL);
  const size_t count = VALUES / (size_t)width;
  run(source, "widen", in, out, count);
  test_read(out, VALUES * sizeof(*got), got);
  for (size_t i = 0; i < count * (size_t)width; i++) assert_int_equal(got[i], (cl_uint)values[i] << 16);
  free(values);
  free(got);
  ASSERT_CL(clReleaseMemObject(in));
  ASSERT_CL(clReleaseMemObject(out));
}

static void conversions_of_every_width(void **state) {
  (void)state;
  static const int widths[] = {1, 2, 3, 4, 8, 16};
  if (!test_has_extension("cl_intel_bfloat16_conversions")) skip();
  for (size_t i = 0; i < sizeof(widths) / sizeof(*widths); i++) {
    char source[2048];
    make_source(source, sizeof(source), widths[i]);
    floats_become_the_nearest_bfloat16(source, widths[i]);
    every_bfloat16_is_a_float(source, widths[i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(conversions_of_every_width)};
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
