/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * muxCommandBeginQuery, muxCommandEndQuery and muxCommandResetQueryPool. */
#include <time.h>

#include "support.h"

enum { slots = 4 };
typedef struct mux_query_duration_result_s duration_t;

static mux_query_pool_t create_pool(void) {
  mux_query_pool_t pool = NULL;
  ASSERT_SUCCESS(muxCreateQueryPool(test.queue, mux_query_type_duration, slots, NULL, test.allocator, &pool));
  return pool;
}

static void read_results(mux_query_pool_t pool, duration_t results[slots]) {
  ASSERT_SUCCESS(
      muxGetQueryPoolResults(test.queue, pool, 0, slots, slots * sizeof(duration_t), results, sizeof(duration_t)));
}

static uint64_t read_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void sleep_for(mux_queue_t queue, mux_command_buffer_t command_buffer, void *user_data) {
  (void)queue, (void)command_buffer, (void)user_data;
  const struct timespec time = {.tv_nsec = 2000000};
  nanosleep(&time, NULL);
}

TEST(measures_what_runs_between) {
  mux_query_pool_t pool = create_pool();
  mux_command_buffer_t command_buffer = test_command_buffer_create();
  duration_t results[slots];
  const uint64_t before = read_clock();
  ASSERT_SUCCESS(muxCommandBeginQuery(command_buffer, pool, 0, 1, NO_SYNC));
  ASSERT_SUCCESS(muxCommandUserCallback(command_buffer, sleep_for, NULL, NO_SYNC));
  ASSERT_SUCCESS(muxCommandBeginQuery(command_buffer, pool, 1, 2, NO_SYNC)); /* Inside the first. */
  ASSERT_SUCCESS(muxCommandEndQuery(command_buffer, pool, 1, 2, NO_SYNC));
  ASSERT_SUCCESS(muxCommandEndQuery(command_buffer, pool, 0, 1, NO_SYNC));
  ASSERT_SUCCESS(test_command_buffer_run(command_buffer));
  const uint64_t after = read_clock();
  read_results(pool, results);
  for (int i = 0; i < 3; i++)
    assert_true(before <= results[i].start && results[i].start <= results[i].end && results[i].end <= after);
  assert_true(results[0].end - results[0].start >= 2000000);
  assert_true(results[1].start >= results[0].start + 2000000 && results[1].end <= results[0].end);
  assert_true(results[1].start == results[2].start && results[1].end == results[2].end);
  assert_true(!results[3].start && !results[3].end);
  test_command_buffer_destroy(command_buffer);
  muxDestroyQueryPool(test.queue, pool, test.allocator);
}

TEST(resets_to_zero) {
  mux_query_pool_t pool = create_pool();
  mux_command_buffer_t command_buffer = test_command_buffer_create();
  duration_t results[slots];
  ASSERT_SUCCESS(muxCommandBeginQuery(command_buffer, pool, 0, slots, NO_SYNC));
  ASSERT_SUCCESS(muxCommandEndQuery(command_buffer, pool, 0, slots, NO_SYNC));
  ASSERT_SUCCESS(muxCommandResetQueryPool(command_buffer, pool, 1, 2, NO_SYNC));
  ASSERT_SUCCESS(test_command_buffer_run(command_buffer));
  read_results(pool, results);
  for (int i = 0; i < slots; i++) assert_int_equal(results[i].start && results[i].end, i == 0 || i == 3);
  test_command_buffer_destroy(command_buffer);
  muxDestroyQueryPool(test.queue, pool, test.allocator);
}

TEST(pairs_begin_with_end) {
  mux_query_pool_t pool = create_pool(), other = create_pool();
  mux_command_buffer_t command_buffer = test_command_buffer_create();
  ASSERT_INVALID(muxCommandEndQuery(command_buffer, pool, 0, 1, NO_SYNC));
  ASSERT_SUCCESS(muxCommandBeginQuery(command_buffer, pool, 1, 2, NO_SYNC));
  ASSERT_INVALID(muxFinalizeCommandBuffer(command_buffer));
  ASSERT_INVALID(muxCommandBeginQuery(command_buffer, pool, 1, 2, NO_SYNC)); /* Begun already, wholly or in part. */
  ASSERT_INVALID(muxCommandBeginQuery(command_buffer, pool, 0, 2, NO_SYNC));
  ASSERT_INVALID(muxCommandBeginQuery(command_buffer, pool, 2, 1, NO_SYNC));
  ASSERT_INVALID(muxCommandEndQuery(command_buffer, other, 1, 2, NO_SYNC));
  ASSERT_INVALID(muxCommandEndQuery(command_buffer, pool, 1, 1, NO_SYNC)); /* Other slots than those begun. */
  ASSERT_INVALID(muxCommandEndQuery(command_buffer, pool, 2, 1, NO_SYNC));
  ASSERT_INVALID(muxCommandEndQuery(command_buffer, pool, 0, 3, NO_SYNC));
  ASSERT_SUCCESS(muxCommandEndQuery(command_buffer, pool, 1, 2, NO_SYNC));
  ASSERT_INVALID(muxCommandEndQuery(command_buffer, pool, 1, 2, NO_SYNC));
  ASSERT_SUCCESS(muxCommandBeginQuery(command_buffer, pool, 2, 1, NO_SYNC));
  ASSERT_SUCCESS(muxCommandEndQuery(command_buffer, pool, 2, 1, NO_SYNC));
  ASSERT_SUCCESS(test_command_buffer_run(command_buffer));
  test_command_buffer_destroy(command_buffer);
  muxDestroyQueryPool(test.queue, other, test.allocator);
  muxDestroyQueryPool(test.queue, pool, test.allocator);
}

