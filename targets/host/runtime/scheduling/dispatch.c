/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The life of a dispatch: submitted, ready when its last semaphore is signalled, run, complete. */
#include "host/runtime/scheduling/dispatch.h"

#include <stdlib.h>

#include "host/runtime/device.h"
#include "host/runtime/faults/thread.h"
#include "host/runtime/scheduling/queue.h"
#include "host/runtime/scheduling/sync.h"

/* ---------------------------------------------------------------- records */

void host_dispatch_free(host_dispatch_t *dispatch) {
  if (!dispatch) return;
  free(dispatch->waits);
  free(dispatch->signals);
  free(dispatch);
}

static bool capacity_suffices(const host_dispatch_t *dispatch, uint32_t waits, uint32_t signals) {
  return dispatch && dispatch->wait_capacity >= waits && dispatch->signal_capacity >= signals;
}

static host_dispatch_t *dispatch_create(uint32_t waits, uint32_t signals) {
  host_dispatch_t *dispatch = calloc(1, sizeof *dispatch);
  if (!dispatch) return NULL;
  dispatch->wait_capacity = waits < 4 ? 4 : waits;
  dispatch->signal_capacity = signals < 4 ? 4 : signals;
  dispatch->waits = calloc(dispatch->wait_capacity, sizeof *dispatch->waits);
  dispatch->signals = calloc(dispatch->signal_capacity, sizeof *dispatch->signals);
  if (!dispatch->waits || !dispatch->signals) {
    host_dispatch_free(dispatch);
    return NULL;
  }
  list_init(&dispatch->link);
  list_init(&dispatch->queue_link);
  list_init(&dispatch->order_link);
  for (uint32_t i = 0; i < dispatch->wait_capacity; ++i) list_init(&dispatch->waits[i].link);
  return dispatch;
}

static host_dispatch_t *dispatch_reuse(host_scheduler_t *scheduler) {
  list_t *node = list_first(&scheduler->unused);
  if (!node) return NULL;
  list_remove(node);
  return LIST_ENTRY(node, host_dispatch_t, link);
}

/* Takes an unused record, or replaces it by a larger one. Locked before and after, but not all the time. */
static host_dispatch_t *dispatch_acquire(host_scheduler_t *scheduler, uint32_t waits, uint32_t signals) {
  host_dispatch_t *dispatch = dispatch_reuse(scheduler);
  if (capacity_suffices(dispatch, waits, signals)) return dispatch;
  pthread_mutex_unlock(scheduler->mutex);
  host_dispatch_free(dispatch);
  dispatch = dispatch_create(waits, signals);
  host_scheduler_lock(scheduler);
  return dispatch;
}

/* ---------------------------------------------------------------- submission, scheduler locked */

static void dispatch_add(host_scheduler_t *scheduler, host_dispatch_t *dispatch) {
  host_scheduler_add_ready(scheduler, dispatch);
  list_append(&dispatch->queue->ready, &dispatch->queue_link);
}

static void dispatch_make_ready(host_dispatch_t *dispatch, host_wakes_t *wakes) {
  host_scheduler_t *scheduler = &host_device(dispatch->queue->base.device)->scheduler;
  dispatch_add(scheduler, dispatch);
  host_scheduler_wake(scheduler, dispatch->queue, dispatch->ticket, wakes);
}

mux_result_t host_announce_wait(mux_queue_t queue) {
  host_thread_get()->awaited = queue;
  return mux_success;
}

/* Once for each announcement. */
static bool is_awaited(const host_queue_t *queue) {
  host_thread_t *thread = host_thread_get();
  const bool awaited = thread->awaited == queue;
  thread->awaited = NULL;
  return awaited;
}

