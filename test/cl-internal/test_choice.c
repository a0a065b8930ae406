/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Which command buffer a command goes into, and which semaphores its dispatch waits for: the cases of statements M12
 * and M13, as docs/opencl-on-mux.md tells them. What counts is what muxDispatch is given. */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cl/queueing/choice.h"
#include "cl/queueing/event.h"
#include "dispatches.h"

/* ---------------------------------------------------------------- dispatches, as Mux sees them */

/* A command's command buffer, remembered with the semaphore that it will signal: both are used again later. */
typedef struct place_t {
  mux_command_buffer_t commands;
  mux_semaphore_t signal;
} place_t;

static const dispatch_t *dispatch_of(place_t place) { return dispatches_find(place.commands); }

static bool has_wait(const dispatch_t *dispatch, place_t on) {
  for (uint32_t i = 0; i < dispatch->wait_count; i++) {
    if (dispatch->waits[i] == on.signal) return true;
  }
  return false;
}

/** The dispatch of `place` waited for exactly these. */
static void assert_waits(place_t place, size_t count, const place_t *on) {
  const dispatch_t *dispatch = dispatch_of(place);
  assert_non_null(dispatch);
  assert_ptr_equal(dispatch->signal, place.signal);
  assert_int_equal(dispatch->wait_count, count);
  for (size_t i = 0; i < count; i++) assert_true(has_wait(dispatch, on[i]));
}

#define ASSERT_WAITS(place, ...) \
  assert_waits(place, sizeof((place_t[]){__VA_ARGS__}) / sizeof(place_t), (place_t[]){__VA_ARGS__})
#define ASSERT_WAITS_FOR_NOTHING(place) assert_waits(place, 0, NULL)

static bool same(place_t a, place_t b) { return a.commands == b.commands; }

/* ---------------------------------------------------------------- commands */

static cl_device_id device;
static cl_context context;
static cl_command_queue in_order, other, out_of_order;

static pthread_mutex_t gate_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t gate_changed = PTHREAD_COND_INITIALIZER;
static bool gate_is_open;

static void CL_CALLBACK gate_pass(void *args) {
  (void)args;
  pthread_mutex_lock(&gate_mutex);
  while (!gate_is_open) pthread_cond_wait(&gate_changed, &gate_mutex);
  pthread_mutex_unlock(&gate_mutex);
}

static void gate_set(bool open) {
  pthread_mutex_lock(&gate_mutex);
  gate_is_open = open;
  pthread_cond_broadcast(&gate_changed);
  pthread_mutex_unlock(&gate_mutex);
}

static void CL_CALLBACK nothing(void *args) { (void)args; }

static cl_command_queue queue_make(cl_command_queue_properties properties) {
  const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
  cl_int error;
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, list, &error);
  assert_int_equal(error, CL_SUCCESS);
  return queue;
}

static int begin(void **state) {
  (void)state;
  cl_platform_id platform;
  cl_int error;
  gate_set(false);
  assert_int_equal(clGetPlatformIDs(1, &platform, NULL), CL_SUCCESS);
  assert_int_equal(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), CL_SUCCESS);
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  assert_int_equal(error, CL_SUCCESS);
  in_order = queue_make(0);
  other = queue_make(0);
  out_of_order = queue_make(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  dispatches_forget();
  return 0;
}

static void finish(void) {
  gate_set(true);
  assert_int_equal(clFinish(in_order), CL_SUCCESS);
  assert_int_equal(clFinish(other), CL_SUCCESS);
  assert_int_equal(clFinish(out_of_order), CL_SUCCESS);
}

static int end(void **state) {
  (void)state;
  finish();
  clReleaseCommandQueue(in_order);
  clReleaseCommandQueue(other);
  clReleaseCommandQueue(out_of_order);
  clReleaseContext(context);
  return 0;
}

/** Enqueues a command, and tells where it went. Its event is kept when `out_event` is given. */
static place_t enqueue(cl_command_queue queue, void(CL_CALLBACK *function)(void *), cl_uint wait_count,
                       const cl_event *waits, cl_event *out_event) {
  cl_event event;
  assert_int_equal(clEnqueueNativeKernel(queue, function, NULL, 0, 0, NULL, NULL, wait_count, waits, &event),
                   CL_SUCCESS);
  /* Not flushed: the batch cannot have been completed. */
  place_t place = {event->batch->commands, event->batch->semaphore};
  if (out_event) {
    *out_event = event;
  } else {
    assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
  }
  return place;
}

