/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Waits with a limit of time, and callbacks of events. Argument: the OpenCL platform. */
#include <sched.h>
#include <time.h>

#include "groups.h"

enum { items = 256, bytes = items * sizeof(int) };

static const uint64_t soon = 20000000, long_enough = UINT64_MAX;

static uint64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static quern_result_t wait_for_gate(quern_handle_t handle, void *data) {
  (void)handle;
  while (!atomic_load((atomic_bool *)data)) sched_yield();
  return quern_success;
}

static quern_event_t submit_gate(quern_queue_t queue, atomic_bool *gate) {
  quern_group_t group = test_group(queue);
  ASSERT_SUCCESS(quern_group_set_host_task(group, wait_for_gate, gate));
  return test_submit(group);
}

static quern_memory_t zeros(void) {
  static const int values[items];
  quern_memory_options_t options = QUERN_MEMORY_OPTIONS_INIT;
  options.flags = quern_memory_copy_host;
  return test_buffer(bytes, (void *)(uintptr_t)values, &options);
}

/* The group, what is behind it on the device, and their queue; then all of them are complete in time. */
static void waits_end_with_the_time(void **state) {
  (void)state;
  atomic_bool gate = false;
  quern_memory_t memory = zeros();
  quern_event_t closed = submit_gate(test_on_device.in_order, &gate);
  quern_event_t behind = test_submit(test_addition(&test_on_device, test_on_device.in_order, memory, 1, items));
  uint64_t begin = now_ns();
  ASSERT_ERROR(quern_event_wait_for(closed, soon), quern_error_timed_out, "not complete");
  ASSERT_ERROR(quern_event_wait_for(behind, soon), quern_error_timed_out, "not complete");
  ASSERT_ERROR(quern_queue_wait_for(test_on_device.in_order, soon), quern_error_timed_out, "not complete");
  assert_true(now_ns() - begin >= 3 * soon);
  ASSERT_ERROR(quern_event_wait_for(closed, 0), quern_error_timed_out, "not complete");
  ASSERT_ERROR(quern_queue_wait_for(test_on_device.in_order, 0), quern_error_timed_out, "not complete");
  atomic_store(&gate, true);
  ASSERT_SUCCESS(quern_event_wait_for(behind, long_enough));
  ASSERT_SUCCESS(quern_event_wait_for(closed, 0));
  ASSERT_SUCCESS(quern_queue_wait_for(test_on_device.in_order, long_enough));
  test_expect(memory, 1, items);
  ASSERT_SUCCESS(quern_event_release(closed));
  ASSERT_SUCCESS(quern_event_release(behind));
  ASSERT_SUCCESS(quern_memory_release(memory));
}

/* More than a second, of which the rest alone would be too short. */
static void limits_may_be_longer_than_a_second(void **state) {
  (void)state;
  const uint64_t limit = 1100000000;
  atomic_bool gate = false;
  quern_event_t closed = submit_gate(test_on_host.in_order, &gate);
  uint64_t begin = now_ns();
  ASSERT_ERROR(quern_event_wait_for(closed, limit), quern_error_timed_out, "not complete");
  assert_in_range(now_ns() - begin, limit, 100 * limit);
  atomic_store(&gate, true);
  test_finish(closed);
}

static void retained_events_stay(void **state) {
  (void)state;
  atomic_bool gate = false;
  quern_event_status_t status;
  quern_event_t event = submit_gate(test_on_host.in_order, &gate);
  ASSERT_SUCCESS(quern_event_retain(event));
  ASSERT_SUCCESS(quern_event_release(event));
  atomic_store(&gate, true);
  ASSERT_SUCCESS(quern_queue_wait(test_on_host.in_order));
  ASSERT_SUCCESS(quern_event_wait(event));
  ASSERT_SUCCESS(quern_event_get_status(event, &status));
  assert_int_equal(status, quern_event_complete);
  ASSERT_SUCCESS(quern_event_release(event));
  ASSERT_ERROR(quern_event_retain(NULL), quern_error_invalid_object, "null");
}

/* What the device has got, and nobody else waits for. */
static void commands_of_the_device_are_noticed(void **state) {
  (void)state;
  quern_memory_t memory = zeros();
  for (int i = 0; i < 200; i++) {
    quern_queue_t queue = i % 2 ? test_on_device.in_order : test_on_device.out_of_order;
    quern_event_t event = test_submit(test_addition(&test_on_device, queue, memory, 1, items));
    if (i % 3 == 0) ASSERT_SUCCESS(quern_queue_wait_for(queue, long_enough));
    ASSERT_SUCCESS(quern_event_wait_for(event, long_enough));
    ASSERT_SUCCESS(quern_event_release(event));
  }
  test_expect(memory, 200, items);
  ASSERT_SUCCESS(quern_memory_release(memory));
}

