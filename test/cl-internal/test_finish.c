/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * clFinish is muxWaitAll, as long as that waits for nobody else's commands. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "cl/device/device.h"
#include "cl/queueing/queue.h"

static atomic_int wait_count;
static _Atomic(mux_queue_t) waited_for;

mux_result_t __real_muxWaitAll(mux_queue_t queue);
mux_result_t __wrap_muxWaitAll(mux_queue_t queue);

mux_result_t __wrap_muxWaitAll(mux_queue_t queue) {
  atomic_fetch_add(&wait_count, 1);
  atomic_store(&waited_for, queue);
  return __real_muxWaitAll(queue);
}

static cl_device_id device;
static cl_context context;
/* `sharer` has the same Mux queue as `queue`. */
static cl_command_queue queue, sharer;
static atomic_bool gate_is_open, gate_is_reached;

static void CL_CALLBACK gate_pass(void *args) {
  (void)args;
  atomic_store(&gate_is_reached, true);
  while (!atomic_load(&gate_is_open)) usleep(100);
}

/* So long that clFinish finds it under way. */
static void CL_CALLBACK nap(void *args) {
  (void)args;
  usleep(100000);
}

static cl_command_queue queue_make(void) {
  cl_int error;
  cl_command_queue made = clCreateCommandQueueWithProperties(context, device, NULL, &error);
  assert_int_equal(error, CL_SUCCESS);
  return made;
}

static int begin(void **state) {
  (void)state;
  cl_platform_id platform;
  cl_int error;
  if (clGetPlatformIDs(1, &platform, NULL) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL)) return -1;
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  if (error) return error;
  queue = queue_make();
  cl_command_queue others[64];
  size_t count = 0;
  for (sharer = queue_make(); sharer->mux_queue != queue->mux_queue && count < 64; sharer = queue_make()) {
    others[count++] = sharer;
  }
  while (count) clReleaseCommandQueue(others[--count]);
  return sharer->mux_queue != queue->mux_queue;
}

static int end(void **state) {
  (void)state;
  return clReleaseCommandQueue(queue) || clReleaseCommandQueue(sharer) || clReleaseContext(context);
}

static void enqueue_gate(cl_command_queue on) {
  assert_int_equal(clEnqueueNativeKernel(on, gate_pass, NULL, 0, 0, NULL, NULL, 0, NULL, NULL), CL_SUCCESS);
  assert_int_equal(clFlush(on), CL_SUCCESS);
}

/* Opens the gate once the thread that finishes has come to wait. */
static void *open_later(void *unused) {
  (void)unused;
  for (int i = 0; i < 20000 && !atomic_load(&wait_count); i++) usleep(100);
  atomic_store(&gate_is_open, true);
  return NULL;
}

static void finish_waits_for_the_whole_mux_queue(void **state) {
  (void)state;
  pthread_t thread;
  atomic_store(&gate_is_open, false);
  atomic_store(&wait_count, 0);
  enqueue_gate(queue);
  assert_int_equal(pthread_create(&thread, NULL, open_later, NULL), 0);
  assert_int_equal(clFinish(queue), CL_SUCCESS);
  assert_int_equal(pthread_join(thread, NULL), 0);
  assert_int_equal(atomic_load(&wait_count), 1);
  assert_ptr_equal(atomic_load(&waited_for), queue->mux_queue->queue);
}

static atomic_bool has_waited;

/* The rest of what its thread owes to the command's batch is done first. */
static void CL_CALLBACK wait_inside(cl_event event, cl_int status, void *data) {
  (void)event, (void)data;
  assert_int_equal(status, CL_COMPLETE);
  assert_int_equal(clFinish(queue), CL_SUCCESS);
  atomic_store(&has_waited, true);
}

static void a_batch_whose_callback_waits_is_complete_once(void **state) {
  (void)state;
  for (int round = 0; round < 10; round++) {
    cl_event event;
    atomic_store(&has_waited, false);
    assert_int_equal(clEnqueueMarkerWithWaitList(queue, 0, NULL, &event), CL_SUCCESS);
    assert_int_equal(clSetEventCallback(event, CL_COMPLETE, wait_inside, NULL), CL_SUCCESS);
    assert_int_equal(clFlush(queue), CL_SUCCESS);
    while (!atomic_load(&has_waited)) usleep(100);
    assert_int_equal(clFinish(queue), CL_SUCCESS);
    assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
    /* What the thread does behind the callback. */
    usleep(2000);
    assert_int_equal(atomic_load(&queue->mux_queue->in_flight), 0);
  }
}

static void an_idle_queue_waits_for_nothing(void **state) {
  (void)state;
  atomic_store(&wait_count, 0);
  assert_int_equal(clFinish(queue), CL_SUCCESS);
  assert_int_equal(atomic_load(&wait_count), 0);
}

/* Would hang. A thread of the device has come to the gate, not this one, which helps while it waits. */
static void finish_does_not_wait_for_the_commands_of_others(void **state) {
  (void)state;
  atomic_store(&gate_is_open, false);
  atomic_store(&wait_count, 0);
  atomic_store(&gate_is_reached, false);
  enqueue_gate(sharer);
  while (!atomic_load(&gate_is_reached)) usleep(100);
  assert_int_equal(clEnqueueNativeKernel(queue, nap, NULL, 0, 0, NULL, NULL, 0, NULL, NULL), CL_SUCCESS);
  assert_int_equal(clFinish(queue), CL_SUCCESS);
  assert_int_equal(atomic_load(&wait_count), 0);
  assert_false(atomic_load(&gate_is_open));
  atomic_store(&gate_is_open, true);
  assert_int_equal(clFinish(sharer), CL_SUCCESS);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(finish_waits_for_the_whole_mux_queue),
      cmocka_unit_test(a_batch_whose_callback_waits_is_complete_once),
      cmocka_unit_test(an_idle_queue_waits_for_nothing),
      cmocka_unit_test(finish_does_not_wait_for_the_commands_of_others),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
