/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Real drivers through the ICD loader: what the library says is what OpenCL says (B3, B5). Arguments: parts of the
 * names of the platforms that must be there. */
#include "quern/opencl.h"
#include "support.h"

static char **expected_names;
static size_t platform_count;
static quern_platform_t platforms[test_list_capacity];

static int list_platforms(void **state) {
  (void)state;
  ASSERT_SUCCESS(quern_platform_list_of_backend(quern_backend_opencl, test_list_capacity, platforms, &platform_count));
  assert_true(platform_count <= test_list_capacity);
  return 0;
}

static void expected_platforms_are_there(void **state) {
  (void)state;
  for (char **expected = expected_names; *expected; expected++) {
    bool is_found = false;
    for (size_t i = 0; i < platform_count; i++) {
      const char *name = NULL;
      ASSERT_SUCCESS(quern_platform_get_name(platforms[i], &name));
      is_found |= strstr(name, *expected) != NULL;
    }
    if (!is_found) fail_msg("no platform has a name with %s", *expected);
  }
}

static void every_platform_of_the_loader_is_listed(void **state) {
  (void)state;
  cl_platform_id natives[test_list_capacity], native = NULL;
  cl_uint count = 0;
  quern_platform_t again = NULL;
  size_t all_count = 0;
  assert_int_equal(clGetPlatformIDs(test_list_capacity, natives, &count), CL_SUCCESS);
  assert_int_equal(count, platform_count);
  for (cl_uint i = 0; i < count; i++) {
    quern_backend_t backend = quern_backend_total;
    ASSERT_SUCCESS(quern_platform_get_backend(platforms[i], &backend));
    assert_int_equal(backend, quern_backend_opencl);
    ASSERT_SUCCESS(quern_opencl_platform_get_native(platforms[i], &native));
    assert_ptr_equal(native, natives[i]);
    ASSERT_SUCCESS(quern_opencl_platform_make_from_native(native, &again));
    assert_ptr_equal(again, platforms[i]);
  }
  ASSERT_SUCCESS(quern_platform_list(0, NULL, &all_count));
  assert_int_equal(all_count, platform_count + 1);
}

/* ------------------------------------------------------------ devices */

static void for_each_device(void (*check)(quern_device_t device, cl_device_id native)) {
  for (size_t i = 0; i < platform_count; i++) {
    quern_device_t devices[test_list_capacity];
    size_t count = 0;
    ASSERT_SUCCESS(
        quern_platform_get_devices(platforms[i], quern_device_type_all, test_list_capacity, devices, &count));
    assert_true(count >= 1);
    for (size_t j = 0; j < count; j++) {
      cl_device_id native = NULL;
      ASSERT_SUCCESS(quern_opencl_device_get_native(devices[j], &native));
      check(devices[j], native);
      assert_int_equal(clReleaseDevice(native), CL_SUCCESS);
    }
  }
}

static void check_round_trip(quern_device_t device, cl_device_id native) {
  quern_device_t again = NULL;
  quern_platform_t platform = NULL;
  cl_platform_id native_platform = NULL, expected = NULL;
  ASSERT_SUCCESS(quern_opencl_device_make_from_native(native, quern_ownership_retain, &again));
  assert_ptr_equal(again, device);
  ASSERT_SUCCESS(quern_device_release(again));
  ASSERT_SUCCESS(quern_device_get_platform(device, &platform));
  ASSERT_SUCCESS(quern_opencl_platform_get_native(platform, &native_platform));
  assert_int_equal(clGetDeviceInfo(native, CL_DEVICE_PLATFORM, sizeof(cl_platform_id), (void *)&expected, NULL),
                   CL_SUCCESS);
  assert_ptr_equal(native_platform, expected);
}

static void devices_go_both_ways(void **state) {
  (void)state;
  for_each_device(check_round_trip);
}

/* Compares a text, or what the driver's bytes are as a number. */
static void check_text(cl_device_id native, cl_device_info name, const char *value) {
  char expected[1 << 14];
  if (clGetDeviceInfo(native, name, sizeof(expected), expected, NULL) != CL_SUCCESS) expected[0] = '\0';
  assert_string_equal(value, expected);
}

static uint64_t ask_number(cl_device_id native, cl_device_info name) {
  uint64_t value = 0;
  return clGetDeviceInfo(native, name, sizeof(value), &value, NULL) == CL_SUCCESS ? value : 0;
}

static void check_sizes(cl_device_id native, cl_device_info name, quern_sizes_t value) {
  size_t expected[3] = {0};
  assert_int_equal(clGetDeviceInfo(native, name, sizeof(expected), expected, NULL), CL_SUCCESS);
  assert_memory_equal(value.sizes, expected, sizeof(expected));
}

