/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The host backend: its platform and its device, with the errors of every function that takes them (B2, B3, B4). */
#include <sched.h>

#include "support.h"

static quern_platform_t host_platform(void) {
  quern_platform_t platform = NULL;
  ASSERT_SUCCESS(quern_platform_make(quern_backend_host, &platform));
  return platform;
}

static void one_platform_with_one_device(void **state) {
  (void)state;
  quern_platform_t platform = NULL, of_device = NULL;
  size_t count = 0;
  quern_backend_t backend = quern_backend_total;
  ASSERT_SUCCESS(quern_platform_list_of_backend(quern_backend_host, 1, &platform, &count));
  assert_int_equal(count, 1);
  assert_ptr_equal(platform, host_platform());
  ASSERT_SUCCESS(quern_platform_get_backend(platform, &backend));
  assert_int_equal(backend, quern_backend_host);
  ASSERT_SUCCESS(quern_platform_get_devices(platform, quern_device_type_host, 0, NULL, &count));
  assert_int_equal(count, 1);
  ASSERT_SUCCESS(quern_platform_get_devices(platform, quern_device_type_cpu | quern_device_type_gpu, 0, NULL, &count));
  assert_int_equal(count, 0);
  ASSERT_SUCCESS(quern_device_get_platform(test_host_device(), &of_device));
  assert_ptr_equal(of_device, platform);
}

static void it_comes_first_of_all(void **state) {
  (void)state;
  quern_platform_t platform = NULL;
  size_t count = 0;
  ASSERT_SUCCESS(quern_platform_list(1, &platform, &count));
  assert_true(count >= 1);
  assert_ptr_equal(platform, host_platform());
}

static void it_tells_of_the_machine(void **state) {
  (void)state;
  quern_device_t device = test_host_device();
  quern_device_type_t type = 0;
  uint32_t units = 0, bits = 0;
  uint64_t memory = 0;
  bool is_available = false, is_unified = false;
  const char *name = NULL, *c_version = NULL;
  cpu_set_t cpus;
  assert_int_equal(sched_getaffinity(0, sizeof(cpus), &cpus), 0);
  ASSERT_SUCCESS(quern_device_get_type(device, &type));
  ASSERT_SUCCESS(quern_device_get_max_compute_units(device, &units));
  ASSERT_SUCCESS(quern_device_get_address_bits(device, &bits));
  ASSERT_SUCCESS(quern_device_get_global_memory_size(device, &memory));
  ASSERT_SUCCESS(quern_device_get_is_available(device, &is_available));
  ASSERT_SUCCESS(quern_device_get_has_host_unified_memory(device, &is_unified));
  ASSERT_SUCCESS(quern_device_get_name(device, &name));
  ASSERT_SUCCESS(quern_device_get_opencl_c_version(device, &c_version));
  assert_int_equal(type, quern_device_type_host);
  assert_int_equal(units, CPU_COUNT(&cpus));
  assert_int_equal(bits, 8 * sizeof(void *));
  assert_true(memory > 1u << 20 && is_available && is_unified && name[0]);
  assert_string_equal(c_version, "");
}

