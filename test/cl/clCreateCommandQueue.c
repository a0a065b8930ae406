/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * clCreateCommandQueue, clCreateCommandQueueWithProperties, clGetCommandQueueInfo, clFlush and clFinish. */
#include "test_device.h"

static void knows_its_context_device_and_properties(void **state) {
  (void)state;
  const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
  cl_queue_properties told[3] = {0};
  size_t size = 0;
  cl_int error;
  cl_command_queue queue = clCreateCommandQueueWithProperties(dut.context, dut.device, properties, &error);
  ASSERT_CL(error);
  ASSERT_INFO(clGetCommandQueueInfo, queue, CL_QUEUE_CONTEXT, cl_context, dut.context);
  ASSERT_INFO(clGetCommandQueueInfo, queue, CL_QUEUE_DEVICE, cl_device_id, dut.device);
  ASSERT_INFO(clGetCommandQueueInfo, queue, CL_QUEUE_REFERENCE_COUNT, cl_uint, 1);
  ASSERT_INFO(clGetCommandQueueInfo, queue, CL_QUEUE_PROPERTIES, cl_command_queue_properties,
              CL_QUEUE_PROFILING_ENABLE);
  ASSERT_CL(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES_ARRAY, sizeof(told), told, &size));
  assert_int_equal(size, sizeof(properties));
  assert_memory_equal(told, properties, sizeof(properties));
  ASSERT_CL(clReleaseCommandQueue(queue));
}

static void the_older_call_takes_a_bit_field(void **state) {
  (void)state;
  cl_int error;
  size_t size = 77;
  cl_command_queue queue = clCreateCommandQueue(dut.context, dut.device, CL_QUEUE_PROFILING_ENABLE, &error);
  ASSERT_CL(error);
  ASSERT_INFO(clGetCommandQueueInfo, queue, CL_QUEUE_PROPERTIES, cl_command_queue_properties,
              CL_QUEUE_PROFILING_ENABLE);
  ASSERT_CL(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES_ARRAY, 0, NULL, &size));
  assert_int_equal(size, 0);
  ASSERT_CL(clReleaseCommandQueue(queue));
}

static void out_of_order_is_accepted_exactly_where_the_device_has_it(void **state) {
  (void)state;
  cl_int error;
  cl_command_queue_properties device = 0;
  const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_QUEUE_ON_HOST_PROPERTIES, sizeof(device), &device, NULL));
  if ((device & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0) {
    ASSERT_CL_REFUSED(clCreateCommandQueueWithProperties(dut.context, dut.device, properties, &error), error,
                      CL_INVALID_QUEUE_PROPERTIES);
    return;
  }
  cl_command_queue queue = clCreateCommandQueueWithProperties(dut.context, dut.device, properties, &error);
  ASSERT_CL(error);
  ASSERT_CL(clReleaseCommandQueue(queue));
}

static void queues_on_the_device_are_refused(void **state) {
  (void)state;
  cl_int error;
  const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES,
                                            CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  SKIP_UNLESS_QUERN();
  assert_int_equal(test_device_number(CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES), 0);
  ASSERT_CL_REFUSED(clCreateCommandQueueWithProperties(dut.context, dut.device, properties, &error), error,
                    CL_INVALID_QUEUE_PROPERTIES);
}

static void refuses_unknown_properties(void **state) {
  (void)state;
  cl_int error;
  const cl_queue_properties name[] = {0x7FFF, 1, 0};
  const cl_queue_properties bits[] = {CL_QUEUE_PROPERTIES, (cl_queue_properties)1 << 40, 0};
  ASSERT_CL_REFUSED(clCreateCommandQueueWithProperties(dut.context, dut.device, name, &error), error, CL_INVALID_VALUE);
  ASSERT_CL_REFUSED(clCreateCommandQueueWithProperties(dut.context, dut.device, bits, &error), error, CL_INVALID_VALUE);
  ASSERT_CL_REFUSED(clCreateCommandQueue(dut.context, dut.device, (cl_command_queue_properties)1 << 40, &error), error,
                    CL_INVALID_VALUE);
}

static void refuses_invalid_contexts_and_devices(void **state) {
  (void)state;
  cl_int error;
  ASSERT_CL_REFUSED(clCreateCommandQueueWithProperties(NULL, dut.device, NULL, &error), error, CL_INVALID_CONTEXT);
  ASSERT_CL_REFUSED(clCreateCommandQueueWithProperties(dut.context, NULL, NULL, &error), error, CL_INVALID_DEVICE);
  ASSERT_CL_REFUSED(clCreateCommandQueue(NULL, dut.device, 0, &error), error, CL_INVALID_CONTEXT);
  ASSERT_CL_REFUSED(clCreateCommandQueue(dut.context, NULL, 0, &error), error, CL_INVALID_DEVICE);
  SKIP_UNLESS_QUERN();
  cl_device_id foreign = (cl_device_id)(void *)dut.context;
  ASSERT_CL_REFUSED(clCreateCommandQueueWithProperties(dut.context, foreign, NULL, &error), error, CL_INVALID_DEVICE);
}

static void flush_and_finish_work_on_an_empty_queue(void **state) {
  (void)state;
  ASSERT_CL(clFlush(dut.queue));
  ASSERT_CL(clFinish(dut.queue));
  ASSERT_CL_ERROR(clFlush(NULL), CL_INVALID_COMMAND_QUEUE);
  ASSERT_CL_ERROR(clFinish(NULL), CL_INVALID_COMMAND_QUEUE);
}

