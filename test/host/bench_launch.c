/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Prints what launching costs. Not a test: numbers are for people. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "support.h"

#define ROUNDS 2000
#define BATCH 20000

static int number_compare(const void *a, const void *b) {
  uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
  return (left > right) - (left < right);
}

static void samples_print(const char *what, uint64_t *samples, size_t count) {
  qsort(samples, count, sizeof *samples, number_compare);
  printf("%-52s median %7.2f us, 90%% %7.2f us\n", what, (double)samples[count / 2] / 1e3,
         (double)samples[count * 9 / 10] / 1e3);
}

static uint64_t process_time_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void launch_and_wait(host_test_t *test, mux_kernel_t kernel, size_t groups, const char *what) {
  static uint64_t samples[ROUNDS];
  mux_command_buffer_t commands = command_buffer_create(test);
  for (size_t i = 0; i < ROUNDS; ++i) {
    uint64_t start = clock_now_ns();
    assert_int_equal(muxResetCommandBuffer(commands), mux_success);
    assert_int_equal(launch_record(commands, kernel, groups, 1, NULL, 0), mux_success);
    run(test, commands);
    samples[i] = clock_now_ns() - start;
  }
  samples_print(what, samples, ROUNDS);
  command_buffer_destroy(test, commands);
}

/* With pauses, in which workers fall asleep: what a program pays that enqueues now and then. */
static void launch_now_and_then(host_test_t *test, mux_kernel_t kernel) {
  enum { rounds = 500 };
  static uint64_t dispatches[rounds], waits[rounds];
  struct timespec pause = {.tv_nsec = 200000};
  mux_command_buffer_t commands = command_buffer_create(test);
  assert_int_equal(launch_record(commands, kernel, 1, 1, NULL, 0), mux_success);
  assert_int_equal(muxFinalizeCommandBuffer(commands), mux_success);
  for (size_t i = 0; i < rounds; ++i) {
    nanosleep(&pause, NULL);
    uint64_t start = clock_now_ns();
    assert_int_equal(dispatch(test->queue, commands), mux_success);
    uint64_t middle = clock_now_ns();
    assert_int_equal(muxWaitAll(test->queue), mux_success);
    dispatches[i] = middle - start;
    waits[i] = clock_now_ns() - middle;
  }
  samples_print("now and then: dispatch", dispatches, rounds);
  samples_print("now and then: wait", waits, rounds);
  command_buffer_destroy(test, commands);
}

static void launch_batch(host_test_t *test, mux_kernel_t kernel) {
  static uint64_t samples[20];
  mux_command_buffer_t commands = command_buffer_create(test);
  for (size_t i = 0; i < 20; ++i) {
    uint64_t start = clock_now_ns();
    assert_int_equal(muxResetCommandBuffer(commands), mux_success);
    for (size_t k = 0; k < BATCH; ++k) assert_true(!launch_record(commands, kernel, 1, 1, NULL, 0));
    run(test, commands);
    samples[i] = (clock_now_ns() - start) * 1000 / BATCH;
  }
  qsort(samples, 20, sizeof *samples, number_compare);
  printf("%-52s median %7.1f ns\n", "20,000 empty launches in one command buffer, each", (double)samples[10] / 1e3);
  command_buffer_destroy(test, commands);
}

static void dispatch_many(host_test_t *test, mux_kernel_t kernel) {
  enum { count = 1000 };
  static uint64_t samples[20];
  mux_command_buffer_t commands[count];
  for (size_t k = 0; k < count; ++k) {
    commands[k] = command_buffer_create(test);
    assert_int_equal(launch_record(commands[k], kernel, 1, 1, NULL, 0), mux_success);
    assert_int_equal(muxFinalizeCommandBuffer(commands[k]), mux_success);
  }
  for (size_t i = 0; i < 20; ++i) {
    uint64_t start = clock_now_ns();
    for (size_t k = 0; k < count; ++k) assert_true(!dispatch(test->queue, commands[k]));
    assert_int_equal(muxWaitAll(test->queue), mux_success);
    samples[i] = (clock_now_ns() - start) * 1000 / count;
  }
  qsort(samples, 20, sizeof *samples, number_compare);
  printf("%-52s median %7.1f ns\n", "1,000 independent dispatches, each", (double)samples[10] / 1e3);
  for (size_t k = 0; k < count; ++k) command_buffer_destroy(test, commands[k]);
}

