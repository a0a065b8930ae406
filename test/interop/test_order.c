/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Groups that fail keep their place: what comes behind them waits for those in front, and finds the contents as they
 * were. Argument: the OpenCL platform. */
#include <unistd.h>

#include "groups.h"

enum { items = 64, bytes = items * sizeof(int), moment_us = 50000 };

static int take_errors(test_place_t *place) { return atomic_exchange(&place->errors.count, 0); }

static quern_event_status_t status_of(quern_event_t event) {
  quern_event_status_t status = quern_event_submitted;
  ASSERT_SUCCESS(quern_event_get_status(event, &status));
  return status;
}

static bool is_over(quern_event_t event) {
  quern_event_status_t status = status_of(event);
  return status == quern_event_complete || status == quern_event_failed;
}

/** A user event, and the library's event that completes with it. */
typedef struct gate_t {
  cl_event native;
  quern_event_t event;
} gate_t;

static gate_t gate_close(void) {
  gate_t gate = {NULL, NULL};
  cl_context context = NULL;
  cl_int error;
  ASSERT_SUCCESS(quern_opencl_context_get_native(test_on_device.context, &context));
  gate.native = clCreateUserEvent(context, &error);
  assert_int_equal(error, CL_SUCCESS);
  ASSERT_SUCCESS(
      quern_opencl_event_make_from_native(test_on_device.context, gate.native, quern_ownership_retain, &gate.event));
  assert_int_equal(clReleaseContext(context), CL_SUCCESS);
  return gate;
}

static void gate_open(gate_t *gate) {
  assert_int_equal(clSetUserEventStatus(gate->native, CL_COMPLETE), CL_SUCCESS);
  assert_int_equal(clReleaseEvent(gate->native), CL_SUCCESS);
  ASSERT_SUCCESS(quern_event_release(gate->event));
}

/* x[i] += value, not before `after`. */
static quern_event_t submit_addition(quern_queue_t queue, quern_memory_t memory, int value, quern_event_t after) {
  quern_group_t group = test_addition(&test_on_device, queue, memory, value, items);
  if (after) ASSERT_SUCCESS(quern_group_depend(group, after));
  return test_submit(group);
}

/* One that the backend refuses. */
static quern_event_t submit_refused(quern_queue_t queue, quern_memory_t memory) {
  quern_group_t group = test_addition(&test_on_device, queue, memory, 1, items);
  ASSERT_SUCCESS(quern_group_set_argument(group, 7, 4, "abc"));
  return test_submit(group);
}

static quern_result_t fail_task(quern_handle_t handle, void *data) {
  (void)handle;
  (void)data;
  return quern_error_task_failed;
}

static quern_event_t fail_on_host(quern_memory_t memory) {
  quern_group_t group = test_group(test_on_host.out_of_order);
  if (memory) test_access(group, memory, quern_access_read_write);
  ASSERT_SUCCESS(quern_group_set_host_task(group, fail_task, NULL));
  quern_event_t event = test_submit(group);
  assert_int_equal(quern_event_wait(event), quern_error_task_failed);
  return event;
}

static quern_memory_t numbers(int value) {
  int values[items];
  for (int i = 0; i < items; i++) values[i] = value;
  quern_memory_options_t options = QUERN_MEMORY_OPTIONS_INIT;
  options.flags = quern_memory_copy_host;
  return test_buffer(bytes, values, &options);
}

/* ------------------------------------------------------------ behind those that still run */

/** A host access that another thread begins. */
typedef struct visitor_t {
  pthread_t thread;
  quern_memory_t memory;
  atomic_bool has_begun;
  int seen;
} visitor_t;

static void *visit(void *data) {
  visitor_t *visitor = data;
  quern_host_access_t access = NULL;
  void *pointer = NULL;
  if (quern_host_access_begin(visitor->memory, quern_access_read, 0, 0, &pointer, &access) != quern_success)
    return NULL;
  visitor->seen = *(int *)pointer;
  atomic_store(&visitor->has_begun, true);
  (void)!quern_host_access_end(access);
  return NULL;
}

