/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The real clFFT library on the driver, checked against a plain discrete Fourier transform computed here in double. */
#include <clFFT.h>
#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include "test_device.h"

/** One transform: its lengths (row-major, x fastest), precision, placement and direction. */
typedef struct transform_t {
  clfftDim dimensions;
  size_t lengths[3];
  bool is_double, in_place, inverse;
} transform_t;

static void describe(const transform_t *t) {
  print_error("transform %zu x %zu x %zu, %s, %s, %s:\n", t->lengths[0], t->lengths[1], t->lengths[2],
              t->is_double ? "double" : "single", t->in_place ? "in place" : "out of place",
              t->inverse ? "inverse" : "forward");
}

#define ASSERT_FFT(t, expression)                                                 \
  do {                                                                            \
    clfftStatus status = (expression);                                            \
    if (status != CLFFT_SUCCESS) describe(t);                                     \
    test_check_code((cl_int)status, CL_SUCCESS, #expression, __FILE__, __LINE__); \
  } while (0)

/** Transforms the `length` values at `data[0], data[stride], ...` by the definition. */
static void dft_line(double complex *data, size_t length, size_t stride, double sign) {
  double complex *line = malloc(length * sizeof(*line)), *roots = malloc(length * sizeof(*roots));
  assert_true(line != NULL && roots != NULL);
  for (size_t i = 0; i < length; i++) {
    line[i] = data[i * stride];
    roots[i] = cexp(sign * 2.0 * M_PI * I * (double)i / (double)length);
  }
  for (size_t k = 0; k < length; k++) {
    double complex sum = 0;
    for (size_t i = 0; i < length; i++) sum += line[i] * roots[i * k % length];
    data[k * stride] = sum;
  }
  free(roots);
  free(line);
}

/** The plain transform over all three dimensions; the inverse is divided by the number of values, as clFFT's is. */
static void plain_dft(const transform_t *t, double complex *data) {
  const size_t nx = t->lengths[0], ny = t->lengths[1], nz = t->lengths[2];
  const double sign = t->inverse ? 1 : -1;
  for (size_t i = 0; i < ny * nz; i++) dft_line(data + i * nx, nx, 1, sign);
  for (size_t z = 0; z < nz && ny > 1; z++) {
    for (size_t x = 0; x < nx; x++) dft_line(data + z * nx * ny + x, ny, nx, sign);
  }
  for (size_t i = 0; i < nx * ny && nz > 1; i++) dft_line(data + i, nz, nx * ny, sign);
  for (size_t i = 0; i < nx * ny * nz && t->inverse; i++) data[i] /= (double)(nx * ny * nz);
}

/** The same pseudo-random values in [-1, 1) on every machine. */
static void fill(double complex *data, size_t count) {
  uint32_t seed = 12345;
  for (size_t i = 0; i < count; i++) {
    double parts[2];
    for (int p = 0; p < 2; p++) {
      seed = seed * 1664525u + 1013904223u;
      parts[p] = (float)((double)(seed >> 8) / (1 << 23) - 1.0);
    }
    data[i] = parts[0] + parts[1] * I;
  }
}

static cl_mem upload(const transform_t *t, const double complex *data, size_t count) {
  if (t->is_double) return test_buffer(count * sizeof(double complex), data);
  float complex *narrow = malloc(count * sizeof(*narrow));
  assert_non_null(narrow);
  for (size_t i = 0; i < count; i++) narrow[i] = (float complex)data[i];
  cl_mem buffer = test_buffer(count * sizeof(*narrow), narrow);
  free(narrow);
  return buffer;
}

static void download(const transform_t *t, cl_mem buffer, double complex *data, size_t count) {
  if (t->is_double) {
    test_read(buffer, count * sizeof(*data), data);
    return;
  }
  float complex *narrow = malloc(count * sizeof(*narrow));
  assert_non_null(narrow);
  test_read(buffer, count * sizeof(*narrow), narrow);
  for (size_t i = 0; i < count; i++) data[i] = (double complex)narrow[i];
  free(narrow);
}

static void run_clfft(const transform_t *t, cl_mem in, cl_mem *out) {
  clfftPlanHandle plan;
  size_t scratch_size = 0;
  ASSERT_FFT(t, clfftCreateDefaultPlan(&plan, dut.context, t->dimensions, t->lengths));
  ASSERT_FFT(t, clfftSetPlanPrecision(plan, t->is_double ? CLFFT_DOUBLE : CLFFT_SINGLE));
  ASSERT_FFT(t, clfftSetLayout(plan, CLFFT_COMPLEX_INTERLEAVED, CLFFT_COMPLEX_INTERLEAVED));
  ASSERT_FFT(t, clfftSetResultLocation(plan, t->in_place ? CLFFT_INPLACE : CLFFT_OUTOFPLACE));
  ASSERT_FFT(t, clfftBakePlan(plan, 1, &dut.queue, NULL, NULL));
  ASSERT_FFT(t, clfftGetTmpBufSize(plan, &scratch_size));
  cl_mem scratch = scratch_size > 0 ? test_buffer(scratch_size, NULL) : NULL;
  ASSERT_FFT(t, clfftEnqueueTransform(plan, t->inverse ? CLFFT_BACKWARD : CLFFT_FORWARD, 1, &dut.queue, 0, NULL, NULL,
                                      &in, out, scratch));
  ASSERT_CL(clFinish(dut.queue));
  if (scratch != NULL) ASSERT_CL(clReleaseMemObject(scratch));
  ASSERT_FFT(t, clfftDestroyPlan(&plan));
}

/** Root of the mean squared difference over that of the values; what rounding leaves grows with the logarithm. */
static void compare(const transform_t *t, const double complex *actual, const double complex *expected, size_t count) {
  double difference = 0, size = 0;
  for (size_t i = 0; i < count; i++) {
    difference += pow(cabs(actual[i] - expected[i]), 2);
    size += pow(cabs(expected[i]), 2);
  }
  const double error = sqrt(difference / size), bound = (t->is_double ? 4e-15 : 2e-6) * (1 + log2((double)count));
  if (error <= bound) return; /* false for NaN, too */
  describe(t);
  print_error("  relative error %g, allowed %g\n", error, bound);
  fail();
}

static void check(const transform_t *t) {
  const size_t count = t->lengths[0] * t->lengths[1] * t->lengths[2];
  double complex *expected = malloc(count * sizeof(*expected)), *actual = malloc(count * sizeof(*actual));
  assert_true(expected != NULL && actual != NULL);
  fill(expected, count);
  cl_mem in = upload(t, expected, count);
  cl_mem out = t->in_place ? NULL : test_buffer(count * (t->is_double ? 16 : 8), NULL);
  run_clfft(t, in, t->in_place ? NULL : &out);
  plain_dft(t, expected);
  download(t, t->in_place ? in : out, actual, count);
  compare(t, actual, expected, count);
  ASSERT_CL(clReleaseMemObject(in));
  if (out != NULL) ASSERT_CL(clReleaseMemObject(out));
  free(actual);
  free(expected);
}

/** In both precisions, placements and directions. */
static void check_all(clfftDim dimensions, size_t x, size_t y, size_t z) {
  for (unsigned variant = 0; variant < 8; variant++) {
    check(&(transform_t){dimensions, {x, y, z}, (variant & 1) != 0, (variant & 2) != 0, (variant & 4) != 0});
  }
}

static void lines_of_powers_of_two(void **state) {
  (void)state;
  for (size_t length = 2; length <= 4096; length *= length < 16 ? 2 : 4) check_all(CLFFT_1D, length, 1, 1);
}

static void lines_of_powers_of_three_five_and_seven(void **state) {
  (void)state;
  static const size_t lengths[] = {3, 81, 729, 5, 125, 625, 7, 49, 343};
  for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) check_all(CLFFT_1D, lengths[i], 1, 1);
}

