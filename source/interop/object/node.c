/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Making and freeing nodes. */
#include "interop/object/node.h"

#include <stdlib.h>
#include <string.h>

#include "interop/object/runtime.h"

bool interop_array_grow(void **items, size_t *capacity, const void *inline_items, size_t count, size_t needed,
                        size_t item_size) {
  size_t larger = *capacity * 2 > needed ? *capacity * 2 : needed;
  void *moved = *items == inline_items ? malloc(larger * item_size) : realloc(*items, larger * item_size);
  if (!moved) return false;
  if (*items == inline_items) memcpy(moved, inline_items, count * item_size);
  *items = moved;
  *capacity = larger;
  return true;
}

static void arrays_init(interop_node_t *node) {
  INTEROP_ARRAY_INIT(&node->waiters);
  INTEROP_ARRAY_INIT(&node->edges);
  INTEROP_ARRAY_INIT(&node->waits);
  INTEROP_ARRAY_INIT(&node->requirements);
  INTEROP_ARRAY_INIT(&node->arguments);
  INTEROP_ARRAY_INIT(&node->argument_bytes);
  INTEROP_ARRAY_INIT(&node->samplers);
}

static void arrays_free(interop_node_t *node) {
  INTEROP_ARRAY_FREE(&node->waiters);
  INTEROP_ARRAY_FREE(&node->edges);
  INTEROP_ARRAY_FREE(&node->waits);
  INTEROP_ARRAY_FREE(&node->requirements);
  INTEROP_ARRAY_FREE(&node->arguments);
  INTEROP_ARRAY_FREE(&node->argument_bytes);
  INTEROP_ARRAY_FREE(&node->samplers);
}

/* ------------------------------------------------------------ memory
 * Nodes come and go by the million, and are made by one thread and freed by another: the heap is slow at that. */

enum { most_spare = 4096 };

static struct {
  pthread_mutex_t lock;
  interop_node_t *first;
  size_t count;
} spare = {.lock = PTHREAD_MUTEX_INITIALIZER};

static interop_node_t *allocate(void) {
  pthread_mutex_lock(&spare.lock);
  interop_node_t *node = spare.first;
  if (node) {
    spare.first = node->mail_next;
    spare.count--;
  }
  pthread_mutex_unlock(&spare.lock);
  return node ? node : malloc(sizeof(*node));
}

static void deallocate(interop_node_t *node) {
  pthread_mutex_lock(&spare.lock);
  bool is_kept = spare.count < most_spare;
  if (is_kept) {
    node->mail_next = spare.first;
    spare.first = node;
    spare.count++;
  }
  pthread_mutex_unlock(&spare.lock);
  if (!is_kept) free(node);
}

/* ------------------------------------------------------------ nodes */

interop_node_t *interop_node_create(quern_queue_t queue, interop_action_t action) {
  static atomic_uint_fast64_t last_id;
  interop_node_t *node = allocate();
  if (!node) return NULL;
  /* The arrays' items need no zeros, and are most of it. */
  memset(node, 0, offsetof(interop_node_t, waiters));
  memset((void *)&node->stand_in, 0, offsetof(interop_node_t, edges) - offsetof(interop_node_t, stand_in));
  memset((void *)&node->native, 0, offsetof(interop_node_t, arguments) - offsetof(interop_node_t, native));
  memset(&node->from, 0, sizeof(*node) - offsetof(interop_node_t, from));
  node->object.tag = interop_tag_group;
  atomic_init(&node->object.references, 1);
  node->action = action;
  node->id = atomic_fetch_add_explicit(&last_id, 1, memory_order_relaxed) + 1;
  node->queue = queue;
  node->context = queue->context;
  interop_queue_hold(queue);
  list_init(&node->member);
  list_init(&node->ready);
  list_init(&node->watch);
  arrays_init(node);
  return node;
}

void interop_node_finish(interop_node_t *node) {
  for (size_t i = 0; i < node->requirements.count; i++) {
    interop_memory_drop(node->requirements.items[i].accessor.memory);
    if (node->requirements.items[i].part) interop_memory_drop(node->requirements.items[i].part);
  }
  node->requirements.count = 0;
  for (size_t i = 0; i < node->samplers.count; i++) interop_sampler_drop(node->samplers.items[i]);
  node->samplers.count = 0;
  if (node->memory) interop_memory_drop(node->memory);
  node->memory = NULL;
  if (node->kernel) interop_kernel_drop(node->kernel);
  node->kernel = NULL;
  if (node->fallback) interop_queue_drop(node->fallback);
  node->fallback = NULL;
  if (node->destroy) node->destroy(node->destroy_data);
  node->destroy = NULL;
}

void interop_node_drop(interop_node_t *node) {
  if (!interop_object_drop(&node->object)) return;
  interop_node_finish(node);
  const interop_runtime_t *runtime = interop_runtime_of(node->context);
  if (node->native) runtime->release(node->context->state, quern_object_event, node->native);
  if (node->companion) runtime->release(node->context->state, quern_object_event, node->companion);
  if (node->failed_native) runtime->release(node->context->state, quern_object_event, node->failed_native);
  if (node->failed_companion) runtime->release(node->context->state, quern_object_event, node->failed_companion);
  if (node->stand_in) runtime->release(node->context->state, quern_object_event, node->stand_in);
  arrays_free(node);
  free(node->message);
  node->object.tag = interop_tag_none;
  interop_queue_drop(node->queue);
  deallocate(node);
}

quern_result_t interop_requirement_native(const interop_requirement_t *requirement, void **out_native) {
  interop_copy_t *copy = requirement->part ? requirement->part_copy : requirement->copy;
  return interop_copy_native(interop_requirement_memory(requirement), copy, out_native, NULL);
}

quern_result_t interop_event_check(quern_event_t event) {
  return interop_object_check(event, interop_tag_event, "event");
}
