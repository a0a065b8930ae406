/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Commands that are under way when the process forks: they are the parent's. In the child they have failed, and their
 * queues are good for new ones. */
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test_device.h"

enum { BYTES = 256, COMMANDS = 4 };

/** Two queues of a context, with commands in all states. */
typedef struct scene_t {
  cl_context context;
  cl_command_queue queue, other;
  /** What each of them fills: nothing orders their commands. */
  cl_mem buffer, others;
  cl_event user;
  /** Running, waiting for that, waiting for the user event, not flushed. */
  cl_event events[COMMANDS];
} scene_t;

static atomic_bool entered, gate;
static atomic_int calls;

static void CL_CALLBACK pass_gate(void *argument) {
  (void)argument;
  atomic_store(&entered, true);
  while (!atomic_load(&gate)) usleep(100);
}

static void CL_CALLBACK count_call(cl_event event, cl_int status, void *data) {
  (void)event, (void)status, (void)data;
  atomic_fetch_add(&calls, 1);
}

static void scene_open(scene_t *scene) {
  cl_int error;
  *scene = (scene_t){.context = clCreateContext(NULL, 1, &dut.device, NULL, NULL, &error)};
  ASSERT_CL(error);
  scene->queue = clCreateCommandQueueWithProperties(scene->context, dut.device, NULL, &error);
  ASSERT_CL(error);
  scene->other = clCreateCommandQueueWithProperties(scene->context, dut.device, NULL, &error);
  ASSERT_CL(error);
  scene->buffer = clCreateBuffer(scene->context, 0, BYTES, NULL, &error);
  ASSERT_CL(error);
  scene->others = clCreateBuffer(scene->context, 0, BYTES, NULL, &error);
  ASSERT_CL(error);
  scene->user = clCreateUserEvent(scene->context, &error);
  ASSERT_CL(error);
}

static void scene_close(scene_t *scene) {
  for (int i = 0; i < COMMANDS; i++) {
    if (scene->events[i]) ASSERT_CL(clReleaseEvent(scene->events[i]));
  }
  ASSERT_CL(clReleaseEvent(scene->user));
  ASSERT_CL(clReleaseMemObject(scene->buffer));
  ASSERT_CL(clReleaseMemObject(scene->others));
  ASSERT_CL(clReleaseCommandQueue(scene->queue));
  ASSERT_CL(clReleaseCommandQueue(scene->other));
  ASSERT_CL(clReleaseContext(scene->context));
}

static void fill(scene_t *scene, cl_command_queue queue, const cl_event *wait, cl_event *event) {
  const cl_uint pattern = 5;
  cl_mem buffer = queue == scene->other ? scene->others : scene->buffer;
  ASSERT_CL(clEnqueueFillBuffer(queue, buffer, &pattern, sizeof pattern, 0, BYTES, wait ? 1 : 0, wait, event));
}

static void scene_begin(scene_t *scene) {
  cl_event *events = scene->events;
  ASSERT_CL(clEnqueueNativeKernel(scene->queue, pass_gate, NULL, 0, 0, NULL, NULL, 0, NULL, &events[0]));
  ASSERT_CL(clFlush(scene->queue));
  fill(scene, scene->queue, &events[0], &events[1]);
  ASSERT_CL(clFlush(scene->queue));
  fill(scene, scene->other, &scene->user, &events[2]);
  ASSERT_CL(clFlush(scene->other));
  fill(scene, scene->queue, NULL, &events[3]);
  for (int i = 0; i < COMMANDS; i++) ASSERT_CL(clSetEventCallback(events[i], CL_COMPLETE, count_call, NULL));
  while (!atomic_load(&entered)) usleep(100);
}

/* In a child: no assertions, which jump. The step that fails, or 0. */
static int use_queue(const scene_t *scene, cl_command_queue queue) {
  cl_uint pattern = 7, seen[BYTES / sizeof(cl_uint)] = {0};
  cl_event event;
  if (clEnqueueFillBuffer(queue, scene->buffer, &pattern, sizeof pattern, 0, BYTES, 0, NULL, NULL)) return 1;
  if (clEnqueueReadBuffer(queue, scene->buffer, CL_FALSE, 0, BYTES, seen, 0, NULL, &event)) return 2;
  if (clWaitForEvents(1, &event) || clReleaseEvent(event) || clFinish(queue)) return 3;
  return seen[BYTES / sizeof pattern - 1] == pattern ? 0 : 4;
}

