/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Choosing work, waking threads, executing. */
#include "host/runtime/scheduler.h"

#include <stdlib.h>

#include "base/clock.h"
#include "host/runtime/dispatch.h"
#include "host/runtime/futex.h"
#include "host/runtime/queue.h"
#include "host/runtime/region.h"
#include "host/runtime/thread.h"
#include "host/runtime/worker.h"

enum host_parked_state_e {
  parked_spinning,
  parked_sleeping,
  parked_woken,
};

/* Longer than a futex wake-up takes, short enough to be nothing to whoever looks at the processor's load. */
#define SPIN_NS 20000u
/* Turns of the spin loop between two looks at the clock. */
#define TURNS_PER_LOOK 8

/* The mutex is held so shortly that spinning nearly always beats sleeping. */
static void mutex_init(pthread_mutex_t *mutex) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ADAPTIVE_NP);
  pthread_mutex_init(mutex, &attributes);
  pthread_mutexattr_destroy(&attributes);
}

mux_result_t host_scheduler_init(host_scheduler_t *scheduler, host_scheduler_t *parent, uint32_t thread_limit) {
  *scheduler = (host_scheduler_t){.thread_limit = thread_limit};
  scheduler->workers = calloc(thread_limit, sizeof *scheduler->workers);
  if (!scheduler->workers) return mux_error_out_of_memory;
  mutex_init(&scheduler->own_mutex);
  scheduler->mutex = parent ? parent->mutex : &scheduler->own_mutex;
  list_init(&scheduler->ready);
  list_init(&scheduler->running);
  list_init(&scheduler->unused);
  list_init(&scheduler->regions);
  list_init(&scheduler->idle);
  return mux_success;
}

void host_scheduler_destroy(host_scheduler_t *scheduler) {
  host_workers_stop(scheduler);
  LIST_FOR_EACH_SAFE(node, &scheduler->unused) host_dispatch_free(LIST_ENTRY(node, host_dispatch_t, link));
  pthread_mutex_destroy(&scheduler->own_mutex);
  free(scheduler->workers);
}

void host_scheduler_unlock(host_scheduler_t *scheduler, host_wakes_t *wakes) {
  pthread_mutex_unlock(scheduler->mutex);
  LIST_FOR_EACH_SAFE(node, &wakes->parked) {
    host_parked_t *parked = LIST_ENTRY(node, host_parked_t, link);
    /* From the exchange on, the parked thread may go on and its struct be gone: the list was read before. */
    list_init(node);
    if (atomic_exchange_explicit(&parked->state, parked_woken, memory_order_acq_rel) == parked_sleeping)
      host_futex_wake(&parked->state);
  }
  list_init(&wakes->parked);
  LIST_FOR_EACH_SAFE(node, &wakes->starting) {
    list_init(node);
    host_worker_create(LIST_ENTRY(node, host_worker_t, parked.link));
  }
  list_init(&wakes->starting);
}

/* ---------------------------------------------------------------- parking */

static bool parked_spin(host_parked_t *parked, uint64_t deadline) {
  uint64_t end = clock_now_ns() + SPIN_NS;
  if (end > deadline) end = deadline;
  for (unsigned turn = 0; turn % TURNS_PER_LOOK || clock_now_ns() < end; ++turn) {
    if (atomic_load_explicit(&parked->state, memory_order_acquire) == parked_woken) return true;
    host_spin_turn(turn);
  }
  return false;
}

bool host_parked_sleep(host_parked_t *parked, uint64_t deadline) {
  uint32_t state = parked_spinning;
  if (parked_spin(parked, deadline)) return true;
  /* Fails when woken meanwhile, and when sleeping already, in a second call after the deadline. */
  atomic_compare_exchange_strong_explicit(&parked->state, &state, parked_sleeping, memory_order_acq_rel,
                                          memory_order_acquire);
  while (atomic_load_explicit(&parked->state, memory_order_acquire) != parked_woken) {
    if (deadline != HOST_NO_DEADLINE && clock_now_ns() >= deadline) return false;
    host_futex_wait(&parked->state, parked_sleeping, deadline);
  }
  return true;
}

