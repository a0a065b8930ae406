/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Reference counts of every object, and handles that are null, of another type or released. */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "test_device.h"

/* The rules of one object type: retaining counts up, releasing counts down, null is refused. */
#define ASSERT_COUNTS(object, retain, release, get, count_parameter, error) \
  do {                                                                      \
    ASSERT_INFO(get, object, count_parameter, cl_uint, 1);                  \
    ASSERT_CL(retain(object));                                              \
    ASSERT_INFO(get, object, count_parameter, cl_uint, 2);                  \
    ASSERT_CL(release(object));                                             \
    ASSERT_INFO(get, object, count_parameter, cl_uint, 1);                  \
    ASSERT_CL_ERROR(retain(NULL), error);                                   \
    ASSERT_CL_ERROR(release(NULL), error);                                  \
  } while (0)

/* A handle of another type is refused by every call that takes this one. */
#define ASSERT_FOREIGN(type, foreign, retain, release, get, parameter, error) \
  do {                                                                        \
    size_t foreign_size;                                                      \
    type handle = (type)(void *)(foreign);                                    \
    ASSERT_CL_ERROR(retain(handle), error);                                   \
    ASSERT_CL_ERROR(release(handle), error);                                  \
    ASSERT_CL_ERROR(get(handle, parameter, 0, NULL, &foreign_size), error);   \
  } while (0)

static cl_event user_event(cl_context context) {
  cl_int error;
  cl_event event = clCreateUserEvent(context, &error);
  ASSERT_CL(error);
  return event;
}

static void every_object_counts(void **state) {
  (void)state;
  cl_context context = test_other_context();
  ASSERT_COUNTS(context, clRetainContext, clReleaseContext, clGetContextInfo, CL_CONTEXT_REFERENCE_COUNT,
                CL_INVALID_CONTEXT);
  ASSERT_CL(clReleaseContext(context));
  cl_command_queue queue = test_other_queue(dut.context);
  ASSERT_COUNTS(queue, clRetainCommandQueue, clReleaseCommandQueue, clGetCommandQueueInfo, CL_QUEUE_REFERENCE_COUNT,
                CL_INVALID_COMMAND_QUEUE);
  ASSERT_CL(clReleaseCommandQueue(queue));
  cl_mem buffer = test_buffer(16, NULL);
  ASSERT_COUNTS(buffer, clRetainMemObject, clReleaseMemObject, clGetMemObjectInfo, CL_MEM_REFERENCE_COUNT,
                CL_INVALID_MEM_OBJECT);
  ASSERT_CL(clReleaseMemObject(buffer));
  cl_program program = test_program("kernel void k(global int *p) { *p = 1; }", NULL);
  ASSERT_COUNTS(program, clRetainProgram, clReleaseProgram, clGetProgramInfo, CL_PROGRAM_REFERENCE_COUNT,
                CL_INVALID_PROGRAM);
  ASSERT_CL(clReleaseProgram(program));
  cl_kernel kernel = test_kernel("kernel void k(global int *p) { *p = 1; }", NULL, "k");
  ASSERT_COUNTS(kernel, clRetainKernel, clReleaseKernel, clGetKernelInfo, CL_KERNEL_REFERENCE_COUNT, CL_INVALID_KERNEL);
  ASSERT_CL(clReleaseKernel(kernel));
  cl_event event = user_event(dut.context);
  ASSERT_COUNTS(event, clRetainEvent, clReleaseEvent, clGetEventInfo, CL_EVENT_REFERENCE_COUNT, CL_INVALID_EVENT);
  ASSERT_CL(clReleaseEvent(event));
  ASSERT_CL_ERROR(clRetainSampler(NULL), CL_INVALID_SAMPLER);
  ASSERT_CL_ERROR(clReleaseSampler(NULL), CL_INVALID_SAMPLER);
}

