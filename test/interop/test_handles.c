/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Handles: null ones, those kept after their task, those that other threads use; failures with a text of the task's.
 * Argument: the OpenCL platform. */
#include <unistd.h>

#include "groups.h"

enum { items = 64, bytes = items * sizeof(int) };

static quern_memory_t zeros(void) {
  static const int values[items];
  quern_memory_options_t options = QUERN_MEMORY_OPTIONS_INIT;
  options.flags = quern_memory_copy_host;
  return test_buffer(bytes, (void *)(uintptr_t)values, &options);
}

/* All questions, each refused; nothing is written. */
static void expect_refused(quern_handle_t handle, quern_accessor_t accessor, const char *part) {
  void *out = &out;
  const quern_result_t refused = quern_error_invalid_object;
  ASSERT_ERROR(quern_handle_get_context(handle, &out), refused, part);
  ASSERT_ERROR(quern_handle_get_device(handle, &out), refused, part);
  ASSERT_ERROR(quern_handle_get_queue(handle, &out), refused, part);
  ASSERT_ERROR(quern_handle_get_mem(handle, accessor, &out), refused, part);
  ASSERT_ERROR(quern_handle_get_pointer(handle, accessor, &out), refused, part);
  assert_ptr_equal(out, &out);
  assert_null(quern_opencl_handle_get_context(handle));
  assert_null(quern_opencl_handle_get_device(handle));
  assert_null(quern_opencl_handle_get_queue(handle));
  assert_null(quern_opencl_handle_get_mem(handle, accessor));
}

static void null_handles_are_refused(void **state) {
  (void)state;
  quern_memory_t memory = zeros();
  quern_accessor_t accessor;
  ASSERT_SUCCESS(quern_accessor_make(memory, quern_access_read, 0, 0, &accessor));
  expect_refused((quern_handle_t){0}, accessor, "null");
  ASSERT_SUCCESS(quern_memory_release(memory));
}

typedef struct kept_t {
  quern_handle_t handle;
  quern_accessor_t accessor;
} kept_t;

static quern_result_t keep(quern_handle_t handle, void *data) {
  ((kept_t *)data)->handle = handle;
  return quern_success;
}

static quern_result_t sleep_a_little(quern_handle_t handle, void *data) {
  (void)handle;
  (void)data;
  usleep(20000);
  return quern_success;
}

/* Also while another task runs, and when the group is gone. */
static void handles_kept_after_the_task_are_refused(void **state) {
  (void)state;
  quern_memory_t memory = zeros();
  kept_t kept = {{0}, {0}};
  quern_group_t group = test_group(test_on_device.in_order);
  kept.accessor = test_access(group, memory, quern_access_read_write);
  ASSERT_SUCCESS(quern_group_set_interop_task(group, keep, &kept));
  quern_event_t event = test_submit(group);
  ASSERT_SUCCESS(quern_event_wait(event));
  expect_refused(kept.handle, kept.accessor, "returned");
  ASSERT_SUCCESS(quern_event_release(event));
  group = test_group(test_on_device.in_order);
  ASSERT_SUCCESS(quern_group_set_interop_task(group, sleep_a_little, NULL));
  event = test_submit(group);
  expect_refused(kept.handle, kept.accessor, "returned");
  test_finish(event);
  expect_refused(kept.handle, kept.accessor, "returned");
  ASSERT_SUCCESS(quern_memory_release(memory));
}

/* ------------------------------------------------------------ other threads */

typedef struct helper_t {
  quern_handle_t handle;
  quern_accessor_t accessor;
  cl_command_queue queue;
  cl_mem mem;
} helper_t;

static void *help(void *data) {
  helper_t *helper = data;
  helper->queue = quern_opencl_handle_get_queue(helper->handle);
  helper->mem = quern_opencl_handle_get_mem(helper->handle, helper->accessor);
  return NULL;
}

static quern_result_t use_threads(quern_handle_t handle, void *data) {
  pthread_t threads[4];
  helper_t helpers[4];
  bool is_right = true;
  for (int i = 0; i < 4; i++) {
    helpers[i] = (helper_t){handle, *(quern_accessor_t *)data, NULL, NULL};
    if (pthread_create(&threads[i], NULL, help, &helpers[i]) != 0) return quern_error_task_failed;
  }
  for (int i = 0; i < 4; i++) {
    pthread_join(threads[i], NULL);
    is_right &= helpers[i].queue == quern_opencl_handle_get_queue(handle) && helpers[i].queue;
    is_right &= helpers[i].mem == quern_opencl_handle_get_mem(handle, helpers[i].accessor) && helpers[i].mem;
  }
  return is_right ? quern_success : quern_error_task_failed;
}

