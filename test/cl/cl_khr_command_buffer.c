/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * cl_khr_command_buffer: creation, recording, enqueuing, queries, and every error of its functions. */
#include <stdlib.h>

#include "test_command_buffer.h"

enum { ITEMS = 64, BYTES = ITEMS * sizeof(cl_int) };

static cl_kernel add;
static cl_mem a, b;

static int open_device(void **state) {
  if (test_device_open(state) || !test_has_extension("cl_khr_command_buffer") || !cb_load()) return 1;
  add = test_kernel("kernel void add(global int *p, int by) { p[get_global_id(0)] += by; }", NULL, "add");
  return 0;
}

static int close_device(void **state) { return clReleaseKernel(add) || test_device_close(state); }

static int make_buffers(void **state) {
  (void)state;
  static const cl_int zeros[ITEMS];
  a = test_buffer(BYTES, zeros);
  b = test_buffer(BYTES, zeros);
  return 0;
}

static int release_buffers(void **state) {
  (void)state;
  return clFinish(dut.queue) || clReleaseMemObject(a) || clReleaseMemObject(b);
}

static cl_int first_of(cl_mem buffer) {
  cl_int value;
  test_read(buffer, sizeof(value), &value);
  return value;
}

static void set_arguments(cl_mem buffer, cl_int by) {
  ASSERT_CL(clSetKernelArg(add, 0, sizeof(buffer), &buffer));
  ASSERT_CL(clSetKernelArg(add, 1, sizeof(by), &by));
}

static cl_int record_add(cl_command_buffer_khr buffer, cl_mem memory, cl_int by) {
  const size_t items = ITEMS;
  set_arguments(memory, by);
  return cb.clCommandNDRangeKernelKHR(buffer, NULL, NULL, add, 1, NULL, &items, NULL, NO_SYNC);
}

static cl_command_buffer_khr finalized_add(cl_mem memory, cl_int by) {
  cl_command_buffer_khr buffer = test_command_buffer(NULL);
  ASSERT_CL(record_add(buffer, memory, by));
  ASSERT_CL(cb.clFinalizeCommandBufferKHR(buffer));
  return buffer;
}

/* ------------------------------------------------------------ what it does */

static void device_says_what_it_can(void **state) {
  (void)state;
  cl_device_command_buffer_capabilities_khr capabilities = 0;
  cl_command_queue_properties supported = 0, required = 1;
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR, sizeof(capabilities), &capabilities,
                            NULL));
  assert_true(capabilities & CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR);
  assert_true(capabilities & CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR);
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR, sizeof(supported),
                            &supported, NULL));
  assert_int_equal(supported, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE);
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR, sizeof(required),
                            &required, NULL));
  assert_int_equal(required, 0);
}

static void runs_every_kind_of_command_in_order(void **state) {
  (void)state;
  cl_command_buffer_khr buffer = test_command_buffer(NULL);
  const cl_int seven = 7;
  const size_t origin[3] = {0, 0, 0}, region[3] = {16, 4, 1};
  cl_int *svm = clSVMAlloc(dut.context, CL_MEM_READ_WRITE, BYTES, 0), read[ITEMS];
  cl_sync_point_khr points[2];
  const cl_int nine = 9;
  memset(svm, 0, BYTES);
  ASSERT_CL(
      cb.clCommandFillBufferKHR(buffer, NULL, NULL, a, &seven, sizeof(seven), 0, BYTES, 0, NULL, &points[0], NULL));
  ASSERT_CL(cb.clCommandCopyBufferKHR(buffer, NULL, NULL, a, b, 0, 0, BYTES / 2, 1, points, &points[1], NULL));
  ASSERT_CL(cb.clCommandBarrierWithWaitListKHR(buffer, NULL, NULL, 2, points, NULL, NULL));
  ASSERT_CL(record_add(buffer, b, 1));
  ASSERT_CL(cb.clCommandCopyBufferRectKHR(buffer, NULL, NULL, b, a, origin, origin, region, 0, 0, 0, 0, NO_SYNC));
  ASSERT_CL(cb.clCommandSVMMemFillKHR(buffer, NULL, NULL, svm, &nine, sizeof(nine), BYTES / 2, NO_SYNC));
  ASSERT_CL(cb.clCommandSVMMemcpyKHR(buffer, NULL, NULL, svm + ITEMS / 2, svm, BYTES / 2, NO_SYNC));
  ASSERT_CL(cb.clFinalizeCommandBufferKHR(buffer));
  assert_int_equal(first_of(a), 0); /* Recording does nothing. */
  test_command_buffer_enqueue(buffer);
  test_read(a, BYTES, read);
  for (int i = 0; i < ITEMS; i++) assert_int_equal(read[i], i < 16 ? 8 : 7);
  test_read(b, BYTES, read);
  for (int i = 0; i < ITEMS; i++) assert_int_equal(read[i], i < ITEMS / 2 ? 8 : 1);
  for (int i = 0; i < ITEMS; i++) assert_int_equal(svm[i], 9);
  ASSERT_CL(cb.clReleaseCommandBufferKHR(buffer));
  clSVMFree(dut.context, svm);
}

