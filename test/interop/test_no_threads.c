/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The system gives the library no thread: groups that need one are run by whoever waits. The library's own objects are
 * linked, as only their calls can be led elsewhere. Argument: the OpenCL platform.
 *
 * Each test ends with every group complete; one that waits for ever is ended by the alarm. */
#include <sched.h>
#include <semaphore.h>
#include <unistd.h>

#include "allocations.h"
#include "groups.h"

enum { items = 64, bytes = items * sizeof(int) };

static const uint64_t long_enough = UINT64_MAX;

static quern_memory_t zeros(void) {
  static const int values[items];
  quern_memory_options_t options = QUERN_MEMORY_OPTIONS_INIT;
  options.flags = quern_memory_copy_host;
  return test_buffer(bytes, (void *)(uintptr_t)values, &options);
}

/** A host task that adds to its memory, and notes by whom it was run. */
typedef struct addition_t {
  quern_accessor_t accessor;
  int value;
  pthread_t runner;
  atomic_int runs;
} addition_t;

static quern_result_t run_addition(quern_handle_t handle, void *data) {
  addition_t *addition = data;
  void *pointer = NULL;
  quern_result_t result = quern_handle_get_pointer(handle, addition->accessor, &pointer);
  for (int i = 0; result == quern_success && i < items; i++) ((int *)pointer)[i] += addition->value;
  addition->runner = pthread_self();
  atomic_fetch_add(&addition->runs, 1);
  return result;
}

static quern_group_t host_addition(quern_queue_t queue, quern_memory_t memory, addition_t *addition) {
  quern_group_t group = test_group(queue);
  addition->accessor = test_access(group, memory, quern_access_read_write);
  ASSERT_SUCCESS(quern_group_set_host_task(group, run_addition, addition));
  return group;
}

static void expect_run_by(const addition_t *addition, pthread_t thread) {
  assert_int_equal(atomic_load(&addition->runs), 1);
  assert_true(pthread_equal(addition->runner, thread));
}

static void release(quern_memory_t memory, int expected) {
  test_expect(memory, expected, items);
  ASSERT_SUCCESS(quern_memory_release(memory));
}

/* ------------------------------------------------------------ waits of all kinds */

static void whoever_waits_for_an_event_runs_its_task(void **state) {
  (void)state;
  const quern_queue_t queues[] = {test_on_host.in_order, test_on_host.out_of_order, test_on_device.in_order,
                                  test_on_device.out_of_order};
  for (size_t i = 0; i < sizeof(queues) / sizeof(*queues); i++) {
    quern_memory_t memory = zeros();
    addition_t addition = {.value = 3};
    test_finish(test_submit(host_addition(queues[i], memory, &addition)));
    expect_run_by(&addition, pthread_self());
    release(memory, 3);
  }
}

static void whoever_waits_for_a_queue_runs_its_tasks(void **state) {
  (void)state;
  quern_memory_t memory = zeros();
  addition_t additions[8] = {{.value = 0}};
  for (int i = 0; i < 8; i++) {
    additions[i].value = 1;
    const test_place_t *place = i % 2 ? &test_on_device : &test_on_host;
    test_submit_only(host_addition(place->out_of_order, memory, &additions[i]));
  }
  ASSERT_SUCCESS(quern_queue_wait(test_on_host.out_of_order));
  ASSERT_SUCCESS(quern_queue_wait_for(test_on_device.out_of_order, long_enough));
  for (int i = 0; i < 8; i++) expect_run_by(&additions[i], pthread_self());
  release(memory, 8);
}

static void waits_with_a_limit_run_it(void **state) {
  (void)state;
  quern_memory_t memory = zeros();
  addition_t addition = {.value = 5};
  quern_event_t event = test_submit(host_addition(test_on_host.in_order, memory, &addition));
  ASSERT_SUCCESS(quern_event_wait_for(event, long_enough));
  ASSERT_SUCCESS(quern_event_release(event));
  expect_run_by(&addition, pthread_self());
  release(memory, 5);
}