/* Two tasks at once, each with threads of its own. */
static void threads_of_a_task_use_its_handle(void **state) {
  (void)state;
  quern_memory_t memories[2];
  quern_accessor_t accessors[2];
  quern_event_t events[2];
  for (int i = 0; i < 2; i++) {
    quern_group_t group = test_group(i ? test_on_device.in_order : test_on_device.out_of_order);
    memories[i] = zeros();
    accessors[i] = test_access(group, memories[i], quern_access_read_write);
    ASSERT_SUCCESS(quern_group_set_interop_task(group, use_threads, &accessors[i]));
    events[i] = test_submit(group);
  }
  for (int i = 0; i < 2; i++) {
    test_finish(events[i]);
    ASSERT_SUCCESS(quern_memory_release(memories[i]));
  }
}

/* ------------------------------------------------------------ accessors for the host, beside those for the device */

typedef struct mixed_t {
  quern_accessor_t on_device, on_host;
} mixed_t;

/* Adds what is on the device to what is on the host, which is the library's to bring back. */
static quern_result_t add_up(quern_handle_t handle, void *data) {
  const mixed_t *mixed = data;
  int values[items];
  void *pointer = NULL;
  quern_backend_t backend = quern_backend_host;
  cl_command_queue queue = quern_opencl_handle_get_queue(handle);
  cl_mem mem = quern_opencl_handle_get_mem(handle, mixed->on_device);
  quern_result_t result = quern_handle_get_pointer(handle, mixed->on_host, &pointer);
  if (result == quern_success) result = quern_handle_get_backend(handle, &backend);
  if (result != quern_success) return result;
  if (backend != quern_backend_opencl) return quern_handle_fail(handle, quern_error_task_failed, "another backend");
  if (clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, bytes, values, 0, NULL, NULL) != CL_SUCCESS) {
    return quern_error_backend_failure;
  }
  for (int i = 0; i < items; i++) ((int *)pointer)[i] += values[i];
  return quern_success;
}

static void a_task_has_native_memory_and_addresses(void **state) {
  (void)state;
  static const quern_memory_flags_t flags[] = {quern_memory_copy_host, quern_memory_copy_host | quern_memory_separate};
  for (int bound = 0; bound < 2; bound++) {
    for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
      int values[items] = {0};
      quern_memory_options_t options = QUERN_MEMORY_OPTIONS_INIT;
      options.flags = flags[i];
      quern_memory_t from = test_buffer(bytes, values, &options);
      if (bound) options.bound_context = test_on_device.context;
      quern_memory_t to = test_buffer(bytes, values, &options);
      mixed_t mixed;
      test_add(&test_on_device, test_on_device.in_order, from, 3, items);
      test_add(&test_on_device, test_on_device.out_of_order, to, 4, items);
      quern_group_t group = test_group(test_on_device.in_order);
      mixed.on_device = test_access(group, from, quern_access_read);
      ASSERT_SUCCESS(quern_accessor_make_for_host(to, quern_access_read_write, 0, 0, &mixed.on_host));
      ASSERT_SUCCESS(quern_group_require(group, mixed.on_host));
      ASSERT_SUCCESS(quern_group_set_interop_task(group, add_up, &mixed));
      test_submit_only(group);
      test_add(&test_on_device, test_on_device.out_of_order, to, 10, items);
      test_expect(to, 17, items);
      test_expect(from, 3, items);
      ASSERT_SUCCESS(quern_memory_release(from));
      ASSERT_SUCCESS(quern_memory_release(to));
    }
  }
}

static quern_result_t confuse(quern_handle_t handle, void *data) {
  const mixed_t *mixed = data;
  void *out = NULL;
  return quern_handle_get_mem(handle, mixed->on_host, &out) == quern_error_feature_not_supported
             ? quern_success
             : quern_error_invalid_operation;
}

static void only_tasks_use_accessors_for_the_host(void **state) {
  (void)state;
  const int one = 1;
  const quern_range_t range = {.dimensions = 1, .global = {items}};
  const quern_result_t refused = quern_error_invalid_argument;
  mixed_t mixed;
  quern_memory_t memory = zeros();
  ASSERT_SUCCESS(quern_accessor_make_for_host(memory, quern_access_read_write, 0, 0, &mixed.on_host));
  quern_group_t group = test_group(test_on_device.in_order);
  ASSERT_SUCCESS(quern_group_require(group, mixed.on_host));
  ASSERT_ERROR(quern_group_set_fill(group, mixed.on_host, &one, sizeof(one)), refused, "for the host");
  ASSERT_SUCCESS(quern_group_set_kernel(group, test_on_device.add, &range));
  ASSERT_ERROR(quern_group_set_argument_accessor(group, 0, mixed.on_host), refused, "for the host");
  ASSERT_SUCCESS(quern_group_discard(group));
  quern_accessor_t bad = mixed.on_host;
  bad.target = (quern_target_t)test_unlisted();
  group = test_group(test_on_device.in_order);
  ASSERT_ERROR(quern_group_require(group, bad), refused, "no target");
  ASSERT_SUCCESS(quern_group_require(group, mixed.on_host));
  ASSERT_SUCCESS(quern_group_set_interop_task(group, confuse, &mixed));
  quern_event_t event = test_submit(group);
  ASSERT_ERROR(quern_event_wait(event), quern_error_feature_not_supported, "for the host");
  assert_int_equal(atomic_exchange(&test_on_device.errors.count, 0), 1);
  ASSERT_SUCCESS(quern_event_release(event));
  ASSERT_SUCCESS(quern_memory_release(memory));
}

