/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * One dispatch of a command buffer: from the wait semaphores to the signals. */
#ifndef HOST_RUNTIME_SCHEDULING_DISPATCH_H
#define HOST_RUNTIME_SCHEDULING_DISPATCH_H

#include "host/runtime/faults/stop.h"
#include "host/runtime/scheduling/scheduler.h"
#include "mux/mux.h"

struct host_fence_t;
struct host_queue_t;
struct host_semaphore_t;
struct host_thread_t;

/** Membership of a dispatch in the list of a semaphore that it waits for. */
typedef struct host_wait_node_t {
  list_t link;
  struct host_dispatch_t *dispatch;
} host_wait_node_t;

/** How command buffers are executed, which the scheduler knows nothing else of. */
typedef struct host_executor_t {
  /** False when it is dispatched already, or not finalized. */
  bool (*begin)(mux_command_buffer_t command_buffer);
  void (*end)(mux_command_buffer_t command_buffer);
  /** Runs the commands on `thread`, the calling one. */
  mux_result_t (*execute)(mux_command_buffer_t command_buffer, const struct host_dispatch_t *dispatch,
                          struct host_thread_t *thread);
} host_executor_t;

/** A record of the device, used again and again. It holds all that is needed after the completion callback, which may
 * destroy the command buffer. The scheduler guards it, except while its command buffer executes. */
typedef struct host_dispatch_t {
  /** In host_scheduler_t: ready, running or unused. */
  list_t link;
  /** In host_queue_t: ready, incomplete. */
  list_t queue_link, order_link;
  struct host_queue_t *queue;
  mux_command_buffer_t command_buffer;
  struct host_fence_t *fence;
  mux_dispatch_callback_t callback;
  void *user_data;
  /** Its number in the queue: 1, 2, ... */
  uint64_t ticket;
  /** The executing thread; null before. */
  struct host_thread_t *thread;
  /** A failure that it waited for, later its own result. */
  mux_result_t result;
  /** How it is ended early: `own_stop`. */
  host_stop_t *stop, own_stop;
  /** Wait semaphores that are not signalled yet. */
  uint32_t pending_waits;
  host_wait_node_t *waits;
  uint32_t wait_capacity;
  struct host_semaphore_t **signals;
  uint32_t signal_count, signal_capacity;
} host_dispatch_t;

/** Executes the command buffer, unless the dispatch has failed already, and calls the completion callback. Unlocked. */
void host_dispatch_run(host_dispatch_t *dispatch, struct host_thread_t *thread);

/** Signals semaphores and fence, unless that has been done, makes ready what waited for them, and puts the record back.
 * Scheduler locked. */
void host_dispatch_complete(host_dispatch_t *dispatch, host_wakes_t *wakes);

/** In the child of a fork, for a dispatch of which the thread that would have ended it is gone: signals semaphores and
 * fence as failed and puts the record back. The completion callback is the parent's, and is not called here. Scheduler
 * locked. */
void host_dispatch_drop(host_dispatch_t *dispatch);

/** Frees a record that is in no list. */
void host_dispatch_free(host_dispatch_t *dispatch);

/* Operations of mux_target_t. */
mux_result_t host_announce_wait(mux_queue_t queue);
mux_result_t host_cancel_dispatch(mux_queue_t queue, mux_fence_t fence);
mux_result_t host_signal_dispatch(mux_queue_t queue, mux_fence_t fence);
mux_result_t host_dispatch(mux_queue_t queue, mux_command_buffer_t command_buffer, mux_fence_t fence,
                           const mux_semaphore_t *wait_semaphores, uint32_t wait_semaphores_length,
                           const mux_semaphore_t *signal_semaphores, uint32_t signal_semaphores_length,
                           mux_dispatch_callback_t user_function, void *user_data);

#endif