static quern_result_t fail_task(quern_handle_t handle, void *data) {
  return quern_handle_fail(handle, quern_error_not_found, data);
}

static void outcomes_are_told(void **state) {
  (void)state;
  char text[] = "of this test";
  quern_group_t group = test_group(test_on_host.in_order);
  ASSERT_SUCCESS(quern_group_set_host_task(group, fail_task, text));
  quern_event_t event = test_submit(group);
  ASSERT_ERROR(quern_event_wait_for(event, long_enough), quern_error_not_found, text);
  assert_int_equal(atomic_exchange(&test_on_host.errors.count, 0), 1);
  ASSERT_SUCCESS(quern_event_release(event));
}

/* ------------------------------------------------------------ callbacks */

typedef struct told_t {
  atomic_int count;
  quern_result_t result;
  bool can_wait;
} told_t;

static void tell(quern_event_t event, quern_result_t result, void *data) {
  told_t *told = data;
  told->result = result;
  told->can_wait = quern_event_wait(event) == result;
  atomic_fetch_add(&told->count, 1);
}

static void expect_told(told_t *told, int count, quern_result_t result) {
  while (atomic_load(&told->count) < count) sched_yield();
  assert_int_equal(told->result, result);
  assert_true(told->can_wait);
}

/* Several of one event, which may be released at once; and of what is complete, on this thread. */
static void callbacks_are_called_once(void **state) {
  (void)state;
  atomic_bool gate = false;
  told_t told[3] = {{0}};
  quern_memory_t memory = zeros();
  quern_event_t closed = submit_gate(test_on_device.in_order, &gate);
  quern_event_t behind = test_submit(test_addition(&test_on_device, test_on_device.in_order, memory, 1, items));
  ASSERT_SUCCESS(quern_event_set_callback(closed, tell, &told[0]));
  ASSERT_SUCCESS(quern_event_set_callback(behind, tell, &told[1]));
  ASSERT_SUCCESS(quern_event_set_callback(behind, tell, &told[1]));
  ASSERT_SUCCESS(quern_event_release(behind));
  for (int i = 0; i < 2; i++) assert_int_equal(atomic_load(&told[i].count), 0);
  atomic_store(&gate, true);
  expect_told(&told[0], 1, quern_success);
  expect_told(&told[1], 2, quern_success);
  ASSERT_SUCCESS(quern_event_set_callback(closed, tell, &told[2]));
  assert_int_equal(atomic_load(&told[2].count), 1);
  ASSERT_SUCCESS(quern_queue_wait(test_on_device.in_order));
  assert_int_equal(atomic_load(&told[0].count), 1);
  assert_int_equal(atomic_load(&told[1].count), 2);
  ASSERT_SUCCESS(quern_event_release(closed));
  ASSERT_SUCCESS(quern_memory_release(memory));
}

static void callbacks_get_the_failure(void **state) {
  (void)state;
  told_t told = {0};
  char text[] = "of this test";
  quern_group_t group = test_group(test_on_host.in_order);
  ASSERT_SUCCESS(quern_group_set_host_task(group, fail_task, text));
  quern_event_t event = test_submit(group);
  ASSERT_SUCCESS(quern_event_set_callback(event, tell, &told));
  expect_told(&told, 1, quern_error_not_found);
  assert_int_equal(atomic_exchange(&test_on_host.errors.count, 0), 1);
  ASSERT_ERROR(quern_event_set_callback(event, NULL, NULL), quern_error_invalid_argument, "null");
  ASSERT_ERROR(quern_event_set_callback(NULL, tell, NULL), quern_error_invalid_object, "null");
  ASSERT_SUCCESS(quern_event_release(event));
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(limits_may_be_longer_than_a_second),
      cmocka_unit_test(retained_events_stay),
      cmocka_unit_test(waits_end_with_the_time),
      cmocka_unit_test(commands_of_the_device_are_noticed),
      cmocka_unit_test(outcomes_are_told),
      cmocka_unit_test(callbacks_are_called_once),
      cmocka_unit_test(callbacks_get_the_failure),
  };
  return TEST_RUN_OVER_PLACES(argc, argv, tests);
}