static void sync_points_are_distinct(void **state) {
  (void)state;
  cl_command_buffer_khr buffer = test_command_buffer(NULL);
  cl_sync_point_khr points[3] = {0, 0, 0};
  for (int i = 0; i < 3; i++) {
    ASSERT_CL(cb.clCommandBarrierWithWaitListKHR(buffer, NULL, NULL, 0, NULL, &points[i], NULL));
    assert_int_not_equal(points[i], 0);
    for (int j = 0; j < i; j++) assert_int_not_equal(points[i], points[j]);
  }
  ASSERT_CL(cb.clReleaseCommandBufferKHR(buffer));
}

static void an_empty_one_runs(void **state) {
  (void)state;
  cl_command_buffer_khr buffer = test_command_buffer(NULL);
  cl_event event;
  ASSERT_CL(cb.clFinalizeCommandBufferKHR(buffer));
  ASSERT_CL(cb.clEnqueueCommandBufferKHR(0, NULL, buffer, 0, NULL, &event));
  ASSERT_CL(clWaitForEvents(1, &event));
  ASSERT_INFO(clGetEventInfo, event, CL_EVENT_COMMAND_TYPE, cl_command_type, CL_COMMAND_COMMAND_BUFFER_KHR);
  ASSERT_INFO(clGetEventInfo, event, CL_EVENT_COMMAND_QUEUE, cl_command_queue, dut.queue);
  ASSERT_CL(clReleaseEvent(event));
  ASSERT_CL(cb.clReleaseCommandBufferKHR(buffer));
}

static void keeps_its_place_between_other_commands(void **state) {
  (void)state;
  const cl_int ten = 10;
  cl_command_buffer_khr buffer = finalized_add(a, 1);
  ASSERT_CL(clEnqueueFillBuffer(dut.queue, a, &ten, sizeof(ten), 0, BYTES, 0, NULL, NULL));
  test_command_buffer_enqueue(buffer);
  ASSERT_CL(clEnqueueCopyBuffer(dut.queue, a, b, 0, 0, BYTES, 0, NULL, NULL));
  test_command_buffer_enqueue(buffer);
  assert_int_equal(first_of(b), 11);
  assert_int_equal(first_of(a), 12);
  ASSERT_CL(cb.clReleaseCommandBufferKHR(buffer));
}

static void runs_as_often_as_it_is_enqueued(void **state) {
  (void)state;
  cl_command_buffer_khr buffer = finalized_add(a, 1);
  for (int i = 0; i < 500; i++) test_command_buffer_enqueue(buffer);
  assert_int_equal(first_of(a), 500);
  ASSERT_CL(cb.clReleaseCommandBufferKHR(buffer));
}

static void runs_more_than_once_at_a_time(void **state) {
  (void)state;
  enum { TIMES = 20 };
  const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  cl_int error, read[ITEMS];
  cl_command_queue queue = clCreateCommandQueueWithProperties(dut.context, dut.device, properties, &error);
  ASSERT_CL(error);
  cl_kernel count =
      test_kernel("kernel void count(global int *p) { atomic_inc(p + get_global_id(0)); }", NULL, "count");
  cl_command_buffer_khr buffer = test_command_buffer(NULL);
  const size_t items = ITEMS;
  ASSERT_CL(clSetKernelArg(count, 0, sizeof(a), &a));
  ASSERT_CL(cb.clCommandNDRangeKernelKHR(buffer, NULL, NULL, count, 1, NULL, &items, NULL, NO_SYNC));
  ASSERT_CL(cb.clFinalizeCommandBufferKHR(buffer));
  cl_event gate = clCreateUserEvent(dut.context, &error);
  for (int i = 0; i < TIMES; i++) ASSERT_CL(cb.clEnqueueCommandBufferKHR(1, &queue, buffer, 1, &gate, NULL));
  ASSERT_CL(clFlush(queue));
  ASSERT_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  ASSERT_CL(clFinish(queue));
  test_read(a, BYTES, read);
  for (int i = 0; i < ITEMS; i++) assert_int_equal(read[i], TIMES);
  ASSERT_CL(clReleaseEvent(gate));
  ASSERT_CL(cb.clReleaseCommandBufferKHR(buffer));
  ASSERT_CL(clReleaseKernel(count));
  ASSERT_CL(clReleaseCommandQueue(queue));
}

