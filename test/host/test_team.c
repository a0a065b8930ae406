/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Who becomes a member of which team, who is woken by whom, how many each may keep, and what a fork leaves. */
#include <string.h>

#include "host/runtime/machine/futex.h"
#include "host/runtime/scheduling/region.h"
#include "host/runtime/scheduling/share.h"
#include "scheduler.h"

/* ---------------------------------------------------------------- owners */

static void the_team_that_was_owned_last_comes_first(void **state) {
  (void)state;
  host_team_t *first = team_own(), *second = team_own();
  assert_ptr_not_equal(first, second);
  host_team_release(scheduler, first);
  host_team_release(scheduler, second);
  assert_ptr_equal(team_own(), second);
  assert_ptr_equal(team_own(), first);
  assert_ptr_not_equal(team_own(), first);
  assert_int_equal(scheduler->teams.known, 3);
}

static void there_are_as_many_teams_as_threads(void **state) {
  (void)state;
  for (int i = 0; i < LIMIT; ++i) assert_non_null(team_own());
  assert_null(team_own());
  host_team_release(scheduler, &scheduler->teams.list[3]);
  assert_ptr_equal(team_own(), &scheduler->teams.list[3]);
  assert_null(team_own());
}

static void one_thread_has_no_team(void **state) {
  (void)state;
  host_scheduler_t single;
  assert_int_equal(host_scheduler_init(&single, NULL, 1), mux_success);
  assert_null(host_team_acquire(&single, host_thread_get()));
  host_scheduler_destroy(&single);
  assert_int_equal(host_scheduler_init(&single, NULL, 2), mux_success);
  assert_non_null(host_team_acquire(&single, host_thread_get()));
  assert_non_null(host_team_acquire(&single, host_thread_get()));
  assert_null(host_team_acquire(&single, host_thread_get()));
  host_scheduler_destroy(&single);
}

static void members_of_a_released_team_are_spare(void **state) {
  (void)state;
  host_team_t *team = team_own();
  assert_ptr_equal(team->owner, host_thread_get());
  assert_true(atomic_load(&team->is_owned));
  members_add(team, 3);
  assert_int_equal(scheduler->teams.members, 3);
  assert_int_equal(host_teams_spare(&scheduler->teams), 0);
  team->wants = 2;
  host_team_release(scheduler, team);
  assert_null(team->owner);
  assert_false(atomic_load(&team->is_owned));
  assert_int_equal(team->wants, 0);
  assert_int_equal(scheduler->teams.members, 0);
  assert_int_equal(host_teams_spare(&scheduler->teams), 3);
  assert_ptr_equal(team_own(), team);
  assert_int_equal(scheduler->teams.members, 3);
  assert_int_equal(host_teams_spare(&scheduler->teams), 0);
}

/* ---------------------------------------------------------------- members */

static void members_have_the_lowest_ranks_or_their_own(void **state) {
  (void)state;
  host_team_t *team = team_own();
  members_add(team, 4);
  for (uint32_t rank = 1; rank <= 4; ++rank) assert_int_equal(team->members[rank]->rank, rank);
  assert_null(team->members[0]);
  assert_int_equal(atomic_load(&team->top), 4);
  host_worker_t *second = team->members[2], *third = team->members[3];
  host_team_leave(second);
  host_team_leave(third);
  assert_null(second->team);
  assert_null(team->members[2]);
  assert_int_equal(atomic_load(&team->count), 2);
  assert_int_equal(scheduler->teams.members, 2);
  assert_int_equal(atomic_load(&team->top), 4);
  team->wants = 2;
  assert_true(host_team_find(scheduler, third));
  assert_int_equal(third->rank, 3);
  assert_true(host_team_find(scheduler, second));
  assert_int_equal(second->rank, 2);
  assert_ptr_equal(second->team, team);
  assert_int_equal(team->wants, 0);
}

static void a_rank_that_is_taken_or_far_out_is_not_had_again(void **state) {
  (void)state;
  host_team_t *team = team_own();
  members_add(team, 4);
  host_worker_t *first = team->members[1], *fourth = team->members[4];
  host_team_leave(first);
  team->wants = 1;
  host_worker_t *other = worker_make();
  assert_true(host_team_find(scheduler, other));
  assert_int_equal(other->rank, 1);
  team->wants = 1;
  assert_true(host_team_find(scheduler, first));
  assert_int_equal(first->rank, 5);
  for (uint32_t rank = 5; rank >= 2; --rank) host_team_leave(team->members[rank]);
  team->wants = 1;
  assert_true(host_team_find(scheduler, fourth));
  assert_int_equal(fourth->rank, 2); /* not 4: ranks between would be nobody's */
}

