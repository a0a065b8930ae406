/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Who is a member of which team, and what members do. */
#include "host/runtime/scheduling/team.h"

#include <stdlib.h>
#include <string.h>

#include "host/runtime/machine/futex.h"
#include "host/runtime/scheduling/region.h"
#include "host/runtime/scheduling/scheduler.h"
#include "host/runtime/scheduling/worker.h"

/* ---------------------------------------------------------------- memory */

static void team_init(host_team_t *team, host_scheduler_t *scheduler, host_member_share_t *shares,
                      struct host_worker_t **members) {
  team->scheduler = scheduler;
  team->shares = shares;
  team->members = members;
  atomic_init(&team->keep, HOST_KEEP_ALL);
  list_init(&team->link);
}

static void *zeros_allocate(size_t size) {
  void *block;
  if (posix_memalign(&block, HOST_LINES, size)) return NULL;
  return memset(block, 0, size);
}

/* One block: teams, shares, members. A single thread has no use for them. */
mux_result_t host_teams_init(host_scheduler_t *scheduler) {
  host_teams_t *teams = &scheduler->teams;
  const uint32_t limit = scheduler->thread_limit;
  list_init(&teams->owned);
  list_init(&teams->unowned);
  teams->capacity = limit < HOST_TEAM_CAPACITY ? limit : HOST_TEAM_CAPACITY;
  teams->limit = limit < 2 ? 0 : limit < HOST_TEAMS ? limit : HOST_TEAMS;
  if (!teams->limit) return mux_success;
  const size_t places = (size_t)teams->limit * teams->capacity;
  teams->list = zeros_allocate(teams->limit * sizeof(host_team_t) + places * sizeof(host_member_share_t) +
                               places * sizeof(struct host_worker_t *));
  if (!teams->list) return mux_error_out_of_memory;
  host_member_share_t *shares = (host_member_share_t *)(void *)(teams->list + teams->limit);
  struct host_worker_t **members = (struct host_worker_t **)(void *)(shares + places);
  for (uint32_t i = 0; i < teams->limit; ++i)
    team_init(&teams->list[i], scheduler, shares + (size_t)i * teams->capacity, members + (size_t)i * teams->capacity);
  return mux_success;
}

void host_teams_destroy(host_teams_t *teams) { free(teams->list); }

/* ---------------------------------------------------------------- owners */

host_team_t *host_team_acquire(host_scheduler_t *scheduler, host_thread_t *thread) {
  host_teams_t *teams = &scheduler->teams;
  list_t *node = list_first(&teams->unowned);
  if (!node && teams->known == teams->limit) return NULL;
  host_team_t *team = node ? LIST_ENTRY(node, host_team_t, link) : &teams->list[teams->known++];
  list_remove(&team->link);
  list_append(&teams->owned, &team->link);
  team->owner = thread;
  teams->members += team->count;
  atomic_store_explicit(&team->is_owned, true, memory_order_relaxed);
  return team;
}

void host_team_release(host_scheduler_t *scheduler, host_team_t *team) {
  host_teams_t *teams = &scheduler->teams;
  list_remove(&team->link);
  list_prepend(&teams->unowned, &team->link);
  team->owner = NULL;
  team->wants = 0;
  teams->members -= team->count;
  atomic_store_explicit(&team->is_owned, false, memory_order_relaxed);
}

uint32_t host_teams_spare(const host_teams_t *teams) {
  uint32_t spare = 0;
  LIST_FOR_EACH(node, &teams->unowned) spare += LIST_ENTRY(node, host_team_t, link)->count;
  return spare;
}

static void keep_set(host_team_t *team, uint32_t keep) {
  if (atomic_load_explicit(&team->keep, memory_order_relaxed) != keep)
    atomic_store_explicit(&team->keep, keep, memory_order_relaxed);
}

static uint32_t wants_sum(const host_teams_t *teams) {
  uint32_t sum = 0;
  LIST_FOR_EACH(node, &teams->owned) sum += LIST_ENTRY(node, host_team_t, link)->wants;
  return sum;
}

/* Those that spin and see it look for a team. */
static void wanted_set(host_scheduler_t *scheduler, uint32_t wanted) {
  if (atomic_load_explicit(&scheduler->wanted_count, memory_order_relaxed) != wanted)
    atomic_store_explicit(&scheduler->wanted_count, wanted, memory_order_relaxed);
}

