/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Every part of a region is executed once, whoever comes, and when: helpers are the calling thread itself, at a time
 * that the test chooses. */
#include <string.h>

#include "host/runtime/machine/futex.h"
#include "host/runtime/scheduling/plan.h"
#include "host/runtime/scheduling/region.h"
#include "host/runtime/scheduling/share.h"
#include "scheduler.h"

enum { PARTS_AT_MOST = 400000 };

typedef struct job_t {
  host_job_t job;
  unsigned char done[PARTS_AT_MOST];
  uint64_t first, runs, longest, joined, refused;
  /* These helpers come in the first runs, one in the other's. */
  uint32_t helpers[LIMIT], helper_count, helper;
  /* The run with this part faults; none for 0. */
  uint64_t fault_at;
  uint32_t steals[LIMIT];
  /* Helpers enter their shares, and leave them to others. */
  bool helps_nobody;
  /* How long a run takes at least. */
  uint64_t run_ticks;
} job_t;

static job_t job;
static host_team_t *team;

static uint64_t parts_done(void) {
  uint64_t sum = 0;
  for (size_t i = 0; i < PARTS_AT_MOST; ++i) sum += job.done[i];
  return sum;
}

static void helper_come(uint32_t rank) {
  host_helper_t helper = {.rank = rank, .thread = host_thread_get()};
  if (host_region_join(team, atomic_load(&team->call), &helper))
    ++job.joined;
  else
    ++job.refused;
  job.steals[rank] = helper.steals;
}

static bool parts_run(const host_job_t *any, host_thread_t *thread, uint64_t first, uint64_t count) {
  (void)any, (void)thread;
  assert_true(first >= job.first && first - job.first + count <= PARTS_AT_MOST);
  for (uint64_t part = first; part < first + count; ++part) ++job.done[part - job.first];
  ++job.runs;
  if (count > job.longest) job.longest = count;
  for (const uint64_t start = host_ticks(); host_ticks() - start < job.run_ticks;) continue;
  if (job.helper < job.helper_count) helper_come(job.helpers[job.helper++]);
  if (job.fault_at && first + count > job.fault_at) {
    thread->guard.fault = (host_fault_t){.address = first};
    return false;
  }
  return true;
}

static void parts_help(const host_job_t *any, host_helper_t *helper) {
  (void)any;
  if (!job.helps_nobody) host_helper_work(helper);
}

static int begin(void **state) {
  if (scheduler_begin(state)) return -1;
  team = team_own();
  memset(&job, 0, sizeof job);
  job.job = (host_job_t){.run = parts_run, .help = parts_help};
  return 0;
}

static mux_result_t parts_share(uint64_t first, uint64_t count, uint32_t helpers, uint64_t least, bool steals) {
  const host_plan_t plan = {
      .first = first, .end = first + count, .helpers = helpers, .least_parts = least, .steals = steals};
  uint64_t ticks = 0;
  job.first = first;
  const uint64_t before = host_ticks();
  mux_result_t result = host_region_run(scheduler, team, &job.job, &plan, host_thread_get(), &ticks);
  assert_true(ticks > 0);
  /* What helpers did is counted twice, as they worked inside of the owner's parts. */
  assert_true(ticks <= LIMIT * (host_ticks() - before));
  return result;
}

static uint64_t ticks_of_two(uint32_t helpers) {
  const host_plan_t plan = {.end = 2, .helpers = helpers, .least_parts = 1};
  uint64_t ticks = 0;
  assert_int_equal(host_region_run(scheduler, team, &job.job, &plan, host_thread_get(), &ticks), mux_success);
  return ticks;
}

/* The owner's time has both runs in it, as the helper comes in the midst of its own. */
static void the_time_of_helpers_counts(void **state) {
  (void)state;
  job.run_ticks = (uint64_t)10000 * HOST_MICROSECOND_TICKS;
  assert_true(ticks_of_two(0) >= 2 * job.run_ticks);
  job.helpers[job.helper_count++] = 1;
  assert_true(ticks_of_two(1) >= 3 * job.run_ticks);
  assert_int_equal(job.joined, 1);
}

static void expect_once(uint64_t count) {
  for (uint64_t i = 0; i < count; ++i) assert_int_equal(job.done[i], 1);
  assert_int_equal(parts_done(), count);
}

