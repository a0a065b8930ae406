/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Many threads on shared queues: commands that wait for each other across queues, user events that succeed and fail,
 * waits, releases, and callbacks that enqueue. Nothing may be lost, run twice, or hang. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "test_device.h"

enum { THREADS = 6, ROUNDS = 4000, QUEUES = 4, RING = 48, MAX_WAITS = 3, MAX_DEPTH = 2 };

static cl_command_queue queues[QUEUES];

/** Events that any thread may wait for; each place holds a reference. */
static pthread_mutex_t ring_mutex = PTHREAD_MUTEX_INITIALIZER;
static cl_event ring[RING];

/** Commands enqueued, whose function ran, whose event got complete, negative. */
static atomic_long enqueued, executed, completed, terminated;
/** Early callbacks registered and called. */
static atomic_long early_registered, early_called;
static atomic_long errors;

static void expect(bool condition) {
  if (!condition) atomic_fetch_add(&errors, 1);
}

/** Takes a reference to some event, or null. */
static cl_event ring_borrow(unsigned *seed) {
  pthread_mutex_lock(&ring_mutex);
  cl_event event = ring[(unsigned)rand_r(seed) % RING];
  if (event) expect(clRetainEvent(event) == CL_SUCCESS);
  pthread_mutex_unlock(&ring_mutex);
  return event;
}

/** Gives the caller's reference to the ring, and drops the one that was in its place. */
static void ring_give(unsigned *seed, cl_event event) {
  pthread_mutex_lock(&ring_mutex);
  cl_event *place = &ring[(unsigned)rand_r(seed) % RING], old = *place;
  *place = event;
  pthread_mutex_unlock(&ring_mutex);
  if (old) expect(clReleaseEvent(old) == CL_SUCCESS);
}

/* ---------------------------------------------------------------- commands */

/** What a callback needs to go on. */
typedef struct follower_t {
  unsigned seed;
  int depth;
} follower_t;

static void CL_CALLBACK run(void *args) {
  (void)args;
  atomic_fetch_add(&executed, 1);
}

static void CL_CALLBACK early(cl_event event, cl_int status, void *data) {
  (void)event, (void)status, (void)data;
  atomic_fetch_add(&early_called, 1);
}

static void enqueue(unsigned *seed, int depth, cl_uint count, const cl_event *waits);

/** Every command has it: counts, and enqueues another command that waits for this one. */
static void CL_CALLBACK ended(cl_event event, cl_int status, void *data) {
  follower_t *follower = data;
  atomic_fetch_add(status == CL_COMPLETE ? &completed : &terminated, 1);
  if (follower->depth < MAX_DEPTH && (unsigned)rand_r(&follower->seed) % 4 == 0) {
    enqueue(&follower->seed, follower->depth + 1, 1, &event);
    expect(clFlush(queues[(unsigned)rand_r(&follower->seed) % QUEUES]) == CL_SUCCESS);
  }
  free(follower);
}

static void callbacks_add(unsigned *seed, int depth, cl_event event) {
  follower_t *follower = malloc(sizeof *follower);
  if (!follower) abort();
  *follower = (follower_t){.seed = (unsigned)rand_r(seed), .depth = depth};
  if ((unsigned)rand_r(seed) % 3 == 0) {
    atomic_fetch_add(&early_registered, 1);
    expect(clSetEventCallback(event, (unsigned)rand_r(seed) % 2 ? CL_SUBMITTED : CL_RUNNING, early, NULL) ==
           CL_SUCCESS);
  }
  expect(clSetEventCallback(event, CL_COMPLETE, ended, follower) == CL_SUCCESS);
}

static void enqueue(unsigned *seed, int depth, cl_uint count, const cl_event *waits) {
  cl_event event = NULL;
  cl_command_queue queue = queues[(unsigned)rand_r(seed) % QUEUES];
  cl_int error = clEnqueueNativeKernel(queue, run, NULL, 0, 0, NULL, NULL, count, count ? waits : NULL, &event);
  expect(error == CL_SUCCESS);
  if (error) return;
  atomic_fetch_add(&enqueued, 1);
  callbacks_add(seed, depth, event);
  ring_give(seed, event);
}

static cl_uint waits_borrow(unsigned *seed, cl_event waits[MAX_WAITS]) {
  cl_uint count = 0;
  for (unsigned wanted = (unsigned)rand_r(seed) % (MAX_WAITS + 1); wanted; wanted--) {
    cl_event event = ring_borrow(seed);
    if (event) waits[count++] = event;
  }
  return count;
}

