/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * clCreateUserEvent, clSetUserEventStatus and clWaitForEvents. */
#include <unistd.h>

#include "test_device.h"

static cl_event create(void) {
  cl_int error;
  cl_event event = clCreateUserEvent(dut.context, &error);
  ASSERT_CL(error);
  assert_non_null(event);
  return event;
}

static void starts_submitted_with_no_queue(void **state) {
  (void)state;
  cl_event event = create();
  ASSERT_INFO(clGetEventInfo, event, CL_EVENT_COMMAND_EXECUTION_STATUS, cl_int, CL_SUBMITTED);
  ASSERT_INFO(clGetEventInfo, event, CL_EVENT_COMMAND_TYPE, cl_command_type, CL_COMMAND_USER);
  ASSERT_INFO(clGetEventInfo, event, CL_EVENT_COMMAND_QUEUE, cl_command_queue, NULL);
  ASSERT_INFO(clGetEventInfo, event, CL_EVENT_CONTEXT, cl_context, dut.context);
  ASSERT_INFO(clGetEventInfo, event, CL_EVENT_REFERENCE_COUNT, cl_uint, 1);
  ASSERT_CL(clReleaseEvent(event));
}

static void status_may_be_set_once(void **state) {
  (void)state;
  cl_event event = create();
  ASSERT_CL(clSetUserEventStatus(event, CL_COMPLETE));
  ASSERT_INFO(clGetEventInfo, event, CL_EVENT_COMMAND_EXECUTION_STATUS, cl_int, CL_COMPLETE);
  ASSERT_CL_ERROR(clSetUserEventStatus(event, CL_COMPLETE), CL_INVALID_OPERATION);
  ASSERT_CL_ERROR(clSetUserEventStatus(event, -1), CL_INVALID_OPERATION);
  ASSERT_CL(clWaitForEvents(1, &event));
  ASSERT_CL(clReleaseEvent(event));
}

