/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Failures: they reach handlers (B7), dependants fail with the cause, buffers stay readable. Argument: the OpenCL
 * platform. */
#include <unistd.h>

#include "groups.h"

enum { items = 64, bytes = items * sizeof(int) };

static int take_errors(test_place_t *place) { return atomic_exchange(&place->errors.count, 0); }

static quern_memory_t ones(void) {
  int values[items];
  for (int i = 0; i < items; i++) values[i] = 1;
  quern_memory_options_t options = QUERN_MEMORY_OPTIONS_INIT;
  options.flags = quern_memory_copy_host;
  return test_buffer(bytes, values, &options);
}

static quern_result_t fail_task(quern_handle_t handle, void *data) {
  (void)handle;
  (void)data;
  return quern_error_task_failed;
}

/* A group on `queue` that writes the buffer and fails. */
static quern_event_t submit_failure(quern_queue_t queue, quern_memory_t memory) {
  quern_group_t group = test_group(queue);
  test_access(group, memory, quern_access_read_write);
  ASSERT_SUCCESS(quern_group_set_host_task(group, fail_task, NULL));
  return test_submit(group);
}

static quern_event_t submit_empty(quern_queue_t queue, quern_memory_t memory, quern_access_t access) {
  quern_group_t group = test_group(queue);
  test_access(group, memory, access);
  return test_submit(group);
}

static void expect_cause(quern_event_t event, quern_result_t result, const char *part) {
  quern_event_status_t status;
  ASSERT_ERROR(quern_event_wait(event), result, part);
  ASSERT_SUCCESS(quern_event_get_status(event, &status));
  assert_int_equal(status, quern_event_failed);
  ASSERT_SUCCESS(quern_event_release(event));
}

/* On the same queue, on others, of other backends, and through several steps; whatever does not depend runs. */
static void dependants_fail_with_the_cause(void **state) {
  (void)state;
  quern_memory_t memory = ones(), unrelated = ones();
  quern_event_t failed = submit_failure(test_on_host.out_of_order, memory);
  quern_event_t on_device = submit_empty(test_on_device.in_order, memory, quern_access_read_write);
  quern_event_t behind = submit_empty(test_on_device.out_of_order, memory, quern_access_read);
  quern_event_t on_host = submit_empty(test_on_host.in_order, memory, quern_access_read_write);
  quern_group_t group = test_group(test_on_device.out_of_order);
  ASSERT_SUCCESS(quern_group_depend(group, on_host));
  quern_event_t explicit_one = test_submit(group);
  test_add(&test_on_device, test_on_device.in_order, unrelated, 1, items);
  expect_cause(explicit_one, quern_error_task_failed, "depends on failed: a task returned");
  expect_cause(on_host, quern_error_task_failed, "depends on failed: a task returned");
  expect_cause(behind, quern_error_task_failed, "depends on failed: a task returned");
  expect_cause(on_device, quern_error_task_failed, "depends on failed: a task returned");
  expect_cause(failed, quern_error_task_failed, "a task returned");
  test_expect(unrelated, 2, items);
  /* Told once, where it failed. */
  assert_int_equal(take_errors(&test_on_host), 1);
  assert_int_equal(take_errors(&test_on_device), 0);
  ASSERT_SUCCESS(quern_memory_release(memory));
  ASSERT_SUCCESS(quern_memory_release(unrelated));
}

/* Also what is submitted long after; until the host has looked. */
static void a_buffer_stays_readable_and_is_usable_then(void **state) {
  (void)state;
  quern_memory_t memory = ones();
  test_add(&test_on_device, test_on_device.in_order, memory, 1, items);
  expect_cause(submit_failure(test_on_host.in_order, memory), quern_error_task_failed, "a task returned");
  expect_cause(submit_empty(test_on_device.in_order, memory, quern_access_read), quern_error_task_failed, "depends on");
  test_expect(memory, 2, items);
  test_add(&test_on_device, test_on_device.in_order, memory, 1, items);
  test_expect(memory, 3, items);
  assert_int_equal(take_errors(&test_on_host), 1);
  ASSERT_SUCCESS(quern_memory_release(memory));
}

static quern_event_t submit_reading_failure(quern_queue_t queue, quern_memory_t memory) {
  quern_group_t group = test_group(queue);
  test_access(group, memory, quern_access_read);
  ASSERT_SUCCESS(quern_group_set_host_task(group, fail_task, NULL));
  return test_submit(group);
}

