/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Native objects both ways, with every reference counted (B5). Argument: the fake library, which is linked, too. */
#include <pthread.h>

#include "fake_opencl.h"
#include "quern/opencl.h"
#include "support.h"

static const char *fake_library;

static int configure(void **state) {
  (void)state;
  test_configure(fake_library);
  return 0;
}

static quern_device_t make_sub_device(quern_ownership_t ownership) {
  quern_device_t device = NULL;
  ASSERT_SUCCESS(quern_opencl_device_make_from_native(fake_sub_device(), ownership, &device));
  return device;
}

static void platforms_go_both_ways(void **state) {
  (void)state;
  cl_platform_id natives[3], native = NULL;
  quern_platform_t platforms[3], again = NULL;
  assert_int_equal(clGetPlatformIDs(3, natives, NULL), CL_SUCCESS);
  ASSERT_SUCCESS(quern_platform_list_of_backend(quern_backend_opencl, 3, platforms, NULL));
  for (int i = 0; i < 3; i++) {
    ASSERT_SUCCESS(quern_opencl_platform_get_native(platforms[i], &native));
    assert_ptr_equal(native, natives[i]);
    ASSERT_SUCCESS(quern_opencl_platform_make_from_native(native, &again));
    assert_ptr_equal(again, platforms[i]);
  }
}

static void root_devices_go_both_ways(void **state) {
  (void)state;
  quern_device_t device = test_opencl_device(1), again = NULL;
  cl_device_id native = NULL;
  ASSERT_SUCCESS(quern_opencl_device_get_native(device, &native));
  ASSERT_SUCCESS(quern_opencl_device_make_from_native(native, quern_ownership_transfer, &again));
  assert_ptr_equal(again, device);
  ASSERT_SUCCESS(quern_device_release(again));
  assert_int_equal(fake_references(native), 1);
}

static void a_sub_device_holds_one_reference(void **state) {
  (void)state;
  quern_device_t device = make_sub_device(quern_ownership_retain);
  quern_platform_t platform = NULL;
  const char *name = NULL;
  assert_int_equal(fake_references(fake_sub_device()), 2);
  ASSERT_SUCCESS(quern_device_get_name(device, &name));
  assert_string_equal(name, "fake sub-device");
  ASSERT_SUCCESS(quern_device_get_platform(device, &platform));
  ASSERT_SUCCESS(quern_device_retain(device));
  assert_int_equal(fake_references(fake_sub_device()), 2);
  ASSERT_SUCCESS(quern_device_release(device));
  assert_int_equal(fake_references(fake_sub_device()), 2);
  ASSERT_SUCCESS(quern_device_release(device));
  assert_int_equal(fake_references(fake_sub_device()), 1);
}

static void equal_sub_devices_have_one_handle(void **state) {
  (void)state;
  quern_device_t one = make_sub_device(quern_ownership_retain), two = make_sub_device(quern_ownership_retain);
  assert_ptr_equal(one, two);
  assert_int_equal(fake_references(fake_sub_device()), 2);
  ASSERT_SUCCESS(quern_device_release(one));
  assert_int_equal(fake_references(fake_sub_device()), 2);
  ASSERT_SUCCESS(quern_device_release(two));
  assert_int_equal(fake_references(fake_sub_device()), 1);
}

static void sub_devices_are_not_listed(void **state) {
  (void)state;
  quern_device_t device = make_sub_device(quern_ownership_retain);
  quern_platform_t platform = NULL;
  size_t count = 0;
  ASSERT_SUCCESS(quern_device_get_platform(device, &platform));
  ASSERT_SUCCESS(quern_platform_get_devices(platform, quern_device_type_all, 0, NULL, &count));
  assert_int_equal(count, 4);
  ASSERT_SUCCESS(quern_device_release(device));
}

static void a_native_device_comes_retained(void **state) {
  (void)state;
  quern_device_t device = make_sub_device(quern_ownership_retain);
  cl_device_id native = NULL;
  ASSERT_SUCCESS(quern_opencl_device_get_native(device, &native));
  assert_int_equal(fake_references(native), 3);
  ASSERT_SUCCESS(quern_device_release(device));
  assert_int_equal(fake_references(native), 2);
  assert_int_equal(clReleaseDevice(native), CL_SUCCESS);
}

static void a_transferred_reference_is_the_librarys(void **state) {
  (void)state;
  assert_int_equal(clRetainDevice(fake_sub_device()), CL_SUCCESS);
  quern_device_t one = make_sub_device(quern_ownership_transfer);
  assert_int_equal(fake_references(fake_sub_device()), 2);
  assert_int_equal(clRetainDevice(fake_sub_device()), CL_SUCCESS);
  quern_device_t two = make_sub_device(quern_ownership_transfer);
  assert_int_equal(fake_references(fake_sub_device()), 2);
  ASSERT_SUCCESS(quern_device_release(one));
  ASSERT_SUCCESS(quern_device_release(two));
  assert_int_equal(fake_references(fake_sub_device()), 1);
}

