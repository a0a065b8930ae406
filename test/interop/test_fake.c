/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Platforms, devices and selectors over a library whose platforms are known (B3). Argument: the fake library. */
#include "support.h"

static const char *fake_library;

static int configure(void **state) {
  (void)state;
  test_configure(fake_library);
  return 0;
}

static void all_platforms_are_listed(void **state) {
  (void)state;
  static const char *const names[] = {"Host", "Fake", "Broken", "Other"};
  quern_platform_t platforms[test_list_capacity];
  size_t count = 0;
  ASSERT_SUCCESS(quern_platform_list(test_list_capacity, platforms, &count));
  assert_int_equal(count, 4);
  for (size_t i = 0; i < count; i++) {
    const char *name = NULL;
    ASSERT_SUCCESS(quern_platform_get_name(platforms[i], &name));
    assert_string_equal(name, names[i]);
  }
}

static void short_lists_are_filled(void **state) {
  (void)state;
  quern_platform_t platforms[2] = {NULL, NULL}, of_backend[3];
  quern_device_t devices[3] = {NULL, NULL, NULL};
  size_t count = 0;
  ASSERT_SUCCESS(quern_platform_list_of_backend(quern_backend_opencl, 3, of_backend, &count));
  assert_int_equal(count, 3);
  ASSERT_SUCCESS(quern_platform_list(2, platforms, NULL));
  assert_ptr_equal(platforms[1], of_backend[0]);
  ASSERT_SUCCESS(quern_platform_get_devices(of_backend[0], quern_device_type_all, 2, devices, &count));
  assert_int_equal(count, 4);
  assert_non_null(devices[1]);
  assert_null(devices[2]);
}

static void a_broken_platform_has_no_devices(void **state) {
  (void)state;
  quern_platform_t platforms[3];
  size_t count = 9;
  ASSERT_SUCCESS(quern_platform_list_of_backend(quern_backend_opencl, 3, platforms, NULL));
  ASSERT_SUCCESS(quern_platform_get_devices(platforms[1], quern_device_type_all, 0, NULL, &count));
  assert_int_equal(count, 0);
}

static void devices_are_found_by_type(void **state) {
  (void)state;
  quern_platform_t platform = NULL;
  size_t count = 0;
  quern_device_type_t type = 0;
  ASSERT_SUCCESS(quern_platform_make(quern_backend_opencl, &platform));
  ASSERT_SUCCESS(quern_platform_get_devices(platform, quern_device_type_gpu, 0, NULL, &count));
  assert_int_equal(count, 2);
  ASSERT_SUCCESS(quern_platform_get_devices(platform, quern_device_type_gpu | quern_device_type_cpu, 0, NULL, &count));
  assert_int_equal(count, 3);
  ASSERT_SUCCESS(quern_platform_get_devices(platform, quern_device_type_host, 0, NULL, &count));
  assert_int_equal(count, 0);
  /* "default" is no type. */
  ASSERT_SUCCESS(quern_device_get_type(test_opencl_device(0), &type));
  assert_int_equal(type, quern_device_type_cpu);
}

static void facts_have_their_values(void **state) {
  (void)state;
  quern_device_t device = test_opencl_device(0);
  quern_platform_t platform = NULL;
  const char *version = NULL, *profile = NULL;
  uint32_t units = 0, alignment = 9;
  uint64_t memory = 0;
  quern_sizes_t sizes = {{0}}, no_sizes = {{64, 32, 1}};
  ASSERT_SUCCESS(quern_device_get_platform(device, &platform));
  ASSERT_SUCCESS(quern_platform_get_version(platform, &version));
  ASSERT_SUCCESS(quern_platform_get_profile(platform, &profile));
  ASSERT_SUCCESS(quern_device_get_max_compute_units(device, &units));
  ASSERT_SUCCESS(quern_device_get_global_memory_size(device, &memory));
  ASSERT_SUCCESS(quern_device_get_max_work_item_sizes(device, &sizes));
  ASSERT_SUCCESS(quern_device_get_memory_base_address_alignment(device, &alignment));
  assert_string_equal(version, "OpenCL 1.2");
  assert_string_equal(profile, "");
  assert_int_equal(units, 7);
  assert_int_equal(memory, 1ull << 33);
  assert_memory_equal(&sizes, &no_sizes, sizeof(sizes));
  assert_int_equal(alignment, 0);
}