static void waits_for_events_and_gives_one(void **state) {
  (void)state;
  cl_int error;
  cl_event gate = clCreateUserEvent(dut.context, &error), done;
  cl_command_buffer_khr buffer = finalized_add(a, 1);
  ASSERT_CL(cb.clEnqueueCommandBufferKHR(0, NULL, buffer, 1, &gate, &done));
  ASSERT_CL(clFlush(dut.queue));
  ASSERT_INFO(clGetEventInfo, done, CL_EVENT_COMMAND_EXECUTION_STATUS, cl_int, CL_SUBMITTED);
  ASSERT_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  ASSERT_CL(clWaitForEvents(1, &done));
  assert_int_equal(first_of(a), 1);
  ASSERT_CL(clReleaseEvent(gate));
  ASSERT_CL(clReleaseEvent(done));
  ASSERT_CL(cb.clReleaseCommandBufferKHR(buffer));
}

static void is_terminated_with_what_it_waits_for(void **state) {
  (void)state;
  cl_int error;
  cl_event gate = clCreateUserEvent(dut.context, &error), done;
  cl_command_buffer_khr buffer = finalized_add(a, 1);
  ASSERT_CL(cb.clEnqueueCommandBufferKHR(0, NULL, buffer, 1, &gate, &done));
  ASSERT_CL(clSetUserEventStatus(gate, -7));
  ASSERT_CL(clFinish(dut.queue));
  ASSERT_INFO(clGetEventInfo, done, CL_EVENT_COMMAND_EXECUTION_STATUS, cl_int, -7);
  assert_int_equal(first_of(a), 0);
  test_command_buffer_enqueue(buffer); /* It can be used again. */
  assert_int_equal(first_of(a), 1);
  ASSERT_CL(clReleaseEvent(gate));
  ASSERT_CL(clReleaseEvent(done));
  ASSERT_CL(cb.clReleaseCommandBufferKHR(buffer));
}

static void has_profiling_times_in_order(void **state) {
  (void)state;
  static const cl_profiling_info names[] = {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT,
                                            CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_END,
                                            CL_PROFILING_COMMAND_COMPLETE};
  cl_event event;
  cl_ulong times[5];
  cl_command_buffer_khr buffer = finalized_add(a, 1);
  for (int run = 0; run < 3; run++) {
    ASSERT_CL(cb.clEnqueueCommandBufferKHR(0, NULL, buffer, 0, NULL, &event));
    ASSERT_CL(clWaitForEvents(1, &event));
    for (int i = 0; i < 5; i++) ASSERT_CL(clGetEventProfilingInfo(event, names[i], sizeof(cl_ulong), &times[i], NULL));
    for (int i = 1; i < 5; i++) assert_true(times[i - 1] <= times[i]);
    assert_true(times[0] != 0);
    ASSERT_CL(clReleaseEvent(event));
  }
  ASSERT_CL(cb.clReleaseCommandBufferKHR(buffer));
}

static void CL_CALLBACK count_status(cl_event event, cl_int status, void *data) {
  (void)event, (void)status;
  ++*(int *)data;
}

static void calls_back_at_each_status(void **state) {
  (void)state;
  int calls = 0;
  cl_int error;
  cl_event gate = clCreateUserEvent(dut.context, &error), event;
  cl_command_buffer_khr buffer = finalized_add(a, 1);
  ASSERT_CL(cb.clEnqueueCommandBufferKHR(0, NULL, buffer, 1, &gate, &event));
  ASSERT_CL(clSetEventCallback(event, CL_SUBMITTED, count_status, &calls));
  ASSERT_CL(clSetEventCallback(event, CL_RUNNING, count_status, &calls));
  ASSERT_CL(clSetEventCallback(event, CL_COMPLETE, count_status, &calls));
  ASSERT_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  ASSERT_CL(clFinish(dut.queue));
  assert_int_equal(calls, 3);
  ASSERT_CL(clReleaseEvent(gate));
  ASSERT_CL(clReleaseEvent(event));
  ASSERT_CL(cb.clReleaseCommandBufferKHR(buffer));
}

static void takes_the_kernel_as_it_is_when_recorded(void **state) {
  (void)state;
  cl_command_buffer_khr buffer = test_command_buffer(NULL);
  ASSERT_CL(record_add(buffer, a, 1));
  ASSERT_CL(record_add(buffer, b, 2));
  ASSERT_CL(cb.clFinalizeCommandBufferKHR(buffer));
  set_arguments(b, 100);
  test_command_buffer_enqueue(buffer);
  assert_int_equal(first_of(a), 1);
  assert_int_equal(first_of(b), 2);
  ASSERT_CL(cb.clReleaseCommandBufferKHR(buffer));
}