static void the_top_is_the_highest_rank_of_a_member(void **state) {
  (void)state;
  host_team_t *team = team_own();
  members_add(team, 5);
  host_team_leave(team->members[3]);
  host_team_leave(team->members[4]);
  assert_int_equal(atomic_load(&team->top), 5);
  host_team_leave(team->members[5]);
  assert_int_equal(atomic_load(&team->top), 2);
  host_team_leave(team->members[2]);
  host_team_leave(team->members[1]);
  assert_int_equal(atomic_load(&team->top), 0);
  assert_int_equal(atomic_load(&team->count), 0);
}

static void nobody_finds_a_team_that_wants_none(void **state) {
  (void)state;
  host_team_t *first = team_own(), *second = team_own();
  host_worker_t *worker = worker_make();
  assert_false(host_team_find(scheduler, worker));
  second->wants = 1;
  assert_true(host_team_find(scheduler, worker));
  assert_ptr_equal(worker->team, second);
  assert_int_equal(atomic_load(&first->count), 0);
  assert_false(host_team_find(scheduler, worker_make()));
}

static void nobody_finds_a_team_beyond_the_limit(void **state) {
  (void)state;
  host_team_t *team = team_own();
  limit_set(3);
  scheduler->executing = 1;
  members_add(team, 2);
  team->wants = 1;
  assert_false(host_team_find(scheduler, worker_make()));
  assert_int_equal(team->wants, 1);
  limit_set(4);
  assert_true(host_team_find(scheduler, worker_make()));
}

/* ---------------------------------------------------------------- how many each may keep */

typedef struct balance_t {
  uint32_t limit, executing, searching, ready, members, wants;
  bool stopping;
  /* Expected: of the owned team, of one that is not, and what spinning workers see. */
  uint32_t keep, spare_keep, wanted;
} balance_t;

static void teams_keep_what_is_fair(void **state) {
  (void)state;
  const balance_t rows[] = {
      /* Room for all. */
      {8, 1, 0, 0, 3, 0, false, HOST_KEEP_ALL, HOST_KEEP_ALL, 0},
      {8, 1, 0, 4, 3, 0, false, HOST_KEEP_ALL, HOST_KEEP_ALL, 0},
      {8, 1, 0, 0, 7, 0, false, HOST_KEEP_ALL, HOST_KEEP_ALL, 0},
      /* All processors are used and a dispatch is ready: two owners share them, or four. */
      {8, 1, 0, 1, 7, 0, false, 3, HOST_KEEP_ALL, 0},
      {8, 1, 0, 3, 7, 0, false, 1, HOST_KEEP_ALL, 0},
      {8, 1, 1, 1, 6, 0, false, 3, HOST_KEEP_ALL, 0},
      {8, 1, 0, 9, 7, 0, false, 0, HOST_KEEP_ALL, 0},
      {8, 1, 0, 7, 7, 0, false, 0, HOST_KEEP_ALL, 0},
      /* Members are wanted: who is in no owned team is to look for one. */
      {8, 1, 0, 0, 2, 3, false, HOST_KEEP_ALL, 0, 3},
      {8, 2, 0, 0, 6, 2, false, 3, 0, 0},
      {8, 2, 1, 0, 5, 2, false, 3, 0, 0},
      {8, 2, 0, 0, 5, 2, false, HOST_KEEP_ALL, 0, 2},
      /* Fewer processors than before. */
      {4, 1, 0, 0, 7, 0, false, 3, 0, 0},
      {4, 2, 0, 0, 3, 0, false, 1, 0, 0},
      {4, 2, 0, 0, 2, 0, false, HOST_KEEP_ALL, HOST_KEEP_ALL, 0},
      {4, 0, 0, 0, 5, 0, false, 3, 0, 0},
      /* The end: members finish what they are in, and others leave. */
      {8, 2, 0, 2, 3, 0, true, 7, 0, 0},
      {8, 0, 0, 0, 0, 0, true, 7, 0, 0},
  };
  host_team_t *spare = team_own(), *team = team_own();
  host_team_release(scheduler, spare);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    const balance_t *row = &rows[i];
    limit_set(row->limit);
    scheduler->executing = row->executing;
    scheduler->searching = row->searching;
    atomic_store(&scheduler->ready_count, row->ready);
    scheduler->teams.members = row->members;
    team->wants = row->wants;
    scheduler->stopping = row->stopping;
    host_teams_rebalance(scheduler);
    if (atomic_load(&team->keep) != row->keep) print_error("row %zu\n", i);
    assert_int_equal(atomic_load(&team->keep), row->keep);
    assert_int_equal(atomic_load(&spare->keep), row->spare_keep);
    assert_int_equal(atomic_load(&scheduler->wanted_count), row->wanted);
  }
  assert_true(host_team_is_left(spare, 1));
  atomic_store(&team->keep, 3);
  assert_false(host_team_is_left(team, 3));
  assert_true(host_team_is_left(team, 4));
}

