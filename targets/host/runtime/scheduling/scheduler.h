/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Who executes what: ready command buffers, ND-ranges that want helpers, worker threads and waiting callers. */
#ifndef HOST_RUNTIME_SCHEDULING_SCHEDULER_H
#define HOST_RUNTIME_SCHEDULING_SCHEDULER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/list.h"
#include "host/runtime/machine/cpus.h"
#include "host/runtime/scheduling/spin.h"
#include "host/runtime/scheduling/team.h"
#include "mux/mux.h"

struct host_dispatch_t;
struct host_executor_t;
struct host_queue_t;

/** A thread that has nothing to do: an idle worker, or a caller that waits on a queue. It lies in one list at most, and
 * whoever takes it out of the list (with the scheduler locked) must deliver a wake-up. */
typedef struct host_parked_t {
  list_t link;
  /** In the list where it was parked, and not on its way to be woken; scheduler locked. */
  bool waits;
  /** host_parked_state_e. */
  _Atomic uint32_t state;
} host_parked_t;

/** Wake-ups decided while the scheduler is locked, delivered after unlocking. */
typedef struct host_wakes_t {
  /** Of host_parked_t. */
  list_t parked;
  /** Workers to create (host_worker_t.parked.link); their places are taken already. */
  list_t starting;
} host_wakes_t;

typedef enum host_worker_state_e { host_worker_none, host_worker_starting, host_worker_running } host_worker_state_e;

/** What a worker did, in ticks and times. Relaxed, as others only read it to print it. */
typedef struct host_account_t {
  /** With parts of regions, and executing dispatches; spinning; looking for others' parts; on its way from being woken
   * to going on. */
  _Atomic uint64_t busy, idle, stealing, waking;
  _Atomic uint64_t regions, dispatches, steals, wakes;
} host_account_t;

/** The only writer is the worker itself. */
static inline void host_account_add(_Atomic uint64_t *entry, uint64_t value) {
  atomic_store_explicit(entry, atomic_load_explicit(entry, memory_order_relaxed) + value, memory_order_relaxed);
}

/** Place of one worker. `thread` is valid while the state is host_worker_running. */
typedef struct host_worker_t {
  alignas(HOST_LINES) pthread_t thread;
  struct host_scheduler_t *scheduler;
  host_parked_t parked;
  host_worker_state_e state;
  /** Of which it is a member, null when of none, and its rank there, or in the last one. Only it leaves by itself. */
  host_team_t *team;
  uint32_t rank;
  /** Those that it has to wake when it is woken, and (while they are being chosen) the next one. */
  struct host_worker_t *children[2], *after;
  /** Ticks when it was woken. */
  uint64_t roused;
  /** It has no thread yet: whoever wakes it creates one. */
  bool is_reserved;
  /** The worker's own: it has spun already, and shall sleep when it finds nothing. */
  bool has_spun;
  /** What it did, written by itself. */
  host_account_t account;
  /** Whoever creates it has processors of its own, which it must not inherit. */
  bool binds;
} host_worker_t;

/** One per device. The mutex guards all members but the constant ones, and the state of the device's queues,
 * semaphores, fences and dispatches. It is held for some tens of nanoseconds: never while a kernel, a callback, an
 * allocation or a system call runs. A sub-device has the mutex of its parent, as their semaphores and fences are used
 * together; everything else is its own. */
typedef struct host_scheduler_t {
  pthread_mutex_t *mutex;
  /** What `mutex` points to, unless the device is a sub-device. */
  pthread_mutex_t own_mutex;
  /** Constant: the workers are bound to `cpus`. Nobody else then executes the device's work, not even a caller that
   * waits for it. */
  bool pinned;
  /** Constant: threads that may ever execute at the same time, and room for as many workers. */
  uint32_t thread_limit;
  host_worker_t *workers;
  uint32_t worker_count;
  /** Threads that execute dispatches now; workers that are woken or created and have not looked for work yet. */
  uint32_t executing, searching;
  /** Dispatches that may start, and those that have (host_dispatch_t.link); records for reuse. */
  list_t ready, running, unused;
  /** Workers that spin, as they have nothing to do, and look at what follows: dispatches in `ready`, and members that
   * teams want. */
  uint32_t spinning;
  alignas(HOST_LINES) _Atomic uint32_t ready_count;
  _Atomic uint32_t wanted_count;
  alignas(HOST_LINES) host_teams_t teams;
  alignas(HOST_LINES) host_weather_t weather;
  /** Idle workers (host_parked_t.link), last parked first. */
  alignas(HOST_LINES) list_t idle;
  bool stopping;
  /** Of threads that wait, and so execute. Scheduler locked to write. */
  host_account_t callers;
  /** Constant: when it was made, on both clocks. */
  uint64_t begin_ticks, begin_ns;
  /** Constant: how command buffers are executed (dispatch.h). */
  const struct host_executor_t *executor;
  /** Constant: the processors of the device. */
  host_cpus_t cpus;
} host_scheduler_t;

/** Prepares a scheduler without any thread; `parent` is that of the parent device, null for a device of its own.
 * `cpus` and `pinned` are left to the caller. mux_error_out_of_memory. */
