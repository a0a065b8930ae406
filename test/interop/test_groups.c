/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Command groups: every action, order in and out of order, events. Argument: the OpenCL platform. */
#include "groups.h"

enum { items = 1000, bytes = items * sizeof(int) };

static quern_memory_t zeros(void) {
  static const int zero[items];
  quern_memory_options_t options = QUERN_MEMORY_OPTIONS_INIT;
  options.flags = quern_memory_copy_host;
  return test_buffer(bytes, (void *)(uintptr_t)zero, &options);
}

/* ------------------------------------------------------------ order */

static void kernels_follow_each_other(void **state) {
  (void)state;
  const quern_queue_t queues[] = {test_on_device.in_order, test_on_device.out_of_order};
  for (int q = 0; q < 2; q++) {
    quern_memory_t memory = zeros();
    for (int i = 1; i <= 300; i++) test_add(&test_on_device, queues[q], memory, i, items);
    test_expect(memory, 300 * 301 / 2, items);
    ASSERT_SUCCESS(quern_memory_release(memory));
  }
}

static void places_take_turns(void **state) {
  (void)state;
  quern_memory_t memory = zeros();
  for (int i = 0; i < 50; i++) {
    test_add(&test_on_device, i % 2 ? test_on_device.in_order : test_on_device.out_of_order, memory, 1, items);
    test_add_on_host(i % 2 ? test_on_device.out_of_order : test_on_device.in_order, memory, 10, items);
    test_add_on_host(i % 3 ? test_on_host.in_order : test_on_host.out_of_order, memory, 100, items);
  }
  test_expect(memory, 50 * 111, items);
  ASSERT_SUCCESS(quern_memory_release(memory));
}

/* ------------------------------------------------------------ actions */

static void check_data_actions(const test_place_t *place) {
  quern_memory_t from = zeros(), to = zeros();
  int values[items], result[items];
  for (int i = 0; i < items; i++) values[i] = i;
  quern_group_t group = test_group(place->out_of_order);
  ASSERT_SUCCESS(quern_group_set_write(group, values, test_access(group, from, quern_access_discard_write)));
  test_submit_only(group);
  group = test_group(place->out_of_order);
  quern_accessor_t part_from, part_to;
  ASSERT_SUCCESS(quern_group_access(group, from, quern_access_read, 400, 800, &part_from));
  ASSERT_SUCCESS(quern_group_access(group, to, quern_access_write, 0, 800, &part_to));
  ASSERT_SUCCESS(quern_group_set_copy(group, part_from, part_to));
  test_submit_only(group);
  group = test_group(place->out_of_order);
  const int pattern = 7;
  ASSERT_SUCCESS(quern_group_access(group, to, quern_access_discard_write, 800, 400, &part_to));
  ASSERT_SUCCESS(quern_group_set_fill(group, part_to, &pattern, sizeof(pattern)));
  test_submit_only(group);
  group = test_group(place->out_of_order);
  ASSERT_SUCCESS(quern_group_set_read(group, test_access(group, to, quern_access_read), result));
  test_finish(test_submit(group));
  for (int i = 0; i < items; i++) assert_int_equal(result[i], i < 200 ? i + 100 : i < 300 ? 7 : 0);
  ASSERT_SUCCESS(quern_memory_release(from));
  ASSERT_SUCCESS(quern_memory_release(to));
}

static void data_is_written_copied_filled_and_read(void **state) {
  (void)state;
  check_data_actions(&test_on_device);
  check_data_actions(&test_on_host);
}

static void count_point(quern_handle_t handle, const size_t point[3], void *data) {
  void *pointer;
  if (quern_handle_get_pointer(handle, *(const quern_accessor_t *)data, &pointer) != quern_success) return;
  ((int *)pointer)[point[0] + 10 * point[1] + 100 * point[2]] += 1;
}

static void host_kernels_run_over_their_range(void **state) {
  (void)state;
  quern_memory_t memory = zeros();
  quern_accessor_t accessor;
  const quern_range_t range = {.dimensions = 3, .offset = {1, 2, 3}, .global = {9, 8, 7}};
  quern_group_t group = test_group(test_on_host.in_order);
  accessor = test_access(group, memory, quern_access_read_write);
  ASSERT_SUCCESS(quern_group_set_host_kernel(group, count_point, &accessor, &range));
  test_finish(test_submit(group));
  quern_host_access_t access;
  void *pointer;
  ASSERT_SUCCESS(quern_host_access_begin(memory, quern_access_read, 0, 0, &pointer, &access));
  for (size_t i = 0; i < items; i++) {
    bool is_inside = i % 10 >= 1 && i / 10 % 10 >= 2 && i / 100 >= 3;
    assert_int_equal(((const int *)pointer)[i], is_inside);
  }
  ASSERT_SUCCESS(quern_host_access_end(access));
  ASSERT_SUCCESS(quern_memory_release(memory));
}

