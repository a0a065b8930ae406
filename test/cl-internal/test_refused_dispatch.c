/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A dispatch that Mux refuses for want of memory: order is kept, failure is told, and nobody waits for ever. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "cl/queueing/event.h"

/* ---------------------------------------------------------------- refusals */

/** So many of the next dispatches are refused; negative: all. */
static atomic_int refusals;

/* Names that the linker gives: the first stands in for muxDispatch, the second is muxDispatch. */
mux_result_t __wrap_muxDispatch(mux_queue_t queue, mux_command_buffer_t command_buffer, mux_fence_t fence,
                                const mux_semaphore_t *waits, uint32_t wait_count, const mux_semaphore_t *signals,
                                uint32_t signal_count, mux_dispatch_callback_t function, void *user_data);
mux_result_t __real_muxDispatch(mux_queue_t queue, mux_command_buffer_t command_buffer, mux_fence_t fence,
                                const mux_semaphore_t *waits, uint32_t wait_count, const mux_semaphore_t *signals,
                                uint32_t signal_count, mux_dispatch_callback_t function, void *user_data);

mux_result_t __wrap_muxDispatch(mux_queue_t queue, mux_command_buffer_t command_buffer, mux_fence_t fence,
                                const mux_semaphore_t *waits, uint32_t wait_count, const mux_semaphore_t *signals,
                                uint32_t signal_count, mux_dispatch_callback_t function, void *user_data) {
  int left = atomic_load(&refusals);
  if (left > 0) atomic_store(&refusals, left - 1);
  if (left) return mux_error_out_of_memory;
  return __real_muxDispatch(queue, command_buffer, fence, waits, wait_count, signals, signal_count, function,
                            user_data);
}

/* ---------------------------------------------------------------- commands */

static cl_context context;
static cl_command_queue queue, other;
static atomic_bool gate_is_open;
/** Commands that have run, and which place each had among them. */
static atomic_int run_count, places[8];

static void CL_CALLBACK gate_pass(void *args) {
  (void)args;
  while (!atomic_load(&gate_is_open)) usleep(100);
  places[0] = ++run_count;
}

static void CL_CALLBACK command_run(void *args) { places[*(int *)args] = ++run_count; }

static int begin(void **state) {
  (void)state;
  cl_platform_id platform;
  cl_device_id device;
  cl_int errors[3];
  assert_int_equal(clGetPlatformIDs(1, &platform, NULL), CL_SUCCESS);
  assert_int_equal(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), CL_SUCCESS);
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &errors[0]);
  queue = clCreateCommandQueueWithProperties(context, device, NULL, &errors[1]);
  other = clCreateCommandQueueWithProperties(context, device, NULL, &errors[2]);
  for (int i = 0; i < 3; i++) assert_int_equal(errors[i], CL_SUCCESS);
  atomic_store(&gate_is_open, false);
  atomic_store(&refusals, 0);
  run_count = 0;
  for (int i = 0; i < 8; i++) places[i] = 0;
  return 0;
}

static int end(void **state) {
  (void)state;
  atomic_store(&gate_is_open, true);
  atomic_store(&refusals, 0);
  assert_int_equal(clFinish(queue), CL_SUCCESS);
  assert_int_equal(clFinish(other), CL_SUCCESS);
  assert_int_equal(clReleaseCommandQueue(queue), CL_SUCCESS);
  assert_int_equal(clReleaseCommandQueue(other), CL_SUCCESS);
  assert_int_equal(clReleaseContext(context), CL_SUCCESS);
  return 0;
}

/** A command of its own command buffer, flushed. */
static cl_event flushed(cl_command_queue in, int number, cl_event wait) {
  cl_event event;
  assert_int_equal(clEnqueueNativeKernel(in, number ? command_run : gate_pass, &number, sizeof number, 0, NULL, NULL,
                                         wait ? 1 : 0, wait ? &wait : NULL, &event),
                   CL_SUCCESS);
  assert_int_equal(clFlush(in), CL_SUCCESS);
  return event;
}

static cl_int status_of(cl_event event) {
  cl_int status;
  assert_int_equal(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL), CL_SUCCESS);
  return status;
}

static void assert_statuses(cl_event *events, int count, const cl_int *expected) {
  assert_int_equal(clFinish(queue), CL_SUCCESS);
  assert_int_equal(clFinish(other), CL_SUCCESS);
  for (int i = 0; i < count; i++) {
    assert_int_equal(status_of(events[i]), expected[i]);
    assert_int_equal(clReleaseEvent(events[i]), CL_SUCCESS);
  }
}

