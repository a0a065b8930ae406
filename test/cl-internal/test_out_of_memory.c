/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Every allocation of the driver fails once, and as long as it takes: each call then says so, with nothing leaked,
 * nothing stuck, and everything well once memory is there again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "allocations.h"
#include "cl/queueing/batch.h"
#include "memory_scenarios.h"

/* Every so many-th allocation fails. ThreadSanitizer looks for races, of which one allocation has no other than its
 * neighbours; with all of them it needs a quarter of an hour, most of it for starting and ending processes. Whether
 * each error is right and nothing leaks, the other builds tell. */
#ifdef __SANITIZE_THREAD__
enum { STEP = 8 };
#elif defined __has_feature
enum { STEP = __has_feature(thread_sanitizer) ? 8 : 1 };
#else
enum { STEP = 1 };
#endif

/* ---------------------------------------------------------------- in a process that has begun */

/** Gives back what the driver keeps for later: batches, with their command buffers, semaphores and fences, and objects
 * that are destroyed. */
static void batches_give_back(void) {
  cl_device_id device = scenario_device();
  while (!batch_pool_is_idle(device)) usleep(100);
  batch_pool_destroy(device);
  object_free_kept();
}

static atomic_bool gate_is_open;

static void CL_CALLBACK gate_pass(void *args) {
  (void)args;
  while (!atomic_load(&gate_is_open)) usleep(100);
}

/** More commands at once than any scenario has: what the target keeps for dispatches is then always the same. */
static void dispatches_fill(void) {
  enum { MANY = 200 };
  cl_device_id device = scenario_device();
  cl_int error;
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  assert_int_equal(error, CL_SUCCESS);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
  assert_int_equal(error, CL_SUCCESS);
  atomic_store(&gate_is_open, false);
  assert_int_equal(clEnqueueNativeKernel(queue, gate_pass, NULL, 0, 0, NULL, NULL, 0, NULL, NULL), CL_SUCCESS);
  for (int i = 0; i < MANY; i++) {
    assert_int_equal(clFlush(queue), CL_SUCCESS);
    assert_int_equal(clEnqueueMarkerWithWaitList(queue, 0, NULL, NULL), CL_SUCCESS);
  }
  atomic_store(&gate_is_open, true);
  assert_int_equal(clFinish(queue), CL_SUCCESS);
  assert_int_equal(clReleaseCommandQueue(queue), CL_SUCCESS);
  assert_int_equal(clReleaseContext(context), CL_SUCCESS);
}

static void scenario_run_well(const scenario_t *scenario) {
  scenario_failures = 0;
  scenario->run();
  if (scenario_complaint[0]) fail_msg("%s: %s", scenario->name, scenario_complaint);
  if (scenario_failures) fail_msg("%s still fails", scenario_last_failure);
}

typedef struct usage_t {
  long blocks, pages;
} usage_t;

/** What the driver has after the scenario has run well. */
static usage_t usage_after(const scenario_t *scenario) {
  scenario_run_well(scenario);
  dispatches_fill();
  batches_give_back();
  return (usage_t){allocations_live_blocks(), allocations_live_pages()};
}

/** The same, once threads that call the application back have let go of what they hold: they do so by themselves, and
 * are late when the machine is busy. What is kept for good stays above `before`. */
static usage_t usage_settled(const scenario_t *scenario, const usage_t *before) {
  usage_t usage = usage_after(scenario);
  for (int i = 0; i < 100 && (usage.blocks > before->blocks || usage.pages > before->pages); i++) {
    usleep(2000);
    batches_give_back();
    usage = (usage_t){allocations_live_blocks(), allocations_live_pages()};
  }
  return usage;
}

/** Whether an allocation failed. */
static bool scenario_starve_once(const scenario_t *scenario, allocations_mode_e mode, long number) {
  allocations_arm(mode, number);
  scenario->run();
  bool failed = allocations_disarm();
  if (scenario_complaint[0]) fail_msg("%s: allocation %ld: %s", scenario->name, number, scenario_complaint);
  return failed;
}

/** What grows once is memory that a thread keeps; what grows each time leaks. */
static void scenario_starve(const scenario_t *scenario, allocations_mode_e mode) {
  enum { REPETITIONS = 4 };
  bool failed = true;
  usage_t before, after = usage_after(scenario);
  for (long number = 1; failed; number += STEP) {
    int grown = 0;
    do {
      before = after;
      failed = scenario_starve_once(scenario, mode, number);
      after = usage_settled(scenario, &before);
      grown++;
    } while (grown < REPETITIONS && (after.blocks > before.blocks || after.pages > before.pages));
    if (grown == REPETITIONS)
      fail_msg("%s: allocation %ld: %ld blocks and %ld pages leak", scenario->name, number,
               after.blocks - before.blocks, after.pages - before.pages);
  }
}

static void one_allocation_fails(void **state) {
  (void)state;
  for (size_t i = 0; i < scenario_count; i++) scenario_starve(&scenarios[i], allocations_fail_one);
}

