/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The life of a worker thread. */
#include "host/runtime/worker.h"

#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "host/runtime/futex.h"
#include "host/runtime/stack.h"
#include "host/runtime/thread.h"

/* The calling thread is a worker that is bound to processors of its own. */
static _Thread_local bool is_pinned;
/* The calling thread, for want of workers, does what they would do. */
static _Thread_local bool stands_in;

/* Returns locked, when there may be work again or the scheduler stops. */
static void worker_park(host_worker_t *worker, host_wakes_t *wakes) {
  host_scheduler_t *scheduler = worker->scheduler;
  host_parked_init(&worker->parked);
  list_prepend(&scheduler->idle, &worker->parked.link);
  host_scheduler_unlock(scheduler, wakes);
  host_parked_sleep(&worker->parked, HOST_NO_DEADLINE);
  host_scheduler_lock(scheduler);
  --scheduler->searching;
}

static void worker_name(const host_worker_t *worker) {
  char name[16];
  /* Names have 15 characters at most. */
  unsigned number = (unsigned)(worker - worker->scheduler->workers) % 100000u + 1;
  snprintf(name, sizeof name, "quern-%u", number);
  pthread_setname_np(pthread_self(), name);
}

/* A new thread has the processors of the one that created it, which need not be those of its device. What the system
 * refuses, since it took processors away meanwhile, is no reason not to work. */
static void worker_bind(const host_worker_t *worker) {
  const host_cpus_t *cpus = &worker->scheduler->cpus;
  is_pinned = worker->scheduler->pinned;
  if (!is_pinned && !worker->binds) return;
  int error = pthread_setaffinity_np(pthread_self(), sizeof *cpus, cpus->parts);
  if (error) log_write(log_threads, "worker not bound: %s", strerror(error));
}

static void *worker_main(void *argument) {
  host_worker_t *worker = argument;
  host_scheduler_t *scheduler = worker->scheduler;
  host_wakes_t wakes;
  host_work_t work;
  host_wakes_init(&wakes);
  worker_name(worker);
  worker_bind(worker);
  host_scheduler_lock(scheduler);
  --scheduler->searching;
  while (!scheduler->stopping) {
    if (host_scheduler_may_execute(scheduler) && host_scheduler_take(scheduler, NULL, 0, &work))
      host_scheduler_execute(scheduler, &work, &wakes);
    else
      worker_park(worker, &wakes);
  }
  host_scheduler_unlock(scheduler, &wakes);
  return NULL;
}

host_worker_t *host_worker_reserve(host_scheduler_t *scheduler) {
  host_worker_t *worker = scheduler->workers;
  while (worker->state != host_worker_none) ++worker;
  worker->scheduler = scheduler;
  worker->state = host_worker_starting;
  list_init(&worker->parked.link);
  ++scheduler->worker_count;
  return worker;
}

static void place_settle(host_scheduler_t *scheduler, host_worker_t *worker, bool running) {
  host_scheduler_lock(scheduler);
  worker->state = running ? host_worker_running : host_worker_none;
  if (!running) {
    --scheduler->worker_count;
    --scheduler->searching;
  }
  pthread_mutex_unlock(scheduler->mutex);
}

/* Executes what is ready, on the thread that would have had it done by a worker: it need not be one that waits, and
 * nobody may ever wait, for instance who relies on callbacks. */
static void stand_in(host_scheduler_t *scheduler, host_wakes_t *wakes) {
  host_work_t work;
  if (stands_in || host_thread_get()->scheduler == scheduler) return;
  stands_in = true;
  while (!scheduler->worker_count && host_scheduler_may_execute(scheduler) &&
         host_scheduler_take(scheduler, NULL, 0, &work))
    host_scheduler_execute(scheduler, &work, wakes);
  stands_in = false;
}

/* Others may have relied on the worker to look for work. */
static void worker_replace(host_scheduler_t *scheduler) {
  host_wakes_t wakes;
  host_wakes_init(&wakes);
  host_scheduler_lock(scheduler);
  if (!list_is_empty(&scheduler->idle))
    host_scheduler_hand_over(scheduler, &wakes);
  else
    stand_in(scheduler, &wakes);
  host_scheduler_unlock(scheduler, &wakes);
}

void host_worker_create(host_worker_t *worker) {
  host_scheduler_t *scheduler = worker->scheduler;
  worker->binds = is_pinned;
  int error = host_stack_thread_start(&worker->thread, worker_main, worker);
  place_settle(scheduler, worker, !error);
  if (!error) {
    log_write(log_threads, "worker created, at most %u", scheduler->thread_limit);
    return;
  }
  log_write(log_error, "no worker thread: %s", strerror(error));
  worker_replace(scheduler);
}

static bool worker_is_running(host_scheduler_t *scheduler, const host_worker_t *worker) {
  host_scheduler_lock(scheduler);
  bool running = worker->state == host_worker_running;
  pthread_mutex_unlock(scheduler->mutex);
  return running;
}

/* True when it joined any. A worker may be creating another one meanwhile, which is then seen in the next round. */
static bool workers_join(host_scheduler_t *scheduler) {
  bool joined = false;
  for (uint32_t i = 0; i < scheduler->thread_limit; ++i) {
    host_worker_t *worker = &scheduler->workers[i];
    if (!worker_is_running(scheduler, worker)) continue;
    pthread_join(worker->thread, NULL);
    worker->state = host_worker_none;
    joined = true;
  }
  return joined;
}

void host_workers_stop(host_scheduler_t *scheduler) {
  host_wakes_t wakes;
  host_wakes_init(&wakes);
  host_scheduler_lock(scheduler);
  scheduler->stopping = true;
  for (list_t *node; (node = list_first(&scheduler->idle)); ++scheduler->searching)
    host_parked_wake(LIST_ENTRY(node, host_parked_t, link), &wakes);
  host_scheduler_unlock(scheduler, &wakes);
  while (workers_join(scheduler)) continue;
}