static place_t plain(cl_command_queue queue) { return enqueue(queue, nothing, 0, NULL, NULL); }

static place_t waiting(cl_command_queue queue, cl_event event) { return enqueue(queue, nothing, 1, &event, NULL); }

/** A command that does not end before the gate is opened, under way. */
static place_t under_way(cl_command_queue queue, cl_event *out_event) {
  place_t place = enqueue(queue, gate_pass, 0, NULL, out_event);
  assert_int_equal(clFlush(queue), CL_SUCCESS);
  assert_non_null(dispatch_of(place));
  return place;
}

static cl_event user_event(void) {
  cl_int error;
  cl_event event = clCreateUserEvent(context, &error);
  assert_int_equal(error, CL_SUCCESS);
  return event;
}

static void release(cl_event event) { assert_int_equal(clReleaseEvent(event), CL_SUCCESS); }

static void complete(cl_event user) {
  assert_int_equal(clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
  release(user);
}

/* ---------------------------------------------------------------- M12, case 1 */

static void without_events_the_last_pending_buffer_is_joined(void **state) {
  (void)state;
  under_way(in_order, NULL);
  place_t first = plain(in_order);
  assert_true(same(plain(in_order), first));
  assert_true(same(plain(in_order), first));
  /* Another queue has its own. */
  assert_false(same(plain(other), first));
  assert_int_equal(clFlush(in_order), CL_SUCCESS);
  assert_int_equal(dispatch_count, 2);
  /* What is dispatched is not pending. */
  assert_false(same(plain(in_order), first));
}

/* However many there are; and what a blocking call waits for, it gives to the device. */
static void nothing_is_dispatched_before_a_flush(void **state) {
  (void)state;
  char byte = 0;
  cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 1, NULL, NULL);
  assert_non_null(buffer);
  for (int way = 0; way < 3; way++) {
    dispatches_forget();
    place_t place = plain(in_order);
    for (int i = 0; i < 10; i++) assert_true(same(plain(in_order), place));
    assert_null(dispatch_of(place));
    switch (way) {
      case 0: assert_int_equal(clFlush(in_order), CL_SUCCESS); break;
      case 1: assert_int_equal(clFinish(in_order), CL_SUCCESS); break;
      default: assert_int_equal(clEnqueueReadBuffer(in_order, buffer, CL_TRUE, 0, 1, &byte, 0, NULL, NULL), CL_SUCCESS);
    }
    assert_non_null(dispatch_of(place));
    finish();
  }
  assert_int_equal(clReleaseMemObject(buffer), CL_SUCCESS);
}

static void the_last_of_several_pending_buffers_is_joined(void **state) {
  (void)state;
  cl_event running;
  under_way(other, &running);
  place_t first = plain(in_order), last = waiting(in_order, running);
  assert_false(same(last, first));
  assert_true(same(plain(in_order), last));
  release(running);
}

static void out_of_order_few_commands_have_a_buffer_each_and_many_share(void **state) {
  (void)state;
  place_t places[queue_lanes];
  for (int i = 0; i < queue_lanes; i++) {
    places[i] = plain(out_of_order);
    for (int j = 0; j < i; j++) assert_false(same(places[i], places[j]));
  }
  for (int i = 0; i < 2 * queue_lanes; i++) {
    place_t place = plain(out_of_order);
    bool found = false;
    for (int j = 0; j < queue_lanes; j++) found |= same(place, places[j]);
    assert_true(found);
  }
}

/* ---------------------------------------------------------------- M12, case 3 */

static void an_event_of_the_last_pending_buffer_joins_it(void **state) {
  (void)state;
  cl_event events[2];
  place_t first = enqueue(in_order, nothing, 0, NULL, &events[0]);
  assert_true(same(waiting(in_order, events[0]), first));
  assert_true(same(enqueue(in_order, nothing, 0, NULL, &events[1]), first));
  assert_true(same(enqueue(in_order, nothing, 2, events, NULL), first));
  release(events[0]);
  release(events[1]);
}