/* A group that only read has left the contents as they were: all kinds of use go on, at once and later. */
static void a_failed_reader_fails_nobody(void **state) {
  (void)state;
  static const quern_access_t accesses[] = {quern_access_write, quern_access_read_write, quern_access_discard_write,
                                            quern_access_atomic, quern_access_read};
  for (size_t i = 0; i < sizeof(accesses) / sizeof(accesses[0]); i++) {
    quern_memory_t memory = ones();
    test_add(&test_on_device, test_on_device.in_order, memory, 1, items);
    quern_event_t failed = submit_reading_failure(test_on_host.out_of_order, memory);
    quern_event_t at_once = submit_empty(test_on_device.out_of_order, memory, accesses[i]);
    expect_cause(failed, quern_error_task_failed, "a task returned");
    test_finish(at_once);
    test_finish(submit_empty(test_on_device.in_order, memory, accesses[i]));
    test_finish(submit_empty(test_on_host.in_order, memory, accesses[i]));
    assert_int_equal(take_errors(&test_on_host), 1);
    assert_int_equal(take_errors(&test_on_device), 0);
    ASSERT_SUCCESS(quern_memory_release(memory));
  }
}

/* What is written anew needs nothing of what a group failed to write. */
static void discarding_forgets_a_failure(void **state) {
  (void)state;
  const int two = 2;
  for (int later = 0; later < 2; later++) {
    quern_memory_t memory = ones();
    quern_event_t failed = submit_failure(test_on_host.out_of_order, memory);
    if (later) expect_cause(failed, quern_error_task_failed, "a task returned");
    quern_group_t group = test_group(test_on_device.out_of_order);
    quern_accessor_t all = test_access(group, memory, quern_access_discard_write);
    ASSERT_SUCCESS(quern_group_set_fill(group, all, &two, sizeof(two)));
    quern_event_t filled = test_submit(group);
    test_add(&test_on_device, test_on_device.in_order, memory, 1, items);
    test_finish(filled);
    if (!later) expect_cause(failed, quern_error_task_failed, "a task returned");
    test_expect(memory, 3, items);
    assert_int_equal(take_errors(&test_on_host), 1);
    ASSERT_SUCCESS(quern_memory_release(memory));
  }
}

/* Only the part that is written anew is good again. */
static void discarding_a_part_leaves_the_rest_failed(void **state) {
  (void)state;
  quern_memory_t memory = ones();
  expect_cause(submit_failure(test_on_host.in_order, memory), quern_error_task_failed, "a task returned");
  quern_group_t group = test_group(test_on_device.in_order);
  ASSERT_SUCCESS(quern_group_access(group, memory, quern_access_discard_write, 0, bytes / 2, NULL));
  test_finish(test_submit(group));
  group = test_group(test_on_device.in_order);
  ASSERT_SUCCESS(quern_group_access(group, memory, quern_access_read, 0, bytes / 2, NULL));
  test_finish(test_submit(group));
  expect_cause(submit_empty(test_on_device.in_order, memory, quern_access_read), quern_error_task_failed, "depends on");
  expect_cause(submit_empty(test_on_device.in_order, memory, quern_access_write), quern_error_task_failed,
               "depends on");
  assert_int_equal(take_errors(&test_on_host), 1);
  ASSERT_SUCCESS(quern_memory_release(memory));
}

/* The order alone is no reason to fail. */
static void the_queue_goes_on(void **state) {
  (void)state;
  quern_memory_t memory = ones(), other = ones();
  quern_event_t failed = submit_failure(test_on_device.in_order, memory);
  test_add(&test_on_device, test_on_device.in_order, other, 1, items);
  test_expect(other, 2, items);
  expect_cause(failed, quern_error_task_failed, "a task");
  assert_int_equal(take_errors(&test_on_device), 1);
  ASSERT_SUCCESS(quern_memory_release(memory));
  ASSERT_SUCCESS(quern_memory_release(other));
}

static void long_chains_fail(void **state) {
  (void)state;
  quern_memory_t memory = ones();
  quern_event_t first = submit_failure(test_on_host.in_order, memory), last = NULL;
  for (int i = 0; i < 5000; i++) {
    if (last) ASSERT_SUCCESS(quern_event_release(last));
    last = submit_empty(i % 2 ? test_on_device.in_order : test_on_host.out_of_order, memory, quern_access_read_write);
  }
  expect_cause(last, quern_error_task_failed, "depends on");
  expect_cause(first, quern_error_task_failed, "a task");
  assert_int_equal(take_errors(&test_on_host), 1);
  ASSERT_SUCCESS(quern_memory_release(memory));
}