/* The calling thread, which is about to wait for it, is then awake already, and takes it unless others come first. */
static void dispatch_offer(host_dispatch_t *dispatch, bool awaited, host_wakes_t *wakes) {
  host_scheduler_t *scheduler = &host_device(dispatch->queue->base.device)->scheduler;
  if (dispatch->pending_waits) return;
  if (awaited && host_scheduler_leaves_to_caller(scheduler))
    dispatch_add(scheduler, dispatch);
  else
    dispatch_make_ready(dispatch, wakes);
}

static void failure_inherit(host_dispatch_t *dispatch, mux_result_t result) {
  if (dispatch->result == mux_success) dispatch->result = result;
}

static void waits_add(host_dispatch_t *dispatch, const mux_semaphore_t *semaphores, uint32_t length) {
  dispatch->pending_waits = 0;
  for (uint32_t i = 0; i < length; ++i) {
    host_semaphore_t *semaphore = host_semaphore(semaphores[i]);
    if (semaphore->signalled) {
      failure_inherit(dispatch, semaphore->result);
      continue;
    }
    host_wait_node_t *node = &dispatch->waits[dispatch->pending_waits++];
    node->dispatch = dispatch;
    list_append(&semaphore->waits, &node->link);
  }
}

static void signals_add(host_dispatch_t *dispatch, host_fence_t *fence, const mux_semaphore_t *semaphores,
                        uint32_t length) {
  dispatch->fence = fence;
  if (fence) fence->ticket = dispatch->ticket;
  dispatch->signal_count = length;
  for (uint32_t i = 0; i < length; ++i) dispatch->signals[i] = host_semaphore(semaphores[i]);
}

mux_result_t host_dispatch(mux_queue_t queue_handle, mux_command_buffer_t command_buffer, mux_fence_t fence,
                           const mux_semaphore_t *wait_semaphores, uint32_t wait_semaphores_length,
                           const mux_semaphore_t *signal_semaphores, uint32_t signal_semaphores_length,
                           mux_dispatch_callback_t user_function, void *user_data) {
  host_queue_t *queue = host_queue(queue_handle);
  host_scheduler_t *scheduler = &host_device(queue_handle->device)->scheduler;
  const bool awaited = is_awaited(queue);
  host_wakes_t wakes;
  if (!scheduler->executor->begin(command_buffer)) return mux_error_invalid_value;
  host_wakes_init(&wakes);
  host_scheduler_lock(scheduler);
  host_dispatch_t *dispatch = dispatch_acquire(scheduler, wait_semaphores_length, signal_semaphores_length);
  if (!dispatch) goto no_record;
  dispatch->queue = queue;
  dispatch->thread = NULL;
  dispatch->command_buffer = command_buffer;
  dispatch->callback = user_function;
  dispatch->user_data = user_data;
  dispatch->result = mux_success;
  dispatch->stop = &dispatch->own_stop;
  host_stop_init(dispatch->stop);
  dispatch->ticket = ++queue->last_ticket;
  list_append(&queue->incomplete, &dispatch->order_link);
  signals_add(dispatch, host_fence(fence), signal_semaphores, signal_semaphores_length);
  waits_add(dispatch, wait_semaphores, wait_semaphores_length);
  dispatch_offer(dispatch, awaited, &wakes);
  host_scheduler_unlock(scheduler, &wakes);
  return mux_success;

no_record:
  pthread_mutex_unlock(scheduler->mutex);
  scheduler->executor->end(command_buffer);
  return mux_error_out_of_memory;
}

/* ---------------------------------------------------------------- execution and completion */

void host_dispatch_run(host_dispatch_t *dispatch, host_thread_t *thread) {
  const host_executor_t *executor = host_device(dispatch->queue->base.device)->scheduler.executor;
  mux_command_buffer_t command_buffer = dispatch->command_buffer;
  command_buffer->completed_count = 0;
  if (dispatch->result == mux_success) dispatch->result = executor->execute(command_buffer, dispatch, thread);
  /* From here on the command buffer is no longer dispatched: the callback may reset, destroy or dispatch it. */
  executor->end(command_buffer);
  if (dispatch->callback) dispatch->callback(command_buffer, dispatch->result, dispatch->user_data);
}

