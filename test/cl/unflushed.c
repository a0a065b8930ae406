/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Programs that never call clFlush, and see what they wait for in another way than by a blocking call. With
 * QUERN_IMPLICIT_FLUSH=0 only calls flush. */
#include <dirent.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "test_device.h"

/* What a program waits for comes within ten seconds, or it waits for ever. */
enum { TRIES = 10000 };

static void pause_milliseconds(long milliseconds) {
  const struct timespec pause = {.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000};
  nanosleep(&pause, NULL);
}

static cl_int status_of(cl_event event) {
  cl_int status = CL_QUEUED;
  ASSERT_CL(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL));
  return status;
}

static bool flushes_implicitly(void) {
  const char *value = getenv("QUERN_IMPLICIT_FLUSH");
  return !value || strcmp(value, "0") != 0;
}

static cl_command_queue queue_create(cl_command_queue_properties properties) {
  const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
  cl_int error;
  cl_command_queue queue = clCreateCommandQueueWithProperties(dut.context, dut.device, list, &error);
  ASSERT_CL(error);
  return queue;
}

/* ---------------------------------------------------------------- commands that tell that they run */

static void CL_CALLBACK raise_flag(void *arguments) {
  atomic_int *flag;
  memcpy(&flag, arguments, sizeof(flag));
  atomic_fetch_add(flag, 1);
}

/** A command that adds one to `flag`. */
static void enqueue_flag(cl_command_queue queue, atomic_int *flag, const cl_event *wait, cl_event *event) {
  ASSERT_CL(clEnqueueNativeKernel(queue, raise_flag, &flag, sizeof(flag), 0, NULL, NULL, wait ? 1 : 0, wait, event));
}

static bool flag_comes(atomic_int *flag, int count) {
  for (int i = 0; i < TRIES && atomic_load(flag) < count; i++) pause_milliseconds(1);
  return atomic_load(flag) == count;
}

static bool has_native_kernels(void) {
  cl_device_exec_capabilities capabilities = 0;
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_EXECUTION_CAPABILITIES, sizeof(capabilities), &capabilities, NULL));
  return capabilities & CL_EXEC_NATIVE_KERNEL;
}

/* ---------------------------------------------------------------- calls that flush */

static void assert_polling_ends(cl_command_queue_properties properties) {
  cl_command_queue queue = queue_create(properties);
  cl_event events[3];
  for (int i = 0; i < 3; i++)
    ASSERT_CL(clEnqueueMarkerWithWaitList(queue, i > 0, i ? &events[i - 1] : NULL, &events[i]));
  for (int i = 0; i < TRIES && status_of(events[2]) != CL_COMPLETE; i++) pause_milliseconds(1);
  assert_int_equal(status_of(events[2]), CL_COMPLETE);
  for (int i = 0; i < 3; i++) ASSERT_CL(clReleaseEvent(events[i]));
  ASSERT_CL(clReleaseCommandQueue(queue));
}