/* It would overtake what is in between. */
static void in_order_an_earlier_pending_buffer_is_not_joined(void **state) {
  (void)state;
  cl_event event, running;
  under_way(other, &running);
  place_t first = enqueue(in_order, nothing, 0, NULL, &event), second = waiting(in_order, running);
  place_t third = waiting(in_order, event);
  assert_false(same(third, first));
  assert_false(same(third, second));
  release(event);
  release(running);
}

static void out_of_order_many_commands_join_the_buffer_of_their_event(void **state) {
  (void)state;
  cl_event events[queue_lanes];
  place_t places[queue_lanes];
  for (int i = 0; i < queue_lanes; i++) places[i] = enqueue(out_of_order, nothing, 0, NULL, &events[i]);
  for (int i = 0; i < queue_lanes; i++) {
    assert_true(same(waiting(out_of_order, events[i]), places[i]));
    release(events[i]);
  }
}

static void out_of_order_few_branches_of_a_fork_have_buffers_of_their_own(void **state) {
  (void)state;
  cl_event event;
  place_t trunk = enqueue(out_of_order, nothing, 0, NULL, &event);
  place_t left = waiting(out_of_order, event), right = waiting(out_of_order, event);
  assert_false(same(left, trunk));
  assert_false(same(right, trunk));
  assert_false(same(left, right));
  release(event);
}

/* ---------------------------------------------------------------- M12, case 4 */

static void events_of_several_pending_buffers_need_a_new_one(void **state) {
  (void)state;
  cl_event events[2], running;
  under_way(other, &running);
  place_t first = enqueue(in_order, nothing, 0, NULL, &events[0]);
  place_t second = enqueue(in_order, nothing, 1, &running, &events[1]);
  place_t third = enqueue(in_order, nothing, 2, events, NULL);
  assert_false(same(third, first));
  assert_false(same(third, second));
  release(events[0]);
  release(events[1]);
  release(running);
}

static void out_of_order_a_join_of_many_has_a_buffer_of_its_own(void **state) {
  (void)state;
  cl_event events[queue_lanes];
  place_t places[queue_lanes];
  for (int i = 0; i < queue_lanes; i++) places[i] = enqueue(out_of_order, nothing, 0, NULL, &events[i]);
  place_t join = enqueue(out_of_order, nothing, 2, events, NULL);
  for (int i = 0; i < queue_lanes; i++) {
    assert_false(same(join, places[i]));
    release(events[i]);
  }
}

/* ---------------------------------------------------------------- M12, case 5 */

static void an_event_that_is_dispatched_needs_a_new_buffer(void **state) {
  (void)state;
  cl_event running;
  under_way(in_order, &running);
  place_t pending = plain(in_order);
  assert_false(same(waiting(in_order, running), pending));
  release(running);
}

static void an_event_of_another_queue_needs_a_new_buffer(void **state) {
  (void)state;
  cl_event foreign;
  place_t there = enqueue(other, nothing, 0, NULL, &foreign), pending = plain(in_order);
  place_t here = waiting(in_order, foreign);
  assert_false(same(here, pending));
  assert_false(same(here, there));
  for (int i = 0; i < queue_lanes; i++) plain(out_of_order);
  assert_false(same(waiting(out_of_order, foreign), there));
  release(foreign);
}

static void a_user_event_needs_a_new_buffer(void **state) {
  (void)state;
  cl_event user = user_event();
  place_t pending = plain(in_order), conditional = waiting(in_order, user), after = plain(in_order);
  complete(user);
  assert_false(same(conditional, pending));
  /* What does not wait for the user event must run should that fail. */
  assert_false(same(after, conditional));
}

