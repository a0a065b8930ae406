/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * muxGetDeviceThreads. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "support.h"

static bool has_threads(void) {
  uint64_t count = 0;
  return muxGetDeviceThreads(test.device, 0, NULL, &count) == mux_success;
}

#define NEEDS_THREADS() TEST_NEEDS(has_threads(), "threads")

TEST(tells_of_all_threads) {
  NEEDS_THREADS();
  uint64_t count = 0, again = 0;
  ASSERT_SUCCESS(muxGetDeviceThreads(test.device, 0, NULL, &count));
  assert_true(count == (uint64_t)test.info->compute_units + 1);
  mux_thread_info_s *infos = calloc(count + 1, sizeof(*infos));
  assert_non_null(infos);
  infos[count].busy = 77;
  ASSERT_SUCCESS(muxGetDeviceThreads(test.device, count + 1, infos, &again));
  assert_true(again == count);
  assert_true(infos[count].busy == 77);
  free(infos);
}

TEST(time_is_counted) {
  NEEDS_THREADS();
  mux_thread_info_s before, after;
  mux_command_buffer_t commands;
  ASSERT_SUCCESS(muxGetDeviceThreads(test.device, 1, &before, NULL));
  ASSERT_SUCCESS(muxCreateCommandBuffer(test.device, NULL, test.allocator, &commands));
  ASSERT_SUCCESS(muxFinalizeCommandBuffer(commands));
  mux_queue_t queue = NULL;
  ASSERT_SUCCESS(muxGetQueue(test.device, mux_queue_type_compute, 0, &queue));
  uint64_t dispatches = 0;
  /* A worker may be faster than the caller, but is not always. */
  for (int i = 0; i < 10000 && !dispatches; i++) {
    ASSERT_SUCCESS(muxDispatch(queue, commands, NULL, NULL, 0, NULL, 0, NULL, NULL));
    ASSERT_SUCCESS(muxWaitAll(queue));
    ASSERT_SUCCESS(muxGetDeviceThreads(test.device, 1, &after, NULL));
    dispatches = after.dispatches - before.dispatches;
  }
  assert_true(dispatches > 0);
  assert_true(after.busy > before.busy);
  muxDestroyCommandBuffer(test.device, commands, test.allocator);
}

static uint64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static uint64_t program_start;

/* No thread has had more time than there was. */
TEST(times_are_nanoseconds) {
  NEEDS_THREADS();
  uint64_t count = 0;
  ASSERT_SUCCESS(muxGetDeviceThreads(test.device, 0, NULL, &count));
  mux_thread_info_s *infos = calloc(count, sizeof(*infos));
  assert_non_null(infos);
  mux_command_buffer_t commands = test_command_buffer_create();
  ASSERT_SUCCESS(muxFinalizeCommandBuffer(commands));
  /* Mostly idle, and awake now and then, since idle time is told when it ends. */
  for (int i = 0; i < 200; i++) {
    ASSERT_SUCCESS(muxDispatch(test.queue, commands, NULL, NULL, 0, NULL, 0, NULL, NULL));
    nanosleep(&(struct timespec){0, 500000}, NULL);
    ASSERT_SUCCESS(muxWaitAll(test.queue));
  }
  ASSERT_SUCCESS(muxGetDeviceThreads(test.device, count, infos, NULL));
  const uint64_t passed = now_ns() - program_start, most = passed + passed / 10;
  for (uint64_t i = 1; i < count; i++) {
    assert_true(infos[i].busy <= most && infos[i].idle <= most && infos[i].busy + infos[i].idle <= most);
    assert_true(infos[i].stealing <= most && infos[i].waking <= most);
  }
  free(infos);
  test_command_buffer_destroy(commands);
}

TEST(refuses_bad_arguments) {
  uint64_t count;
  mux_thread_info_s info;
  ASSERT_REFUSES_BAD(mux_device_t, device, muxGetDeviceThreads(bad, 0, NULL, &count));
  NEEDS_THREADS();
  ASSERT_INVALID(muxGetDeviceThreads(test.device, 0, &info, &count));
  ASSERT_NULL_OUTPUT(muxGetDeviceThreads(test.device, 0, NULL, NULL));
  ASSERT_NULL_OUTPUT(muxGetDeviceThreads(test.device, 1, NULL, &count));
}

int main(void) {
  program_start = now_ns();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tells_of_all_threads),
      cmocka_unit_test(time_is_counted),
      cmocka_unit_test(times_are_nanoseconds),
      cmocka_unit_test(refuses_bad_arguments),
  };
  return cmocka_run_group_tests_name(__FILE__, tests, test_setup, test_teardown);
}
