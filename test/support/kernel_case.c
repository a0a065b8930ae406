/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The kernel test helper: runs a stated kernel for several work-group sizes and compares its output. */
#include "kernel_case.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD_SIZE = 128, PATTERN = 0xC5, MAX_LOCAL_SIZES = 6 };

/** A case being run: its kernel, its range, and the local size of this run (zeros: left to the driver). */
typedef struct run_t {
  const kernel_case_t *test;
  cl_kernel kernel;
  cl_uint dimensions;
  size_t local[3];
} run_t;

static double ulp_error(long double actual, long double expected, int mantissa_bits, int min_exponent) {
  if (isnan(expected) || isnan(actual)) return isnan(expected) && isnan(actual) ? 0 : INFINITY;
  if (actual == expected) return 0;
  if (isinf(expected) || isinf(actual)) return INFINITY;
  int exponent = expected == 0 ? min_exponent : ilogbl(expected);
  if (exponent < min_exponent) exponent = min_exponent;
  return (double)fabsl((actual - expected) / ldexpl(1, exponent - mantissa_bits + 1));
}

double test_ulp_error_float(float actual, double expected) {
  if (isinf(actual) && fabs(expected) > FLT_MAX) expected = copysign(INFINITY, expected);
  return ulp_error((long double)actual, (long double)expected, FLT_MANT_DIG, FLT_MIN_EXP - 1);
}

double test_ulp_error_double(double actual, long double expected) {
  if (isinf(actual) && fabsl(expected) > DBL_MAX) expected = copysignl(INFINITY, expected);
  return ulp_error((long double)actual, expected, DBL_MANT_DIG, DBL_MIN_EXP - 1);
}

static size_t element_size(kernel_element_t element) {
  static const size_t sizes[] = {
      [KERNEL_I8] = 1,  [KERNEL_I16] = 2, [KERNEL_I32] = 4,        [KERNEL_I64] = 8,
      [KERNEL_U8] = 1,  [KERNEL_U16] = 2, [KERNEL_U32] = 4,        [KERNEL_U64] = 8,
      [KERNEL_F32] = 4, [KERNEL_F64] = 8, [KERNEL_F32_BY_F64] = 4, [KERNEL_F64_BY_LONG] = 8,
  };
  return sizes[element];
}

static float load_float(const void *array, size_t i) { return ((const cl_float *)array)[i]; }
static double load_double(const void *array, size_t i) { return ((const cl_double *)array)[i]; }

/** True when element `i` of `actual` is the expected one, within `ulp`. */
static bool element_matches(const kernel_arg_t *arg, const void *actual, size_t i, double ulp) {
  size_t size = element_size(arg->element);
  switch (arg->element) {
    case KERNEL_F32: return test_ulp_error_float(load_float(actual, i), (double)load_float(arg->expected, i)) <= ulp;
    case KERNEL_F64:
      return test_ulp_error_double(load_double(actual, i), (long double)load_double(arg->expected, i)) <= ulp;
    case KERNEL_F32_BY_F64: return test_ulp_error_float(load_float(actual, i), load_double(arg->expected, i)) <= ulp;
    case KERNEL_F64_BY_LONG:
      return test_ulp_error_double(load_double(actual, i), ((const long double *)arg->expected)[i]) <= ulp;
    default: return memcmp((const char *)actual + i * size, (const char *)arg->expected + i * size, size) == 0;
  }
}

static void print_integer(const void *array, size_t i, size_t size, bool is_signed) {
  uint64_t bits = 0;
  memcpy(&bits, (const char *)array + i * size, size); /* little-endian, as every device here */
  if (is_signed) {
    unsigned shift = (unsigned)(64 - size * 8);
    print_error("%" PRId64 " (0x%" PRIx64 ")", (int64_t)(bits << shift) >> shift, bits);
  } else {
    print_error("%" PRIu64 " (0x%" PRIx64 ")", bits, bits);
  }
}

