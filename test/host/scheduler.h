/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A scheduler without threads: its workers are places whose state the test sets, so that what is decided about them can
 * be looked at without waiting for anybody. */
#ifndef HOST_TEST_SCHEDULER_H
#define HOST_TEST_SCHEDULER_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "host/runtime/device.h"
#include "host/runtime/faults/thread.h"
#include "host/runtime/scheduling/scheduler.h"
#include "host/runtime/scheduling/team.h"
#include "host/runtime/scheduling/worker.h"

enum { LIMIT = 8, WOKEN = 2 /* host_parked_t.state of who has been woken */ };

/* Of which it is the scheduler; nothing else of it is set. */
static host_device_t device;
static host_scheduler_t *const scheduler = &device.scheduler;

static int scheduler_begin(void **state) {
  (void)state;
  memset(&device, 0, sizeof device);
  return host_scheduler_init(scheduler, NULL, LIMIT) == mux_success ? 0 : -1;
}

static int scheduler_end(void **state) {
  (void)state;
  list_init(&scheduler->idle);
  host_scheduler_destroy(scheduler);
  return 0;
}

/* A worker that has a thread, as far as anybody can tell. */
static inline host_worker_t *worker_make(void) {
  host_worker_t *worker = host_worker_reserve(scheduler);
  worker->is_reserved = false;
  host_parked_init(&worker->parked);
  return worker;
}

/* One that sleeps: the next one to be taken. */
static inline host_worker_t *worker_park(void) {
  host_worker_t *worker = worker_make();
  list_prepend(&scheduler->idle, &worker->parked.link);
  return worker;
}

static inline bool is_woken(const host_worker_t *worker) { return atomic_load(&worker->parked.state) == WOKEN; }

static inline void limit_set(uint32_t limit) { atomic_store(&scheduler->weather.supply.allowed, limit); }

static inline host_team_t *team_own(void) { return host_team_acquire(scheduler, host_thread_get()); }

/* Makes `count` workers members of an owned team. */
static inline void members_add(host_team_t *team, uint32_t count) {
  team->wants = count;
  for (uint32_t i = 0; i < count; ++i) assert_true(host_team_find(scheduler, worker_make()));
}

#endif