#define CHECK_text(native, name, value) check_text(native, name, value)
#define CHECK_flag(native, name, value) assert_int_equal(value, ask_number(native, name) != 0)
#define CHECK_uint32(native, name, value) assert_int_equal(value, ask_number(native, name))
#define CHECK_uint64(native, name, value) assert_int_equal(value, ask_number(native, name))
#define CHECK_size(native, name, value) assert_int_equal(value, ask_number(native, name))
#define CHECK_sizes(native, name, value) check_sizes(native, name, value)
#define CHECK_device_type(native, name, value) \
  assert_int_equal(value, ask_number(native, name) & ~(uint64_t)CL_DEVICE_TYPE_DEFAULT)

static void check_facts(quern_device_t device, cl_device_id native) {
#define CHECK_FACT(what, type, name)                         \
  {                                                          \
    QUERN_INFO_TYPE_##type value;                            \
    ASSERT_SUCCESS(quern_device_get_##what(device, &value)); \
    CHECK_##type(native, name, value);                       \
  }
  QUERN_DEVICE_INFO_LIST(CHECK_FACT)
#undef CHECK_FACT
}

static void facts_are_those_of_the_driver(void **state) {
  (void)state;
  for_each_device(check_facts);
}

static void some_facts_are_real(void **state) {
  (void)state;
  quern_device_t device = test_opencl_device(0);
  uint32_t units = 0;
  uint64_t memory = 0;
  const char *name = NULL, *version = NULL;
  ASSERT_SUCCESS(quern_device_get_max_compute_units(device, &units));
  ASSERT_SUCCESS(quern_device_get_global_memory_size(device, &memory));
  ASSERT_SUCCESS(quern_device_get_name(device, &name));
  ASSERT_SUCCESS(quern_device_get_version(device, &version));
  assert_true(units >= 1 && memory > 1u << 20 && name[0]);
  assert_memory_equal(version, "OpenCL ", 7);
}

static void cpus_are_selected(void **state) {
  (void)state;
  quern_device_t device = NULL;
  quern_device_type_t type = 0;
  ASSERT_SUCCESS(quern_device_select(quern_selector_cpu, NULL, &device));
  ASSERT_SUCCESS(quern_device_get_type(device, &type));
  assert_true(type & quern_device_type_cpu);
}

/* ------------------------------------------------------------ sub-devices */

static cl_uint native_references(cl_device_id device) {
  cl_uint count = 0;
  assert_int_equal(clGetDeviceInfo(device, CL_DEVICE_REFERENCE_COUNT, sizeof(count), &count, NULL), CL_SUCCESS);
  return count;
}

static void check_sub_device(quern_device_t device, cl_device_id native) {
  const cl_device_partition_property properties[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1,
                                                     CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
  cl_device_id sub_device = NULL;
  quern_device_t handle = NULL;
  quern_platform_t platform = NULL, of_root = NULL;
  uint32_t units = 0;
  cl_int error = clCreateSubDevices(native, properties, 1, &sub_device, NULL);
  if (error != CL_SUCCESS) {
    print_message("no sub-devices (%d): not compared\n", error);
    return;
  }
  cl_uint references = native_references(sub_device);
  ASSERT_SUCCESS(quern_opencl_device_make_from_native(sub_device, quern_ownership_retain, &handle));
  assert_ptr_not_equal(handle, device);
  assert_int_equal(native_references(sub_device), references + 1);
  ASSERT_SUCCESS(quern_device_get_max_compute_units(handle, &units));
  assert_int_equal(units, 1);
  ASSERT_SUCCESS(quern_device_get_platform(handle, &platform));
  ASSERT_SUCCESS(quern_device_get_platform(device, &of_root));
  assert_ptr_equal(platform, of_root);
  ASSERT_SUCCESS(quern_device_release(handle));
  assert_int_equal(native_references(sub_device), references);
  ASSERT_SUCCESS(quern_opencl_device_make_from_native(sub_device, quern_ownership_transfer, &handle));
  assert_int_equal(native_references(sub_device), references);
  ASSERT_SUCCESS(quern_device_release(handle));
}

static void sub_devices_are_counted(void **state) {
  (void)state;
  for_each_device(check_sub_device);
}

int main(int argc, char **argv) {
  (void)argc;
  expected_names = argv + 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(expected_platforms_are_there), cmocka_unit_test(every_platform_of_the_loader_is_listed),
      cmocka_unit_test(devices_go_both_ways),         cmocka_unit_test(facts_are_those_of_the_driver),
      cmocka_unit_test(some_facts_are_real),          cmocka_unit_test(cpus_are_selected),
      cmocka_unit_test(sub_devices_are_counted),
  };
  return cmocka_run_group_tests(tests, list_platforms, NULL);
}
