/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Queues: what was dispatched on them, what is ready, and who waits. */
#ifndef HOST_RUNTIME_SCHEDULING_QUEUE_H
#define HOST_RUNTIME_SCHEDULING_QUEUE_H

#include "host/runtime/scheduling/scheduler.h"
#include "mux/mux.h"

struct host_device_t;
struct host_fence_t;

/** The device's scheduler guards everything but `base`. */
typedef struct host_queue_t {
  struct mux_queue_s base;
  /** Of the newest dispatch; the first one has 1. */
  uint64_t last_ticket;
  /** Dispatches that are not complete, oldest first (host_dispatch_t.order_link). */
  list_t incomplete;
  /** Those that may start (host_dispatch_t.queue_link). */
  list_t ready;
  /** Callers that sleep in a wait function (host_waiter_t). */
  list_t waiters;
} host_queue_t;

/** What a caller waits for: a fence, or (null) that everything up to `ticket` is complete. */
typedef struct host_waiter_t {
  host_parked_t parked;
  struct host_fence_t *fence;
  uint64_t ticket;
  /** It may be woken to execute something. */
  bool helps;
} host_waiter_t;

static inline host_queue_t *host_queue(mux_queue_t queue) { return (host_queue_t *)queue; }

void host_queue_init(host_queue_t *queue, struct host_device_t *device);

/** Wakes up to `count` waiting callers that may execute the dispatch `ticket`; returns how many. Scheduler locked. */
uint32_t host_queue_waiters_wake(host_queue_t *queue, uint64_t ticket, uint32_t count, host_wakes_t *wakes);

/** Wakes the waiting callers whose condition holds. Scheduler locked. */
void host_queue_waiters_release(host_queue_t *queue, host_wakes_t *wakes);

/* Operations of mux_target_t. */
mux_result_t host_get_queue(mux_device_t device, mux_queue_type_e queue_type, uint32_t queue_index,
                            mux_queue_t *out_queue);
mux_result_t host_try_wait(mux_queue_t queue, uint64_t timeout, mux_fence_t fence);
mux_result_t host_wait(mux_queue_t queue, mux_fence_t fence);
mux_result_t host_wait_all(mux_queue_t queue);

#endif
