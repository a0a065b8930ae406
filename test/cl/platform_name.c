/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * QUERN_PLATFORM_NAME: a name that the user chose, for applications that compare names. */
#include <stdlib.h>

#include <CL/cl_ext.h>

#include "test_device.h"

static const char chosen[] = "Some Other(R) OpenCL";

static void the_platform_has_the_chosen_name(void **state) {
  (void)state;
  char text[256] = "";
  ASSERT_CL(clGetPlatformInfo(dut.platform, CL_PLATFORM_NAME, sizeof(text), text, NULL));
  assert_string_equal(text, chosen);
  ASSERT_INFO_RULES(clGetPlatformInfo, dut.platform, CL_PLATFORM_NAME);
}

/* The loader tells platforms apart by their suffixes, and users by versions. */
static void all_else_is_told_as_ever(void **state) {
  (void)state;
  char text[4096] = "";
  ASSERT_CL(clGetPlatformInfo(dut.platform, CL_PLATFORM_VENDOR, sizeof(text), text, NULL));
  assert_string_equal(text, "Quern");
  ASSERT_CL(clGetPlatformInfo(dut.platform, CL_PLATFORM_ICD_SUFFIX_KHR, sizeof(text), text, NULL));
  assert_string_equal(text, "QUERN");
  ASSERT_CL(clGetPlatformInfo(dut.platform, CL_PLATFORM_VERSION, sizeof(text), text, NULL));
  assert_int_equal(strncmp(text, "OpenCL 3.0 Quern ", 17), 0);
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_VENDOR, sizeof(text), text, NULL));
  assert_string_equal(text, "Quern");
}

int main(void) {
  setenv("QUERN_PLATFORM_NAME", chosen, 1);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_platform_has_the_chosen_name),
      cmocka_unit_test(all_else_is_told_as_ever),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
