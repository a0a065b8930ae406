/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * How many threads can have a processor now. That changes while a process runs: its affinity mask and the quota of its
 * control group are set from outside, and other processes come and go. */
#ifndef HOST_RUNTIME_SCHEDULING_SUPPLY_H
#define HOST_RUNTIME_SCHEDULING_SUPPLY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "host/runtime/machine/load.h"
#include "host/runtime/machine/peers.h"

/** Numbers of threads, the calling one included: hints, so relaxed and without order. In ticks (futex.h). */
typedef struct host_supply_t {
  /** Constant. At most so many; the mask and the quota may make it fewer; so may other processes. */
  uint32_t most;
  bool follows, adapts;
  /** Constant: what is put before the paths of control groups (cgroup.h). */
  const char *root;
  /** That mask and quota allow, and when they were looked at last. */
  _Atomic uint32_t allowed;
  _Atomic uint64_t mask_look, quota_look;
  _Atomic uint32_t quota;
  /** The system's number of the thread whose mask counts; 0 when there is none yet. */
  _Atomic int thread;
  /** Of them, those that other processes leave. When that was changed last, whether it grew then, and how long it takes
   * until it grows. */
  _Atomic uint32_t share;
  _Atomic uint64_t share_change, patience;
  atomic_bool has_grown;
  /** What others took lately, on all threads together, and from when on that is. */
  _Atomic uint64_t lost, lost_begin;
  /** Constant: gives the table of processes with such a supply, null for none, and where threads may run at first. */
  host_peers_t *(*peers)(void);
  const host_cpus_t *cpus;
  /** Constant: whether no thread has to wait for one of these processors (load.h), null where that cannot be told. */
  bool (*has_room)(host_steal_t *steal, const host_cpus_t *cpus);
  host_steal_t steal;
  /** What is fair between these processes, 0 when there is no other; when that was looked at last. */
  _Atomic uint32_t fair;
  _Atomic uint64_t peers_look;
  /** Of who looks. */
  atomic_flag looks;
  host_peer_place_t place;
} host_supply_t;

/** `most` threads, whatever happens: `follows`, `adapts`, `peers`, `cpus` and `has_room` are left to the caller. */
void host_supply_init(host_supply_t *supply, uint32_t most);

/** Threads that may have a processor at the same time. */
static inline uint32_t host_supply_allowed(const host_supply_t *supply) {
  return atomic_load_explicit(&supply->allowed, memory_order_relaxed);
}

/** Threads for work of `expected` ticks, 0 when that is not known. Each has at least as much of it as a time slice, or
 * other processes leave it a processor: a thread that the system does not run at once keeps all others waiting, in
 * work that is shorter. Called for every launch, so it also tries whether others leave more now, and tells peers that
 * there is work. */
uint32_t host_supply_for(host_supply_t *supply, uint64_t expected);

/** Another thread has had the calling thread's processor for `ticks`, while the thread wanted it. When this happens
 * again and again for whole time slices, while threads of the system wait for processors, fewer threads are left: who
 * has more than is fair between peers goes down to that at once, and who has not gives up none for what a peer takes by
 * way of trial. */
void host_supply_lose(host_supply_t *supply, uint64_t ticks);

/** The calling thread is one whose mask counts: a worker that is not bound by us. */
void host_supply_watch(host_supply_t *supply);

/** Looks at that thread's mask and at the quota, unless that was not long ago. True when `allowed` has changed. */
bool host_supply_look(host_supply_t *supply);

/** In the child of a fork, where that thread is not, and which is a peer of its own. */
void host_supply_after_fork(host_supply_t *supply);

#endif
