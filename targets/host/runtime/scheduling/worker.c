/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The life of a worker thread. */
#include "host/runtime/scheduling/worker.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/options.h"
#include "host/runtime/device.h"
#include "host/runtime/faults/thread.h"
#include "host/runtime/machine/futex.h"
#include "host/runtime/scheduling/dispatch.h"
#include "host/runtime/scheduling/stack.h"
#include "host/runtime/sub_device.h"

/* The calling thread is a worker that is bound to processors of its own. */
static _Thread_local bool is_pinned;
/* The calling thread, for want of workers, does what they would do. */
static _Thread_local bool stands_in;

void host_worker_rouse(host_worker_t *worker) {
  worker->roused = host_ticks();
  if (worker->is_reserved)
    host_worker_create(worker);
  else
    host_parked_rouse(&worker->parked);
}

static void children_rouse(host_worker_t *children[2]) {
  for (int i = 0; i < 2; ++i)
    if (children[i]) host_worker_rouse(children[i]);
}

/* Scheduler unlocked, but nobody else looks at them. */
static void own_children_rouse(host_worker_t *worker) {
  host_worker_t *children[2] = {worker->children[0], worker->children[1]};
  worker->children[0] = worker->children[1] = NULL;
  children_rouse(children);
}

/* Returns locked, when there may be work again or the scheduler stops. */
static void worker_park(host_worker_t *worker, host_wakes_t *wakes) {
  host_scheduler_t *scheduler = worker->scheduler;
  worker->has_spun = false;
  host_parked_init(&worker->parked);
  list_prepend(&scheduler->idle, &worker->parked.link);
  host_scheduler_unlock(scheduler, wakes);
  host_parked_sleep(&worker->parked, HOST_NO_DEADLINE);
  if (worker->team) {
    const uint64_t latency = host_ticks() - worker->roused;
    host_weather_learn_wake(&scheduler->weather, latency);
    host_account_add(&worker->account.waking, latency);
  }
  host_account_add(&worker->account.wakes, 1);
  own_children_rouse(worker);
  host_scheduler_lock(scheduler);
  if (!worker->team) --scheduler->searching;
}

/* Who spins while all processors are used takes one from those who work. */
static bool has_room_to_spin(const host_scheduler_t *scheduler) {
  const uint32_t busy = scheduler->executing + scheduler->searching + scheduler->teams.members + scheduler->spinning;
  return busy < host_scheduler_limit(scheduler);
}

/* Work often follows work. Returns locked, when there may be work again or it has been long enough. */
static void worker_spin(host_worker_t *worker, host_wakes_t *wakes) {
  host_scheduler_t *scheduler = worker->scheduler;
  const uint64_t start = host_ticks();
  uint64_t since = 0;
  host_spin_t spin;
  ++scheduler->spinning;
  host_scheduler_unlock(scheduler, wakes);
  host_spin_begin(&spin, &scheduler->weather);
  while (!worker->has_spun && !host_scheduler_calls(scheduler, &since) &&
         !atomic_load_explicit(&scheduler->wanted_count, memory_order_relaxed))
    worker->has_spun = !host_spin_goes_on(&spin);
  host_account_add(&worker->account.idle, host_ticks() - start);
  host_scheduler_lock(scheduler);
  --scheduler->spinning;
}

/* Unlocked in between. */
static void worker_serve(host_worker_t *worker, host_wakes_t *wakes) {
  host_scheduler_t *scheduler = worker->scheduler;
  const uint64_t start = host_ticks(), busy = worker->account.busy + worker->account.stealing;
  host_scheduler_unlock(scheduler, wakes);
  worker->has_spun = host_team_serve(worker, host_thread_get());
  host_account_add(&worker->account.idle,
                   host_ticks() - start - (worker->account.busy + worker->account.stealing - busy));
  host_scheduler_lock(scheduler);
  host_team_leave(worker);
}

/* Unlocked in between. */
static void worker_execute(host_worker_t *worker, host_dispatch_t *dispatch, host_wakes_t *wakes) {
  const uint64_t start = host_ticks();
  host_scheduler_execute(worker->scheduler, dispatch, wakes);
  host_account_add(&worker->account.busy, host_ticks() - start);
  host_account_add(&worker->account.dispatches, 1);
  worker->has_spun = false;
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
  const host_device_t *device = LIST_ENTRY(worker->scheduler, host_device_t, scheduler);
  const host_cpus_t *cpus = &worker->scheduler->cpus;
  const uint32_t units = worker->scheduler->thread_limit;
  host_cpus_t own;
  is_pinned = worker->scheduler->pinned;
  if (options_get()->pin_threads &&
      host_unit_cpus(device, (uint32_t)(worker - worker->scheduler->workers + 1) % units, &own)) {
    cpus = &own;
    is_pinned = true;
  }
  if (!is_pinned) host_supply_watch(&worker->scheduler->weather.supply);
  if (!is_pinned && !worker->binds) return;
  int error = pthread_setaffinity_np(pthread_self(), sizeof *cpus, cpus->parts);
  if (error) log_write(log_threads, "worker not bound: %s", strerror(error));
}

/* One thing after the other. Scheduler locked, but not all the time. */
static void worker_work(host_worker_t *worker, host_wakes_t *wakes) {
  host_scheduler_t *scheduler = worker->scheduler;
  while (!scheduler->stopping || worker->team) {
    host_dispatch_t *dispatch = NULL;
    if (worker->team) {
      worker_serve(worker, wakes);
      continue;
    }
    if (host_scheduler_may_execute(scheduler)) dispatch = host_scheduler_take(scheduler, NULL, 0);
    if (dispatch)
      worker_execute(worker, dispatch, wakes);
    else if (host_team_find(scheduler, worker))
      continue;
    else if (worker->has_spun || !has_room_to_spin(scheduler))
      worker_park(worker, wakes);
    else
      worker_spin(worker, wakes);
  }
}

