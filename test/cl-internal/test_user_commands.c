/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Command buffers of the application among those of the driver (statement M19): case 2 of statements M12 and M13. What
 * counts is what muxDispatch is given. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cl/command_buffer/entry.h"
#include "cl/queueing/event.h"
#include "dispatches.h"

/* ---------------------------------------------------------------- commands */

static cl_context context;
static cl_command_queue in_order, out_of_order;
static cl_command_buffer_khr user;
static atomic_uint runs;

/* The user's command buffer is told by its length: these commands, and a callback at each end. */
enum { FILLS = 20 };
static cl_int filled;

/* The queue's first command, under way until the gate is open: nothing behind it completes before it is dispatched. */
static pthread_mutex_t gate_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t gate_changed = PTHREAD_COND_INITIALIZER;
static bool gate_is_open;

static void CL_CALLBACK pass_gate(void *args) {
  (void)args;
  pthread_mutex_lock(&gate_mutex);
  while (!gate_is_open) pthread_cond_wait(&gate_changed, &gate_mutex);
  pthread_mutex_unlock(&gate_mutex);
}

static void set_gate(bool is_open) {
  pthread_mutex_lock(&gate_mutex);
  gate_is_open = is_open;
  pthread_cond_broadcast(&gate_changed);
  pthread_mutex_unlock(&gate_mutex);
}

static void close_gate(cl_command_queue queue) {
  set_gate(false);
  assert_int_equal(clEnqueueNativeKernel(queue, pass_gate, NULL, 0, 0, NULL, NULL, 0, NULL, NULL), CL_SUCCESS);
  assert_int_equal(clFlush(queue), CL_SUCCESS);
}

static void CL_CALLBACK run(void *args) {
  (void)args;
  atomic_fetch_add(&runs, 1);
}

static cl_command_queue make_queue(cl_device_id device, cl_command_queue_properties properties) {
  const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
  cl_int error;
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, list, &error);
  assert_int_equal(error, CL_SUCCESS);
  return queue;
}

static int begin(void **state) {
  (void)state;
  cl_platform_id platform;
  cl_device_id device;
  cl_int error;
  assert_int_equal(clGetPlatformIDs(1, &platform, NULL), CL_SUCCESS);
  assert_int_equal(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), CL_SUCCESS);
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  assert_int_equal(error, CL_SUCCESS);
  in_order = make_queue(device, 0);
  out_of_order = make_queue(device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  user = create_command_buffer_khr(1, &in_order, NULL, &error);
  assert_int_equal(error, CL_SUCCESS);
  const cl_int one = 1;
  for (int i = 0; i < FILLS; i++) {
    assert_int_equal(
        command_svm_mem_fill_khr(user, NULL, NULL, &filled, &one, sizeof(one), sizeof(one), 0, NULL, NULL, NULL),
        CL_SUCCESS);
  }
  assert_int_equal(finalize_command_buffer_khr(user), CL_SUCCESS);
  dispatches_forget();
  atomic_store(&runs, 0);
  return 0;
}

static int end(void **state) {
  (void)state;
  release_command_buffer_khr(user);
  clReleaseCommandQueue(in_order);
  clReleaseCommandQueue(out_of_order);
  clReleaseContext(context);
  return 0;
}

static void plain(cl_command_queue queue, cl_uint wait_count, const cl_event *waits, cl_event *event) {
  assert_int_equal(clEnqueueNativeKernel(queue, run, NULL, 0, 0, NULL, NULL, wait_count, waits, event), CL_SUCCESS);
}

static void enqueue_user(cl_command_queue queue, cl_event *event) {
  assert_int_equal(enqueue_command_buffer_khr(1, &queue, user, 0, NULL, event), CL_SUCCESS);
}

/** The queue's commands went to that many command buffers behind that of the gate, each of which waited for the one
 * before it. `dispatches[0]` is the gate. */
