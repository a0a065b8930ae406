/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Choosing work, waking threads, executing. */
#include "host/runtime/scheduling/scheduler.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "host/runtime/faults/thread.h"
#include "host/runtime/machine/futex.h"
#include "host/runtime/scheduling/dispatch.h"
#include "host/runtime/scheduling/queue.h"
#include "host/runtime/scheduling/worker.h"

enum host_parked_state_e {
  parked_spinning,
  parked_sleeping,
  parked_woken,
};

/* A few microseconds. */
#define GRACE_TICKS (3u * HOST_MICROSECOND_TICKS)

/* The mutex is held so shortly that spinning nearly always beats sleeping. */
static void mutex_init(pthread_mutex_t *mutex) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ADAPTIVE_NP);
  pthread_mutex_init(mutex, &attributes);
  pthread_mutexattr_destroy(&attributes);
}

mux_result_t host_scheduler_init(host_scheduler_t *scheduler, host_scheduler_t *parent, uint32_t thread_limit) {
  const size_t size = thread_limit * sizeof *scheduler->workers;
  void *workers;
  *scheduler = (host_scheduler_t){.thread_limit = thread_limit};
  if (host_teams_init(scheduler)) return mux_error_out_of_memory;
  if (posix_memalign(&workers, alignof(host_worker_t), size)) goto destroy_teams;
  scheduler->workers = memset(workers, 0, size);
  host_weather_init(&scheduler->weather);
  host_supply_init(&scheduler->weather.supply, thread_limit);
  scheduler->begin_ticks = host_ticks();
  scheduler->begin_ns = clock_now_ns();
  mutex_init(&scheduler->own_mutex);
  scheduler->mutex = parent ? parent->mutex : &scheduler->own_mutex;
  list_init(&scheduler->ready);
  list_init(&scheduler->running);
  list_init(&scheduler->unused);
  list_init(&scheduler->idle);
  return mux_success;

destroy_teams:
  host_teams_destroy(&scheduler->teams);
  return mux_error_out_of_memory;
}

void host_scheduler_destroy(host_scheduler_t *scheduler) {
  host_workers_stop(scheduler);
  LIST_FOR_EACH_SAFE(node, &scheduler->unused) host_dispatch_free(LIST_ENTRY(node, host_dispatch_t, link));
  pthread_mutex_destroy(&scheduler->own_mutex);
  host_teams_destroy(&scheduler->teams);
  free(scheduler->workers);
}

void host_scheduler_unlock(host_scheduler_t *scheduler, host_wakes_t *wakes) {
  pthread_mutex_unlock(scheduler->mutex);
  LIST_FOR_EACH_SAFE(node, &wakes->parked) {
    host_parked_t *parked = LIST_ENTRY(node, host_parked_t, link);
    /* From the exchange on, the parked thread may go on and its struct be gone: the list was read before. */
    list_init(node);
    host_parked_rouse(parked);
  }
  list_init(&wakes->parked);
  LIST_FOR_EACH_SAFE(node, &wakes->starting) {
    list_init(node);
    host_worker_create(LIST_ENTRY(node, host_worker_t, parked.link));
  }
  list_init(&wakes->starting);
}

/* ---------------------------------------------------------------- parking */

void host_parked_rouse(host_parked_t *parked) {
  if (atomic_exchange_explicit(&parked->state, parked_woken, memory_order_acq_rel) == parked_sleeping)
    host_futex_wake(&parked->state);
}

static bool is_woken(host_parked_t *parked) {
  return atomic_load_explicit(&parked->state, memory_order_acquire) == parked_woken;
}

bool host_parked_spin(host_parked_t *parked, host_weather_t *weather) {
  host_spin_t spin;
  host_spin_begin_idly(&spin, weather);
  while (!is_woken(parked))
    if (!host_spin_goes_on(&spin)) return false;
  return true;
}

bool host_parked_sleep(host_parked_t *parked, uint64_t deadline) {
  uint32_t state = parked_spinning;
  /* Fails when woken meanwhile, and when sleeping already, in a second call after the deadline. */
  atomic_compare_exchange_strong_explicit(&parked->state, &state, parked_sleeping, memory_order_acq_rel,
                                          memory_order_acquire);
  while (!is_woken(parked)) {
    if (deadline != HOST_NO_DEADLINE && clock_now_ns() >= deadline) return false;
    host_futex_wait(&parked->state, parked_sleeping, deadline);
  }
  return true;
}

/* ---------------------------------------------------------------- waking */

void host_scheduler_add_ready(host_scheduler_t *scheduler, host_dispatch_t *dispatch) {
  list_append(&scheduler->ready, &dispatch->link);
  atomic_fetch_add_explicit(&scheduler->ready_count, 1, memory_order_relaxed);
}

