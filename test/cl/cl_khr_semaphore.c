/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * cl_khr_semaphore: ordering by binary semaphores, queries, and every error of its functions. */
#include <CL/cl_ext.h>

#include "test_extension.h"

enum { DEVICE_LIST = 0x2053, BYTES = 256 };

#define FUNCTIONS(X)                    \
  X(clCreateSemaphoreWithPropertiesKHR) \
  X(clRetainSemaphoreKHR)               \
  X(clReleaseSemaphoreKHR)              \
  X(clGetSemaphoreInfoKHR)              \
  X(clGetSemaphoreHandleForTypeKHR)     \
  X(clEnqueueWaitSemaphoresKHR)         \
  X(clEnqueueSignalSemaphoresKHR)
TEST_EXTENSION_FUNCTIONS(sema, FUNCTIONS)

static const cl_semaphore_properties_khr binary[] = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, 0};
static cl_command_queue other;

static int open_device(void **state) {
  cl_int error;
  if (test_device_open(state) || !test_has_extension("cl_khr_semaphore") || !sema_load()) return 1;
  other = clCreateCommandQueueWithProperties(dut.context, dut.device, NULL, &error);
  return error;
}

static int close_device(void **state) { return clReleaseCommandQueue(other) || test_device_close(state); }

static cl_semaphore_khr create(void) {
  cl_int error;
  cl_semaphore_khr semaphore = sema.clCreateSemaphoreWithPropertiesKHR(dut.context, binary, &error);
  ASSERT_CL(error);
  return semaphore;
}

static cl_int wait_for(cl_command_queue queue, cl_semaphore_khr semaphore, cl_event *event) {
  return sema.clEnqueueWaitSemaphoresKHR(queue, 1, &semaphore, NULL, 0, NULL, event);
}

static cl_int signal(cl_command_queue queue, cl_semaphore_khr semaphore, cl_event *event) {
  return sema.clEnqueueSignalSemaphoresKHR(queue, 1, &semaphore, NULL, 0, NULL, event);
}

static cl_semaphore_payload_khr payload(cl_semaphore_khr semaphore) {
  cl_semaphore_payload_khr value = 9;
  ASSERT_CL(sema.clGetSemaphoreInfoKHR(semaphore, CL_SEMAPHORE_PAYLOAD_KHR, sizeof(value), &value, NULL));
  return value;
}

static cl_int status_of(cl_event event) {
  cl_int status;
  ASSERT_CL(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL));
  return status;
}

/* ------------------------------------------------------------ ordering */

static void changes_state_with_signals_and_waits(void **state) {
  (void)state;
  cl_semaphore_khr semaphore = create();
  assert_int_equal(payload(semaphore), 0);
  for (int i = 0; i < 10; i++) {
    ASSERT_CL(signal(dut.queue, semaphore, NULL));
    ASSERT_CL(clFinish(dut.queue));
    assert_int_equal(payload(semaphore), 1);
    ASSERT_CL(wait_for(dut.queue, semaphore, NULL));
    ASSERT_CL(clFinish(dut.queue));
    assert_int_equal(payload(semaphore), 0);
  }
  ASSERT_CL(sema.clReleaseSemaphoreKHR(semaphore));
}

/* A kernel that takes a while writes what the other queue reads after the wait. */
static void orders_two_queues(void **state) {
  (void)state;
  cl_semaphore_khr semaphore = create();
  const cl_uint zeros[BYTES / 4] = {0};
  const size_t one = 1;
  cl_uint read = 0;
  cl_mem buffer = test_buffer(BYTES, zeros);
  cl_kernel kernel = test_kernel(
      "kernel void slow(global volatile uint *p) {\n"
      "  for (uint i = 0; i < 20000000; i++) p[1] = i;\n"
      "  p[0] += 1;\n"
      "}\n",
      NULL, "slow");
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
  for (cl_uint i = 1; i <= 3; i++) {
    ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    ASSERT_CL(signal(dut.queue, semaphore, NULL));
    ASSERT_CL(wait_for(other, semaphore, NULL));
    ASSERT_CL(clEnqueueReadBuffer(other, buffer, CL_FALSE, 0, sizeof(read), &read, 0, NULL, NULL));
    ASSERT_CL(clFinish(other)); /* Flushes the queue of the signal too. */
    assert_int_equal(read, i);
  }
  ASSERT_CL(clReleaseKernel(kernel));
  ASSERT_CL(clReleaseMemObject(buffer));
  ASSERT_CL(sema.clReleaseSemaphoreKHR(semaphore));
}