static void a_group_that_cannot_start_lets_nobody_past(quern_event_t (*submit_failing)(quern_memory_t memory)) {
  gate_t gate = gate_close();
  quern_memory_t memory = numbers(1);
  quern_event_t first = submit_addition(test_on_device.out_of_order, memory, 1, gate.event);
  quern_event_t failed = submit_failing(memory);
  visitor_t visitor = {.memory = memory};
  assert_int_equal(pthread_create(&visitor.thread, NULL, visit, &visitor), 0);
  usleep(moment_us);
  assert_false(is_over(first));
  assert_false(is_over(failed));
  assert_false(atomic_load(&visitor.has_begun));
  gate_open(&gate);
  assert_int_equal(pthread_join(visitor.thread, NULL), 0);
  assert_true(atomic_load(&visitor.has_begun));
  assert_int_equal(visitor.seen, 2);
  assert_int_not_equal(quern_event_wait(failed), quern_success);
  test_finish(first);
  ASSERT_SUCCESS(quern_event_release(failed));
  ASSERT_SUCCESS(quern_memory_release(memory));
}

static quern_event_t refuse_out_of_order(quern_memory_t memory) {
  return submit_refused(test_on_device.out_of_order, memory);
}

static quern_event_t depend_on_failure(quern_memory_t memory) {
  quern_event_t cause = fail_on_host(NULL);
  quern_event_t event = submit_addition(test_on_device.out_of_order, memory, 10, cause);
  ASSERT_SUCCESS(quern_event_release(cause));
  return event;
}

static void refused_groups_let_nobody_past(void **state) {
  (void)state;
  a_group_that_cannot_start_lets_nobody_past(refuse_out_of_order);
  assert_int_equal(take_errors(&test_on_device), 1);
}

static void dependants_of_failures_let_nobody_past(void **state) {
  (void)state;
  a_group_that_cannot_start_lets_nobody_past(depend_on_failure);
  assert_int_equal(take_errors(&test_on_host), 1);
  assert_int_equal(take_errors(&test_on_device), 0);
}

static quern_result_t look(quern_handle_t handle, void *data) {
  (void)handle;
  quern_event_t *event = data;
  return is_over(*event) ? quern_success : quern_error_task_failed;
}

/* In order, a task behind one that the backend refused. */
static void refused_groups_keep_the_order(void **state) {
  (void)state;
  gate_t gate = gate_close();
  quern_memory_t memory = numbers(1), other = numbers(1);
  quern_event_t first = submit_addition(test_on_device.in_order, memory, 1, gate.event);
  quern_event_t refused = submit_refused(test_on_device.in_order, other);
  quern_group_t group = test_group(test_on_device.in_order);
  ASSERT_SUCCESS(quern_group_set_host_task(group, look, (void *)&first));
  quern_event_t task = test_submit(group);
  usleep(moment_us);
  gate_open(&gate);
  test_finish(task);
  test_finish(first);
  assert_int_equal(quern_event_wait(refused), quern_error_backend_failure);
  ASSERT_SUCCESS(quern_event_release(refused));
  assert_int_equal(take_errors(&test_on_device), 1);
  test_expect(memory, 2, items);
  ASSERT_SUCCESS(quern_memory_release(memory));
  ASSERT_SUCCESS(quern_memory_release(other));
}

/* ------------------------------------------------------------ contents */