static void lines_of_mixed_lengths(void **state) {
  (void)state;
  static const size_t lengths[] = {6, 60, 210, 1000, 1260};
  for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) check_all(CLFFT_1D, lengths[i], 1, 1);
}

static void planes(void **state) {
  (void)state;
  check_all(CLFFT_2D, 32, 32, 1);
  check_all(CLFFT_2D, 64, 16, 1);
  check_all(CLFFT_2D, 30, 21, 1);
}

static void boxes(void **state) {
  (void)state;
  check_all(CLFFT_3D, 8, 8, 8);
  check_all(CLFFT_3D, 16, 9, 10);
}

/* Which the header only has inline. */
clfftStatus clfftInitSetupData(clfftSetupData *setup);

static int open_library(void **state) {
  clfftSetupData setup;
  if (test_device_open(state) != 0 || clfftInitSetupData(&setup) != CLFFT_SUCCESS) return -1;
  return clfftSetup(&setup) == CLFFT_SUCCESS ? 0 : -1;
}

static int close_library(void **state) {
  int library = clfftTeardown() == CLFFT_SUCCESS ? 0 : -1, device = test_device_close(state);
  return library != 0 ? library : device;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lines_of_powers_of_two),
      cmocka_unit_test(lines_of_powers_of_three_five_and_seven),
      cmocka_unit_test(lines_of_mixed_lengths),
      cmocka_unit_test(planes),
      cmocka_unit_test(boxes),
  };
  return cmocka_run_group_tests(tests, open_library, close_library);
}
