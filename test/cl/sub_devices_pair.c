/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * clCreateSubDevices of the smallest device that can be divided: two threads, of which each part gets one. */
#include <stdlib.h>

#include "test_device.h"

static cl_uint number(cl_device_id device, cl_device_info name) {
  cl_uint value = 77;
  ASSERT_CL(clGetDeviceInfo(device, name, sizeof value, &value, NULL));
  return value;
}

static cl_device_partition_property first_way(cl_device_id device) {
  cl_device_partition_property ways[8] = {0};
  ASSERT_CL(clGetDeviceInfo(device, CL_DEVICE_PARTITION_PROPERTIES, sizeof ways, ways, NULL));
  return ways[0];
}

static void two_threads_are_divided_once(void **state) {
  (void)state;
  static const cl_device_partition_property single[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  cl_device_id parts[2] = {NULL}, none = NULL;
  cl_uint count = 0;
  assert_int_equal(number(dut.device, CL_DEVICE_MAX_COMPUTE_UNITS), 2);
  assert_int_equal(number(dut.device, CL_DEVICE_PARTITION_MAX_SUB_DEVICES), 2);
  assert_true(first_way(dut.device) != 0);
  ASSERT_CL(clCreateSubDevices(dut.device, single, 2, parts, &count));
  assert_int_equal(count, 2);
  for (int i = 0; i < 2; i++) {
    assert_int_equal(number(parts[i], CL_DEVICE_MAX_COMPUTE_UNITS), 1);
    assert_int_equal(number(parts[i], CL_DEVICE_PARTITION_MAX_SUB_DEVICES), 0);
    assert_true(first_way(parts[i]) == 0);
    assert_true(clCreateSubDevices(parts[i], single, 1, &none, NULL) != CL_SUCCESS);
    ASSERT_CL(clReleaseDevice(parts[i]));
  }
  assert_null(none);
}

int main(void) {
  setenv("QUERN_NUM_THREADS", "2", 1);
  const struct CMUnitTest tests[] = {cmocka_unit_test(two_threads_are_divided_once)};
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
