/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Linking batches into the graph, and terminating what cannot run. */
#include "cl/queueing/graph.h"

#include "base/thread.h"
#include "cl/queueing/batch.h"

void graph_init(graph_t *graph) {
  pthread_mutex_init(&graph->mutex, NULL);
  pthread_cond_init(&graph->changed, NULL);
  graph->waiters = 0;
  atomic_init(&graph->is_terminated, false);
}

void graph_destroy(graph_t *graph) {
  pthread_cond_destroy(&graph->changed);
  pthread_mutex_destroy(&graph->mutex);
}

void graph_lock(graph_t *graph) { pthread_mutex_lock(&graph->mutex); }
void graph_unlock(graph_t *graph) { pthread_mutex_unlock(&graph->mutex); }

void graph_sleep(graph_t *graph) {
  const int cancel_state = thread_cancel_hold();
  graph->waiters++;
  pthread_cond_wait(&graph->changed, &graph->mutex);
  graph->waiters--;
  thread_cancel_release(cancel_state);
}

void graph_wake(graph_t *graph) {
  if (graph->waiters) pthread_cond_broadcast(&graph->changed);
}

static edge_t *add_edge(batch_t *from, bool blocks, list_t *waiters) {
  edge_t *edge = &from->edges[from->edge_count++];
  edge->from = from;
  edge->blocks = blocks;
  list_append(waiters, &edge->link);
  from->blockers += blocks;
  return edge;
}

/* Edges of one batch are linked in one critical section, so a second one to the same batch finds the first at the end.
 */
static bool is_linked(const batch_t *from, const batch_t *on) {
  const list_t *last = list_last(&on->dependents);
  return last && LIST_ENTRY(last, edge_t, link)->from == from;
}

void graph_link(batch_t *from, batch_t *on, bool by_event) {
  if (on == from || on->state == batch_complete || is_linked(from, on)) return;
  if (!by_event && on->status < 0) return;
  /* What has failed is told first: its dependants end after it. */
  edge_t *edge = add_edge(from, on->state < batch_dispatched || on->status < 0, &on->dependents);
  edge->on = on;
  edge->by_event = by_event;
  batch_ref(on);
  if (by_event && on->conditional) from->conditional = true;
}

void graph_link_user(batch_t *from, list_t *waiters) {
  edge_t *edge = add_edge(from, true, waiters);
  edge->on = NULL;
  edge->by_event = true;
  from->conditional = true;
}

/* Queues a sealed batch for dispatch when nothing blocks it (any more). */
static void ready_check(batch_t *batch, list_t *ready) {
  if (batch->state != batch_sealed || batch->blockers || !list_is_empty(&batch->ready_link)) return;
  list_append(ready, &batch->ready_link);
}

static void edge_unblock(edge_t *edge, list_t *ready) {
  if (!edge->blocks) return;
  edge->blocks = false;
  edge->from->blockers--;
  ready_check(edge->from, ready);
}

static void push_doomed(batch_t **stack, batch_t *batch, cl_int status) {
  if (batch->doom < 0 || batch->state >= batch_launching) return;
  batch->doom = status;
  batch->doom_next = *stack;
  *stack = batch;
}

/* A doomed batch no longer waits for user events: nobody may ever set them. */
static void forget_user_events(batch_t *batch) {
  for (size_t i = 0; i < batch->edge_count; i++) {
    edge_t *edge = &batch->edges[i];
    if (edge->on || !edge->blocks) continue;
    list_remove(&edge->link);
    edge->blocks = false;
    batch->blockers--;
  }
}

void graph_doom(batch_t *batch, cl_int status, list_t *ready) {
  /* A stack instead of recursion: chains of dependants may be long. */
  batch_t *stack = NULL;
  push_doomed(&stack, batch, status);
  while (stack) {
    batch_t *doomed = stack;
    stack = doomed->doom_next;
    forget_user_events(doomed);
    ready_check(doomed, ready);
    LIST_FOR_EACH(node, &doomed->dependents) {
      edge_t *edge = LIST_ENTRY(node, edge_t, link);
      if (edge->by_event) push_doomed(&stack, edge->from, status);
    }
  }
}

static void push_failed(batch_t **stack, batch_t *batch, cl_int status) {
  batch->status = status;
  batch->doom_next = *stack;
  *stack = batch;
}

/* Until the batch that has failed is complete, which unblocks. */
static void block_again(edge_t *edge) {
  if (edge->blocks) return;
  edge->blocks = true;
  edge->from->blockers++;
}

void graph_fail(batch_t *batch, cl_int status, list_t *ready) {
  batch_t *stack = NULL;
  push_failed(&stack, batch, status);
  while (stack) {
    batch_t *failed = stack;
    stack = failed->doom_next;
    LIST_FOR_EACH(node, &failed->dependents) {
      edge_t *edge = LIST_ENTRY(node, edge_t, link);
      if (edge->from->state >= batch_launching) {
        if (edge->signals && edge->from->status == CL_COMPLETE) push_failed(&stack, edge->from, status);
      } else if (edge->by_event) {
        block_again(edge);
        graph_doom(edge->from, status, ready);
      }
    }
  }
}

void graph_resolve_user(list_t *waiters, cl_int status, list_t *ready) {
  for (list_t *node; (node = list_first(waiters));) {
    edge_t *edge = LIST_ENTRY(node, edge_t, link);
    /* Unlinked first: dooming unlinks the other user edges of the batch, this one among them. */
    list_remove(node);
    edge_unblock(edge, ready);
    if (status < 0) graph_doom(edge->from, status, ready);
  }
}

void graph_seal(batch_t *batch, list_t *ready) {
  batch->state = batch_sealed;
  ready_check(batch, ready);
}

void graph_unblock(batch_t *batch, list_t *ready) {
  LIST_FOR_EACH(node, &batch->dependents) edge_unblock(LIST_ENTRY(node, edge_t, link), ready);
}
