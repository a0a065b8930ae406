/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Blocking calls in callbacks, which the specification leaves undefined: they return, whatever waits for the very
 * command that calls back. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <CL/cl_ext.h>

#include "test_device.h"

enum { VALUES = 1024, BYTES = VALUES * sizeof(cl_uint), TRIES = 20000, DEADLOCK_SECONDS = 60 };

/* What a callback does, with what it needs. */
typedef struct work_t {
  cl_int (*call)(struct work_t *work);
  cl_command_queue queue;
  cl_mem buffer;
  /** A command behind the one that calls back. */
  cl_event later;
  /** Out of order, where nothing else says that a read comes after it: 1. */
  cl_uint wait_count;
  void *memory;
  cl_uint values[VALUES];
  _Atomic cl_int result;
  atomic_bool is_done;
} work_t;

static cl_int finish(work_t *work) { return clFinish(work->queue); }
static cl_int wait_for_later(work_t *work) { return clWaitForEvents(1, &work->later); }

static cl_int read_values(work_t *work) {
  return clEnqueueReadBuffer(work->queue, work->buffer, CL_TRUE, 0, BYTES, work->values, work->wait_count,
                             work->wait_count ? &work->later : NULL, NULL);
}

static cl_int map_values(work_t *work) {
  cl_int error;
  void *mapped = clEnqueueMapBuffer(work->queue, work->buffer, CL_TRUE, CL_MAP_READ, 0, BYTES, work->wait_count,
                                    work->wait_count ? &work->later : NULL, NULL, &error);
  if (error) return error;
  memcpy(work->values, mapped, BYTES);
  return clEnqueueUnmapMemObject(work->queue, work->buffer, mapped, 0, NULL, NULL);
}

static cl_int free_memory(work_t *work) {
  clMemBlockingFreeINTEL_fn function;
  *(void **)&function = clGetExtensionFunctionAddressForPlatform(dut.platform, "clMemBlockingFreeINTEL");
  return function ? function(dut.context, work->memory) : CL_SUCCESS;
}

/** Of another queue, behind an event of this one. */
static cl_int read_on_another_queue(work_t *work) {
  cl_command_queue other = test_other_queue(dut.context);
  cl_int error = clEnqueueReadBuffer(other, work->buffer, CL_TRUE, 0, BYTES, work->values, 1, &work->later, NULL);
  if (!error) error = clReleaseCommandQueue(other);
  return error;
}

static void CL_CALLBACK do_work(cl_event event, cl_int status, void *user) {
  (void)event, (void)status;
  work_t *work = user;
  atomic_store(&work->result, work->call(work));
  atomic_store(&work->is_done, true);
}

static bool is_done_in_time(const work_t *work) {
  const struct timespec pause = {.tv_nsec = 1000000};
  for (int i = 0; i < TRIES && !atomic_load(&work->is_done); i++) nanosleep(&pause, NULL);
  return atomic_load(&work->is_done);
}

static void *allocate_shared(void) {
  clSharedMemAllocINTEL_fn function;
  *(void **)&function = clGetExtensionFunctionAddressForPlatform(dut.platform, "clSharedMemAllocINTEL");
  return function ? function(dut.context, dut.device, NULL, BYTES, 0, NULL) : NULL;
}

static cl_command_queue queue_create(cl_command_queue_properties properties) {
  const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
  cl_int error;
  cl_command_queue queue = clCreateCommandQueueWithProperties(dut.context, dut.device, list, &error);
  ASSERT_CL(error);
  return queue;
}

static void fill(const work_t *work, cl_uint value, cl_uint wait_count, const cl_event *wait, cl_event *event) {
  ASSERT_CL(clEnqueueFillBuffer(work->queue, work->buffer, &value, sizeof(value), 0, BYTES, wait_count, wait, event));
}

/** A command with the callback, and behind it another one, which is dispatched already when the first is complete. A
 * callback for CL_SUBMITTED comes at the flush, so that the first must not wait for anything then. */
