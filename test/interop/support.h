/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What most tests of the interop library need. */
#ifndef TEST_INTEROP_SUPPORT_H
#define TEST_INTEROP_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "quern/interop.h"

/** Names the reason when a call that must succeed does not. */
#define ASSERT_SUCCESS(call)                                                       \
  do {                                                                             \
    quern_result_t result_ = (call);                                               \
    if (result_ != quern_success) print_error("%s\n", quern_last_error_message()); \
    assert_int_equal(result_, quern_success);                                      \
  } while (0)

/** The result, and a message with `part` in it. */
#define ASSERT_ERROR(call, result, part)                       \
  do {                                                         \
    assert_int_equal(call, result);                            \
    assert_non_null(strstr(quern_last_error_message(), part)); \
    assert_null(strchr(quern_last_error_message(), '\n'));     \
  } while (0)

/** A value that no enum lists, and that compilers do not see. */
static inline int test_unlisted(void) { return (int)strtol("-1", NULL, 10); }

enum { test_list_capacity = 16 };

/** Makes the library use `opencl_library`, null for the ICD loader. */
static inline void test_configure(const char *opencl_library) {
  quern_configuration_t configuration = QUERN_CONFIGURATION_INIT;
  configuration.opencl_library = opencl_library;
  ASSERT_SUCCESS(quern_configure(&configuration));
}

/** The host's only device. */
static inline quern_device_t test_host_device(void) {
  quern_platform_t platform = NULL;
  quern_device_t device = NULL;
  ASSERT_SUCCESS(quern_platform_make(quern_backend_host, &platform));
  ASSERT_SUCCESS(quern_platform_get_devices(platform, quern_device_type_all, 1, &device, NULL));
  return device;
}

/** Device `index` of the first OpenCL platform. */
static inline quern_device_t test_opencl_device(size_t index) {
  quern_platform_t platform = NULL;
  quern_device_t devices[test_list_capacity] = {NULL};
  size_t count = 0;
  ASSERT_SUCCESS(quern_platform_make(quern_backend_opencl, &platform));
  ASSERT_SUCCESS(quern_platform_get_devices(platform, quern_device_type_all, test_list_capacity, devices, &count));
  assert_true(index < count);
  return devices[index];
}

#endif
