/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What kernels tell about sub-groups and vectorization. */
#include "support.h"

TEST(has_no_sub_groups_unless_it_says_so) {
  test_kernel_t kernel = test_kernel_create();
  size_t x, y, z;
  ASSERT_UNSUPPORTED_WITH(max_sub_group_count, 0, muxQuerySubGroupSizeForLocalSize(kernel.kernel, 8, 1, 1, &x));
  ASSERT_UNSUPPORTED_WITH(max_sub_group_count, 0, muxQueryLocalSizeForSubGroupCount(kernel.kernel, 1, &x, &y, &z));
  ASSERT_UNSUPPORTED_WITH(max_sub_group_count, 0, muxQueryMaxNumSubGroups(kernel.kernel, &x));
  ASSERT_REFUSES_BAD(mux_kernel_t, kernel, muxQuerySubGroupSizeForLocalSize(bad, 8, 1, 1, &x));
  ASSERT_REFUSES_BAD(mux_kernel_t, kernel, muxQueryLocalSizeForSubGroupCount(bad, 1, &x, &y, &z));
  ASSERT_REFUSES_BAD(mux_kernel_t, kernel, muxQueryMaxNumSubGroups(bad, &x));
  test_kernel_destroy(&kernel);
}

TEST(agrees_about_sub_groups) {
  TEST_NEEDS(test.info->max_sub_group_count, "a device with sub-groups");
  test_kernel_t kernel = test_kernel_create();
  size_t most = 0, size = 0, x = 0, y = 0, z = 0;
  ASSERT_SUCCESS(muxQueryMaxNumSubGroups(kernel.kernel, &most));
  assert_in_range(most, 1, test.info->max_sub_group_count);
  for (size_t count = 1; count <= most; count++) {
    ASSERT_SUCCESS(muxQueryLocalSizeForSubGroupCount(kernel.kernel, count, &x, &y, &z));
    if (!x) continue;
    assert_true(y == 1 && z == 1);
    ASSERT_SUCCESS(muxQuerySubGroupSizeForLocalSize(kernel.kernel, x, y, z, &size));
    assert_int_equal(size * count, x);
  }
  test_kernel_destroy(&kernel);
}

TEST(refuses_bad_arguments_about_sub_groups) {
  TEST_NEEDS(test.info->max_sub_group_count, "a device with sub-groups");
  test_kernel_t kernel = test_kernel_create();
  size_t x, y, z;
  ASSERT_INVALID(muxQuerySubGroupSizeForLocalSize(kernel.kernel, 0, 1, 1, &x));
  ASSERT_INVALID(muxQuerySubGroupSizeForLocalSize(kernel.kernel, 1, 0, 1, &x));
  ASSERT_INVALID(muxQuerySubGroupSizeForLocalSize(kernel.kernel, 1, 1, 0, &x));
  ASSERT_NULL_OUTPUT(muxQuerySubGroupSizeForLocalSize(kernel.kernel, 1, 1, 1, NULL));
  ASSERT_INVALID(muxQueryLocalSizeForSubGroupCount(kernel.kernel, 0, &x, &y, &z));
  ASSERT_NULL_OUTPUT(muxQueryLocalSizeForSubGroupCount(kernel.kernel, 1, NULL, &y, &z));
  ASSERT_NULL_OUTPUT(muxQueryLocalSizeForSubGroupCount(kernel.kernel, 1, &x, NULL, &z));
  ASSERT_NULL_OUTPUT(muxQueryLocalSizeForSubGroupCount(kernel.kernel, 1, &x, &y, NULL));
  ASSERT_NULL_OUTPUT(muxQueryMaxNumSubGroups(kernel.kernel, NULL));
  test_kernel_destroy(&kernel);
}