static void assert_returns(cl_int (*call)(work_t *work), cl_int type, cl_command_queue_properties properties) {
  work_t work = {.call = call, .queue = queue_create(properties), .buffer = test_buffer(BYTES, NULL)};
  work.wait_count = properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE ? 1 : 0;
  cl_int error;
  cl_event gate = clCreateUserEvent(dut.context, &error), first;
  ASSERT_CL(error);
  work.memory = allocate_shared();
  if (type == CL_SUBMITTED) ASSERT_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  fill(&work, 1, 1, &gate, &first);
  if (type != CL_SUBMITTED) ASSERT_CL(clFlush(work.queue));
  fill(&work, 2, 1, &first, &work.later);
  ASSERT_CL(clSetEventCallback(first, type, do_work, &work));
  ASSERT_CL(clFlush(work.queue));
  if (type != CL_SUBMITTED) ASSERT_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  assert_true(is_done_in_time(&work));
  ASSERT_CL(atomic_load(&work.result));
  ASSERT_CL(clFinish(work.queue));
  if (call == read_values || call == map_values || call == read_on_another_queue)
    assert_int_equal(work.values[VALUES - 1], 2);
  if (call != free_memory) (void)free_memory(&work);
  ASSERT_CL(clReleaseEvent(gate));
  ASSERT_CL(clReleaseEvent(first));
  ASSERT_CL(clReleaseEvent(work.later));
  ASSERT_CL(clReleaseMemObject(work.buffer));
  ASSERT_CL(clReleaseCommandQueue(work.queue));
}

static void every_blocking_call_returns(void **state) {
  (void)state;
  static cl_int (*const calls[])(work_t *work) = {finish,     wait_for_later, read_values,
                                                  map_values, free_memory,    read_on_another_queue};
  static const cl_int types[] = {CL_COMPLETE, CL_RUNNING, CL_SUBMITTED};
  static const cl_command_queue_properties properties[] = {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE};
  alarm(DEADLOCK_SECONDS);
  for (size_t c = 0; c < sizeof(calls) / sizeof(calls[0]); c++)
    for (size_t t = 0; t < 3; t++)
      for (size_t p = 0; p < 2; p++) assert_returns(calls[c], types[t], properties[p]);
  alarm(0);
}

/* ---------------------------------------------------------------- callbacks inside each other */

enum { DEPTH = 24 };
typedef struct chain_t {
  cl_command_queue queue;
  cl_event events[DEPTH];
  atomic_int next, returned;
} chain_t;

/** Waits for the next command, whose callback does the same. */
static void CL_CALLBACK wait_for_next(cl_event event, cl_int status, void *user) {
  (void)event, (void)status;
  chain_t *chain = user;
  int next = atomic_fetch_add(&chain->next, 1) + 1;
  if (next < DEPTH) clWaitForEvents(1, &chain->events[next]);
  atomic_fetch_add(&chain->returned, 1);
}

static void callbacks_may_wait_for_commands_with_such_callbacks(void **state) {
  (void)state;
  chain_t chain = {.queue = queue_create(0)};
  alarm(DEADLOCK_SECONDS);
  for (int i = 0; i < DEPTH; i++) {
    ASSERT_CL(clEnqueueMarkerWithWaitList(chain.queue, 0, NULL, &chain.events[i]));
    ASSERT_CL(clSetEventCallback(chain.events[i], CL_COMPLETE, wait_for_next, &chain));
    ASSERT_CL(clFlush(chain.queue));
  }
  ASSERT_CL(clFinish(chain.queue));
  const struct timespec pause = {.tv_nsec = 1000000};
  for (int i = 0; i < TRIES && atomic_load(&chain.returned) < DEPTH; i++) nanosleep(&pause, NULL);
  assert_int_equal(atomic_load(&chain.returned), DEPTH);
  alarm(0);
  for (int i = 0; i < DEPTH; i++) ASSERT_CL(clReleaseEvent(chain.events[i]));
  ASSERT_CL(clReleaseCommandQueue(chain.queue));
}

/** All commands of one batch, each of whose callbacks finishes the queue. */
static void CL_CALLBACK finish_and_count(cl_event event, cl_int status, void *user) {
  (void)event, (void)status;
  chain_t *chain = user;
  clFinish(chain->queue);
  atomic_fetch_add(&chain->returned, 1);
}