static void handles_of_another_type_are_refused(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  cl_mem buffer = test_buffer(16, NULL);
  void *const foreign[] = {dut.device, dut.context, buffer};
  for (int i = 0; i < 3; i++) {
    if (i != 1) {
      ASSERT_FOREIGN(cl_context, foreign[i], clRetainContext, clReleaseContext, clGetContextInfo,
                     CL_CONTEXT_REFERENCE_COUNT, CL_INVALID_CONTEXT);
    }
    if (i != 2) {
      ASSERT_FOREIGN(cl_mem, foreign[i], clRetainMemObject, clReleaseMemObject, clGetMemObjectInfo,
                     CL_MEM_REFERENCE_COUNT, CL_INVALID_MEM_OBJECT);
    }
    ASSERT_FOREIGN(cl_command_queue, foreign[i], clRetainCommandQueue, clReleaseCommandQueue, clGetCommandQueueInfo,
                   CL_QUEUE_REFERENCE_COUNT, CL_INVALID_COMMAND_QUEUE);
    ASSERT_FOREIGN(cl_program, foreign[i], clRetainProgram, clReleaseProgram, clGetProgramInfo,
                   CL_PROGRAM_REFERENCE_COUNT, CL_INVALID_PROGRAM);
    ASSERT_FOREIGN(cl_kernel, foreign[i], clRetainKernel, clReleaseKernel, clGetKernelInfo, CL_KERNEL_REFERENCE_COUNT,
                   CL_INVALID_KERNEL);
    ASSERT_FOREIGN(cl_event, foreign[i], clRetainEvent, clReleaseEvent, clGetEventInfo, CL_EVENT_REFERENCE_COUNT,
                   CL_INVALID_EVENT);
    ASSERT_FOREIGN(cl_sampler, foreign[i], clRetainSampler, clReleaseSampler, clGetSamplerInfo,
                   CL_SAMPLER_REFERENCE_COUNT, CL_INVALID_SAMPLER);
  }
  ASSERT_CL(clReleaseMemObject(buffer));
}

/* Objects whose last reference of the program is gone, while others still hold them: they live on, queries give them
 * out, and wrappers of the API retain what queries give. A release more is refused all the same. */

static void a_context_lives_while_objects_hold_it(void **state) {
  (void)state;
  cl_int error;
  cl_context context = test_other_context(), same;
  cl_command_queue queue = test_other_queue(context);
  ASSERT_CL(clReleaseContext(context));
  ASSERT_CL(clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof(same), &same, NULL));
  assert_ptr_equal(same, context);
  ASSERT_INFO(clGetContextInfo, same, CL_CONTEXT_NUM_DEVICES, cl_uint, 1);
  ASSERT_CL(clRetainContext(same));
  cl_mem buffer = clCreateBuffer(same, 0, 16, NULL, &error);
  ASSERT_CL(error);
  ASSERT_CL(clReleaseCommandQueue(queue));
  ASSERT_INFO(clGetContextInfo, same, CL_CONTEXT_REFERENCE_COUNT, cl_uint, 1);
  ASSERT_CL(clReleaseContext(same));
  ASSERT_CL_ERROR(clReleaseContext(same), CL_INVALID_CONTEXT);
  ASSERT_CL(clReleaseMemObject(buffer));
}

static void a_program_lives_while_a_kernel_holds_it(void **state) {
  (void)state;
  cl_int error;
  cl_program program = test_program("kernel void k(global int *p) { *p = 1; }", NULL), same;
  cl_kernel kernel = clCreateKernel(program, "k", &error);
  ASSERT_CL(error);
  ASSERT_CL(clReleaseProgram(program));
  ASSERT_CL_ERROR(clReleaseProgram(program), CL_INVALID_PROGRAM);
  ASSERT_CL(clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof(same), &same, NULL));
  cl_kernel other = clCreateKernel(same, "k", &error);
  ASSERT_CL(error);
  ASSERT_CL(clReleaseKernel(kernel));
  ASSERT_CL(clReleaseKernel(other));
}

