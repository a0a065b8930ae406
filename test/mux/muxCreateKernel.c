/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * muxCreateKernel, muxCreateBuiltInKernel and muxDestroyKernel. */
#include "support.h"

TEST(is_found_by_name) {
  test_kernel_t loaded = test_kernel_load("copy_id");
  mux_kernel_t kernel = NULL;
  ASSERT_SUCCESS(muxCreateKernel(test.device, loaded.executable, "copy_id and more", 7, test.allocator, &kernel));
  assert_ptr_equal(kernel->device, test.device);
  assert_true(kernel->preferred_local_size_x && kernel->preferred_local_size_y && kernel->preferred_local_size_z);
  muxDestroyKernel(test.device, kernel, test.allocator);
  test_kernel_destroy(&loaded);
}

TEST(is_missing_under_another_name) {
  test_kernel_t loaded = test_kernel_load("copy_id");
  static const char *const names[] = {"copy_i", "copy_idx", "", "opy_id", "COPY_ID"};
  mux_kernel_t kernel;
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    const size_t length = names[i][0] ? strlen(names[i]) : 1; /* A name of one NUL. */
    ASSERT_RESULT(mux_error_missing_kernel,
                  muxCreateKernel(test.device, loaded.executable, names[i], length, test.allocator, &kernel));
  }
  test_kernel_destroy(&loaded);
}

TEST(refuses_bad_arguments) {
  test_kernel_t loaded = test_kernel_load("copy_id");
  const mux_executable_t good = loaded.executable;
  mux_kernel_t kernel;
  ASSERT_REFUSES_BAD(mux_device_t, device, muxCreateKernel(bad, good, "copy_id", 7, test.allocator, &kernel));
  ASSERT_REFUSES_BAD(mux_executable_t, executable,
                     muxCreateKernel(test.device, bad, "copy_id", 7, test.allocator, &kernel));
  ASSERT_INVALID(muxCreateKernel(test.device, good, NULL, 7, test.allocator, &kernel));
  ASSERT_INVALID(muxCreateKernel(test.device, good, "copy_id", 0, test.allocator, &kernel));
  ASSERT_NULL_OUTPUT(muxCreateKernel(test.device, good, "copy_id", 7, test.allocator, NULL));
  ASSERT_REFUSES_CALLBACKS(muxCreateKernel(test.device, good, "copy_id", 7, allocator, &kernel));
  ASSERT_SURVIVES_NO_MEMORY(muxCreateKernel(test.device, good, "copy_id", 7, test.allocator, &kernel));
  for (unsigned i = 0; i < TEST_BAD_HANDLE_COUNT; i++)
    muxDestroyKernel(test.device, test_bad_handle(i, mux_object_id_kernel), test.allocator);
  muxDestroyKernel(NULL, kernel, test.allocator);
  muxDestroyKernel(test.device, kernel, test.allocator);
  test_kernel_destroy(&loaded);
}

/* Also where a target loads nothing. */
TEST(refuses_what_is_no_executable) {
  mux_kernel_t kernel;
  ASSERT_REFUSES_BAD(mux_executable_t, executable,
                     muxCreateKernel(test.device, bad, "copy_id", 7, test.allocator, &kernel));
}

static mux_result_t create_built_in(const char *name, mux_kernel_t *out_kernel) {
  return muxCreateBuiltInKernel(test.device, name, name ? strlen(name) : 1, test.allocator, out_kernel);
}

TEST(is_built_in_where_the_device_says_so) {
  mux_kernel_t kernel = NULL;
  ASSERT_UNSUPPORTED_WITH(supports_builtin_kernels, false, create_built_in("copy_id", &kernel));
  TEST_NEEDS(test.info->supports_builtin_kernels, "a device with built-in kernels");
  char name[64] = {0};
  memcpy(name, test.info->builtin_kernel_declarations, strcspn(test.info->builtin_kernel_declarations, "("));
  ASSERT_SUCCESS(create_built_in(name, &kernel));
  assert_ptr_equal(kernel->device, test.device);
  muxDestroyKernel(test.device, kernel, test.allocator);
  ASSERT_RESULT(mux_error_missing_kernel, create_built_in("no such kernel", &kernel));
  ASSERT_REFUSES_BAD(mux_device_t, device, muxCreateBuiltInKernel(bad, name, 1, test.allocator, &kernel));
  ASSERT_INVALID(create_built_in(NULL, &kernel));
  ASSERT_INVALID(create_built_in("", &kernel));
  ASSERT_NULL_OUTPUT(create_built_in(name, NULL));
  ASSERT_REFUSES_CALLBACKS(muxCreateBuiltInKernel(test.device, name, strlen(name), allocator, &kernel));
  ASSERT_SURVIVES_NO_MEMORY(create_built_in(name, &kernel));
  muxDestroyKernel(test.device, kernel, test.allocator);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(is_found_by_name),
    cmocka_unit_test(is_missing_under_another_name),
    cmocka_unit_test(refuses_bad_arguments),
    cmocka_unit_test(refuses_what_is_no_executable),
    cmocka_unit_test(is_built_in_where_the_device_says_so),
};

TEST_MAIN(tests)