static void what_all_teams_want_is_seen(void **state) {
  (void)state;
  host_team_t *first = team_own(), *second = team_own();
  first->wants = 2;
  second->wants = 3;
  host_teams_rebalance(scheduler);
  assert_int_equal(atomic_load(&scheduler->wanted_count), 5);
  assert_true(host_team_find(scheduler, worker_make()));
  assert_int_equal(atomic_load(&scheduler->wanted_count), 4);
  host_team_release(scheduler, second);
  host_teams_rebalance(scheduler);
  assert_int_equal(atomic_load(&scheduler->wanted_count), 1);
}

/* ---------------------------------------------------------------- waking */

static void idle_workers_are_woken_in_a_tree(void **state) {
  (void)state;
  host_worker_t *workers[LIMIT - 1];
  host_team_t *team = team_own();
  scheduler->executing = 1;
  for (int i = LIMIT - 2; i >= 0; --i) workers[i] = worker_park();
  host_team_wake(scheduler, team, LIMIT - 1);
  assert_int_equal(atomic_load(&team->count), LIMIT - 1);
  assert_int_equal(team->wants, 0);
  assert_true(list_is_empty(&scheduler->idle));
  for (int i = 0; i < LIMIT - 1; ++i) {
    assert_ptr_equal(workers[i]->team, team);
    assert_int_equal(workers[i]->rank, i + 1);
    assert_false(workers[i]->parked.waits);
    for (int child = 0; child < 2; ++child) {
      const int at = 2 * i + 1 + child;
      assert_ptr_equal(workers[i]->children[child], at < LIMIT - 1 ? workers[at] : NULL);
    }
  }
  /* The owner wakes one, which wakes the others. */
  assert_true(is_woken(workers[0]));
  for (int i = 1; i < LIMIT - 1; ++i) assert_false(is_woken(workers[i]));
  assert_in_range(host_ticks() - workers[0]->roused, 0, (uint64_t)10 * 1000 * 1000 * HOST_MICROSECOND_TICKS);
}

static void no_more_are_woken_than_there_is_room_for(void **state) {
  (void)state;
  host_worker_t *workers[5];
  host_team_t *team = team_own();
  for (int i = 4; i >= 0; --i) workers[i] = worker_park();
  /* One executes and one searches; another one spins, and comes by itself. */
  limit_set(5);
  scheduler->executing = scheduler->searching = scheduler->spinning = 1;
  host_team_wake(scheduler, team, 5);
  assert_int_equal(atomic_load(&team->count), 2);
  assert_ptr_equal(workers[1]->team, team);
  assert_null(workers[2]->team);
  assert_int_equal(team->wants, 3); /* the one that spins, and two for which there is no processor now */
  assert_int_equal(atomic_load(&scheduler->wanted_count), 3);
}

static void those_that_spin_are_not_woken(void **state) {
  (void)state;
  host_team_t *team = team_own();
  host_worker_t *worker = worker_park();
  scheduler->spinning = 3;
  host_team_wake(scheduler, team, 2);
  assert_int_equal(atomic_load(&team->count), 0);
  assert_int_equal(team->wants, 2);
  assert_false(is_woken(worker));
  host_team_wake(scheduler, team, 4);
  assert_int_equal(atomic_load(&team->count), 1);
  assert_int_equal(team->wants, 3);
  assert_true(is_woken(worker));
}