static void the_owner_does_what_nobody_comes_for(void **state) {
  (void)state;
  const uint64_t counts[] = {1, 2, 3, 7, 8, 9, 100, 65534, 65535, 65536, 65537, 131069, 131070, 131071, 399999};
  const uint64_t firsts[] = {0, 1, (uint64_t)1 << 40};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
    for (uint32_t helpers = 0; helpers < LIMIT; ++helpers) {
      memset(job.done, 0, counts[i]);
      assert_int_equal(parts_share(firsts[(i + helpers) % 3], counts[i], helpers, 1, helpers % 2), mux_success);
      expect_once(counts[i]);
    }
  }
}

static void helpers_do_their_shares(void **state) {
  (void)state;
  for (int steals = 0; steals < 2; ++steals) {
    for (uint32_t helpers = 1; helpers < LIMIT; ++helpers) {
      scheduler_end(state);
      begin(state);
      for (uint32_t i = 0; i < helpers; ++i) job.helpers[i] = helpers - i;
      job.helper_count = helpers;
      assert_int_equal(parts_share(3, 1000, helpers, 1, steals), mux_success);
      expect_once(1000);
      assert_int_equal(job.joined, helpers);
      assert_int_equal(job.refused, 0);
      for (uint32_t rank = 1; rank <= helpers; ++rank) {
        assert_int_equal(atomic_load(&team->shares[rank].finished), 1);
        if (!steals) assert_int_equal(job.steals[rank], 0);
      }
      /* The first one in is the last one out, when nothing is left; the innermost finds all of it. */
      if (steals) assert_in_range(job.steals[1], 1, 1000);
    }
  }
}

static void a_helper_that_steals_leaves_the_owner_nothing(void **state) {
  (void)state;
  job.helpers[0] = 1;
  job.helper_count = 1;
  assert_int_equal(parts_share(0, 800, 1, 1, true), mux_success);
  expect_once(800);
  assert_in_range(job.steals[1], 1, 800);
  assert_true(team->shares[1].busy > 0);
  const uint64_t runs = job.runs;
  /* As long as it does not steal, the owner has half of it to do. */
  memset(job.done, 0, sizeof job.done);
  job.helper = 0;
  job.runs = 0;
  assert_int_equal(parts_share(0, 800, 1, 1, false), mux_success);
  expect_once(800);
  assert_int_equal(job.steals[1], 0);
  assert_true(job.runs < runs);
}

static void ranks_without_a_share_are_refused(void **state) {
  (void)state;
  job.helpers[0] = 3;
  job.helpers[1] = 2;
  job.helper_count = 2;
  assert_int_equal(parts_share(0, 100, 2, 1, false), mux_success);
  expect_once(100);
  assert_int_equal(job.refused, 1);
  assert_int_equal(job.joined, 1);
}

static void nobody_joins_twice_or_afterwards(void **state) {
  (void)state;
  job.helpers[0] = job.helpers[1] = 1;
  job.helper_count = 2;
  assert_int_equal(parts_share(0, 100, 1, 1, false), mux_success);
  assert_int_equal(job.joined, 1);
  assert_int_equal(job.refused, 1);
  helper_come(1);
  assert_int_equal(job.joined, 1);
  assert_int_equal(job.refused, 2);
  job.helper_count = 0;
  assert_int_equal(parts_share(0, 100, 1, 1, false), mux_success);
  helper_come(1); /* the region is over: its share was sealed */
  assert_int_equal(job.joined, 1);
  assert_int_equal(job.refused, 3);
}

static void what_a_helper_leaves_is_stolen(void **state) {
  (void)state;
  job.helps_nobody = true;
  job.helpers[0] = 2;
  job.helper_count = 1;
  assert_int_equal(parts_share(7, 500, 3, 4, false), mux_success);
  expect_once(500);
  assert_int_equal(job.joined, 1);
}

static void runs_shrink_and_are_not_too_short(void **state) {
  (void)state;
  /* An eighth of what is left, and at last 16 or more. */
  assert_int_equal(parts_share(0, 8000, 0, 16, false), mux_success);
  expect_once(8000);
  assert_int_equal(job.longest, 1000);
  assert_in_range(job.runs, 30, 60);
  memset(&job.done, 0, sizeof job.done);
  job.runs = job.longest = 0;
  assert_int_equal(parts_share(0, 8000, 0, 4000, false), mux_success);
  assert_int_equal(job.longest, 4000);
  assert_int_equal(job.runs, 2);
  job.runs = 0;
  assert_int_equal(parts_share(0, 8000, 0, UINT64_MAX, false), mux_success);
  assert_int_equal(job.runs, 1);
  /* Units of two parts: runs of 1000 units would be 2000 parts. */
  memset(&job.done, 0, sizeof job.done);
  job.runs = job.longest = 0;
  assert_int_equal(parts_share(0, 131070, 0, 32768, false), mux_success);
  expect_once(131070);
  assert_int_equal(job.longest, 32768);
}