static void a_wait_may_come_before_its_signal(void **state) {
  (void)state;
  cl_semaphore_khr semaphore = create();
  cl_event event;
  ASSERT_CL(wait_for(other, semaphore, &event));
  ASSERT_CL(clFlush(other));
  assert_true(status_of(event) > CL_COMPLETE);
  ASSERT_CL(signal(dut.queue, semaphore, NULL));
  ASSERT_CL(clFinish(dut.queue));
  ASSERT_CL(clWaitForEvents(1, &event));
  assert_int_equal(payload(semaphore), 0);
  ASSERT_CL(clReleaseEvent(event));
  ASSERT_CL(sema.clReleaseSemaphoreKHR(semaphore));
}

/* Nobody flushes the signal's queue but the driver. */
static void a_wait_that_came_first_flushes_the_signal(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  cl_semaphore_khr semaphore = create();
  ASSERT_CL(wait_for(other, semaphore, NULL));
  ASSERT_CL(clFlush(other));
  ASSERT_CL(signal(dut.queue, semaphore, NULL));
  ASSERT_CL(clFinish(other));
  ASSERT_CL(clFinish(dut.queue));
  ASSERT_CL(sema.clReleaseSemaphoreKHR(semaphore));
}

static void signals_wait_for_their_events(void **state) {
  (void)state;
  cl_int error;
  cl_semaphore_khr semaphore = create();
  cl_event gate = clCreateUserEvent(dut.context, &error), event;
  ASSERT_CL(sema.clEnqueueSignalSemaphoresKHR(dut.queue, 1, &semaphore, NULL, 1, &gate, NULL));
  ASSERT_CL(wait_for(other, semaphore, &event));
  ASSERT_CL(clFlush(dut.queue));
  ASSERT_CL(clFlush(other));
  assert_true(status_of(event) > CL_COMPLETE);
  ASSERT_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  ASSERT_CL(clWaitForEvents(1, &event));
  ASSERT_CL(clReleaseEvent(event));
  ASSERT_CL(clReleaseEvent(gate));
  ASSERT_CL(sema.clReleaseSemaphoreKHR(semaphore));
}

static void several_are_waited_for_at_once(void **state) {
  (void)state;
  cl_semaphore_khr semaphores[3] = {create(), create(), create()};
  const cl_semaphore_payload_khr ignored[3] = {5, 6, 7};
  cl_event event;
  ASSERT_CL(signal(dut.queue, semaphores[1], NULL));
  ASSERT_CL(sema.clEnqueueWaitSemaphoresKHR(other, 3, semaphores, ignored, 0, NULL, &event));
  ASSERT_CL(clFlush(other));
  ASSERT_CL(clFinish(dut.queue));
  assert_true(status_of(event) > CL_COMPLETE);
  const cl_semaphore_khr rest[2] = {semaphores[0], semaphores[2]};
  ASSERT_CL(sema.clEnqueueSignalSemaphoresKHR(dut.queue, 2, rest, ignored, 0, NULL, NULL));
  ASSERT_CL(clFinish(dut.queue));
  ASSERT_CL(clWaitForEvents(1, &event));
  for (int i = 0; i < 3; i++) {
    assert_int_equal(payload(semaphores[i]), 0);
    ASSERT_CL(sema.clReleaseSemaphoreKHR(semaphores[i]));
  }
  ASSERT_CL(clReleaseEvent(event));
}

/* Whichever of the two was enqueued first. */
static void a_terminated_signal_terminates_its_wait(void **state) {
  (void)state;
  for (int wait_first = 0; wait_first < 2; wait_first++) {
    cl_int error;
    cl_semaphore_khr semaphore = create();
    cl_event gate = clCreateUserEvent(dut.context, &error), event;
    if (wait_first) ASSERT_CL(wait_for(other, semaphore, &event));
    ASSERT_CL(sema.clEnqueueSignalSemaphoresKHR(dut.queue, 1, &semaphore, NULL, 1, &gate, NULL));
    if (!wait_first) ASSERT_CL(wait_for(other, semaphore, &event));
    ASSERT_CL(clSetUserEventStatus(gate, -5));
    ASSERT_CL(clFinish(dut.queue));
    ASSERT_CL(clFinish(other));
    assert_true(status_of(event) < 0);
    ASSERT_CL(clReleaseEvent(event));
    ASSERT_CL(clReleaseEvent(gate));
    ASSERT_CL(sema.clReleaseSemaphoreKHR(semaphore));
  }
}

