/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A kernel full of gathers, of which the compiler does not know whether vectors pay: both forms run and agree. */
#include <stdlib.h>
#include <unistd.h>

#include "test_il.h"
#include "test_process.h"

enum { ROWS = 1 << 14, COLUMNS = 4096, MOST = 24, LAUNCHES = 100 };

/* Said on the command line: this must be a guess. */
static bool expects_guess;

static const char source[] =
    "kernel void rows_times_vector(global const uint *begin, global const uint *column, global const float *value,\n"
    "                              global const float *vector, global float *out) {\n"
    "  size_t row = get_global_id(0);\n"
    "  float sum = 0;\n"
    "  for (uint i = begin[row]; i < begin[row + 1]; i++) sum += value[i] * vector[column[i]];\n"
    "  out[row] = sum;\n"
    "}\n";

static unsigned next(unsigned *seed) { return (*seed = *seed * 1664525u + 1013904223u) >> 8; }

/* Small whole numbers, whose sums are exact however they are rounded. */
static void fill(unsigned *begin, unsigned *column, float *value, float *vector, float *expected) {
  unsigned seed = 5, count = 0;
  for (unsigned i = 0; i < COLUMNS; i++) vector[i] = (float)(next(&seed) % 100) - 50;
  for (unsigned row = 0; row < ROWS; row++) {
    begin[row] = count;
    expected[row] = 0;
    for (unsigned left = next(&seed) % MOST; left; left--, count++) {
      column[count] = next(&seed) % COLUMNS;
      value[count] = (float)(next(&seed) % 16);
      expected[row] += value[count] * vector[column[count]];
    }
  }
  begin[ROWS] = count;
}

static bool has_both_forms(cl_program program) {
  char *log = test_build_log(program);
  const bool has = strstr(log, "whichever is measured faster") != NULL;
  free(log);
  return has;
}

/* Launches over and over; `checked` bytes of the result are those expected. `out_text`: what was said meanwhile. */
static void launch_all(cl_kernel kernel, size_t count, const size_t *local, cl_mem buffer, void *out, size_t size,
                       const void *expected, size_t checked, char *out_text, size_t text_size) {
  test_capture_t capture;
  test_capture_begin(&capture, STDERR_FILENO);
  for (int launch = 0; launch < LAUNCHES; launch++) {
    ASSERT_CL(clEnqueueFillBuffer(dut.queue, buffer, "\xff", 1, 0, size, 0, NULL, NULL));
    ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &count, local, 0, NULL, NULL));
    test_read(buffer, size, out);
    assert_memory_equal(out, expected, checked);
  }
  test_capture_end(&capture, out_text, text_size);
}

/* Runs `rows_times_vector` for some rows; whether both forms exist. `out_text`: what was said meanwhile. */
static bool run_rows(size_t rows, char *out_text, size_t size) {
  static unsigned begin[ROWS + 1], column[ROWS * MOST];
  static float value[ROWS * MOST], vector[COLUMNS], expected[ROWS], out[ROWS];
  fill(begin, column, value, vector, expected);
  cl_int error;
  cl_program program = test_program(source, "-cl-std=CL3.0");
  cl_kernel kernel = clCreateKernel(program, "rows_times_vector", &error);
  ASSERT_CL(error);
  const bool is_guess = has_both_forms(program);
  if (expects_guess) assert_true(is_guess);
  cl_mem buffers[] = {test_buffer(sizeof begin, begin), test_buffer(sizeof column, column),
                      test_buffer(sizeof value, value), test_buffer(sizeof vector, vector),
                      test_buffer(sizeof out, NULL)};
  for (cl_uint i = 0; i < 5; i++) ASSERT_CL(clSetKernelArg(kernel, i, sizeof(cl_mem), &buffers[i]));
  launch_all(kernel, rows, NULL, buffers[4], out, sizeof out, expected, rows * sizeof *out, out_text, size);
  for (int i = 0; i < 5; i++) ASSERT_CL(clReleaseMemObject(buffers[i]));
  ASSERT_CL(clReleaseKernel(kernel));
  ASSERT_CL(clReleaseProgram(program));
  return is_guess;
}

