/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * muxCreateQueryPool, muxDestroyQueryPool, muxGetQueryPoolResults, and the lists of counters. */
#include "support.h"

enum { slots = 4 };
typedef struct mux_query_duration_result_s duration_t;

static mux_result_t create_pool(mux_query_type_e type, uint32_t count, const mux_query_counter_config_t *configs,
                                mux_query_pool_t *out_pool) {
  return muxCreateQueryPool(test.queue, type, count, configs, test.allocator, out_pool);
}

TEST(begins_with_zeros) {
  mux_query_pool_t pool = NULL;
  duration_t results[slots];
  memset(results, 0xff, sizeof(results));
  ASSERT_SUCCESS(create_pool(mux_query_type_duration, slots, NULL, &pool));
  assert_int_equal(pool->type, mux_query_type_duration);
  assert_int_equal(pool->count, slots);
  ASSERT_SUCCESS(muxGetQueryPoolResults(test.queue, pool, 0, slots, sizeof(results), results, sizeof(results[0])));
  for (int i = 0; i < slots; i++) assert_true(!results[i].start && !results[i].end);
  muxDestroyQueryPool(test.queue, pool, test.allocator);
}

TEST(writes_results_with_a_stride) {
  mux_query_pool_t pool = NULL;
  uint8_t data[3 * 40];
  memset(data, 0xff, sizeof(data));
  ASSERT_SUCCESS(create_pool(mux_query_type_duration, slots, NULL, &pool));
  ASSERT_SUCCESS(muxGetQueryPoolResults(test.queue, pool, 1, 3, 2 * 40 + sizeof(duration_t), data, 40));
  for (size_t i = 0; i < sizeof(data); i++) assert_int_equal(data[i], i % 40 < sizeof(duration_t) ? 0 : 0xff);
  muxDestroyQueryPool(test.queue, pool, test.allocator);
}

TEST(refuses_bad_arguments_for_results) {
  const size_t size = sizeof(duration_t);
  mux_query_pool_t pool = NULL;
  duration_t data[slots + 1];
  ASSERT_SUCCESS(create_pool(mux_query_type_duration, slots, NULL, &pool));
  ASSERT_REFUSES_BAD(mux_queue_t, queue, muxGetQueryPoolResults(bad, pool, 0, 1, size, data, size));
  ASSERT_REFUSES_BAD(mux_query_pool_t, query_pool, muxGetQueryPoolResults(test.queue, bad, 0, 1, size, data, size));
  ASSERT_INVALID(muxGetQueryPoolResults(test.queue, pool, 0, 0, size, data, size));
  ASSERT_INVALID(muxGetQueryPoolResults(test.queue, pool, 0, slots + 1, sizeof(data), data, size));
  ASSERT_INVALID(muxGetQueryPoolResults(test.queue, pool, slots, 1, size, data, size));
  ASSERT_INVALID(muxGetQueryPoolResults(test.queue, pool, UINT32_MAX, 2, 2 * size, data, size));
  ASSERT_INVALID(muxGetQueryPoolResults(test.queue, pool, 0, 1, size - 1, data, size));
  ASSERT_INVALID(muxGetQueryPoolResults(test.queue, pool, 0, 2, 2 * size - 1, data, size));
  ASSERT_INVALID(muxGetQueryPoolResults(test.queue, pool, 0, 1, size, data, size - 1));
  ASSERT_INVALID(muxGetQueryPoolResults(test.queue, pool, 0, 3, sizeof(data), data, SIZE_MAX / 2));
  ASSERT_NULL_OUTPUT(muxGetQueryPoolResults(test.queue, pool, 0, 1, size, NULL, size));
  muxDestroyQueryPool(test.queue, pool, test.allocator);
}