/* ------------------------------------------------------------ failures of the device */

static quern_event_t submit_bad_kernel(quern_queue_t queue, quern_memory_t memory) {
  const quern_range_t range = {.dimensions = 1, .global = {items}};
  const cl_ulong address = 0;
  quern_group_t group = test_group(queue);
  quern_accessor_t x = test_access(group, memory, quern_access_read_write);
  ASSERT_SUCCESS(quern_group_set_kernel(group, test_on_device.fault, &range));
  ASSERT_SUCCESS(quern_group_set_argument_accessor(group, 0, x));
  ASSERT_SUCCESS(quern_group_set_argument(group, 1, sizeof(address), &address));
  return test_submit(group);
}

static quern_event_t submit_addition(quern_memory_t memory) {
  return test_submit(test_addition(&test_on_device, test_on_device.out_of_order, memory, 1, items));
}

/* A fault in a kernel: only this project's driver survives it. */
static bool survives_faults(void) {
  if (strcmp(test_platform, "Quern") == 0) return true;
  print_message("a fault in a kernel ends the process with this driver: left out\n");
  return false;
}

static void kernels_that_fault_fail_their_dependants(void **state) {
  (void)state;
  if (!survives_faults()) return;
  quern_memory_t memory = ones();
  quern_event_t events[50];
  events[0] = submit_bad_kernel(test_on_device.out_of_order, memory);
  for (int i = 1; i < 50; i++) events[i] = submit_addition(memory);
  quern_event_t on_host = submit_empty(test_on_host.in_order, memory, quern_access_read);
  expect_cause(on_host, quern_error_backend_failure, "depends on failed: a command ended with");
  for (int i = 49; i > 0; i--) {
    expect_cause(events[i], quern_error_backend_failure, "depends on failed: a command ended with");
  }
  expect_cause(events[0], quern_error_backend_failure, "a command ended with");
  assert_int_equal(take_errors(&test_on_device), 1);
  assert_int_equal(take_errors(&test_on_host), 0);
  quern_host_access_t access = NULL;
  void *pointer = NULL;
  ASSERT_SUCCESS(quern_host_access_begin(memory, quern_access_read_write, 0, 0, &pointer, &access));
  for (int i = 0; i < items; i++) ((int *)pointer)[i] = 1;
  ASSERT_SUCCESS(quern_host_access_end(access));
  test_add(&test_on_device, test_on_device.out_of_order, memory, 1, items);
  test_expect(memory, 2, items);
  ASSERT_SUCCESS(quern_memory_release(memory));
}

/* The device gives up what waits there for a reader that fails; no contents are missing, so it is done all the same. */
static void readers_that_fault_fail_nobody(void **state) {
  (void)state;
  if (!survives_faults()) return;
  const int two = 2;
  const quern_range_t range = {.dimensions = 1, .global = {items}};
  const cl_ulong address = 0;
  for (int discards = 0; discards < 2; discards++) {
    quern_memory_t memory = ones();
    quern_group_t group = test_group(test_on_device.out_of_order);
    quern_accessor_t x = test_access(group, memory, quern_access_read);
    ASSERT_SUCCESS(quern_group_set_kernel(group, test_on_device.fault, &range));
    ASSERT_SUCCESS(quern_group_set_argument_accessor(group, 0, x));
    ASSERT_SUCCESS(quern_group_set_argument(group, 1, sizeof(address), &address));
    quern_event_t events[20], failed = test_submit(group);
    if (discards) {
      group = test_group(test_on_device.out_of_order);
      x = test_access(group, memory, quern_access_discard_write);
      ASSERT_SUCCESS(quern_group_set_fill(group, x, &two, sizeof(two)));
      test_submit_only(group);
    }
    for (int i = 0; i < 20; i++) events[i] = submit_addition(memory);
    quern_event_t on_host = submit_empty(test_on_host.in_order, memory, quern_access_read);
    test_finish(on_host);
    for (int i = 0; i < 20; i++) test_finish(events[i]);
    test_expect(memory, discards ? 22 : 21, items);
    expect_cause(failed, quern_error_backend_failure, "a command ended with");
    assert_int_equal(take_errors(&test_on_device), 1);
    ASSERT_SUCCESS(quern_memory_release(memory));
  }
}

