/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Rules that hold for every command on a queue: wait lists, events, order and failure. */
#include "test_commands.h"

static test_command_objects_t objects;

static int create(void **state) {
  (void)state;
  test_command_objects_create(&objects);
  return 0;
}

static int release(void **state) {
  (void)state;
  test_command_objects_release(&objects);
  return 0;
}

/** Fails naming the command whose result is wrong. */
static void assert_result(const test_command_t *command, cl_int actual, cl_int expected) {
  test_check_code(actual, expected, command->name, __FILE__, __LINE__);
}

static cl_event user_event(cl_context context) {
  cl_int error;
  cl_event event = clCreateUserEvent(context, &error);
  ASSERT_CL(error);
  return event;
}

#define FOR_EACH_COMMAND(command) \
  for (const test_command_t *command = test_commands_of_device(); command->name != NULL; command++)

static void a_null_queue_is_refused(void **state) {
  (void)state;
  FOR_EACH_COMMAND(command) {
    assert_result(command, command->enqueue(NULL, &objects, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
  }
}

static void a_handle_that_is_no_queue_is_refused(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  cl_command_queue foreign = (cl_command_queue)(void *)dut.context;
  FOR_EACH_COMMAND(command) {
    assert_result(command, command->enqueue(foreign, &objects, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
  }
}

static void a_wait_list_and_its_count_must_agree(void **state) {
  (void)state;
  cl_event event = user_event(dut.context);
  FOR_EACH_COMMAND(command) {
    assert_result(command, command->enqueue(dut.queue, &objects, 1, NULL, NULL), CL_INVALID_EVENT_WAIT_LIST);
    assert_result(command, command->enqueue(dut.queue, &objects, 0, &event, NULL), CL_INVALID_EVENT_WAIT_LIST);
  }
  ASSERT_CL(clReleaseEvent(event));
}

static void events_in_a_wait_list_must_be_events(void **state) {
  (void)state;
  cl_event events[2] = {user_event(dut.context), NULL};
  FOR_EACH_COMMAND(command) {
    assert_result(command, command->enqueue(dut.queue, &objects, 2, events, NULL), CL_INVALID_EVENT_WAIT_LIST);
  }
  ASSERT_CL(clReleaseEvent(events[0]));
  SKIP_UNLESS_QUERN();
  cl_event foreign = (cl_event)(void *)dut.queue;
  FOR_EACH_COMMAND(command) {
    assert_result(command, command->enqueue(dut.queue, &objects, 1, &foreign, NULL), CL_INVALID_EVENT_WAIT_LIST);
  }
}

static void events_of_another_context_are_refused(void **state) {
  (void)state;
  cl_context context = test_other_context();
  cl_event event = user_event(context);
  FOR_EACH_COMMAND(command) {
    assert_result(command, command->enqueue(dut.queue, &objects, 1, &event, NULL), CL_INVALID_CONTEXT);
  }
  ASSERT_CL(clReleaseEvent(event));
  ASSERT_CL(clReleaseContext(context));
}

static void the_event_knows_command_queue_and_context(void **state) {
  (void)state;
  FOR_EACH_COMMAND(command) {
    cl_event event = NULL;
    assert_result(command, command->enqueue(dut.queue, &objects, 0, NULL, &event), CL_SUCCESS);
    assert_non_null(event);
    ASSERT_INFO(clGetEventInfo, event, CL_EVENT_COMMAND_TYPE, cl_command_type, command->type);
    ASSERT_INFO(clGetEventInfo, event, CL_EVENT_COMMAND_QUEUE, cl_command_queue, dut.queue);
    ASSERT_INFO(clGetEventInfo, event, CL_EVENT_CONTEXT, cl_context, dut.context);
    ASSERT_CL(clWaitForEvents(1, &event));
    ASSERT_INFO(clGetEventInfo, event, CL_EVENT_COMMAND_EXECUTION_STATUS, cl_int, CL_COMPLETE);
    ASSERT_CL(clReleaseEvent(event));
  }
}

static cl_int status_of(cl_event event) {
  cl_int status = 77;
  ASSERT_CL(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL));
  return status;
}

static void a_command_does_not_start_before_the_events_it_waits_for(void **state) {
  (void)state;
  FOR_EACH_COMMAND(command) {
    cl_event gates[2] = {user_event(dut.context), user_event(dut.context)}, event;
    assert_result(command, command->enqueue(dut.queue, &objects, 2, gates, &event), CL_SUCCESS);
    ASSERT_CL(clFlush(dut.queue));
    ASSERT_CL(clSetUserEventStatus(gates[0], CL_COMPLETE));
    assert_in_range(status_of(event), CL_SUBMITTED, CL_QUEUED);
    ASSERT_CL(clSetUserEventStatus(gates[1], CL_COMPLETE));
    ASSERT_CL(clWaitForEvents(1, &event));
    assert_int_equal(status_of(event), CL_COMPLETE);
    for (int i = 0; i < 2; i++) ASSERT_CL(clReleaseEvent(gates[i]));
    ASSERT_CL(clReleaseEvent(event));
    if (command->type == CL_COMMAND_UNMAP_MEM_OBJECT) {
      test_command_objects_release(&objects);
      test_command_objects_create(&objects);
    }
  }
}

/** A negative status of an event in the wait list ends the command with a negative status, and what waits for that. */
static void a_failed_event_terminates_what_waits_for_it(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  FOR_EACH_COMMAND(command) {
    cl_event gate = user_event(dut.context), event, next;
    cl_command_queue queue = test_other_queue(dut.context), second_queue = test_other_queue(dut.context);
    assert_result(command, command->enqueue(queue, &objects, 1, &gate, &event), CL_SUCCESS);
    ASSERT_CL(clEnqueueMarkerWithWaitList(second_queue, 1, &event, &next));
    ASSERT_CL(clFlush(queue));
    ASSERT_CL(clFlush(second_queue));
    ASSERT_CL(clSetUserEventStatus(gate, -7));
    ASSERT_CL_ERROR(clWaitForEvents(1, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    ASSERT_CL_ERROR(clWaitForEvents(1, &next), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    assert_true(status_of(event) < 0);
    assert_true(status_of(next) < 0);
    ASSERT_CL(clReleaseEvent(gate));
    ASSERT_CL(clReleaseEvent(event));
    ASSERT_CL(clReleaseEvent(next));
    ASSERT_CL(clReleaseCommandQueue(queue));
    ASSERT_CL(clReleaseCommandQueue(second_queue));
    test_command_objects_release(&objects);
    test_command_objects_create(&objects);
  }
}

static void a_queue_still_works_after_a_terminated_command(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  FOR_EACH_COMMAND(command) {
    cl_event gate = user_event(dut.context);
    cl_uint seen = 0;
    const cl_uint value = 42;
    cl_command_queue queue = test_other_queue(dut.context);
    cl_mem buffer = test_buffer(sizeof(value), NULL);
    ASSERT_CL(clSetUserEventStatus(gate, -1));
    assert_result(command, command->enqueue(queue, &objects, 1, &gate, NULL), CL_SUCCESS);
    clFinish(queue);
    ASSERT_CL(clEnqueueFillBuffer(queue, buffer, &value, sizeof(value), 0, sizeof(value), 0, NULL, NULL));
    ASSERT_CL(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(seen), &seen, 0, NULL, NULL));
    assert_int_equal(seen, value);
    ASSERT_CL(clReleaseMemObject(buffer));
    ASSERT_CL(clReleaseCommandQueue(queue));
    ASSERT_CL(clReleaseEvent(gate));
    test_command_objects_release(&objects);
    test_command_objects_create(&objects);
  }
}

static void profiling_times_never_run_backwards(void **state) {
  (void)state;
  static const cl_profiling_info steps[] = {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT,
                                            CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_END};
  FOR_EACH_COMMAND(command) {
    cl_event event;
    cl_ulong before = 0;
    assert_result(command, command->enqueue(dut.queue, &objects, 0, NULL, &event), CL_SUCCESS);
    ASSERT_CL(clWaitForEvents(1, &event));
    for (int i = 0; i < 4; i++) {
      cl_ulong time = 0;
      ASSERT_CL(clGetEventProfilingInfo(event, steps[i], sizeof(time), &time, NULL));
      assert_true(time > 0 && time >= before);
      before = time;
    }
    ASSERT_CL(clReleaseEvent(event));
  }
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, create, release)
  const struct CMUnitTest tests[] = {
      CASE(a_null_queue_is_refused),
      CASE(a_handle_that_is_no_queue_is_refused),
      CASE(a_wait_list_and_its_count_must_agree),
      CASE(events_in_a_wait_list_must_be_events),
      CASE(events_of_another_context_are_refused),
      CASE(the_event_knows_command_queue_and_context),
      CASE(a_command_does_not_start_before_the_events_it_waits_for),
      CASE(a_failed_event_terminates_what_waits_for_it),
      CASE(a_queue_still_works_after_a_terminated_command),
      CASE(profiling_times_never_run_backwards),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