static void the_host_is_updated(void **state) {
  (void)state;
  _Alignas(4096) static int values[items];
  memset(values, 0, sizeof(values));
  quern_memory_t memory = test_buffer(bytes, values, NULL);
  test_add(&test_on_device, test_on_device.out_of_order, memory, 5, items);
  quern_group_t group = test_group(test_on_device.out_of_order);
  ASSERT_SUCCESS(quern_group_set_update_host(group, test_access(group, memory, quern_access_read)));
  test_finish(test_submit(group));
  for (int i = 0; i < items; i++) assert_int_equal(values[i], 5);
  test_add(&test_on_device, test_on_device.out_of_order, memory, 1, items);
  ASSERT_SUCCESS(quern_memory_release(memory));
  for (int i = 0; i < items; i++) assert_int_equal(values[i], 6);
}

static void empty_groups_complete(void **state) {
  (void)state;
  const quern_queue_t queues[] = {test_on_device.in_order, test_on_device.out_of_order, test_on_host.in_order,
                                  test_on_host.out_of_order};
  for (int q = 0; q < 4; q++) {
    quern_event_t first = test_submit(test_group(queues[q]));
    quern_group_t group = test_group(queues[3 - q]);
    ASSERT_SUCCESS(quern_group_depend(group, first));
    test_finish(test_submit(group));
    quern_event_status_t status;
    ASSERT_SUCCESS(quern_event_get_status(first, &status));
    assert_int_equal(status, quern_event_complete);
    test_finish(first);
  }
}

static void long_chains_of_empty_groups_complete(void **state) {
  (void)state;
  quern_event_t last = test_submit(test_group(test_on_host.out_of_order));
  for (int i = 0; i < 20000; i++) {
    quern_group_t group = test_group(test_on_host.out_of_order);
    ASSERT_SUCCESS(quern_group_depend(group, last));
    ASSERT_SUCCESS(quern_event_release(last));
    last = test_submit(group);
  }
  test_finish(last);
}

/* ------------------------------------------------------------ events */

static void check_times(const test_place_t *place) {
  quern_queue_t queue = NULL;
  quern_memory_t memory = zeros();
  quern_event_times_t times = {0, 0, 0};
  ASSERT_SUCCESS(quern_queue_create(place->context, place->device, quern_queue_profiling, NULL, NULL, &queue));
  quern_group_t group = test_group(queue);
  const int pattern = 1;
  ASSERT_SUCCESS(quern_group_set_fill(group, test_access(group, memory, quern_access_write), &pattern, 4));
  quern_event_t event = test_submit(group);
  ASSERT_SUCCESS(quern_event_wait(event));
  ASSERT_SUCCESS(quern_event_get_profiling(event, &times));
  assert_true(times.submitted && times.submitted <= times.started && times.started <= times.ended);
  ASSERT_SUCCESS(quern_event_release(event));
  ASSERT_SUCCESS(quern_queue_release(queue));
  ASSERT_SUCCESS(quern_memory_release(memory));
}

static void profiling_queues_give_times(void **state) {
  (void)state;
  check_times(&test_on_device);
  check_times(&test_on_host);
  quern_event_times_t times;
  quern_event_t event = test_submit(test_group(test_on_device.in_order));
  ASSERT_SUCCESS(quern_event_wait(event));
  ASSERT_ERROR(quern_event_get_profiling(event, &times), quern_error_invalid_operation, "no profiling");
  ASSERT_SUCCESS(quern_event_release(event));
}

/* ------------------------------------------------------------ refusals */