static void a_program_may_poll_a_status(void **state) {
  (void)state;
  assert_polling_ends(0);
  assert_polling_ends(CL_QUEUE_PROFILING_ENABLE);
  assert_polling_ends(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
}

/** The command waits for one of another queue, which nobody polls. */
static void a_status_may_depend_on_another_queue(void **state) {
  (void)state;
  cl_command_queue other = queue_create(0);
  cl_event first, second;
  ASSERT_CL(clEnqueueMarkerWithWaitList(other, 0, NULL, &first));
  ASSERT_CL(clEnqueueMarkerWithWaitList(dut.queue, 1, &first, &second));
  for (int i = 0; i < TRIES && status_of(second) != CL_COMPLETE; i++) pause_milliseconds(1);
  assert_int_equal(status_of(second), CL_COMPLETE);
  ASSERT_CL(clReleaseEvent(first));
  ASSERT_CL(clReleaseEvent(second));
  ASSERT_CL(clReleaseCommandQueue(other));
}

static void CL_CALLBACK count_call(cl_event event, cl_int status, void *user) {
  (void)event, (void)status;
  atomic_fetch_add((atomic_int *)user, 1);
}

static void a_program_may_wait_for_a_callback(void **state) {
  (void)state;
  static const cl_int statuses[] = {CL_SUBMITTED, CL_RUNNING, CL_COMPLETE};
  for (int i = 0; i < 3; i++) {
    atomic_int calls = 0;
    cl_event event;
    ASSERT_CL(clEnqueueMarkerWithWaitList(dut.queue, 0, NULL, &event));
    ASSERT_CL(clSetEventCallback(event, statuses[i], count_call, &calls));
    ASSERT_CL(clReleaseEvent(event));
    assert_true(flag_comes(&calls, 1));
  }
}

/** Of three queues, each with a command that waits for the user event. */
static void completing_a_user_event_starts_what_waits_for_it(void **state) {
  (void)state;
  if (!has_native_kernels()) skip();
  static const cl_command_queue_properties properties[] = {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  cl_command_queue queues[3];
  atomic_int flag = 0;
  cl_int error;
  cl_event gate = clCreateUserEvent(dut.context, &error);
  ASSERT_CL(error);
  for (int i = 0; i < 3; i++) {
    queues[i] = queue_create(properties[i]);
    enqueue_flag(queues[i], &flag, &gate, NULL);
    enqueue_flag(queues[i], &flag, &gate, NULL);
  }
  ASSERT_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  assert_true(flag_comes(&flag, 6));
  for (int i = 0; i < 3; i++) ASSERT_CL(clReleaseCommandQueue(queues[i]));
  ASSERT_CL(clReleaseEvent(gate));
}

/* ---------------------------------------------------------------- flushes of the driver's own */

static void assert_runs_unasked(cl_command_queue_properties properties) {
  cl_command_queue queue = queue_create(properties);
  atomic_int flag = 0;
  for (int i = 1; i <= 20; i++) {
    enqueue_flag(queue, &flag, NULL, NULL);
    enqueue_flag(queue, &flag, NULL, NULL);
    assert_true(flag_comes(&flag, 2 * i));
    /* So long that the queue is not watched any more. */
    if (i % 10 == 0) pause_milliseconds(50);
  }
  ASSERT_CL(clReleaseCommandQueue(queue));
}

static void a_program_may_wait_for_memory_to_change(void **state) {
  (void)state;
  if (!flushes_implicitly() || !has_native_kernels()) skip();
  assert_runs_unasked(0);
  assert_runs_unasked(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
}

/** Another queue of the device has a command that ends only after the one that nobody flushes has run. */
static void a_busy_device_is_no_reason_to_wait_for_ever(void **state) {
  (void)state;
  if (!flushes_implicitly() || !has_native_kernels()) skip();
  cl_command_queue other = queue_create(0);
  cl_int error;
  cl_event gate = clCreateUserEvent(dut.context, &error);
  ASSERT_CL(error);
  atomic_int flag = 0;
  ASSERT_CL(clEnqueueMarkerWithWaitList(other, 1, &gate, NULL));
  ASSERT_CL(clFlush(other));
  enqueue_flag(dut.queue, &flag, NULL, NULL);
  assert_true(flag_comes(&flag, 1));
  ASSERT_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  ASSERT_CL(clFinish(other));
  ASSERT_CL(clReleaseCommandQueue(other));
  ASSERT_CL(clReleaseEvent(gate));
}

/** Of the thread of that name; -1 without one. */
static long switches_of(const char *wanted) {
  char path[300], line[200], name[32] = "";
  long switches = -1, count = 0;
  DIR *tasks = opendir("/proc/self/task");
  if (!tasks) return -1;
  for (struct dirent *task; switches < 0 && (task = readdir(tasks));) {
    snprintf(path, sizeof(path), "/proc/self/task/%.20s/status", task->d_name);
    FILE *file = task->d_name[0] == '.' ? NULL : fopen(path, "r");
    while (file && fgets(line, sizeof(line), file)) {
      if (sscanf(line, "Name: %31s", name) != 1 && sscanf(line, "voluntary_ctxt_switches: %ld", &count) == 1 &&
          !strcmp(name, wanted))
        switches = count;
    }
    if (file) fclose(file);
  }
  closedir(tasks);
  return switches;
}

static void nobody_wakes_while_nothing_is_enqueued(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  if (!flushes_implicitly()) skip();
  cl_event event;
  ASSERT_CL(clEnqueueMarkerWithWaitList(dut.queue, 0, NULL, &event));
  ASSERT_CL(clWaitForEvents(1, &event));
  ASSERT_CL(clReleaseEvent(event));
  long before = -2, after = switches_of("quern-flush");
  assert_true(after >= 0);
  /* It looks for some milliseconds more, or for longer where it does not get a processor. */
  for (int i = 0; i < 100 && before != after; i++) {
    before = after;
    pause_milliseconds(100);
    after = switches_of("quern-flush");
  }
  assert_int_equal(before, after);
}

/** The thread that flushes must have let go of a queue that is released. */
static void queues_come_and_go_unflushed(void **state) {
  (void)state;
  if (!has_native_kernels()) skip();
  atomic_int flag = 0;
  enum { COUNT = 2000 };
  for (int i = 0; i < COUNT; i++) {
    cl_command_queue queue = queue_create(i % 2 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
    enqueue_flag(queue, &flag, NULL, NULL);
    if (i % 100 == 0) pause_milliseconds(1);
    ASSERT_CL(clReleaseCommandQueue(queue));
  }
  assert_true(flag_comes(&flag, COUNT));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_program_may_poll_a_status),
      cmocka_unit_test(a_status_may_depend_on_another_queue),
      cmocka_unit_test(a_program_may_wait_for_a_callback),
      cmocka_unit_test(completing_a_user_event_starts_what_waits_for_it),
      cmocka_unit_test(a_program_may_wait_for_memory_to_change),
      cmocka_unit_test(a_busy_device_is_no_reason_to_wait_for_ever),
      cmocka_unit_test(nobody_wakes_while_nothing_is_enqueued),
      cmocka_unit_test(queues_come_and_go_unflushed),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
