/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A child of a process that has used the device uses it too, as Python's multiprocessing does. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support.h"

#define GROUPS 20000

static host_test_t test;

/* No assertions of cmocka in the child: its exit code tells. */
static int launch_in_this_process(void) {
  mux_kernel_t kernel = NULL;
  mux_command_buffer_t commands = NULL;
  static uint32_t counts[GROUPS];
  mux_descriptor_info_t arg = {.type = mux_descriptor_info_type_custom_buffer,
                               .custom_buffer_descriptor = {.data = counts}};
  memset(counts, 0, sizeof counts);
  if (muxCreateKernel(test.device, test.executable, "mark", 4, allocator, &kernel)) return 1;
  if (muxCreateCommandBuffer(test.device, NULL, allocator, &commands)) return 2;
  for (int i = 0; i < 10; ++i)
    if (launch_record(commands, kernel, GROUPS, 1, &arg, 1)) return 3;
  if (muxFinalizeCommandBuffer(commands) || dispatch(test.queue, commands)) return 4;
  if (muxWaitAll(test.queue)) return 5;
  for (int i = 0; i < GROUPS; ++i)
    if (counts[i] != 10) return 6;
  muxDestroyCommandBuffer(test.device, commands, allocator);
  muxDestroyKernel(test.device, kernel, allocator);
  return 0;
}

static void child_await(pid_t child, int expected) {
  int status = 0;
  assert_true(child > 0);
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), expected);
}

static void child_uses_the_device(void **state) {
  (void)state;
  host_test_begin(&test);
  assert_int_equal(launch_in_this_process(), 0);
  for (int i = 0; i < 5; ++i) {
    pid_t child = fork();
    if (!child) {
      /* A grandchild as well. */
      pid_t grandchild = fork();
      int status = 0;
      if (!grandchild) _exit(launch_in_this_process());
      if (waitpid(grandchild, &status, 0) != grandchild || status) _exit(20);
      _exit(launch_in_this_process());
    }
    assert_int_equal(launch_in_this_process(), 0);
    child_await(child, 0);
  }
  host_test_end(&test);
}

static atomic_bool entered, gate;

static void gate_pass(mux_queue_t queue, mux_command_buffer_t command_buffer, void *user_data) {
  (void)queue, (void)command_buffer, (void)user_data;
  atomic_store(&entered, true);
  while (!atomic_load(&gate)) usleep(100);
}

static atomic_int completions;

static void completion_count(mux_command_buffer_t command_buffer, mux_result_t error, void *user_data) {
  (void)command_buffer, (void)user_data;
  if (error == mux_success) atomic_fetch_add(&completions, 1);
}

/* In the child the thread that executed is gone: what was dispatched has failed, and the callbacks are the parent's. */
static int orphans_are_dropped(mux_fence_t fence, mux_semaphore_t orphaned, mux_command_buffer_t empty) {
  alarm(20);
  if (muxWaitAll(test.queue)) return 1;
  if (muxTryWait(test.queue, 0, fence) != mux_error_fence_failure) return 2;
  if (muxResetFence(fence) || muxTryWait(test.queue, 0, fence) != mux_fence_not_ready) return 3;
  /* Who waits now for what they would have signalled fails at once. */
  if (muxDispatch(test.queue, empty, fence, &orphaned, 1, NULL, 0, NULL, NULL)) return 5;
  if (muxWaitAll(test.queue)) return 6;
  if (muxTryWait(test.queue, 0, fence) != mux_error_fence_failure) return 7;
  int failure = launch_in_this_process();
  if (failure) return 10 + failure;
  return atomic_load(&completions) ? 4 : 0;
}

/* One command buffer that runs, and one that waits for it. */
static void child_drops_what_was_dispatched(void **state) {
  (void)state;
  host_test_begin(&test);
  mux_semaphore_t semaphores[2];
  mux_fence_t fence;
  for (int i = 0; i < 2; ++i) assert_int_equal(muxCreateSemaphore(test.device, allocator, &semaphores[i]), mux_success);
  assert_int_equal(muxCreateFence(test.device, allocator, &fence), mux_success);
  mux_command_buffer_t commands[] = {command_buffer_create(&test), command_buffer_create(&test),
                                     command_buffer_create(&test)};
  assert_int_equal(muxCommandUserCallback(commands[0], gate_pass, NULL, 0, NULL, NULL), mux_success);
  for (int i = 0; i < 3; ++i) assert_int_equal(muxFinalizeCommandBuffer(commands[i]), mux_success);
  assert_int_equal(muxDispatch(test.queue, commands[0], NULL, NULL, 0, &semaphores[0], 1, completion_count, NULL),
                   mux_success);
  assert_int_equal(
      muxDispatch(test.queue, commands[1], fence, &semaphores[0], 1, &semaphores[1], 1, completion_count, NULL),
      mux_success);
  while (!atomic_load(&entered)) usleep(100);
  pid_t child = fork();
  if (!child) _exit(orphans_are_dropped(fence, semaphores[1], commands[2]));
  child_await(child, 0);
  atomic_store(&gate, true);
  assert_int_equal(muxWaitAll(test.queue), mux_success);
  assert_int_equal(muxTryWait(test.queue, 0, fence), mux_success);
  assert_int_equal(atomic_load(&completions), 2);
  for (int i = 0; i < 3; ++i) command_buffer_destroy(&test, commands[i]);
  for (int i = 0; i < 2; ++i) muxDestroySemaphore(test.device, semaphores[i], allocator);
  muxDestroyFence(test.device, fence, allocator);
  host_test_end(&test);
}

/* Left running at exit, on purpose: static destructors and the end of the process must not trip over workers. */
static void exit_with_a_used_device(void **state) {
  (void)state;
  pid_t child = fork();
  if (!child) {
    host_test_begin(&test);
    int failure = launch_in_this_process();
    exit(failure);
  }
  child_await(child, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(child_uses_the_device),
      cmocka_unit_test(child_drops_what_was_dispatched),
      cmocka_unit_test(exit_with_a_used_device),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
