/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Children of a process of which other threads are in the driver at that very moment: whatever lock those have, a child
 * can use the device with objects of its own. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test_device.h"

enum { THREADS = 3, CHILDREN = 200, BYTES = 256 };

/** From context to result; the step that fails, or 0. No assertions, which jump: it runs in threads and children. */
static int use_device(cl_device_id device) {
  cl_int error;
  cl_uint value = 7, seen[BYTES / sizeof(cl_uint)] = {0};
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  if (error) return 1;
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
  if (error) return 2;
  cl_mem buffer = clCreateBuffer(context, 0, BYTES, NULL, &error);
  if (error) return 3;
  for (int i = 0; i < 5; i++) {
    if (clEnqueueFillBuffer(queue, buffer, &value, sizeof value, 0, BYTES, 0, NULL, NULL)) return 4;
    if (clFlush(queue)) return 5;
  }
  if (clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, BYTES, seen, 0, NULL, NULL)) return 6;
  if (seen[0] != value || seen[BYTES / sizeof value - 1] != value) return 7;
  if (clReleaseMemObject(buffer) || clReleaseCommandQueue(queue) || clReleaseContext(context)) return 8;
  return 0;
}

/** Sub-devices have locks of their own. */
static int use_sub_devices(void) {
  const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 2, 0};
  cl_device_id parts[2];
  if (clCreateSubDevices(dut.device, equally, 2, parts, NULL)) return 11;
  int failed = use_device(parts[1]);
  if (clReleaseDevice(parts[0]) || clReleaseDevice(parts[1])) return 12;
  return failed;
}

static int use_device_or_parts(size_t number) { return number % 2 ? use_sub_devices() : use_device(dut.device); }

/** In the context that all threads and the child share. */
static int use_shared_memory(size_t number) {
  void *memory[16];
  for (int i = 0; i < 16; i++)
    if (!(memory[i] = clSVMAlloc(dut.context, CL_MEM_READ_WRITE, BYTES + number, 0))) return 21;
  for (int i = 0; i < 16; i++) clSVMFree(dut.context, memory[i]);
  return 0;
}

/* ---------------------------------------------------------------- busy processes */

/** What threads and children do, each with its number. */
typedef int (*use_t)(size_t number);

typedef struct busy_t {
  use_t use;
  size_t number;
  pthread_t thread;
} busy_t;

static atomic_bool stop;
static atomic_int failures;

static void *keep_busy(void *argument) {
  const busy_t *busy = argument;
  while (!atomic_load(&stop))
    if (busy->use(busy->number)) atomic_fetch_add(&failures, 1);
  return NULL;
}

static void check_child(use_t use, int number) {
  int status = 0;
  pid_t child = fork();
  if (child == 0) {
    alarm(30);
    _exit(use((size_t)number));
  }
  assert_int_equal(waitpid(child, &status, 0), child);
  if (status != 0) fail_msg("child %d ended with status 0x%x", number, (unsigned)status);
}

static void check_children(use_t use) {
  busy_t threads[THREADS];
  atomic_store(&stop, false);
  for (size_t i = 0; i < THREADS; i++) {
    threads[i] = (busy_t){.use = use, .number = i + 1};
    assert_int_equal(pthread_create(&threads[i].thread, NULL, keep_busy, &threads[i]), 0);
  }
  for (int i = 0; i < CHILDREN; i++) check_child(use, i);
  atomic_store(&stop, true);
  for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_join(threads[i].thread, NULL), 0);
  assert_int_equal(atomic_load(&failures), 0);
}

static void children_of_a_busy_process_use_the_device(void **state) {
  (void)state;
  check_children(use_device_or_parts);
}

static void children_of_a_busy_process_share_memory(void **state) {
  (void)state;
  check_children(use_shared_memory);
}

/* ---------------------------------------------------------------- sleepers */

typedef struct sleep_t {
  cl_context context;
  cl_event event;
  pthread_t thread;
} sleep_t;

static void *sleep_on_event(void *event) {
  clWaitForEvents(1, event);
  return NULL;
}

/** A thread that waits for a user event, and most likely sleeps by now; false when something fails. */
static bool sleep_begin(sleep_t *sleep) {
  cl_int error;
  sleep->event = clCreateUserEvent(sleep->context, &error);
  if (error || pthread_create(&sleep->thread, NULL, sleep_on_event, &sleep->event)) return false;
  usleep(20000);
  return true;
}

static bool sleep_end(sleep_t *sleep) {
  if (clSetUserEventStatus(sleep->event, CL_COMPLETE) || pthread_join(sleep->thread, NULL)) return false;
  return !clReleaseEvent(sleep->event);
}

/* Whoever waits when the process forks is not in the child; the child's own waiters do not notice. */
static int sleep_anew(const sleep_t *outer) {
  sleep_t sleep = {.context = outer->context};
  alarm(30);
  if (!sleep_begin(&sleep) || !sleep_end(&sleep)) return 1;
  return clReleaseEvent(outer->event) || clReleaseContext(outer->context) ? 2 : 0;
}

static void sleepers_of_the_parent_are_forgotten(void **state) {
  (void)state;
  cl_int error;
  int status = 0;
  sleep_t sleep = {.context = clCreateContext(NULL, 1, &dut.device, NULL, NULL, &error)};
  ASSERT_CL(error);
  assert_true(sleep_begin(&sleep));
  pid_t child = fork();
  if (child == 0) _exit(sleep_anew(&sleep));
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(sleep_end(&sleep));
  ASSERT_CL(clReleaseContext(sleep.context));
  assert_int_equal(status, 0);
}

int main(void) {
  setenv("QUERN_NUM_THREADS", "4", 1);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(children_of_a_busy_process_use_the_device),
      cmocka_unit_test(children_of_a_busy_process_share_memory),
      cmocka_unit_test(sleepers_of_the_parent_are_forgotten),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