static void lives_as_long_as_it_runs(void **state) {
  (void)state;
  cl_int error;
  cl_event gate = clCreateUserEvent(dut.context, &error);
  cl_kernel kernel = test_kernel("kernel void set(global int *p) { *p = 5; }", NULL, "set");
  cl_command_buffer_khr buffer = test_command_buffer(NULL);
  const size_t one = 1;
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(a), &a));
  ASSERT_CL(cb.clCommandNDRangeKernelKHR(buffer, NULL, NULL, kernel, 1, NULL, &one, NULL, NO_SYNC));
  ASSERT_CL(clReleaseKernel(kernel));
  ASSERT_CL(cb.clFinalizeCommandBufferKHR(buffer));
  ASSERT_CL(cb.clEnqueueCommandBufferKHR(0, NULL, buffer, 1, &gate, NULL));
  ASSERT_CL(cb.clReleaseCommandBufferKHR(buffer));
  ASSERT_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  assert_int_equal(first_of(a), 5);
  ASSERT_CL(clReleaseEvent(gate));
}

static void runs_on_another_queue_of_the_device(void **state) {
  (void)state;
  cl_int error;
  cl_event event;
  cl_command_queue queue = clCreateCommandQueueWithProperties(dut.context, dut.device, NULL, &error);
  ASSERT_CL(error);
  cl_command_buffer_khr buffer = finalized_add(a, 1);
  ASSERT_CL(cb.clEnqueueCommandBufferKHR(1, &queue, buffer, 0, NULL, &event));
  ASSERT_INFO(clGetEventInfo, event, CL_EVENT_COMMAND_QUEUE, cl_command_queue, queue);
  ASSERT_CL(clFinish(queue));
  assert_int_equal(first_of(a), 1);
  ASSERT_CL(clReleaseEvent(event));
  ASSERT_CL(clReleaseCommandQueue(queue));
  ASSERT_CL(cb.clReleaseCommandBufferKHR(buffer));
}

static void orders_other_queues_by_events(void **state) {
  (void)state;
  cl_int error;
  cl_event event;
  const cl_int ten = 10;
  cl_command_queue queue = clCreateCommandQueueWithProperties(dut.context, dut.device, NULL, &error);
  ASSERT_CL(error);
  cl_command_buffer_khr buffer = finalized_add(a, 1);
  ASSERT_CL(cb.clEnqueueCommandBufferKHR(0, NULL, buffer, 0, NULL, &event));
  ASSERT_CL(clEnqueueCopyBuffer(queue, a, b, 0, 0, BYTES, 1, &event, NULL));
  ASSERT_CL(clReleaseEvent(event));
  ASSERT_CL(clEnqueueFillBuffer(queue, a, &ten, sizeof(ten), 0, BYTES, 0, NULL, &event));
  ASSERT_CL(cb.clEnqueueCommandBufferKHR(0, NULL, buffer, 1, &event, NULL));
  ASSERT_CL(clFinish(dut.queue)); /* Flushes the other queue too. */
  assert_int_equal(first_of(b), 1);
  assert_int_equal(first_of(a), 11);
  ASSERT_CL(clReleaseEvent(event));
  ASSERT_CL(clReleaseCommandQueue(queue));
  ASSERT_CL(cb.clReleaseCommandBufferKHR(buffer));
}

/* ------------------------------------------------------------ queries */

static void answers_queries(void **state) {
  (void)state;
  const cl_command_buffer_properties_khr properties[] = {CL_COMMAND_BUFFER_FLAGS_KHR,
                                                         CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR, 0};
  cl_command_buffer_properties_khr read[3];
  size_t size;
  cl_command_buffer_khr buffer = test_command_buffer(properties);
  ASSERT_INFO(cb.clGetCommandBufferInfoKHR, buffer, CL_COMMAND_BUFFER_NUM_QUEUES_KHR, cl_uint, 1);
  ASSERT_INFO(cb.clGetCommandBufferInfoKHR, buffer, CL_COMMAND_BUFFER_QUEUES_KHR, cl_command_queue, dut.queue);
  ASSERT_INFO(cb.clGetCommandBufferInfoKHR, buffer, CL_COMMAND_BUFFER_CONTEXT_KHR, cl_context, dut.context);
  ASSERT_INFO(cb.clGetCommandBufferInfoKHR, buffer, CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR, cl_uint, 1);
  ASSERT_INFO(cb.clGetCommandBufferInfoKHR, buffer, CL_COMMAND_BUFFER_STATE_KHR, cl_command_buffer_state_khr,
              CL_COMMAND_BUFFER_STATE_RECORDING_KHR);
  ASSERT_CL(cb.clGetCommandBufferInfoKHR(buffer, CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR, sizeof(read), read, &size));
  assert_int_equal(size, sizeof(properties));
  assert_memory_equal(read, properties, sizeof(properties));
  ASSERT_INFO_RULES(cb.clGetCommandBufferInfoKHR, buffer, CL_COMMAND_BUFFER_STATE_KHR);
  ASSERT_CL_ERROR(cb.clGetCommandBufferInfoKHR(NULL, CL_COMMAND_BUFFER_STATE_KHR, 0, NULL, &size),
                  CL_INVALID_COMMAND_BUFFER_KHR);
  ASSERT_CL(cb.clFinalizeCommandBufferKHR(buffer));
  ASSERT_INFO(cb.clGetCommandBufferInfoKHR, buffer, CL_COMMAND_BUFFER_STATE_KHR, cl_command_buffer_state_khr,
              CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR);
  ASSERT_CL(cb.clReleaseCommandBufferKHR(buffer));
}