static void both_forms_agree(void **state) {
  (void)state;
  static char text[1 << 14];
  const bool is_guess = run_rows(ROWS, text, sizeof text);
  /* Only where there is something to choose from. */
  assert_int_equal(strstr(text, "kernel 'rows_times_vector' runs as") != NULL, is_guess);
}

/* A vector has nearly nothing to do there: nothing is timed. Programs for CPUs give each processor one work-item. */
static void few_items_have_one_form(void **state) {
  (void)state;
  static char text[1 << 14];
  (void)run_rows(1, text, sizeof text);
  assert_null(strstr(text, "kernel 'rows_times_vector' runs as"));
}

/* One for each compute unit: none waits for another to end. */
static void few_items_are_on_all_compute_units(void **state) {
  (void)state;
  static const char shares_source[] =
      "kernel void shares(global const uint *begin, global const uint *column, global uint *out) {\n"
      "  size_t row = get_global_id(0);\n"
      "  uint sum = 0;\n"
      "  for (uint i = begin[row]; i < begin[row + 1]; i++) sum += column[column[i]];\n"
      "  out[row] = sum + (uint)get_local_size(0);\n"
      "}\n";
  cl_int error;
  cl_uint units;
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL));
  cl_program program = test_program(shares_source, "-cl-std=CL3.0");
  cl_kernel kernel = clCreateKernel(program, "shares", &error);
  ASSERT_CL(error);
  const bool is_guess = has_both_forms(program);
  if (expects_guess) assert_true(is_guess);
  static const unsigned zeros[1025];
  static unsigned out[1024];
  const size_t count = units < 1024 ? units : 1024;
  cl_mem buffers[] = {test_buffer(sizeof zeros, zeros), test_buffer(sizeof zeros, zeros),
                      test_buffer(sizeof out, NULL)};
  for (cl_uint i = 0; i < 3; i++) ASSERT_CL(clSetKernelArg(kernel, i, sizeof(cl_mem), &buffers[i]));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &count, NULL, 0, NULL, NULL));
  test_read(buffers[2], sizeof out, out);
  for (size_t i = 0; i < count && is_guess; i++) assert_int_equal(out[i], 1);
  for (int i = 0; i < 3; i++) ASSERT_CL(clReleaseMemObject(buffers[i]));
  ASSERT_CL(clReleaseKernel(kernel));
  ASSERT_CL(clReleaseProgram(program));
}

/* Vectors of one region do not pay for sure, and the other region waits for it at a barrier: all of the kernel has both
 * forms. */
static const char parts_source[] =
    "kernel void parts(global const ulong *in, global ulong *out, local ulong *tile) {\n"
    "  size_t l = get_local_id(0), g = get_global_id(0);\n"
    "  ulong x = in[g];\n"
    "  x ^= x << 13;\n"
    "  x ^= x >> 7;\n"
    "  tile[l] = x / (l | 3);\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  out[g] = tile[l ^ (get_local_size(0) > 1)];\n"
    "}\n";

static cl_ulong part(const cl_ulong *in, size_t g, size_t l) {
  cl_ulong x = in[g];
  x ^= x << 13;
  x ^= x >> 7;
  return x / (l | 3);
}

/* Runs `parts`; whether both forms exist. `out_text`: what was said meanwhile. */
static bool run_parts(size_t local, char *out_text, size_t size) {
  static cl_ulong in[ROWS], expected[ROWS], out[ROWS];
  const size_t count = ROWS, other = local > 1;
  for (size_t i = 0; i < count; i++) in[i] = i * 0x9e3779b97f4a7c15u;
  for (size_t i = 0; i < count; i++) expected[i] = part(in, i ^ other, (i ^ other) % local);
  cl_int error;
  cl_program program = test_program(parts_source, "-cl-std=CL3.0");
  cl_kernel kernel = clCreateKernel(program, "parts", &error);
  ASSERT_CL(error);
  const bool is_guess = has_both_forms(program);
  if (expects_guess) assert_true(is_guess);
  cl_mem buffers[] = {test_buffer(sizeof in, in), test_buffer(sizeof out, NULL)};
  for (cl_uint i = 0; i < 2; i++) ASSERT_CL(clSetKernelArg(kernel, i, sizeof(cl_mem), &buffers[i]));
  ASSERT_CL(clSetKernelArg(kernel, 2, local * sizeof(cl_ulong), NULL));
  launch_all(kernel, count, &local, buffers[1], out, sizeof out, expected, sizeof out, out_text, size);
  for (int i = 0; i < 2; i++) ASSERT_CL(clReleaseMemObject(buffers[i]));
  ASSERT_CL(clReleaseKernel(kernel));
  ASSERT_CL(clReleaseProgram(program));
  return is_guess;
}