static void finish_leaves_every_command_complete(void **state) {
  (void)state;
  const cl_uint zero = 0;
  cl_event events[8];
  cl_mem buffer = test_buffer(4096, NULL);
  for (int i = 0; i < 8; i++) {
    ASSERT_CL(clEnqueueFillBuffer(dut.queue, buffer, &zero, sizeof(zero), 0, 4096, 0, NULL, &events[i]));
  }
  ASSERT_CL(clFinish(dut.queue));
  for (int i = 0; i < 8; i++) {
    ASSERT_INFO(clGetEventInfo, events[i], CL_EVENT_COMMAND_EXECUTION_STATUS, cl_int, CL_COMPLETE);
    ASSERT_CL(clReleaseEvent(events[i]));
  }
  ASSERT_CL(clReleaseMemObject(buffer));
}

/** Releasing a queue is an implicit flush: what was enqueued still runs to its end. */
static void released_queue_still_runs_its_commands(void **state) {
  (void)state;
  const cl_uint value = 0x12345678;
  cl_uint read = 0;
  cl_event event;
  cl_mem buffer = test_buffer(sizeof(value), NULL);
  cl_command_queue queue = test_other_queue(dut.context);
  ASSERT_CL(clEnqueueFillBuffer(queue, buffer, &value, sizeof(value), 0, sizeof(value), 0, NULL, &event));
  ASSERT_CL(clReleaseCommandQueue(queue));
  ASSERT_CL(clWaitForEvents(1, &event));
  ASSERT_CL(clReleaseEvent(event));
  test_read(buffer, sizeof(read), &read);
  assert_int_equal(read, value);
  ASSERT_CL(clReleaseMemObject(buffer));
}

static void commands_run_in_the_order_they_were_enqueued(void **state) {
  (void)state;
  cl_uint read[64];
  cl_mem buffer = test_buffer(sizeof(read), NULL);
  for (cl_uint i = 0; i < 200; i++) {
    ASSERT_CL(clEnqueueFillBuffer(dut.queue, buffer, &i, sizeof(i), 0, sizeof(read), 0, NULL, NULL));
  }
  test_read(buffer, sizeof(read), read);
  for (int i = 0; i < 64; i++) assert_int_equal(read[i], 199);
  ASSERT_CL(clReleaseMemObject(buffer));
}

static void info_obeys_the_common_rules(void **state) {
  (void)state;
  size_t size;
  ASSERT_INFO_RULES(clGetCommandQueueInfo, dut.queue, CL_QUEUE_CONTEXT);
  ASSERT_CL_ERROR(clGetCommandQueueInfo(NULL, CL_QUEUE_CONTEXT, 0, NULL, &size), CL_INVALID_COMMAND_QUEUE);
  /* The size of a device-side queue, which this one is not. */
  ASSERT_CL_ERROR(clGetCommandQueueInfo(dut.queue, CL_QUEUE_SIZE, 0, NULL, &size), CL_INVALID_COMMAND_QUEUE);
}

static void properties_may_be_changed(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  const cl_command_queue_properties unknown = 1 << 9;
  cl_int error;
  cl_command_queue_properties old = 99;
  cl_command_queue queue = clCreateCommandQueue(dut.context, dut.device, 0, &error);
  ASSERT_CL(error);
  ASSERT_CL(clSetCommandQueueProperty(queue, CL_QUEUE_PROFILING_ENABLE, CL_TRUE, &old));
  assert_int_equal(old, 0);
  ASSERT_INFO(clGetCommandQueueInfo, queue, CL_QUEUE_PROPERTIES, cl_command_queue_properties,
              CL_QUEUE_PROFILING_ENABLE);
  ASSERT_CL(clSetCommandQueueProperty(queue, CL_QUEUE_PROFILING_ENABLE, CL_FALSE, NULL));
  ASSERT_INFO(clGetCommandQueueInfo, queue, CL_QUEUE_PROPERTIES, cl_command_queue_properties, 0);
  ASSERT_CL_ERROR(clSetCommandQueueProperty(queue, unknown, CL_TRUE, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(clSetCommandQueueProperty(queue, CL_QUEUE_ON_DEVICE, CL_TRUE, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(clSetCommandQueueProperty((cl_command_queue)(void *)dut.context, 0, CL_TRUE, NULL),
                  CL_INVALID_COMMAND_QUEUE);
  ASSERT_CL(clReleaseCommandQueue(queue));
}

static void there_is_no_default_queue_on_the_device(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  cl_context no_context = (cl_context)(void *)dut.queue;
  cl_device_id no_device = (cl_device_id)(void *)dut.queue;
  ASSERT_CL_ERROR(clSetDefaultDeviceCommandQueue(no_context, dut.device, dut.queue), CL_INVALID_CONTEXT);
  ASSERT_CL_ERROR(clSetDefaultDeviceCommandQueue(dut.context, no_device, dut.queue), CL_INVALID_DEVICE);
  ASSERT_CL_ERROR(clSetDefaultDeviceCommandQueue(dut.context, dut.device, dut.queue), CL_INVALID_OPERATION);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(properties_may_be_changed),
      cmocka_unit_test(there_is_no_default_queue_on_the_device),
      cmocka_unit_test(knows_its_context_device_and_properties),
      cmocka_unit_test(the_older_call_takes_a_bit_field),
      cmocka_unit_test(out_of_order_is_accepted_exactly_where_the_device_has_it),
      cmocka_unit_test(queues_on_the_device_are_refused),
      cmocka_unit_test(refuses_unknown_properties),
      cmocka_unit_test(refuses_invalid_contexts_and_devices),
      cmocka_unit_test(flush_and_finish_work_on_an_empty_queue),
      cmocka_unit_test(finish_leaves_every_command_complete),
      cmocka_unit_test(released_queue_still_runs_its_commands),
      cmocka_unit_test(commands_run_in_the_order_they_were_enqueued),
      cmocka_unit_test(info_obeys_the_common_rules),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