static void counts_references(void **state) {
  (void)state;
  cl_command_buffer_khr buffer = test_command_buffer(NULL);
  size_t size = 1;
  ASSERT_CL(cb.clRetainCommandBufferKHR(buffer));
  ASSERT_INFO(cb.clGetCommandBufferInfoKHR, buffer, CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR, cl_uint, 2);
  ASSERT_CL(cb.clGetCommandBufferInfoKHR(buffer, CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR, 0, NULL, &size));
  assert_int_equal(size, 0);
  ASSERT_CL(cb.clReleaseCommandBufferKHR(buffer));
  ASSERT_CL(cb.clReleaseCommandBufferKHR(buffer));
  ASSERT_CL_ERROR(cb.clRetainCommandBufferKHR(NULL), CL_INVALID_COMMAND_BUFFER_KHR);
  ASSERT_CL_ERROR(cb.clReleaseCommandBufferKHR(NULL), CL_INVALID_COMMAND_BUFFER_KHR);
  ASSERT_CL_ERROR(cb.clRetainCommandBufferKHR((cl_command_buffer_khr)(void *)dut.queue), CL_INVALID_COMMAND_BUFFER_KHR);
}

/* ------------------------------------------------------------ what is refused */

static void creation_refuses_bad_arguments(void **state) {
  (void)state;
  cl_int error;
  cl_command_queue none = NULL, two[2] = {dut.queue, dut.queue};
  const cl_command_buffer_properties_khr unknown[] = {0x7FFF, 0, 0};
  const cl_command_buffer_properties_khr twice[] = {CL_COMMAND_BUFFER_FLAGS_KHR, 0, CL_COMMAND_BUFFER_FLAGS_KHR, 0, 0};
  const cl_command_buffer_properties_khr bits[] = {CL_COMMAND_BUFFER_FLAGS_KHR, 1 << 20, 0};
  const cl_command_buffer_properties_khr asserts[] = {CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR, 1 << 20, 0};
  ASSERT_CL_REFUSED(cb.clCreateCommandBufferKHR(0, &dut.queue, NULL, &error), error, CL_INVALID_VALUE);
  ASSERT_CL_REFUSED(cb.clCreateCommandBufferKHR(2, two, NULL, &error), error, CL_INVALID_VALUE);
  ASSERT_CL_REFUSED(cb.clCreateCommandBufferKHR(1, NULL, NULL, &error), error, CL_INVALID_VALUE);
  ASSERT_CL_REFUSED(cb.clCreateCommandBufferKHR(1, &none, NULL, &error), error, CL_INVALID_COMMAND_QUEUE);
  ASSERT_CL_REFUSED(cb.clCreateCommandBufferKHR(1, &dut.queue, unknown, &error), error, CL_INVALID_VALUE);
  ASSERT_CL_REFUSED(cb.clCreateCommandBufferKHR(1, &dut.queue, twice, &error), error, CL_INVALID_VALUE);
  ASSERT_CL_REFUSED(cb.clCreateCommandBufferKHR(1, &dut.queue, bits, &error), error, CL_INVALID_VALUE);
  ASSERT_CL_REFUSED(cb.clCreateCommandBufferKHR(1, &dut.queue, asserts, &error), error, CL_INVALID_VALUE);
  assert_null(cb.clCreateCommandBufferKHR(0, NULL, NULL, NULL));
}

/* One recording function; `properties`, `count`, `points` and `handle` are what the rules are about. */
typedef cl_int (*record_t)(QUERN_COMMAND_HEAD, cl_uint count, const cl_sync_point_khr *points,
                           cl_mutable_command_khr *handle);
#define RECORD(name, ...)                                                                \
  static cl_int name(QUERN_COMMAND_HEAD, cl_uint count, const cl_sync_point_khr *points, \
                     cl_mutable_command_khr *handle) {                                   \
    return __VA_ARGS__;                                                                  \
  }