static void bad_groups_are_refused(void **state) {
  (void)state;
  quern_memory_t memory = zeros();
  quern_group_t group = test_group(test_on_device.in_order);
  quern_accessor_t placeholder, read = test_access(group, memory, quern_access_read), past;
  const quern_range_t none = {.dimensions = 0}, range = {.dimensions = 1, .global = {1}};
  int value = 0;
  ASSERT_SUCCESS(quern_accessor_make(memory, quern_access_read, 0, 0, &placeholder));
  ASSERT_ERROR(quern_accessor_make(memory, quern_access_read, bytes, 1, &past), quern_error_invalid_argument, "offset");
  ASSERT_ERROR(quern_accessor_make(memory, (quern_access_t)test_unlisted(), 0, 0, &past), quern_error_invalid_argument,
               "-1");
  quern_accessor_t damaged = placeholder;
  damaged.access = (quern_access_t)test_unlisted();
  ASSERT_ERROR(quern_group_require(group, damaged), quern_error_invalid_argument, "-1");
  ASSERT_ERROR(quern_group_set_fill(group, read, &value, 4), quern_error_invalid_argument, "not for writing");
  ASSERT_ERROR(quern_group_set_read(group, placeholder, &value), quern_error_invalid_argument, "does not require");
  ASSERT_ERROR(quern_group_set_kernel(group, test_on_device.add, &none), quern_error_invalid_argument, "0 dimensions");
  ASSERT_ERROR(quern_group_set_host_kernel(group, count_point, NULL, &range), quern_error_feature_not_supported,
               "host backend");
  ASSERT_SUCCESS(quern_group_set_argument(group, 0, 4, &value));
  ASSERT_ERROR(quern_group_set_read(group, read, &value), quern_error_invalid_operation, "only kernels");
  ASSERT_ERROR(quern_group_submit(group, NULL), quern_error_invalid_operation, "no kernel");
  ASSERT_SUCCESS(quern_group_set_kernel(group, test_on_device.add, &range));
  ASSERT_ERROR(quern_group_set_read(group, read, &value), quern_error_invalid_operation, "already");
  ASSERT_ERROR(quern_group_set_fallback(group, test_on_host.in_order), quern_error_invalid_operation, "already");
  ASSERT_SUCCESS(quern_group_discard(group));
  group = test_group(test_on_host.in_order);
  ASSERT_ERROR(quern_group_set_kernel(group, test_on_device.add, &range), quern_error_feature_not_supported, "host");
  ASSERT_ERROR(quern_event_wait((quern_event_t)(void *)group), quern_error_invalid_object, "event");
  ASSERT_SUCCESS(quern_group_discard(group));
  ASSERT_ERROR(quern_group_submit(NULL, NULL), quern_error_invalid_object, "null");
  ASSERT_SUCCESS(quern_memory_release(memory));
}

/* What is bound is in its context alone, the host's not excepted. */
static void bound_objects_have_no_host_memory_to_update(void **state) {
  (void)state;
  int values[4] = {0};
  quern_memory_options_t options = QUERN_MEMORY_OPTIONS_INIT;
  options.bound_context = test_on_host.context;
  quern_memory_t memory = test_buffer(sizeof(values), values, &options);
  quern_group_t group = test_group(test_on_host.in_order);
  quern_accessor_t accessor = test_access(group, memory, quern_access_read);
  ASSERT_ERROR(quern_group_set_update_host(group, accessor), quern_error_invalid_argument, "bound");
  ASSERT_SUCCESS(quern_group_discard(group));
  ASSERT_SUCCESS(quern_memory_release(memory));
}

static void destructors_run_once(void **state) {
  (void)state;
  for (int discarded = 0; discarded < 2; discarded++) {
    quern_group_t group = test_group(test_on_host.in_order);
    char *data = malloc(1);
    ASSERT_SUCCESS(quern_group_set_destructor(group, free, data));
    if (discarded) {
      ASSERT_SUCCESS(quern_group_discard(group));
    } else {
      test_finish(test_submit(group));
    }
  }
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kernels_follow_each_other),
      cmocka_unit_test(places_take_turns),
      cmocka_unit_test(data_is_written_copied_filled_and_read),
      cmocka_unit_test(host_kernels_run_over_their_range),
      cmocka_unit_test(the_host_is_updated),
      cmocka_unit_test(empty_groups_complete),
      cmocka_unit_test(long_chains_of_empty_groups_complete),
      cmocka_unit_test(profiling_queues_give_times),
      cmocka_unit_test(bad_groups_are_refused),
      cmocka_unit_test(destructors_run_once),
      cmocka_unit_test(bound_objects_have_no_host_memory_to_update),
  };
  return TEST_RUN_OVER_PLACES(argc, argv, tests);
}