static void assert_chain(size_t length) {
  assert_int_equal(clFlush(in_order), CL_SUCCESS);
  assert_int_equal(dispatch_count, length + 1);
  for (size_t i = 1; i <= length; i++) {
    assert_int_equal(dispatches[i].wait_count, 1);
    assert_ptr_equal(dispatches[i].waits[0], dispatches[i - 1].signal);
  }
  set_gate(true);
  assert_int_equal(clFinish(in_order), CL_SUCCESS);
}

static bool is_user(const dispatch_t *dispatch) { return dispatch->length == FILLS + 2; }

/* ---------------------------------------------------------------- cases */

/* M12 (2): the command after it does not join it. M13 (2): it waits for it. */
static void a_command_after_it_has_an_unused_buffer_and_waits(void **state) {
  (void)state;
  close_gate(in_order);
  enqueue_user(in_order, NULL);
  plain(in_order, 0, NULL, NULL);
  plain(in_order, 0, NULL, NULL);
  assert_chain(2);
  assert_true(is_user(&dispatches[1]));
  assert_ptr_not_equal(dispatches[1].commands, dispatches[2].commands);
  assert_int_equal(atomic_load(&runs), 2);
}

static void it_does_not_join_what_is_pending(void **state) {
  (void)state;
  close_gate(in_order);
  plain(in_order, 0, NULL, NULL);
  enqueue_user(in_order, NULL);
  enqueue_user(in_order, NULL);
  plain(in_order, 0, NULL, NULL);
  assert_chain(4);
  assert_true(is_user(&dispatches[2]) && is_user(&dispatches[3]));
  /* Pending twice, it needs two instances. */
  assert_ptr_not_equal(dispatches[2].commands, dispatches[3].commands);
}

/* M12 (3) does not make an exception of (2). */
static void a_command_with_its_event_does_not_join_it(void **state) {
  (void)state;
  cl_event event;
  close_gate(in_order);
  enqueue_user(in_order, &event);
  plain(in_order, 1, &event, NULL);
  assert_chain(2);
  assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
}

static void an_instance_is_used_again(void **state) {
  (void)state;
  enqueue_user(in_order, NULL);
  assert_int_equal(clFinish(in_order), CL_SUCCESS);
  enqueue_user(in_order, NULL);
  assert_int_equal(clFinish(in_order), CL_SUCCESS);
  assert_int_equal(dispatch_count, 2);
  assert_ptr_equal(dispatches[0].commands, dispatches[1].commands);
}

static void out_of_order_nothing_joins_it_however_much_is_pending(void **state) {
  (void)state;
  cl_event event;
  enqueue_user(out_of_order, &event);
  for (int i = 0; i < DISPATCH_LIMIT - 2; i++) plain(out_of_order, 1, &event, NULL);
  assert_int_equal(clFinish(out_of_order), CL_SUCCESS);
  assert_int_equal(atomic_load(&runs), DISPATCH_LIMIT - 2);
  for (size_t i = 0; i < dispatch_count; i++) assert_int_equal(is_user(&dispatches[i]), i == 0);
  assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
}

/* Terminated, it keeps its place in the order with an empty command buffer of the driver. */
static void a_terminated_one_is_not_executed(void **state) {
  (void)state;
  cl_int error;
  cl_event event = clCreateUserEvent(context, &error);
  close_gate(in_order);
  assert_int_equal(enqueue_command_buffer_khr(0, NULL, user, 1, &event, NULL), CL_SUCCESS);
  assert_int_equal(clSetUserEventStatus(event, -1), CL_SUCCESS);
  plain(in_order, 0, NULL, NULL);
  assert_chain(2);
  assert_false(is_user(&dispatches[1]));
  assert_int_equal(atomic_load(&runs), 1);
  assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, begin, end)
  const struct CMUnitTest tests[] = {
      CASE(a_command_after_it_has_an_unused_buffer_and_waits),
      CASE(it_does_not_join_what_is_pending),
      CASE(a_command_with_its_event_does_not_join_it),
      CASE(an_instance_is_used_again),
      CASE(out_of_order_nothing_joins_it_however_much_is_pending),
      CASE(a_terminated_one_is_not_executed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
