/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * clGetKernelSubGroupInfo: every query, every error; what the device says of sub-groups, and what the build refuses. */
#include <stdlib.h>
#include <string.h>

#include "test_device.h"

/* cl_intel_required_subgroup_size, which some headers do not have. */
#ifndef CL_DEVICE_SUB_GROUP_SIZES_INTEL
#define CL_DEVICE_SUB_GROUP_SIZES_INTEL 0x4108
#define CL_KERNEL_SPILL_MEM_SIZE_INTEL 0x4109
#define CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL 0x410A
#endif

static const char source[] =
    "kernel void any(global int *p) { p[get_global_id(0)] = sub_group_reduce_add(1); }\n"
    "__attribute__((intel_reqd_sub_group_size(8)))\n"
    "kernel void eight(global int *p) { p[get_global_id(0)] = sub_group_reduce_add(1); }\n"
    "__attribute__((reqd_work_group_size(12, 2, 1), intel_reqd_sub_group_size(16)))\n"
    "kernel void required(global int *p) { p[get_global_id(0)] = sub_group_reduce_add(1); }\n"
    "__attribute__((reqd_work_group_size(32, 1, 1), intel_reqd_sub_group_size(16)))\n"
    "kernel void row(global int *p) { p[get_global_id(0)] = sub_group_reduce_add(1); }\n"
    "__attribute__((intel_reqd_sub_group_size(32)))\n"
    "kernel void plain(global int *p) { p[get_global_id(0)] = 1; }\n";

static cl_program program;

static int open_program(void **state) {
  if (test_device_open(state)) return -1;
  program = test_program(source, "-cl-std=CL3.0");
  return 0;
}

static int close_program(void **state) {
  ASSERT_CL(clReleaseProgram(program));
  return test_device_close(state);
}

static cl_kernel kernel_named(const char *name) {
  cl_int error;
  cl_kernel kernel = clCreateKernel(program, name, &error);
  ASSERT_CL(error);
  return kernel;
}

static size_t ask(const char *name, cl_kernel_sub_group_info query, size_t input_size, const void *input) {
  cl_kernel kernel = kernel_named(name);
  size_t answer = 0xA5, size = 0;
  ASSERT_CL(clGetKernelSubGroupInfo(kernel, dut.device, query, input_size, input, sizeof(answer), &answer, &size));
  assert_int_equal(size, sizeof(answer));
  ASSERT_CL(clReleaseKernel(kernel));
  return answer;
}

static size_t ask_of_range(const char *name, cl_kernel_sub_group_info query, size_t x, size_t y, size_t z) {
  const size_t local[3] = {x, y, z};
  return ask(name, query, sizeof(local), local);
}

static size_t ask_of_count(const char *name, size_t count) {
  return ask(name, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, sizeof(count), &count);
}

static void tells_sizes_and_counts(void **state) {
  (void)state;
  assert_int_equal(ask_of_range("eight", CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, 64, 2, 1), 8);
  assert_int_equal(ask_of_range("eight", CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, 64, 2, 1), 16);
  assert_int_equal(ask_of_range("eight", CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, 3, 3, 1), 2);
  assert_int_equal(ask_of_range("required", CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, 12, 2, 1), 2);
  assert_int_equal(ask_of_range("plain", CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, 64, 1, 1), 32);
  const size_t row = 20;
  assert_int_equal(ask("eight", CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, sizeof(row), &row), 3);
  const size_t size = ask_of_range("any", CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, 64, 1, 1);
  assert_int_equal(ask_of_range("any", CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, 64, 1, 1), (64 + size - 1) / size);
  assert_int_equal(ask("any", CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL), 1024 / size);
  assert_int_equal(ask("required", CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL), 2);
}