static void a_negative_status_stays_and_fails_the_wait(void **state) {
  (void)state;
  cl_event events[2] = {create(), create()};
  ASSERT_CL(clSetUserEventStatus(events[0], CL_COMPLETE));
  ASSERT_CL(clSetUserEventStatus(events[1], -1234));
  ASSERT_INFO(clGetEventInfo, events[1], CL_EVENT_COMMAND_EXECUTION_STATUS, cl_int, -1234);
  ASSERT_CL_ERROR(clWaitForEvents(2, events), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  for (int i = 0; i < 2; i++) ASSERT_CL(clReleaseEvent(events[i]));
}

static void refuses_positive_statuses(void **state) {
  (void)state;
  cl_event event = create();
  ASSERT_CL_ERROR(clSetUserEventStatus(event, CL_RUNNING), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(clSetUserEventStatus(event, CL_SUBMITTED), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(clSetUserEventStatus(event, CL_QUEUED), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(clSetUserEventStatus(event, 77), CL_INVALID_VALUE);
  ASSERT_CL(clSetUserEventStatus(event, CL_COMPLETE));
  ASSERT_CL(clReleaseEvent(event));
}

static void refuses_events_of_commands(void **state) {
  (void)state;
  cl_event event;
  ASSERT_CL(clEnqueueMarkerWithWaitList(dut.queue, 0, NULL, &event));
  ASSERT_CL_ERROR(clSetUserEventStatus(event, CL_COMPLETE), CL_INVALID_EVENT);
  ASSERT_CL(clWaitForEvents(1, &event));
  ASSERT_CL(clReleaseEvent(event));
}

static void refuses_null_and_foreign_handles(void **state) {
  (void)state;
  cl_int error;
  ASSERT_CL_REFUSED(clCreateUserEvent(NULL, &error), error, CL_INVALID_CONTEXT);
  ASSERT_CL_ERROR(clSetUserEventStatus(NULL, CL_COMPLETE), CL_INVALID_EVENT);
  SKIP_UNLESS_QUERN();
  ASSERT_CL_REFUSED(clCreateUserEvent((cl_context)(void *)dut.queue, &error), error, CL_INVALID_CONTEXT);
  ASSERT_CL_ERROR(clSetUserEventStatus((cl_event)(void *)dut.queue, CL_COMPLETE), CL_INVALID_EVENT);
}

static void waiting_needs_events_of_one_context(void **state) {
  (void)state;
  cl_int error;
  cl_context context = test_other_context();
  cl_event events[2] = {create(), clCreateUserEvent(context, &error)};
  ASSERT_CL(error);
  for (int i = 0; i < 2; i++) ASSERT_CL(clSetUserEventStatus(events[i], CL_COMPLETE));
  ASSERT_CL_ERROR(clWaitForEvents(2, events), CL_INVALID_CONTEXT);
  for (int i = 0; i < 2; i++) ASSERT_CL(clReleaseEvent(events[i]));
  ASSERT_CL(clReleaseContext(context));
}

static void waiting_refuses_nothing_and_what_is_no_event(void **state) {
  (void)state;
  cl_event events[2] = {create(), NULL};
  ASSERT_CL(clSetUserEventStatus(events[0], CL_COMPLETE));
  ASSERT_CL_ERROR(clWaitForEvents(0, events), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(clWaitForEvents(1, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(clWaitForEvents(2, events), CL_INVALID_EVENT);
  ASSERT_CL(clReleaseEvent(events[0]));
}

/** Waiting flushes the queues of the events it waits for. */
static void waiting_flushes(void **state) {
  (void)state;
  cl_event event;
  const cl_uint zero = 0;
  cl_mem buffer = test_buffer(64, NULL);
  ASSERT_CL(clEnqueueFillBuffer(dut.queue, buffer, &zero, 4, 0, 64, 0, NULL, &event));
  ASSERT_CL(clWaitForEvents(1, &event));
  ASSERT_INFO(clGetEventInfo, event, CL_EVENT_COMMAND_EXECUTION_STATUS, cl_int, CL_COMPLETE);
  ASSERT_CL(clReleaseEvent(event));
  ASSERT_CL(clReleaseMemObject(buffer));
}

/** A command that waits for one on another queue: both run although only the second is waited for. */
static void a_chain_over_three_queues_runs_in_its_order(void **state) {
  (void)state;
  cl_uint seen = 0;
  cl_event events[3], gate = create();
  cl_command_queue queues[3];
  cl_mem buffer = test_buffer(sizeof(seen), &seen);
  for (cl_uint i = 0; i < 3; i++) {
    queues[i] = test_other_queue(dut.context);
    ASSERT_CL(clEnqueueFillBuffer(queues[i], buffer, &i, sizeof(i), 0, sizeof(i), 1, i == 0 ? &gate : &events[i - 1],
                                  &events[i]));
    ASSERT_CL(clFlush(queues[i]));
  }
  ASSERT_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  ASSERT_CL(clWaitForEvents(1, &events[2]));
  test_read(buffer, sizeof(seen), &seen);
  assert_int_equal(seen, 2);
  for (int i = 0; i < 3; i++) {
    ASSERT_CL(clReleaseEvent(events[i]));
    ASSERT_CL(clReleaseCommandQueue(queues[i]));
  }
  ASSERT_CL(clReleaseEvent(gate));
  ASSERT_CL(clReleaseMemObject(buffer));
}

static void a_command_waits_for_the_user_event_although_the_other_is_complete(void **state) {
  (void)state;
  cl_event gate = create(), user = create(), first, both[2], second;
  cl_int status;
  cl_command_queue queue = test_other_queue(dut.context);
  ASSERT_CL(clEnqueueMarkerWithWaitList(dut.queue, 1, &gate, &first));
  ASSERT_CL(clFlush(dut.queue));
  both[0] = first;
  both[1] = user;
  ASSERT_CL(clEnqueueMarkerWithWaitList(queue, 2, both, &second));
  ASSERT_CL(clFlush(queue));
  ASSERT_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  ASSERT_CL(clWaitForEvents(1, &first));
  for (int i = 0; i < 20; i++) {
    usleep(1000);
    ASSERT_CL(clGetEventInfo(second, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    assert_true(status > CL_COMPLETE);
  }
  ASSERT_CL(clSetUserEventStatus(user, CL_COMPLETE));
  ASSERT_CL(clWaitForEvents(1, &second));
  const cl_event all[] = {gate, user, first, second};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) ASSERT_CL(clReleaseEvent(all[i]));
  ASSERT_CL(clReleaseCommandQueue(queue));
}

/* ---------------------------------------------------------------- failure on its way */

typedef struct late_t {
  cl_command_queue queue;
  cl_event waits_for, event;
  cl_int error;
} late_t;

static void CL_CALLBACK enqueue_late(cl_event event, cl_int status, void *user_data) {
  (void)event, (void)status;
  late_t *late = user_data;
  late->error = clEnqueueMarkerWithWaitList(late->queue, 1, &late->waits_for, &late->event);
  if (!late->error) late->error = clFlush(late->queue);
}

/** Two commands fail with the event that they wait for; between the end of one and that of the other a third is
 * enqueued and flushed, which waits for the other. */
static void a_failure_reaches_what_is_enqueued_while_it_spreads(void **state) {
  (void)state;
  cl_event gate = create(), events[2];
  late_t late = {.queue = test_other_queue(dut.context)};
  ASSERT_CL(clEnqueueMarkerWithWaitList(dut.queue, 1, &gate, &events[0]));
  ASSERT_CL(clEnqueueMarkerWithWaitList(dut.queue, 1, &events[0], &events[1]));
  late.waits_for = events[1];
  ASSERT_CL(clSetEventCallback(events[0], CL_COMPLETE, enqueue_late, &late));
  ASSERT_CL(clFlush(dut.queue));
  ASSERT_CL(clSetUserEventStatus(gate, -1234));
  ASSERT_CL(clFinish(dut.queue));
  ASSERT_CL(late.error);
  ASSERT_CL(clFinish(late.queue));
  ASSERT_INFO(clGetEventInfo, events[1], CL_EVENT_COMMAND_EXECUTION_STATUS, cl_int, -1234);
  ASSERT_INFO(clGetEventInfo, late.event, CL_EVENT_COMMAND_EXECUTION_STATUS, cl_int, -1234);
  ASSERT_CL(clReleaseEvent(late.event));
  for (int i = 0; i < 2; i++) ASSERT_CL(clReleaseEvent(events[i]));
  ASSERT_CL(clReleaseCommandQueue(late.queue));
  ASSERT_CL(clReleaseEvent(gate));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(starts_submitted_with_no_queue),
      cmocka_unit_test(status_may_be_set_once),
      cmocka_unit_test(a_negative_status_stays_and_fails_the_wait),
      cmocka_unit_test(refuses_positive_statuses),
      cmocka_unit_test(refuses_events_of_commands),
      cmocka_unit_test(refuses_null_and_foreign_handles),
      cmocka_unit_test(waiting_needs_events_of_one_context),
      cmocka_unit_test(waiting_refuses_nothing_and_what_is_no_event),
      cmocka_unit_test(waiting_flushes),
      cmocka_unit_test(a_chain_over_three_queues_runs_in_its_order),
      cmocka_unit_test(a_command_waits_for_the_user_event_although_the_other_is_complete),
      cmocka_unit_test(a_failure_reaches_what_is_enqueued_while_it_spreads),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
