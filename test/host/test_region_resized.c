/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Regions of a team that becomes smaller and larger all the time, as it does while short dispatches come and go: every
 * part is executed once. */
#include <pthread.h>
#include <stdatomic.h>

#include "host/runtime/machine/futex.h"
#include "host/runtime/scheduling/plan.h"
#include "host/runtime/scheduling/region.h"
#include "scheduler.h"

enum { PARTS = 64, REGIONS = 4000 };

static host_team_t *team;
static _Atomic uint32_t done[PARTS];
static atomic_bool is_over;
static _Atomic uint32_t joined;

static bool parts_run(const host_job_t *job, host_thread_t *thread, uint64_t first, uint64_t count) {
  (void)job, (void)thread;
  for (uint64_t part = first; part < first + count; ++part) {
    atomic_fetch_add(&done[part], 1);
    for (const uint64_t start = host_ticks(); host_ticks() - start < HOST_MICROSECOND_TICKS / 2;) continue;
  }
  return true;
}

static void parts_help(const host_job_t *job, host_helper_t *helper) {
  (void)job;
  host_helper_work(helper);
}

static void *help(void *unused) {
  (void)unused;
  host_helper_t helper = {.rank = 1, .thread = host_thread_get()};
  for (uint64_t seen = 0; !atomic_load(&is_over);) {
    const uint64_t call = atomic_load(&team->call);
    if (call == seen) continue;
    seen = call;
    joined += host_region_join(team, call, &helper);
  }
  return NULL;
}

static void *resize(void *unused) {
  (void)unused;
  for (uint32_t step = 0; !atomic_load(&is_over); ++step) {
    atomic_store(&team->keep, step % 4 ? HOST_KEEP_ALL : 0);
    for (int i = 0; i < 20; ++i) host_cpu_pause();
  }
  return NULL;
}

static void every_part_is_executed_once(void **state) {
  (void)state;
  const host_job_t job = {.run = parts_run, .help = parts_help};
  const host_plan_t plan = {.end = PARTS, .helpers = 1, .least_parts = 1, .steals = true};
  pthread_t helper, resizer;
  uint32_t wrong = 0;
  assert_int_equal(pthread_create(&helper, NULL, help, NULL), 0);
  assert_int_equal(pthread_create(&resizer, NULL, resize, NULL), 0);
  for (int region = 0; region < REGIONS; ++region) {
    uint64_t ticks;
    wrong += host_region_run(scheduler, team, &job, &plan, host_thread_get(), &ticks) != mux_success;
    for (int part = 0; part < PARTS; ++part) wrong += atomic_exchange(&done[part], 0) != 1;
  }
  atomic_store(&is_over, true);
  pthread_join(helper, NULL);
  pthread_join(resizer, NULL);
  assert_int_equal(wrong, 0);
  assert_true(joined > 0);
}

static int begin(void **state) {
  if (scheduler_begin(state)) return -1;
  team = team_own();
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(every_part_is_executed_once, begin, scheduler_end)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