void host_teams_rebalance(host_scheduler_t *scheduler) {
  host_teams_t *teams = &scheduler->teams;
  const uint32_t limit = host_scheduler_limit(scheduler);
  const uint32_t ready = atomic_load_explicit(&scheduler->ready_count, memory_order_relaxed);
  const uint32_t busy = scheduler->executing + scheduler->searching + teams->members;
  const uint32_t wants = wants_sum(teams);
  const bool crowded = scheduler->executing + teams->members > limit;
  const bool shared = crowded || scheduler->stopping || ((ready || wants) && busy >= limit);
  uint32_t owners = scheduler->executing + ready;
  if (!owners || scheduler->stopping) owners = 1;
  const uint32_t fair = owners < limit ? limit / owners - 1 : 0;
  wanted_set(scheduler, busy < limit ? wants : 0);
  LIST_FOR_EACH(node, &teams->owned) keep_set(LIST_ENTRY(node, host_team_t, link), shared ? fair : HOST_KEEP_ALL);
  LIST_FOR_EACH(node, &teams->unowned)
  keep_set(LIST_ENTRY(node, host_team_t, link), wants || crowded || scheduler->stopping ? 0 : HOST_KEEP_ALL);
}

/* ---------------------------------------------------------------- members */

/* The rank that it had before, if that is free: then it has the same share again. 0 when the team is full. */
static uint32_t rank_choose(const host_team_t *team, const host_worker_t *worker) {
  const uint32_t capacity = team->scheduler->teams.capacity;
  if (worker->rank && worker->rank <= team->count + 1 && !team->members[worker->rank]) return worker->rank;
  for (uint32_t rank = 1; rank < capacity; ++rank)
    if (!team->members[rank]) return rank;
  return 0;
}

static bool member_add(host_team_t *team, host_worker_t *worker) {
  const uint32_t rank = rank_choose(team, worker);
  if (!rank) return false;
  team->members[rank] = worker;
  worker->team = team;
  worker->rank = rank;
  ++team->count;
  if (team->owner) ++team->scheduler->teams.members;
  if (rank > atomic_load_explicit(&team->top, memory_order_relaxed))
    atomic_store_explicit(&team->top, rank, memory_order_relaxed);
  return true;
}

void host_team_leave(host_worker_t *worker) {
  host_team_t *team = worker->team;
  uint32_t top = atomic_load_explicit(&team->top, memory_order_relaxed);
  team->members[worker->rank] = NULL;
  worker->team = NULL;
  --team->count;
  if (team->owner) --team->scheduler->teams.members;
  while (top && !team->members[top]) --top;
  atomic_store_explicit(&team->top, top, memory_order_relaxed);
  host_teams_rebalance(team->scheduler);
}

bool host_team_find(host_scheduler_t *scheduler, host_worker_t *worker) {
  host_teams_t *teams = &scheduler->teams;
  if (scheduler->executing + teams->members >= host_scheduler_limit(scheduler)) return false;
  LIST_FOR_EACH(node, &teams->owned) {
    host_team_t *team = LIST_ENTRY(node, host_team_t, link);
    if (!team->wants || !member_add(team, worker)) continue;
    --team->wants;
    host_teams_rebalance(scheduler);
    return true;
  }
  return false;
}

/* Workers to be woken, in a tree: each has two children. */
typedef struct tree_t {
  host_worker_t *root, *parent, *last;
} tree_t;

static void tree_add(tree_t *tree, host_worker_t *worker) {
  worker->children[0] = worker->children[1] = worker->after = NULL;
  if (!tree->root) {
    tree->root = tree->parent = tree->last = worker;
    return;
  }
  tree->last->after = worker;
  tree->last = worker;
  if (tree->parent->children[1]) tree->parent = tree->parent->after;
  tree->parent->children[tree->parent->children[0] != NULL] = worker;
}

static host_worker_t *spare_take(host_scheduler_t *scheduler) {
  list_t *node = list_first(&scheduler->idle);
  if (node) {
    list_remove(node);
    host_worker_t *worker = LIST_ENTRY(node, host_worker_t, parked.link);
    worker->parked.waits = false;
    return worker;
  }
  if (scheduler->worker_count >= scheduler->thread_limit || scheduler->stopping) return NULL;
  return host_worker_reserve(scheduler);
}

void host_team_wake(host_scheduler_t *scheduler, host_team_t *team, uint32_t count) {
  host_teams_t *teams = &scheduler->teams;
  tree_t tree = {0};
  host_scheduler_lock(scheduler);
  team->wants = 0;
  const uint32_t room = teams->capacity - 1 - team->count;
  if (count > room) count = room;
  /* Those that spin come by themselves. */
  uint32_t spinning = count < scheduler->spinning ? count : scheduler->spinning;
  count -= spinning;
  while (count &&
         scheduler->executing + scheduler->searching + teams->members + spinning < host_scheduler_limit(scheduler)) {
    host_worker_t *worker = spare_take(scheduler);
    if (!worker) break;
    member_add(team, worker);
    tree_add(&tree, worker);
    --count;
  }
  team->wants = count + spinning;
  if (team->wants) host_teams_rebalance(scheduler);
  pthread_mutex_unlock(scheduler->mutex);
  if (tree.root) host_worker_rouse(tree.root);
}