static quern_event_t submit_fault(const test_place_t *place, quern_memory_t memory, quern_access_t access) {
  const quern_range_t range = {.dimensions = 1, .global = {items}};
  const cl_ulong address = 0;
  quern_group_t group = test_group(place->out_of_order);
  quern_accessor_t x = test_access(group, memory, access);
  ASSERT_SUCCESS(quern_group_set_kernel(group, place->fault, &range));
  ASSERT_SUCCESS(quern_group_set_argument_accessor(group, 0, x));
  ASSERT_SUCCESS(quern_group_set_argument(group, 1, sizeof(address), &address));
  return test_submit(group);
}

/* What fails behind a reader that failed on the host, or in another context, fails by itself. */
static void failures_behind_others_are_their_own(void **state) {
  (void)state;
  if (!survives_faults()) return;
  test_place_t other;
  test_place_open(&other, test_on_device.device);
  quern_memory_t memory = ones();
  quern_event_t reader = submit_reading_failure(test_on_device.out_of_order, memory);
  quern_event_t writer = submit_fault(&test_on_device, memory, quern_access_read_write);
  expect_cause(writer, quern_error_backend_failure, "a command ended with");
  expect_cause(reader, quern_error_task_failed, "a task returned");
  assert_int_equal(take_errors(&test_on_device), 2);
  ASSERT_SUCCESS(quern_memory_release(memory));
  memory = ones();
  reader = submit_fault(&other, memory, quern_access_read);
  writer = submit_fault(&test_on_device, memory, quern_access_read_write);
  expect_cause(writer, quern_error_backend_failure, "a command ended with");
  expect_cause(reader, quern_error_backend_failure, "a command ended with");
  assert_int_equal(take_errors(&other), 1);
  assert_int_equal(take_errors(&test_on_device), 1);
  ASSERT_SUCCESS(quern_memory_release(memory));
  test_place_close(&other);
}

static void sleep_in_handler(const quern_async_error_t *error, void *data) {
  usleep(50000);
  test_errors_add(error, data);
}

/* One thread is still telling the failure when another one sees what waited for it on the device end. */
static void dependants_wait_until_the_cause_is_told(void **state) {
  (void)state;
  if (!survives_faults()) return;
  quern_queue_t queue = NULL;
  test_errors_t errors = {0};
  quern_memory_t memory = ones();
  ASSERT_SUCCESS(quern_queue_create(test_on_device.context, test_on_device.device, quern_queue_out_of_order,
                                    sleep_in_handler, &errors, &queue));
  quern_event_t cause = submit_bad_kernel(queue, memory), dependant = submit_addition(memory);
  expect_cause(dependant, quern_error_backend_failure, "depends on failed: a command ended with");
  assert_int_equal(atomic_load(&errors.count), 1);
  expect_cause(cause, quern_error_backend_failure, "a command ended with");
  assert_int_equal(take_errors(&test_on_device), 0);
  ASSERT_SUCCESS(quern_queue_release(queue));
  ASSERT_SUCCESS(quern_memory_release(memory));
}

/* Arguments that the backend refuses: the launch has local memory where the kernel has none. */
static void refused_commands_fail_the_group(void **state) {
  (void)state;
  quern_memory_t memory = ones();
  const quern_range_t range = {.dimensions = 1, .global = {items}};
  quern_group_t group = test_group(test_on_device.in_order);
  test_access(group, memory, quern_access_read_write);
  ASSERT_SUCCESS(quern_group_set_kernel(group, test_on_device.add, &range));
  ASSERT_SUCCESS(quern_group_set_argument(group, 7, 4, "abc"));
  expect_cause(test_submit(group), quern_error_backend_failure, "clSetKernelArg 7: CL_INVALID_ARG_INDEX");
  assert_int_equal(take_errors(&test_on_device), 1);
  test_expect(memory, 1, items);
  /* The queue and the kernel are as good as before. */
  test_add(&test_on_device, test_on_device.in_order, memory, 1, items);
  test_expect(memory, 2, items);
  ASSERT_SUCCESS(quern_memory_release(memory));
}

