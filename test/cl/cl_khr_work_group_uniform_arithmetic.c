/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * cl_khr_work_group_uniform_arithmetic: every function in every type, in whole and in smaller work-groups. */
#include <stdio.h>
#include <stdlib.h>

#include "test_device.h"

enum { ITEMS = 100, GROUP = 16, KINDS = 3 };
typedef enum operation_e { op_mul, op_and, op_or, op_xor, op_count } operation_e;

#define CALLS(name, place)                                                 \
  "  out[(" #place " * 3 + 0) * n + i] = work_group_reduce_" #name         \
  "(value);\n"                                                             \
  "  out[(" #place " * 3 + 1) * n + i] = work_group_scan_inclusive_" #name \
  "(value);\n"                                                             \
  "  out[(" #place " * 3 + 2) * n + i] = work_group_scan_exclusive_" #name "(value);\n"

/** T computes, E is what memory has. */
#define KERNEL(calls)                                              \
  "#ifndef cl_khr_work_group_uniform_arithmetic\n"                 \
  "#error not defined\n"                                           \
  "#endif\n"                                                       \
  "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"                \
  "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"                \
  "kernel void k(global const E *in, global E *out) {\n"           \
  "  const size_t i = get_global_id(0), n = get_global_size(0);\n" \
  "  const T value = (T)in[i];\n" calls "}\n"

static const char bits[] = KERNEL(CALLS(mul, 0) CALLS(and, 1) CALLS(or, 2) CALLS(xor, 3));
static const char products[] = KERNEL(CALLS(mul, 0));
static const char conditions[] = KERNEL(CALLS(logical_and, 0) CALLS(logical_or, 1) CALLS(logical_xor, 2));

static void run(const char *source, const char *type, const char *element, const char *version, size_t in_size,
                const void *in, size_t out_size, void *out) {
  char options[80];
  const size_t items = ITEMS, group = GROUP;
  snprintf(options, sizeof(options), "-DT=%s -DE=%s %s", type, element, version);
  cl_kernel kernel = test_kernel(source, options, "k");
  cl_mem buffers[] = {test_buffer(in_size, in), test_buffer(out_size, NULL)};
  for (cl_uint i = 0; i < 2; i++) ASSERT_CL(clSetKernelArg(kernel, i, sizeof(buffers[i]), &buffers[i]));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL));
  test_read(buffers[1], out_size, out);
  for (int i = 0; i < 2; i++) ASSERT_CL(clReleaseMemObject(buffers[i]));
  ASSERT_CL(clReleaseKernel(kernel));
}

static cl_ulong combine(operation_e operation, cl_ulong a, cl_ulong b) {
  switch (operation) {
    case op_mul: return a * b;
    case op_and: return a & b;
    case op_or: return a | b;
    default: return a ^ b;
  }
}

/** The three functions of one operation over 64 bits, whose low bits are those of narrower types. */
static void expect(operation_e operation, const cl_ulong *in, cl_ulong out[KINDS][ITEMS]) {
  const cl_ulong identities[op_count] = {1, ~(cl_ulong)0, 0, 0};
  for (size_t first = 0; first < ITEMS; first += GROUP) {
    const size_t end = first + GROUP < ITEMS ? first + GROUP : ITEMS;
    cl_ulong all = identities[operation];
    for (size_t i = first; i < end; i++) {
      out[2][i] = all;
      out[1][i] = all = combine(operation, all, in[i]);
    }
    for (size_t i = first; i < end; i++) out[0][i] = all;
  }
}

/** Values of which neither the conjunction is always 0 nor the disjunction always all ones. */
static cl_ulong value_of(size_t i) {
  return (0x8000000180000100u + i * 0x0101010101010103u) & ~(1ull << i % 5) & ~0xe0ull;
}

#define CHECK_INTEGER(type)                                                                                   \
  do {                                                                                                        \
    static cl_##type in[ITEMS], out[op_count][KINDS][ITEMS];                                                  \
    static cl_ulong wide[ITEMS], expected[KINDS][ITEMS];                                                      \
    for (size_t i = 0; i < ITEMS; i++) in[i] = (cl_##type)(wide[i] = value_of(i) | 0x100);                    \
    run(bits, #type, #type, "-cl-std=CL2.0", sizeof(in), in, sizeof(out), out);                               \
    for (int operation = 0; operation < op_count; operation++) {                                              \
      expect((operation_e)operation, wide, expected);                                                         \
      for (int kind = 0; kind < KINDS; kind++)                                                                \
        for (int i = 0; i < ITEMS; i++) assert_true(out[operation][kind][i] == (cl_##type)expected[kind][i]); \
    }                                                                                                         \
  } while (0)

static void integers(void **state) {
  (void)state;
  CHECK_INTEGER(int);
  CHECK_INTEGER(uint);
  CHECK_INTEGER(long);
  CHECK_INTEGER(ulong);
}

/** Powers of two, whose products are exact in every type and every order. */
static void check_products(const char *type) {
  static cl_float in[ITEMS], out[KINDS][ITEMS];
  static const cl_float factors[] = {2, 0.5f, -1, 4, 1, 0.25f};
  for (size_t i = 0; i < ITEMS; i++) in[i] = factors[i * 7 % 6];
  run(products, type, "float", "-cl-std=CL3.0", sizeof(in), in, sizeof(out), out);
  for (size_t first = 0; first < ITEMS; first += GROUP) {
    const size_t end = first + GROUP < ITEMS ? first + GROUP : ITEMS;
    cl_float all = 1;
    for (size_t i = first; i < end; i++) {
      assert_true(out[2][i] == all);
      all *= in[i];
      assert_true(out[1][i] == all);
    }
    for (size_t i = first; i < end; i++) assert_true(out[0][i] == all);
  }
}

static void floating_point(void **state) {
  (void)state;
  check_products("float");
  check_products("double");
  check_products("half");
}

/** Anything but zero is true. */
static void logical(void **state) {
  (void)state;
  static cl_int in[ITEMS], out[op_count - 1][KINDS][ITEMS];
  static cl_ulong truth[ITEMS], expected[KINDS][ITEMS];
  for (size_t i = 0; i < ITEMS; i++) in[i] = i % 37 < 18 ? (cl_int)(2 << i % 9) : i % 3 ? 0 : -4;
  for (size_t i = 0; i < ITEMS; i++) truth[i] = in[i] != 0;
  run(conditions, "int", "int", "-cl-std=CLC++2021", sizeof(in), in, sizeof(out), out);
  for (int operation = op_and; operation < op_count; operation++) {
    expect((operation_e)operation, truth, expected);
    for (int kind = 0; kind < KINDS; kind++) {
      for (int i = 0; i < ITEMS; i++) assert_int_equal(out[operation - 1][kind][i] != 0, expected[kind][i] != 0);
    }
  }
}

/** They need OpenCL C 2.0, and programs may have functions of these names where they are not. */
static void are_not_there_before_2_0(void **state) {
  (void)state;
  cl_program program = test_program(
      "#ifdef cl_khr_work_group_uniform_arithmetic\n#error\n#endif\n"
      "int work_group_reduce_mul(int x) { return x; }\n"
      "kernel void k(global int *p) { *p = work_group_reduce_mul(3); }\n",
      "-cl-std=CL1.2");
  ASSERT_CL(clReleaseProgram(program));
}

static int open_device(void **state) { return test_device_open(state) || !test_is_quern(); }

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(integers),
      cmocka_unit_test(floating_point),
      cmocka_unit_test(logical),
      cmocka_unit_test(are_not_there_before_2_0),
  };
  return cmocka_run_group_tests(tests, open_device, test_device_close);
}