/* A group that fails without having run has written nowhere, so what was there is still there. */
static void contents_survive_groups_that_never_ran(void **state) {
  (void)state;
  int values[items];
  for (int i = 0; i < items; i++) values[i] = 100;
  quern_memory_options_t options = QUERN_MEMORY_OPTIONS_INIT;
  options.flags = quern_memory_separate;
  quern_memory_t memory = test_buffer(bytes, values, &options);
  ASSERT_SUCCESS(quern_event_release(fail_on_host(memory)));
  quern_event_t dependant = submit_addition(test_on_device.in_order, memory, 1, NULL);
  quern_event_t behind = submit_addition(test_on_device.out_of_order, memory, 1, NULL);
  assert_int_equal(quern_event_wait(dependant), quern_error_task_failed);
  assert_int_equal(quern_event_wait(behind), quern_error_task_failed);
  ASSERT_SUCCESS(quern_event_release(dependant));
  ASSERT_SUCCESS(quern_event_release(behind));
  ASSERT_SUCCESS(quern_memory_release(memory));
  for (int i = 0; i < items; i++) assert_int_equal(values[i], 100);
  assert_int_equal(take_errors(&test_on_host), 1);
  assert_int_equal(take_errors(&test_on_device), 0);
}

/* The host has looked at the beginning alone. */
static void only_what_was_looked_at_is_forgiven(void **state) {
  (void)state;
  quern_memory_t memory = numbers(1);
  quern_host_access_t access = NULL;
  void *pointer = NULL;
  ASSERT_SUCCESS(quern_event_release(fail_on_host(memory)));
  ASSERT_SUCCESS(quern_host_access_begin(memory, quern_access_read, 0, sizeof(int), &pointer, &access));
  ASSERT_SUCCESS(quern_host_access_end(access));
  quern_group_t group = test_group(test_on_host.in_order);
  ASSERT_SUCCESS(quern_group_access(group, memory, quern_access_read, 0, sizeof(int), NULL));
  test_finish(test_submit(group));
  group = test_group(test_on_host.in_order);
  ASSERT_SUCCESS(quern_group_access(group, memory, quern_access_read, sizeof(int), 0, NULL));
  quern_event_t event = test_submit(group);
  assert_int_equal(quern_event_wait(event), quern_error_task_failed);
  ASSERT_SUCCESS(quern_event_release(event));
  assert_int_equal(take_errors(&test_on_host), 1);
  ASSERT_SUCCESS(quern_memory_release(memory));
}

/* ------------------------------------------------------------ arguments */

/* Each group has its own, also where another one has set them in the same kernel before. */
static void arguments_are_not_those_of_another_group(void **state) {
  (void)state;
  const quern_range_t range = {.dimensions = 1, .global = {items}};
  quern_memory_t memory = numbers(1);
  test_finish(submit_addition(test_on_device.in_order, memory, 1, NULL));
  quern_group_t group = test_group(test_on_device.in_order);
  quern_accessor_t x = test_access(group, memory, quern_access_read_write);
  ASSERT_SUCCESS(quern_group_set_kernel(group, test_on_device.add, &range));
  ASSERT_SUCCESS(quern_group_set_argument_accessor(group, 0, x));
  quern_event_t event = test_submit(group);
  ASSERT_ERROR(quern_event_wait(event), quern_error_invalid_argument, "argument 1 of the kernel is not set");
  ASSERT_SUCCESS(quern_event_release(event));
  assert_int_equal(take_errors(&test_on_device), 1);
  test_expect(memory, 2, items);
  ASSERT_SUCCESS(quern_memory_release(memory));
}

/* Any that is missing is told, the first as well as the last. */
static void each_argument_is_missed(void **state) {
  (void)state;
  const quern_range_t range = {.dimensions = 1, .global = {items}};
  const int one = 1;
  quern_memory_t memory = numbers(1);
  quern_group_t group = test_group(test_on_device.in_order);
  test_access(group, memory, quern_access_read_write);
  ASSERT_SUCCESS(quern_group_set_kernel(group, test_on_device.add, &range));
  ASSERT_SUCCESS(quern_group_set_argument(group, 1, sizeof(one), &one));
  quern_event_t event = test_submit(group);
  ASSERT_ERROR(quern_event_wait(event), quern_error_invalid_argument, "argument 0 of the kernel is not set");
  ASSERT_SUCCESS(quern_event_release(event));
  assert_int_equal(take_errors(&test_on_device), 1);
  ASSERT_SUCCESS(quern_memory_release(memory));
}

