/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * muxGetDeviceInfos: counting, filling, filtering by type. */
#include "support.h"

TEST(counts_then_fills) {
  uint64_t count = 0, again = 0;
  ASSERT_SUCCESS(muxGetDeviceInfos(mux_device_type_all, 0, NULL, &count));
  assert_in_range(count, 1, 16);
  mux_device_info_t infos[16] = {NULL};
  ASSERT_SUCCESS(muxGetDeviceInfos(mux_device_type_all, count, infos, &again));
  assert_int_equal(again, count);
  for (uint64_t i = 0; i < count; i++) {
    assert_non_null(infos[i]);
    for (uint64_t j = 0; j < i; j++) assert_ptr_not_equal(infos[i], infos[j]);
  }
  assert_null(infos[count]);
}

TEST(fills_what_fits) {
  uint64_t all = 0, count = 0;
  mux_device_info_t infos[2] = {NULL};
  ASSERT_SUCCESS(muxGetDeviceInfos(mux_device_type_all, 0, NULL, &all));
  ASSERT_SUCCESS(muxGetDeviceInfos(mux_device_type_all, 1, infos, &count));
  assert_int_equal(count, all);
  assert_non_null(infos[0]);
  assert_null(infos[1]);
}

TEST(gives_the_same_infos_without_a_count) {
  mux_device_info_t first[16] = {NULL}, second[16] = {NULL};
  ASSERT_SUCCESS(muxGetDeviceInfos(mux_device_type_all, 16, first, NULL));
  ASSERT_SUCCESS(muxGetDeviceInfos(mux_device_type_all, 16, second, NULL));
  assert_memory_equal(first, second, sizeof(first));
}

TEST(filters_by_type) {
  mux_device_info_t infos[16] = {NULL};
  uint64_t all = 0, total = 0;
  ASSERT_SUCCESS(muxGetDeviceInfos(mux_device_type_all, 0, NULL, &all));
  for (uint32_t type = 1; type <= mux_device_type_custom; type <<= 1) {
    uint64_t count = 0;
    ASSERT_SUCCESS(muxGetDeviceInfos(type, 16, infos, &count));
    for (uint64_t i = 0; i < count; i++) assert_int_equal(infos[i]->device_type, type);
    total += count;
  }
  assert_int_equal(total, all);
}

TEST(describes_a_device_that_can_be_used) {
  mux_device_info_t info = test.info;
  assert_non_null(info->device_name);
  assert_non_null(info->builtin_kernel_declarations);
  assert_true(info->compute_units && info->max_concurrent_work_items && info->queue_types[mux_queue_type_compute]);
  assert_true(info->max_work_group_size_x && info->max_work_group_size_y && info->max_work_group_size_z);
  assert_true(info->allocation_size && info->allocation_size <= info->memory_size);
  assert_true(info->buffer_alignment >= 8 && !(info->buffer_alignment & (info->buffer_alignment - 1)));
  assert_true(info->endianness == mux_endianness_little || info->endianness == mux_endianness_big);
  assert_int_equal(info->supports_builtin_kernels, *info->builtin_kernel_declarations != '\0');
}

TEST(refuses_bad_arguments) {
  mux_device_info_t infos[1];
  uint64_t count;
  ASSERT_INVALID(muxGetDeviceInfos(0, 0, NULL, &count));
  ASSERT_INVALID(muxGetDeviceInfos(mux_device_type_all + 1, 0, NULL, &count));
  ASSERT_INVALID(muxGetDeviceInfos(UINT32_MAX, 1, infos, NULL));
  ASSERT_INVALID(muxGetDeviceInfos(mux_device_type_all, 0, infos, &count));
  ASSERT_NULL_OUTPUT(muxGetDeviceInfos(mux_device_type_all, 0, NULL, NULL));
  ASSERT_NULL_OUTPUT(muxGetDeviceInfos(mux_device_type_all, 1, NULL, &count));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(counts_then_fills),
    cmocka_unit_test(fills_what_fits),
    cmocka_unit_test(gives_the_same_infos_without_a_count),
    cmocka_unit_test(filters_by_type),
    cmocka_unit_test(describes_a_device_that_can_be_used),
    cmocka_unit_test(refuses_bad_arguments),
};

TEST_MAIN(tests)
