/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Regions whose helpers are not there. */
#include <pthread.h>
#include <stdatomic.h>

#include "base/clock.h"
#include "fixture.h"
#include "host/runtime/faults/thread.h"
#include "host/runtime/scheduling/region.h"
#include "host/runtime/scheduling/scheduler.h"

enum { PARTS = 200 };
#define PART_NS ((uint64_t)20 * 1000 * 1000)

typedef struct waiting_job_t {
  host_job_t job;
  pthread_t owner;
  atomic_bool has_help;
  atomic_int done;
  uint32_t thread_limit;
} waiting_job_t;

/* Each part of the owner's takes some time, until another thread takes one. */
static bool parts_wait(const host_job_t *job, host_thread_t *thread, uint64_t first, uint64_t count) {
  waiting_job_t *waiting = (waiting_job_t *)(uintptr_t)job;
  (void)thread, (void)first;
  if (!pthread_equal(pthread_self(), waiting->owner)) atomic_store(&waiting->has_help, true);
  for (uint64_t part = 0; part < count; ++part) {
    const uint64_t end = clock_now_ns() + PART_NS;
    while (!atomic_load(&waiting->has_help) && clock_now_ns() < end) continue;
  }
  atomic_fetch_add(&waiting->done, (int)count);
  return true;
}

static void parts_help(const host_job_t *job, host_helper_t *helper) {
  (void)job;
  host_helper_work(helper);
}

/* The plan counts on a member that has left, as one may between the plan and the region. */
static void region_run(mux_queue_t queue, mux_command_buffer_t command_buffer, void *user_data) {
  waiting_job_t *waiting = user_data;
  host_thread_t *thread = host_thread_get();
  const host_plan_t plan = {.end = PARTS, .helpers = 1, .members = 1, .least_parts = 1, .steals = true};
  uint64_t ticks;
  (void)queue, (void)command_buffer;
  waiting->owner = pthread_self();
  waiting->thread_limit = thread->scheduler->thread_limit;
  if (waiting->thread_limit == 1) return; /* no team, and no region */
  assert_non_null(thread->team);
  assert_int_equal(host_region_run(thread->scheduler, thread->team, &waiting->job, &plan, thread, &ticks), mux_success);
}

static void helpers_that_left_are_replaced(void **state) {
  (void)state;
  waiting_job_t waiting = {.job = {.run = parts_wait, .help = parts_help}};
  mux_command_buffer_t commands = command_buffer_create(&test);
  assert_int_equal(muxCommandUserCallback(commands, region_run, &waiting, 0, NULL, NULL), mux_success);
  assert_int_equal(muxFinalizeCommandBuffer(commands), mux_success);
  assert_int_equal(muxDispatch(test.queue, commands, NULL, NULL, 0, NULL, 0, NULL, NULL), mux_success);
  assert_int_equal(muxWaitAll(test.queue), mux_success);
  if (waiting.thread_limit > 1) {
    assert_int_equal(atomic_load(&waiting.done), PARTS);
    assert_true(atomic_load(&waiting.has_help));
  }
  muxDestroyCommandBuffer(test.device, commands, allocator);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(helpers_that_left_are_replaced, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