static void whoever_asks_runs_it(void **state) {
  (void)state;
  quern_memory_t memory = zeros();
  addition_t addition = {.value = 2};
  quern_event_status_t status = quern_event_submitted;
  quern_event_t before = test_submit(test_addition(&test_on_device, test_on_device.out_of_order, memory, 1, items));
  quern_event_t event = test_submit(host_addition(test_on_device.out_of_order, memory, &addition));
  while (status != quern_event_complete) ASSERT_SUCCESS(quern_event_get_status(event, &status));
  ASSERT_SUCCESS(quern_event_release(before));
  ASSERT_SUCCESS(quern_event_release(event));
  release(memory, 3);
}

static void host_accesses_wait_for_it(void **state) {
  (void)state;
  quern_memory_t memory = zeros();
  addition_t addition = {.value = 7};
  test_submit_only(host_addition(test_on_device.in_order, memory, &addition));
  release(memory, 7);
  expect_run_by(&addition, pthread_self());
}

/* ------------------------------------------------------------ what depends on a device */

/* What is behind a task on the device waits there, where nobody may sleep who has to run the task. */
static void kernels_and_tasks_take_turns(void **state) {
  (void)state;
  const quern_queue_t queues[] = {test_on_device.in_order, test_on_device.out_of_order};
  for (int i = 0; i < 2; i++) {
    quern_memory_t memory = zeros();
    addition_t additions[10] = {{.value = 0}};
    quern_event_t last = NULL;
    for (int j = 0; j < 10; j++) {
      additions[j].value = 1;
      test_submit_only(test_addition(&test_on_device, queues[i], memory, 1, items));
      test_submit_only(host_addition(j % 3 ? queues[i] : test_on_host.in_order, memory, &additions[j]));
    }
    last = test_submit(test_addition(&test_on_device, queues[i], memory, 1, items));
    test_finish(last);
    release(memory, 21);
  }
}

static quern_result_t fill_natively(quern_handle_t handle, void *data) {
  const addition_t *addition = data;
  void *queue = NULL, *memory = NULL;
  quern_result_t result = quern_handle_get_queue(handle, &queue);
  if (result == quern_success) result = quern_handle_get_mem(handle, addition->accessor, &memory);
  if (result != quern_success) return result;
  cl_int error = clEnqueueFillBuffer(queue, memory, &addition->value, sizeof(int), 0, bytes, 0, NULL, NULL);
  if (error == CL_SUCCESS) error = clFinish(queue);
  return error == CL_SUCCESS ? quern_success : quern_error_backend_failure;
}

static void interop_tasks_run(void **state) {
  (void)state;
  quern_memory_t memory = zeros();
  addition_t filling = {.value = 40}, addition = {.value = 1};
  test_submit_only(host_addition(test_on_host.in_order, memory, &addition));
  quern_group_t group = test_group(test_on_device.out_of_order);
  filling.accessor = test_access(group, memory, quern_access_read_write);
  ASSERT_SUCCESS(quern_group_set_interop_task(group, fill_natively, &filling));
  test_submit_only(group);
  test_submit_only(test_addition(&test_on_device, test_on_device.out_of_order, memory, 2, items));
  ASSERT_SUCCESS(quern_queue_wait(test_on_device.out_of_order));
  release(memory, 42);
}

static quern_result_t fail_at_first(quern_handle_t handle, void *data) {
  addition_t *addition = data;
  if (atomic_fetch_add(&addition->runs, 1) == 0) return quern_error_task_failed;
  addition->runs = 0;
  return run_addition(handle, data);
}

static void failed_groups_are_tried_again(void **state) {
  (void)state;
  quern_memory_t memory = zeros();
  addition_t addition = {.value = 9};
  quern_group_t group = test_group(test_on_device.in_order);
  addition.accessor = test_access(group, memory, quern_access_read_write);
  ASSERT_SUCCESS(quern_group_set_fallback(group, test_on_host.in_order));
  ASSERT_SUCCESS(quern_group_set_host_task(group, fail_at_first, &addition));
  test_finish(test_submit(group));
  release(memory, 9);
}

/* ------------------------------------------------------------ ends */

static void count(void *data) { atomic_fetch_add((atomic_int *)data, 1); }

static void count_callback(quern_event_t event, quern_result_t result, void *data) {
  (void)event;
  assert_int_equal(result, quern_success);
  count(data);
}

