/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * muxGetExecutableVariable. */
#include "support.h"

static mux_result_t find(mux_executable_t executable, const char *name, void **address, uint64_t *size) {
  return muxGetExecutableVariable(test.device, executable, name, strlen(name), address, size);
}

TEST(is_found_by_name) {
  test_kernel_t loaded = test_kernel_load("copy_id");
  void *address = NULL;
  uint64_t size = 0, value[2];
  ASSERT_SUCCESS(muxGetExecutableVariable(test.device, loaded.executable, "number and more", 6, &address, &size));
  assert_int_equal(size, sizeof(value));
  memcpy(value, address, sizeof(value));
  assert_true(value[0] == 5 && value[1] == 6);
  memset(address, 0, sizeof(value));
  test_kernel_destroy(&loaded);
}

TEST(every_executable_has_its_own) {
  test_kernel_t first = test_kernel_load("copy_id"), second = test_kernel_load("copy_id");
  void *addresses[2] = {NULL, NULL};
  uint64_t size;
  ASSERT_SUCCESS(find(first.executable, "number", &addresses[0], &size));
  ASSERT_SUCCESS(find(second.executable, "number", &addresses[1], &size));
  assert_ptr_not_equal(addresses[0], addresses[1]);
  test_kernel_destroy(&first);
  test_kernel_destroy(&second);
}

TEST(is_missing_under_another_name) {
  test_kernel_t loaded = test_kernel_load("copy_id");
  static const char *const names[] = {"numbe", "numbers", "constant", "copy_id", "__quern_variable_number"};
  void *address = NULL;
  uint64_t size = 0;
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
    ASSERT_RESULT(mux_error_missing_variable, find(loaded.executable, names[i], &address, &size));
  assert_true(!address && !size);
  test_kernel_destroy(&loaded);
}

TEST(refuses_bad_arguments) {
  test_kernel_t loaded = test_kernel_load("copy_id");
  const mux_executable_t good = loaded.executable;
  void *address;
  uint64_t size;
  ASSERT_REFUSES_BAD(mux_device_t, device, muxGetExecutableVariable(bad, good, "number", 6, &address, &size));
  ASSERT_REFUSES_BAD(mux_executable_t, executable,
                     muxGetExecutableVariable(test.device, bad, "number", 6, &address, &size));
  ASSERT_INVALID(muxGetExecutableVariable(test.device, good, NULL, 6, &address, &size));
  ASSERT_INVALID(muxGetExecutableVariable(test.device, good, "number", 0, &address, &size));
  ASSERT_NULL_OUTPUT(muxGetExecutableVariable(test.device, good, "number", 6, NULL, &size));
  ASSERT_NULL_OUTPUT(muxGetExecutableVariable(test.device, good, "number", 6, &address, NULL));
  test_kernel_destroy(&loaded);
}

TEST(needs_shared_memory) {
  void *address;
  uint64_t size;
  ASSERT_UNSUPPORTED_WITH(shares_host_memory, false,
                          muxGetExecutableVariable(test.device, NULL, "number", 6, &address, &size));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(is_found_by_name),
    cmocka_unit_test(every_executable_has_its_own),
    cmocka_unit_test(is_missing_under_another_name),
    cmocka_unit_test(refuses_bad_arguments),
    cmocka_unit_test(needs_shared_memory),
};

TEST_MAIN(tests)