static void print_element(kernel_element_t element, const void *array, size_t i) {
  switch (element) {
    case KERNEL_F32: print_error("%.9g (%a)", (double)load_float(array, i), (double)load_float(array, i)); break;
    case KERNEL_F64: print_error("%.17g (%a)", load_double(array, i), load_double(array, i)); break;
    case KERNEL_F64_BY_LONG: print_error("%.20Lg", ((const long double *)array)[i]); break;
    default: print_integer(array, i, element_size(element), element <= KERNEL_I64);
  }
}

/** What the kernel wrote, and what the reference holds, may be of different types. */
static kernel_element_t written_element(kernel_element_t element) {
  if (element == KERNEL_F32_BY_F64) return KERNEL_F32;
  return element == KERNEL_F64_BY_LONG ? KERNEL_F64 : element;
}

static kernel_element_t reference_element(kernel_element_t element) {
  return element == KERNEL_F32_BY_F64 ? KERNEL_F64 : element;
}

static void describe_run(const run_t *run) {
  const size_t *local = run->local;
  print_error("kernel case \"%s\", local size ", run->test->name);
  if (local[0] == 0) {
    print_error("chosen by the driver:\n");
  } else {
    print_error("%zu x %zu x %zu:\n", local[0], local[1], local[2]);
  }
}

static void check_elements(const run_t *run, const kernel_arg_t *arg, const void *actual) {
  size_t count = arg->size / element_size(arg->element);
  for (size_t i = 0; i < count; i++) {
    if (element_matches(arg, actual, i, run->test->ulp)) continue;
    describe_run(run);
    print_error("  argument %d, element %zu is ", (int)(arg - run->test->args), i);
    print_element(written_element(arg->element), actual, i);
    print_error(", should be ");
    print_element(reference_element(arg->element), arg->expected, i);
    print_error("\n");
    fail();
  }
}

static void check_guard(const run_t *run, const kernel_arg_t *arg, const unsigned char *actual) {
  for (size_t i = arg->size; i < arg->size + GUARD_SIZE; i++) {
    if (actual[i] == PATTERN) continue;
    describe_run(run);
    print_error("  argument %d: byte %zu behind the buffer's end was written\n", (int)(arg - run->test->args),
                i - arg->size);
    fail();
  }
}

/** The buffer for `arg`: initial contents or pattern, then the guard. */
static cl_mem make_buffer(const kernel_arg_t *arg) {
  unsigned char *host = malloc(arg->size + GUARD_SIZE);
  assert_non_null(host);
  memset(host, PATTERN, arg->size + GUARD_SIZE);
  if (arg->initial != NULL) memcpy(host, arg->initial, arg->size);
  cl_mem buffer = test_buffer(arg->size + GUARD_SIZE, host);
  free(host);
  return buffer;
}

static void check_buffer(const run_t *run, const kernel_arg_t *arg, cl_mem buffer) {
  unsigned char *actual = malloc(arg->size + GUARD_SIZE);
  assert_non_null(actual);
  test_read(buffer, arg->size + GUARD_SIZE, actual);
  if (arg->expected != NULL) check_elements(run, arg, actual);
  check_guard(run, arg, actual);
  free(actual);
}

static void set_argument(cl_kernel kernel, cl_uint index, const kernel_arg_t *arg, cl_mem *buffer) {
  if (arg->kind == KERNEL_ARG_BUFFER) {
    *buffer = make_buffer(arg);
    ASSERT_CL(clSetKernelArg(kernel, index, sizeof(*buffer), buffer));
  } else {
    ASSERT_CL(clSetKernelArg(kernel, index, arg->size, arg->initial));
  }
}