static void a_queue_lives_while_an_event_holds_it(void **state) {
  (void)state;
  cl_event event;
  cl_command_queue queue = test_other_queue(dut.context), same;
  ASSERT_CL(clEnqueueMarkerWithWaitList(queue, 0, NULL, &event));
  ASSERT_CL(clReleaseCommandQueue(queue));
  ASSERT_CL(clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof(same), &same, NULL));
  ASSERT_CL(clRetainCommandQueue(same));
  ASSERT_CL(clReleaseEvent(event));
  ASSERT_CL(clFinish(same));
  ASSERT_CL(clReleaseCommandQueue(same));
}

static void a_buffer_lives_while_a_part_of_it_does(void **state) {
  (void)state;
  cl_int error;
  const cl_buffer_region region = {0, 16};
  cl_mem buffer = test_buffer(64, NULL), same;
  cl_mem part = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
  ASSERT_CL(error);
  ASSERT_CL(clReleaseMemObject(buffer));
  ASSERT_CL(clGetMemObjectInfo(part, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof(same), &same, NULL));
  ASSERT_CL(clRetainMemObject(same));
  ASSERT_CL(clReleaseMemObject(part));
  ASSERT_INFO(clGetMemObjectInfo, same, CL_MEM_SIZE, size_t, 64);
  ASSERT_CL(clReleaseMemObject(same));
}

static void a_buffer_that_a_command_holds_is_not_released_twice(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  const cl_uint zero = 0;
  cl_event gate = user_event(dut.context);
  cl_mem buffer = test_buffer(64, NULL);
  cl_command_queue queue = test_other_queue(dut.context);
  ASSERT_CL(clEnqueueFillBuffer(queue, buffer, &zero, 4, 0, 64, 1, &gate, NULL));
  ASSERT_CL(clFlush(queue));
  ASSERT_CL(clReleaseMemObject(buffer));
  ASSERT_CL_ERROR(clReleaseMemObject(buffer), CL_INVALID_MEM_OBJECT);
  ASSERT_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  ASSERT_CL(clFinish(queue));
  ASSERT_CL(clReleaseCommandQueue(queue));
  ASSERT_CL(clReleaseEvent(gate));
}

/* By programs that have lost count. Loaders jump through the first word of the object before it can be checked. */
static void what_is_gone_is_not_released_again(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  cl_int error;
  cl_context context = test_other_context();
  cl_command_queue queue = test_other_queue(dut.context);
  cl_mem buffer = test_buffer(16, NULL);
  cl_sampler sampler = clCreateSampler(dut.context, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &error);
  ASSERT_CL(error);
  cl_program program = test_program("kernel void k(global int *p) { *p = 1; }", NULL);
  cl_kernel kernel = clCreateKernel(program, "k", &error);
  ASSERT_CL(error);
  cl_event event = user_event(dut.context);
  ASSERT_CL(clReleaseKernel(kernel));
  ASSERT_CL(clReleaseProgram(program));
  ASSERT_CL(clReleaseEvent(event));
  ASSERT_CL(clReleaseSampler(sampler));
  ASSERT_CL(clReleaseMemObject(buffer));
  ASSERT_CL(clReleaseCommandQueue(queue));
  ASSERT_CL(clReleaseContext(context));
  ASSERT_CL_ERROR(clReleaseKernel(kernel), CL_INVALID_KERNEL);
  ASSERT_CL_ERROR(clReleaseProgram(program), CL_INVALID_PROGRAM);
  ASSERT_CL_ERROR(clReleaseEvent(event), CL_INVALID_EVENT);
  ASSERT_CL_ERROR(clReleaseSampler(sampler), CL_INVALID_SAMPLER);
  ASSERT_CL_ERROR(clReleaseMemObject(buffer), CL_INVALID_MEM_OBJECT);
  ASSERT_CL_ERROR(clReleaseCommandQueue(queue), CL_INVALID_COMMAND_QUEUE);
  ASSERT_CL_ERROR(clReleaseContext(context), CL_INVALID_CONTEXT);
}

/* 5.11, clReleaseEvent: who waits for a user event that is released before it is set waits on. */

typedef struct wait_t {
  cl_event event;
  atomic_bool returned;
} wait_t;