static void every_fact_can_be_asked(void **state) {
  (void)state;
#define ASK(owner, object, name, type)                          \
  do {                                                          \
    QUERN_INFO_TYPE_##type value;                               \
    ASSERT_SUCCESS(quern_##owner##_get_##name(object, &value)); \
  } while (0);
#define ASK_PLATFORM(name, type, opencl) ASK(platform, host_platform(), name, type)
#define ASK_DEVICE(name, type, opencl) ASK(device, test_host_device(), name, type)
  QUERN_PLATFORM_INFO_LIST(ASK_PLATFORM)
  QUERN_DEVICE_INFO_LIST(ASK_DEVICE)
}

static void it_has_no_extensions(void **state) {
  (void)state;
  bool has = true;
  ASSERT_SUCCESS(quern_platform_has_extension(host_platform(), "cl_khr_icd", &has));
  assert_false(has);
  has = true;
  ASSERT_SUCCESS(quern_device_has_extension(test_host_device(), "cl_khr_fp64", &has));
  assert_false(has);
}

static void it_has_no_native_objects(void **state) {
  (void)state;
  void *native = state;
  quern_platform_t platform = NULL;
  quern_device_t device = NULL;
  ASSERT_ERROR(quern_platform_get_native(host_platform(), quern_backend_host, &native),
               quern_error_feature_not_supported, "host");
  ASSERT_ERROR(quern_device_get_native(test_host_device(), quern_backend_host, &native),
               quern_error_feature_not_supported, "host");
  ASSERT_ERROR(quern_device_get_native(test_host_device(), quern_backend_opencl, &native), quern_error_backend_mismatch,
               "host");
  assert_ptr_equal(native, state);
  ASSERT_ERROR(quern_platform_make_from_native(quern_backend_host, native, &platform),
               quern_error_feature_not_supported, "host");
  ASSERT_ERROR(quern_device_make_from_native(quern_backend_host, native, quern_ownership_retain, &device),
               quern_error_feature_not_supported, "host");
}

/* ------------------------------------------------------------ errors */

static void bad_outputs_are_refused(void **state) {
  (void)state;
  quern_platform_t platform = host_platform();
  const quern_result_t refused = quern_error_invalid_argument;
  ASSERT_ERROR(quern_platform_list(0, NULL, NULL), refused, "null");
  ASSERT_ERROR(quern_platform_list(1, NULL, &(size_t){0}), refused, "null");
  ASSERT_ERROR(quern_platform_list_of_backend(quern_backend_host, 0, NULL, NULL), refused, "null");
  ASSERT_ERROR(quern_platform_make(quern_backend_host, NULL), refused, "null");
  ASSERT_ERROR(quern_platform_get_backend(platform, NULL), refused, "null");
  ASSERT_ERROR(quern_platform_get_devices(platform, quern_device_type_all, 0, NULL, NULL), refused, "null");
  ASSERT_ERROR(quern_platform_get_name(platform, NULL), refused, "'name'");
  ASSERT_ERROR(quern_platform_has_extension(platform, "a", NULL), refused, "null");
  ASSERT_ERROR(quern_platform_get_native(platform, quern_backend_host, NULL), refused, "null");
  ASSERT_ERROR(quern_device_get_max_compute_units(test_host_device(), NULL), refused, "'max_compute_units'");
  ASSERT_ERROR(quern_device_has_extension(test_host_device(), "a", NULL), refused, "null");
  ASSERT_ERROR(quern_device_get_platform(test_host_device(), NULL), refused, "null");
  ASSERT_ERROR(quern_device_get_native(test_host_device(), quern_backend_host, NULL), refused, "null");
  ASSERT_ERROR(quern_device_select(quern_selector_host, NULL, NULL), refused, "null");
  ASSERT_ERROR(quern_platform_select(quern_selector_host, NULL, NULL), refused, "null");
}

static void bad_values_are_refused(void **state) {
  (void)state;
  quern_platform_t platform = host_platform();
  quern_device_t device = test_host_device();
  char bytes[64];
  bool has;
  void *native;
  const quern_result_t refused = quern_error_invalid_argument;
  ASSERT_ERROR(quern_platform_make(quern_backend_total, &platform), refused, "not a backend");
  ASSERT_ERROR(quern_platform_list_of_backend(quern_backend_total, 1, &platform, NULL), refused, "not a backend");
  ASSERT_ERROR(quern_platform_get_devices(platform, 0, 1, &device, NULL), refused, "types");
  ASSERT_ERROR(quern_platform_get_devices(platform, 1, 1, &device, NULL), refused, "types");
  ASSERT_ERROR(quern_platform_get_info(platform, quern_platform_info_total, 8, bytes), refused, "exist");
  ASSERT_ERROR(quern_device_get_info(device, (quern_device_info_t)test_unlisted(), 8, bytes), refused, "exist");
  ASSERT_ERROR(quern_device_get_info(device, quern_device_info_vendor_id, 8, bytes), refused, "4 bytes, not 8");
  ASSERT_ERROR(quern_device_get_info(device, quern_device_info_max_work_item_sizes, 8, bytes), refused, "not 8");
  ASSERT_ERROR(quern_platform_has_extension(platform, NULL, &has), refused, "extension");
  ASSERT_ERROR(quern_platform_has_extension(platform, "", &has), refused, "extension");
  ASSERT_ERROR(quern_device_has_extension(device, "two words", &has), refused, "two words");
  ASSERT_ERROR(quern_device_get_native(device, quern_backend_total, &native), refused, "not a backend");
}

static void bad_handles_are_refused(void **state) {
  (void)state;
  /* A device is not a platform, nor the other way round. */
  quern_platform_t platforms[] = {NULL, (quern_platform_t)(void *)test_host_device()};
  quern_device_t devices[] = {NULL, (quern_device_t)(void *)host_platform()};
  const quern_result_t refused = quern_error_invalid_object;
  for (int i = 0; i < 2; i++) {
    quern_backend_t backend;
    size_t count;
    const char *text;
    bool has;
    void *native;
    ASSERT_ERROR(quern_platform_get_backend(platforms[i], &backend), refused, "platform");
    ASSERT_ERROR(quern_platform_get_devices(platforms[i], quern_device_type_all, 0, NULL, &count), refused, "platform");
    ASSERT_ERROR(quern_platform_get_name(platforms[i], &text), refused, "platform");
    ASSERT_ERROR(quern_platform_has_extension(platforms[i], "a", &has), refused, "platform");
    ASSERT_ERROR(quern_platform_get_native(platforms[i], quern_backend_host, &native), refused, "platform");
    ASSERT_ERROR(quern_device_get_name(devices[i], &text), refused, "device");
    ASSERT_ERROR(quern_device_has_extension(devices[i], "a", &has), refused, "device");
    ASSERT_ERROR(quern_device_get_platform(devices[i], &platforms[0]), refused, "device");
    ASSERT_ERROR(quern_device_get_native(devices[i], quern_backend_host, &native), refused, "device");
    ASSERT_ERROR(quern_device_retain(devices[i]), refused, "device");
    ASSERT_ERROR(quern_device_release(devices[i]), refused, "device");
    assert_true(quern_selector_default(devices[i], NULL) < 0);
    assert_true(quern_selector_host(devices[i], NULL) < 0);
  }
}

static void releasing_it_too_often_is_harmless(void **state) {
  (void)state;
  quern_device_t device = test_host_device();
  ASSERT_SUCCESS(quern_device_retain(device));
  for (int i = 0; i < 3; i++) ASSERT_SUCCESS(quern_device_release(device));
  ASSERT_SUCCESS(quern_device_get_type(device, &(quern_device_type_t){0}));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_platform_with_one_device), cmocka_unit_test(it_comes_first_of_all),
      cmocka_unit_test(it_tells_of_the_machine),      cmocka_unit_test(every_fact_can_be_asked),
      cmocka_unit_test(it_has_no_extensions),         cmocka_unit_test(it_has_no_native_objects),
      cmocka_unit_test(bad_outputs_are_refused),      cmocka_unit_test(bad_values_are_refused),
      cmocka_unit_test(bad_handles_are_refused),      cmocka_unit_test(releasing_it_too_often_is_harmless),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
