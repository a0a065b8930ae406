/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * clCreateSubDevices by affinity domain, on a machine of hwloc's imagination: two memory nodes with one third-level
 * cache each, four second-level caches, eight processors. */
#include <stdlib.h>

#include "test_device.h"

enum { units = 8 };

/** hwloc is there: without it, devices have no domains. */
static int open_device(void **state) {
  int error = test_device_open(state);
  cl_device_affinity_domain domains = 0;
  if (error) return error;
  clGetDeviceInfo(dut.device, CL_DEVICE_PARTITION_AFFINITY_DOMAIN, sizeof(domains), &domains, NULL);
  return domains ? 0 : -1;
}

static cl_device_affinity_domain domains_of(cl_device_id device) {
  cl_device_affinity_domain domains = 0;
  ASSERT_CL(clGetDeviceInfo(device, CL_DEVICE_PARTITION_AFFINITY_DOMAIN, sizeof(domains), &domains, NULL));
  return domains;
}

static void partition(cl_device_id device, cl_device_affinity_domain domain, cl_device_affinity_domain found,
                      cl_uint count, cl_device_id *parts) {
  const cl_device_partition_property properties[] = {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
                                                     (cl_device_partition_property)domain, 0};
  const cl_device_partition_property type[] = {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
                                               (cl_device_partition_property)found, 0};
  cl_uint actual = 0, all = 0, size = 0;
  cl_device_partition_property value[4];
  ASSERT_CL(clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(all), &all, NULL));
  ASSERT_CL(clCreateSubDevices(device, properties, count, parts, &actual));
  assert_int_equal(actual, count);
  for (cl_uint i = 0; i < count; i++) {
    ASSERT_CL(clGetDeviceInfo(parts[i], CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(size), &size, NULL));
    assert_int_equal(size, all / count);
    ASSERT_CL(clGetDeviceInfo(parts[i], CL_DEVICE_PARTITION_TYPE, sizeof(value), value, NULL));
    assert_memory_equal(value, type, sizeof(type));
  }
}

static void release(cl_uint count, const cl_device_id *devices) {
  for (cl_uint i = 0; i < count; i++) ASSERT_CL(clReleaseDevice(devices[i]));
}

static void root_has_three_domains(void **state) {
  (void)state;
  cl_device_partition_property schemes[4] = {0};
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_PARTITION_PROPERTIES, sizeof(schemes), schemes, NULL));
  assert_int_equal(schemes[2], CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN);
  assert_true(domains_of(dut.device) ==
              (CL_DEVICE_AFFINITY_DOMAIN_NUMA | CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE |
               CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE | CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE));
}

static void each_domain(void **state) {
  (void)state;
  cl_device_id parts[units];
  partition(dut.device, CL_DEVICE_AFFINITY_DOMAIN_NUMA, CL_DEVICE_AFFINITY_DOMAIN_NUMA, 2, parts);
  release(2, parts);
  partition(dut.device, CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE, CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE, 2, parts);
  release(2, parts);
  partition(dut.device, CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE, CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE, 4, parts);
  release(4, parts);
}

static void next_domain_in_turn(void **state) {
  (void)state;
  const cl_device_affinity_domain next = CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE;
  cl_device_id nodes[2], caches[2];
  partition(dut.device, next, CL_DEVICE_AFFINITY_DOMAIN_NUMA, 2, nodes);
  assert_true(domains_of(nodes[1]) == (CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE | next));
  partition(nodes[1], next, CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE, 2, caches);
  assert_true(domains_of(caches[0]) == 0);
  const cl_device_partition_property again[] = {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
                                                (cl_device_partition_property)next, 0};
  ASSERT_CL_ERROR(clCreateSubDevices(caches[0], again, 0, NULL, NULL), CL_INVALID_VALUE);
  release(2, caches);
  release(2, nodes);
}

/** Parts by counts need not end where caches do. */
static void domains_of_uneven_parts(void **state) {
  (void)state;
  const cl_device_partition_property counts[] = {CL_DEVICE_PARTITION_BY_COUNTS, 3, 3, 0, 0};
  const cl_device_partition_property numa[] = {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, CL_DEVICE_AFFINITY_DOMAIN_NUMA,
                                               0};
  cl_device_id parts[2], nodes[2];
  cl_uint count = 0, size[2];
  ASSERT_CL(clCreateSubDevices(dut.device, counts, 2, parts, NULL));
  assert_false(domains_of(parts[0]) & CL_DEVICE_AFFINITY_DOMAIN_NUMA);
  ASSERT_CL(clCreateSubDevices(parts[1], numa, 2, nodes, &count));
  assert_int_equal(count, 2);
  for (int i = 0; i < 2; i++)
    ASSERT_CL(clGetDeviceInfo(nodes[i], CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(size[i]), &size[i], NULL));
  assert_int_equal(size[0], 1);
  assert_int_equal(size[1], 2);
  release(2, nodes);
  release(2, parts);
}

static void refusals(void **state) {
  (void)state;
  const cl_device_affinity_domain bad[] = {0, CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE, CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE,
                                           CL_DEVICE_AFFINITY_DOMAIN_NUMA | CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE};
  for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
    const cl_device_partition_property properties[] = {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
                                                       (cl_device_partition_property)bad[i], 0};
    ASSERT_CL_ERROR(clCreateSubDevices(dut.device, properties, 0, NULL, NULL), CL_INVALID_VALUE);
  }
  const cl_device_partition_property twice[] = {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, CL_DEVICE_AFFINITY_DOMAIN_NUMA,
                                                CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  ASSERT_CL_ERROR(clCreateSubDevices(dut.device, twice, 0, NULL, NULL), CL_INVALID_VALUE);
}

int main(void) {
  setenv("QUERN_NUM_THREADS", "8", 1);
  setenv("HWLOC_SYNTHETIC", "numa:2 l3:1 l2:2 pu:2", 1);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(root_has_three_domains),  cmocka_unit_test(each_domain), cmocka_unit_test(next_domain_in_turn),
      cmocka_unit_test(domains_of_uneven_parts), cmocka_unit_test(refusals),
  };
  return cmocka_run_group_tests(tests, open_device, test_device_close);
}
