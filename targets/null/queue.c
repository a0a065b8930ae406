/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Fences, semaphores, dispatching and waiting of the null target. */
#include "base/clock.h"
#include "null/null.h"

/* ------------------------------------------------------------ fences and semaphores */

static null_device_t *lock_device(mux_device_t base) {
  null_device_t *device = (null_device_t *)base;
  pthread_mutex_lock(&device->lock);
  return device;
}

static mux_result_t reset_signal(null_signal_t *signal) {
  pthread_mutex_lock(&signal->device->lock);
  signal->is_signalled = false;
  signal->result = mux_success;
  pthread_mutex_unlock(&signal->device->lock);
  return mux_success;
}

mux_result_t null_create_fence(mux_device_t device, mux_allocator_info_t allocator, mux_fence_t *out_fence) {
  null_fence_t *fence = mux_object_allocate(allocator, sizeof(*fence), _Alignof(null_fence_t));
  if (!fence) return mux_error_out_of_memory;
  fence->base.id = mux_id_make(mux_object_id_fence, mux_id_target(device->id));
  fence->signal.device = (null_device_t *)device;
  *out_fence = &fence->base;
  return mux_success;
}

/* The lock makes sure that the thread that signalled it is done with it. */
void null_destroy_fence(mux_device_t base, mux_fence_t fence, mux_allocator_info_t allocator) {
  pthread_mutex_unlock(&lock_device(base)->lock);
  mux_object_free(allocator, fence);
}

mux_result_t null_reset_fence(mux_fence_t fence) { return reset_signal(&((null_fence_t *)fence)->signal); }

mux_result_t null_create_semaphore(mux_device_t device, mux_allocator_info_t allocator,
                                   mux_semaphore_t *out_semaphore) {
  null_semaphore_t *semaphore = mux_object_allocate(allocator, sizeof(*semaphore), _Alignof(null_semaphore_t));
  if (!semaphore) return mux_error_out_of_memory;
  semaphore->base.id = mux_id_make(mux_object_id_semaphore, mux_id_target(device->id));
  semaphore->signal.device = (null_device_t *)device;
  *out_semaphore = &semaphore->base;
  return mux_success;
}

void null_destroy_semaphore(mux_device_t base, mux_semaphore_t semaphore, mux_allocator_info_t allocator) {
  pthread_mutex_unlock(&lock_device(base)->lock);
  mux_object_free(allocator, semaphore);
}

mux_result_t null_reset_semaphore(mux_semaphore_t semaphore) {
  return reset_signal(&((null_semaphore_t *)semaphore)->signal);
}

/* ------------------------------------------------------------ dispatches */

/** A dispatched command buffer until it is complete; in the device's list, in the order of muxDispatch. */
typedef struct null_dispatch_t {
  list_t node;
  uint64_t sequence;
  mux_queue_t queue;
  null_command_buffer_t *command_buffer;
  null_fence_t *fence;
  mux_dispatch_callback_t user_function;
  void *user_data;
  uint32_t wait_length, signal_length;
  /** First those to wait for, then those to signal. */
  null_semaphore_t *semaphores[];
} null_dispatch_t;

static null_dispatch_t *create_dispatch(null_device_t *device, const mux_semaphore_t *waits, uint32_t wait_length,
                                        const mux_semaphore_t *signals, uint32_t signal_length) {
  const size_t count = (size_t)wait_length + signal_length;
  null_dispatch_t *dispatch = mux_object_allocate(
      device->allocator, sizeof(*dispatch) + count * sizeof(dispatch->semaphores[0]), _Alignof(null_dispatch_t));
  if (!dispatch) return NULL;
  dispatch->wait_length = wait_length;
  dispatch->signal_length = signal_length;
  for (uint32_t i = 0; i < wait_length; i++) dispatch->semaphores[i] = (null_semaphore_t *)waits[i];
  for (uint32_t i = 0; i < signal_length; i++) dispatch->semaphores[wait_length + i] = (null_semaphore_t *)signals[i];
  return dispatch;
}

/* Called with the lock: the first dispatch that waits for nothing any more. */
static null_dispatch_t *find_ready(null_device_t *device) {
  LIST_FOR_EACH(node, &device->outstanding) {
    null_dispatch_t *dispatch = LIST_ENTRY(node, null_dispatch_t, node);
    uint32_t signalled = 0;
    while (signalled < dispatch->wait_length && dispatch->semaphores[signalled]->signal.is_signalled) signalled++;
    if (signalled == dispatch->wait_length) return dispatch;
  }
  return NULL;
}

/* Called with the lock: the failure of something that it waited for. */
static mux_result_t find_failure(const null_dispatch_t *dispatch) {
  for (uint32_t i = 0; i < dispatch->wait_length; i++) {
    if (dispatch->semaphores[i]->signal.result) return dispatch->semaphores[i]->signal.result;
  }
  return mux_success;
}

/* Called with the lock. */
static void set_signal(null_signal_t *signal, mux_result_t result) {
  signal->is_signalled = true;
  signal->result = result;
}

