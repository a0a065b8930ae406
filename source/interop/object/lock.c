/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The lock over nodes, queues and memory objects, and sleeping until one of them changes. */
#include "interop/object/lock.h"

static struct {
  pthread_mutex_t lock;
  /** Somebody is sleeping until a state changes. */
  pthread_cond_t changed;
  size_t sleepers;
  /** Nodes whose last reference went under the lock. */
  list_t dead;
} graph = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER, .dead = {&graph.dead, &graph.dead}};

void interop_graph_lock(void) { pthread_mutex_lock(&graph.lock); }

void interop_graph_unlock(void) {
  list_t dead;
  list_init(&dead);
  list_append_all(&dead, &graph.dead);
  pthread_mutex_unlock(&graph.lock);
  LIST_FOR_EACH_SAFE(link, &dead) {
    list_remove(link);
    interop_node_drop(LIST_ENTRY(link, interop_node_t, ready));
  }
}

void interop_graph_drop(interop_node_t *node) {
  /* The last reference stays with the list: a node that is complete is in no other. */
  if (atomic_load_explicit(&node->object.references, memory_order_acquire) == 1) {
    list_append(&graph.dead, &node->ready);
  } else if (interop_object_drop(&node->object)) {
    interop_object_hold(&node->object);
    list_append(&graph.dead, &node->ready);
  }
}

void interop_graph_sleep(void) {
  graph.sleepers++;
  pthread_cond_wait(&graph.changed, &graph.lock);
  graph.sleepers--;
}

bool interop_graph_sleep_until(struct timespec deadline) {
  graph.sleepers++;
  bool is_in_time = pthread_cond_clockwait(&graph.changed, &graph.lock, CLOCK_MONOTONIC, &deadline) == 0;
  graph.sleepers--;
  return is_in_time;
}

void interop_graph_wake(void) {
  if (graph.sleepers) pthread_cond_broadcast(&graph.changed);
}