/* ------------------------------------------------------------ failures with a text */

static quern_result_t fail_with_text(quern_handle_t handle, void *data) {
  return quern_handle_fail(handle, quern_error_not_found, data);
}

/* Any one point will do; what comes later is no news. */
static void fail_at_a_point(quern_handle_t handle, const size_t point[3], void *data) {
  if (point[0] < 3) return;
  const char *text = point[0] == 3 ? data : "later";
  if (quern_handle_fail(handle, quern_error_task_failed, text) != quern_error_task_failed) abort();
}

static quern_result_t fail_and_return_success(quern_handle_t handle, void *data) {
  (void)quern_handle_fail(handle, quern_error_task_failed, data);
  return quern_success;
}

static void expect_failure(test_place_t *place, quern_group_t group, quern_result_t result, const char *text) {
  quern_event_t event = test_submit(group);
  assert_int_equal(quern_event_wait(event), result);
  assert_string_equal(quern_last_error_message(), text);
  assert_int_equal(atomic_exchange(&place->errors.count, 0), 1);
  assert_int_equal(place->errors.last, result);
  assert_string_equal(place->errors.message, text);
  ASSERT_SUCCESS(quern_event_release(event));
}

static void tasks_tell_why_they_fail(void **state) {
  (void)state;
  char text[] = "no plan for 17 points", lines[] = "one\ntwo\r\nthree\n";
  quern_group_t group = test_group(test_on_device.in_order);
  ASSERT_SUCCESS(quern_group_set_interop_task(group, fail_with_text, text));
  expect_failure(&test_on_device, group, quern_error_not_found, text);
  group = test_group(test_on_host.in_order);
  ASSERT_SUCCESS(quern_group_set_host_task(group, fail_and_return_success, text));
  expect_failure(&test_on_host, group, quern_error_task_failed, text);
  const quern_range_t range = {.dimensions = 1, .global = {8}};
  group = test_group(test_on_host.in_order);
  ASSERT_SUCCESS(quern_group_set_host_kernel(group, fail_at_a_point, text, &range));
  expect_failure(&test_on_host, group, quern_error_task_failed, text);
  group = test_group(test_on_host.in_order);
  ASSERT_SUCCESS(quern_group_set_host_task(group, fail_with_text, lines));
  expect_failure(&test_on_host, group, quern_error_not_found, "one two  three ");
}

static quern_result_t misuse_failing(quern_handle_t handle, void *data) {
  quern_result_t *results = data;
  results[0] = quern_handle_fail(handle, quern_success, "no failure");
  results[1] = quern_handle_fail(handle, (quern_result_t)test_unlisted(), "no result");
  return quern_success;
}

static void failing_needs_a_failure(void **state) {
  (void)state;
  quern_result_t results[2] = {quern_success, quern_success};
  quern_group_t group = test_group(test_on_host.in_order);
  ASSERT_SUCCESS(quern_group_set_host_task(group, misuse_failing, results));
  expect_failure(&test_on_host, group, quern_error_invalid_argument, "0 is no failure");
  assert_int_equal(results[0], quern_error_invalid_argument);
  assert_int_equal(results[1], quern_error_invalid_argument);
  group = test_group(test_on_host.in_order);
  ASSERT_SUCCESS(quern_group_set_host_task(group, fail_with_text, NULL));
  expect_failure(&test_on_host, group, quern_error_not_found, quern_result_text(quern_error_not_found));
  assert_int_equal(quern_handle_fail((quern_handle_t){0}, quern_error_task_failed, "x"), quern_error_invalid_object);
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(null_handles_are_refused),
      cmocka_unit_test(handles_kept_after_the_task_are_refused),
      cmocka_unit_test(threads_of_a_task_use_its_handle),
      cmocka_unit_test(tasks_tell_why_they_fail),
      cmocka_unit_test(a_task_has_native_memory_and_addresses),
      cmocka_unit_test(only_tasks_use_accessors_for_the_host),
      cmocka_unit_test(failing_needs_a_failure),
  };
  return TEST_RUN_OVER_PLACES(argc, argv, tests);
}