/* What programs for GPUs rely on and do not ask for. */
static void the_usual_size_is_32_and_work_groups_have_1024_items(void **state) {
  (void)state;
  static const struct {
    size_t local[3], size, count;
  } cases[] = {{{64, 1, 1}, 32, 2}, {{16, 1, 1}, 16, 1}, {{20, 1, 1}, 32, 1}, {{5, 1, 1}, 8, 1},   {{16, 4, 1}, 16, 4},
               {{8, 2, 2}, 8, 4},   {{2, 32, 1}, 2, 32}, {{2, 64, 1}, 32, 4}, {{1, 64, 1}, 32, 2}, {{12, 4, 1}, 32, 2}};
  for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
    const size_t *local = cases[i].local;
    assert_int_equal(ask_of_range("any", CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, local[0], local[1], local[2]),
                     cases[i].size);
    assert_int_equal(ask_of_range("any", CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, local[0], local[1], local[2]),
                     cases[i].count);
  }
  cl_kernel kernel = kernel_named("any"), required = kernel_named("required");
  const size_t global = 2048, local[] = {1024, 2048};
  size_t most = 0;
  ASSERT_CL(clGetKernelWorkGroupInfo(kernel, dut.device, CL_KERNEL_WORK_GROUP_SIZE, sizeof(most), &most, NULL));
  assert_int_equal(most, 1024);
  ASSERT_CL(clGetKernelWorkGroupInfo(required, dut.device, CL_KERNEL_WORK_GROUP_SIZE, sizeof(most), &most, NULL));
  assert_int_equal(most, 24);
  cl_int sums[2048];
  cl_mem buffer = test_buffer(sizeof(sums), NULL);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(cl_mem), &buffer));
  ASSERT_CL_ERROR(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &global, &local[1], 0, NULL, NULL),
                  CL_INVALID_WORK_GROUP_SIZE);
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &global, &local[0], 0, NULL, NULL));
  test_read(buffer, sizeof(sums), sums);
  for (size_t i = 0; i < global; i++) assert_int_equal(sums[i], 32);
  ASSERT_CL(clReleaseMemObject(buffer));
  ASSERT_CL(clReleaseKernel(kernel));
  ASSERT_CL(clReleaseKernel(required));
}

static void finds_local_sizes(void **state) {
  (void)state;
  assert_int_equal(ask_of_count("eight", 3), 24);
  assert_int_equal(ask_of_count("eight", (size_t)1 << 40), 0);
  assert_int_equal(ask_of_count("eight", 0), 0);
  assert_int_equal(ask_of_count("row", 2), 32);
  assert_int_equal(ask_of_count("row", 1), 0);
  assert_int_equal(ask_of_count("required", 2), 0);
  cl_kernel kernel = kernel_named("eight");
  size_t local[3] = {7, 7, 7}, count = 5, size = 0;
  ASSERT_CL(clGetKernelSubGroupInfo(kernel, dut.device, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, sizeof(count), &count,
                                    sizeof(local), local, &size));
  assert_int_equal(size, sizeof(local));
  assert_int_equal(local[0], 40);
  assert_int_equal(local[1], 1);
  assert_int_equal(local[2], 1);
  ASSERT_CL(clReleaseKernel(kernel));
}

static void tells_what_kernels_ask_for(void **state) {
  (void)state;
  assert_int_equal(ask("any", CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, 0, NULL), 0);
  assert_int_equal(ask("eight", CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, 0, NULL), 8);
  assert_int_equal(ask("plain", CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, 0, NULL), 32);
  assert_int_equal(ask("eight", CL_KERNEL_COMPILE_NUM_SUB_GROUPS, 0, NULL), 0);
  cl_kernel kernel = kernel_named("eight");
  char attributes[128];
  cl_ulong spilled = 0;
  ASSERT_CL(clGetKernelInfo(kernel, CL_KERNEL_ATTRIBUTES, sizeof(attributes), attributes, NULL));
  assert_string_equal(attributes, "intel_reqd_sub_group_size(8)");
  ASSERT_CL(
      clGetKernelWorkGroupInfo(kernel, dut.device, CL_KERNEL_SPILL_MEM_SIZE_INTEL, sizeof(spilled), &spilled, NULL));
  assert_true(spilled > 0); /* 0 would be a promise */
  ASSERT_CL(clReleaseKernel(kernel));
}