/* ---------------------------------------------------------------- cases */

/* The second command is refused while the first one runs; the third must not start meanwhile. */
static void nothing_overtakes(void **state) {
  (void)state;
  cl_event events[4] = {flushed(queue, 0, NULL)};
  atomic_store(&refusals, 1);
  for (int i = 1; i < 4; i++) events[i] = flushed(queue, i, NULL);
  usleep(10000);
  assert_int_equal(run_count, 0);
  atomic_store(&gate_is_open, true);
  assert_statuses(events, 4, (cl_int[]){CL_COMPLETE, CL_COMPLETE, CL_COMPLETE, CL_COMPLETE});
  for (int i = 0; i < 4; i++) assert_int_equal(places[i], i + 1);
}

static void what_is_refused_for_good_fails_alone(void **state) {
  (void)state;
  cl_event events[3];
  atomic_store(&refusals, 1);
  events[0] = flushed(queue, 1, NULL);
  events[1] = flushed(queue, 2, NULL);
  events[2] = flushed(other, 3, NULL);
  assert_statuses(events, 3, (cl_int[]){CL_OUT_OF_HOST_MEMORY, CL_COMPLETE, CL_COMPLETE});
  assert_int_equal(places[1], 0);
}

/* Refused once while it waits, and once again. */
static void what_waited_in_vain_fails_in_its_turn(void **state) {
  (void)state;
  cl_event events[3] = {flushed(queue, 0, NULL)};
  atomic_store(&refusals, 2);
  events[1] = flushed(queue, 1, NULL);
  events[2] = flushed(queue, 2, NULL);
  assert_int_equal(status_of(events[1]), CL_SUBMITTED);
  atomic_store(&gate_is_open, true);
  assert_statuses(events, 3, (cl_int[]){CL_COMPLETE, CL_OUT_OF_HOST_MEMORY, CL_COMPLETE});
  assert_true(places[2] > places[0]);
}

static void what_waits_for_it_is_terminated(void **state) {
  (void)state;
  cl_event events[3] = {flushed(queue, 0, NULL)};
  atomic_store(&refusals, 2);
  events[1] = flushed(queue, 1, NULL);
  events[2] = flushed(other, 2, events[1]);
  atomic_store(&gate_is_open, true);
  assert_statuses(events, 3, (cl_int[]){CL_COMPLETE, CL_OUT_OF_HOST_MEMORY, CL_OUT_OF_HOST_MEMORY});
  assert_int_equal(places[2], 0);
}

static void a_terminated_command_is_refused(void **state) {
  (void)state;
  cl_int error;
  cl_event user = clCreateUserEvent(context, &error);
  assert_int_equal(error, CL_SUCCESS);
  cl_event events[3] = {flushed(queue, 0, NULL)};
  events[1] = flushed(queue, 1, user);
  atomic_store(&refusals, 1);
  assert_int_equal(clSetUserEventStatus(user, CL_INVALID_VALUE), CL_SUCCESS);
  events[2] = flushed(queue, 2, NULL);
  atomic_store(&gate_is_open, true);
  assert_statuses(events, 3, (cl_int[]){CL_COMPLETE, CL_INVALID_VALUE, CL_COMPLETE});
  assert_int_equal(places[1], 0);
  assert_true(places[2] > places[0]);
  assert_int_equal(clReleaseEvent(user), CL_SUCCESS);
}

static void with_every_dispatch_refused_nobody_waits(void **state) {
  (void)state;
  cl_event events[40];
  cl_int expected[40];
  atomic_store(&refusals, -1);
  for (int i = 0; i < 40; i++) {
    events[i] = flushed(i % 3 ? queue : other, 1, i % 5 == 4 ? events[i - 1] : NULL);
    expected[i] = CL_OUT_OF_HOST_MEMORY;
  }
  assert_statuses(events, 40, expected);
}

#define CASE(function) cmocka_unit_test_setup_teardown(function, begin, end)

int main(void) {
  const struct CMUnitTest tests[] = {
      CASE(nothing_overtakes),
      CASE(what_is_refused_for_good_fails_alone),
      CASE(what_waited_in_vain_fails_in_its_turn),
      CASE(what_waits_for_it_is_terminated),
      CASE(a_terminated_command_is_refused),
      CASE(with_every_dispatch_refused_nobody_waits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