static void run_once(const run_t *run) {
  const kernel_case_t *test = run->test;
  cl_mem buffers[KERNEL_CASE_MAX_ARGS] = {NULL};
  for (cl_uint i = 0; i < KERNEL_CASE_MAX_ARGS && test->args[i].kind != KERNEL_ARG_NONE; i++) {
    set_argument(run->kernel, i, &test->args[i], &buffers[i]);
  }
  const size_t *local = run->local[0] != 0 ? run->local : NULL;
  cl_int error =
      clEnqueueNDRangeKernel(dut.queue, run->kernel, run->dimensions, test->offset, test->global, local, 0, NULL, NULL);
  if (error != CL_SUCCESS) describe_run(run);
  ASSERT_CL(error);
  ASSERT_CL(clFinish(dut.queue));
  for (cl_uint i = 0; i < KERNEL_CASE_MAX_ARGS; i++) {
    if (buffers[i] == NULL) continue;
    check_buffer(run, &test->args[i], buffers[i]);
    ASSERT_CL(clReleaseMemObject(buffers[i]));
  }
}

static const char *case_options(const kernel_case_t *test) {
  return test->options != NULL ? test->options : "-cl-std=CL3.0";
}

/** True when local sizes need not divide the range. */
static bool may_be_non_uniform(const kernel_case_t *test) {
  const char *options = case_options(test);
  bool language = strstr(options, "-cl-std=CL2") != NULL || strstr(options, "-cl-std=CL3") != NULL;
  bool forbidden = strstr(options, "-cl-uniform-work-group-size") != NULL;
  return language && !forbidden && test_device_number(CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT) != CL_FALSE;
}

static size_t largest_odd_divisor_to(size_t range, size_t limit) {
  size_t best = 1;
  for (size_t divisor = 3; divisor <= limit; divisor += 2) {
    if (range % divisor == 0) best = divisor;
  }
  return best;
}

static size_t largest_power_of_two_divisor_to(size_t range, size_t limit) {
  size_t power = 1;
  while (power * 2 <= limit && range % (power * 2) == 0) power *= 2;
  return power;
}

/** Fills `sizes` with the local sizes to try; returns their number. */
static size_t choose_local_sizes(const run_t *run, size_t max_size, size_t sizes[MAX_LOCAL_SIZES][3]) {
  const kernel_case_t *test = run->test;
  size_t total = 1;
  memset(sizes, 0, MAX_LOCAL_SIZES * sizeof(sizes[0]));
  if (test->local[0] != 0) {
    memcpy(sizes[0], test->local, sizeof(sizes[0]));
    return 1;
  }
  bool non_uniform = may_be_non_uniform(test);
  static const size_t odd_sizes[3] = {7, 3, 3}, power_limits[3] = {16, 4, 2}, odd_limits[3] = {15, 5, 3};
  for (cl_uint d = 0; d < 3; d++) {
    size_t range = d < run->dimensions ? test->global[d] : 1;
    sizes[1][d] = 1;
    sizes[2][d] = largest_power_of_two_divisor_to(range, power_limits[d]);
    sizes[3][d] = largest_odd_divisor_to(range, odd_limits[d]);
    sizes[4][d] = non_uniform && d < run->dimensions ? odd_sizes[d] : 1;
    sizes[5][d] = range;
    total *= range;
  }
  return total <= max_size ? 6 : 5;
}

void kernel_case_run(const kernel_case_t *test) {
  size_t sizes[MAX_LOCAL_SIZES][3], max_size = 0;
  const char *name = test->kernel != NULL ? test->kernel : test->name;
  run_t run = {.test = test, .kernel = test_kernel(test->source, case_options(test), name)};
  while (run.dimensions < 3 && test->global[run.dimensions] != 0) run.dimensions++;
  ASSERT_CL(
      clGetKernelWorkGroupInfo(run.kernel, dut.device, CL_KERNEL_WORK_GROUP_SIZE, sizeof(max_size), &max_size, NULL));
  size_t count = choose_local_sizes(&run, max_size, sizes);
  for (size_t i = 0; i < count; i++) {
    memcpy(run.local, sizes[i], sizeof(run.local));
    run_once(&run);
  }
  ASSERT_CL(clReleaseKernel(run.kernel));
}