static void extensions_are_whole_words(void **state) {
  (void)state;
  static const struct {
    const char *name;
    bool has;
  } cases[] = {{"cl_khr_icd", true}, {"cl_fake_one", true},  {"cl_fake_two_more", true}, {"cl_fake_two", false},
               {"cl_fake", false},   {"cl_khr_icd2", false}, {"cl_fake_one_too", false}, {"cl_khr_fp64", false}};
  quern_platform_t platform = NULL;
  bool has = false;
  ASSERT_SUCCESS(quern_platform_make(quern_backend_opencl, &platform));
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    ASSERT_SUCCESS(quern_platform_has_extension(platform, cases[i].name, &has));
    assert_int_equal(has, cases[i].has);
  }
  ASSERT_SUCCESS(quern_device_has_extension(test_opencl_device(0), "cl_khr_fp64", &has));
  assert_true(has);
}

/* ------------------------------------------------------------ selectors */

static void assert_selected(quern_selector_t selector, void *data, const char *expected) {
  quern_device_t device = NULL;
  quern_platform_t platform = NULL, of_device = NULL;
  const char *name = NULL;
  ASSERT_SUCCESS(quern_device_select(selector, data, &device));
  ASSERT_SUCCESS(quern_device_get_name(device, &name));
  assert_string_equal(name, expected);
  ASSERT_SUCCESS(quern_device_get_platform(device, &of_device));
  ASSERT_SUCCESS(quern_platform_select(selector, data, &platform));
  assert_ptr_equal(platform, of_device);
}

static void ready_made_selectors_choose(void **state) {
  (void)state;
  const char *host = NULL;
  ASSERT_SUCCESS(quern_device_get_name(test_host_device(), &host));
  assert_selected(quern_selector_default, NULL, "fake gpu");
  assert_selected(quern_selector_gpu, NULL, "fake gpu");
  assert_selected(quern_selector_cpu, NULL, "fake cpu");
  assert_selected(quern_selector_host, NULL, host);
}

static void unavailable_devices_are_not_chosen(void **state) {
  (void)state;
  quern_device_t device = (quern_device_t)(void *)state;
  quern_platform_t platform = (quern_platform_t)(void *)state;
  ASSERT_ERROR(quern_device_select(quern_selector_accelerator, NULL, &device), quern_error_not_found, "selector");
  ASSERT_ERROR(quern_platform_select(quern_selector_accelerator, NULL, &platform), quern_error_not_found, "selector");
  assert_ptr_equal(device, state);
  assert_ptr_equal(platform, state);
}

/* Scores a device by its place in the list at `data`, of names that end with a null; the last is the best. */
static int score_by_name(quern_device_t device, void *data) {
  const char *const *names = data, *name = NULL;
  if (quern_device_get_name(device, &name) != quern_success) return -1;
  for (int i = 0; names[i]; i++) {
    if (!strcmp(names[i], name)) return i;
  }
  return -1;
}

static int score_all_the_same(quern_device_t device, void *data) {
  ++*(int *)data;
  return device ? 1 : -1;
}

static void own_selectors_choose(void **state) {
  (void)state;
  const char *const names[] = {"fake gpu", "other", "fake cpu", "nobody", NULL};
  const char *const lowest[] = {"other", NULL};
  quern_device_t device = NULL;
  int calls = 0;
  assert_selected(score_by_name, (void *)names, "fake cpu");
  assert_selected(score_by_name, (void *)lowest, "other");
  ASSERT_SUCCESS(quern_device_select(score_all_the_same, &calls, &device));
  assert_int_equal(calls, 6);
  assert_ptr_equal(device, test_host_device());
  ASSERT_ERROR(quern_device_select(NULL, NULL, &device), quern_error_invalid_argument, "selector");
  ASSERT_ERROR(quern_platform_select(NULL, NULL, &(quern_platform_t){NULL}), quern_error_invalid_argument, "selector");
}

/* A library that can only be looked at: it has no functions of contexts. */
static void contexts_need_all_functions(void **state) {
  (void)state;
  quern_device_t device = test_opencl_device(0);
  quern_context_t context = NULL;
  ASSERT_ERROR(quern_context_create(1, &device, NULL, NULL, &context), quern_error_feature_not_supported,
               "no function clCreateContext");
  ASSERT_ERROR(
      quern_context_make_from_native(quern_backend_opencl, state, quern_ownership_retain, NULL, NULL, &context),
      quern_error_feature_not_supported, "no function clCreateContext");
  assert_null(context);
}

int main(int argc, char **argv) {
  fake_library = argc > 1 ? argv[1] : "";
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(contexts_need_all_functions),
      cmocka_unit_test(all_platforms_are_listed),
      cmocka_unit_test(short_lists_are_filled),
      cmocka_unit_test(a_broken_platform_has_no_devices),
      cmocka_unit_test(devices_are_found_by_type),
      cmocka_unit_test(facts_have_their_values),
      cmocka_unit_test(extensions_are_whole_words),
      cmocka_unit_test(ready_made_selectors_choose),
      cmocka_unit_test(unavailable_devices_are_not_chosen),
      cmocka_unit_test(own_selectors_choose),
  };
  return cmocka_run_group_tests(tests, configure, NULL);
}