/* ---------------------------------------------------------------- waking */

void host_scheduler_wake(host_scheduler_t *scheduler, struct host_queue_t *queue, uint64_t ticket, uint32_t count,
                         host_wakes_t *wakes) {
  uint32_t busy = scheduler->executing + scheduler->searching;
  uint32_t free_places = busy < scheduler->thread_limit ? scheduler->thread_limit - busy : 0;
  if (count > free_places) count = free_places;
  if (count && queue) count -= host_queue_waiters_wake(queue, ticket, count, wakes);
  for (; count && !list_is_empty(&scheduler->idle); --count, ++scheduler->searching)
    host_parked_wake(LIST_ENTRY(list_first(&scheduler->idle), host_parked_t, link), wakes);
  for (; count && scheduler->worker_count < scheduler->thread_limit && !scheduler->stopping; --count) {
    list_append(&wakes->starting, &host_worker_reserve(scheduler)->parked.link);
    ++scheduler->searching;
  }
}

void host_scheduler_hand_over(host_scheduler_t *scheduler, host_wakes_t *wakes) {
  if (list_is_empty(&scheduler->ready) && list_is_empty(&scheduler->regions)) return;
  host_scheduler_wake(scheduler, NULL, 0, 1, wakes);
}

bool host_scheduler_may_execute(const host_scheduler_t *scheduler) {
  return scheduler->executing < scheduler->thread_limit || host_thread_get()->scheduler == scheduler;
}

/* ---------------------------------------------------------------- choosing */

static host_region_t *region_find(host_scheduler_t *scheduler, struct host_queue_t *queue, uint64_t ticket) {
  LIST_FOR_EACH_SAFE(node, &scheduler->regions) {
    host_region_t *region = LIST_ENTRY(node, host_region_t, link);
    if (host_region_is_exhausted(region))
      list_remove(node);
    else if (!queue || (region->queue == queue && region->ticket <= ticket))
      return region;
  }
  return NULL;
}

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

/* Work-groups of what runs already come first: that is what somebody waits for, and its data is in the cache. */
bool host_scheduler_take(host_scheduler_t *scheduler, struct host_queue_t *queue, uint64_t ticket, host_work_t *work) {
  *work = (host_work_t){0};
  work->region = region_find(scheduler, queue, ticket);
  if (work->region) {
    host_region_join(work->region);
    return true;
  }
  work->dispatch = dispatch_find(scheduler, queue, ticket);
  if (!work->dispatch) return false;
  list_remove(&work->dispatch->link);
  list_remove(&work->dispatch->queue_link);
  list_append(&scheduler->running, &work->dispatch->link);
  return true;
}

void host_scheduler_execute(host_scheduler_t *scheduler, const host_work_t *work, host_wakes_t *wakes) {
  host_thread_t *thread = host_thread_get();
  host_scheduler_t *outer = thread->scheduler;
  if (outer != scheduler) ++scheduler->executing;
  thread->scheduler = scheduler;
  if (work->dispatch) work->dispatch->thread = thread;
  host_scheduler_unlock(scheduler, wakes);
  if (work->region)
    host_region_help(work->region, thread);
  else
    host_dispatch_run(work->dispatch, thread);
  host_scheduler_lock(scheduler);
  if (work->dispatch) host_dispatch_complete(work->dispatch, wakes);
  thread->scheduler = outer;
  if (outer != scheduler) --scheduler->executing;
}

/* ---------------------------------------------------------------- fork */

void host_scheduler_after_fork(host_scheduler_t *scheduler) {
  list_init(&scheduler->regions);
  list_init(&scheduler->idle);
  for (uint32_t i = 0; i < scheduler->thread_limit; ++i) scheduler->workers[i].state = host_worker_none;
  scheduler->worker_count = 0;
  scheduler->searching = 0;
  /* What is left in the list the forking thread executes. */
  scheduler->executing = list_is_empty(&scheduler->running) ? 0 : 1;
}
