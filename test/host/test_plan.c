/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * How many threads a job is worth, by what it is expected to take, who is there, and what waking costs. */
#include "host/runtime/machine/futex.h"
#include "host/runtime/scheduling/plan.h"
#include "scheduler.h"

#define US ((uint64_t)HOST_MICROSECOND_TICKS)

static host_team_t *team;

static int begin(void **state) {
  if (scheduler_begin(state)) return -1;
  team = team_own();
  /* Waking costs 20 us. */
  atomic_store(&scheduler->weather.wake_latency, 10 * US);
  return 0;
}

static host_plan_t plan_for(uint64_t parts, uint64_t expected) {
  host_plan_t plan = {.first = 5, .end = 5 + parts};
  host_plan_make(&plan, scheduler, team, expected);
  return plan;
}

/* Nothing that earlier jobs have missed. */
static host_plan_t first_plan_for(uint64_t parts, uint64_t expected) {
  team->loss = team->loss_end = 0;
  return plan_for(parts, expected);
}

static void short_jobs_are_done_alone(void **state) {
  (void)state;
  members_add(team, 7);
  assert_int_equal(plan_for(100, 6 * US - 1).helpers, 0);
  assert_int_equal(plan_for(100, 6 * US + 1).helpers, 7);
  assert_int_equal(plan_for(100, 1).helpers, 0);
}

static void each_helper_has_a_share_that_is_worth_it(void **state) {
  (void)state;
  members_add(team, 7);
  /* 0.8 us each. */
  assert_int_equal(plan_for(100, 6 * US).helpers, 7);
  assert_int_equal(plan_for(1000, 100 * US).helpers, 7);
  const host_plan_t plan = plan_for(100, 6 * US);
  assert_int_equal(plan.members, 7);
  assert_int_equal(plan.wakes, 0);
}

static void no_more_threads_than_parts(void **state) {
  (void)state;
  members_add(team, 7);
  assert_int_equal(plan_for(3, 1000 * US).helpers, 2);
  assert_int_equal(plan_for(2, 1000 * US).helpers, 1);
  assert_int_equal(plan_for(1, 1000 * US).helpers, 0);
  assert_int_equal(plan_for(8, 1000 * US).helpers, 7);
}

static void no_more_threads_than_there_are_processors(void **state) {
  (void)state;
  members_add(team, 7);
  limit_set(4);
  assert_int_equal(plan_for(100, 1000 * US).members, 3);
  limit_set(100); /* there are no more ranks */
  assert_int_equal(plan_for(100, 1000 * US).members, 7);
  atomic_store(&team->keep, 2);
  assert_int_equal(plan_for(100, 1000 * US).members, 2);
  atomic_store(&team->keep, 0);
  assert_int_equal(plan_for(100, 1000 * US).helpers, 0);
}

static void what_is_not_known_is_worth_everybody(void **state) {
  (void)state;
  members_add(team, 2);
  const host_plan_t plan = plan_for(100, 0);
  assert_int_equal(plan.helpers, 7);
  assert_int_equal(plan.members, 7);
  assert_int_equal(plan.wakes, 5);
  assert_int_equal(plan.least_parts, 1);
  assert_true(plan.steals);
}

static void sleepers_are_woken_when_they_are_missed(void **state) {
  (void)state;
  members_add(team, 1);
  /* With seven more 20 us are gained: by 53.3 us and more, as 1/2 - 1/8 of that is 20. */
  host_plan_t plan = first_plan_for(1000, 53 * US);
  assert_int_equal(plan.helpers, 1);
  assert_int_equal(plan.wakes, 0);
  plan = first_plan_for(1000, 54 * US);
  assert_int_equal(plan.helpers, 7);
  assert_int_equal(plan.members, 7);
  assert_int_equal(plan.wakes, 6);
  assert_true(team->loss == 0);
}

static void what_close_jobs_miss_adds_up(void **state) {
  (void)state;
  /* 7/8 of 8 us each: the third one wakes. */
  const uint64_t before = host_ticks();
  assert_int_equal(first_plan_for(1000, 8 * US).wakes, 0);
  assert_true(team->loss == 7 * US);
  assert_true(team->loss_end >= before + 68 * US);
  assert_true(team->loss_end <= host_ticks() + 68 * US);
  team->loss_end = UINT64_MAX; /* close, however slow this machine is */
  assert_int_equal(plan_for(1000, 8 * US).wakes, 0);
  assert_true(team->loss == 14 * US);
  team->loss_end = UINT64_MAX;
  assert_int_equal(plan_for(1000, 8 * US).wakes, 7);
  assert_true(team->loss == 0);
  /* Those that are not close do not. */
  for (int i = 0; i < 5; ++i) {
    team->loss_end = 0;
    assert_int_equal(plan_for(1000, 8 * US).wakes, 0);
    assert_true(team->loss == 7 * US);
  }
}

static void shares_reach_the_ranks_of_the_members(void **state) {
  (void)state;
  members_add(team, 5);
  host_team_leave(team->members[1]);
  host_team_leave(team->members[2]);
  /* Three members, up to rank 5. */
  host_plan_t plan = first_plan_for(100, 6 * US);
  assert_int_equal(plan.members, 3);
  assert_int_equal(plan.helpers, 5);
  /* One fewer than there are, wherever they are. */
  plan = first_plan_for(3, 6 * US);
  assert_int_equal(plan.members, 2);
  assert_int_equal(plan.helpers, 2);
  plan = first_plan_for(4, 6 * US);
  assert_int_equal(plan.members, 3);
  assert_int_equal(plan.helpers, 3); /* there are no more parts */
  plan = first_plan_for(5, 6 * US);
  assert_int_equal(plan.helpers, 4);
  /* With those that are woken they reach further. */
  plan = first_plan_for(100, 1000 * US);
  assert_int_equal(plan.members, 7);
  assert_int_equal(plan.helpers, 7);
  assert_int_equal(plan.wakes, 4);
}

static void runs_are_long_enough_to_be_worth_taking(void **state) {
  (void)state;
  members_add(team, 3);
  /* Half a microsecond. */
  assert_int_equal(plan_for(1000, 100 * US).least_parts, 5);
  assert_int_equal(plan_for(1000, 10 * US).least_parts, 50);
  assert_int_equal(plan_for(10, 1000 * US).least_parts, 0);
  /* Shares of 4 us are stolen from. */
  assert_true(first_plan_for(1000, 16 * US).steals);
  assert_int_equal(first_plan_for(1000, 16 * US).helpers, 3);
  assert_false(first_plan_for(1000, 16 * US - 4).steals);
  assert_false(plan_for(1000, 3 * US).steals);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, scheduler_end)
  const struct CMUnitTest tests[] = {
      TEST(short_jobs_are_done_alone),
      TEST(each_helper_has_a_share_that_is_worth_it),
      TEST(no_more_threads_than_parts),
      TEST(no_more_threads_than_there_are_processors),
      TEST(what_is_not_known_is_worth_everybody),
      TEST(sleepers_are_woken_when_they_are_missed),
      TEST(what_close_jobs_miss_adds_up),
      TEST(shares_reach_the_ranks_of_the_members),
      TEST(runs_are_long_enough_to_be_worth_taking),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
