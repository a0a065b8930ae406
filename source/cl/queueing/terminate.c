/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Termination: what the device does not have yet is terminated as for a failed event; what it has is cancelled. */
#include "cl/queueing/terminate.h"

#include "cl/queueing/queue.h"
#include "cl/queueing/refuse.h"

static batch_t *batch_at(list_t *node) { return LIST_ENTRY(node, batch_t, link); }

/* Those that are on their way to the device pass it without running. Graph locked. */
static void doom_all(const list_t *batches, list_t *ready) {
  LIST_FOR_EACH(node, batches) graph_doom(batch_at(node), CL_CONTEXT_TERMINATED_KHR, ready);
}

/* One that is not the device's yet, or not any more, is not found. Graph locked: none is used again meanwhile. */
static void cancel_all(cl_command_queue queue) {
  LIST_FOR_EACH(node, &queue->outstanding) {
    const batch_t *batch = batch_at(node);
    if (batch->state >= batch_launching && batch->state < batch_complete)
      (void)!muxCancelDispatch(batch->mux_queue->queue, batch->fence);
  }
}

static void queue_terminate(cl_command_queue queue) {
  graph_t *graph = &queue->context->graph;
  queue_flush_t flush;
  list_t ready;
  list_init(&ready);
  pthread_mutex_lock(&queue->mutex);
  graph_lock(graph);
  doom_all(&queue->outstanding, &ready);
  doom_all(&queue->pending, &ready);
  cancel_all(queue);
  graph_unlock(graph);
  queue_seal(queue, &flush);
  pthread_mutex_unlock(&queue->mutex);
  graph_dispatch(graph, &ready);
  queue_flush_finish(queue, &flush);
}

bool context_terminate(cl_context context) {
  if (atomic_exchange(&context->graph.is_terminated, true)) return false;
  context_for_each_queue(context, queue_terminate);
  context_notify(context, "the context was terminated", NULL, 0);
  return true;
}

cl_int context_validate(const char *function, cl_context context) {
  if (!context_is_valid(context)) return refuse(NULL, function, CL_INVALID_CONTEXT, "not a context");
  if (!atomic_load_explicit(&context->graph.is_terminated, memory_order_relaxed)) return CL_SUCCESS;
  return refuse(context, function, CL_CONTEXT_TERMINATED_KHR, "the context was terminated");
}