/* ------------------------------------------------------------ destructors */

typedef struct last_reference_t {
  quern_memory_t memory;
  atomic_int result;
} last_reference_t;

static void give_back(void *data) {
  last_reference_t *reference = data;
  atomic_store(&reference->result, (int)quern_memory_release(reference->memory));
}

/* A destructor may give back the last reference of a buffer with host memory, which waits for those who use it. The
 * device's completions are noticed meanwhile. */
static void destructors_may_wait(void **state) {
  (void)state;
  int values[items] = {0};
  gate_t first = gate_close(), second = gate_close();
  quern_memory_t memory = test_buffer(bytes, values, NULL), one = numbers(1), other = numbers(1);
  last_reference_t reference = {memory, test_unlisted()};
  quern_group_t group = test_addition(&test_on_device, test_on_device.in_order, one, 1, items);
  ASSERT_SUCCESS(quern_group_depend(group, first.event));
  ASSERT_SUCCESS(quern_group_set_destructor(group, give_back, &reference));
  quern_event_t owner = test_submit(group);
  quern_event_t before = submit_addition(test_on_device.out_of_order, other, 1, second.event);
  group = test_group(test_on_host.out_of_order);
  ASSERT_SUCCESS(quern_group_depend(group, before));
  test_access(group, memory, quern_access_read_write);
  quern_event_t user = test_submit(group);
  gate_open(&first);
  usleep(2 * moment_us);
  gate_open(&second);
  /* Not by waiting, which would notice the completion by itself. */
  for (int i = 0; i < 100 && status_of(user) != quern_event_complete; i++) usleep(moment_us);
  assert_int_equal(status_of(user), quern_event_complete);
  for (int i = 0; i < 100 && atomic_load(&reference.result) == test_unlisted(); i++) usleep(moment_us);
  assert_int_equal(atomic_load(&reference.result), quern_success);
  test_finish(owner);
  test_finish(before);
  test_finish(user);
  ASSERT_SUCCESS(quern_memory_release(one));
  ASSERT_SUCCESS(quern_memory_release(other));
}

/* ------------------------------------------------------------ asking */

/** What a handler asks for, and got. */
typedef struct question_t {
  _Atomic(quern_event_t) first, second;
  quern_event_status_t statuses[2];
  atomic_int told;
} question_t;

static void ask_in_handler(const quern_async_error_t *error, void *data) {
  (void)error;
  question_t *question = data;
  /* The device gives up what waits for the failed command meanwhile. */
  usleep(2 * moment_us);
  (void)!quern_event_get_status(atomic_load(&question->second), &question->statuses[1]);
  (void)!quern_event_get_status(atomic_load(&question->first), &question->statuses[0]);
  atomic_fetch_add(&question->told, 1);
}

static quern_event_t submit_fault(quern_queue_t queue, quern_memory_t memory, quern_event_t after,
                                  quern_queue_t fallback) {
  const quern_range_t range = {.dimensions = 1, .global = {1}};
  const cl_ulong address = 0;
  quern_group_t group = test_group(queue);
  if (fallback) ASSERT_SUCCESS(quern_group_set_fallback(group, fallback));
  quern_accessor_t x = test_access(group, memory, quern_access_read_write);
  if (after) ASSERT_SUCCESS(quern_group_depend(group, after));
  ASSERT_SUCCESS(quern_group_set_kernel(group, test_on_device.fault, &range));
  ASSERT_SUCCESS(quern_group_set_argument_accessor(group, 0, x));
  ASSERT_SUCCESS(quern_group_set_argument(group, 1, sizeof(address), &address));
  return test_submit(group);
}

/* A fault in a kernel: only this project's driver survives it. */
static bool survives_faults(void) {
  if (strcmp(test_platform, "Quern") == 0) return true;
  print_message("a fault in a kernel ends the process with this driver: left out\n");
  return false;
}