TEST(refuses_bad_arguments) {
  const mux_query_counter_config_t config = {.uuid = UINT32_MAX};
  mux_query_pool_t pool;
  ASSERT_REFUSES_BAD(mux_queue_t, queue,
                     muxCreateQueryPool(bad, mux_query_type_duration, 1, NULL, test.allocator, &pool));
  ASSERT_INVALID(create_pool(0, 1, NULL, &pool));
  ASSERT_INVALID(create_pool(3, 1, NULL, &pool));
  ASSERT_INVALID(create_pool(mux_query_type_duration, 0, NULL, &pool));
  ASSERT_INVALID(create_pool(mux_query_type_duration, 1, &config, &pool));
  ASSERT_UNSUPPORTED_WITH(query_counter_support, false, create_pool(mux_query_type_counter, 1, &config, &pool));
  ASSERT_NULL_OUTPUT(create_pool(mux_query_type_duration, 1, NULL, NULL));
  ASSERT_REFUSES_CALLBACKS(muxCreateQueryPool(test.queue, mux_query_type_duration, 1, NULL, allocator, &pool));
  ASSERT_SURVIVES_NO_MEMORY(create_pool(mux_query_type_duration, slots, NULL, &pool));
  for (unsigned i = 0; i < TEST_BAD_HANDLE_COUNT; i++)
    muxDestroyQueryPool(test.queue, test_bad_handle(i, mux_object_id_query_pool), test.allocator);
  muxDestroyQueryPool(NULL, pool, test.allocator);
  muxDestroyQueryPool(test.queue, pool, test.allocator);
}

/* ------------------------------------------------------------ counters */

static mux_result_t list_counters(uint32_t count, mux_query_counter_t *counters,
                                  mux_query_counter_description_t *descriptions, uint32_t *out_count) {
  return muxGetSupportedQueryCounters(test.device, mux_queue_type_compute, count, counters, descriptions, out_count);
}

TEST(has_no_counters_unless_it_says_so) {
  const mux_query_counter_config_t config = {.uuid = 1};
  uint32_t count;
  ASSERT_REFUSES_BAD(mux_device_t, device,
                     muxGetSupportedQueryCounters(bad, mux_queue_type_compute, 0, NULL, NULL, &count));
  ASSERT_INVALID(muxGetSupportedQueryCounters(test.device, mux_queue_type_total, 0, NULL, NULL, &count));
  ASSERT_REFUSES_BAD(mux_queue_t, queue, muxGetQueryCounterRequiredPasses(bad, 1, &config, &count));
  ASSERT_UNSUPPORTED_WITH(query_counter_support, false, list_counters(0, NULL, NULL, &count));
  ASSERT_UNSUPPORTED_WITH(query_counter_support, false,
                          muxGetQueryCounterRequiredPasses(test.queue, 1, &config, &count));
}

TEST(counts_then_fills_counters) {
  TEST_NEEDS(test.info->query_counter_support, "a device with counters");
  uint32_t count = 0, passes = 0;
  mux_query_counter_t counters[64];
  mux_query_counter_description_t descriptions[64];
  ASSERT_SUCCESS(list_counters(0, NULL, NULL, &count));
  assert_in_range(count, 1, 64);
  ASSERT_SUCCESS(list_counters(count, counters, descriptions, NULL));
  ASSERT_INVALID(list_counters(0, counters, NULL, &count));
  ASSERT_INVALID(list_counters(0, NULL, descriptions, &count));
  ASSERT_NULL_OUTPUT(list_counters(0, NULL, NULL, NULL));
  ASSERT_NULL_OUTPUT(list_counters(1, NULL, NULL, &count));

  mux_query_counter_config_t config = {.uuid = counters[0].uuid};
  mux_query_pool_t pool;
  ASSERT_SUCCESS(muxGetQueryCounterRequiredPasses(test.queue, 1, &config, &passes));
  assert_true(passes > 0);
  ASSERT_INVALID(muxGetQueryCounterRequiredPasses(test.queue, 0, &config, &passes));
  ASSERT_INVALID(muxGetQueryCounterRequiredPasses(test.queue, 1, NULL, &passes));
  ASSERT_NULL_OUTPUT(muxGetQueryCounterRequiredPasses(test.queue, 1, &config, NULL));
  ASSERT_INVALID(create_pool(mux_query_type_counter, 1, NULL, &pool));
  config.uuid = UINT32_MAX;
  ASSERT_INVALID(muxGetQueryCounterRequiredPasses(test.queue, 1, &config, &passes));
  ASSERT_INVALID(create_pool(mux_query_type_counter, 1, &config, &pool));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(begins_with_zeros),
    cmocka_unit_test(writes_results_with_a_stride),
    cmocka_unit_test(refuses_bad_arguments_for_results),
    cmocka_unit_test(refuses_bad_arguments),
    cmocka_unit_test(has_no_counters_unless_it_says_so),
    cmocka_unit_test(counts_then_fills_counters),
};

TEST_MAIN(tests)