#define HEAD command_buffer, command_queue, properties
#define TAIL count, points, NULL, handle
static const cl_int pattern = 1;
static const size_t origin[3] = {0, 0, 0}, region[3] = {4, 1, 1}, items[1] = {ITEMS};
static cl_int host[8];
RECORD(barrier, cb.clCommandBarrierWithWaitListKHR(HEAD, TAIL))
RECORD(copy, cb.clCommandCopyBufferKHR(HEAD, a, b, 0, 0, 8, TAIL))
RECORD(copy_rect, cb.clCommandCopyBufferRectKHR(HEAD, a, b, origin, origin, region, 0, 0, 0, 0, TAIL))
RECORD(fill, cb.clCommandFillBufferKHR(HEAD, a, &pattern, sizeof(pattern), 0, 8, TAIL))
RECORD(svm_copy, cb.clCommandSVMMemcpyKHR(HEAD, host, host + 4, 8, TAIL))
RECORD(svm_fill, cb.clCommandSVMMemFillKHR(HEAD, host, &pattern, sizeof(pattern), 8, TAIL))
RECORD(copy_to_image, cb.clCommandCopyBufferToImageKHR(HEAD, a, b, 0, origin, region, TAIL))
RECORD(copy_image, cb.clCommandCopyImageKHR(HEAD, a, b, origin, origin, region, TAIL))
RECORD(copy_from_image, cb.clCommandCopyImageToBufferKHR(HEAD, a, b, origin, region, 0, TAIL))
RECORD(fill_image, cb.clCommandFillImageKHR(HEAD, a, &pattern, origin, region, TAIL))
RECORD(ndrange, cb.clCommandNDRangeKernelKHR(HEAD, add, 1, NULL, items, NULL, TAIL))
static const record_t records[] = {barrier,       copy,       copy_rect,       fill,       svm_copy, svm_fill,
                                   copy_to_image, copy_image, copy_from_image, fill_image, ndrange};

