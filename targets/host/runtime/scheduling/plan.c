/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Members that spin cost a microsecond of talk between caches, sleeping ones a wake-up, which pays when this job, or
 * the ones that follow each other closely, have missed them for longer than that takes. */
#include "host/runtime/scheduling/plan.h"

#include "host/runtime/machine/futex.h"
#include "host/runtime/scheduling/scheduler.h"

/* On one thread, whoever is there. */
#define ALONE_TICKS (6u * HOST_MICROSECOND_TICKS)
/* The smallest share, and the shortest run of it. */
#define SHARE_TICKS (HOST_MICROSECOND_TICKS * 4 / 5)
#define RUN_TICKS (HOST_MICROSECOND_TICKS / 2)
/* Of a share that is worth stealing from. */
#define STEAL_TICKS (4u * HOST_MICROSECOND_TICKS)
/* Jobs follow each other closely when the time in between is shorter. */
#define CLOSE_TICKS (60u * HOST_MICROSECOND_TICKS)

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* True when what missing members have cost lately is more than waking them does. */
static bool is_worth_waking(host_scheduler_t *scheduler, host_team_t *team, uint64_t expected, uint64_t loss) {
  const uint64_t now = host_ticks();
  team->loss = (now < team->loss_end ? team->loss : 0) + loss;
  team->loss_end = now + expected + CLOSE_TICKS;
  if (team->loss < host_weather_wake_cost(&scheduler->weather)) return false;
  team->loss = 0;
  return true;
}

/* Ranks that nobody has may lie below those of members. */
static uint32_t ranks_cover(const host_team_t *team, uint32_t helpers, uint32_t members, uint32_t most) {
  const uint32_t top = atomic_load_explicit(&team->top, memory_order_relaxed);
  if (members > helpers || top < helpers) return helpers;
  return top < most ? top : most;
}

static void helpers_choose(host_plan_t *plan, host_scheduler_t *scheduler, host_team_t *team, uint64_t expected,
                           uint32_t most) {
  const uint32_t members = atomic_load_explicit(&team->count, memory_order_relaxed);
  const uint64_t useful_at_most = least(most, atomic_load_explicit(&team->keep, memory_order_relaxed));
  const uint32_t useful = (uint32_t)(expected ? least(useful_at_most, expected / SHARE_TICKS) : useful_at_most);
  plan->helpers = useful < members ? useful : members;
  if (useful > members &&
      (!expected || is_worth_waking(scheduler, team, expected, expected / (members + 1) - expected / (useful + 1)))) {
    plan->wakes = useful - members;
    plan->helpers = useful;
  }
  plan->members = plan->helpers;
  if (plan->helpers) plan->helpers = ranks_cover(team, plan->helpers, members, most);
}

/* Beside the looks at the machine that are due. */
static uint32_t threads_to_be_had(host_scheduler_t *scheduler, uint64_t expected) {
  host_supply_t *supply = &scheduler->weather.supply;
  if (host_supply_look(supply)) {
    host_scheduler_lock(scheduler);
    host_teams_rebalance(scheduler);
    pthread_mutex_unlock(scheduler->mutex);
  }
  return (uint32_t)least(host_supply_for(supply, expected), scheduler->teams.capacity);
}

void host_plan_make(host_plan_t *plan, host_scheduler_t *scheduler, host_team_t *team, uint64_t expected) {
  const uint64_t parts = plan->end - plan->first;
  const uint32_t most = (uint32_t)least(parts, threads_to_be_had(scheduler, expected)) - 1;
  plan->helpers = plan->members = plan->wakes = 0;
  if (!expected || expected >= ALONE_TICKS) helpers_choose(plan, scheduler, team, expected, most);
  plan->least_parts = expected ? (uint64_t)RUN_TICKS * parts / expected : 1;
  plan->steals = !expected || expected / (plan->helpers + 1) >= STEAL_TICKS;
}
