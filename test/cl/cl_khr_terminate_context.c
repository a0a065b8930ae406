/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * cl_khr_terminate_context: what runs and what waits ends at once, and nothing begins any more. */
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <CL/cl_ext.h>

#include "endless_kernels.h"
#include "test_extension.h"

static clTerminateContextKHR_fn terminate_context;
static atomic_int notes;

static void CL_CALLBACK note(const char *message, const void *data, size_t size, void *user_data) {
  (void)data, (void)size, (void)user_data;
  if (!strcmp(message, "the context was terminated")) atomic_fetch_add(&notes, 1);
}

static int set_up(void **state) {
  if (test_device_open(state)) return -1;
  *(void **)&terminate_context = test_extension_function("clTerminateContextKHR");
  return terminate_context ? 0 : -1;
}

static cl_context context_create(void) {
  const cl_context_properties properties[] = {CL_CONTEXT_TERMINATE_KHR, CL_TRUE, 0};
  cl_int error;
  cl_context context = clCreateContext(properties, 1, &dut.device, note, NULL, &error);
  ASSERT_CL(error);
  return context;
}

static cl_command_queue queue_create(cl_context context, cl_command_queue_properties properties) {
  const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
  cl_int error;
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, dut.device, list, &error);
  ASSERT_CL(error);
  return queue;
}

static cl_int status_of(cl_event event) {
  cl_int status = 99;
  ASSERT_CL(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  return status;
}

static void wait_until_running(cl_event event) {
  const struct timespec pause = {.tv_nsec = 1000000};
  while (status_of(event) > CL_RUNNING) nanosleep(&pause, NULL);
  for (int i = 0; i < 20; i++) nanosleep(&pause, NULL);
}

/** The device works for others as before. */
static void assert_device_goes_on(void) {
  const cl_int seven = 7;
  cl_int value = 0;
  cl_mem buffer = test_buffer(4096, NULL);
  ASSERT_CL(clEnqueueFillBuffer(dut.queue, buffer, &seven, sizeof seven, 0, 4096, 0, NULL, NULL));
  ASSERT_CL(clEnqueueReadBuffer(dut.queue, buffer, CL_TRUE, 4092, sizeof value, &value, 0, NULL, NULL));
  assert_int_equal(value, 7);
  ASSERT_CL(clReleaseMemObject(buffer));
}

static void is_told_by_the_device(void **state) {
  (void)state;
  cl_bitfield capabilities = 0;
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_TERMINATE_CAPABILITY_KHR, sizeof capabilities, &capabilities, NULL));
  assert_int_equal(capabilities, 1);
}

static void needs_the_property(void **state) {
  (void)state;
  const cl_context_properties bad[] = {CL_CONTEXT_TERMINATE_KHR, 2, 0}, off[] = {CL_CONTEXT_TERMINATE_KHR, CL_FALSE, 0};
  cl_int error;
  ASSERT_CL_REFUSED(clCreateContext(bad, 1, &dut.device, NULL, NULL, &error), error, CL_INVALID_PROPERTY);
  cl_context context = clCreateContext(off, 1, &dut.device, NULL, NULL, &error);
  ASSERT_CL(error);
  ASSERT_CL_ERROR(terminate_context(context), CL_INVALID_OPERATION);
  ASSERT_CL_ERROR(terminate_context(dut.context), CL_INVALID_OPERATION);
  ASSERT_CL_ERROR(terminate_context(NULL), CL_INVALID_CONTEXT);
  ASSERT_CL(clReleaseContext(context));
}

/* ---------------------------------------------------------------- commands */

static atomic_int calls;

static void CL_CALLBACK count_terminated(cl_event event, cl_int status, void *user) {
  (void)event, (void)user;
  if (status == CL_CONTEXT_TERMINATED_KHR) atomic_fetch_add(&calls, 1);
}

enum { COMMANDS = 6 };

/** One that runs, one behind it, one that waits for it on another queue, one that waits for a user event, one out of
 * order, and one that is not flushed. */
static void enqueue_all(const endless_t *endless, const cl_command_queue *queues, const char *name, size_t groups,
                        cl_event gate, cl_event *events) {
  endless_enqueue(endless, queues[0], name, groups, &events[0]);
  ASSERT_CL(clFlush(queues[0]));
  wait_until_running(events[0]);
  ASSERT_CL(clEnqueueMarkerWithWaitList(queues[0], 0, NULL, &events[1]));
  ASSERT_CL(clFlush(queues[0]));
  ASSERT_CL(clEnqueueMarkerWithWaitList(queues[1], 1, &events[0], &events[2]));
  ASSERT_CL(clFlush(queues[1]));
  ASSERT_CL(clEnqueueMarkerWithWaitList(queues[2], 1, &gate, &events[3]));
  ASSERT_CL(clEnqueueMarkerWithWaitList(queues[2], 2, (cl_event[]){events[0], gate}, &events[4]));
  for (int i = 0; i < COMMANDS - 1; i++) ASSERT_CL(clSetEventCallback(events[i], CL_COMPLETE, count_terminated, NULL));
  ASSERT_CL(clEnqueueMarkerWithWaitList(queues[1], 1, &events[4], &events[5]));
}

