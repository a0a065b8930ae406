/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * clSetEventCallback. */
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "test_device.h"

typedef struct calls_t {
  atomic_int count;
  _Atomic(cl_int) status;
  _Atomic(cl_event) event;
} calls_t;

static void CL_CALLBACK record(cl_event event, cl_int status, void *user) {
  calls_t *calls = user;
  atomic_store(&calls->event, event);
  atomic_store(&calls->status, status);
  atomic_fetch_add(&calls->count, 1);
}

/** Callbacks may come after the wait for the event returned; gives up after ten seconds. */
static void wait_for_calls(calls_t *calls, int count) {
  const struct timespec pause = {.tv_nsec = 1000000};
  for (int i = 0; i < 10000 && atomic_load(&calls->count) < count; i++) nanosleep(&pause, NULL);
  assert_int_equal(atomic_load(&calls->count), count);
}

static cl_event gate_event(void) {
  cl_int error;
  cl_event event = clCreateUserEvent(dut.context, &error);
  ASSERT_CL(error);
  return event;
}

static void comes_when_the_command_is_complete(void **state) {
  (void)state;
  calls_t calls = {0};
  cl_event gate = gate_event(), event;
  ASSERT_CL(clEnqueueMarkerWithWaitList(dut.queue, 1, &gate, &event));
  ASSERT_CL(clSetEventCallback(event, CL_COMPLETE, record, &calls));
  ASSERT_CL(clFlush(dut.queue));
  assert_int_equal(atomic_load(&calls.count), 0);
  ASSERT_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  ASSERT_CL(clWaitForEvents(1, &event));
  wait_for_calls(&calls, 1);
  assert_int_equal(atomic_load(&calls.status), CL_COMPLETE);
  assert_ptr_equal(atomic_load(&calls.event), event);
  ASSERT_CL(clReleaseEvent(gate));
  ASSERT_CL(clReleaseEvent(event));
}

static void comes_at_once_when_the_status_is_past_already(void **state) {
  (void)state;
  calls_t calls = {0};
  cl_event event;
  ASSERT_CL(clEnqueueMarkerWithWaitList(dut.queue, 0, NULL, &event));
  ASSERT_CL(clWaitForEvents(1, &event));
  ASSERT_CL(clSetEventCallback(event, CL_COMPLETE, record, &calls));
  wait_for_calls(&calls, 1);
  ASSERT_CL(clReleaseEvent(event));
}

static void every_registered_callback_comes_once(void **state) {
  (void)state;
  static const cl_int statuses[] = {CL_SUBMITTED, CL_RUNNING, CL_COMPLETE};
  calls_t calls[3][2] = {0};
  cl_event gate = gate_event(), event;
  ASSERT_CL(clEnqueueMarkerWithWaitList(dut.queue, 1, &gate, &event));
  for (int i = 0; i < 6; i++) ASSERT_CL(clSetEventCallback(event, statuses[i / 2], record, &calls[i / 2][i % 2]));
  ASSERT_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  ASSERT_CL(clFinish(dut.queue));
  for (int i = 0; i < 6; i++) wait_for_calls(&calls[i / 2][i % 2], 1);
  ASSERT_CL(clReleaseEvent(gate));
  ASSERT_CL(clReleaseEvent(event));
}

static void user_events_call_back_too(void **state) {
  (void)state;
  calls_t calls = {0};
  cl_event event = gate_event();
  ASSERT_CL(clSetEventCallback(event, CL_RUNNING, record, &calls));
  ASSERT_CL(clSetEventCallback(event, CL_COMPLETE, record, &calls));
  ASSERT_CL(clSetUserEventStatus(event, CL_COMPLETE));
  wait_for_calls(&calls, 2);
  ASSERT_CL(clReleaseEvent(event));
}

/* Sees for up to five seconds whether another command completes meanwhile. */
static void CL_CALLBACK watch_another(cl_event event, cl_int status, void *user) {
  (void)event;
  cl_event *other = user;
  status = CL_QUEUED;
  for (int i = 0; i < 5000 && status > CL_COMPLETE; i++) {
    usleep(1000);
    clGetEventInfo(*other, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL);
  }
  if (status != CL_COMPLETE) *other = NULL;
}

