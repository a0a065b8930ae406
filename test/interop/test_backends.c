/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Backends at compile time and at run time (B1, B2); results and messages. */
#include <pthread.h>

#include "support.h"

#ifndef QUERN_BACKEND_HOST
#error "the host backend is always active"
#endif
#if !QUERN_IS_ACTIVE(host) || QUERN_IS_ACTIVE(opencl) != 1 || !defined(QUERN_BACKEND_OPENCL)
#error "this program is built for both backends"
#endif

static void every_backend_has_a_name(void **state) {
  (void)state;
  assert_string_equal(quern_backend_name(quern_backend_host), "host");
  assert_string_equal(quern_backend_name(quern_backend_opencl), "opencl");
  assert_string_equal(quern_backend_name(quern_backend_total), "unknown");
  assert_string_equal(quern_backend_name((quern_backend_t)test_unlisted()), "unknown");
}

static void active_at_compile_time_is_active_at_run_time(void **state) {
  (void)state;
#define ASSERT_SAME(name) assert_int_equal(quern_backend_is_active(quern_backend_##name), QUERN_IS_ACTIVE(name));
  QUERN_BACKEND_LIST(ASSERT_SAME)
#undef ASSERT_SAME
  assert_int_equal(QUERN_ACTIVE_BACKENDS, 3);
  assert_false(quern_backend_is_active(quern_backend_total));
  assert_false(quern_backend_is_active((quern_backend_t)test_unlisted()));
}

static void the_host_is_always_available(void **state) {
  (void)state;
  assert_true(quern_backend_is_available(quern_backend_host));
  ASSERT_SUCCESS(quern_backend_check(quern_backend_host));
}

static void unlisted_backends_are_refused(void **state) {
  (void)state;
  assert_false(quern_backend_is_available(quern_backend_total));
  ASSERT_ERROR(quern_backend_check(quern_backend_total), quern_error_invalid_argument, "not a backend");
  ASSERT_ERROR(quern_backend_check((quern_backend_t)test_unlisted()), quern_error_invalid_argument, "-1");
}

static void native_objects_are_as_mapped(void **state) {
  (void)state;
  assert_true(quern_backend_has_native(quern_backend_opencl, quern_object_platform));
  assert_true(quern_backend_has_native(quern_backend_opencl, quern_object_device));
  assert_false(quern_backend_has_native(quern_backend_host, quern_object_device));
  assert_false(quern_backend_has_native(quern_backend_opencl, quern_object_total));
  assert_false(quern_backend_has_native(quern_backend_total, quern_object_device));
}

static void every_result_has_a_text(void **state) {
  (void)state;
  for (int i = 0; i < quern_result_total; i++) {
    assert_true(quern_result_text((quern_result_t)i)[0]);
    assert_null(strstr(quern_result_text((quern_result_t)i), "not a result"));
  }
  assert_non_null(strstr(quern_result_text((quern_result_t)1000), "not a result"));
  assert_non_null(strstr(quern_result_text((quern_result_t)test_unlisted()), "not a result"));
}

static void *read_first_message(void *data) {
  *(bool *)data = !quern_last_error_message()[0];
  return NULL;
}

static void messages_are_of_the_thread(void **state) {
  (void)state;
  bool was_empty = false;
  pthread_t thread;
  ASSERT_ERROR(quern_backend_check(quern_backend_total), quern_error_invalid_argument, "backend");
  assert_int_equal(pthread_create(&thread, NULL, read_first_message, &was_empty), 0);
  pthread_join(thread, NULL);
  assert_true(was_empty);
  ASSERT_SUCCESS(quern_backend_check(quern_backend_host));
  assert_non_null(strstr(quern_last_error_message(), "backend"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_backend_has_a_name),     cmocka_unit_test(active_at_compile_time_is_active_at_run_time),
      cmocka_unit_test(the_host_is_always_available), cmocka_unit_test(unlisted_backends_are_refused),
      cmocka_unit_test(native_objects_are_as_mapped), cmocka_unit_test(every_result_has_a_text),
      cmocka_unit_test(messages_are_of_the_thread),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