TEST(tells_how_wide_a_kernel_is) {
  test_kernel_t kernel = test_kernel_create();
  mux_wfv_status_e status = mux_wfv_status_error;
  size_t x = 0, y = 0, z = 0;
  ASSERT_REFUSES_BAD(mux_kernel_t, kernel, muxQueryWFVInfoForLocalSize(bad, 8, 1, 1, &status, &x, &y, &z));
  const mux_result_t result = muxQueryWFVInfoForLocalSize(kernel.kernel, 8, 1, 1, &status, &x, &y, &z);
  if (result == mux_error_feature_unsupported) {
    test_kernel_destroy(&kernel);
    TEST_NEEDS(false, "a target that vectorizes");
  }
  ASSERT_SUCCESS(result);
  assert_int_equal(status, mux_wfv_status_none);
  assert_true(x == 1 && y == 1 && z == 1);
  ASSERT_INVALID(muxQueryWFVInfoForLocalSize(kernel.kernel, 0, 1, 1, &status, &x, &y, &z));
  ASSERT_INVALID(muxQueryWFVInfoForLocalSize(kernel.kernel, 8, 0, 1, &status, &x, &y, &z));
  ASSERT_INVALID(muxQueryWFVInfoForLocalSize(kernel.kernel, 8, 1, 0, &status, &x, &y, &z));
  ASSERT_NULL_OUTPUT(muxQueryWFVInfoForLocalSize(kernel.kernel, 8, 1, 1, NULL, &x, &y, &z));
  ASSERT_NULL_OUTPUT(muxQueryWFVInfoForLocalSize(kernel.kernel, 8, 1, 1, &status, NULL, &y, &z));
  ASSERT_NULL_OUTPUT(muxQueryWFVInfoForLocalSize(kernel.kernel, 8, 1, 1, &status, &x, NULL, &z));
  ASSERT_NULL_OUTPUT(muxQueryWFVInfoForLocalSize(kernel.kernel, 8, 1, 1, &status, &x, &y, NULL));
  test_kernel_destroy(&kernel);
}

TEST(tells_that_a_vector_kernel_is_vectorized) {
  test_kernel_t kernel = test_kernel_load("strict");
  mux_wfv_status_e status = mux_wfv_status_error;
  size_t x = 0, y = 0, z = 0;
  ASSERT_SUCCESS(muxQueryWFVInfoForLocalSize(kernel.kernel, 4, 1, 1, &status, &x, &y, &z));
  assert_int_equal(status, mux_wfv_status_success);
  assert_true(x == 4 && y == 1 && z == 1);
  test_kernel_destroy(&kernel);
}

/* Eight work-items at once, and in a sub-group, where there are so many. */
static const struct {
  size_t local[3], sub_group, width;
} small_groups[] = {{{64, 1, 1}, 8, 8}, {{8, 1, 1}, 8, 8}, {{3, 1, 1}, 3, 3},
                    {{2, 2, 1}, 4, 2},  {{1, 1, 5}, 5, 1}, {{1, 1, 1}, 1, 1}};

TEST(asks_for_the_local_size) {
  TEST_NEEDS(test.info->max_sub_group_count, "a device with sub-groups");
  test_kernel_t kernel = test_kernel_load("fail");
  mux_wfv_status_e status = mux_wfv_status_error;
  for (size_t i = 0; i < sizeof(small_groups) / sizeof(small_groups[0]); i++) {
    const size_t *local = small_groups[i].local;
    size_t size = 0, x = 0, y = 0, z = 0;
    ASSERT_SUCCESS(muxQuerySubGroupSizeForLocalSize(kernel.kernel, local[0], local[1], local[2], &size));
    assert_int_equal(size, small_groups[i].sub_group);
    ASSERT_SUCCESS(muxQueryWFVInfoForLocalSize(kernel.kernel, local[0], local[1], local[2], &status, &x, &y, &z));
    assert_int_equal(x, small_groups[i].width);
    assert_true(y == 1 && z == 1);
    assert_int_equal(status, x > 1 ? mux_wfv_status_success : mux_wfv_status_none);
  }
  test_kernel_destroy(&kernel);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(has_no_sub_groups_unless_it_says_so),      cmocka_unit_test(agrees_about_sub_groups),
    cmocka_unit_test(refuses_bad_arguments_about_sub_groups),   cmocka_unit_test(tells_how_wide_a_kernel_is),
    cmocka_unit_test(tells_that_a_vector_kernel_is_vectorized), cmocka_unit_test(asks_for_the_local_size),
};

TEST_MAIN(tests)
