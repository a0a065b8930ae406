/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Waiting on queues. The waiting thread executes what it waits for as long as there is something to execute.
 *
 * Locks: the scheduler's mutex (one per device and its sub-devices) guards queues, dispatches, semaphores and fences.
 * It is a leaf: nothing else is locked, allocated or called while it is held. Only fork.c takes it inside another lock,
 * that of the list of devices. */
#include "host/runtime/scheduling/queue.h"

#include "base/clock.h"
#include "host/runtime/device.h"
#include "host/runtime/faults/thread.h"
#include "host/runtime/machine/futex.h"
#include "host/runtime/scheduling/dispatch.h"
#include "host/runtime/scheduling/sync.h"

void host_queue_init(host_queue_t *queue, host_device_t *device) {
  queue->base.id = mux_id_make(mux_object_id_queue, mux_id_target(device->base.id));
  queue->base.device = &device->base;
  queue->last_ticket = 0;
  list_init(&queue->incomplete);
  list_init(&queue->ready);
  list_init(&queue->waiters);
}

mux_result_t host_get_queue(mux_device_t device, mux_queue_type_e queue_type, uint32_t queue_index,
                            mux_queue_t *out_queue) {
  if (queue_type != mux_queue_type_compute || queue_index >= HOST_QUEUE_COUNT) return mux_error_invalid_value;
  *out_queue = &host_device(device)->queues[queue_index].base;
  return mux_success;
}

/* ---------------------------------------------------------------- what waiters wait for */

static bool tickets_are_complete(const host_queue_t *queue, uint64_t ticket) {
  list_t *oldest = list_first(&queue->incomplete);
  return !oldest || LIST_ENTRY(oldest, host_dispatch_t, order_link)->ticket > ticket;
}

static bool goal_is_reached(const host_queue_t *queue, const host_waiter_t *waiter) {
  return waiter->fence ? host_fence_is_signalled(waiter->fence) : tickets_are_complete(queue, waiter->ticket);
}

/* A caller that waits for a fence executes nothing that was dispatched after what signals it. */
static uint64_t goal_ticket(const host_waiter_t *waiter) {
  return waiter->fence ? waiter->fence->ticket : waiter->ticket;
}

uint32_t host_queue_waiters_wake(host_queue_t *queue, uint64_t ticket, uint32_t count, host_wakes_t *wakes) {
  uint32_t woken = 0;
  if (!host_scheduler_wants_callers(&host_device(queue->base.device)->scheduler)) return 0;
  LIST_FOR_EACH_SAFE(node, &queue->waiters) {
    host_waiter_t *waiter = LIST_ENTRY(node, host_waiter_t, parked.link);
    if (woken == count) break;
    if (!waiter->helps || goal_ticket(waiter) < ticket) continue;
    host_parked_wake(&waiter->parked, wakes);
    ++woken;
  }
  return woken;
}

void host_queue_waiters_release(host_queue_t *queue, host_wakes_t *wakes) {
  LIST_FOR_EACH_SAFE(node, &queue->waiters) {
    host_waiter_t *waiter = LIST_ENTRY(node, host_waiter_t, parked.link);
    if (goal_is_reached(queue, waiter)) host_parked_wake(&waiter->parked, wakes);
  }
}

/* ---------------------------------------------------------------- waiting */

/* Sleeps until woken or until the deadline: false then. Locked before and after. */
static bool waiter_sleep(host_scheduler_t *scheduler, host_queue_t *queue, host_waiter_t *waiter, uint64_t deadline,
                         host_wakes_t *wakes) {
  host_parked_init(&waiter->parked);
  list_append(&queue->waiters, &waiter->parked.link);
  /* While it executed, nobody else was woken for what became ready and is none of its own. */
  host_scheduler_hand_over(scheduler, wakes);
  host_scheduler_unlock(scheduler, wakes);
  bool woken = host_parked_spin(&waiter->parked, &scheduler->weather) || host_parked_sleep(&waiter->parked, deadline);
  host_scheduler_lock(scheduler);
  if (woken) return true;
  if (waiter->parked.waits) {
    list_remove(&waiter->parked.link);
    return false;
  }
  /* Somebody took it out of the list at the last moment and is about to wake it: the struct must live until then. */
  pthread_mutex_unlock(scheduler->mutex);
  host_parked_sleep(&waiter->parked, HOST_NO_DEADLINE);
  host_scheduler_lock(scheduler);
  return true;
}

/* Locked before and after. */
static void caller_execute(host_scheduler_t *scheduler, host_dispatch_t *dispatch, host_wakes_t *wakes) {
  const uint64_t start = host_ticks();
  host_scheduler_execute(scheduler, dispatch, wakes);
  host_account_add(&scheduler->callers.busy, host_ticks() - start);
  host_account_add(&scheduler->callers.dispatches, 1);
}

