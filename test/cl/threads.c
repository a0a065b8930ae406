/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Calls from several threads at once: OpenCL is thread safe but for clSetKernelArg on one kernel. */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

#include "test_device.h"

enum { THREADS = 4, ROUNDS = 40, ITEMS = 256 };

/** What one thread works on; its first failure, or null. */
typedef struct worker_t {
  int number;
  cl_command_queue queue;
  cl_program program;
  const char *failed;
} worker_t;

/** In a worker thread cmocka's assertions cannot be used: they jump. */
#define TRY(worker, expression)       \
  do {                                \
    if ((expression) != CL_SUCCESS) { \
      (worker)->failed = #expression; \
      return (worker);                \
    }                                 \
  } while (0)
#define TRY_TRUE(worker, condition) TRY(worker, (condition) ? CL_SUCCESS : 1)

static void run_workers(void *(*work)(void *), worker_t workers[THREADS]) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) {
    workers[i].number = i;
    assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
  }
  for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
  for (int i = 0; i < THREADS; i++) {
    if (workers[i].failed != NULL) fail_msg("thread %d: %s", i, workers[i].failed);
  }
}

static const char *const source = "kernel void add(global int *p, int value) { p[get_global_id(0)] += value; }\n";

/** Each thread has its own kernel and buffer, and launches into the queue it was given. */
static void *launch(void *argument) {
  worker_t *worker = argument;
  cl_int error, values[ITEMS] = {0};
  const size_t items = ITEMS;
  cl_mem buffer = clCreateBuffer(dut.context, CL_MEM_COPY_HOST_PTR, sizeof(values), values, &error);
  TRY(worker, error);
  cl_kernel kernel = clCreateKernel(worker->program, "add", &error);
  TRY(worker, error);
  for (cl_int round = 1; round <= ROUNDS; round++) {
    TRY(worker, clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
    TRY(worker, clSetKernelArg(kernel, 1, sizeof(round), &round));
    TRY(worker, clEnqueueNDRangeKernel(worker->queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    if (round % 10 == 0) TRY(worker, clFinish(worker->queue));
  }
  TRY(worker, clEnqueueReadBuffer(worker->queue, buffer, CL_TRUE, 0, sizeof(values), values, 0, NULL, NULL));
  for (int i = 0; i < ITEMS; i++) TRY_TRUE(worker, values[i] == ROUNDS * (ROUNDS + 1) / 2);
  TRY(worker, clReleaseKernel(kernel));
  TRY(worker, clReleaseMemObject(buffer));
  return NULL;
}

static void threads_share_one_queue(void **state) {
  (void)state;
  worker_t workers[THREADS] = {0};
  cl_program program = test_program(source, NULL);
  for (int i = 0; i < THREADS; i++) {
    workers[i].queue = dut.queue;
    workers[i].program = program;
  }
  run_workers(launch, workers);
  ASSERT_CL(clReleaseProgram(program));
}

static void threads_have_queues_of_their_own(void **state) {
  (void)state;
  worker_t workers[THREADS] = {0};
  cl_program program = test_program(source, NULL);
  for (int i = 0; i < THREADS; i++) {
    workers[i].queue = test_other_queue(dut.context);
    workers[i].program = program;
  }
  run_workers(launch, workers);
  for (int i = 0; i < THREADS; i++) ASSERT_CL(clReleaseCommandQueue(workers[i].queue));
  ASSERT_CL(clReleaseProgram(program));
}

/** Each thread builds programs of its own, good and broken ones. */
static void *build(void *argument) {
  worker_t *worker = argument;
  for (int round = 0; round < 6; round++) {
    cl_int error;
    char text[128];
    const char *strings[1] = {text};
    const bool broken = round % 3 == 2;
    snprintf(text, sizeof(text), "kernel void k%d(global int *p) { *p = %s; }", round,
             broken ? "nothing" : "get_global_id(0)");
    cl_program program = clCreateProgramWithSource(dut.context, 1, strings, NULL, &error);
    TRY(worker, error);
    error = clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
    TRY_TRUE(worker, error == (broken ? CL_BUILD_PROGRAM_FAILURE : CL_SUCCESS));
    TRY(worker, clReleaseProgram(program));
  }
  return NULL;
}

static void threads_build_at_the_same_time(void **state) {
  (void)state;
  worker_t workers[THREADS] = {0};
  run_workers(build, workers);
}

/** Contexts, queues, buffers and events come and go in every thread. */
static void *create_and_release(void *argument) {
  worker_t *worker = argument;
  for (int round = 0; round < ROUNDS; round++) {
    cl_int error;
    const cl_int value = round;
    cl_event event;
    cl_context context = clCreateContext(NULL, 1, &dut.device, NULL, NULL, &error);
    TRY(worker, error);
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, dut.device, NULL, &error);
    TRY(worker, error);
    cl_mem buffer = clCreateBuffer(context, 0, 4096, NULL, &error);
    TRY(worker, error);
    TRY(worker, clEnqueueFillBuffer(queue, buffer, &value, sizeof(value), 0, 4096, 0, NULL, &event));
    TRY(worker, clReleaseMemObject(buffer));
    TRY(worker, clReleaseContext(context));
    TRY(worker, clWaitForEvents(1, &event));
    TRY(worker, clReleaseEvent(event));
    TRY(worker, clReleaseCommandQueue(queue));
  }
  return NULL;
}

static void objects_come_and_go_in_every_thread(void **state) {
  (void)state;
  worker_t workers[THREADS] = {0};
  run_workers(create_and_release, workers);
}

/** One thread completes the user events that the commands of another wait for. */
static void *open_gates(void *argument) {
  cl_event *gates = argument;
  for (int i = 0; i < ROUNDS; i++) {
    sched_yield();
    if (clSetUserEventStatus(gates[i], CL_COMPLETE) != CL_SUCCESS) return argument;
  }
  return NULL;
}

static void user_events_are_completed_by_another_thread(void **state) {
  (void)state;
  cl_int error, result = 0;
  cl_event gates[ROUNDS], events[ROUNDS];
  pthread_t thread;
  void *failed = NULL;
  cl_mem buffer = test_buffer(sizeof(cl_int), NULL);
  for (cl_int i = 0; i < ROUNDS; i++) {
    gates[i] = clCreateUserEvent(dut.context, &error);
    ASSERT_CL(error);
    ASSERT_CL(clEnqueueFillBuffer(dut.queue, buffer, &i, sizeof(i), 0, sizeof(i), 1, &gates[i], &events[i]));
  }
  ASSERT_CL(clFlush(dut.queue));
  assert_int_equal(pthread_create(&thread, NULL, open_gates, gates), 0);
  ASSERT_CL(clWaitForEvents(ROUNDS, events));
  assert_int_equal(pthread_join(thread, &failed), 0);
  assert_null(failed);
  test_read(buffer, sizeof(result), &result);
  assert_int_equal(result, ROUNDS - 1);
  for (int i = 0; i < ROUNDS; i++) {
    ASSERT_CL(clReleaseEvent(gates[i]));
    ASSERT_CL(clReleaseEvent(events[i]));
  }
  ASSERT_CL(clReleaseMemObject(buffer));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(threads_share_one_queue),
      cmocka_unit_test(threads_have_queues_of_their_own),
      cmocka_unit_test(threads_build_at_the_same_time),
      cmocka_unit_test(objects_come_and_go_in_every_thread),
      cmocka_unit_test(user_events_are_completed_by_another_thread),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