static cl_int event_state(cl_event event) {
  cl_int status = CL_QUEUED;
  clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
  return status;
}

static int check_child(const scene_t *scene) {
  alarm(30);
  if (clWaitForEvents(1, &scene->events[1]) != CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST) return 11;
  if (clFinish(scene->queue) || clFinish(scene->other)) return 12;
  for (int i = 0; i < COMMANDS; i++) {
    if (event_state(scene->events[i]) != CL_OUT_OF_RESOURCES) return 20 + i;
  }
  cl_uint word;
  if (clEnqueueReadBuffer(scene->other, scene->buffer, CL_TRUE, 0, sizeof word, &word, 1, &scene->events[3], NULL) !=
      CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
    return 13;
  int failed = use_queue(scene, scene->queue);
  if (!failed) failed = use_queue(scene, scene->other);
  if (failed) return 30 + failed;
  /* The parent's user event is the child's too, but nothing waits for it any more. */
  if (clSetUserEventStatus(scene->user, CL_COMPLETE) || clFinish(scene->other)) return 14;
  return atomic_load(&calls) ? 15 : 0;
}

static void await_child(pid_t child) {
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  if (status != 0) fail_msg("the child ended with status 0x%x", (unsigned)status);
}

static void commands_of_the_parent_have_failed_in_the_child(void **state) {
  (void)state;
  scene_t scene;
  SKIP_UNLESS_QUERN();
  scene_open(&scene);
  scene_begin(&scene);
  pid_t child = fork();
  if (child == 0) _exit(check_child(&scene));
  await_child(child);
  atomic_store(&gate, true);
  ASSERT_CL(clSetUserEventStatus(scene.user, CL_COMPLETE));
  ASSERT_CL(clFinish(scene.queue));
  ASSERT_CL(clFinish(scene.other));
  for (int i = 0; i < COMMANDS; i++) assert_int_equal(event_state(scene.events[i]), CL_COMPLETE);
  assert_int_equal(atomic_load(&calls), COMMANDS);
  scene_close(&scene);
}

static atomic_int forked;

/* In the child of a callback its batch goes on, as its thread does. */
static void CL_CALLBACK fork_in_callback(cl_event event, cl_int status, void *data) {
  scene_t *scene = data;
  (void)event, (void)status;
  pid_t child = fork();
  if (child == 0) {
    alarm(30);
    if (event_state(scene->events[1]) < CL_COMPLETE) _exit(8);
    if (event_state(scene->events[2]) != CL_OUT_OF_RESOURCES) _exit(9);
    _exit(use_queue(scene, scene->other));
  }
  atomic_store(&forked, (int)child);
}

static void callbacks_may_fork(void **state) {
  (void)state;
  scene_t scene;
  SKIP_UNLESS_QUERN();
  scene_open(&scene);
  fill(&scene, scene.other, &scene.user, &scene.events[2]);
  ASSERT_CL(clFlush(scene.other));
  for (int i = 0; i < 2; i++) fill(&scene, scene.queue, NULL, &scene.events[i]);
  /* Last: its command may be over before the queue is flushed here (cl/queueing/implicit_flush.h). */
  ASSERT_CL(clSetEventCallback(scene.events[0], CL_COMPLETE, fork_in_callback, &scene));
  ASSERT_CL(clFinish(scene.queue));
  await_child(atomic_load(&forked));
  ASSERT_CL(clSetUserEventStatus(scene.user, CL_COMPLETE));
  ASSERT_CL(clWaitForEvents(3, scene.events));
  scene_close(&scene);
}

int main(void) {
  setenv("QUERN_NUM_THREADS", "4", 1);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(commands_of_the_parent_have_failed_in_the_child),
      cmocka_unit_test(callbacks_may_fork),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