static void a_team_has_no_more_members_than_ranks(void **state) {
  (void)state;
  host_team_t *team = team_own();
  members_add(team, LIMIT - 2);
  host_worker_t *worker = worker_park();
  limit_set(100);
  host_team_wake(scheduler, team, 5);
  assert_int_equal(worker->rank, LIMIT - 1);
  assert_int_equal(atomic_load(&team->count), LIMIT - 1);
  assert_int_equal(team->wants, 0);
  team->wants = 1;
  assert_false(host_team_find(scheduler, worker_make()));
}

static void a_scheduler_that_stops_makes_no_members(void **state) {
  (void)state;
  host_team_t *team = team_own();
  scheduler->stopping = true;
  host_team_wake(scheduler, team, 3);
  assert_int_equal(scheduler->worker_count, 0);
  assert_int_equal(atomic_load(&team->count), 0);
  assert_int_equal(team->wants, 3);
}

/* ---------------------------------------------------------------- regions */

static void tags_are_never_those_of_a_region_before(void **state) {
  (void)state;
  host_team_t *team = team_own();
  host_region_t region = {.division = {.shares = 3, .units = 99}};
  host_team_publish(team, &region);
  assert_int_equal(region.division.tag, 1);
  assert_int_equal(host_call_tag(atomic_load(&team->call)), 1);
  assert_int_equal(host_call_shares(atomic_load(&team->call)), 3);
  assert_int_equal(atomic_load(&team->units), 99);
  assert_ptr_equal(team->region, &region);
  /* The owner takes part from the beginning. */
  assert_true(atomic_load(&team->shares[0].word) == host_share_word(1, HOST_SHARE_JOINED, 0, 33));
  host_team_publish(team, &region);
  assert_int_equal(region.division.tag, 2);

  team->tag = HOST_SHARE_LAST_TAG - 1;
  host_team_publish(team, &region);
  assert_int_equal(region.division.tag, HOST_SHARE_LAST_TAG);
  for (uint32_t rank = 0; rank < LIMIT; ++rank) {
    atomic_store(&team->shares[rank].word, host_share_word(1, HOST_SHARE_JOINED, 7, 9));
    atomic_store(&team->shares[rank].finished, 1);
  }
  /* The first tag comes again: no share may still have it. */
  host_team_publish(team, &region);
  assert_int_equal(region.division.tag, 1);
  assert_true(atomic_load(&team->shares[0].word) == host_share_word(1, HOST_SHARE_JOINED, 0, 33));
  for (uint32_t rank = 1; rank < LIMIT; ++rank) assert_true(atomic_load(&team->shares[rank].word) == 0);
  for (uint32_t rank = 0; rank < LIMIT; ++rank) assert_int_equal(atomic_load(&team->shares[rank].finished), 0);
}

typedef struct note_t {
  host_job_t job;
  uint64_t parts, helps;
} note_t;

static bool parts_note(const host_job_t *job, host_thread_t *thread, uint64_t first, uint64_t count) {
  (void)thread, (void)first;
  const uint64_t start = host_ticks();
  ((note_t *)(uintptr_t)job)->parts += count;
  while (host_ticks() - start < 100) continue;
  return true;
}

static void help_note(const host_job_t *job, host_helper_t *helper) {
  ++((note_t *)(uintptr_t)job)->helps;
  host_helper_work(helper);
}

static void members_serve_until_they_are_not_kept(void **state) {
  (void)state;
  host_team_t *team = team_own();
  members_add(team, 2);
  host_worker_t *worker = team->members[1];
  note_t note = {.job = {.run = parts_note, .help = help_note}};
  host_region_t region = {
      .job = &note.job, .end = 30, .unit = 1, .least = 1, .team = team, .division = {.shares = 3, .units = 30}};
  host_team_publish(team, &region);
  /* Its own share, once; then nothing comes for some time. */
  assert_true(host_team_serve(worker, host_thread_get()));
  assert_int_equal(note.helps, 1);
  assert_int_equal(note.parts, 10);
  assert_int_equal(atomic_load(&worker->account.regions), 1);
  assert_int_equal(atomic_load(&worker->account.steals), 0);
  assert_true(atomic_load(&worker->account.busy) >= 100);
  assert_int_equal(atomic_load(&team->shares[1].finished), 1);
  /* It is not for this member any more. */
  host_team_publish(team, &region);
  atomic_store(&team->keep, 0);
  assert_false(host_team_serve(worker, host_thread_get()));
  assert_int_equal(note.helps, 1);
  atomic_store(&team->keep, 1);
  assert_true(host_team_serve(worker, host_thread_get()));
  assert_int_equal(note.helps, 2);
  assert_int_equal(atomic_load(&worker->account.regions), 2);
}

