/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Integer divisions of all widths by a number that all work-items share: vectors multiply by its inverse, which has to
 * be exact for every dividend. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "test_device.h"

enum { COUNT = 4096 + 4, DIVISORS = 64 };

static const char source[] =
    "kernel void divide(global const T *in, global T *out, T by) {\n"
    "  size_t i = get_global_id(0);\n"
    "  out[2 * i] = in[i] / by;\n"
    "  out[2 * i + 1] = in[i] % by;\n"
    "}\n"
    "kernel void divide_odd(global const T *in, global T *out, T by) {\n"
    "  size_t i = get_global_id(0);\n"
    "  out[2 * i] = out[2 * i + 1] = 7;\n"
    "  if (in[i] & 1) {\n"
    "    out[2 * i] = in[i] / by;\n"
    "    out[2 * i + 1] = in[i] % by;\n"
    "  }\n"
    "}\n"
    "kernel void divide_explicit(global const T4 *in, global T4 *out, T by) {\n"
    "  size_t i = get_global_id(0);\n"
    "  const T4 quotient = in[i] / (T4)(by), remainder = in[i] % (T4)(by);\n"
    "  out[2 * i] = (T4)(quotient.x, remainder.x, quotient.y, remainder.y);\n"
    "  out[2 * i + 1] = (T4)(quotient.z, remainder.z, quotient.w, remainder.w);\n"
    "}\n";

/* The program's own choice of a divisor, and a number that is put together again. */
static const char choice_source[] =
    "kernel void choose(global const int *in, global int *out, int by) {\n"
    "  size_t i = get_global_id(0);\n"
    "  const int least = by < 1 ? 1 : by, odd = by | 1;\n"
    "  const uint most = max((uint)by, 1u);\n"
    "  out[4 * i] = in[i] / least * by + in[i] % least;\n"
    "  out[4 * i + 1] = (uint)in[i] / most * by + (uint)in[i] % most;\n"
    "  out[4 * i + 2] = by ? in[i] / by * by + in[i] % by : 5;\n"
    "  out[4 * i + 3] = in[i] / odd * odd + in[i] % odd;\n"
    "}\n";

static uint64_t random_state = 1;

static uint64_t next_random(void) {
  random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return random_state >> 32 | random_state << 32;
}

/* Numbers of every length, and what lies beside powers of two. */
static uint64_t next_number(void) {
  const uint64_t random = next_random(), power = UINT64_C(1) << (next_random() & 63);
  switch (next_random() & 3) {
    case 0: return random >> (next_random() & 63);
    case 1: return power - (random & 3);
    case 2: return power + (random & 3);
    default: return 0 - (random >> (next_random() & 63));
  }
}

/* Dividends near multiples of the divisor, and any. */
static uint64_t next_dividend(uint64_t by) {
  const uint64_t number = next_number();
  return next_random() & 1 ? number : number - number % by + (next_random() & 1) - (next_random() & 1);
}

/* Dividends, and what C makes of them, without a quotient that overflows. The size of one. */
#define DEFINE(T, type, least)                                                        \
  static size_t fill_##T(void *in, void *expected, uint64_t by_bits, bool only_odd) { \
    type *dividends = in, *results = expected;                                        \
    const type by = (type)by_bits;                                                    \
    for (size_t i = 0; i < COUNT; i++) {                                              \
      type dividend = (type)next_dividend(by_bits);                                   \
      if ((least) < 0 && by == (type) - 1 && dividend == (type)(least)) dividend = 1; \
      dividends[i] = dividend;                                                        \
      const bool is_skipped = only_odd && !(dividend & 1);                            \
      results[2 * i] = is_skipped ? (type)7 : (type)(dividend / by);                  \
      results[2 * i + 1] = is_skipped ? (type)7 : (type)(dividend % by);              \
    }                                                                                 \
    return sizeof(type);                                                              \
  }                                                                                   \
  static bool is_zero_##T(uint64_t by_bits) { return (type)by_bits == 0; }

DEFINE(char, int8_t, INT8_MIN)
DEFINE(uchar, uint8_t, 0)
DEFINE(short, int16_t, INT16_MIN)
DEFINE(ushort, uint16_t, 0)
DEFINE(int, int32_t, INT32_MIN)
DEFINE(uint, uint32_t, 0)
DEFINE(long, int64_t, INT64_MIN)
DEFINE(ulong, uint64_t, 0)

typedef struct type_t {
  const char *name;
  size_t (*fill)(void *in, void *expected, uint64_t by, bool only_odd);
  bool (*is_zero)(uint64_t by);
} type_t;

#define TYPE(T) {#T, fill_##T, is_zero_##T}
static const type_t types[] = {TYPE(char), TYPE(uchar), TYPE(short), TYPE(ushort),
                               TYPE(int),  TYPE(uint),  TYPE(long),  TYPE(ulong)};

static uint64_t in[COUNT], expected[2 * COUNT], out[2 * COUNT];

typedef struct case_t {
  const char *kernel;
  bool only_odd;
  size_t per_item;
} case_t;

