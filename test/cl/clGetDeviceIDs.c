/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * clGetDeviceIDs. */
#include "test_device.h"

static void finds_the_cpu_by_every_type_that_includes_it(void **state) {
  (void)state;
  const cl_device_type types[] = {CL_DEVICE_TYPE_CPU, CL_DEVICE_TYPE_DEFAULT, CL_DEVICE_TYPE_ALL,
                                  CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU};
  for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
    cl_uint count = 0;
    cl_device_id device = NULL;
    ASSERT_CL(clGetDeviceIDs(dut.platform, types[i], 1, &device, &count));
    assert_true(count >= 1);
    assert_ptr_equal(device, dut.device);
  }
}

static void finds_no_gpu_accelerator_or_custom_device(void **state) {
  (void)state;
  cl_uint count = 77;
  ASSERT_CL_ERROR(clGetDeviceIDs(dut.platform, CL_DEVICE_TYPE_GPU, 0, NULL, &count), CL_DEVICE_NOT_FOUND);
  ASSERT_CL_ERROR(clGetDeviceIDs(dut.platform, CL_DEVICE_TYPE_ACCELERATOR, 0, NULL, &count), CL_DEVICE_NOT_FOUND);
  ASSERT_CL_ERROR(clGetDeviceIDs(dut.platform, CL_DEVICE_TYPE_CUSTOM, 0, NULL, &count), CL_DEVICE_NOT_FOUND);
}

static void refuses_an_unknown_type(void **state) {
  (void)state;
  cl_uint count;
  ASSERT_CL_ERROR(clGetDeviceIDs(dut.platform, 0, 0, NULL, &count), CL_INVALID_DEVICE_TYPE);
  ASSERT_CL_ERROR(clGetDeviceIDs(dut.platform, (cl_device_type)1 << 20, 0, NULL, &count), CL_INVALID_DEVICE_TYPE);
}

static void refuses_zero_entries_with_a_list_and_nothing_to_fill(void **state) {
  (void)state;
  cl_device_id device;
  ASSERT_CL_ERROR(clGetDeviceIDs(dut.platform, CL_DEVICE_TYPE_ALL, 0, &device, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(clGetDeviceIDs(dut.platform, CL_DEVICE_TYPE_ALL, 0, NULL, NULL), CL_INVALID_VALUE);
}

/** "If devices is NULL, this argument is ignored": so is how many it could take. */
static void counts_without_a_list(void **state) {
  (void)state;
  cl_uint count = 0, with_room = 0;
  ASSERT_CL(clGetDeviceIDs(dut.platform, CL_DEVICE_TYPE_ALL, 0, NULL, &count));
  ASSERT_CL(clGetDeviceIDs(dut.platform, CL_DEVICE_TYPE_ALL, 16, NULL, &with_room));
  assert_true(count > 0);
  assert_int_equal(with_room, count);
}

static void refuses_a_device_as_platform(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  cl_uint count;
  ASSERT_CL_ERROR(clGetDeviceIDs((cl_platform_id)(void *)dut.device, CL_DEVICE_TYPE_ALL, 0, NULL, &count),
                  CL_INVALID_PLATFORM);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(finds_the_cpu_by_every_type_that_includes_it),
      cmocka_unit_test(finds_no_gpu_accelerator_or_custom_device),
      cmocka_unit_test(refuses_an_unknown_type),
      cmocka_unit_test(refuses_zero_entries_with_a_list_and_nothing_to_fill),
      cmocka_unit_test(counts_without_a_list),
      cmocka_unit_test(refuses_a_device_as_platform),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