static void programs_that_do_not_build_tell_why(void **state) {
  (void)state;
  quern_program_t program = NULL;
  ASSERT_ERROR(quern_program_create_from_source(test_on_device.context, "kernel void broken(", NULL, &program),
               quern_error_build_failed, "error");
  quern_kernel_t kernel = NULL;
  ASSERT_ERROR(quern_kernel_create(test_on_device.program, "missing", &kernel), quern_error_backend_failure,
               "CL_INVALID_KERNEL_NAME");
  ASSERT_ERROR(quern_program_create_from_source(test_on_host.context, "", NULL, &program),
               quern_error_feature_not_supported, "host");
}

/* ------------------------------------------------------------ handlers */

static void the_queues_own_handler_comes_first(void **state) {
  (void)state;
  quern_queue_t queue = NULL;
  test_errors_t errors = {0};
  ASSERT_SUCCESS(quern_queue_create(test_on_host.context, test_on_host.device, 0, test_errors_add, &errors, &queue));
  quern_group_t group = test_group(queue);
  ASSERT_SUCCESS(quern_group_set_host_task(group, fail_task, NULL));
  test_submit_only(group);
  ASSERT_SUCCESS(quern_queue_wait(queue));
  assert_int_equal(atomic_load(&errors.count), 1);
  assert_int_equal(errors.last, quern_error_task_failed);
  assert_int_equal(take_errors(&test_on_host), 0);
  ASSERT_SUCCESS(quern_queue_release(queue));
}

static void wait_in_handler(const quern_async_error_t *error, void *data) {
  *(quern_result_t *)data = quern_event_wait(error->event);
}

static void handlers_may_not_wait(void **state) {
  (void)state;
  quern_queue_t queue = NULL;
  quern_result_t result = quern_success;
  ASSERT_SUCCESS(quern_queue_create(test_on_host.context, test_on_host.device, 0, wait_in_handler, &result, &queue));
  quern_group_t group = test_group(queue);
  ASSERT_SUCCESS(quern_group_set_host_task(group, fail_task, NULL));
  test_submit_only(group);
  ASSERT_SUCCESS(quern_queue_wait(queue));
  assert_int_equal(result, quern_error_invalid_operation);
  ASSERT_SUCCESS(quern_queue_release(queue));
}

/* Without any handler, stderr gets one line. */
static void the_default_handler_prints(void **state) {
  (void)state;
  quern_context_t context = NULL;
  quern_queue_t queue = NULL;
  char line[256] = "";
  FILE *file = tmpfile();
  assert_non_null(file);
  ASSERT_SUCCESS(quern_context_create(1, &test_on_host.device, NULL, NULL, &context));
  ASSERT_SUCCESS(quern_queue_create(context, test_on_host.device, 0, NULL, NULL, &queue));
  int saved = dup(2);
  dup2(fileno(file), 2);
  quern_group_t group = test_group(queue);
  ASSERT_SUCCESS(quern_group_set_host_task(group, fail_task, NULL));
  test_submit_only(group);
  ASSERT_SUCCESS(quern_queue_wait(queue));
  fflush(stderr);
  dup2(saved, 2);
  close(saved);
  rewind(file);
  assert_non_null(fgets(line, sizeof(line), file));
  assert_non_null(strstr(line, "command group failed: a task returned"));
  fclose(file);
  ASSERT_SUCCESS(quern_queue_release(queue));
  ASSERT_SUCCESS(quern_context_release(context));
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(dependants_fail_with_the_cause),
      cmocka_unit_test(a_buffer_stays_readable_and_is_usable_then),
      cmocka_unit_test(a_failed_reader_fails_nobody),
      cmocka_unit_test(discarding_forgets_a_failure),
      cmocka_unit_test(discarding_a_part_leaves_the_rest_failed),
      cmocka_unit_test(the_queue_goes_on),
      cmocka_unit_test(long_chains_fail),
      cmocka_unit_test(kernels_that_fault_fail_their_dependants),
      cmocka_unit_test(readers_that_fault_fail_nobody),
      cmocka_unit_test(failures_behind_others_are_their_own),
      cmocka_unit_test(dependants_wait_until_the_cause_is_told),
      cmocka_unit_test(refused_commands_fail_the_group),
      cmocka_unit_test(programs_that_do_not_build_tell_why),
      cmocka_unit_test(the_queues_own_handler_comes_first),
      cmocka_unit_test(handlers_may_not_wait),
      cmocka_unit_test(the_default_handler_prints),
  };
  return TEST_RUN_ALONE_OVER_PLACES(argc, argv, tests);
}