static void may_be_released_while_in_use(void **state) {
  (void)state;
  cl_semaphore_khr semaphore = create();
  cl_event event;
  ASSERT_CL(wait_for(other, semaphore, &event));
  ASSERT_CL(signal(dut.queue, semaphore, NULL));
  ASSERT_CL(sema.clReleaseSemaphoreKHR(semaphore));
  ASSERT_CL(clFlush(dut.queue));
  ASSERT_CL(clFlush(other));
  ASSERT_CL(clWaitForEvents(1, &event));
  ASSERT_CL(clReleaseEvent(event));
  semaphore = create();
  ASSERT_CL(signal(dut.queue, semaphore, NULL)); /* Nobody waits. */
  ASSERT_CL(sema.clReleaseSemaphoreKHR(semaphore));
  ASSERT_CL(clFinish(dut.queue));
}

static void commands_have_their_types(void **state) {
  (void)state;
  cl_semaphore_khr semaphore = create();
  cl_event events[2];
  ASSERT_CL(signal(dut.queue, semaphore, &events[0]));
  ASSERT_CL(wait_for(dut.queue, semaphore, &events[1]));
  ASSERT_INFO(clGetEventInfo, events[0], CL_EVENT_COMMAND_TYPE, cl_command_type, CL_COMMAND_SEMAPHORE_SIGNAL_KHR);
  ASSERT_INFO(clGetEventInfo, events[1], CL_EVENT_COMMAND_TYPE, cl_command_type, CL_COMMAND_SEMAPHORE_WAIT_KHR);
  ASSERT_INFO(clGetEventInfo, events[0], CL_EVENT_REFERENCE_COUNT, cl_uint, 1);
  ASSERT_CL(clWaitForEvents(2, events));
  ASSERT_CL(clReleaseEvent(events[0]));
  ASSERT_CL(clReleaseEvent(events[1]));
  ASSERT_CL(sema.clReleaseSemaphoreKHR(semaphore));
}

/* ------------------------------------------------------------ queries */

static void answers_queries(void **state) {
  (void)state;
  cl_int error;
  size_t size;
  const cl_semaphore_properties_khr list[] = {
      CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, DEVICE_LIST, (cl_semaphore_properties_khr)dut.device, 0, 0};
  cl_semaphore_properties_khr read[6];
  cl_semaphore_khr semaphore = sema.clCreateSemaphoreWithPropertiesKHR(dut.context, list, &error);
  ASSERT_CL(error);
  ASSERT_INFO(clGetDeviceInfo, dut.device, CL_DEVICE_SEMAPHORE_TYPES_KHR, cl_semaphore_type_khr,
              CL_SEMAPHORE_TYPE_BINARY_KHR);
  ASSERT_INFO(clGetPlatformInfo, dut.platform, CL_PLATFORM_SEMAPHORE_TYPES_KHR, cl_semaphore_type_khr,
              CL_SEMAPHORE_TYPE_BINARY_KHR);
  ASSERT_INFO(sema.clGetSemaphoreInfoKHR, semaphore, CL_SEMAPHORE_CONTEXT_KHR, cl_context, dut.context);
  ASSERT_INFO(sema.clGetSemaphoreInfoKHR, semaphore, CL_SEMAPHORE_TYPE_KHR, cl_semaphore_type_khr,
              CL_SEMAPHORE_TYPE_BINARY_KHR);
  ASSERT_INFO(sema.clGetSemaphoreInfoKHR, semaphore, DEVICE_LIST, cl_device_id, dut.device);
  ASSERT_CL(sema.clGetSemaphoreInfoKHR(semaphore, CL_SEMAPHORE_PROPERTIES_KHR, sizeof(read), read, &size));
  assert_int_equal(size, sizeof(list));
  assert_memory_equal(read, list, sizeof(list));
  ASSERT_INFO_RULES(sema.clGetSemaphoreInfoKHR, semaphore, CL_SEMAPHORE_CONTEXT_KHR);
  ASSERT_CL(sema.clRetainSemaphoreKHR(semaphore));
  ASSERT_INFO(sema.clGetSemaphoreInfoKHR, semaphore, CL_SEMAPHORE_REFERENCE_COUNT_KHR, cl_uint, 2);
  ASSERT_CL(sema.clReleaseSemaphoreKHR(semaphore));
  ASSERT_CL(sema.clReleaseSemaphoreKHR(semaphore));
  ASSERT_CL_ERROR(sema.clGetSemaphoreInfoKHR(NULL, CL_SEMAPHORE_TYPE_KHR, 0, NULL, &size), CL_INVALID_SEMAPHORE_KHR);
  ASSERT_CL_ERROR(sema.clRetainSemaphoreKHR(NULL), CL_INVALID_SEMAPHORE_KHR);
  ASSERT_CL_ERROR(sema.clReleaseSemaphoreKHR(NULL), CL_INVALID_SEMAPHORE_KHR);
}