static void dispatch_chain(host_test_t *test, mux_kernel_t kernel) {
  enum { count = 1000 };
  static uint64_t samples[20];
  static mux_command_buffer_t commands[count];
  static mux_semaphore_t semaphores[count];
  for (size_t k = 0; k < count; ++k) {
    commands[k] = command_buffer_create(test);
    assert_int_equal(muxCreateSemaphore(test->device, allocator, &semaphores[k]), mux_success);
    assert_int_equal(launch_record(commands[k], kernel, 1, 1, NULL, 0), mux_success);
    assert_int_equal(muxFinalizeCommandBuffer(commands[k]), mux_success);
  }
  for (size_t i = 0; i < 20; ++i) {
    for (size_t k = 0; k < count; ++k) assert_true(!muxResetSemaphore(semaphores[k]));
    uint64_t start = clock_now_ns();
    for (size_t k = 0; k < count; ++k)
      assert_true(!muxDispatch(test->queue, commands[k], NULL, k ? &semaphores[k - 1] : NULL, k ? 1 : 0, &semaphores[k],
                               1, NULL, NULL));
    assert_int_equal(muxWaitAll(test->queue), mux_success);
    samples[i] = (clock_now_ns() - start) * 1000 / count;
  }
  qsort(samples, 20, sizeof *samples, number_compare);
  printf("%-52s median %7.1f ns\n", "1,000 dispatches in a chain, each", (double)samples[10] / 1e3);
  for (size_t k = 0; k < count; ++k) {
    command_buffer_destroy(test, commands[k]);
    muxDestroySemaphore(test->device, semaphores[k], allocator);
  }
}

/* Work-groups of cost 0 to 15 units. */
static void uneven(host_test_t *test) {
  enum { groups = 512 };
  mux_kernel_t kernel = kernel_create(test, "uneven");
  host_test_buffer_t counts = buffer_create(test, groups * sizeof(uint32_t));
  uint64_t period = 16, work = 3000, best = UINT64_MAX, busy = 0;
  mux_descriptor_info_t args[] = {buffer_arg(counts.buffer), value_arg(&period, 8), value_arg(&work, 8)};
  mux_command_buffer_t commands = command_buffer_create(test);
  for (int i = 0; i < 10; ++i) {
    assert_int_equal(muxResetCommandBuffer(commands), mux_success);
    assert_int_equal(launch_record(commands, kernel, groups, 1, args, 3), mux_success);
    uint64_t start = clock_now_ns(), used = process_time_ns();
    run(test, commands);
    uint64_t time = clock_now_ns() - start;
    if (time < best) best = time, busy = process_time_ns() - used;
  }
  printf("%-52s %7.2f ms, %4.2f processors busy\n", "work-groups of uneven cost", (double)best / 1e6,
         (double)busy / (double)best);
  command_buffer_destroy(test, commands);
  buffer_destroy(test, &counts);
  kernel_destroy(test, kernel);
}

static void copy_speed(host_test_t *test) {
  size_t size = (size_t)64 << 20;
  host_test_buffer_t a = buffer_create(test, size), b = buffer_create(test, size);
  mux_command_buffer_t commands = command_buffer_create(test);
  uint64_t best = UINT64_MAX, plain = UINT64_MAX;
  assert_int_equal(muxCommandCopyBuffer(commands, a.buffer, 0, b.buffer, 0, size, 0, NULL, NULL), mux_success);
  assert_int_equal(muxFinalizeCommandBuffer(commands), mux_success);
  for (int i = 0; i < 10; ++i) {
    uint64_t start = clock_now_ns();
    assert_int_equal(dispatch(test->queue, commands), mux_success);
    assert_int_equal(muxWaitAll(test->queue), mux_success);
    uint64_t middle = clock_now_ns();
    memcpy(b.data, a.data, size);
    uint64_t end = clock_now_ns();
    if (middle - start < best) best = middle - start;
    if (end - middle < plain) plain = end - middle;
  }
  printf("%-52s %7.2f ms, memcpy %7.2f ms\n", "copy of 64 MiB", (double)best / 1e6, (double)plain / 1e6);
  command_buffer_destroy(test, commands);
  buffer_destroy(test, &a);
  buffer_destroy(test, &b);
}

static void idle(void) {
  uint64_t used = process_time_ns();
  struct timespec second = {.tv_sec = 1};
  nanosleep(&second, NULL);
  printf("%-52s %7.1f us\n", "processor time of an idle second", (double)(process_time_ns() - used) / 1e3);
}

static void bench(void **state) {
  host_test_t test;
  (void)state;
  uint64_t start = clock_now_ns();
  host_test_begin(&test);
  printf("%-52s %7.2f us\n", "device, queue, executable", (double)(clock_now_ns() - start) / 1e3);
  mux_kernel_t kernel = kernel_create(&test, "empty");
  launch_and_wait(&test, kernel, 1, "record, dispatch, wait: one work-group");
  launch_and_wait(&test, kernel, 1000, "record, dispatch, wait: 1,000 empty work-groups");
  launch_now_and_then(&test, kernel);
  launch_batch(&test, kernel);
  dispatch_many(&test, kernel);
  dispatch_chain(&test, kernel);
  uneven(&test);
  copy_speed(&test);
  idle();
  kernel_destroy(&test, kernel);
  host_test_end(&test);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(bench)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