static void memory_runs_out(void **state) {
  (void)state;
  for (size_t i = 0; i < scenario_count; i++) scenario_starve(&scenarios[i], allocations_fail_from);
}

static int begin(void **state) {
  (void)state;
  scenario_complaint[0] = 0;
  for (size_t i = 0; i < scenario_count; i++) scenarios[i].run();
  return 0;
}

static void one_allocation_of_a_build_fails(void **state) {
  (void)state;
  scenario_starve(&build_scenario, allocations_fail_one);
}

static void memory_runs_out_in_a_build(void **state) {
  (void)state;
  scenario_starve(&build_scenario, allocations_fail_from);
}

/* ---------------------------------------------------------------- in new processes */

enum { child_complete = 0, child_starved = 10, child_complained = 11 };

static void first_uses_run(void) {
  for (size_t i = 0; i < scenario_count; i++)
    if (scenarios[i].first_use) scenarios[i].run();
}

/** From the first call of the process on; then everything works. */
static int process_run(allocations_mode_e mode, long number) {
  allocations_arm(mode, number);
  first_uses_run();
  bool failed = allocations_disarm();
  size_t failures = scenario_failures;
  scenario_failures = 0;
  if (!scenario_complaint[0]) first_uses_run();
  if (!scenario_complaint[0] && scenario_failures)
    snprintf(scenario_complaint, sizeof scenario_complaint, "%zu calls still fail, among them %s", scenario_failures,
             scenario_last_failure);
  if (scenario_complaint[0]) {
    print_error("allocation %ld of a new process, %zu calls failed: %s\n", number, failures, scenario_complaint);
    return child_complained;
  }
  return failed ? child_starved : child_complete;
}

static int child_await(pid_t child) {
  int status = 0;
  assert_true(child > 0);
  assert_int_equal(waitpid(child, &status, 0), child);
  if (WIFSIGNALED(status)) fail_msg("the process ended by signal %d", WTERMSIG(status));
  return WEXITSTATUS(status);
}

static void processes_starve(allocations_mode_e mode) {
  int status = child_starved;
  for (long number = 1; status == child_starved; number += STEP) {
    pid_t child = fork();
    /* exit(), so that a leak checker has its say. */
    if (!child) {
      alarm(60);
      exit(process_run(mode, number));
    }
    status = child_await(child);
    if (status != child_complete && status != child_starved) fail_msg("allocation %ld: status %d", number, status);
  }
}

static void one_allocation_of_a_new_process_fails(void **state) {
  (void)state;
  processes_starve(allocations_fail_one);
}

static void memory_of_a_new_process_runs_out(void **state) {
  (void)state;
  processes_starve(allocations_fail_from);
}

/** Nobody waits but for callbacks. */
static void CL_CALLBACK completed(cl_event event, cl_int status, void *data) {
  (void)event;
  if (status == CL_COMPLETE) atomic_fetch_add((atomic_int *)data, 1);
}

/** A process that gets no thread: everything is done all the same, in the calls that there are. */
static int threadless_run(void) {
  enum { COMMANDS = 1000 };
  static atomic_int calls;
  allocations_arm(allocations_fail_threads, 0);
  cl_device_id device = scenario_device();
  cl_int error;
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  cl_command_queue queue = error ? NULL : clCreateCommandQueueWithProperties(context, device, NULL, &error);
  cl_event user = error ? NULL : clCreateUserEvent(context, &error), last = user;
  for (int i = 0; i < COMMANDS && !error; i++) {
    cl_event next;
    error = clEnqueueMarkerWithWaitList(queue, 1, &last, &next);
    if (!error) error = clSetEventCallback(next, CL_COMPLETE, completed, &calls);
    if (!error) error = clFlush(queue);
    if (last != user) clReleaseEvent(last);
    last = next;
  }
  if (!error) error = clSetUserEventStatus(user, CL_COMPLETE);
  while (!error && atomic_load(&calls) < COMMANDS) usleep(100);
  for (size_t i = 0; !error && i < scenario_count; i++) scenarios[i].run();
  return error || scenario_complaint[0] || scenario_failures ? child_complained : child_complete;
}

static void without_threads_the_callers_do_the_work(void **state) {
  (void)state;
  pid_t child = fork();
  if (!child) {
    alarm(60);
    _exit(threadless_run());
  }
  assert_int_equal(child_await(child), child_complete);
}

/** With an argument, the tests that need the compiler library. */
int main(int argc, char **argv) {
  (void)argv;
  const struct CMUnitTest build_tests[] = {
      cmocka_unit_test(one_allocation_of_a_build_fails),
      cmocka_unit_test(memory_runs_out_in_a_build),
  };
  if (argc > 1) return cmocka_run_group_tests(build_tests, NULL, NULL);
  scenario_binary_make();
  /* The processes first: this one must not have used the driver before they begin. */
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_allocation_of_a_new_process_fails),
      cmocka_unit_test(memory_of_a_new_process_runs_out),
      cmocka_unit_test(without_threads_the_callers_do_the_work),
      cmocka_unit_test_setup(one_allocation_fails, begin),
      cmocka_unit_test_setup(memory_runs_out, begin),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