MUX_MUST_CHECK mux_result_t host_scheduler_init(host_scheduler_t *scheduler, host_scheduler_t *parent,
                                                uint32_t thread_limit);

/** Ends and joins the workers, frees everything. Nothing is dispatched any more. */
void host_scheduler_destroy(host_scheduler_t *scheduler);

static inline void host_scheduler_lock(host_scheduler_t *scheduler) { pthread_mutex_lock(scheduler->mutex); }

/** Threads that may execute at the same time now. */
static inline uint32_t host_scheduler_limit(const host_scheduler_t *scheduler) {
  return host_supply_allowed(&scheduler->weather.supply);
}

/** Unlocks, then delivers the wake-ups and empties `wakes`. */
void host_scheduler_unlock(host_scheduler_t *scheduler, host_wakes_t *wakes);

static inline void host_wakes_init(host_wakes_t *wakes) {
  list_init(&wakes->parked);
  list_init(&wakes->starting);
}

/* ---- with the scheduler locked ---- */

/** Makes a thread look for a ready dispatch, as far as the thread limit allows: a caller that waits for `ticket` of
 * `queue` or a later one (unless `queue` is null), a worker that spins, a member of a team that nobody owns, an idle
 * worker, or a new one. Where the limit is reached, teams become smaller. */
void host_scheduler_wake(host_scheduler_t *scheduler, struct host_queue_t *queue, uint64_t ticket, host_wakes_t *wakes);

/** Adds a dispatch to those that may start. */
void host_scheduler_add_ready(host_scheduler_t *scheduler, struct host_dispatch_t *dispatch);

/** Wakes a worker when there is a dispatch that nobody looks at. For a thread that stops executing. */
void host_scheduler_hand_over(host_scheduler_t *scheduler, host_wakes_t *wakes);

/** True when a caller that waits on a queue of the device may execute: always, unless the workers are pinned. Should
 * there be none, as in the child of a fork, callers are better than nobody. */
static inline bool host_scheduler_wants_callers(const host_scheduler_t *scheduler) {
  return !scheduler->pinned || !scheduler->worker_count;
}

/** True when a dispatch that its caller is about to wait for can be left to that: nothing else is ready, and the caller
 * may execute. Where workers are pinned it is theirs, also when the first of them is still to be created. */
static inline bool host_scheduler_leaves_to_caller(const host_scheduler_t *scheduler) {
  return !scheduler->pinned && !atomic_load_explicit(&scheduler->ready_count, memory_order_relaxed) &&
         scheduler->executing < host_scheduler_limit(scheduler);
}

/** For a spinning worker: true when a dispatch has been ready for some time, `*since`, which is 0 at first, and nobody
 * takes it. Who dispatched it often waits for it, and would rather execute it itself. Unlocked. */
bool host_scheduler_calls(const host_scheduler_t *scheduler, uint64_t *since);

/** True when the calling thread may start to execute: it does already (nested), or the limit is not reached. */
bool host_scheduler_may_execute(const host_scheduler_t *scheduler);

/** Takes a dispatch that may start: of any queue (`queue` null), or of `queue` and not dispatched after `ticket`. Null
 * when there is none. */
struct host_dispatch_t *host_scheduler_take(host_scheduler_t *scheduler, struct host_queue_t *queue, uint64_t ticket);

/** Executes a dispatch that was taken. Unlocks (delivering `wakes`) while doing so; locked again at return, with new
 * wake-ups in `wakes`. */
void host_scheduler_execute(host_scheduler_t *scheduler, struct host_dispatch_t *dispatch, host_wakes_t *wakes);

/* ---- parking ---- */

/** Before adding it to a list. Scheduler locked. */
static inline void host_parked_init(host_parked_t *parked) {
  list_init(&parked->link);
  parked->waits = true;
  atomic_init(&parked->state, 0);
}

/** Sleeps until woken: true; or until `deadline` (ns, HOST_NO_DEADLINE): false, and then the caller must lock, and if
 * `parked` still waits take it out of its list, otherwise call again, as a wake-up is under way. Called unlocked, after
 * adding `parked` to a list. */
bool host_parked_sleep(host_parked_t *parked, uint64_t deadline);

/** Spins for a while: true when it was woken. Otherwise host_parked_sleep follows. */
bool host_parked_spin(host_parked_t *parked, host_weather_t *weather);

/** Wakes a thread that was taken out of its list. Scheduler unlocked. `parked` may be gone afterwards. */
void host_parked_rouse(host_parked_t *parked);

/** Moves a parked thread from its list to the wake-ups. Scheduler locked. */
static inline void host_parked_wake(host_parked_t *parked, host_wakes_t *wakes) {
  list_remove(&parked->link);
  parked->waits = false;
  list_append(&wakes->parked, &parked->link);
}

/* ---- fork: see fork.c ---- */

/** In the child of a fork, whose only thread holds the mutex: forgets the threads that are gone. Only dispatches that
 * the forking thread executes are left. */
void host_scheduler_after_fork(host_scheduler_t *scheduler);

#endif