/* A handler that asks for what failed with what it is being told of: that is not over before it returns. */
static void handlers_may_ask_for_dependants(void **state) {
  (void)state;
  if (!survives_faults()) return;
  question_t question = {0};
  quern_queue_t queue = NULL;
  gate_t gate = gate_close();
  quern_memory_t memory = numbers(1);
  ASSERT_SUCCESS(quern_queue_create(test_on_device.context, test_on_device.device, quern_queue_out_of_order,
                                    ask_in_handler, &question, &queue));
  quern_event_t cause = submit_fault(queue, memory, gate.event, NULL);
  quern_event_t first = submit_addition(queue, memory, 1, NULL), second = submit_addition(queue, memory, 1, NULL);
  atomic_store(&question.first, first);
  atomic_store(&question.second, second);
  /* Asking sends them to the device, too. */
  assert_false(is_over(second));
  gate_open(&gate);
  for (int i = 0; i < 100 && !atomic_load(&question.told); i++) usleep(moment_us);
  assert_int_equal(atomic_load(&question.told), 1);
  assert_true(question.statuses[0] == quern_event_running || question.statuses[0] == quern_event_submitted);
  assert_true(question.statuses[1] == quern_event_running || question.statuses[1] == quern_event_submitted);
  ASSERT_ERROR(quern_event_wait(second), quern_error_backend_failure, "depends on failed: a command ended with");
  ASSERT_ERROR(quern_event_wait(first), quern_error_backend_failure, "depends on failed: a command ended with");
  assert_int_equal(quern_event_wait(cause), quern_error_backend_failure);
  assert_int_equal(atomic_load(&question.told), 1);
  assert_int_equal(take_errors(&test_on_device), 0);
  ASSERT_SUCCESS(quern_event_release(cause));
  ASSERT_SUCCESS(quern_event_release(first));
  ASSERT_SUCCESS(quern_event_release(second));
  ASSERT_SUCCESS(quern_queue_release(queue));
  ASSERT_SUCCESS(quern_memory_release(memory));
}

/* Out of order, behind one that the device has and that does not end. */
static void what_is_asked_for_is_sent(void **state) {
  (void)state;
  gate_t gate = gate_close(), other = gate_close();
  quern_memory_t memory = numbers(1), unrelated = numbers(1);
  quern_event_t stuck = submit_addition(test_on_device.out_of_order, unrelated, 1, gate.event);
  usleep(moment_us);
  quern_event_t first = submit_addition(test_on_device.out_of_order, memory, 1, other.event);
  quern_event_t second = submit_addition(test_on_device.out_of_order, memory, 1, NULL);
  gate_open(&other);
  for (int i = 0; i < 60 && !is_over(second); i++) usleep(moment_us);
  assert_int_equal(status_of(second), quern_event_complete);
  assert_false(is_over(stuck));
  gate_open(&gate);
  test_finish(stuck);
  test_finish(first);
  test_finish(second);
  test_expect(memory, 3, items);
  ASSERT_SUCCESS(quern_memory_release(memory));
  ASSERT_SUCCESS(quern_memory_release(unrelated));
}

/* ------------------------------------------------------------ second tries */

/* The second try waits until nothing else runs in the fallback queue, which somebody has to notice. */
static void others_are_watched_during_a_second_try(void **state) {
  (void)state;
  if (!survives_faults()) return;
  quern_queue_t queue = test_on_device.out_of_order;
  gate_t first = gate_close(), second = gate_close();
  quern_memory_t memory = numbers(1), unrelated = numbers(1);
  quern_event_t failing = submit_fault(queue, memory, first.event, queue);
  quern_event_t other = submit_addition(queue, unrelated, 1, second.event);
  gate_open(&first);
  usleep(2 * moment_us);
  assert_false(is_over(failing));
  gate_open(&second);
  for (int i = 0; i < 60 && !is_over(failing); i++) usleep(moment_us);
  assert_int_equal(status_of(failing), quern_event_failed);
  assert_int_equal(take_errors(&test_on_device), 1);
  test_finish(other);
  ASSERT_SUCCESS(quern_event_release(failing));
  ASSERT_SUCCESS(quern_memory_release(memory));
  ASSERT_SUCCESS(quern_memory_release(unrelated));
}