/* ---------------------------------------------------------------- regions */

/* After all tags, a share may have one that comes again. First the last region is taken back, so that who is late does
 * not find its share untouched. */
static void tags_renew(host_team_t *team) {
  atomic_store_explicit(&team->call, 0, memory_order_release);
  for (uint32_t rank = 0; rank < team->scheduler->teams.capacity; ++rank) {
    atomic_store_explicit(&team->shares[rank].word, 0, memory_order_release);
    atomic_store_explicit(&team->shares[rank].finished, 0, memory_order_relaxed);
  }
  team->tag = 0;
}

void host_team_publish(host_team_t *team, host_region_t *region) {
  if (team->tag == HOST_SHARE_LAST_TAG) tags_renew(team);
  region->division.tag = ++team->tag;
  const uint64_t own = host_share_interpret(&region->division, 0, 0);
  atomic_store_explicit(&team->shares[0].word, own | HOST_SHARE_JOINED, memory_order_relaxed);
  atomic_store_explicit(&team->units, region->division.units, memory_order_relaxed);
  team->region = region;
  atomic_store_explicit(&team->call, (uint64_t)region->division.tag << 32 | region->division.shares,
                        memory_order_release);
}

/* True when a dispatch is ready that nobody takes, and it is for this member to do it. */
static bool is_called_away(const host_team_t *team, uint32_t rank, uint64_t *since) {
  const host_scheduler_t *scheduler = team->scheduler;
  const uint32_t ready = atomic_load_explicit(&scheduler->ready_count, memory_order_relaxed);
  if (!ready || atomic_load_explicit(&team->is_owned, memory_order_relaxed) ||
      rank + ready <= atomic_load_explicit(&team->top, memory_order_relaxed)) {
    *since = 0;
    return false;
  }
  return host_scheduler_calls(scheduler, since);
}

static void account_region(host_worker_t *worker, const host_helper_t *helper) {
  host_account_add(&worker->account.busy, helper->ticks);
  host_account_add(&worker->account.stealing, helper->stealing);
  host_account_add(&worker->account.steals, helper->steals);
  host_account_add(&worker->account.regions, 1);
}

bool host_team_serve(host_worker_t *worker, host_thread_t *thread) {
  host_team_t *team = worker->team;
  host_helper_t helper = {.rank = worker->rank, .thread = thread};
  uint64_t seen = 0, since = 0;
  host_spin_t spin;
  host_spin_begin_together(&spin, &team->scheduler->weather, atomic_load_explicit(&team->count, memory_order_relaxed));
  while (!host_team_is_left(team, helper.rank)) {
    const uint64_t call = atomic_load_explicit(&team->call, memory_order_acquire);
    spin.is_needed = atomic_load_explicit(&team->is_owned, memory_order_relaxed);
    if (call != seen) {
      seen = call;
      if (!host_region_join(team, call, &helper)) continue;
      account_region(worker, &helper);
      host_spin_renew(&spin);
    } else if (!host_spin_goes_on(&spin)) {
      return true;
    } else if (is_called_away(team, helper.rank, &since)) {
      return false;
    }
  }
  return false;
}

/* ---------------------------------------------------------------- fork */

/* What other threads were doing in a team may have reached the child in part. */
static void team_after_fork(host_team_t *team) {
  const uint32_t capacity = team->scheduler->teams.capacity;
  memset(team->members, 0, capacity * sizeof *team->members);
  tags_renew(team);
  team->count = team->wants = 0;
  atomic_store_explicit(&team->sleeps, 0, memory_order_relaxed);
  atomic_store_explicit(&team->top, 0, memory_order_relaxed);
  atomic_store_explicit(&team->keep, HOST_KEEP_ALL, memory_order_relaxed);
}

void host_teams_after_fork(host_scheduler_t *scheduler) {
  host_teams_t *teams = &scheduler->teams;
  const host_thread_t *thread = host_thread_get();
  for (uint32_t i = 0; i < teams->known; ++i) team_after_fork(&teams->list[i]);
  teams->members = 0;
  LIST_FOR_EACH_SAFE(node, &teams->owned) {
    host_team_t *team = LIST_ENTRY(node, host_team_t, link);
    if (team->owner != thread) host_team_release(scheduler, team);
  }
}
