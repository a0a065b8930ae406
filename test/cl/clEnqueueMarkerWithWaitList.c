/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * clEnqueueMarkerWithWaitList, clEnqueueBarrierWithWaitList and the older marker, barrier and wait calls. */
#include "test_device.h"

enum { BYTES = 1024 };

static cl_mem buffer;

static int make_buffer(void **state) {
  (void)state;
  static const unsigned char zeros[BYTES];
  buffer = test_buffer(BYTES, zeros);
  return 0;
}

static int release_buffer(void **state) {
  (void)state;
  return clReleaseMemObject(buffer);
}

static void fill(cl_command_queue queue, cl_uint value, cl_event *event) {
  ASSERT_CL(clEnqueueFillBuffer(queue, buffer, &value, sizeof(value), 0, BYTES, 0, NULL, event));
}

static cl_int status_of(cl_event event) {
  cl_int status = 77;
  ASSERT_CL(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL));
  return status;
}

static void a_marker_completes_after_all_before_it(void **state) {
  (void)state;
  cl_event filled, marker;
  fill(dut.queue, 1, &filled);
  ASSERT_CL(clEnqueueMarkerWithWaitList(dut.queue, 0, NULL, &marker));
  ASSERT_CL(clWaitForEvents(1, &marker));
  assert_int_equal(status_of(filled), CL_COMPLETE);
  ASSERT_CL(clReleaseEvent(filled));
  ASSERT_CL(clReleaseEvent(marker));
}

static void a_barrier_holds_back_what_comes_after(void **state) {
  (void)state;
  cl_int error;
  cl_uint read = 0;
  cl_event gate = clCreateUserEvent(dut.context, &error), after;
  ASSERT_CL(error);
  ASSERT_CL(clEnqueueBarrierWithWaitList(dut.queue, 1, &gate, NULL));
  fill(dut.queue, 9, &after);
  ASSERT_CL(clFlush(dut.queue));
  assert_in_range(status_of(after), CL_SUBMITTED, CL_QUEUED);
  ASSERT_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  ASSERT_CL(clWaitForEvents(1, &after));
  test_read(buffer, sizeof(read), &read);
  assert_int_equal(read, 9);
  ASSERT_CL(clReleaseEvent(after));
  ASSERT_CL(clReleaseEvent(gate));
}

static void a_barrier_orders_an_out_of_order_queue(void **state) {
  (void)state;
  cl_int error;
  cl_uint read = 0;
  const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  cl_command_queue queue = clCreateCommandQueueWithProperties(dut.context, dut.device, properties, &error);
  if (error == CL_INVALID_QUEUE_PROPERTIES) skip();
  ASSERT_CL(error);
  for (cl_uint i = 0; i < 20; i++) {
    fill(queue, i, NULL);
    ASSERT_CL(clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL));
  }
  ASSERT_CL(clEnqueueReadBuffer(queue, buffer, CL_TRUE, BYTES - 4, sizeof(read), &read, 0, NULL, NULL));
  assert_int_equal(read, 19);
  ASSERT_CL(clReleaseCommandQueue(queue));
}

static void events_may_be_left_out(void **state) {
  (void)state;
  cl_event event;
  fill(dut.queue, 1, &event);
  ASSERT_CL(clEnqueueMarkerWithWaitList(dut.queue, 1, &event, NULL));
  ASSERT_CL(clEnqueueBarrierWithWaitList(dut.queue, 1, &event, NULL));
  ASSERT_CL(clFinish(dut.queue));
  ASSERT_CL(clReleaseEvent(event));
}

static void the_older_calls_do_the_same(void **state) {
  (void)state;
  cl_event filled, marker;
  fill(dut.queue, 1, &filled);
  ASSERT_CL(clEnqueueWaitForEvents(dut.queue, 1, &filled));
  ASSERT_CL(clEnqueueBarrier(dut.queue));
  ASSERT_CL(clEnqueueMarker(dut.queue, &marker));
  ASSERT_CL(clWaitForEvents(1, &marker));
  assert_int_equal(status_of(filled), CL_COMPLETE);
  ASSERT_CL(clReleaseEvent(filled));
  ASSERT_CL(clReleaseEvent(marker));
}

static void the_older_calls_refuse_bad_arguments(void **state) {
  (void)state;
  cl_event event, null_event = NULL;
  fill(dut.queue, 1, &event);
  ASSERT_CL_ERROR(clEnqueueMarker(NULL, &event), CL_INVALID_COMMAND_QUEUE);
  ASSERT_CL_ERROR(clEnqueueMarker(dut.queue, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(clEnqueueBarrier(NULL), CL_INVALID_COMMAND_QUEUE);
  ASSERT_CL_ERROR(clEnqueueWaitForEvents(NULL, 1, &event), CL_INVALID_COMMAND_QUEUE);
  ASSERT_CL_ERROR(clEnqueueWaitForEvents(dut.queue, 0, &event), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(clEnqueueWaitForEvents(dut.queue, 1, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(clEnqueueWaitForEvents(dut.queue, 1, &null_event), CL_INVALID_EVENT);
  cl_int error;
  cl_context context = test_other_context();
  cl_event foreign = clCreateUserEvent(context, &error);
  ASSERT_CL(error);
  ASSERT_CL_ERROR(clEnqueueWaitForEvents(dut.queue, 1, &foreign), CL_INVALID_CONTEXT);
  ASSERT_CL(clReleaseEvent(foreign));
  ASSERT_CL(clReleaseContext(context));
  ASSERT_CL(clFinish(dut.queue));
  ASSERT_CL(clReleaseEvent(event));
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, make_buffer, release_buffer)
  const struct CMUnitTest tests[] = {
      CASE(a_marker_completes_after_all_before_it),
      CASE(a_barrier_holds_back_what_comes_after),
      CASE(a_barrier_orders_an_out_of_order_queue),
      CASE(events_may_be_left_out),
      CASE(the_older_calls_do_the_same),
      CASE(the_older_calls_refuse_bad_arguments),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