/* How long a callback sleeps before it looks again. */
#define CALLBACK_LOOK_NS 1000000u

/* In a callback. Its thread counts as one that executes, so nobody is woken for what becomes ready when all threads are
 * in callbacks: it looks by itself, now and then. What it finds first is of its own queue; what nobody has taken
 * meanwhile, of any. */
static bool goal_await_nested(host_scheduler_t *scheduler, host_queue_t *queue, host_waiter_t *waiter,
                              uint64_t deadline, host_wakes_t *wakes) {
  host_queue_t *from = queue;
  while (!goal_is_reached(queue, waiter)) {
    const uint64_t now = clock_now_ns(), look = now + CALLBACK_LOOK_NS;
    if (now >= deadline) return false;
    host_dispatch_t *dispatch = NULL;
    if (waiter->helps) dispatch = host_scheduler_take(scheduler, from, goal_ticket(waiter));
    if (dispatch) host_scheduler_execute(scheduler, dispatch, wakes);
    from = queue;
    if (!dispatch && !waiter_sleep(scheduler, queue, waiter, look < deadline ? look : deadline, wakes)) from = NULL;
  }
  return true;
}

/* False when the deadline passed. */
static bool goal_await(host_scheduler_t *scheduler, host_queue_t *queue, host_waiter_t *waiter, uint64_t deadline,
                       host_wakes_t *wakes) {
  if (host_thread_get()->scheduler == scheduler) return goal_await_nested(scheduler, queue, waiter, deadline, wakes);
  while (!goal_is_reached(queue, waiter)) {
    host_dispatch_t *dispatch = NULL;
    if (waiter->helps && host_scheduler_wants_callers(scheduler) && host_scheduler_may_execute(scheduler))
      dispatch = host_scheduler_take(scheduler, queue, goal_ticket(waiter));
    if (dispatch)
      caller_execute(scheduler, dispatch, wakes);
    else if (!waiter_sleep(scheduler, queue, waiter, deadline, wakes))
      return goal_is_reached(queue, waiter);
  }
  return true;
}

static mux_result_t fence_result(const host_fence_t *fence) {
  return fence->result == mux_success ? mux_success : mux_error_fence_failure;
}

static mux_result_t fence_wait(host_queue_t *queue, host_fence_t *fence, uint64_t deadline) {
  host_scheduler_t *scheduler = &host_device(queue->base.device)->scheduler;
  host_waiter_t waiter = {.fence = fence, .helps = deadline == HOST_NO_DEADLINE};
  mux_result_t result = mux_fence_not_ready;
  host_wakes_t wakes;
  host_wakes_init(&wakes);
  host_scheduler_lock(scheduler);
  if (goal_await(scheduler, queue, &waiter, deadline, &wakes)) result = fence_result(fence);
  host_scheduler_hand_over(scheduler, &wakes);
  host_scheduler_unlock(scheduler, &wakes);
  return result;
}

static mux_result_t fence_look(host_queue_t *queue, host_fence_t *fence) {
  host_scheduler_t *scheduler = &host_device(queue->base.device)->scheduler;
  host_scheduler_lock(scheduler);
  mux_result_t result = host_fence_is_signalled(fence) ? fence_result(fence) : mux_fence_not_ready;
  pthread_mutex_unlock(scheduler->mutex);
  return result;
}

mux_result_t host_try_wait(mux_queue_t queue, uint64_t timeout, mux_fence_t fence) {
  uint64_t deadline = HOST_NO_DEADLINE;
  if (!timeout) return fence_look(host_queue(queue), host_fence(fence));
  if (timeout != UINT64_MAX && __builtin_add_overflow(clock_now_ns(), timeout, &deadline)) deadline = HOST_NO_DEADLINE;
  return fence_wait(host_queue(queue), host_fence(fence), deadline);
}

mux_result_t host_wait(mux_queue_t queue, mux_fence_t fence) {
  return fence_wait(host_queue(queue), host_fence(fence), HOST_NO_DEADLINE);
}

mux_result_t host_wait_all(mux_queue_t handle) {
  host_queue_t *queue = host_queue(handle);
  host_scheduler_t *scheduler = &host_device(handle->device)->scheduler;
  host_wakes_t wakes;
  host_wakes_init(&wakes);
  host_scheduler_lock(scheduler);
  host_waiter_t waiter = {.ticket = queue->last_ticket, .helps = true};
  goal_await(scheduler, queue, &waiter, HOST_NO_DEADLINE, &wakes);
  host_scheduler_hand_over(scheduler, &wakes);
  host_scheduler_unlock(scheduler, &wakes);
  return mux_success;
}
