/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * How long to spin. */
#include "host/runtime/scheduling/spin.h"

#include <sched.h>

#include "host/runtime/machine/futex.h"

#define FIRST_WAKE_LATENCY (10u * HOST_MICROSECOND_TICKS)
#define SHORTEST_WAKE_LATENCY (4u * HOST_MICROSECOND_TICKS)
#define LONGEST_WAKE_LATENCY (100u * HOST_MICROSECOND_TICKS)
/* However long it takes: who spins takes the processor from others. */
#define LONGEST_SPIN (250u * HOST_MICROSECOND_TICKS)
#define LONGEST_IDLE_SPIN (20u * HOST_MICROSECOND_TICKS)
/* Turns between two looks at the clock, and time between two offers of the processor. */
#define TURNS_PER_LOOK 8u
#define YIELD_INTERVAL (2u * HOST_MICROSECOND_TICKS)

void host_weather_init(host_weather_t *weather) { atomic_init(&weather->wake_latency, FIRST_WAKE_LATENCY); }

void host_weather_learn_wake(host_weather_t *weather, uint64_t ticks) {
  uint64_t known = atomic_load_explicit(&weather->wake_latency, memory_order_relaxed);
  if (ticks > LONGEST_WAKE_LATENCY) ticks = LONGEST_WAKE_LATENCY;
  atomic_store_explicit(&weather->wake_latency, known - known / 8 + ticks / 8, memory_order_relaxed);
}

uint64_t host_weather_wake_latency(const host_weather_t *weather) {
  uint64_t known = atomic_load_explicit(&weather->wake_latency, memory_order_relaxed);
  return known < SHORTEST_WAKE_LATENCY ? SHORTEST_WAKE_LATENCY : known;
}

uint64_t host_weather_wake_cost(const host_weather_t *weather) { return 2 * host_weather_wake_latency(weather); }

/* Of a tree in which each thread wakes two. */
static uint32_t tree_depth(uint32_t threads) { return threads < 2 ? 1 : 32 - (uint32_t)__builtin_clz(threads); }

static void spin_begin(host_spin_t *spin, host_weather_t *weather, uint64_t longest, uint32_t threads) {
  const uint64_t cost = 2 * host_weather_wake_latency(weather) * tree_depth(threads);
  *spin = (host_spin_t){.weather = weather, .worth = cost < longest ? cost : longest};
  host_spin_renew(spin);
}

void host_spin_begin(host_spin_t *spin, host_weather_t *weather) {
  spin_begin(spin, weather, LONGEST_SPIN, 1);
  spin->yield_interval = YIELD_INTERVAL;
}

void host_spin_begin_together(host_spin_t *spin, host_weather_t *weather, uint32_t threads) {
  spin_begin(spin, weather, LONGEST_SPIN, threads);
  spin->yield_interval = YIELD_INTERVAL;
}

void host_spin_begin_greedily(host_spin_t *spin, host_weather_t *weather) {
  spin_begin(spin, weather, LONGEST_SPIN, 1);
  spin->yield_interval = UINT64_MAX;
}

void host_spin_begin_idly(host_spin_t *spin, host_weather_t *weather) {
  spin_begin(spin, weather, LONGEST_IDLE_SPIN, 1);
}

void host_spin_renew(host_spin_t *spin) {
  const uint64_t now = host_ticks();
  spin->end = now + spin->worth;
  spin->last_yield = now;
  spin->turn = 0;
}

bool host_spin_goes_on(host_spin_t *spin) {
  host_cpu_pause();
  if (++spin->turn % TURNS_PER_LOOK) return true;
  uint64_t now = host_ticks();
  if (now >= spin->end) return false;
  if (now - spin->last_yield < spin->yield_interval) return true;
  sched_yield();
  spin->last_yield = host_ticks();
  if (spin->is_needed) host_supply_lose(&spin->weather->supply, spin->last_yield - now);
  return true;
}
