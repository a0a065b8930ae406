/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Worker threads. There are as many as nodes have ever been running together, and one for destructors. Where the system
 * gives none, those who wait take what there is to do. */
#include "interop/execution/worker.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/clock.h"
#include "interop/execution/progress.h"
#include "interop/execution/threads.h"
#include "interop/object/lock.h"

/* Lives as long as the process, like the registry. */
static struct {
  pthread_mutex_t lock;
  pthread_cond_t arrived;
  list_t nodes;
  size_t waiting, idle;
  /** Changed under the lock, and never back to none. */
  atomic_size_t threads;
  /** Nodes whose data are to be destroyed, and the thread for that. */
  pthread_cond_t ended;
  list_t ends;
  bool has_ender;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER,
          .arrived = PTHREAD_COND_INITIALIZER,
          .nodes = {&pool.nodes, &pool.nodes},
          .ended = PTHREAD_COND_INITIALIZER,
          .ends = {&pool.ends, &pool.ends}};

/* ------------------------------------------------------------ threads */

/* Under the lock; null when there is none. */
static interop_node_t *take_first(list_t *list) {
  list_t *link = list_first(list);
  if (!link) return NULL;
  list_remove(link);
  if (list == &pool.nodes) pool.waiting--;
  return LIST_ENTRY(link, interop_node_t, ready);
}

static interop_node_t *take(void) {
  pthread_mutex_lock(&pool.lock);
  pool.idle++;
  while (list_is_empty(&pool.nodes)) pthread_cond_wait(&pool.arrived, &pool.lock);
  pool.idle--;
  interop_node_t *node = take_first(&pool.nodes);
  pthread_mutex_unlock(&pool.lock);
  return node;
}

static void run(interop_node_t *node) {
  if (node->was_retried) {
    interop_retry_run(node);
    return;
  }
  if (node->is_repeated) {
    interop_retry_repeat(node);
    return;
  }
  node->started_ns = clock_now_ns();
  quern_result_t result = interop_host_run(node, node->queue);
  node->ended_ns = clock_now_ns();
  interop_graph_complete(node, result);
}

static void *work(void *data) {
  (void)data;
  for (;;) run(take());
  return NULL;
}

/* Under the lock. */
static void add_thread(void) {
  if (interop_thread_start(interop_thread_worker, work, pool.threads != 0)) pool.threads++;
}

void interop_worker_prepare(void) {
  if (pool.threads) return;
  pthread_mutex_lock(&pool.lock);
  if (!pool.threads) add_thread();
  pthread_mutex_unlock(&pool.lock);
}

/* Those who sleep have to do it. */
static void wake_helpers(void) {
  interop_graph_lock();
  interop_graph_wake();
  interop_graph_unlock();
}

void interop_worker_submit(interop_node_t *node) {
  pthread_mutex_lock(&pool.lock);
  list_append(&pool.nodes, &node->ready);
  pool.waiting++;
  /* Tasks may block in the backend: one that waits for a free thread could wait for long. */
  if (pool.waiting > pool.idle && pool.threads < interop_worker_capacity) add_thread();
  pthread_mutex_unlock(&pool.lock);
  pthread_cond_signal(&pool.arrived);
  if (interop_thread_is_missing(interop_thread_worker)) wake_helpers();
}

/* ------------------------------------------------------------ destructors */

static interop_node_t *take_end(void) {
  pthread_mutex_lock(&pool.lock);
  while (list_is_empty(&pool.ends)) pthread_cond_wait(&pool.ended, &pool.lock);
  interop_node_t *node = take_first(&pool.ends);
  pthread_mutex_unlock(&pool.lock);
  return node;
}

/* Nobody adds to the functions of a complete node. */
static void call_back(interop_node_t *node) {
  while (node->callbacks) {
    interop_callback_t *callback = node->callbacks;
    node->callbacks = callback->next;
    callback->function(node, node->result, callback->data);
    free(callback);
  }
}

static void end(interop_node_t *node) {
  call_back(node);
  interop_node_finish(node);
  interop_node_drop(node);
}

static void *end_nodes(void *data) {
  (void)data;
  for (;;) end(take_end());
  return NULL;
}

void interop_worker_finish(interop_node_t *node) {
  pthread_mutex_lock(&pool.lock);
  list_append(&pool.ends, &node->ready);
  if (!pool.has_ender) pool.has_ender = interop_thread_start(interop_thread_end, end_nodes, false);
  pthread_mutex_unlock(&pool.lock);
  pthread_cond_signal(&pool.ended);
}

/* ------------------------------------------------------------ help */

bool interop_worker_has_work(void) {
  pthread_mutex_lock(&pool.lock);
  bool has = (!pool.threads && !list_is_empty(&pool.nodes)) || (!pool.has_ender && !list_is_empty(&pool.ends));
  pthread_mutex_unlock(&pool.lock);
  return has;
}

/* What lacks its thread still; null when there is nothing. */
static interop_node_t *take_helped(bool *out_is_end) {
  pthread_mutex_lock(&pool.lock);
  if (!pool.threads && !list_is_empty(&pool.nodes)) add_thread();
  interop_node_t *node = pool.threads ? NULL : take_first(&pool.nodes);
  *out_is_end = !node;
  if (!node && !pool.has_ender) node = take_first(&pool.ends);
  pthread_mutex_unlock(&pool.lock);
  return node;
}

void interop_worker_help(void) {
  bool is_end;
  for (interop_node_t *node; (node = take_helped(&is_end));) {
    if (is_end) {
      end(node);
    } else {
      run(node);
    }
  }
}
