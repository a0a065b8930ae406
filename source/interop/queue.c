/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Queues, and the native queue behind each. */
#include "interop/queue.h"

#include <stdlib.h>

#include "interop/make.h"
#include "interop/runtime.h"
#include "interop/task.h"
#include "interop/wait.h"

enum { all_flags = quern_queue_out_of_order | quern_queue_profiling };

quern_result_t interop_queue_check(quern_queue_t queue) {
  return interop_object_check(queue, interop_tag_queue, "queue");
}

/* ------------------------------------------------------------ making and freeing */

static quern_queue_t create(quern_context_t context, quern_device_t device, quern_queue_flags_t flags) {
  static atomic_uint last_number;
  quern_queue_t queue = calloc(1, sizeof(*queue));
  if (!queue) return NULL;
  queue->object.tag = interop_tag_queue;
  atomic_init(&queue->object.references, 1);
  queue->context = context;
  queue->device = device;
  queue->flags = flags;
  queue->number = atomic_fetch_add(&last_number, 1) + 1;
  pthread_mutex_init(&queue->open_lock, NULL);
  list_init(&queue->members);
  list_init(&queue->parked);
  return queue;
}

quern_queue_t interop_queue_create(quern_context_t context, quern_device_t device, quern_queue_flags_t flags) {
  quern_queue_t queue = create(context, device, flags);
  if (!queue) return NULL;
  interop_context_hold(context);
  (void)!quern_device_retain(device);
  return queue;
}

quern_queue_t interop_queue_create_transfers(quern_context_t context) {
  quern_queue_t queue = create(context, context->devices[0], quern_queue_out_of_order);
  if (queue) queue->is_transfers = true;
  return queue;
}

/* Its members are complete, so the nodes here are too, and free nothing that has this queue. */
static void free_queue(quern_queue_t queue) {
  if (queue->native) {
    interop_runtime_of(queue->context)->release(queue->context->state, quern_object_queue, queue->native);
  }
  pthread_mutex_destroy(&queue->open_lock);
  queue->object.tag = interop_tag_none;
  free(queue);
}

void interop_queue_destroy_transfers(quern_queue_t queue) { free_queue(queue); }

static void queue_destroy(quern_queue_t queue) {
  quern_context_t context = queue->context;
  quern_device_t device = queue->device;
  free_queue(queue);
  quern_device_release(device);
  interop_context_drop(context);
}

void interop_queue_hold(quern_queue_t queue) {
  interop_object_hold(queue->is_transfers ? &queue->context->object : &queue->object);
}

void interop_queue_drop(quern_queue_t queue) {
  if (queue->is_transfers) {
    interop_context_drop(queue->context);
  } else if (interop_object_drop(&queue->object)) {
    queue_destroy(queue);
  }
}

/* ------------------------------------------------------------ the native queue */

quern_result_t interop_queue_open(quern_queue_t queue) {
  if (atomic_load_explicit(&queue->is_open, memory_order_acquire)) return quern_success;
  quern_result_t result = quern_success;
  pthread_mutex_lock(&queue->open_lock);
  if (!atomic_load_explicit(&queue->is_open, memory_order_relaxed)) {
    if (!interop_context_is_host(queue->context)) result = interop_runtime_of(queue->context)->open_queue(queue);
    if (result == quern_success) atomic_store_explicit(&queue->is_open, true, memory_order_release);
  }
  pthread_mutex_unlock(&queue->open_lock);
  return result;
}

void interop_queue_flush(quern_queue_t queue) {
  if (!atomic_load_explicit(&queue->unflushed, memory_order_relaxed)) return;
  atomic_store_explicit(&queue->unflushed, 0, memory_order_relaxed);
  interop_runtime_of(queue->context)->flush(queue);
}

/* ------------------------------------------------------------ public */

static quern_result_t check_create(quern_context_t context, quern_device_t device, quern_queue_flags_t flags,
                                   const void *out_queue) {
  quern_result_t result = interop_task_check_make();
  if (result == quern_success) result = interop_context_check(context);
  if (result == quern_success) result = interop_device_check(device);
  if (result != quern_success) return result;
  if (flags & ~(quern_queue_flags_t)all_flags) {
    return interop_fail(quern_error_invalid_argument, "0x%x are no flags of queues", flags);
  }
  if (!out_queue) return interop_fail(quern_error_invalid_argument, "null pointer for the queue");
  for (size_t i = 0; i < context->device_count; i++) {
    if (context->devices[i] == device) return quern_success;
  }
  return interop_fail(quern_error_invalid_argument, "the device is not one of the context");
}

quern_result_t quern_queue_create(quern_context_t context, quern_device_t device, quern_queue_flags_t flags,
                                  quern_async_handler_t handler, void *data, quern_queue_t *out_queue) {
  quern_result_t result = check_create(context, device, flags, (const void *)out_queue);
  if (result != quern_success) return result;
  quern_queue_t queue = interop_queue_create(context, device, flags);
  if (!queue) return interop_fail_memory();
  queue->handler = handler;
  queue->handler_data = data;
  result = interop_queue_open(queue);
  if (result == quern_success) {
    *out_queue = queue;
  } else {
    interop_queue_drop(queue);
  }
  return result;
}

quern_result_t quern_queue_retain(quern_queue_t queue) {
  quern_result_t result = interop_queue_check(queue);
  if (result == quern_success) interop_queue_hold(queue);
  return result;
}

quern_result_t quern_queue_release(quern_queue_t queue) {
  quern_result_t result = interop_queue_check(queue);
  if (result == quern_success) interop_queue_drop(queue);
  return result;
}

quern_result_t quern_queue_set_handler(quern_queue_t queue, quern_async_handler_t handler, void *data) {
  quern_result_t result = interop_queue_check(queue);
  if (result != quern_success) return result;
  interop_graph_lock();
  queue->handler = handler;
  queue->handler_data = data;
  interop_graph_unlock();
  return quern_success;
}

#define GETTER(type, name)                                                                             \
  quern_result_t quern_queue_get_##name(quern_queue_t queue, type *out_##name) {                       \
    quern_result_t result = interop_queue_check(queue);                                                \
    if (result != quern_success) return result;                                                        \
    if (!out_##name) return interop_fail(quern_error_invalid_argument, "null pointer for the " #name); \
    *out_##name = queue->name;                                                                         \
    return quern_success;                                                                              \
  }
GETTER(quern_context_t, context)
GETTER(quern_device_t, device)
GETTER(quern_queue_flags_t, flags)
#undef GETTER

quern_result_t quern_queue_wait_for(quern_queue_t queue, uint64_t nanoseconds) {
  quern_result_t result = interop_queue_check(queue);
  if (result == quern_success) result = interop_task_check_wait();
  if (result != quern_success) return result;
  if (interop_graph_wait_queue_until(queue, interop_graph_deadline(nanoseconds))) return quern_success;
  return interop_fail(quern_error_timed_out, "some group of the queue is not complete");
}

quern_result_t quern_queue_wait(quern_queue_t queue) {
  quern_result_t result = interop_queue_check(queue);
  if (result == quern_success) result = interop_task_check_wait();
  if (result == quern_success) interop_graph_wait_queue(queue);
  return result;
}