/* Called with the lock, which it gives up while it executes and calls back. */
static void run_dispatch(null_device_t *device, null_dispatch_t *dispatch) {
  mux_result_t result = find_failure(dispatch);
  pthread_mutex_unlock(&device->lock);
  dispatch->command_buffer->base.completed_count = 0;
  if (!result) result = null_command_buffer_execute(dispatch->queue, dispatch->command_buffer);
  /* From here on the command buffer is the caller's again: the callback may reset or destroy it. */
  dispatch->command_buffer->state = null_state_finalized;
  if (dispatch->user_function) dispatch->user_function(&dispatch->command_buffer->base, result, dispatch->user_data);
  pthread_mutex_lock(&device->lock);
  for (uint32_t i = 0; i < dispatch->signal_length; i++)
    set_signal(&dispatch->semaphores[dispatch->wait_length + i]->signal, result);
  if (dispatch->fence) set_signal(&dispatch->fence->signal, result);
  list_remove(&dispatch->node);
  pthread_cond_broadcast(&device->changed);
  mux_object_free(device->allocator, dispatch);
}

/* One thread executes everything, so that nothing is ready but what `find_ready` finds when a dispatch is complete. */
void *null_device_run(void *argument) {
  null_device_t *device = lock_device(argument);
  while (!device->is_stopping) {
    null_dispatch_t *dispatch = find_ready(device);
    if (dispatch)
      run_dispatch(device, dispatch);
    else
      pthread_cond_wait(&device->changed, &device->lock);
  }
  pthread_mutex_unlock(&device->lock);
  return NULL;
}

static bool begin_dispatch(null_command_buffer_t *command_buffer) {
  null_state_e expected = null_state_finalized;
  return atomic_compare_exchange_strong(&command_buffer->state, &expected, null_state_dispatched);
}

mux_result_t null_dispatch(mux_queue_t queue, mux_command_buffer_t command_buffer, mux_fence_t fence,
                           const mux_semaphore_t *wait_semaphores, uint32_t wait_semaphores_length,
                           const mux_semaphore_t *signal_semaphores, uint32_t signal_semaphores_length,
                           mux_dispatch_callback_t user_function, void *user_data) {
  null_device_t *device = (null_device_t *)queue->device;
  null_dispatch_t *dispatch =
      create_dispatch(device, wait_semaphores, wait_semaphores_length, signal_semaphores, signal_semaphores_length);
  if (!dispatch) return mux_error_out_of_memory;
  dispatch->queue = queue;
  dispatch->command_buffer = (null_command_buffer_t *)command_buffer;
  dispatch->fence = (null_fence_t *)fence;
  dispatch->user_function = user_function;
  dispatch->user_data = user_data;
  if (!begin_dispatch(dispatch->command_buffer)) {
    mux_object_free(device->allocator, dispatch);
    return mux_error_invalid_value;
  }
  lock_device(&device->base);
  dispatch->sequence = device->next_sequence++;
  list_append(&device->outstanding, &dispatch->node);
  pthread_cond_broadcast(&device->changed);
  pthread_mutex_unlock(&device->lock);
  return mux_success;
}

/* ------------------------------------------------------------ waiting */

static struct timespec find_deadline(uint64_t timeout) {
  const uint64_t now = clock_now_ns(), latest = (uint64_t)INT64_MAX;
  const uint64_t deadline = timeout < latest - now ? now + timeout : latest;
  return (struct timespec){.tv_sec = (time_t)(deadline / 1000000000u), .tv_nsec = (long)(deadline % 1000000000u)};
}

mux_result_t null_try_wait(mux_queue_t queue, uint64_t timeout, mux_fence_t fence) {
  const null_signal_t *signal = &((null_fence_t *)fence)->signal;
  const struct timespec deadline = find_deadline(timeout);
  null_device_t *device = lock_device(queue->device);
  int error = timeout ? 0 : 1;
  while (!signal->is_signalled && !error) error = pthread_cond_timedwait(&device->changed, &device->lock, &deadline);
  const mux_result_t result = !signal->is_signalled ? mux_fence_not_ready
                              : signal->result      ? mux_error_fence_failure
                                                    : mux_success;
  pthread_mutex_unlock(&device->lock);
  return result;
}

mux_result_t null_wait(mux_queue_t queue, mux_fence_t fence) { return null_try_wait(queue, UINT64_MAX, fence); }

/* Called with the lock. */
static bool has_older(const null_device_t *device, uint64_t sequence) {
  const list_t *first = list_first(&device->outstanding);
  return first && LIST_ENTRY(first, null_dispatch_t, node)->sequence < sequence;
}

mux_result_t null_wait_all(mux_queue_t queue) {
  null_device_t *device = lock_device(queue->device);
  const uint64_t sequence = device->next_sequence;
  while (has_older(device, sequence)) pthread_cond_wait(&device->changed, &device->lock);
  pthread_mutex_unlock(&device->lock);
  return mux_success;
}