static void check(const type_t *type, cl_kernel kernel, const case_t *it, uint64_t by, const cl_mem buffers[2]) {
  const size_t size = type->fill(in, expected, by, it->only_odd), items = COUNT / it->per_item;
  const size_t count = COUNT;
  ASSERT_CL(clEnqueueWriteBuffer(dut.queue, buffers[0], CL_FALSE, 0, count * size, in, 0, NULL, NULL));
  ASSERT_CL(clSetKernelArg(kernel, 2, size, &by));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  ASSERT_CL(clEnqueueReadBuffer(dut.queue, buffers[1], CL_TRUE, 0, 2 * count * size, out, 0, NULL, NULL));
  for (size_t i = 0; i < 2 * count; i++) {
    if (!memcmp((char *)out + i * size, (char *)expected + i * size, size)) continue;
    uint64_t dividend = 0;
    memcpy(&dividend, (char *)in + i / 2 * size, size);
    fail_msg("%s: the %s of %#" PRIx64 " by %#" PRIx64, type->name, i % 2 ? "remainder" : "quotient", dividend, by);
  }
}

static void check_type(const type_t *type, const case_t *it) {
  cl_int error;
  char options[64];
  snprintf(options, sizeof options, "-DT=%s -DT4=%s4", type->name, type->name);
  cl_program program = test_program(source, options);
  cl_kernel kernel = clCreateKernel(program, it->kernel, &error);
  ASSERT_CL(error);
  const size_t sizes[] = {sizeof in, sizeof out};
  cl_mem buffers[2];
  for (cl_uint i = 0; i < 2; i++) {
    buffers[i] = clCreateBuffer(dut.context, 0, sizes[i], NULL, &error);
    ASSERT_CL(error);
    ASSERT_CL(clSetKernelArg(kernel, i, sizeof(cl_mem), &buffers[i]));
  }
  for (int i = 0; i < DIVISORS; i++) {
    const uint64_t by = i < 8 ? (uint64_t)i + 1 : i < 12 ? UINT64_MAX - (uint64_t)(i - 8) : next_number();
    if (!type->is_zero(by)) check(type, kernel, it, by, buffers);
  }
  for (cl_uint i = 0; i < 2; i++) ASSERT_CL(clReleaseMemObject(buffers[i]));
  ASSERT_CL(clReleaseKernel(kernel));
  ASSERT_CL(clReleaseProgram(program));
}

static void check_types(const case_t *it) {
  for (size_t t = 0; t < sizeof types / sizeof *types; t++) check_type(&types[t], it);
}

static void quotients_are_exact(void **state) {
  (void)state;
  check_types(&(case_t){"divide", false, 1});
}

static void quotients_of_some_lanes_are_exact(void **state) {
  (void)state;
  check_types(&(case_t){"divide_odd", true, 1});
}

static void quotients_of_explicit_vectors_are_exact(void **state) {
  (void)state;
  check_types(&(case_t){"divide_explicit", false, 4});
}

static void choose_as_in_c(const int32_t *numbers, int32_t *results, int32_t by) {
  const int32_t least = by < 1 ? 1 : by;
  const uint32_t most = by ? (uint32_t)by : 1;
  for (size_t i = 0; i < COUNT / 4; i++) {
    const uint32_t number = (uint32_t)numbers[i];
    results[4 * i] = numbers[i] / least * by + numbers[i] % least;
    results[4 * i + 1] = (int32_t)(number / most * (uint32_t)by + number % most);
    results[4 * i + 2] = by ? numbers[i] : 5;
    results[4 * i + 3] = numbers[i];
  }
}

static void chosen_divisors_are_the_program_s(void **state) {
  (void)state;
  cl_int error;
  int32_t numbers[COUNT / 4], results[COUNT], wanted[COUNT];
  const size_t items = COUNT / 4;
  cl_program program = test_program(choice_source, NULL);
  cl_kernel kernel = clCreateKernel(program, "choose", &error);
  ASSERT_CL(error);
  for (size_t i = 0; i < items; i++) numbers[i] = (int32_t)next_number() >> 12;
  cl_mem from = clCreateBuffer(dut.context, CL_MEM_COPY_HOST_PTR, sizeof numbers, numbers, &error);
  ASSERT_CL(error);
  cl_mem to = clCreateBuffer(dut.context, 0, sizeof results, NULL, &error);
  ASSERT_CL(error);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(cl_mem), &from));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof(cl_mem), &to));
  for (int32_t by = -9; by <= 9; by++) {
    choose_as_in_c(numbers, wanted, by);
    ASSERT_CL(clSetKernelArg(kernel, 2, sizeof by, &by));
    ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    ASSERT_CL(clEnqueueReadBuffer(dut.queue, to, CL_TRUE, 0, sizeof results, results, 0, NULL, NULL));
    for (size_t i = 0; i < COUNT; i++) {
      if (results[i] != wanted[i]) fail_msg("%d by %d, %zu: %d", numbers[i / 4], by, i % 4, results[i]);
    }
  }
  ASSERT_CL(clReleaseMemObject(from));
  ASSERT_CL(clReleaseMemObject(to));
  ASSERT_CL(clReleaseKernel(kernel));
  ASSERT_CL(clReleaseProgram(program));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(quotients_are_exact),
      cmocka_unit_test(quotients_of_some_lanes_are_exact),
      cmocka_unit_test(quotients_of_explicit_vectors_are_exact),
      cmocka_unit_test(chosen_divisors_are_the_program_s),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
