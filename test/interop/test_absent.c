/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Everything goes on without OpenCL (B2). Arguments: what is wrong with it, a part of the message that says so, and the
 * library to configure, if any. */
#include "support.h"

static const char *expected_message, *library;
static quern_result_t expected_result;

static int configure(void **state) {
  (void)state;
  quern_configuration_t configuration = QUERN_CONFIGURATION_INIT;
  configuration.opencl_library = library;
  if (expected_result == quern_error_backend_not_active) configuration.backends = 0;
  ASSERT_SUCCESS(quern_configure(&configuration));
  return 0;
}

static void opencl_is_absent(void **state) {
  (void)state;
  /* Asked twice: the second answer is remembered. */
  for (int i = 0; i < 2; i++) {
    assert_false(quern_backend_is_available(quern_backend_opencl));
    ASSERT_ERROR(quern_backend_check(quern_backend_opencl), expected_result, expected_message);
  }
  assert_int_equal(quern_backend_is_active(quern_backend_opencl), expected_result != quern_error_backend_not_active);
}

static void its_functions_fail_cleanly(void **state) {
  (void)state;
  quern_platform_t platform = NULL;
  quern_device_t device = NULL;
  size_t count = 9;
  ASSERT_ERROR(quern_platform_make(quern_backend_opencl, &platform), expected_result, expected_message);
  ASSERT_ERROR(quern_platform_list_of_backend(quern_backend_opencl, 1, &platform, &count), expected_result,
               expected_message);
  ASSERT_ERROR(quern_platform_make_from_native(quern_backend_opencl, state, &platform), expected_result,
               expected_message);
  ASSERT_ERROR(quern_device_make_from_native(quern_backend_opencl, state, quern_ownership_retain, &device),
               expected_result, expected_message);
  assert_null(platform);
  assert_null(device);
  assert_int_equal(count, 9);
}

static void the_host_remains(void **state) {
  (void)state;
  quern_platform_t platform = NULL;
  quern_device_t device = NULL;
  size_t count = 0;
  assert_true(quern_backend_is_available(quern_backend_host));
  ASSERT_SUCCESS(quern_platform_list(1, &platform, &count));
  assert_int_equal(count, 1);
  ASSERT_SUCCESS(quern_device_select(quern_selector_default, NULL, &device));
  assert_ptr_equal(device, test_host_device());
  ASSERT_ERROR(quern_device_select(quern_selector_cpu, NULL, &device), quern_error_not_found, "selector");
}

static void square(quern_handle_t handle, const size_t point[3], void *data) {
  void *pointer;
  if (quern_handle_get_pointer(handle, *(const quern_accessor_t *)data, &pointer) != quern_success) return;
  ((size_t *)pointer)[point[0]] = point[0] * point[0];
}

/* A program that would use any backend runs with what is there (B2, B4). */
static void the_host_works(void **state) {
  (void)state;
  enum { count = 100 };
  static size_t values[count];
  quern_device_t device = test_host_device();
  quern_context_t context = NULL;
  quern_queue_t queue = NULL;
  quern_memory_t memory = NULL;
  quern_group_t group = NULL;
  quern_accessor_t accessor;
  const quern_range_t range = {.dimensions = 1, .global = {count}};
  ASSERT_SUCCESS(quern_context_create(1, &device, NULL, NULL, &context));
  ASSERT_SUCCESS(quern_queue_create(context, device, 0, NULL, NULL, &queue));
  ASSERT_SUCCESS(quern_buffer_create(sizeof(values), values, NULL, &memory));
  ASSERT_SUCCESS(quern_group_create(queue, &group));
  ASSERT_SUCCESS(quern_group_access(group, memory, quern_access_discard_write, 0, 0, &accessor));
  ASSERT_SUCCESS(quern_group_set_host_kernel(group, square, &accessor, &range));
  ASSERT_SUCCESS(quern_group_submit(group, NULL));
  ASSERT_SUCCESS(quern_memory_release(memory));
  for (size_t i = 0; i < count; i++) assert_int_equal(values[i], i * i);
  ASSERT_SUCCESS(quern_queue_release(queue));
  ASSERT_SUCCESS(quern_context_release(context));
}

static void a_message_is_not_lost(void **state) {
  (void)state;
  ASSERT_ERROR(quern_platform_make(quern_backend_total, NULL), quern_error_invalid_argument, "null pointer");
  assert_false(quern_backend_is_available(quern_backend_opencl));
  assert_non_null(strstr(quern_last_error_message(), "null pointer"));
}

int main(int argc, char **argv) {
  if (argc < 3) return EXIT_FAILURE;
  expected_result = !strcmp(argv[1], "not-active") ? quern_error_backend_not_active : quern_error_backend_not_available;
  expected_message = argv[2];
  library = argc > 3 ? argv[3] : NULL;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_message_is_not_lost),
      cmocka_unit_test(opencl_is_absent),
      cmocka_unit_test(its_functions_fail_cleanly),
      cmocka_unit_test(the_host_remains),
      cmocka_unit_test(the_host_works),
  };
  return cmocka_run_group_tests(tests, configure, NULL);
}
