/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * clGetPlatformIDs and clGetPlatformInfo. */
#include "test_device.h"

static void counts_and_lists_the_same_platforms(void **state) {
  (void)state;
  cl_uint count = 0, listed = 0;
  cl_platform_id platforms[16] = {NULL};
  ASSERT_CL(clGetPlatformIDs(0, NULL, &count));
  assert_in_range(count, 1, 16);
  ASSERT_CL(clGetPlatformIDs(16, platforms, &listed));
  assert_int_equal(listed, count);
  for (cl_uint i = 0; i < count; i++) assert_non_null(platforms[i]);
}

static void refuses_zero_entries_with_a_list_and_nothing_to_fill(void **state) {
  (void)state;
  cl_platform_id platform;
  ASSERT_CL_ERROR(clGetPlatformIDs(0, &platform, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(clGetPlatformIDs(0, NULL, NULL), CL_INVALID_VALUE);
}

static void tells_profile_version_name_vendor_and_extensions(void **state) {
  (void)state;
  char text[4096] = "";
  ASSERT_CL(clGetPlatformInfo(dut.platform, CL_PLATFORM_PROFILE, sizeof(text), text, NULL));
  assert_string_equal(text, "FULL_PROFILE");
  ASSERT_CL(clGetPlatformInfo(dut.platform, CL_PLATFORM_VERSION, sizeof(text), text, NULL));
  assert_int_equal(strncmp(text, "OpenCL 3.0 ", 11), 0);
  ASSERT_CL(clGetPlatformInfo(dut.platform, CL_PLATFORM_NAME, sizeof(text), text, NULL));
  assert_true(strlen(text) > 0);
  ASSERT_CL(clGetPlatformInfo(dut.platform, CL_PLATFORM_VENDOR, sizeof(text), text, NULL));
  assert_true(strlen(text) > 0);
  ASSERT_CL(clGetPlatformInfo(dut.platform, CL_PLATFORM_EXTENSIONS, sizeof(text), text, NULL));
  assert_non_null(strstr(text, "cl_khr_icd"));
}

static void numeric_version_agrees_with_the_string(void **state) {
  (void)state;
  ASSERT_INFO(clGetPlatformInfo, dut.platform, CL_PLATFORM_NUMERIC_VERSION, cl_version, CL_MAKE_VERSION(3, 0, 0));
}

static void versioned_extensions_are_those_of_the_string(void **state) {
  (void)state;
  char text[4096] = "";
  cl_name_version extensions[128];
  size_t size = 0;
  ASSERT_CL(clGetPlatformInfo(dut.platform, CL_PLATFORM_EXTENSIONS, sizeof(text), text, NULL));
  ASSERT_CL(
      clGetPlatformInfo(dut.platform, CL_PLATFORM_EXTENSIONS_WITH_VERSION, sizeof(extensions), extensions, &size));
  assert_true(size > 0);
  assert_int_equal(size % sizeof(*extensions), 0);
  for (size_t i = 0; i < size / sizeof(*extensions); i++) {
    assert_non_null(strstr(text, extensions[i].name));
    assert_true(extensions[i].version != 0);
  }
}

static void info_obeys_the_common_rules(void **state) {
  (void)state;
  ASSERT_INFO_RULES(clGetPlatformInfo, dut.platform, CL_PLATFORM_NAME);
}

static void string_size_counts_the_terminator(void **state) {
  (void)state;
  char text[4096];
  size_t size = 0;
  memset(text, 'x', sizeof(text));
  ASSERT_CL(clGetPlatformInfo(dut.platform, CL_PLATFORM_NAME, 0, NULL, &size));
  ASSERT_CL(clGetPlatformInfo(dut.platform, CL_PLATFORM_NAME, size, text, NULL));
  assert_int_equal(strlen(text) + 1, size);
  ASSERT_CL_ERROR(clGetPlatformInfo(dut.platform, CL_PLATFORM_NAME, size - 1, text, NULL), CL_INVALID_VALUE);
}

static void refuses_what_is_no_platform(void **state) {
  (void)state;
  char text[64];
  SKIP_UNLESS_QUERN();
  cl_platform_id foreign = (cl_platform_id)(void *)dut.queue;
  ASSERT_CL_ERROR(clGetPlatformInfo(foreign, CL_PLATFORM_NAME, sizeof(text), text, NULL), CL_INVALID_PLATFORM);
  ASSERT_CL_ERROR(clUnloadPlatformCompiler(foreign), CL_INVALID_PLATFORM);
  assert_null(clGetExtensionFunctionAddressForPlatform(foreign, "clMemFreeINTEL"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(refuses_what_is_no_platform),
      cmocka_unit_test(counts_and_lists_the_same_platforms),
      cmocka_unit_test(refuses_zero_entries_with_a_list_and_nothing_to_fill),
      cmocka_unit_test(tells_profile_version_name_vendor_and_extensions),
      cmocka_unit_test(numeric_version_agrees_with_the_string),
      cmocka_unit_test(versioned_extensions_are_those_of_the_string),
      cmocka_unit_test(info_obeys_the_common_rules),
      cmocka_unit_test(string_size_counts_the_terminator),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
