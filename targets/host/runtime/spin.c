/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * How long to spin. */
#include "host/runtime/spin.h"

#include <sched.h>

#include "host/runtime/futex.h"

#define FIRST_WAKE_LATENCY (10u * HOST_MICROSECOND_TICKS)
#define SHORTEST_WAKE_LATENCY (4u * HOST_MICROSECOND_TICKS)
#define LONGEST_WAKE_LATENCY (100u * HOST_MICROSECOND_TICKS)
/* However long it takes: who spins takes the processor from others. */
#define LONGEST_SPIN (80u * HOST_MICROSECOND_TICKS)
#define LONGEST_IDLE_SPIN (20u * HOST_MICROSECOND_TICKS)
/* Turns between two looks at the clock, and time between two offers of the processor. */
#define TURNS_PER_LOOK 8u
#define YIELD_INTERVAL (2u * HOST_MICROSECOND_TICKS)
/* Longer than a call that finds nobody. */
#define LATE (10u * HOST_MICROSECOND_TICKS)
#define BUSY_FACTOR 8u
#define BUSY_TIME (2000u * HOST_MICROSECOND_TICKS)

void host_weather_init(host_weather_t *weather) {
  atomic_init(&weather->wake_latency, FIRST_WAKE_LATENCY);
  atomic_init(&weather->busy_until, 0);
}

void host_weather_learn_wake(host_weather_t *weather, uint64_t ticks) {
  uint64_t known = atomic_load_explicit(&weather->wake_latency, memory_order_relaxed);
  if (ticks > LONGEST_WAKE_LATENCY) ticks = LONGEST_WAKE_LATENCY;
  atomic_store_explicit(&weather->wake_latency, known - known / 8 + ticks / 8, memory_order_relaxed);
}

uint64_t host_weather_wake_latency(const host_weather_t *weather) {
  uint64_t known = atomic_load_explicit(&weather->wake_latency, memory_order_relaxed);
  return known < SHORTEST_WAKE_LATENCY ? SHORTEST_WAKE_LATENCY : known;
}

static bool is_busy(const host_weather_t *weather, uint64_t now) {
  return now < atomic_load_explicit(&weather->busy_until, memory_order_relaxed);
}

uint64_t host_weather_wake_cost(const host_weather_t *weather) {
  const uint64_t cost = 2 * host_weather_wake_latency(weather);
  return is_busy(weather, host_ticks()) ? BUSY_FACTOR * cost : cost;
}

void host_spin_begin(host_spin_t *spin, host_weather_t *weather) {
  *spin = (host_spin_t){.weather = weather, .longest = LONGEST_SPIN, .yield_interval = YIELD_INTERVAL};
  host_spin_renew(spin);
}

void host_spin_begin_greedily(host_spin_t *spin, host_weather_t *weather) {
  *spin = (host_spin_t){.weather = weather, .longest = LONGEST_SPIN, .yield_interval = UINT64_MAX};
  host_spin_renew(spin);
}

void host_spin_begin_idly(host_spin_t *spin, host_weather_t *weather) {
  *spin = (host_spin_t){.weather = weather, .longest = LONGEST_IDLE_SPIN};
  host_spin_renew(spin);
}

void host_spin_renew(host_spin_t *spin) {
  const uint64_t now = host_ticks(), worth = 2 * host_weather_wake_latency(spin->weather);
  spin->end = now + (is_busy(spin->weather, now) ? HOST_MICROSECOND_TICKS
                     : worth < spin->longest     ? worth
                                                 : spin->longest);
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
  if (spin->last_yield - now < LATE) return true;
  host_supply_lose(&spin->weather->supply, spin->last_yield - now);
  atomic_store_explicit(&spin->weather->busy_until, spin->last_yield + BUSY_TIME, memory_order_relaxed);
  return false;
}