/* ------------------------------------------------------------ what is refused */

static void creation_refuses_bad_arguments(void **state) {
  (void)state;
  cl_int error;
  const cl_semaphore_properties_khr device = (cl_semaphore_properties_khr)dut.device;
  const cl_semaphore_properties_khr none[] = {0}, unknown[] = {0x7FFF, 1, 0}, no_type[] = {DEVICE_LIST, device, 0, 0},
                                    other_type[] = {CL_SEMAPHORE_TYPE_KHR, 7, 0},
                                    twice[] = {CL_SEMAPHORE_TYPE_KHR, 1, CL_SEMAPHORE_TYPE_KHR, 1, 0},
                                    no_device[] = {CL_SEMAPHORE_TYPE_KHR, 1, DEVICE_LIST, 0, 0},
                                    two_devices[] = {CL_SEMAPHORE_TYPE_KHR, 1, DEVICE_LIST, device, device, 0, 0},
                                    bad_device[] = {CL_SEMAPHORE_TYPE_KHR,
                                                    1,
                                                    DEVICE_LIST,
                                                    (cl_semaphore_properties_khr)dut.queue,
                                                    0,
                                                    0};
#define REFUSED(context, list, expected) \
  ASSERT_CL_REFUSED(sema.clCreateSemaphoreWithPropertiesKHR(context, list, &error), error, expected)
  REFUSED(NULL, binary, CL_INVALID_CONTEXT);
  REFUSED(dut.context, NULL, CL_INVALID_VALUE);
  REFUSED(dut.context, none, CL_INVALID_VALUE);
  REFUSED(dut.context, no_type, CL_INVALID_VALUE);
  REFUSED(dut.context, unknown, CL_INVALID_PROPERTY);
  REFUSED(dut.context, other_type, CL_INVALID_PROPERTY);
  REFUSED(dut.context, twice, CL_INVALID_PROPERTY);
  REFUSED(dut.context, no_device, CL_INVALID_DEVICE);
  REFUSED(dut.context, two_devices, CL_INVALID_DEVICE);
  REFUSED(dut.context, bad_device, CL_INVALID_DEVICE);
  assert_null(sema.clCreateSemaphoreWithPropertiesKHR(NULL, NULL, NULL));
}

static void contexts_with_several_devices_need_one_named(void **state) {
  (void)state;
  const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  cl_device_id parts[64];
  cl_uint count = 0;
  cl_int error;
  if (clCreateSubDevices(dut.device, equally, 64, parts, &count) != CL_SUCCESS || count < 2) skip();
  cl_context context = clCreateContext(NULL, 2, parts, NULL, NULL, &error);
  ASSERT_CL(error);
  cl_command_queue wrong = clCreateCommandQueueWithProperties(context, parts[1], NULL, &error);
  ASSERT_CL(error);
  const cl_semaphore_properties_khr list[] = {
      CL_SEMAPHORE_TYPE_KHR, 1, DEVICE_LIST, (cl_semaphore_properties_khr)parts[0], 0, 0};
  REFUSED(context, binary, CL_INVALID_PROPERTY);
  cl_semaphore_khr semaphore = sema.clCreateSemaphoreWithPropertiesKHR(context, list, &error);
  ASSERT_CL(error);
  ASSERT_CL_ERROR(signal(wrong, semaphore, NULL), CL_INVALID_COMMAND_QUEUE);
  ASSERT_CL_ERROR(wait_for(wrong, semaphore, NULL), CL_INVALID_COMMAND_QUEUE);
  ASSERT_CL(sema.clReleaseSemaphoreKHR(semaphore));
  ASSERT_CL(clReleaseCommandQueue(wrong));
  ASSERT_CL(clReleaseContext(context));
  for (cl_uint i = 0; i < count; i++) ASSERT_CL(clReleaseDevice(parts[i]));
}

