/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Several processes with such a supply end up with about the same number of threads each: whoever loses time slices
 * gives up a quarter, whoever loses none tries one more now and then (D.-M. Chiu and R. Jain, "Analysis of the Increase
 * and Decrease Algorithms for Congestion Avoidance in Computer Networks", 1989). That takes long, and chance chooses
 * who loses a time slice. Processes that know of each other (peers.h) know what is fair (docs/decisions/threads.md). */
#include "host/runtime/scheduling/supply.h"

#include <sched.h>
#include <unistd.h>

#include "host/runtime/machine/cgroup.h"
#include "host/runtime/machine/cpus.h"
#include "host/runtime/machine/futex.h"

#define MILLISECOND_TICKS (1000u * (uint64_t)HOST_MICROSECOND_TICKS)
/* Less than the time slices of the system, and more than what it does for itself in between. */
#define SLICE_TICKS (400u * (uint64_t)HOST_MICROSECOND_TICKS)
/* What is worth a thread, whenever it runs. */
#define LONG_TICKS MILLISECOND_TICKS
/* So much lost in so much time is a crowd: some process that has something to do now and then is none. Neither is what
 * costs less than a thread fewer would. */
#define CROWD_TICKS (4u * MILLISECOND_TICKS)
/* More than a peer takes that tries one thread more, or has not come down to its share yet. */
#define FAIR_CROWD_TICKS (16u * MILLISECOND_TICKS)
#define CROWD_INTERVAL (20u * MILLISECOND_TICKS)
/* Until a smaller number has had its effect. */
#define DECREASE_INTERVAL (4u * MILLISECOND_TICKS)
/* Until one more is tried: for longer when that has failed. */
#define LEAST_PATIENCE (25u * MILLISECOND_TICKS)
#define MOST_PATIENCE (800u * MILLISECOND_TICKS)
#define PEERS_INTERVAL (5u * MILLISECOND_TICKS)
#define MASK_INTERVAL (50u * MILLISECOND_TICKS)
#define QUOTA_INTERVAL (500u * MILLISECOND_TICKS)

void host_supply_init(host_supply_t *supply, uint32_t most) {
  const uint64_t now = host_ticks();
  *supply = (host_supply_t){.most = most, .root = "", .looks = ATOMIC_FLAG_INIT};
  atomic_init(&supply->allowed, most);
  atomic_init(&supply->quota, UINT32_MAX);
  atomic_init(&supply->share, most);
  atomic_init(&supply->share_change, now);
  atomic_init(&supply->patience, LEAST_PATIENCE);
  atomic_init(&supply->lost_begin, now);
  atomic_init(&supply->mask_look, now);
  /* The number of threads comes from it, and is as old as the device. */
  atomic_init(&supply->quota_look, now);
}

/* True for one of those that ask in the same interval. */
static bool is_due(_Atomic uint64_t *last, uint64_t now, uint64_t interval) {
  uint64_t known = atomic_load_explicit(last, memory_order_relaxed);
  return now - known >= interval && now > known &&
         atomic_compare_exchange_strong_explicit(last, &known, now, memory_order_relaxed, memory_order_relaxed);
}

/* ---------------------------------------------------------------- other processes */

/* What is left of those that are allowed. */
static uint32_t share_of(const host_supply_t *supply) {
  const uint32_t share = atomic_load_explicit(&supply->share, memory_order_relaxed);
  const uint32_t allowed = host_supply_allowed(supply);
  return share < allowed ? share : allowed;
}

/* What was lost before says nothing about the new share. */
static void share_set(host_supply_t *supply, uint32_t share, bool grows) {
  const bool grew = atomic_exchange_explicit(&supply->has_grown, grows, memory_order_relaxed);
  uint64_t patience = atomic_load_explicit(&supply->patience, memory_order_relaxed);
  if (grew) patience = grows ? patience / 2 : patience * 2;
  if (patience < LEAST_PATIENCE) patience = LEAST_PATIENCE;
  if (patience > MOST_PATIENCE) patience = MOST_PATIENCE;
  atomic_store_explicit(&supply->lost, 0, memory_order_relaxed);
  atomic_store_explicit(&supply->patience, patience, memory_order_relaxed);
  atomic_store_explicit(&supply->share, share, memory_order_relaxed);
}

/* Processes have come or gone: what is due to this one now it has without a trial. */
static void fair_set(host_supply_t *supply, uint32_t fair) {
  const uint32_t known = atomic_exchange_explicit(&supply->fair, fair, memory_order_relaxed);
  const uint32_t due = fair ? fair : UINT32_MAX;
  if (known == fair) return;
  atomic_store_explicit(&supply->patience, LEAST_PATIENCE, memory_order_relaxed);
  if (known && due > known && due > atomic_load_explicit(&supply->share, memory_order_relaxed))
    share_set(supply, due, false);
}

/* The mask that a thread has now, where masks are followed; constant otherwise. */
static const host_cpus_t *cpus_find(const host_supply_t *supply, host_cpus_t *room) {
  const int thread = atomic_load_explicit(&supply->thread, memory_order_relaxed);
  const bool has_mask = thread && !sched_getaffinity(thread, sizeof *room, room->parts);
  return has_mask ? room : supply->cpus;
}

static uint32_t fair_find(host_supply_t *supply, uint64_t now) {
  host_peers_t *peers = supply->peers();
  host_cpus_t room;
  if (!peers) return 0;
  return host_peers_meet(peers, &supply->place, cpus_find(supply, &room), now);
}

static void peers_meet(host_supply_t *supply, uint64_t now) {
  if (now - atomic_load_explicit(&supply->peers_look, memory_order_relaxed) < PEERS_INTERVAL ||
      atomic_flag_test_and_set_explicit(&supply->looks, memory_order_acquire))
    return;
  atomic_store_explicit(&supply->peers_look, now, memory_order_relaxed);
  fair_set(supply, fair_find(supply, now));
  atomic_flag_clear_explicit(&supply->looks, memory_order_release);
}

uint32_t host_supply_for(host_supply_t *supply, uint64_t expected) {
  const uint32_t allowed = host_supply_allowed(supply);
  const uint64_t now = host_ticks();
  if (supply->peers) peers_meet(supply, now);
  uint32_t share = share_of(supply);
  if (share == allowed) return allowed;
  if (is_due(&supply->share_change, now, atomic_load_explicit(&supply->patience, memory_order_relaxed)))
    share_set(supply, ++share, true);
  const uint64_t lengthy = expected / LONG_TICKS;
  return lengthy <= share ? share : lengthy < allowed ? (uint32_t)lengthy : allowed;
}

/* A thread fewer costs half of the speed of two, and a sixteenth of that of sixteen. One that is tried has to be worth
 * it; one beyond what is fair between peers takes it from them. */
static uint64_t crowd_least(uint32_t share, uint32_t fair, bool is_trial) {
  const uint64_t worth = CROWD_INTERVAL / share;
  if (fair && share > fair) return is_trial ? 0 : CROWD_TICKS;
  if (is_trial) return worth;
  if (fair) return FAIR_CROWD_TICKS;
  return share > 1 && worth > CROWD_TICKS ? worth : CROWD_TICKS;
}

static bool is_crowded(host_supply_t *supply, uint64_t now, uint64_t ticks, uint32_t share, uint32_t fair) {
  const uint64_t change = atomic_load_explicit(&supply->share_change, memory_order_relaxed);
  const bool is_trial = atomic_load_explicit(&supply->has_grown, memory_order_relaxed) && now - change < CROWD_INTERVAL;
  if (is_due(&supply->lost_begin, now, CROWD_INTERVAL)) atomic_store_explicit(&supply->lost, 0, memory_order_relaxed);
  return atomic_fetch_add_explicit(&supply->lost, ticks, memory_order_relaxed) + ticks >=
         crowd_least(share, fair, is_trial);
}

/* One that was tried was one too many. */
static uint32_t share_decrease(const host_supply_t *supply, uint32_t share, uint32_t fair) {
  if (atomic_load_explicit(&supply->has_grown, memory_order_relaxed)) return share - 1;
  if (fair && share > fair) return fair;
  return share - (share + 3) / 4;
}

/* Then it was the system that put two threads on one processor while another one was idle, as it does for some
 * milliseconds with threads that it has just created or woken, or a hypervisor that took the processor for a moment. */
static bool has_room(host_supply_t *supply) {
  host_cpus_t room;
  return supply->has_room && supply->has_room(&supply->steal, cpus_find(supply, &room));
}

void host_supply_lose(host_supply_t *supply, uint64_t ticks) {
  if (!supply->adapts || ticks < SLICE_TICKS || has_room(supply)) return;
  const uint64_t now = host_ticks();
  const uint32_t share = share_of(supply), fair = atomic_load_explicit(&supply->fair, memory_order_relaxed);
  if (!is_crowded(supply, now, ticks, share, fair) || !is_due(&supply->share_change, now, DECREASE_INTERVAL)) return;
  const uint32_t fewer = share_decrease(supply, share, fair);
  share_set(supply, fewer ? fewer : 1, false);
}

/* ---------------------------------------------------------------- mask and quota */

void host_supply_watch(host_supply_t *supply) {
  if (!supply->follows || atomic_load_explicit(&supply->thread, memory_order_relaxed)) return;
  atomic_store_explicit(&supply->thread, (int)gettid(), memory_order_relaxed);
}

/* The entry among the peers is the parent's. */
void host_supply_after_fork(host_supply_t *supply) {
  atomic_store_explicit(&supply->thread, 0, memory_order_relaxed);
  supply->place = (host_peer_place_t){0};
  atomic_flag_clear_explicit(&supply->looks, memory_order_relaxed);
}

bool host_supply_look(host_supply_t *supply) {
  const int thread = atomic_load_explicit(&supply->thread, memory_order_relaxed);
  host_cpus_t cpus;
  if (!thread) return false;
  const uint64_t now = host_ticks();
  if (!is_due(&supply->mask_look, now, MASK_INTERVAL)) return false;
  if (is_due(&supply->quota_look, now, QUOTA_INTERVAL))
    atomic_store_explicit(&supply->quota, host_cgroup_limits_read(supply->root).processors, memory_order_relaxed);
  if (sched_getaffinity(thread, sizeof cpus, cpus.parts)) return false;
  const uint32_t quota = atomic_load_explicit(&supply->quota, memory_order_relaxed);
  uint32_t allowed = host_cpus_count(&cpus);
  if (allowed > quota) allowed = quota;
  if (allowed > supply->most) allowed = supply->most;
  if (!allowed) allowed = 1;
  return atomic_exchange_explicit(&supply->allowed, allowed, memory_order_relaxed) != allowed;
}