TEST(forgets_what_is_begun_when_it_is_reset) {
  mux_query_pool_t pool = create_pool();
  mux_command_buffer_t command_buffer = test_command_buffer_create();
  ASSERT_SUCCESS(muxCommandBeginQuery(command_buffer, pool, 0, 1, NO_SYNC));
  ASSERT_SUCCESS(muxResetCommandBuffer(command_buffer));
  ASSERT_INVALID(muxCommandEndQuery(command_buffer, pool, 0, 1, NO_SYNC));
  ASSERT_SUCCESS(muxFinalizeCommandBuffer(command_buffer));
  test_command_buffer_destroy(command_buffer);
  muxDestroyQueryPool(test.queue, pool, test.allocator);
}

typedef mux_result_t (*command_t)(mux_command_buffer_t, mux_query_pool_t, uint32_t, uint32_t, MUX_SYNC_PARAMETERS);

/* The end needs a begin to get as far as that. */
static void check_command(command_t record, bool is_end) {
  mux_query_pool_t pool = create_pool();
  mux_command_buffer_t recording = test_command_buffer_create();
  if (is_end) ASSERT_SUCCESS(muxCommandBeginQuery(recording, pool, 0, 1, NO_SYNC));
  ASSERT_CHECKS_COMMAND_BUFFER(record(command_buffer, pool, 0, 1, NO_SYNC));
  ASSERT_REFUSES_BAD(mux_query_pool_t, query_pool, record(recording, bad, 0, 1, NO_SYNC));
  ASSERT_INVALID(record(recording, pool, 0, 0, NO_SYNC));
  ASSERT_INVALID(record(recording, pool, 0, slots + 1, NO_SYNC));
  ASSERT_INVALID(record(recording, pool, slots, 1, NO_SYNC));
  ASSERT_INVALID(record(recording, pool, UINT32_MAX, 2, NO_SYNC));
  ASSERT_CHECKS_SYNC(recording, record(recording, pool, 0, 1, CHECKED_SYNC));
  test_command_buffer_destroy(recording);
  muxDestroyQueryPool(test.queue, pool, test.allocator);
}

TEST(refuses_bad_arguments) {
  check_command(muxCommandBeginQuery, false);
  check_command(muxCommandEndQuery, true);
  check_command(muxCommandResetQueryPool, false);
}

static mux_result_t record_pair(mux_command_buffer_t command_buffer, mux_query_pool_t pool) {
  const mux_result_t result = muxCommandBeginQuery(command_buffer, pool, 0, 1, NO_SYNC);
  if (result) return result;
  mux_result_t end = muxCommandEndQuery(command_buffer, pool, 0, 1, NO_SYNC);
  if (!end) return mux_success;
  /* The query stays begun when its end could not be stored. */
  test_allocations_limit(-1);
  ASSERT_SUCCESS(muxCommandEndQuery(command_buffer, pool, 0, 1, NO_SYNC));
  return end;
}

/* Whichever allocation the pairs above fail at: here it is the end of one. */
TEST(end_survives_a_lack_of_memory) {
  mux_query_pool_t pool = create_pool();
  mux_command_buffer_t command_buffer = test_command_buffer_create();
  mux_result_t result = mux_success;
  ASSERT_SUCCESS(muxCommandBeginQuery(command_buffer, pool, 0, 1, NO_SYNC));
  test_allocations_limit(0);
  for (long i = 0; !result && i < 100000; i++) result = muxCommandResetQueryPool(command_buffer, pool, 1, 1, NO_SYNC);
  ASSERT_RESULT(mux_error_out_of_memory, muxCommandEndQuery(command_buffer, pool, 0, 1, NO_SYNC));
  test_allocations_limit(-1);
  ASSERT_SUCCESS(muxCommandEndQuery(command_buffer, pool, 0, 1, NO_SYNC));
  ASSERT_SUCCESS(test_command_buffer_run(command_buffer));
  test_command_buffer_destroy(command_buffer);
  muxDestroyQueryPool(test.queue, pool, test.allocator);
}

TEST(survives_a_lack_of_memory) {
  mux_query_pool_t pool = create_pool();
  mux_command_buffer_t pairs = test_command_buffer_create(), resets = test_command_buffer_create();
  ASSERT_RECORDS_WITHOUT_MEMORY(record_pair(pairs, pool));
  ASSERT_RECORDS_WITHOUT_MEMORY(muxCommandResetQueryPool(resets, pool, 0, 1, NO_SYNC));
  ASSERT_SUCCESS(test_command_buffer_run(pairs));
  test_command_buffer_destroy(resets);
  test_command_buffer_destroy(pairs);
  muxDestroyQueryPool(test.queue, pool, test.allocator);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(measures_what_runs_between),    cmocka_unit_test(resets_to_zero),
    cmocka_unit_test(pairs_begin_with_end),          cmocka_unit_test(forgets_what_is_begun_when_it_is_reset),
    cmocka_unit_test(refuses_bad_arguments),         cmocka_unit_test(survives_a_lack_of_memory),
    cmocka_unit_test(end_survives_a_lack_of_memory),
};

TEST_MAIN(tests)