static void one_that_was_not_made_for_it_cannot_be_exported(void **state) {
  (void)state;
  int fd;
  cl_semaphore_khr semaphore = create();
  ASSERT_CL_ERROR(
      sema.clGetSemaphoreHandleForTypeKHR(NULL, dut.device, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, sizeof(fd), &fd, NULL),
      CL_INVALID_SEMAPHORE_KHR);
  ASSERT_CL_ERROR(
      sema.clGetSemaphoreHandleForTypeKHR(semaphore, NULL, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, sizeof(fd), &fd, NULL),
      CL_INVALID_DEVICE);
  ASSERT_CL_ERROR(sema.clGetSemaphoreHandleForTypeKHR(semaphore, dut.device, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR,
                                                      sizeof(fd), &fd, NULL),
                  CL_INVALID_VALUE);
  ASSERT_CL(sema.clReleaseSemaphoreKHR(semaphore));
}

typedef cl_int(CL_API_CALL *command_t)(cl_command_queue queue, cl_uint count, const cl_semaphore_khr *semaphores,
                                       const cl_semaphore_payload_khr *payloads, cl_uint wait_count,
                                       const cl_event *waits, cl_event *event);

static void commands_refuse_bad_arguments(void **state) {
  (void)state;
  const command_t commands[] = {sema.clEnqueueWaitSemaphoresKHR, sema.clEnqueueSignalSemaphoresKHR};
  cl_int error;
  cl_context context = test_other_context();
  cl_command_queue foreign = test_other_queue(context);
  cl_semaphore_khr semaphore = create(), none = NULL;
  cl_event failed = clCreateUserEvent(dut.context, &error), no_event = NULL;
  ASSERT_CL(clSetUserEventStatus(failed, -1));
  for (int i = 0; i < 2; i++) {
    const command_t command = commands[i];
    ASSERT_CL_ERROR(command(NULL, 1, &semaphore, NULL, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
    ASSERT_CL_ERROR(command(dut.queue, 0, &semaphore, NULL, 0, NULL, NULL), CL_INVALID_VALUE);
    ASSERT_CL_ERROR(command(dut.queue, 1, NULL, NULL, 0, NULL, NULL), CL_INVALID_VALUE);
    ASSERT_CL_ERROR(command(dut.queue, 1, &none, NULL, 0, NULL, NULL), CL_INVALID_SEMAPHORE_KHR);
    ASSERT_CL_ERROR(command(foreign, 1, &semaphore, NULL, 0, NULL, NULL), CL_INVALID_CONTEXT);
    ASSERT_CL_ERROR(command(dut.queue, 1, &semaphore, NULL, 1, NULL, NULL), CL_INVALID_EVENT_WAIT_LIST);
    ASSERT_CL_ERROR(command(dut.queue, 1, &semaphore, NULL, 0, &failed, NULL), CL_INVALID_EVENT_WAIT_LIST);
    ASSERT_CL_ERROR(command(dut.queue, 1, &semaphore, NULL, 1, &no_event, NULL), CL_INVALID_EVENT_WAIT_LIST);
    ASSERT_CL_ERROR(command(dut.queue, 1, &semaphore, NULL, 1, &failed, NULL),
                    CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  }
  ASSERT_CL(clReleaseEvent(failed));
  ASSERT_CL(sema.clReleaseSemaphoreKHR(semaphore));
  ASSERT_CL(clReleaseCommandQueue(foreign));
  ASSERT_CL(clReleaseContext(context));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(changes_state_with_signals_and_waits),
      cmocka_unit_test(orders_two_queues),
      cmocka_unit_test(a_wait_may_come_before_its_signal),
      cmocka_unit_test(a_wait_that_came_first_flushes_the_signal),
      cmocka_unit_test(signals_wait_for_their_events),
      cmocka_unit_test(several_are_waited_for_at_once),
      cmocka_unit_test(a_terminated_signal_terminates_its_wait),
      cmocka_unit_test(may_be_released_while_in_use),
      cmocka_unit_test(commands_have_their_types),
      cmocka_unit_test(answers_queries),
      cmocka_unit_test(creation_refuses_bad_arguments),
      cmocka_unit_test(contexts_with_several_devices_need_one_named),
      cmocka_unit_test(one_that_was_not_made_for_it_cannot_be_exported),
      cmocka_unit_test(commands_refuse_bad_arguments),
  };
  return cmocka_run_group_tests(tests, open_device, close_device);
}
