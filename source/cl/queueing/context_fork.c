/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The commands of the parent in the child of a fork. */
#include "cl/queueing/context_fork.h"

#include "cl/queueing/queue.h"

static struct {
  pthread_mutex_t mutex;
  /** _cl_context.link. */
  list_t list;
} contexts = {.mutex = PTHREAD_MUTEX_INITIALIZER, .list = {&contexts.list, &contexts.list}};

static cl_context context_at(list_t *node) { return LIST_ENTRY(node, struct _cl_context, link); }
static cl_command_queue queue_at(list_t *node) { return LIST_ENTRY(node, struct _cl_command_queue, context_link); }

/* ------------------------------------------------------------ the list */

void context_register(cl_context context) {
  pthread_mutex_lock(&contexts.mutex);
  list_append(&contexts.list, &context->link);
  pthread_mutex_unlock(&contexts.mutex);
}

void context_unregister(cl_context context) {
  pthread_mutex_lock(&contexts.mutex);
  list_remove(&context->link);
  pthread_mutex_unlock(&contexts.mutex);
}

static void queues_lock(cl_context context) {
  LIST_FOR_EACH(node, &context->queues) pthread_mutex_lock(&queue_at(node)->mutex);
}

static void queues_unlock(cl_context context) {
  LIST_FOR_EACH(node, &context->queues) pthread_mutex_unlock(&queue_at(node)->mutex);
}

/* All of one kind before those of the next, in the order of docs/locking.md. */
void contexts_lock(void) {
  pthread_mutex_lock(&contexts.mutex);
  LIST_FOR_EACH(node, &contexts.list) pthread_mutex_lock(&context_at(node)->mutex);
  LIST_FOR_EACH(node, &contexts.list) queues_lock(context_at(node));
  LIST_FOR_EACH(node, &contexts.list) graph_lock(&context_at(node)->graph);
  LIST_FOR_EACH(node, &contexts.list) pthread_mutex_lock(&context_at(node)->shared_memory.mutex);
}

void contexts_unlock(void) {
  LIST_FOR_EACH(node, &contexts.list) {
    pthread_mutex_unlock(&context_at(node)->shared_memory.mutex);
    graph_unlock(&context_at(node)->graph);
    queues_unlock(context_at(node));
    pthread_mutex_unlock(&context_at(node)->mutex);
  }
  pthread_mutex_unlock(&contexts.mutex);
}

/* ------------------------------------------------------------ in the child */

/* A batch that another thread was just about to dispatch may not have reached the device. */
static bool was_dispatched(const batch_t *batch) {
  if (batch->state < batch_launching) return false;
  return batch->launched || batch->entered || pthread_equal(batch->launcher, pthread_self());
}

/* Mux has signalled the fences of all that it has but of what this thread executes. */
static bool goes_on(const batch_t *batch) {
  if (!was_dispatched(batch)) return false;
  return muxTryWait(batch->mux_queue->queue, 0, batch->fence) == mux_fence_not_ready;
}

static void abandon_batch(batch_t *batch) {
  batch->state = batch_complete;
  batch->status = batch->doom < 0 ? batch->doom : CL_OUT_OF_RESOURCES;
  list_remove(&batch->link);
}

static void abandon_queue(cl_command_queue queue) {
  LIST_FOR_EACH_SAFE(node, &queue->outstanding) {
    batch_t *batch = LIST_ENTRY(node, batch_t, link);
    if (!goes_on(batch)) {
      abandon_batch(batch);
    } else {
      atomic_fetch_add_explicit(&batch->mux_queue->in_flight, 1, memory_order_relaxed);
    }
  }
  LIST_FOR_EACH_SAFE(node, &queue->pending) abandon_batch(LIST_ENTRY(node, batch_t, link));
  queue->pending_count = 0;
  queue->lane = NULL;
  implicit_flush_init(&queue->implicit_flush);
}

/* The condition counts sleepers that are gone, for which its functions would wait. */
static void forget_sleepers(graph_t *graph) {
  pthread_cond_init(&graph->changed, NULL);
  graph->waiters = 0;
}

void contexts_abandon(void) {
  LIST_FOR_EACH(node, &contexts.list) {
    forget_sleepers(&context_at(node)->graph);
    LIST_FOR_EACH(queue, &context_at(node)->queues) atomic_store(&queue_at(queue)->mux_queue->in_flight, 0);
  }
  LIST_FOR_EACH(node, &contexts.list) {
    LIST_FOR_EACH(queue, &context_at(node)->queues) abandon_queue(queue_at(queue));
  }
}