static void assert_terminates(const char *name, size_t groups) {
  cl_int error;
  cl_context context = context_create();
  endless_t endless = endless_create(context);
  const cl_command_queue queues[] = {queue_create(context, 0), queue_create(context, 0),
                                     queue_create(context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)};
  cl_event events[COMMANDS], gate = clCreateUserEvent(context, &error);
  ASSERT_CL(error);
  atomic_store(&calls, 0);
  atomic_store(&notes, 0);
  enqueue_all(&endless, queues, name, groups, gate, events);
  ASSERT_CL(terminate_context(context));
  assert_int_equal(atomic_load(&notes), 1);
  for (int i = 0; i < COMMANDS; i++) {
    ASSERT_CL_ERROR(clWaitForEvents(1, &events[i]), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    assert_int_equal(status_of(events[i]), CL_CONTEXT_TERMINATED_KHR);
  }
  for (int i = 0; i < 3; i++) ASSERT_CL(clFinish(queues[i]));
  assert_int_equal(atomic_load(&calls), COMMANDS - 1);
  ASSERT_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  assert_device_goes_on();
  for (int i = 0; i < COMMANDS; i++) ASSERT_CL(clReleaseEvent(events[i]));
  for (int i = 0; i < 3; i++) ASSERT_CL(clReleaseCommandQueue(queues[i]));
  ASSERT_CL(clReleaseEvent(gate));
  endless_release(&endless);
  ASSERT_CL(clReleaseContext(context));
}

static void all_commands_end_with_its_status(void **state) {
  (void)state;
  for (int i = 0; i < ENDLESS_KERNELS; i++) {
    assert_terminates(endless_names[i], 1);
    assert_terminates(endless_names[i], 500);
  }
}

/* ---------------------------------------------------------------- afterwards */

static void nothing_is_made_or_enqueued_afterwards(void **state) {
  (void)state;
  cl_context context = context_create();
  cl_command_queue queue = queue_create(context, 0);
  const char *text = "kernel void k(void) {}";
  const cl_int zero = 0;
  cl_int error;
  cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
  ASSERT_CL(error);
  ASSERT_CL(clBuildProgram(program, 0, NULL, "", NULL, NULL));
  cl_mem buffer = clCreateBuffer(context, 0, 64, NULL, &error);
  ASSERT_CL(error);
  ASSERT_CL(terminate_context(context));
  ASSERT_CL_ERROR(terminate_context(context), CL_CONTEXT_TERMINATED_KHR);
  ASSERT_CL_REFUSED(clCreateBuffer(context, 0, 64, NULL, &error), error, CL_CONTEXT_TERMINATED_KHR);
  ASSERT_CL_REFUSED(clCreateUserEvent(context, &error), error, CL_CONTEXT_TERMINATED_KHR);
  ASSERT_CL_REFUSED(clCreateCommandQueueWithProperties(context, dut.device, NULL, &error), error,
                    CL_CONTEXT_TERMINATED_KHR);
  ASSERT_CL_REFUSED(clCreateProgramWithSource(context, 1, &text, NULL, &error), error, CL_CONTEXT_TERMINATED_KHR);
  ASSERT_CL_REFUSED(clCreateKernel(program, "k", &error), error, CL_CONTEXT_TERMINATED_KHR);
  ASSERT_CL_REFUSED(clCreateSamplerWithProperties(context, NULL, &error), error, CL_CONTEXT_TERMINATED_KHR);
  ASSERT_CL_ERROR(clBuildProgram(program, 0, NULL, "", NULL, NULL), CL_CONTEXT_TERMINATED_KHR);
  ASSERT_CL_ERROR(clEnqueueFillBuffer(queue, buffer, &zero, 4, 0, 64, 0, NULL, NULL), CL_CONTEXT_TERMINATED_KHR);
  ASSERT_CL_ERROR(clEnqueueMarkerWithWaitList(queue, 0, NULL, NULL), CL_CONTEXT_TERMINATED_KHR);
  ASSERT_INFO(clGetContextInfo, context, CL_CONTEXT_NUM_DEVICES, cl_uint, 1);
  ASSERT_INFO(clGetMemObjectInfo, buffer, CL_MEM_SIZE, size_t, 64);
  ASSERT_CL(clRetainContext(context));
  ASSERT_CL(clReleaseContext(context));
  ASSERT_CL(clReleaseMemObject(buffer));
  ASSERT_CL(clReleaseProgram(program));
  ASSERT_CL(clReleaseCommandQueue(queue));
  ASSERT_CL(clReleaseContext(context));
}

/* ---------------------------------------------------------------- signals */

static atomic_int faults;

static void count_fault(int signal) {
  (void)signal;
  atomic_fetch_add(&faults, 1);
}

/** Its handler, installed before or while the kernel runs, sees nothing; and a thread that does not execute is not
 * interrupted. */
static void the_application_sees_no_signal(void **state) {
  (void)state;
  struct sigaction action = {.sa_handler = count_fault}, before;
  cl_context context = context_create();
  cl_command_queue queue = queue_create(context, 0);
  endless_t endless = endless_create(context);
  cl_event event;
  endless_enqueue(&endless, queue, "spins", 500, &event);
  ASSERT_CL(clFlush(queue));
  wait_until_running(event);
  assert_int_equal(sigaction(SIGSEGV, &action, &before), 0);
  ASSERT_CL(terminate_context(context));
  const struct timespec pause = {.tv_nsec = 50000000};
  assert_int_equal(nanosleep(&pause, NULL), 0);
  ASSERT_CL_ERROR(clWaitForEvents(1, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  assert_int_equal(atomic_load(&faults), 0);
  ASSERT_CL(clReleaseEvent(event));
  ASSERT_CL(clReleaseCommandQueue(queue));
  endless_release(&endless);
  ASSERT_CL(clReleaseContext(context));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(is_told_by_the_device),
      cmocka_unit_test(needs_the_property),
      cmocka_unit_test(all_commands_end_with_its_status),
      cmocka_unit_test(nothing_is_made_or_enqueued_afterwards),
      cmocka_unit_test(the_application_sees_no_signal),
  };
  alarm(100);
  return cmocka_run_group_tests(tests, set_up, test_device_close);
}
