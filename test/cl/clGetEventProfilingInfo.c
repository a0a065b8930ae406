/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * clGetEventInfo and clGetEventProfilingInfo. */
#include "test_device.h"

static cl_event complete_marker(cl_command_queue queue) {
  cl_event event;
  ASSERT_CL(clEnqueueMarkerWithWaitList(queue, 0, NULL, &event));
  ASSERT_CL(clWaitForEvents(1, &event));
  return event;
}

static void info_obeys_the_common_rules(void **state) {
  (void)state;
  size_t size;
  cl_event event = complete_marker(dut.queue);
  ASSERT_INFO_RULES(clGetEventInfo, event, CL_EVENT_COMMAND_TYPE);
  ASSERT_INFO_RULES(clGetEventProfilingInfo, event, CL_PROFILING_COMMAND_END);
  ASSERT_CL_ERROR(clGetEventInfo(NULL, CL_EVENT_COMMAND_TYPE, 0, NULL, &size), CL_INVALID_EVENT);
  ASSERT_CL_ERROR(clGetEventProfilingInfo(NULL, CL_PROFILING_COMMAND_END, 0, NULL, &size), CL_INVALID_EVENT);
  ASSERT_CL(clReleaseEvent(event));
}

static void a_queue_without_profiling_has_no_times(void **state) {
  (void)state;
  cl_ulong time;
  cl_command_queue queue = test_other_queue(dut.context);
  cl_event event = complete_marker(queue);
  ASSERT_CL_ERROR(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(time), &time, NULL),
                  CL_PROFILING_INFO_NOT_AVAILABLE);
  ASSERT_CL(clReleaseEvent(event));
  ASSERT_CL(clReleaseCommandQueue(queue));
}

static void a_user_event_has_no_times(void **state) {
  (void)state;
  cl_int error;
  cl_ulong time;
  cl_event event = clCreateUserEvent(dut.context, &error);
  ASSERT_CL(error);
  ASSERT_CL(clSetUserEventStatus(event, CL_COMPLETE));
  ASSERT_CL_ERROR(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(time), &time, NULL),
                  CL_PROFILING_INFO_NOT_AVAILABLE);
  ASSERT_CL(clReleaseEvent(event));
}

static void a_command_that_has_not_run_has_no_times(void **state) {
  (void)state;
  cl_int error;
  cl_ulong time;
  cl_event gate = clCreateUserEvent(dut.context, &error), event;
  ASSERT_CL(error);
  ASSERT_CL(clEnqueueMarkerWithWaitList(dut.queue, 1, &gate, &event));
  ASSERT_CL_ERROR(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(time), &time, NULL),
                  CL_PROFILING_INFO_NOT_AVAILABLE);
  ASSERT_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  ASSERT_CL(clWaitForEvents(1, &event));
  ASSERT_CL(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_COMPLETE, sizeof(time), &time, NULL));
  assert_true(time > 0);
  ASSERT_CL(clReleaseEvent(event));
  ASSERT_CL(clReleaseEvent(gate));
}

/** Commands of an in-order queue do not overlap in time. */
static void times_of_two_commands_do_not_overlap(void **state) {
  (void)state;
  enum { BYTES = 1 << 20 };
  const cl_uint pattern = 3;
  cl_event events[2];
  cl_ulong first_end, second_start;
  cl_mem buffer = test_buffer(BYTES, NULL);
  for (int i = 0; i < 2; i++) {
    ASSERT_CL(clEnqueueFillBuffer(dut.queue, buffer, &pattern, 4, 0, BYTES, 0, NULL, &events[i]));
  }
  ASSERT_CL(clWaitForEvents(2, events));
  ASSERT_CL(clGetEventProfilingInfo(events[0], CL_PROFILING_COMMAND_END, sizeof(first_end), &first_end, NULL));
  ASSERT_CL(clGetEventProfilingInfo(events[1], CL_PROFILING_COMMAND_START, sizeof(second_start), &second_start, NULL));
  assert_true(second_start >= first_end);
  for (int i = 0; i < 2; i++) ASSERT_CL(clReleaseEvent(events[i]));
  ASSERT_CL(clReleaseMemObject(buffer));
}

static void an_unflushed_command_is_queued(void **state) {
  (void)state;
  cl_event event;
  cl_int status = 77;
  const cl_uint pattern = 3;
  cl_mem buffer = test_buffer(64, NULL);
  ASSERT_CL(clEnqueueFillBuffer(dut.queue, buffer, &pattern, 4, 0, 64, 0, NULL, &event));
  ASSERT_CL(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL));
  assert_in_range(status, CL_COMPLETE, CL_QUEUED);
  ASSERT_CL(clFinish(dut.queue));
  ASSERT_INFO(clGetEventInfo, event, CL_EVENT_COMMAND_EXECUTION_STATUS, cl_int, CL_COMPLETE);
  ASSERT_CL(clReleaseEvent(event));
  ASSERT_CL(clReleaseMemObject(buffer));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(info_obeys_the_common_rules),
      cmocka_unit_test(a_queue_without_profiling_has_no_times),
      cmocka_unit_test(a_user_event_has_no_times),
      cmocka_unit_test(a_command_that_has_not_run_has_no_times),
      cmocka_unit_test(times_of_two_commands_do_not_overlap),
      cmocka_unit_test(an_unflushed_command_is_queued),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