static uint32_t busy_count(const host_scheduler_t *scheduler) {
  return scheduler->executing + scheduler->searching + scheduler->teams.members;
}

void host_scheduler_wake(host_scheduler_t *scheduler, struct host_queue_t *queue, uint64_t ticket,
                         host_wakes_t *wakes) {
  if (busy_count(scheduler) >= host_scheduler_limit(scheduler)) {
    host_teams_rebalance(scheduler);
    return;
  }
  if (queue && host_queue_waiters_wake(queue, ticket, 1, wakes)) return;
  const uint32_t ready = atomic_load_explicit(&scheduler->ready_count, memory_order_relaxed);
  if (ready <= scheduler->searching + scheduler->spinning + host_teams_spare(&scheduler->teams)) return;
  if (!list_is_empty(&scheduler->idle)) {
    host_parked_wake(LIST_ENTRY(list_first(&scheduler->idle), host_parked_t, link), wakes);
    ++scheduler->searching;
    return;
  }
  if (scheduler->worker_count == scheduler->thread_limit || scheduler->stopping) return;
  list_append(&wakes->starting, &host_worker_reserve(scheduler)->parked.link);
  ++scheduler->searching;
}

bool host_scheduler_calls(const host_scheduler_t *scheduler, uint64_t *since) {
  if (!atomic_load_explicit(&scheduler->ready_count, memory_order_relaxed)) {
    *since = 0;
    return false;
  }
  const uint64_t now = host_ticks();
  if (!*since) *since = now;
  return now - *since >= GRACE_TICKS;
}

void host_scheduler_hand_over(host_scheduler_t *scheduler, host_wakes_t *wakes) {
  if (!list_is_empty(&scheduler->ready)) host_scheduler_wake(scheduler, NULL, 0, wakes);
}

bool host_scheduler_may_execute(const host_scheduler_t *scheduler) {
  return scheduler->executing < host_scheduler_limit(scheduler) || host_thread_get()->scheduler == scheduler;
}

/* ---------------------------------------------------------------- choosing */

static host_dispatch_t *dispatch_find(host_scheduler_t *scheduler, struct host_queue_t *queue, uint64_t ticket) {
  if (!queue) {
    list_t *first = list_first(&scheduler->ready);
    return first ? LIST_ENTRY(first, host_dispatch_t, link) : NULL;
  }
  LIST_FOR_EACH(node, &queue->ready) {
    host_dispatch_t *dispatch = LIST_ENTRY(node, host_dispatch_t, queue_link);
    if (dispatch->ticket <= ticket) return dispatch;
  }
  return NULL;
}

host_dispatch_t *host_scheduler_take(host_scheduler_t *scheduler, struct host_queue_t *queue, uint64_t ticket) {
  host_dispatch_t *dispatch = dispatch_find(scheduler, queue, ticket);
  if (!dispatch) return NULL;
  list_remove(&dispatch->link);
  list_remove(&dispatch->queue_link);
  list_append(&scheduler->running, &dispatch->link);
  atomic_fetch_sub_explicit(&scheduler->ready_count, 1, memory_order_relaxed);
  return dispatch;
}

void host_scheduler_execute(host_scheduler_t *scheduler, host_dispatch_t *dispatch, host_wakes_t *wakes) {
  host_thread_t *thread = host_thread_get();
  host_scheduler_t *outer = thread->scheduler;
  host_team_t *outer_team = thread->team;
  if (outer != scheduler) ++scheduler->executing;
  thread->scheduler = scheduler;
  thread->team = host_team_acquire(scheduler, thread);
  dispatch->thread = thread;
  host_teams_rebalance(scheduler);
  host_scheduler_unlock(scheduler, wakes);
  host_dispatch_run(dispatch, thread);
  host_scheduler_lock(scheduler);
  host_dispatch_complete(dispatch, wakes);
  if (outer != scheduler) --scheduler->executing;
  if (thread->team) host_team_release(scheduler, thread->team);
  host_teams_rebalance(scheduler);
  thread->scheduler = outer;
  thread->team = outer_team;
}

/* ---------------------------------------------------------------- fork */

void host_scheduler_after_fork(host_scheduler_t *scheduler) {
  list_init(&scheduler->idle);
  for (uint32_t i = 0; i < scheduler->thread_limit; ++i) {
    scheduler->workers[i].state = host_worker_none;
    scheduler->workers[i].team = NULL;
  }
  host_teams_after_fork(scheduler);
  scheduler->worker_count = 0;
  host_supply_after_fork(&scheduler->weather.supply);
  scheduler->searching = scheduler->spinning = 0;
  /* What is left in the list the forking thread executes. */
  scheduler->executing = list_is_empty(&scheduler->running) ? 0 : 1;
}