static void refuses_bad_arguments(void **state) {
  (void)state;
  cl_kernel kernel = kernel_named("eight");
  const size_t local[4] = {8, 1, 1, 1}, none[2] = {8, 0}, huge = (size_t)1 << 40, count = 1;
  size_t answer[4], size;
  char small;
#define ASK(query, input_size, input, capacity, value) \
  clGetKernelSubGroupInfo(kernel, dut.device, query, input_size, input, capacity, value, &size)
  const cl_kernel_sub_group_info ranges[] = {CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
                                             CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE};
  for (int i = 0; i < 2; i++) {
    ASSERT_CL_ERROR(ASK(ranges[i], sizeof(size_t), NULL, sizeof(size_t), answer), CL_INVALID_VALUE);
    ASSERT_CL_ERROR(ASK(ranges[i], 0, local, sizeof(size_t), answer), CL_INVALID_VALUE);
    ASSERT_CL_ERROR(ASK(ranges[i], 5, local, sizeof(size_t), answer), CL_INVALID_VALUE);
    ASSERT_CL_ERROR(ASK(ranges[i], sizeof(local), local, sizeof(size_t), answer), CL_INVALID_VALUE);
    ASSERT_CL_ERROR(ASK(ranges[i], sizeof(none), none, sizeof(size_t), answer), CL_INVALID_VALUE);
    ASSERT_CL_ERROR(ASK(ranges[i], sizeof(huge), &huge, sizeof(size_t), answer), CL_INVALID_VALUE);
    ASSERT_CL_ERROR(ASK(ranges[i], sizeof(size_t), local, sizeof(small), &small), CL_INVALID_VALUE);
    ASSERT_CL(ASK(ranges[i], sizeof(size_t), local, 0, NULL));
    assert_int_equal(size, sizeof(size_t));
  }
  const cl_kernel_sub_group_info find = CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT;
  ASSERT_CL_ERROR(ASK(find, sizeof(count), NULL, sizeof(size_t), answer), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(ASK(find, 4, &count, sizeof(size_t), answer), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(ASK(find, sizeof(count), &count, sizeof(small), &small), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(ASK(find, sizeof(count), &count, 4 * sizeof(size_t), answer), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(ASK(find, sizeof(count), &count, sizeof(size_t) + 1, answer), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(ASK(CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL, sizeof(small), &small), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(ASK(0x7FFF, 0, NULL, sizeof(size_t), answer), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(clGetKernelSubGroupInfo(NULL, dut.device, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL, 0, NULL, &size),
                  CL_INVALID_KERNEL);
  cl_device_id bad = (cl_device_id)(void *)dut.context;
  ASSERT_CL_ERROR(clGetKernelSubGroupInfo(kernel, bad, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL, 0, NULL, &size),
                  CL_INVALID_DEVICE);
  ASSERT_CL(
      clGetKernelSubGroupInfo(kernel, NULL, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL, sizeof(size_t), answer, &size));
  ASSERT_CL(clReleaseKernel(kernel));
}

static void describes_the_device(void **state) {
  (void)state;
  size_t sizes[16], bytes = 0;
  assert_true(test_device_has_feature("__opencl_c_subgroups"));
  assert_int_equal(test_device_number(CL_DEVICE_MAX_NUM_SUB_GROUPS), test_device_number(CL_DEVICE_MAX_WORK_GROUP_SIZE));
  assert_int_equal(test_device_number(CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS), CL_FALSE);
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_SUB_GROUP_SIZES_INTEL, sizeof(sizes), sizes, &bytes));
  assert_int_equal(bytes, 7 * sizeof(size_t));
  for (size_t i = 0; i < 7; i++) assert_int_equal(sizes[i], (size_t)1 << i);
}

/** The build fails, and its log holds `reason`. */
static void assert_refused(const char *text, const char *reason) {
  cl_int error;
  cl_program refused = clCreateProgramWithSource(dut.context, 1, &text, NULL, &error);
  ASSERT_CL(error);
  ASSERT_CL_ERROR(clBuildProgram(refused, 1, &dut.device, "-cl-std=CL3.0", NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
  char *log = test_build_log(refused);
  if (!strstr(log, reason)) fail_msg("the log is: %s", log);
  free(log);
  ASSERT_CL(clReleaseProgram(refused));
}

static void refuses_sizes_that_it_does_not_have(void **state) {
  (void)state;
  assert_refused("__attribute__((intel_reqd_sub_group_size(12))) kernel void k(global int *p) { *p = 1; }",
                 "sub-group size 12 is not supported");
  assert_refused("__attribute__((intel_reqd_sub_group_size(128))) kernel void k(global int *p) { *p = 1; }",
                 "sub-group size 128 is not supported");
  /* More than all lanes may have on the stack. */
  assert_refused(
      "__attribute__((intel_reqd_sub_group_size(16))) kernel void k(global int *p, int n) {\n"
      "  int large[20000];\n"
      "  for (int i = 0; i < n; i++) large[p[i] % 20000] = i;\n"
      "  p[get_global_id(0)] = sub_group_reduce_add(large[n]);\n"
      "}\n",
      "private variables take too much memory");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_usual_size_is_32_and_work_groups_have_1024_items),
      cmocka_unit_test(tells_sizes_and_counts),
      cmocka_unit_test(finds_local_sizes),
      cmocka_unit_test(tells_what_kernels_ask_for),
      cmocka_unit_test(refuses_bad_arguments),
      cmocka_unit_test(describes_the_device),
      cmocka_unit_test(refuses_sizes_that_it_does_not_have),
  };
  return cmocka_run_group_tests(tests, open_program, close_program);
}
