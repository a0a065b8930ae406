/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What applications do with POSIX threads: threads that are cancelled in a call, which then ends as if they were not,
 * and processes that have used up thread-specific data. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "test_device.h"
#include "test_process.h"

enum { ROUNDS = 20, ITEMS = 1000 };

/* ------------------------------------------------------------ cancelled threads */

static atomic_bool has_begun, may_go;

/** Sleeps, which is where a thread is cancelled, until it may go. */
static void CL_CALLBACK linger(void *unused) {
  (void)unused;
  atomic_store(&has_begun, true);
  while (!atomic_load(&may_go)) usleep(1000);
}

static void *finish(void *queue) {
  atomic_store(&has_begun, true);
  ASSERT_CL(clFinish(queue));
  pthread_testcancel();
  return NULL;
}

static void *build(void *program) {
  atomic_store(&has_begun, true);
  ASSERT_CL(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
  pthread_testcancel();
  return NULL;
}

/** Cancels a thread that is in `body` or about to be. The caller then lets it end, and joins it. */
static pthread_t cancel_in(void *(*body)(void *), void *argument) {
  pthread_t thread;
  atomic_store(&has_begun, false);
  atomic_store(&may_go, false);
  assert_int_equal(pthread_create(&thread, NULL, body, argument), 0);
  while (!atomic_load(&has_begun)) usleep(100);
  usleep(2000);
  assert_int_equal(pthread_cancel(thread), 0);
  usleep(2000);
  return thread;
}

static void join_cancelled(pthread_t thread) {
  void *result;
  assert_int_equal(pthread_join(thread, &result), 0);
  assert_ptr_equal(result, PTHREAD_CANCELED);
}

static cl_command_queue queue_create(void) {
  cl_int error;
  cl_command_queue queue = clCreateCommandQueueWithProperties(dut.context, dut.device, NULL, &error);
  ASSERT_CL(error);
  return queue;
}

/** A queue that waits for the other one ends, and goes on. */
static void check_others(cl_event event) {
  cl_command_queue other = queue_create();
  ASSERT_CL(clEnqueueMarkerWithWaitList(other, event != NULL, event != NULL ? &event : NULL, NULL));
  ASSERT_CL(clFinish(other));
  ASSERT_CL(clFinish(dut.queue));
  ASSERT_CL(clReleaseCommandQueue(other));
}

/** The thread may be the one that executes it. */
static void while_a_native_kernel_runs(void **state) {
  (void)state;
  cl_event event;
  for (int round = 0; round < ROUNDS; round++) {
    atomic_store(&may_go, false); /* before the kernel, which may begin at once */
    ASSERT_CL(clEnqueueNativeKernel(dut.queue, linger, NULL, 0, 0, NULL, NULL, 0, NULL, &event));
    pthread_t thread = cancel_in(finish, dut.queue);
    atomic_store(&may_go, true);
    check_others(event);
    join_cancelled(thread);
    ASSERT_CL(clReleaseEvent(event));
  }
}

static void while_it_waits_for_a_user_event(void **state) {
  (void)state;
  cl_int error;
  for (int round = 0; round < ROUNDS; round++) {
    cl_event event = clCreateUserEvent(dut.context, &error);
    ASSERT_CL(error);
    ASSERT_CL(clEnqueueMarkerWithWaitList(dut.queue, 1, &event, NULL));
    pthread_t thread = cancel_in(finish, dut.queue);
    ASSERT_CL(clSetUserEventStatus(event, CL_COMPLETE));
    check_others(event);
    join_cancelled(thread);
    ASSERT_CL(clReleaseEvent(event));
  }
}

static void while_it_builds(void **state) {
  (void)state;
  cl_int error;
  char text[128];
  const char *source = text;
  for (int round = 0; round < ROUNDS; round++) {
    snprintf(text, sizeof text, "kernel void k(global float *p) { *p = sin(*p) + %d; }", round);
    cl_program program = clCreateProgramWithSource(dut.context, 1, &source, NULL, &error);
    ASSERT_CL(error);
    pthread_t thread = cancel_in(build, program);
    join_cancelled(thread);
    cl_kernel kernel = clCreateKernel(program, "k", &error);
    ASSERT_CL(error);
    ASSERT_CL(clReleaseKernel(kernel));
    ASSERT_CL(clReleaseProgram(program));
  }
}

/* ------------------------------------------------------------ no keys */

static int run_without_keys(void) {
  void *state = NULL;
  pthread_key_t key;
  cl_int values[ITEMS] = {0};
  const size_t items = ITEMS;
  while (pthread_key_create(&key, NULL) == 0) continue;
  if (test_device_open(&state) != 0) return 1;
  cl_mem buffer = test_buffer(sizeof values, values);
  cl_kernel kernel = test_kernel("kernel void k(global int *p) { p[get_global_id(0)] = 7; }", NULL, "k");
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  test_read(buffer, sizeof values, values);
  int right = 0;
  for (int i = 0; i < ITEMS; i++) right += values[i] == 7;
  printf("%d right\n", right);
  ASSERT_CL(clReleaseKernel(kernel));
  ASSERT_CL(clReleaseMemObject(buffer));
  return test_device_close(&state) != 0;
}

static void where_all_keys_are_taken_kernels_run(void **state) {
  (void)state;
  char output[256];
  assert_int_equal(test_run_self("without keys", output, sizeof output), 0);
  assert_string_equal(output, "1000 right\n");
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "without keys") == 0) return run_without_keys();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(where_all_keys_are_taken_kernels_run),
      cmocka_unit_test(while_a_native_kernel_runs),
      cmocka_unit_test(while_it_waits_for_a_user_event),
      cmocka_unit_test(while_it_builds),
  };
  /* What hangs fails. */
  alarm(100);
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