static void *worker_main(void *argument) {
  host_worker_t *worker = argument;
  host_scheduler_t *scheduler = worker->scheduler;
  host_wakes_t wakes;
  host_wakes_init(&wakes);
  own_children_rouse(worker);
  worker_name(worker);
  worker_bind(worker);
  host_scheduler_lock(scheduler);
  if (!worker->team) --scheduler->searching;
  worker_work(worker, &wakes);
  host_scheduler_unlock(scheduler, &wakes);
  return NULL;
}

host_worker_t *host_worker_reserve(host_scheduler_t *scheduler) {
  host_worker_t *worker = scheduler->workers;
  while (worker->state != host_worker_none) ++worker;
  worker->scheduler = scheduler;
  worker->state = host_worker_starting;
  worker->team = NULL;
  worker->children[0] = worker->children[1] = NULL;
  worker->has_spun = false;
  worker->is_reserved = true;
  list_init(&worker->parked.link);
  ++scheduler->worker_count;
  return worker;
}

static void place_settle(host_scheduler_t *scheduler, host_worker_t *worker, bool running) {
  host_scheduler_lock(scheduler);
  worker->state = running ? host_worker_running : host_worker_none;
  if (!running) {
    --scheduler->worker_count;
    if (worker->team)
      host_team_leave(worker);
    else
      --scheduler->searching;
  }
  pthread_mutex_unlock(scheduler->mutex);
}

/* Executes what is ready, on the thread that would have had it done by a worker: it need not be one that waits, and
 * nobody may ever wait, for instance who relies on callbacks. */
static void stand_in(host_scheduler_t *scheduler, host_wakes_t *wakes) {
  host_dispatch_t *dispatch;
  if (stands_in || host_thread_get()->scheduler == scheduler) return;
  stands_in = true;
  while (!scheduler->worker_count && host_scheduler_may_execute(scheduler) &&
         (dispatch = host_scheduler_take(scheduler, NULL, 0)))
    host_scheduler_execute(scheduler, dispatch, wakes);
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
  /* Of the place, which may soon be somebody else's. */
  host_worker_t *children[2] = {worker->children[0], worker->children[1]};
  worker->binds = is_pinned;
  worker->is_reserved = false;
  int error = host_stack_thread_start(&worker->thread, worker_main, worker);
  place_settle(scheduler, worker, !error);
  if (error) children_rouse(children);
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

/* ---------------------------------------------------------------- accounts */

/* Ticks of a nanosecond, since the scheduler began. */
static double tick_rate(const host_scheduler_t *scheduler) {
  return (double)(host_ticks() - scheduler->begin_ticks) / (double)(clock_now_ns() - scheduler->begin_ns + 1);
}

static mux_thread_info_s account_info(const host_account_t *account, double rate) {
  return (mux_thread_info_s){.busy = (uint64_t)((double)account->busy / rate),
                             .idle = (uint64_t)((double)account->idle / rate),
                             .stealing = (uint64_t)((double)account->stealing / rate),
                             .waking = (uint64_t)((double)account->waking / rate),
                             .shares = account->regions,
                             .dispatches = account->dispatches,
                             .steals = account->steals,
                             .wakes = account->wakes};
}

static bool has_done_something(const host_account_t *account) {
  return account->regions || account->dispatches || account->wakes;
}

mux_result_t host_get_device_threads(mux_device_t device, uint64_t threads_length, mux_thread_info_s *out_threads,
                                     uint64_t *out_threads_length) {
  const host_scheduler_t *scheduler = &host_device(device)->scheduler;
  const double rate = tick_rate(scheduler);
  *out_threads_length = (uint64_t)scheduler->thread_limit + 1;
  for (uint64_t i = 0; i < threads_length && i < *out_threads_length; ++i)
    out_threads[i] = account_info(i ? &scheduler->workers[i - 1].account : &scheduler->callers, rate);
  return mux_success;
}

static void account_report(const char *who, uint32_t number, const host_account_t *account, double rate) {
  if (!has_done_something(account)) return;
  const mux_thread_info_s info = account_info(account, rate);
  log_write(log_threads,
            "%s %u: busy %.3f ms, idle %.3f ms, stealing %.3f ms, waking %.3f ms; %" PRIu64 " regions, %" PRIu64
            " dispatches, %" PRIu64 " steals, %" PRIu64 " wake-ups",
            who, number, (double)info.busy * 1e-6, (double)info.idle * 1e-6, (double)info.stealing * 1e-6,
            (double)info.waking * 1e-6, info.shares, info.dispatches, info.steals, info.wakes);
}

void host_workers_report(const host_scheduler_t *scheduler) {
  if (!log_enabled(log_threads)) return;
  const double rate = tick_rate(scheduler);
  account_report("callers", 0, &scheduler->callers, rate);
  for (uint32_t i = 0; i < scheduler->thread_limit; ++i)
    account_report("worker", i + 1, &scheduler->workers[i].account, rate);
}

void host_workers_stop(host_scheduler_t *scheduler) {
  host_wakes_t wakes;
  host_wakes_init(&wakes);
  host_scheduler_lock(scheduler);
  scheduler->stopping = true;
  host_teams_rebalance(scheduler);
  for (list_t *node; (node = list_first(&scheduler->idle)); ++scheduler->searching)
    host_parked_wake(LIST_ENTRY(node, host_parked_t, link), &wakes);
  host_scheduler_unlock(scheduler, &wakes);
  while (workers_join(scheduler)) continue;
  host_workers_report(scheduler);
}
