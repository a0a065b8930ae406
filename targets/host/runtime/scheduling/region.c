/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Regions. Each thread has the same share each time, so that its caches and pages are the right ones, takes runs that
 * shrink with what is left of it, and steals halves of others' shares when it is done. Nobody waits for a thread that
 * does not come: its share is stolen. */
#include "host/runtime/scheduling/region.h"

#include <assert.h>

#include "base/clock.h"
#include "host/runtime/machine/futex.h"
#include "host/runtime/scheduling/scheduler.h"
#include "host/runtime/scheduling/team.h"

/* Shares of a team that is so small that each is looked at. */
#define LOOK_AT_ALL 16u

/* ---------------------------------------------------------------- parts */

/* Nothing more is begun: what is taken from now on is not executed. */
static void region_fault(host_region_t *region, host_fault_t *fault) {
  if (!atomic_exchange_explicit(&region->has_fault, true, memory_order_acq_rel))
    host_fault_move(&region->fault, fault);
  else
    host_fault_release(fault);
}

static void run_execute(host_helper_t *helper, const host_run_t *run) {
  host_region_t *region = helper->region;
  uint64_t first = region->first + run->first * region->unit, end = first + run->count * region->unit;
  if (end > region->end) end = region->end;
  helper->units += run->count;
  if (atomic_load_explicit(&region->has_fault, memory_order_relaxed)) return;
  if (!region->job->run(region->job, helper->thread, first, end - first))
    region_fault(region, &helper->thread->guard.fault);
}

/* ---------------------------------------------------------------- shares */

static _Atomic uint64_t *share_of(const host_region_t *region, uint32_t rank) {
  return &region->team->shares[rank].word;
}

/* Members may leave between the plan and the region, and during it, for other work that is soon over. In a region that
 * has lasted for longer than it takes to wake others, it is worth having them back. */
static void members_replace(host_region_t *region) {
  host_team_t *team = region->team;
  const uint32_t count = atomic_load_explicit(&team->count, memory_order_relaxed);
  if (count >= region->members) return;
  const uint64_t now = host_ticks();
  if (now < region->replace_from) return;
  host_team_wake(team->scheduler, team, region->members - count);
  region->replace_from = now + host_weather_wake_cost(&team->scheduler->weather);
}

/* Once for the whole region: who went on to steal would overwrite what is left of the own share. */
static bool helper_leaves(host_helper_t *helper) {
  helper->leaves = helper->leaves || host_team_is_left(helper->region->team, helper->rank);
  return helper->leaves;
}

/* Until nothing is left of the own share, or the team is to be smaller: others then steal the rest. */
static void share_finish(host_helper_t *helper) {
  const host_region_t *region = helper->region;
  uint64_t start = host_ticks();
  host_run_t run;
  while (!helper_leaves(helper) && host_share_claim(share_of(region, helper->rank), region->least, &run)) {
    run_execute(helper, &run);
    if (!helper->rank) members_replace(helper->region);
  }
  helper->ticks += host_ticks() - start;
}

/* What was stolen becomes the thief's share, of which others may steal. */
static bool share_steal(host_helper_t *helper, uint32_t victim) {
  const host_region_t *region = helper->region;
  const host_division_t *division = &region->division;
  host_run_t run;
  if (!host_share_steal(share_of(region, victim), division, victim, region->least, &run)) return false;
  assert(!host_share_left(atomic_load_explicit(share_of(region, helper->rank), memory_order_relaxed)));
  atomic_store_explicit(share_of(region, helper->rank),
                        host_share_word(division->tag, HOST_SHARE_JOINED, run.first, run.first + run.count),
                        memory_order_release);
  ++helper->steals;
  share_finish(helper);
  return true;
}

/* The share to look at in this step, from 1 on; the own rank when there is none, in this step or any more. In large
 * teams not all: looking at each takes longer than what is to be gained, and what was stolen is stolen from in turn
 * (docs/decisions/threads.md). The owner looks at all in the end. */
static uint32_t victim_of(uint32_t rank, uint32_t step, uint32_t shares) {
  if (shares <= LOOK_AT_ALL) return (rank + step) % shares;
  const uint32_t victim = rank ^ (uint32_t)1 << (step - 1);
  return victim < shares ? victim : rank;
}

/* Until there is nothing to steal. */
static void shares_steal(host_helper_t *helper) {
  const host_region_t *region = helper->region;
  const uint32_t shares = region->division.shares;
  const uint32_t steps = shares <= LOOK_AT_ALL ? shares - 1 : 32 - (uint32_t)__builtin_clz(shares - 1);
  for (uint32_t step = 1; region->steals && step <= steps; ++step) {
    if (helper_leaves(helper)) return;
    const uint32_t victim = victim_of(helper->rank, step, shares);
    if (victim != helper->rank && share_steal(helper, victim)) step = 0;
  }
}

void host_helper_work(host_helper_t *helper) {
  share_finish(helper);
  const uint64_t own_end = host_ticks(), own = helper->ticks;
  shares_steal(helper);
  helper->stealing += host_ticks() - own_end - (helper->ticks - own);
}

/* ---------------------------------------------------------------- helpers */

/* The share's word is that of the region, or of one before, as long as the region is the last one, and is changed
 * before the region is over: who changes it, while it is still what it was then, has come in time. */