static void recording_functions_share_their_rules(void **state) {
  (void)state;
  const cl_sync_point_khr none[] = {0}, future[] = {99};
  const quern_command_properties unknown[] = {0x7FFF, 0, 0};
  cl_command_buffer_khr buffer = test_command_buffer(NULL), finalized = test_command_buffer(NULL);
  ASSERT_CL(cb.clFinalizeCommandBufferKHR(finalized));
  set_arguments(a, 1);
  for (size_t i = 0; i < sizeof(records) / sizeof(*records); i++) {
    const record_t record = records[i];
    cl_mutable_command_khr handle;
    ASSERT_CL_ERROR(record(NULL, NULL, NULL, 0, NULL, NULL), CL_INVALID_COMMAND_BUFFER_KHR);
    ASSERT_CL_ERROR(record(buffer, dut.queue, NULL, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
    ASSERT_CL_ERROR(record(finalized, NULL, NULL, 0, NULL, NULL), CL_INVALID_OPERATION);
    ASSERT_CL_ERROR(record(buffer, NULL, unknown, 0, NULL, NULL), CL_INVALID_VALUE);
    ASSERT_CL_ERROR(record(buffer, NULL, NULL, 1, NULL, NULL), CL_INVALID_SYNC_POINT_WAIT_LIST_KHR);
    ASSERT_CL_ERROR(record(buffer, NULL, NULL, 0, none, NULL), CL_INVALID_SYNC_POINT_WAIT_LIST_KHR);
    ASSERT_CL_ERROR(record(buffer, NULL, NULL, 1, none, NULL), CL_INVALID_SYNC_POINT_WAIT_LIST_KHR);
    ASSERT_CL_ERROR(record(buffer, NULL, NULL, 1, future, NULL), CL_INVALID_SYNC_POINT_WAIT_LIST_KHR);
    if (record != ndrange) ASSERT_CL_ERROR(record(buffer, NULL, NULL, 0, NULL, &handle), CL_INVALID_VALUE);
  }
  ASSERT_CL(cb.clReleaseCommandBufferKHR(buffer));
  ASSERT_CL(cb.clReleaseCommandBufferKHR(finalized));
}

static void recording_checks_what_enqueuing_checks(void **state) {
  (void)state;
  cl_command_buffer_khr buffer = test_command_buffer(NULL);
  cl_context context = test_other_context();
  cl_int error;
  cl_mem foreign = clCreateBuffer(context, 0, BYTES, NULL, &error);
  ASSERT_CL(error);
  ASSERT_CL_ERROR(cb.clCommandCopyBufferKHR(buffer, NULL, NULL, NULL, b, 0, 0, 8, NO_SYNC), CL_INVALID_MEM_OBJECT);
  ASSERT_CL_ERROR(cb.clCommandCopyBufferKHR(buffer, NULL, NULL, a, foreign, 0, 0, 8, NO_SYNC), CL_INVALID_CONTEXT);
  ASSERT_CL_ERROR(
      cb.clCommandCopyBufferRectKHR(buffer, NULL, NULL, foreign, b, origin, origin, region, 0, 0, 0, 0, NO_SYNC),
      CL_INVALID_CONTEXT);
  ASSERT_CL_ERROR(cb.clCommandFillBufferKHR(buffer, NULL, NULL, foreign, &pattern, 4, 0, 8, NO_SYNC),
                  CL_INVALID_CONTEXT);
  ASSERT_CL_ERROR(cb.clCommandCopyBufferKHR(buffer, NULL, NULL, a, b, BYTES, 0, 8, NO_SYNC), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(cb.clCommandCopyBufferKHR(buffer, NULL, NULL, a, a, 0, 4, 8, NO_SYNC), CL_MEM_COPY_OVERLAP);
  ASSERT_CL_ERROR(cb.clCommandCopyBufferRectKHR(buffer, NULL, NULL, a, b, NULL, origin, region, 0, 0, 0, 0, NO_SYNC),
                  CL_INVALID_VALUE);
  ASSERT_CL_ERROR(cb.clCommandCopyBufferRectKHR(buffer, NULL, NULL, a, a, origin, origin, region, 0, 0, 0, 0, NO_SYNC),
                  CL_MEM_COPY_OVERLAP);
  ASSERT_CL_ERROR(cb.clCommandFillBufferKHR(buffer, NULL, NULL, a, NULL, 4, 0, 8, NO_SYNC), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(cb.clCommandFillBufferKHR(buffer, NULL, NULL, a, &pattern, 4, 2, 8, NO_SYNC), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(cb.clCommandSVMMemcpyKHR(buffer, NULL, NULL, NULL, host, 8, NO_SYNC), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(cb.clCommandSVMMemcpyKHR(buffer, NULL, NULL, host, host + 1, 8, NO_SYNC), CL_MEM_COPY_OVERLAP);
  ASSERT_CL_ERROR(cb.clCommandSVMMemFillKHR(buffer, NULL, NULL, host, NULL, 4, 8, NO_SYNC), CL_INVALID_VALUE);
  ASSERT_CL(clReleaseMemObject(foreign));
  ASSERT_CL(clReleaseContext(context));
  ASSERT_CL(cb.clReleaseCommandBufferKHR(buffer));
}

static void recording_launches_checks_kernels_and_sizes(void **state) {
  (void)state;
  cl_command_buffer_khr buffer = test_command_buffer(NULL);
  const size_t three = 3, huge = (size_t)1 << 40;
  cl_kernel unset = test_kernel("kernel void k(global int *p) { *p = 1; }", NULL, "k");
  set_arguments(a, 1);
  ASSERT_CL_ERROR(cb.clCommandNDRangeKernelKHR(buffer, NULL, NULL, NULL, 1, NULL, items, NULL, NO_SYNC),
                  CL_INVALID_KERNEL);
  ASSERT_CL_ERROR(cb.clCommandNDRangeKernelKHR(buffer, NULL, NULL, unset, 1, NULL, items, NULL, NO_SYNC),
                  CL_INVALID_KERNEL_ARGS);
  ASSERT_CL_ERROR(cb.clCommandNDRangeKernelKHR(buffer, NULL, NULL, add, 0, NULL, items, NULL, NO_SYNC),
                  CL_INVALID_WORK_DIMENSION);
  ASSERT_CL_ERROR(cb.clCommandNDRangeKernelKHR(buffer, NULL, NULL, add, 4, NULL, items, NULL, NO_SYNC),
                  CL_INVALID_WORK_DIMENSION);
  ASSERT_CL_ERROR(cb.clCommandNDRangeKernelKHR(buffer, NULL, NULL, add, 1, NULL, items, &huge, NO_SYNC),
                  CL_INVALID_WORK_ITEM_SIZE);
  ASSERT_CL_ERROR(cb.clCommandNDRangeKernelKHR(buffer, NULL, NULL, add, 1, NULL, items, &three, NO_SYNC),
                  CL_INVALID_WORK_GROUP_SIZE);
  ASSERT_CL(clReleaseKernel(unset));
  ASSERT_CL(cb.clReleaseCommandBufferKHR(buffer));
}

static void enqueuing_refuses_bad_arguments(void **state) {
  (void)state;
  cl_int error;
  cl_context context = test_other_context();
  cl_command_queue none = NULL, foreign = test_other_queue(context), two[2] = {dut.queue, dut.queue};
  cl_event foreign_event = clCreateUserEvent(context, &error), no_event = NULL;
  cl_command_buffer_khr recording = test_command_buffer(NULL), buffer = test_command_buffer(NULL);
  ASSERT_CL(cb.clFinalizeCommandBufferKHR(buffer));
  ASSERT_CL_ERROR(cb.clFinalizeCommandBufferKHR(buffer), CL_INVALID_OPERATION);
  ASSERT_CL_ERROR(cb.clFinalizeCommandBufferKHR(NULL), CL_INVALID_COMMAND_BUFFER_KHR);
  ASSERT_CL_ERROR(cb.clEnqueueCommandBufferKHR(0, NULL, NULL, 0, NULL, NULL), CL_INVALID_COMMAND_BUFFER_KHR);
  ASSERT_CL_ERROR(cb.clEnqueueCommandBufferKHR(0, NULL, recording, 0, NULL, NULL), CL_INVALID_OPERATION);
  ASSERT_CL_ERROR(cb.clEnqueueCommandBufferKHR(1, NULL, buffer, 0, NULL, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(cb.clEnqueueCommandBufferKHR(0, two, buffer, 0, NULL, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(cb.clEnqueueCommandBufferKHR(2, two, buffer, 0, NULL, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(cb.clEnqueueCommandBufferKHR(1, &none, buffer, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
  ASSERT_CL_ERROR(cb.clEnqueueCommandBufferKHR(1, &foreign, buffer, 0, NULL, NULL), CL_INVALID_CONTEXT);
  ASSERT_CL_ERROR(cb.clEnqueueCommandBufferKHR(0, NULL, buffer, 1, &foreign_event, NULL), CL_INVALID_CONTEXT);
  ASSERT_CL_ERROR(cb.clEnqueueCommandBufferKHR(0, NULL, buffer, 1, &no_event, NULL), CL_INVALID_EVENT_WAIT_LIST);
  ASSERT_CL_ERROR(cb.clEnqueueCommandBufferKHR(0, NULL, buffer, 1, NULL, NULL), CL_INVALID_EVENT_WAIT_LIST);
  ASSERT_CL_ERROR(cb.clEnqueueCommandBufferKHR(0, NULL, buffer, 0, &no_event, NULL), CL_INVALID_EVENT_WAIT_LIST);
  ASSERT_CL(clReleaseEvent(foreign_event));
  ASSERT_CL(clReleaseCommandQueue(foreign));
  ASSERT_CL(clReleaseContext(context));
  ASSERT_CL(cb.clReleaseCommandBufferKHR(recording));
  ASSERT_CL(cb.clReleaseCommandBufferKHR(buffer));
}

static void enqueuing_refuses_queues_of_other_devices(void **state) {
  (void)state;
  cl_int error;
  cl_uint count = 0;
  cl_device_id parts[64];
  const cl_device_partition_property properties[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  if (clCreateSubDevices(dut.device, properties, 64, parts, &count) != CL_SUCCESS || count < 2) skip();
  cl_context context = clCreateContext(NULL, 2, parts, NULL, NULL, &error);
  ASSERT_CL(error);
  cl_command_queue first = clCreateCommandQueueWithProperties(context, parts[0], NULL, &error);
  ASSERT_CL(error);
  cl_command_queue second = clCreateCommandQueueWithProperties(context, parts[1], NULL, &error);
  ASSERT_CL(error);
  cl_command_buffer_khr buffer = cb.clCreateCommandBufferKHR(1, &first, NULL, &error);
  ASSERT_CL(error);
  ASSERT_CL(cb.clFinalizeCommandBufferKHR(buffer));
  ASSERT_CL_ERROR(cb.clEnqueueCommandBufferKHR(1, &second, buffer, 0, NULL, NULL), CL_INVALID_DEVICE);
  ASSERT_CL(cb.clEnqueueCommandBufferKHR(1, &first, buffer, 0, NULL, NULL));
  ASSERT_CL(clFinish(first));
  ASSERT_CL(cb.clReleaseCommandBufferKHR(buffer));
  ASSERT_CL(clReleaseCommandQueue(first));
  ASSERT_CL(clReleaseCommandQueue(second));
  ASSERT_CL(clReleaseContext(context));
  for (cl_uint i = 0; i < count; i++) ASSERT_CL(clReleaseDevice(parts[i]));
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, make_buffers, release_buffers)
  const struct CMUnitTest tests[] = {
      CASE(device_says_what_it_can),
      CASE(runs_every_kind_of_command_in_order),
      CASE(sync_points_are_distinct),
      CASE(an_empty_one_runs),
      CASE(keeps_its_place_between_other_commands),
      CASE(runs_as_often_as_it_is_enqueued),
      CASE(runs_more_than_once_at_a_time),
      CASE(waits_for_events_and_gives_one),
      CASE(is_terminated_with_what_it_waits_for),
      CASE(has_profiling_times_in_order),
      CASE(calls_back_at_each_status),
      CASE(takes_the_kernel_as_it_is_when_recorded),
      CASE(lives_as_long_as_it_runs),
      CASE(runs_on_another_queue_of_the_device),
      CASE(orders_other_queues_by_events),
      CASE(answers_queries),
      CASE(counts_references),
      CASE(creation_refuses_bad_arguments),
      CASE(recording_functions_share_their_rules),
      CASE(recording_checks_what_enqueuing_checks),
      CASE(recording_launches_checks_kernels_and_sizes),
      CASE(enqueuing_refuses_bad_arguments),
      CASE(enqueuing_refuses_queues_of_other_devices),
  };
  return cmocka_run_group_tests(tests, open_device, close_device);
}