static void complete_events_do_not_count(void **state) {
  (void)state;
  cl_event event, user = user_event();
  enqueue(in_order, nothing, 0, NULL, &event);
  assert_int_equal(clFinish(in_order), CL_SUCCESS);
  assert_int_equal(clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
  place_t pending = plain(in_order);
  assert_true(same(waiting(in_order, event), pending));
  assert_true(same(waiting(in_order, user), pending));
  release(event);
  release(user);
}

static void an_unused_buffer_is_one_that_was_used_before(void **state) {
  (void)state;
  place_t first = plain(in_order);
  assert_int_equal(clFinish(in_order), CL_SUCCESS);
  place_t second = plain(in_order);
  assert_true(same(second, first));
  assert_ptr_equal(second.signal, first.signal);
}

static void out_of_order_a_dispatched_buffer_is_joined_by_nobody(void **state) {
  (void)state;
  cl_event running;
  place_t gate = under_way(out_of_order, &running);
  for (int i = 0; i < queue_lanes; i++) plain(out_of_order);
  assert_false(same(waiting(out_of_order, running), gate));
  release(running);
}

/* ---------------------------------------------------------------- M13, case 1 */

static void in_order_what_runs_is_waited_for(void **state) {
  (void)state;
  place_t first = under_way(in_order, NULL), second = plain(in_order);
  assert_int_equal(clFlush(in_order), CL_SUCCESS);
  place_t third = plain(in_order);
  assert_int_equal(clFlush(in_order), CL_SUCCESS);
  ASSERT_WAITS_FOR_NOTHING(first);
  ASSERT_WAITS(second, first);
  /* The one before is enough. */
  ASSERT_WAITS(third, second);
}

static void in_order_what_is_complete_is_not_waited_for(void **state) {
  (void)state;
  plain(in_order);
  assert_int_equal(clFinish(in_order), CL_SUCCESS);
  place_t second = plain(in_order);
  assert_int_equal(clFlush(in_order), CL_SUCCESS);
  ASSERT_WAITS_FOR_NOTHING(second);
}

static void what_completes_before_the_flush_is_not_waited_for(void **state) {
  (void)state;
  cl_event running;
  under_way(in_order, &running);
  place_t second = plain(in_order);
  gate_set(true);
  while (!event_is_final(running)) sched_yield();
  /* The event is final a little earlier than its batch is complete, and only the latter counts. */
  graph_wait(&context->graph, running->batch);
  assert_int_equal(clFlush(in_order), CL_SUCCESS);
  ASSERT_WAITS_FOR_NOTHING(second);
  release(running);
}

static void in_order_pending_buffers_wait_for_each_other(void **state) {
  (void)state;
  cl_event running;
  place_t gate = under_way(other, &running), first = under_way(in_order, NULL), second = plain(in_order);
  place_t third = waiting(in_order, running);
  assert_int_equal(clFlush(in_order), CL_SUCCESS);
  ASSERT_WAITS(second, first);
  ASSERT_WAITS(third, second, gate);
  release(running);
}

static void out_of_order_nothing_but_the_last_barrier_is_waited_for(void **state) {
  (void)state;
  cl_event barrier;
  place_t first = under_way(out_of_order, NULL), second = plain(out_of_order);
  assert_int_equal(clFlush(out_of_order), CL_SUCCESS);
  ASSERT_WAITS_FOR_NOTHING(second);
  assert_int_equal(clEnqueueBarrierWithWaitList(out_of_order, 0, NULL, &barrier), CL_SUCCESS);
  place_t at_barrier = {barrier->batch->commands, barrier->batch->semaphore}, third = plain(out_of_order);
  assert_int_equal(clFlush(out_of_order), CL_SUCCESS);
  assert_non_null(dispatch_of(at_barrier));
  assert_true(has_wait(dispatch_of(at_barrier), first));
  ASSERT_WAITS(third, at_barrier);
  release(barrier);
}

/* ---------------------------------------------------------------- M13, case 3 */

static void each_pending_buffer_with_an_event_is_waited_for(void **state) {
  (void)state;
  cl_event events[3];
  place_t places[3], unrelated = enqueue(out_of_order, gate_pass, 0, NULL, NULL);
  for (int i = 0; i < 3; i++) places[i] = enqueue(out_of_order, gate_pass, 0, NULL, &events[i]);
  place_t join = enqueue(out_of_order, nothing, 3, events, NULL);
  assert_int_equal(clFlush(out_of_order), CL_SUCCESS);
  for (int i = 0; i < 3; i++) ASSERT_WAITS_FOR_NOTHING(places[i]);
  ASSERT_WAITS_FOR_NOTHING(unrelated);
  ASSERT_WAITS(join, places[0], places[1], places[2]);
  for (int i = 0; i < 3; i++) release(events[i]);
}

static void a_buffer_with_several_events_is_waited_for_once(void **state) {
  (void)state;
  cl_event events[2];
  place_t there = enqueue(other, gate_pass, 0, NULL, &events[0]);
  assert_true(same(enqueue(other, nothing, 0, NULL, &events[1]), there));
  place_t here = enqueue(in_order, nothing, 2, events, NULL);
  /* Flushes the other queue as well. */
  assert_int_equal(clFlush(in_order), CL_SUCCESS);
  ASSERT_WAITS(here, there);
  release(events[0]);
  release(events[1]);
}

static void in_order_events_come_on_top_of_the_order(void **state) {
  (void)state;
  cl_event events[2];
  place_t before = under_way(in_order, NULL);
  place_t left = enqueue(other, gate_pass, 0, NULL, &events[0]);
  place_t right = enqueue(out_of_order, gate_pass, 0, NULL, &events[1]);
  place_t join = enqueue(in_order, nothing, 2, events, NULL);
  assert_int_equal(clFlush(in_order), CL_SUCCESS);
  ASSERT_WAITS(join, before, left, right);
  release(events[0]);
  release(events[1]);
}

/* ---------------------------------------------------------------- M13, case 4 */

static void with_nothing_pending_what_runs_is_waited_for(void **state) {
  (void)state;
  cl_event events[2];
  place_t gate = under_way(out_of_order, &events[0]);
  under_way(out_of_order, NULL);
  place_t after = waiting(out_of_order, events[0]);
  assert_int_equal(clFlush(out_of_order), CL_SUCCESS);
  ASSERT_WAITS(after, gate);
  /* Of another queue just so. */
  place_t there = under_way(other, &events[1]), here = waiting(in_order, events[1]);
  assert_int_equal(clFlush(in_order), CL_SUCCESS);
  ASSERT_WAITS(here, there);
  release(events[0]);
  release(events[1]);
}

static void with_nothing_pending_what_is_complete_is_not_waited_for(void **state) {
  (void)state;
  cl_event event;
  enqueue(out_of_order, nothing, 0, NULL, &event);
  assert_int_equal(clFinish(out_of_order), CL_SUCCESS);
  place_t after = waiting(out_of_order, event);
  assert_int_equal(clFlush(out_of_order), CL_SUCCESS);
  ASSERT_WAITS_FOR_NOTHING(after);
  release(event);
}

static void a_user_event_postpones_and_is_no_semaphore(void **state) {
  (void)state;
  cl_event user = user_event();
  place_t postponed = waiting(out_of_order, user);
  assert_int_equal(clFlush(out_of_order), CL_SUCCESS);
  assert_null(dispatch_of(postponed));
  complete(user);
  ASSERT_WAITS_FOR_NOTHING(postponed);
}

#define CASE(function) cmocka_unit_test_setup_teardown(function, begin, end)

int main(void) {
  const struct CMUnitTest tests[] = {
      CASE(without_events_the_last_pending_buffer_is_joined),
      CASE(nothing_is_dispatched_before_a_flush),
      CASE(the_last_of_several_pending_buffers_is_joined),
      CASE(out_of_order_few_commands_have_a_buffer_each_and_many_share),
      CASE(an_event_of_the_last_pending_buffer_joins_it),
      CASE(in_order_an_earlier_pending_buffer_is_not_joined),
      CASE(out_of_order_many_commands_join_the_buffer_of_their_event),
      CASE(out_of_order_few_branches_of_a_fork_have_buffers_of_their_own),
      CASE(events_of_several_pending_buffers_need_a_new_one),
      CASE(out_of_order_a_join_of_many_has_a_buffer_of_its_own),
      CASE(an_event_that_is_dispatched_needs_a_new_buffer),
      CASE(an_event_of_another_queue_needs_a_new_buffer),
      CASE(a_user_event_needs_a_new_buffer),
      CASE(out_of_order_a_dispatched_buffer_is_joined_by_nobody),
      CASE(complete_events_do_not_count),
      CASE(an_unused_buffer_is_one_that_was_used_before),
      CASE(in_order_what_runs_is_waited_for),
      CASE(in_order_what_is_complete_is_not_waited_for),
      CASE(what_completes_before_the_flush_is_not_waited_for),
      CASE(in_order_pending_buffers_wait_for_each_other),
      CASE(out_of_order_nothing_but_the_last_barrier_is_waited_for),
      CASE(each_pending_buffer_with_an_event_is_waited_for),
      CASE(a_buffer_with_several_events_is_waited_for_once),
      CASE(in_order_events_come_on_top_of_the_order),
      CASE(with_nothing_pending_what_runs_is_waited_for),
      CASE(with_nothing_pending_what_is_complete_is_not_waited_for),
      CASE(a_user_event_postpones_and_is_no_semaphore),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