static void callbacks_of_user_events_do_not_hold_up_who_waits(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  cl_int error;
  cl_event event = clCreateUserEvent(dut.context, &error), marker, watched;
  ASSERT_CL(error);
  ASSERT_CL(clEnqueueMarkerWithWaitList(dut.queue, 1, &event, &marker));
  watched = marker;
  ASSERT_CL(clSetEventCallback(event, CL_COMPLETE, watch_another, &watched));
  ASSERT_CL(clFlush(dut.queue));
  ASSERT_CL(clSetUserEventStatus(event, CL_COMPLETE));
  ASSERT_CL(clFinish(dut.queue));
  assert_non_null(watched);
  ASSERT_CL(clReleaseEvent(marker));
  ASSERT_CL(clReleaseEvent(event));
}

static void failure_is_told_by_its_negative_status(void **state) {
  (void)state;
  calls_t calls = {0};
  cl_event event = gate_event();
  ASSERT_CL(clSetEventCallback(event, CL_COMPLETE, record, &calls));
  ASSERT_CL(clSetUserEventStatus(event, -99));
  wait_for_calls(&calls, 1);
  assert_int_equal(atomic_load(&calls.status), -99);
  ASSERT_CL(clReleaseEvent(event));
}

static void CL_CALLBACK enqueue_more(cl_event event, cl_int status, void *user) {
  (void)event;
  const cl_uint seven = 7;
  cl_event *next = user;
  if (status != CL_COMPLETE) return;
  cl_mem buffer = clCreateBuffer(dut.context, 0, sizeof(seven), NULL, NULL);
  clEnqueueFillBuffer(dut.queue, buffer, &seven, sizeof(seven), 0, sizeof(seven), 0, NULL, NULL);
  clFlush(dut.queue);
  clReleaseMemObject(buffer);
  clSetUserEventStatus(*next, CL_COMPLETE);
}

/** Non-blocking calls are allowed in a callback: a driver that holds a lock while calling would hang here. */
static void a_callback_may_enqueue_and_complete_user_events(void **state) {
  (void)state;
  cl_event event, next = gate_event();
  ASSERT_CL(clEnqueueMarkerWithWaitList(dut.queue, 0, NULL, &event));
  ASSERT_CL(clSetEventCallback(event, CL_COMPLETE, enqueue_more, &next));
  ASSERT_CL(clFlush(dut.queue));
  ASSERT_CL(clWaitForEvents(1, &next));
  ASSERT_CL(clFinish(dut.queue));
  ASSERT_CL(clReleaseEvent(event));
  ASSERT_CL(clReleaseEvent(next));
}

static void refuses_bad_arguments(void **state) {
  (void)state;
  calls_t calls = {0};
  cl_event event = gate_event();
  ASSERT_CL_ERROR(clSetEventCallback(NULL, CL_COMPLETE, record, &calls), CL_INVALID_EVENT);
  ASSERT_CL_ERROR(clSetEventCallback(event, CL_COMPLETE, NULL, &calls), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(clSetEventCallback(event, CL_QUEUED, record, &calls), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(clSetEventCallback(event, -1, record, &calls), CL_INVALID_VALUE);
  ASSERT_CL(clSetUserEventStatus(event, CL_COMPLETE));
  ASSERT_CL(clReleaseEvent(event));
  assert_int_equal(atomic_load(&calls.count), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(comes_when_the_command_is_complete),
      cmocka_unit_test(comes_at_once_when_the_status_is_past_already),
      cmocka_unit_test(every_registered_callback_comes_once),
      cmocka_unit_test(user_events_call_back_too),
      cmocka_unit_test(callbacks_of_user_events_do_not_hold_up_who_waits),
      cmocka_unit_test(failure_is_told_by_its_negative_status),
      cmocka_unit_test(a_callback_may_enqueue_and_complete_user_events),
      cmocka_unit_test(refuses_bad_arguments),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