static void *wait_for_event(void *data) {
  wait_t *wait = data;
  clWaitForEvents(1, &wait->event);
  atomic_store(&wait->returned, true);
  return NULL;
}

static void who_waits_for_a_released_user_event_waits_on(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  static wait_t wait; /* the thread, which nothing can end, outlives this function */
  pthread_t thread;
  wait.event = user_event(dut.context);
  assert_int_equal(pthread_create(&thread, NULL, wait_for_event, &wait), 0);
  assert_int_equal(pthread_detach(thread), 0);
  usleep(50000);
  ASSERT_CL(clReleaseEvent(wait.event));
  cl_event others[16];
  for (int i = 0; i < 16; i++) { /* where the released one was, perhaps */
    others[i] = user_event(dut.context);
    ASSERT_CL(clSetUserEventStatus(others[i], CL_COMPLETE));
  }
  usleep(50000);
  assert_false(atomic_load(&wait.returned));
  for (int i = 0; i < 16; i++) ASSERT_CL(clReleaseEvent(others[i]));
}

/* The last reference may go in a callback, while another thread is in a call with the object. */

static void CL_CALLBACK release_event(cl_event event, cl_int status, void *data) {
  (void)status, (void)data;
  usleep(20000);
  clReleaseEvent(event);
}

static void CL_CALLBACK release_queue(cl_event event, cl_int status, void *queue) {
  (void)event, (void)status;
  usleep(20000);
  clReleaseCommandQueue(queue);
}

static void calls_survive_the_last_release_in_a_callback(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  cl_event event;
  ASSERT_CL(clEnqueueMarkerWithWaitList(dut.queue, 0, NULL, &event));
  ASSERT_CL(clSetEventCallback(event, CL_COMPLETE, release_event, NULL));
  ASSERT_CL(clWaitForEvents(1, &event));
  cl_command_queue queue = test_other_queue(dut.context);
  ASSERT_CL(clEnqueueMarkerWithWaitList(queue, 0, NULL, &event));
  ASSERT_CL(clSetEventCallback(event, CL_COMPLETE, release_queue, queue));
  ASSERT_CL(clReleaseEvent(event));
  ASSERT_CL(clFinish(queue));
}

static void objects_may_be_released_before_what_they_came_from(void **state) {
  (void)state;
  cl_int error;
  const size_t one = 1;
  cl_int value = 0;
  cl_context context = test_other_context();
  cl_command_queue queue = test_other_queue(context);
  cl_mem buffer = clCreateBuffer(context, 0, 16, NULL, &error);
  ASSERT_CL(error);
  const char *source = "kernel void k(global int *p) { *p = 1; }";
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
  ASSERT_CL(error);
  ASSERT_CL(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
  cl_kernel kernel = clCreateKernel(program, "k", &error);
  ASSERT_CL(error);
  ASSERT_CL(clReleaseContext(context));
  ASSERT_CL(clReleaseProgram(program));
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
  ASSERT_CL(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
  ASSERT_CL(clReleaseKernel(kernel));
  ASSERT_CL(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(value), &value, 0, NULL, NULL));
  assert_int_equal(value, 1);
  ASSERT_CL(clReleaseMemObject(buffer));
  ASSERT_CL(clReleaseCommandQueue(queue));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_object_counts),
      cmocka_unit_test(handles_of_another_type_are_refused),
      cmocka_unit_test(a_context_lives_while_objects_hold_it),
      cmocka_unit_test(a_program_lives_while_a_kernel_holds_it),
      cmocka_unit_test(a_queue_lives_while_an_event_holds_it),
      cmocka_unit_test(a_buffer_lives_while_a_part_of_it_does),
      cmocka_unit_test(a_buffer_that_a_command_holds_is_not_released_twice),
      cmocka_unit_test(what_is_gone_is_not_released_again),
      cmocka_unit_test(who_waits_for_a_released_user_event_waits_on),
      cmocka_unit_test(calls_survive_the_last_release_in_a_callback),
      cmocka_unit_test(objects_may_be_released_before_what_they_came_from),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