static void waits_return(cl_uint count, cl_event *waits) {
  for (cl_uint i = 0; i < count; i++) expect(clReleaseEvent(waits[i]) == CL_SUCCESS);
}

/* ---------------------------------------------------------------- threads */

static void step_enqueue(unsigned *seed) {
  cl_event waits[MAX_WAITS];
  cl_uint count = waits_borrow(seed, waits);
  enqueue(seed, 0, count, waits);
  waits_return(count, waits);
}

/** Commands wait for a user event, which is set before the thread waits for anything. */
static void step_user_event(unsigned *seed) {
  cl_int error;
  cl_event user = clCreateUserEvent(dut.context, &error);
  expect(error == CL_SUCCESS);
  if (error) return;
  expect(clRetainEvent(user) == CL_SUCCESS);
  ring_give(seed, user);
  for (unsigned i = (unsigned)rand_r(seed) % 4; i; i--) enqueue(seed, 0, 1, &user);
  step_enqueue(seed);
  if ((unsigned)rand_r(seed) % 2) expect(clFlush(queues[(unsigned)rand_r(seed) % QUEUES]) == CL_SUCCESS);
  expect(clSetUserEventStatus(user, (unsigned)rand_r(seed) % 4 ? CL_COMPLETE : -7) == CL_SUCCESS);
  expect(clReleaseEvent(user) == CL_SUCCESS);
}

static void step_wait(unsigned *seed) {
  cl_event waits[MAX_WAITS];
  cl_uint count = waits_borrow(seed, waits);
  if (count) {
    cl_int error = clWaitForEvents(count, waits);
    expect(error == CL_SUCCESS || error == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  }
  waits_return(count, waits);
}

static void step_query(unsigned *seed) {
  cl_int status = 1;
  cl_event event = ring_borrow(seed);
  if (!event) return;
  expect(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL) == CL_SUCCESS);
  expect(status <= CL_QUEUED);
  expect(clReleaseEvent(event) == CL_SUCCESS);
}

static void *work(void *number) {
  unsigned seed = (unsigned)(uintptr_t)number * 7919u + 1;
  for (int round = 0; round < ROUNDS; round++) {
    switch ((unsigned)rand_r(&seed) % 12) {
      case 0: step_wait(&seed); break;
      case 1: step_user_event(&seed); break;
      case 2: step_query(&seed); break;
      case 3: expect(clFlush(queues[(unsigned)rand_r(&seed) % QUEUES]) == CL_SUCCESS); break;
      case 4:
        if (round % 8 == 0) expect(clFinish(queues[(unsigned)rand_r(&seed) % QUEUES]) == CL_SUCCESS);
        break;
      case 5: expect(clEnqueueBarrierWithWaitList(queues[QUEUES - 1], 0, NULL, NULL) == CL_SUCCESS); break;
      default: step_enqueue(&seed); break;
    }
  }
  return NULL;
}

static void ring_empty(void) {
  for (int i = 0; i < RING; i++) {
    if (ring[i]) ASSERT_CL(clReleaseEvent(ring[i]));
    ring[i] = NULL;
  }
}

/** Callbacks enqueue while the queues are being finished. */
static void drain(void) {
  do {
    for (int i = 0; i < QUEUES; i++) ASSERT_CL(clFinish(queues[i]));
  } while (atomic_load(&completed) + atomic_load(&terminated) != atomic_load(&enqueued));
}

static void nothing_is_lost(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  pthread_t threads[THREADS];
  const cl_queue_properties out_of_order[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  const cl_queue_properties profiling[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
  const cl_queue_properties *properties[QUEUES] = {NULL, profiling, out_of_order, out_of_order};
  for (int i = 0; i < QUEUES; i++) {
    cl_int error;
    queues[i] = clCreateCommandQueueWithProperties(dut.context, dut.device, properties[i], &error);
    ASSERT_CL(error);
  }
  for (uintptr_t i = 0; i < THREADS; i++) assert_int_equal(pthread_create(&threads[i], NULL, work, (void *)i), 0);
  for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
  drain();
  ring_empty();
  assert_int_equal(atomic_load(&errors), 0);
  assert_int_equal(atomic_load(&completed), atomic_load(&executed));
  assert_true(atomic_load(&terminated) > 0);
  assert_int_equal(atomic_load(&early_called), atomic_load(&early_registered));
  for (int i = 0; i < QUEUES; i++) ASSERT_CL(clReleaseCommandQueue(queues[i]));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_is_lost)};
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