static void all_commands_of_a_batch_may_have_such_callbacks(void **state) {
  (void)state;
  chain_t chain = {.queue = queue_create(0)};
  cl_int error;
  cl_event gate = clCreateUserEvent(dut.context, &error);
  ASSERT_CL(error);
  alarm(DEADLOCK_SECONDS);
  for (int i = 0; i < DEPTH; i++)
    ASSERT_CL(clEnqueueMarkerWithWaitList(chain.queue, i == 0, i ? NULL : &gate, &chain.events[i]));
  for (int i = 0; i < DEPTH; i++) ASSERT_CL(clSetEventCallback(chain.events[i], CL_COMPLETE, finish_and_count, &chain));
  ASSERT_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  ASSERT_CL(clFinish(chain.queue));
  const struct timespec pause = {.tv_nsec = 1000000};
  for (int i = 0; i < TRIES && atomic_load(&chain.returned) < DEPTH; i++) nanosleep(&pause, NULL);
  assert_int_equal(atomic_load(&chain.returned), DEPTH);
  alarm(0);
  for (int i = 0; i < DEPTH; i++) ASSERT_CL(clReleaseEvent(chain.events[i]));
  ASSERT_CL(clReleaseEvent(gate));
  ASSERT_CL(clReleaseCommandQueue(chain.queue));
}

/* ---------------------------------------------------------------- with other threads */

typedef struct rendezvous_t {
  cl_event command, gate;
  atomic_bool is_done;
} rendezvous_t;

static void CL_CALLBACK wait_for_gate(cl_event event, cl_int status, void *user) {
  (void)event, (void)status;
  rendezvous_t *both = user;
  clWaitForEvents(1, &both->gate);
  atomic_store(&both->is_done, true);
}

/** The gate is opened by a thread that waits for the command that calls back. */
static void another_thread_may_wait_for_the_command_meanwhile(void **state) {
  (void)state;
  rendezvous_t both = {0};
  cl_int error;
  both.gate = clCreateUserEvent(dut.context, &error);
  ASSERT_CL(error);
  alarm(DEADLOCK_SECONDS);
  ASSERT_CL(clEnqueueMarkerWithWaitList(dut.queue, 0, NULL, &both.command));
  ASSERT_CL(clSetEventCallback(both.command, CL_COMPLETE, wait_for_gate, &both));
  const struct timespec pause = {.tv_nsec = 1000000};
  cl_int status = CL_QUEUED;
  /* A thread that waits may be the one that calls back. */
  for (int i = 0; i < TRIES && status != CL_COMPLETE; i++) {
    ASSERT_CL(clGetEventInfo(both.command, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL));
    nanosleep(&pause, NULL);
  }
  assert_int_equal(status, CL_COMPLETE);
  ASSERT_CL(clSetUserEventStatus(both.gate, CL_COMPLETE));
  for (int i = 0; i < TRIES && !atomic_load(&both.is_done); i++) nanosleep(&pause, NULL);
  assert_true(atomic_load(&both.is_done));
  alarm(0);
  ASSERT_CL(clFinish(dut.queue));
  ASSERT_CL(clReleaseEvent(both.gate));
  ASSERT_CL(clReleaseEvent(both.command));
}

static void CL_CALLBACK finish_at_release(cl_mem memory, void *user) {
  (void)memory;
  work_t *work = user;
  atomic_store(&work->result, clFinish(work->queue));
  atomic_store(&work->is_done, true);
}

/** The last reference to the buffer is the command's. */
static void destructors_of_memory_may_block(void **state) {
  (void)state;
  work_t work = {.queue = queue_create(0), .buffer = test_buffer(BYTES, NULL)};
  ASSERT_CL(clSetMemObjectDestructorCallback(work.buffer, finish_at_release, &work));
  alarm(DEADLOCK_SECONDS);
  fill(&work, 1, 0, NULL, NULL);
  ASSERT_CL(clReleaseMemObject(work.buffer));
  ASSERT_CL(clFlush(work.queue));
  ASSERT_CL(clEnqueueMarkerWithWaitList(work.queue, 0, NULL, NULL));
  ASSERT_CL(clFlush(work.queue));
  assert_true(is_done_in_time(&work));
  ASSERT_CL(atomic_load(&work.result));
  alarm(0);
  ASSERT_CL(clFinish(work.queue));
  ASSERT_CL(clReleaseCommandQueue(work.queue));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_blocking_call_returns),
      cmocka_unit_test(callbacks_may_wait_for_commands_with_such_callbacks),
      cmocka_unit_test(all_commands_of_a_batch_may_have_such_callbacks),
      cmocka_unit_test(another_thread_may_wait_for_the_command_meanwhile),
      cmocka_unit_test(destructors_of_memory_may_block),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