/* Whoever waits natively for a group with a fallback queue waits for its last try. */
static void native_events_have_the_last_outcome(void **state) {
  (void)state;
  if (!survives_faults()) return;
  gate_t gate = gate_close(), other = gate_close();
  quern_memory_t memory = numbers(1), unrelated = numbers(1);
  cl_event native = NULL;
  cl_int status = CL_QUEUED;
  quern_event_t busy = submit_addition(test_on_device.in_order, unrelated, 1, other.event);
  quern_event_t failing = submit_fault(test_on_device.out_of_order, memory, gate.event, test_on_device.in_order);
  ASSERT_SUCCESS(quern_opencl_event_get_native(failing, &native));
  gate_open(&gate);
  /* The second try has to wait: the group is not over, and neither is its event. */
  usleep(2 * moment_us);
  assert_false(is_over(failing));
  assert_int_equal(clGetEventInfo(native, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL),
                   CL_SUCCESS);
  assert_true(status > 0);
  gate_open(&other);
  assert_int_equal(quern_event_wait(failing), quern_error_backend_failure);
  assert_int_not_equal(clWaitForEvents(1, &native), CL_SUCCESS);
  assert_int_equal(take_errors(&test_on_device), 1);
  test_finish(busy);
  assert_int_equal(clReleaseEvent(native), CL_SUCCESS);
  ASSERT_SUCCESS(quern_event_release(failing));
  ASSERT_SUCCESS(quern_memory_release(memory));
  ASSERT_SUCCESS(quern_memory_release(unrelated));
}

/* ------------------------------------------------------------ causes */

static quern_result_t fail_late(quern_handle_t handle, void *data) {
  (void)handle;
  (void)data;
  usleep(moment_us);
  return quern_error_task_failed;
}

/* A task that was only in front in the queue is no cause of a kernel's own fault. */
static void own_failures_are_told(void **state) {
  (void)state;
  if (!survives_faults()) return;
  quern_memory_t memory = numbers(1);
  quern_group_t group = test_group(test_on_device.in_order);
  ASSERT_SUCCESS(quern_group_set_host_task(group, fail_late, NULL));
  quern_event_t task = test_submit(group), kernel = submit_fault(test_on_device.in_order, memory, NULL, NULL);
  ASSERT_ERROR(quern_event_wait(kernel), quern_error_backend_failure, "a command ended with");
  assert_int_equal(quern_event_wait(task), quern_error_task_failed);
  assert_int_equal(take_errors(&test_on_device), 2);
  ASSERT_SUCCESS(quern_event_release(task));
  ASSERT_SUCCESS(quern_event_release(kernel));
  ASSERT_SUCCESS(quern_memory_release(memory));
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(refused_groups_let_nobody_past),
      cmocka_unit_test(dependants_of_failures_let_nobody_past),
      cmocka_unit_test(refused_groups_keep_the_order),
      cmocka_unit_test(contents_survive_groups_that_never_ran),
      cmocka_unit_test(only_what_was_looked_at_is_forgiven),
      cmocka_unit_test(arguments_are_not_those_of_another_group),
      cmocka_unit_test(each_argument_is_missed),
      cmocka_unit_test(destructors_may_wait),
      cmocka_unit_test(handlers_may_ask_for_dependants),
      cmocka_unit_test(what_is_asked_for_is_sent),
      cmocka_unit_test(others_are_watched_during_a_second_try),
      cmocka_unit_test(native_events_have_the_last_outcome),
      cmocka_unit_test(own_failures_are_told),
  };
  return TEST_RUN_ALONE_OVER_PLACES(argc, argv, tests);
}
