/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * cl_ext_float_atomics: adding, subtracting, minimum and maximum of float and double, in every address space, by all
 * work-items at once. */
#include <stdio.h>

#include "test_extension.h"

enum { ITEMS = 4096, GROUP = 64, RESULTS = 8 };
enum { SINGLE = 0x4231, DOUBLE = 0x4232, HALF = 0x4233, ALL = 7 | 7 << 16 };

/** T is the type. Each work-item adds and subtracts whole numbers, which are exact in any order. */
static const char source[] =
    "#if !defined(cl_ext_float_atomics) || !defined(__opencl_c_ext_fp32_global_atomic_add) || \\\n"
    "    !defined(__opencl_c_ext_fp32_local_atomic_min_max)\n"
    "#error the macros are missing\n"
    "#endif\n"
    "kernel void operate(global atomic_T *out) {\n"
    "  local atomic_T sum, least;\n"
    "  T i = get_global_id(0);\n"
    "  if (get_local_id(0) == 0) { atomic_init(&sum, 0); atomic_init(&least, 1e9f); }\n"
    "  work_group_barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  atomic_fetch_add(&out[0], i);\n"
    "  atomic_fetch_add_explicit(&out[1], i, memory_order_relaxed, memory_scope_device);\n"
    "  atomic_fetch_sub_explicit(&out[2], i, memory_order_acq_rel);\n"
    "  atomic_fetch_min(&out[3], -i);\n"
    "  atomic_fetch_max_explicit(&out[4], i * 2, memory_order_seq_cst, memory_scope_device);\n"
    "  atomic_fetch_add(&sum, i);\n"
    "  atomic_fetch_min_explicit(&least, i, memory_order_relaxed, memory_scope_work_group);\n"
    "  work_group_barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  atomic_T *any = get_local_id(0) % 2 ? (atomic_T *)&out[5] : (atomic_T *)&sum;\n"
    "  atomic_fetch_add(any, (T)1);\n"
    "  work_group_barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  if (get_local_id(0) == 0) {\n"
    "    atomic_fetch_add(&out[6], atomic_load(&sum));\n"
    "    atomic_fetch_add(&out[7], atomic_load(&least));\n"
    "  }\n"
    "}\n";

static void run(const char *type, void *out, size_t size) {
  char options[64];
  const size_t items = ITEMS, group = GROUP;
  snprintf(options, sizeof(options), "-cl-std=CL3.0 -DT=%s -Datomic_T=atomic_%s", type, type);
  cl_kernel kernel = test_kernel(source, options, "operate");
  cl_mem buffer = test_buffer(size, out);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL));
  test_read(buffer, size, out);
  ASSERT_CL(clReleaseMemObject(buffer));
  ASSERT_CL(clReleaseKernel(kernel));
}

static void check(const double out[RESULTS]) {
  /* Sums of all numbers below 4096 are below the 2^24 up to which floats are exact. */
  const double sum = ITEMS * (ITEMS - 1) / 2.0, groups = (double)ITEMS / GROUP;
  assert_true(out[0] == sum && out[1] == sum && out[2] == -sum);
  assert_true(out[3] == -(ITEMS - 1) && out[4] == 2 * (ITEMS - 1));
  assert_true(out[5] == ITEMS / 2);
  assert_true(out[6] == sum + ITEMS / 2);
  assert_true(out[7] == GROUP * groups * (groups - 1) / 2);
}

static void on_float(void **state) {
  (void)state;
  cl_float out[RESULTS] = {0};
  double values[RESULTS];
  run("float", out, sizeof(out));
  for (int i = 0; i < RESULTS; i++) values[i] = out[i];
  check(values);
}

static void on_double(void **state) {
  (void)state;
  if (!test_device_has_feature("__opencl_c_fp64")) skip();
  double out[RESULTS] = {0};
  run("double", out, sizeof(out));
  check(out);
}

static void queries_agree(void **state) {
  (void)state;
  bool has_double = test_device_has_feature("__opencl_c_fp64");
  ASSERT_INFO(clGetDeviceInfo, dut.device, SINGLE, cl_bitfield, ALL);
  ASSERT_INFO(clGetDeviceInfo, dut.device, DOUBLE, cl_bitfield, (has_double ? ALL : 0));
  ASSERT_INFO(clGetDeviceInfo, dut.device, HALF, cl_bitfield, 0);
  assert_true(test_has_extension("cl_ext_float_atomics"));
  assert_int_equal(test_device_has_feature("__opencl_c_ext_fp64_local_atomic_add"), has_double);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(on_float),
      cmocka_unit_test(on_double),
      cmocka_unit_test(queries_agree),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