static void forms_with_barriers_agree(void **state) {
  (void)state;
  static char text[1 << 14];
  const bool is_guess = run_parts(64, text, sizeof text);
  assert_int_equal(strstr(text, "kernel 'parts' runs as") != NULL, is_guess);
}

/* The same where work-groups are alone, since they share local memory. */
static void lone_items_have_one_form(void **state) {
  (void)state;
  static char text[1 << 14];
  (void)run_parts(1, text, sizeof text);
  assert_null(strstr(text, "kernel 'parts' runs as"));
}

/* Work-groups inside of the Mandelbrot set take thirty times as long as those outside, by quarters of a row: that is no
 * difference of the forms. Vectors are several times faster. */
static void costly_work_groups_decide_nothing(void **state) {
  (void)state;
  static const char escape_source[] =
      "kernel void escape(global int *out) {\n"
      "  int x = get_global_id(0), y = get_global_id(1), n = get_global_size(0), count = 0;\n"
      "  float cr = -2.0f + 3.0f * x / n, ci = -1.5f + 3.0f * y / n, zr = 0, zi = 0;\n"
      "  while (count < 100 && zr * zr + zi * zi < 4.0f) {\n"
      "    float t = zr * zr - zi * zi + cr;\n"
      "    zi = 2.0f * zr * zi + ci; zr = t; count++;\n"
      "  }\n"
      "  out[y * n + x] = count;\n"
      "}\n";
  static char text[1 << 14];
  const size_t global[] = {256, 256}, local[] = {16, 16};
  for (int i = 0; i < 10; i++) {
    cl_int error;
    cl_program program = test_program(escape_source, "-cl-std=CL3.0");
    cl_kernel kernel = clCreateKernel(program, "escape", &error);
    ASSERT_CL(error);
    const bool is_guess = has_both_forms(program);
    cl_mem out = test_buffer(global[0] * global[1] * sizeof(cl_int), NULL);
    ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(cl_mem), &out));
    test_capture_t capture;
    test_capture_begin(&capture, STDERR_FILENO);
    for (int launch = 0; launch < LAUNCHES; launch++)
      ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 2, NULL, global, local, 0, NULL, NULL));
    ASSERT_CL(clFinish(dut.queue));
    test_capture_end(&capture, text, sizeof text);
    assert_int_equal(strstr(text, "kernel 'escape' runs as vectors") != NULL, is_guess);
    ASSERT_CL(clReleaseMemObject(out));
    ASSERT_CL(clReleaseKernel(kernel));
    ASSERT_CL(clReleaseProgram(program));
  }
}

/* What options allow to be reordered is not chosen by the clock. */
static void relaxed_math_has_one_form(void **state) {
  (void)state;
  cl_program program = test_program(source, "-cl-std=CL3.0 -cl-fast-relaxed-math");
  assert_false(has_both_forms(program));
  ASSERT_CL(clReleaseProgram(program));
}

int main(int argc, char **argv) {
  expects_guess = argc > 1 && strcmp(argv[1], "guess") == 0;
  const struct CMUnitTest tests[] = {cmocka_unit_test(both_forms_agree),
                                     cmocka_unit_test(few_items_have_one_form),
                                     cmocka_unit_test(few_items_are_on_all_compute_units),
                                     cmocka_unit_test(forms_with_barriers_agree),
                                     cmocka_unit_test(lone_items_have_one_form),
                                     cmocka_unit_test(costly_work_groups_decide_nothing),
                                     cmocka_unit_test(relaxed_math_has_one_form)};
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