static void members_that_nobody_owns_are_called_away(void **state) {
  (void)state;
  host_team_t *team = team_own();
  members_add(team, 3);
  atomic_store(&scheduler->ready_count, 1);
  /* It is long enough for that: as the team would be woken together. */
  atomic_store(&scheduler->weather.wake_latency, (uint64_t)HOST_MICROSECOND_TICKS * 100);
  /* While it is owned, all stay. */
  assert_true(host_team_serve(team->members[3], host_thread_get()));
  host_team_release(scheduler, team);
  /* One dispatch is for one member: the last. */
  assert_true(host_team_serve(team->members[1], host_thread_get()));
  assert_true(host_team_serve(team->members[2], host_thread_get()));
  assert_false(host_team_serve(team->members[3], host_thread_get()));
  atomic_store(&scheduler->ready_count, 2);
  assert_true(host_team_serve(team->members[1], host_thread_get()));
  assert_false(host_team_serve(team->members[2], host_thread_get()));
  atomic_store(&scheduler->ready_count, 0);
  assert_true(host_team_serve(team->members[3], host_thread_get()));
}

/* ---------------------------------------------------------------- fork */

static void a_fork_leaves_no_member_and_one_owner(void **state) {
  (void)state;
  host_thread_t other = {0};
  host_team_t *own = team_own(), *foreign = host_team_acquire(scheduler, &other), *late = team_own();
  host_region_t region = {.division = {.shares = 2, .units = 9}};
  members_add(own, 2);
  members_add(foreign, 1);
  members_add(late, 1);
  host_team_publish(late, &region);
  host_team_publish(own, &region);
  for (uint32_t i = 0; i < scheduler->teams.known; ++i) {
    host_team_t *team = &scheduler->teams.list[i];
    team->wants = 3;
    atomic_store(&team->sleeps, 1);
    atomic_store(&team->keep, 1);
  }
  host_teams_after_fork(scheduler);
  assert_ptr_equal(own->owner, host_thread_get());
  assert_ptr_equal(late->owner, host_thread_get());
  assert_null(foreign->owner);
  assert_false(atomic_load(&foreign->is_owned));
  assert_ptr_equal(team_own(), foreign);
  assert_int_equal(scheduler->teams.members, 0);
  for (uint32_t i = 0; i < scheduler->teams.known; ++i) {
    const host_team_t *team = &scheduler->teams.list[i];
    for (uint32_t rank = 0; rank < LIMIT; ++rank) assert_null(team->members[rank]);
    assert_int_equal(atomic_load(&team->count), 0);
    assert_int_equal(atomic_load(&team->top), 0);
    assert_int_equal(team->wants, 0);
    assert_int_equal(atomic_load(&team->sleeps), 0);
    assert_int_equal(atomic_load(&team->keep), HOST_KEEP_ALL);
    assert_int_equal(team->tag, 0);
    assert_true(atomic_load(&team->call) == 0);
    assert_true(atomic_load(&team->shares[0].word) == 0);
  }
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, scheduler_begin, scheduler_end)
  const struct CMUnitTest tests[] = {
      TEST(the_team_that_was_owned_last_comes_first),
      TEST(there_are_as_many_teams_as_threads),
      TEST(one_thread_has_no_team),
      TEST(members_of_a_released_team_are_spare),
      TEST(members_have_the_lowest_ranks_or_their_own),
      TEST(a_rank_that_is_taken_or_far_out_is_not_had_again),
      TEST(the_top_is_the_highest_rank_of_a_member),
      TEST(nobody_finds_a_team_that_wants_none),
      TEST(nobody_finds_a_team_beyond_the_limit),
      TEST(teams_keep_what_is_fair),
      TEST(what_all_teams_want_is_seen),
      TEST(idle_workers_are_woken_in_a_tree),
      TEST(no_more_are_woken_than_there_is_room_for),
      TEST(those_that_spin_are_not_woken),
      TEST(a_team_has_no_more_members_than_ranks),
      TEST(a_scheduler_that_stops_makes_no_members),
      TEST(tags_are_never_those_of_a_region_before),
      TEST(members_serve_until_they_are_not_kept),
      TEST(members_that_nobody_owns_are_called_away),
      TEST(a_fork_leaves_no_member_and_one_owner),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
