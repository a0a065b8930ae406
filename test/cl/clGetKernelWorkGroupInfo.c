/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * clGetKernelWorkGroupInfo. */
#include "test_device.h"

#define ASSERT_WORK_GROUP_INFO(kernel, parameter, type, condition)                                          \
  do {                                                                                                      \
    type value = 0;                                                                                         \
    size_t value_size = 0;                                                                                  \
    ASSERT_CL(clGetKernelWorkGroupInfo(kernel, dut.device, parameter, sizeof(value), &value, &value_size)); \
    assert_int_equal(value_size, sizeof(type));                                                             \
    assert_true(condition);                                                                                 \
  } while (0)

static const char *const source =
    "kernel void plain(global int *p, local int *l) { *p = 1; }\n"
    "kernel __attribute__((reqd_work_group_size(8, 4, 2)))\n"
    "void fixed(global int *p) { *p = 1; }\n"
    "kernel void locals(global int *p) {\n"
    "  local int a[100];\n"
    "  a[get_local_id(0)] = p[0];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  p[get_global_id(0)] = a[99 - get_local_id(0)];\n"
    "}\n";

static void sizes_are_possible_ones(void **state) {
  (void)state;
  const cl_ulong device_max = test_device_number(CL_DEVICE_MAX_WORK_GROUP_SIZE);
  cl_kernel kernel = test_kernel(source, NULL, "plain");
  ASSERT_WORK_GROUP_INFO(kernel, CL_KERNEL_WORK_GROUP_SIZE, size_t, value >= 1 && value <= device_max);
  ASSERT_WORK_GROUP_INFO(kernel, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, size_t,
                         value >= 1 && value <= device_max);
  ASSERT_CL(clReleaseKernel(kernel));
}

static void required_size_is_that_of_the_source_or_zeros(void **state) {
  (void)state;
  static const char *const names[] = {"plain", "fixed"};
  static const size_t expected[][3] = {{0, 0, 0}, {8, 4, 2}};
  for (int i = 0; i < 2; i++) {
    size_t sizes[3] = {77, 77, 77}, size = 0;
    cl_kernel kernel = test_kernel(source, NULL, names[i]);
    ASSERT_CL(
        clGetKernelWorkGroupInfo(kernel, dut.device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof(sizes), sizes, &size));
    assert_int_equal(size, sizeof(sizes));
    assert_memory_equal(sizes, expected[i], sizeof(sizes));
    ASSERT_CL(clReleaseKernel(kernel));
  }
}

static void local_memory_counts_variables_and_arguments(void **state) {
  (void)state;
  cl_kernel kernel = test_kernel(source, NULL, "locals");
  ASSERT_WORK_GROUP_INFO(kernel, CL_KERNEL_LOCAL_MEM_SIZE, cl_ulong, value >= 400 && value < 4096);
  ASSERT_CL(clReleaseKernel(kernel));
  kernel = test_kernel(source, NULL, "plain");
  ASSERT_WORK_GROUP_INFO(kernel, CL_KERNEL_LOCAL_MEM_SIZE, cl_ulong, value == 0);
  ASSERT_CL(clSetKernelArg(kernel, 1, 1000, NULL));
  ASSERT_WORK_GROUP_INFO(kernel, CL_KERNEL_LOCAL_MEM_SIZE, cl_ulong, value >= 1000 && value < 4096);
  ASSERT_CL(clReleaseKernel(kernel));
}

static void private_memory_is_told(void **state) {
  (void)state;
  cl_kernel kernel = test_kernel(source, NULL, "plain");
  ASSERT_WORK_GROUP_INFO(kernel, CL_KERNEL_PRIVATE_MEM_SIZE, cl_ulong, value < (cl_ulong)1 << 40);
  ASSERT_CL(clReleaseKernel(kernel));
}

static void the_device_may_be_left_out_when_there_is_one(void **state) {
  (void)state;
  size_t size = 0;
  cl_kernel kernel = test_kernel(source, NULL, "plain");
  ASSERT_CL(clGetKernelWorkGroupInfo(kernel, NULL, CL_KERNEL_WORK_GROUP_SIZE, sizeof(size), &size, NULL));
  assert_true(size >= 1);
  ASSERT_CL(clReleaseKernel(kernel));
}

static void refuses_bad_arguments(void **state) {
  (void)state;
  size_t size;
  char byte[1];
  size_t sizes[3];
  cl_kernel kernel = test_kernel(source, NULL, "plain");
#define GET(kernel, device, parameter, size, value) \
  clGetKernelWorkGroupInfo(kernel, device, parameter, size, value, NULL)
  ASSERT_CL_ERROR(GET(NULL, dut.device, CL_KERNEL_WORK_GROUP_SIZE, sizeof(size), &size), CL_INVALID_KERNEL);
  ASSERT_CL_ERROR(GET(kernel, dut.device, 0x7FFF, sizeof(size), &size), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(GET(kernel, dut.device, CL_KERNEL_WORK_GROUP_SIZE, sizeof(byte), byte), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(GET(kernel, dut.device, CL_KERNEL_GLOBAL_WORK_SIZE, sizeof(sizes), sizes), CL_INVALID_VALUE);
  if (test_is_quern()) {
    cl_device_id foreign = (cl_device_id)(void *)dut.queue;
    ASSERT_CL_ERROR(GET(kernel, foreign, CL_KERNEL_WORK_GROUP_SIZE, sizeof(size), &size), CL_INVALID_DEVICE);
  }
#undef GET
  ASSERT_CL(clReleaseKernel(kernel));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sizes_are_possible_ones),
      cmocka_unit_test(required_size_is_that_of_the_source_or_zeros),
      cmocka_unit_test(local_memory_counts_variables_and_arguments),
      cmocka_unit_test(private_memory_is_told),
      cmocka_unit_test(the_device_may_be_left_out_when_there_is_one),
      cmocka_unit_test(refuses_bad_arguments),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
