/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Queues, and the native queue behind each. */
#include "interop/object/queue.h"

#include <stdlib.h>

#include "interop/object/make.h"
#include "interop/object/runtime.h"

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
  interop_device_hold(device);
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
  interop_device_drop(device);
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