static void ends_are_told_by_whoever_waits(void **state) {
  (void)state;
  atomic_int destroyed = 0, told = 0;
  quern_memory_t memory = zeros();
  addition_t addition = {.value = 1};
  quern_group_t group = host_addition(test_on_host.in_order, memory, &addition);
  ASSERT_SUCCESS(quern_group_set_destructor(group, count, &destroyed));
  quern_event_t event = test_submit(group);
  ASSERT_SUCCESS(quern_event_set_callback(event, count_callback, &told));
  ASSERT_SUCCESS(quern_event_wait(event));
  assert_int_equal(atomic_load(&told), 1);
  assert_int_equal(atomic_load(&destroyed), 1);
  ASSERT_SUCCESS(quern_event_release(event));
  release(memory, 1);
}

/* ------------------------------------------------------------ those who sleep already */

typedef struct sleeper_t {
  pthread_t thread;
  sem_t may_begin;
  atomic_bool begins;
  quern_event_t event;
  quern_result_t result;
} sleeper_t;

static void *sleep_for_event(void *data) {
  sleeper_t *sleeper = data;
  sem_wait(&sleeper->may_begin);
  atomic_store(&sleeper->begins, true);
  sleeper->result = quern_event_wait(sleeper->event);
  return NULL;
}

/* The thread of the test's own is made while there can be some; the library wants none meanwhile. */
static void sleeper_start(sleeper_t *sleeper) {
  sem_init(&sleeper->may_begin, 0, 0);
  allocations_disarm();
  assert_int_equal(pthread_create(&sleeper->thread, NULL, sleep_for_event, sleeper), 0);
  allocations_arm(allocations_fail_threads, 0);
}

static void those_who_sleep_are_woken_to_run_it(void **state) {
  (void)state;
  enum { asleep_us = 50000 };
  sleeper_t sleeper = {.result = quern_error_timed_out};
  quern_memory_t memory = zeros();
  addition_t addition = {.value = 6};
  quern_host_access_t access = NULL;
  void *pointer = NULL;
  sleeper_start(&sleeper);
  ASSERT_SUCCESS(quern_host_access_begin(memory, quern_access_read_write, 0, 0, &pointer, &access));
  sleeper.event = test_submit(host_addition(test_on_host.in_order, memory, &addition));
  sem_post(&sleeper.may_begin);
  while (!atomic_load(&sleeper.begins)) sched_yield();
  usleep(asleep_us);
  assert_int_equal(atomic_load(&addition.runs), 0);
  ASSERT_SUCCESS(quern_host_access_end(access));
  assert_int_equal(pthread_join(sleeper.thread, NULL), 0);
  assert_int_equal(sleeper.result, quern_success);
  expect_run_by(&addition, sleeper.thread);
  ASSERT_SUCCESS(quern_event_release(sleeper.event));
  sem_destroy(&sleeper.may_begin);
  release(memory, 6);
}

/* ------------------------------------------------------------ threads again */

static void threads_are_made_when_there_can_be_some(void **state) {
  (void)state;
  quern_memory_t memory = zeros();
  addition_t addition = {.value = 4};
  atomic_int told = 0;
  allocations_disarm();
  quern_event_t event = test_submit(host_addition(test_on_host.in_order, memory, &addition));
  ASSERT_SUCCESS(quern_event_set_callback(event, count_callback, &told));
  while (!atomic_load(&told)) sched_yield();
  assert_false(pthread_equal(addition.runner, pthread_self()));
  ASSERT_SUCCESS(quern_event_release(event));
  release(memory, 4);
}

static int open_without_threads(void **state) {
  allocations_arm(allocations_fail_threads, 0);
  return test_places_open(state);
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(whoever_waits_for_an_event_runs_its_task),
      cmocka_unit_test(whoever_waits_for_a_queue_runs_its_tasks),
      cmocka_unit_test(waits_with_a_limit_run_it),
      cmocka_unit_test(whoever_asks_runs_it),
      cmocka_unit_test(host_accesses_wait_for_it),
      cmocka_unit_test(kernels_and_tasks_take_turns),
      cmocka_unit_test(interop_tasks_run),
      cmocka_unit_test(failed_groups_are_tried_again),
      cmocka_unit_test(ends_are_told_by_whoever_waits),
      cmocka_unit_test(those_who_sleep_are_woken_to_run_it),
      cmocka_unit_test(threads_are_made_when_there_can_be_some),
  };
  test_platform = argc > 1 ? argv[1] : "Quern";
  alarm(60);
  return test_result(cmocka_run_group_tests(tests, open_without_threads, test_places_close));
}