static bool share_enter(host_team_t *team, uint64_t call, uint32_t rank) {
  _Atomic uint64_t *share = &team->shares[rank].word;
  uint64_t raw = atomic_load_explicit(share, memory_order_acquire), word;
  do {
    const host_division_t division = {.tag = host_call_tag(call),
                                      .shares = host_call_shares(call),
                                      .units = atomic_load_explicit(&team->units, memory_order_acquire)};
    if (atomic_load_explicit(&team->call, memory_order_acquire) != call) return false;
    word = host_share_interpret(&division, rank, raw);
    if (host_share_flags(word)) return false;
  } while (!atomic_compare_exchange_weak_explicit(share, &raw, word | HOST_SHARE_JOINED, memory_order_acq_rel,
                                                  memory_order_acquire));
  return true;
}

bool host_region_join(host_team_t *team, uint64_t call, host_helper_t *helper) {
  if (helper->rank >= host_call_shares(call) || !share_enter(team, call, helper->rank)) return false;
  /* From here on the owner waits for this thread. */
  host_member_share_t *share = &team->shares[helper->rank];
  const host_job_t *job = team->region->job;
  helper->region = team->region;
  helper->ticks = helper->stealing = helper->steals = helper->units = 0;
  helper->leaves = false;
  job->help(job, helper);
  share->busy = helper->ticks;
  share->units = helper->units;
  /* Sequentially consistent, as the owner sets `sleeps` before it looks at `finished`: one of both sees the other. */
  atomic_store_explicit(&share->finished, host_call_tag(call), memory_order_seq_cst);
  if (atomic_load_explicit(&team->sleeps, memory_order_seq_cst) &&
      atomic_exchange_explicit(&team->sleeps, 0, memory_order_seq_cst))
    host_futex_wake(&team->sleeps);
  return true;
}

/* ---------------------------------------------------------------- the owner */

/* True when the helper of a share is done, or there is none and will not be. */
static bool share_is_settled(host_helper_t *owner, uint32_t rank) {
  const host_region_t *region = owner->region;
  host_member_share_t *share = &region->team->shares[rank];
  for (;;) {
    /* Looked at first: until it is done, a helper whose share is empty may fill it again with what it has stolen. */
    const bool is_finished = atomic_load(&share->finished) == region->division.tag;
    uint64_t word =
        host_share_interpret(&region->division, rank, atomic_load_explicit(&share->word, memory_order_acquire));
    if (host_share_left(word))
      share_steal(owner, rank);
    else if (word & HOST_SHARE_JOINED)
      return is_finished;
    else if (word & HOST_SHARE_SEALED)
      return true;
    else if (host_share_seal(&share->word, word))
      return true;
  }
}

static bool all_are_settled(host_helper_t *owner) {
  bool settled = true;
  for (uint32_t rank = 1; rank < owner->region->division.shares; ++rank)
    settled = share_is_settled(owner, rank) && settled;
  return settled;
}

static void helpers_await(host_helper_t *owner, host_scheduler_t *scheduler) {
  host_team_t *team = owner->region->team;
  host_spin_t spin;
  host_spin_begin_greedily(&spin, &scheduler->weather);
  while (!all_are_settled(owner)) {
    if (host_spin_goes_on(&spin)) continue;
    atomic_store_explicit(&team->sleeps, 1, memory_order_seq_cst);
    if (!all_are_settled(owner)) host_futex_wait(&team->sleeps, 1, HOST_NO_DEADLINE);
  }
  atomic_store_explicit(&team->sleeps, 0, memory_order_relaxed);
}

/* Adds what helpers have done to what the owner has. */
static void helpers_account(host_helper_t *owner) {
  const host_region_t *region = owner->region;
  for (uint32_t rank = 1; rank < region->division.shares; ++rank) {
    const host_member_share_t *share = &region->team->shares[rank];
    if (atomic_load_explicit(&share->finished, memory_order_relaxed) != region->division.tag) continue;
    owner->ticks += share->busy;
    owner->units += share->units;
  }
  assert(owner->units == region->division.units && "each unit is taken once");
}

static void region_divide(host_region_t *region, const host_plan_t *plan) {
  uint64_t parts = plan->end - plan->first, least;
  region->unit = parts / HOST_SHARE_UNITS + (parts % HOST_SHARE_UNITS != 0);
  region->division.units = (uint32_t)(parts / region->unit + (parts % region->unit != 0));
  region->division.shares = plan->helpers + 1;
  if (region->division.shares > region->division.units) region->division.shares = region->division.units;
  least = plan->least_parts / region->unit;
  region->least = least < 1 ? 1 : least > HOST_SHARE_UNITS ? HOST_SHARE_UNITS : (uint32_t)least;
}

mux_result_t host_region_run(host_scheduler_t *scheduler, host_team_t *team, const host_job_t *job,
                             const host_plan_t *plan, host_thread_t *thread, uint64_t *out_ticks) {
  assert(plan->helpers < scheduler->teams.capacity && "each helper has a share");
  host_region_t region = {.job = job,
                          .first = plan->first,
                          .end = plan->end,
                          .steals = plan->steals,
                          .team = team,
                          .members = plan->members,
                          .replace_from = host_ticks() + host_weather_wake_cost(&scheduler->weather)};
  host_helper_t owner = {.region = &region, .thread = thread};
  region_divide(&region, plan);
  host_team_publish(team, &region);
  if (plan->wakes) host_team_wake(scheduler, team, plan->wakes);
  share_finish(&owner);
  helpers_await(&owner, scheduler);
  helpers_account(&owner);
  *out_ticks = owner.ticks;
  if (!atomic_load_explicit(&region.has_fault, memory_order_acquire)) return mux_success;
  host_fault_move(&thread->guard.fault, &region.fault);
  return mux_error_failure;
}
