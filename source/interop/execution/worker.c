/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Worker threads. There are as many as nodes have ever been running together, and one for destructors. */
#include "interop/execution/worker.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"
#include "interop/execution/progress.h"

/* Lives as long as the process, like the registry. */
static struct {
  pthread_mutex_t lock;
  pthread_cond_t arrived;
  list_t nodes;
  size_t waiting, idle, threads;
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

static interop_node_t *take(void) {
  pthread_mutex_lock(&pool.lock);
  pool.idle++;
  while (list_is_empty(&pool.nodes)) pthread_cond_wait(&pool.arrived, &pool.lock);
  pool.idle--;
  pool.waiting--;
  list_t *link = list_first(&pool.nodes);
  list_remove(link);
  pthread_mutex_unlock(&pool.lock);
  return LIST_ENTRY(link, interop_node_t, ready);
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

void interop_worker_submit(interop_node_t *node) {
  pthread_mutex_lock(&pool.lock);
  list_append(&pool.nodes, &node->ready);
  pool.waiting++;
  /* Tasks may block in the backend: one that waits for a free thread could wait for long. */
  if (pool.waiting > pool.idle && pool.threads < interop_worker_capacity) {
    if (thread_start_detached(work, NULL, "quern-task")) {
      pool.threads++;
    } else if (!pool.threads) {
      log_write(log_error, "interop: no thread to run command groups; trying again with the next one");
    }
  }
  pthread_mutex_unlock(&pool.lock);
  pthread_cond_signal(&pool.arrived);
}

/* ------------------------------------------------------------ destructors */

static interop_node_t *take_end(void) {
  pthread_mutex_lock(&pool.lock);
  while (list_is_empty(&pool.ends)) pthread_cond_wait(&pool.ended, &pool.lock);
  list_t *link = list_first(&pool.ends);
  list_remove(link);
  pthread_mutex_unlock(&pool.lock);
  return LIST_ENTRY(link, interop_node_t, ready);
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

static void *end_nodes(void *data) {
  (void)data;
  for (;;) {
    interop_node_t *node = take_end();
    call_back(node);
    interop_node_finish(node);
    interop_node_drop(node);
  }
  return NULL;
}

void interop_worker_finish(interop_node_t *node) {
  pthread_mutex_lock(&pool.lock);
  list_append(&pool.ends, &node->ready);
  if (!pool.has_ender) pool.has_ender = thread_start_detached(end_nodes, NULL, "quern-end");
  if (!pool.has_ender) log_write(log_error, "interop: no thread to run destructors; trying again with the next one");
  pthread_mutex_unlock(&pool.lock);
  pthread_cond_signal(&pool.ended);
}