static void after_a_fault_nothing_is_begun(void **state) {
  (void)state;
  job.fault_at = 1;
  job.helpers[0] = 1;
  job.helper_count = 1;
  assert_int_equal(parts_share(0, 800, 1, 1, true), mux_error_failure);
  /* One run of the owner, one of the helper that came in it, and so failed first: that is what is told. */
  assert_int_equal(job.runs, 2);
  assert_int_equal(host_thread_get()->guard.fault.address, 400);
  assert_true(parts_done() < 200);
  memset(&job.done, 0, sizeof job.done);
  job.fault_at = 0;
  assert_int_equal(parts_share(0, 800, 1, 1, true), mux_success);
  expect_once(800);
}

static void a_fault_in_the_last_part_is_told(void **state) {
  (void)state;
  job.fault_at = 799;
  assert_int_equal(parts_share(0, 800, 0, 1, true), mux_error_failure);
  expect_once(800);
}

static void a_team_that_becomes_smaller_leaves_the_rest_to_the_owner(void **state) {
  (void)state;
  atomic_store(&team->keep, 0);
  job.helpers[0] = 1;
  job.helper_count = 1;
  assert_int_equal(parts_share(0, 800, 1, 1, true), mux_success);
  expect_once(800);
  assert_int_equal(job.joined, 1);
  assert_int_equal(job.steals[1], 0);
  /* All of it is the owner's, whose runs were as short as they are alone. */
  assert_true(team->shares[1].busy < (uint64_t)HOST_MICROSECOND_TICKS * 1000);
}

static void members_that_left_are_called_back_after_a_while(void **state) {
  (void)state;
  const host_plan_t plan = {.end = 4000, .helpers = 1, .members = 1, .least_parts = 1, .steals = true};
  uint64_t ticks;
  host_worker_t *worker = worker_park();
  /* Not before it is worth it. */
  atomic_store(&scheduler->weather.wake_latency, UINT64_MAX / 8);
  assert_int_equal(host_region_run(scheduler, team, &job.job, &plan, host_thread_get(), &ticks), mux_success);
  assert_null(worker->team);
  assert_false(is_woken(worker));
  /* 8 us, which this takes. */
  atomic_store(&scheduler->weather.wake_latency, 0);
  for (int i = 0; !worker->team && i < 100000; ++i)
    assert_int_equal(host_region_run(scheduler, team, &job.job, &plan, host_thread_get(), &ticks), mux_success);
  assert_ptr_equal(worker->team, team);
  assert_true(is_woken(worker));
  assert_int_equal(worker->rank, 1);
  /* Who is there is not called. */
  host_worker_t *other = worker_park();
  for (int i = 0; i < 100; ++i)
    assert_int_equal(host_region_run(scheduler, team, &job.job, &plan, host_thread_get(), &ticks), mux_success);
  assert_false(is_woken(other));
}

static void those_that_sleep_are_woken_first(void **state) {
  (void)state;
  const host_plan_t plan = {.end = 100, .helpers = 2, .members = 2, .wakes = 2, .least_parts = 1};
  uint64_t ticks;
  host_worker_t *last = worker_park(), *first = worker_park();
  assert_int_equal(host_region_run(scheduler, team, &job.job, &plan, host_thread_get(), &ticks), mux_success);
  assert_int_equal(first->rank, 1);
  assert_int_equal(last->rank, 2);
  assert_true(is_woken(first));
  assert_ptr_equal(first->children[0], last);
  assert_int_equal(parts_done(), 100);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, scheduler_end)
  const struct CMUnitTest tests[] = {
      TEST(the_owner_does_what_nobody_comes_for),
      TEST(helpers_do_their_shares),
      TEST(the_time_of_helpers_counts),
      TEST(a_helper_that_steals_leaves_the_owner_nothing),
      TEST(ranks_without_a_share_are_refused),
      TEST(nobody_joins_twice_or_afterwards),
      TEST(what_a_helper_leaves_is_stolen),
      TEST(runs_shrink_and_are_not_too_short),
      TEST(after_a_fault_nothing_is_begun),
      TEST(a_fault_in_the_last_part_is_told),
      TEST(a_team_that_becomes_smaller_leaves_the_rest_to_the_owner),
      TEST(members_that_left_are_called_back_after_a_while),
      TEST(those_that_sleep_are_woken_first),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
