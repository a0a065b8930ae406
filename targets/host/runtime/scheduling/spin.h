/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Waiting for something that comes within microseconds, without taking the processor from those who could use it. */
#ifndef HOST_RUNTIME_SCHEDULING_SPIN_H
#define HOST_RUNTIME_SCHEDULING_SPIN_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "host/runtime/scheduling/supply.h"

/** What the threads of a device know of the machine: hints, so relaxed and without order. In ticks (futex.h). */
typedef struct host_weather_t {
  /** From a futex call until the thread that slept goes on; a mean. */
  _Atomic uint64_t wake_latency;
  host_supply_t supply;
} host_weather_t;

typedef struct host_spin_t {
  host_weather_t *weather;
  uint64_t worth, yield_interval, end, last_yield;
  uint32_t turn;
  /** There is a processor for it, unless other processes have one: members of a team that is owned. */
  bool is_needed;
} host_spin_t;

/** All but `supply`. */
void host_weather_init(host_weather_t *weather);

/** A thread that slept went on so much after it was woken. */
void host_weather_learn_wake(host_weather_t *weather, uint64_t ticks);

/** About what it costs to wake a thread, and so how long it is worth spinning, as a sleeper would cost as much. */
uint64_t host_weather_wake_latency(const host_weather_t *weather);

/** What must be gained before it is worth waking threads. */
uint64_t host_weather_wake_cost(const host_weather_t *weather);

/** For a thread that has nothing to do. */
void host_spin_begin(host_spin_t *spin, host_weather_t *weather);

/** For one of `threads` members of a team, which would have to be woken together, in a tree: that is what spinning
 * saves. While it `is_needed`, a processor that comes back late makes the supply smaller. */
void host_spin_begin_together(host_spin_t *spin, host_weather_t *weather, uint32_t threads);

/** For a thread that others wait for: it does not offer the processor, and sleeps when that has not helped. */
void host_spin_begin_greedily(host_spin_t *spin, host_weather_t *weather);

/** For a thread whose work others do now: shorter, and the processor is offered all the time. */
void host_spin_begin_idly(host_spin_t *spin, host_weather_t *weather);

/** Begins anew, as what was waited for has come. */
void host_spin_renew(host_spin_t *spin);

/** One turn; false when it has been long enough. Now and then the processor is offered to others; it comes back late
 * when they want it. */
bool host_spin_goes_on(host_spin_t *spin);

#endif