static void *make_and_release(void *data) {
  (void)data;
  for (int i = 0; i < 1000; i++) {
    quern_device_t device = NULL;
    if (quern_opencl_device_make_from_native(fake_sub_device(), quern_ownership_retain, &device) != quern_success) {
      abort();
    }
    quern_device_release(device);
  }
  return NULL;
}

static void threads_may_make_the_same_sub_device(void **state) {
  (void)state;
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) assert_int_equal(pthread_create(&threads[i], NULL, make_and_release, NULL), 0);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  assert_int_equal(fake_references(fake_sub_device()), 1);
}

static void bad_arguments_are_refused(void **state) {
  (void)state;
  quern_platform_t platform = NULL;
  quern_device_t device = NULL;
  const quern_result_t refused = quern_error_invalid_argument;
  ASSERT_ERROR(quern_opencl_platform_get_native(NULL, NULL), quern_error_invalid_object, "platform");
  ASSERT_ERROR(quern_opencl_device_get_native(test_opencl_device(0), NULL), refused, "null");
  ASSERT_ERROR(quern_opencl_platform_make_from_native(NULL, &platform), refused, "null");
  ASSERT_ERROR(quern_opencl_platform_make_from_native(fake_unlisted_platform(), &platform), refused,
               "no such platform");
  ASSERT_ERROR(quern_opencl_platform_make_from_native(fake_unlisted_platform(), NULL), refused, "null");
  ASSERT_ERROR(quern_opencl_device_make_from_native(NULL, quern_ownership_retain, &device), refused, "null");
  ASSERT_ERROR(quern_opencl_device_make_from_native(fake_sub_device(), quern_ownership_retain, NULL), refused, "null");
  ASSERT_ERROR(quern_opencl_device_make_from_native(fake_sub_device(), (quern_ownership_t)test_unlisted(), &device),
               refused, "-1");
  ASSERT_ERROR(quern_device_make_from_native(quern_backend_total, state, quern_ownership_retain, &device), refused,
               "not a backend");
  ASSERT_ERROR(quern_platform_make_from_native(quern_backend_total, state, &platform), refused, "not a backend");
  assert_null(platform);
  assert_null(device);
}

static void devices_of_unlisted_platforms_are_refused(void **state) {
  (void)state;
  quern_device_t device = NULL;
  ASSERT_ERROR(quern_opencl_device_make_from_native(fake_lost_device(), quern_ownership_transfer, &device),
               quern_error_invalid_argument, "no such platform");
  assert_int_equal(fake_references(fake_lost_device()), 1);
}

static void failures_of_the_backend_are_told(void **state) {
  (void)state;
  quern_device_t device = NULL, root = test_opencl_device(0);
  cl_device_id native = NULL;
  setenv("FAKE_OPENCL", "lost", 1);
  ASSERT_ERROR(quern_opencl_device_make_from_native(fake_lost_device(), quern_ownership_retain, &device),
               quern_error_backend_failure, "CL_INVALID_DEVICE");
  setenv("FAKE_OPENCL", "no-retain", 1);
  ASSERT_ERROR(quern_opencl_device_make_from_native(fake_sub_device(), quern_ownership_transfer, &device),
               quern_error_backend_failure, "clRetainDevice: CL_OUT_OF_RESOURCES");
  ASSERT_ERROR(quern_opencl_device_get_native(root, &native), quern_error_backend_failure, "clRetainDevice");
  unsetenv("FAKE_OPENCL");
  assert_null(device);
  assert_null(native);
  assert_int_equal(fake_references(fake_sub_device()), 1);
}

int main(int argc, char **argv) {
  fake_library = argc > 1 ? argv[1] : "";
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(platforms_go_both_ways),
      cmocka_unit_test(root_devices_go_both_ways),
      cmocka_unit_test(a_sub_device_holds_one_reference),
      cmocka_unit_test(equal_sub_devices_have_one_handle),
      cmocka_unit_test(sub_devices_are_not_listed),
      cmocka_unit_test(a_native_device_comes_retained),
      cmocka_unit_test(a_transferred_reference_is_the_librarys),
      cmocka_unit_test(threads_may_make_the_same_sub_device),
      cmocka_unit_test(bad_arguments_are_refused),
      cmocka_unit_test(devices_of_unlisted_platforms_are_refused),
      cmocka_unit_test(failures_of_the_backend_are_told),
  };
  return cmocka_run_group_tests(tests, configure, NULL);
}