static void semaphore_signal(host_semaphore_t *semaphore, mux_result_t result, host_wakes_t *wakes) {
  semaphore->signalled = true;
  semaphore->result = result;
  LIST_FOR_EACH_SAFE(node, &semaphore->waits) {
    host_dispatch_t *waiting = LIST_ENTRY(node, host_wait_node_t, link)->dispatch;
    list_remove(node);
    failure_inherit(waiting, result);
    if (!--waiting->pending_waits) dispatch_make_ready(waiting, wakes);
  }
}

static void fence_signal(host_fence_t *fence, mux_result_t result) {
  if (!fence) return;
  fence->signalled = true;
  fence->result = result;
}

static void record_put_back(host_dispatch_t *dispatch) {
  host_stop_release(dispatch->stop);
  list_remove(&dispatch->link);
  list_prepend(&host_device(dispatch->queue->base.device)->scheduler.unused, &dispatch->link);
}

/* Once. */
static void dispatch_signal(host_dispatch_t *dispatch, host_wakes_t *wakes) {
  for (uint32_t i = 0; i < dispatch->signal_count; ++i) semaphore_signal(dispatch->signals[i], dispatch->result, wakes);
  fence_signal(dispatch->fence, dispatch->result);
  dispatch->signal_count = 0;
  dispatch->fence = NULL;
}

static host_dispatch_t *dispatch_of_fence(const host_queue_t *queue, const host_fence_t *fence) {
  LIST_FOR_EACH(node, &queue->incomplete) {
    host_dispatch_t *dispatch = LIST_ENTRY(node, host_dispatch_t, order_link);
    if (dispatch->fence == fence) return dispatch;
  }
  return NULL;
}

mux_result_t host_cancel_dispatch(mux_queue_t queue, mux_fence_t fence) {
  host_scheduler_t *scheduler = &host_device(queue->device)->scheduler;
  host_stop_prepare();
  host_scheduler_lock(scheduler);
  host_dispatch_t *dispatch = dispatch_of_fence(host_queue(queue), host_fence(fence));
  if (dispatch) host_stop_now(dispatch->stop);
  pthread_mutex_unlock(scheduler->mutex);
  return dispatch ? mux_success : mux_error_invalid_value;
}

mux_result_t host_signal_dispatch(mux_queue_t queue, mux_fence_t fence) {
  host_scheduler_t *scheduler = &host_device(queue->device)->scheduler;
  host_wakes_t wakes;
  host_wakes_init(&wakes);
  host_scheduler_lock(scheduler);
  host_dispatch_t *dispatch = dispatch_of_fence(host_queue(queue), host_fence(fence));
  if (dispatch) {
    dispatch_signal(dispatch, &wakes);
    host_queue_waiters_release(dispatch->queue, &wakes);
  }
  host_scheduler_unlock(scheduler, &wakes);
  return dispatch ? mux_success : mux_error_invalid_value;
}

void host_dispatch_complete(host_dispatch_t *dispatch, host_wakes_t *wakes) {
  dispatch_signal(dispatch, wakes);
  list_remove(&dispatch->order_link);
  host_queue_waiters_release(dispatch->queue, wakes);
  record_put_back(dispatch);
}

/* Whatever waits for the semaphores is dropped too, and leaves their lists by itself. The command buffer is not
 * touched: if the completion callback was running, it may be gone. */
void host_dispatch_drop(host_dispatch_t *dispatch) {
  for (uint32_t i = 0; i < dispatch->wait_capacity; ++i) list_remove(&dispatch->waits[i].link);
  for (uint32_t i = 0; i < dispatch->signal_count; ++i) {
    dispatch->signals[i]->signalled = true;
    dispatch->signals[i]->result = mux_error_failure;
  }
  fence_signal(dispatch->fence, mux_error_failure);
  list_remove(&dispatch->queue_link);
  list_remove(&dispatch->order_link);
  record_put_back(dispatch);
}
