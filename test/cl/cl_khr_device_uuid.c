/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * cl_khr_device_uuid. */
#include <CL/cl_ext.h>

#include "test_extension.h"

static int open_device(void **state) { return test_device_open(state) || !test_has_extension("cl_khr_device_uuid"); }

typedef struct uuid_t {
  cl_uchar bytes[CL_UUID_SIZE_KHR];
} uuid_t;

static uuid_t uuid_of(cl_device_id device, cl_device_info query) {
  uuid_t uuid;
  size_t size;
  ASSERT_CL(clGetDeviceInfo(device, query, sizeof(uuid), &uuid, &size));
  assert_int_equal(size, CL_UUID_SIZE_KHR);
  return uuid;
}

static void device_and_driver_have_uuids_of_their_own(void **state) {
  (void)state;
  const uuid_t none = {{0}}, device = uuid_of(dut.device, CL_DEVICE_UUID_KHR),
               driver = uuid_of(dut.device, CL_DRIVER_UUID_KHR), again = uuid_of(dut.device, CL_DEVICE_UUID_KHR);
  assert_memory_not_equal(&device, &none, sizeof(none));
  assert_memory_not_equal(&driver, &none, sizeof(none));
  assert_memory_not_equal(&device, &driver, sizeof(none));
  assert_memory_equal(&device, &again, sizeof(none));
}

static void a_sub_device_has_that_of_its_root(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  const cl_device_partition_property properties[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  cl_device_id parts[64];
  cl_uint count = 0;
  if (clCreateSubDevices(dut.device, properties, 64, parts, &count) != CL_SUCCESS) skip();
  const uuid_t part = uuid_of(parts[0], CL_DEVICE_UUID_KHR), root = uuid_of(dut.device, CL_DEVICE_UUID_KHR);
  assert_memory_equal(&part, &root, sizeof(root));
  for (cl_uint i = 0; i < count; i++) ASSERT_CL(clReleaseDevice(parts[i]));
}

static void there_is_no_luid(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  cl_uchar luid[CL_LUID_SIZE_KHR];
  size_t size;
  ASSERT_INFO(clGetDeviceInfo, dut.device, CL_DEVICE_LUID_VALID_KHR, cl_bool, CL_FALSE);
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_LUID_KHR, sizeof(luid), luid, &size));
  assert_int_equal(size, CL_LUID_SIZE_KHR);
  ASSERT_INFO(clGetDeviceInfo, dut.device, CL_DEVICE_NODE_MASK_KHR, cl_uint, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(device_and_driver_have_uuids_of_their_own),
      cmocka_unit_test(a_sub_device_has_that_of_its_root),
      cmocka_unit_test(there_is_no_luid),
  };
  return cmocka_run_group_tests(tests, open_device, test_device_close);
}
