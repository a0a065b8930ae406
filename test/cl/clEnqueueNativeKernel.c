/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * clEnqueueNativeKernel, where the device has native kernels. */
#include "test_device.h"

typedef struct task_t {
  cl_int *memory;
  cl_int *result;
  cl_int add;
} task_t;

/** Runs on the driver's copy of the arguments, in which it has replaced the buffer by a pointer to its memory. */
static void CL_CALLBACK add_up(void *arguments) {
  task_t *task = arguments;
  *task->result = task->memory[0] + task->memory[1] + task->add;
  task->memory[0] = -1;
}

static void CL_CALLBACK do_nothing(void *arguments) { (void)arguments; }

static void skip_without_native_kernels(void) {
  cl_device_exec_capabilities capabilities = 0;
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_EXECUTION_CAPABILITIES, sizeof(capabilities), &capabilities, NULL));
  if ((capabilities & CL_EXEC_NATIVE_KERNEL) == 0) skip();
}

static void runs_on_a_copy_of_its_arguments_with_buffers_as_pointers(void **state) {
  (void)state;
  skip_without_native_kernels();
  const cl_int data[2] = {20, 300};
  cl_int result = 0, read[2] = {0};
  cl_mem buffer = test_buffer(sizeof(data), data);
  task_t task = {NULL, &result, 4};
  const void *places[1] = {&task.memory};
  ASSERT_CL(clEnqueueNativeKernel(dut.queue, add_up, &task, sizeof(task), 1, &buffer, places, 0, NULL, NULL));
  task.add = 5000;
  test_read(buffer, sizeof(read), read);
  assert_int_equal(result, 324);
  assert_int_equal(read[0], -1);
  assert_null(task.memory);
  ASSERT_CL(clReleaseMemObject(buffer));
}

static void event_is_that_of_a_native_kernel(void **state) {
  (void)state;
  skip_without_native_kernels();
  cl_event event;
  ASSERT_CL(clEnqueueNativeKernel(dut.queue, do_nothing, NULL, 0, 0, NULL, NULL, 0, NULL, &event));
  ASSERT_CL(clWaitForEvents(1, &event));
  ASSERT_INFO(clGetEventInfo, event, CL_EVENT_COMMAND_TYPE, cl_command_type, CL_COMMAND_NATIVE_KERNEL);
  ASSERT_CL(clReleaseEvent(event));
}

static void refuses_bad_arguments(void **state) {
  (void)state;
  skip_without_native_kernels();
  task_t task = {0};
  const void *places[1] = {&task.memory};
  cl_mem buffer = test_buffer(64, NULL);
#define RUN(function, args, size, count, objects, places) \
  clEnqueueNativeKernel(dut.queue, function, args, size, count, objects, places, 0, NULL, NULL)
  ASSERT_CL_ERROR(RUN(NULL, &task, sizeof(task), 0, NULL, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(RUN(do_nothing, NULL, 8, 0, NULL, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(RUN(do_nothing, NULL, 0, 1, &buffer, places), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(RUN(do_nothing, &task, 0, 0, NULL, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(RUN(do_nothing, &task, sizeof(task), 1, NULL, places), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(RUN(do_nothing, &task, sizeof(task), 1, &buffer, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(RUN(do_nothing, &task, sizeof(task), 0, &buffer, NULL), CL_INVALID_VALUE);
  if (test_is_quern()) {
    cl_mem foreign = (cl_mem)(void *)dut.queue;
    ASSERT_CL_ERROR(RUN(do_nothing, &task, sizeof(task), 1, &foreign, places), CL_INVALID_MEM_OBJECT);
  }
#undef RUN
  ASSERT_CL(clReleaseMemObject(buffer));
}

static void refuses_bad_queues_and_wait_lists(void **state) {
  (void)state;
  cl_int error;
  cl_context context = test_other_context();
  cl_event foreign = clCreateUserEvent(context, &error), null = NULL;
  ASSERT_CL(error);
#define RUN(queue, count, events) clEnqueueNativeKernel(queue, do_nothing, NULL, 0, 0, NULL, NULL, count, events, NULL)
  ASSERT_CL_ERROR(RUN(NULL, 0, NULL), CL_INVALID_COMMAND_QUEUE);
  ASSERT_CL_ERROR(RUN(dut.queue, 1, NULL), CL_INVALID_EVENT_WAIT_LIST);
  ASSERT_CL_ERROR(RUN(dut.queue, 0, &foreign), CL_INVALID_EVENT_WAIT_LIST);
  ASSERT_CL_ERROR(RUN(dut.queue, 1, &null), CL_INVALID_EVENT_WAIT_LIST);
  ASSERT_CL_ERROR(RUN(dut.queue, 1, &foreign), CL_INVALID_CONTEXT);
#undef RUN
  ASSERT_CL(clReleaseEvent(foreign));
  ASSERT_CL(clReleaseContext(context));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(runs_on_a_copy_of_its_arguments_with_buffers_as_pointers),
      cmocka_unit_test(event_is_that_of_a_native_kernel),
      cmocka_unit_test(refuses_bad_arguments),
      cmocka_unit_test(refuses_bad_queues_and_wait_lists),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
