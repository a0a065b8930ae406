/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The task graph: edges, and who becomes ready when somebody gets on. */
#include "interop/graph/graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "interop/graph/placement.h"
#include "interop/object/trace.h"

void interop_work_init(interop_work_t *work) {
  list_init(&work->ready);
  list_init(&work->watch);
  list_init(&work->finished);
}

/* ------------------------------------------------------------ edges */

void interop_graph_poison(interop_node_t *node, quern_result_t result) {
  if (node->result != quern_success) return;
  node->result = result;
  node->message = strdup(quern_last_error_message());
}

void interop_graph_inherit(interop_node_t *node, const interop_node_t *from) {
  static const char prefix[] = "a command group that this one depends on failed: ";
  if (node->result != quern_success) return;
  node->result = from->result;
  node->is_dependent_failure = true;
  const char *reason = from->message ? from->message : quern_result_text(from->result);
  size_t size = sizeof(prefix) + strlen(reason);
  node->message = malloc(size);
  if (node->message) snprintf(node->message, size, "%s%s", from->is_dependent_failure ? "" : prefix, reason);
}

/* Whether the device orders `to` behind `from` once it has `from`. */
static bool waits_natively(const interop_node_t *from, const interop_node_t *to) {
  return interop_node_shows_native(from) && to->is_native && from->context == to->context;
}

static void connect_again(interop_node_t *from, interop_node_t *to, bool is_strict) {
  for (size_t i = to->edges.count; i-- > 0;) {
    if (to->edges.items[i].from != from) continue;
    to->edges.items[i].is_strict |= is_strict;
    return;
  }
}

static bool add_waiter(interop_node_t *from, interop_node_t *to) {
  if (!INTEROP_ARRAY_RESERVE(&from->waiters, 1)) return false;
  from->waiters.items[from->waiters.count++] = to;
  to->unresolved++;
  return true;
}

void interop_graph_connect(interop_work_t *work, interop_node_t *from, interop_node_t *to, bool is_strict) {
  if (from == to) return;
  if (from->state == interop_state_complete) {
    if (is_strict && from->result != quern_success) interop_graph_inherit(to, from);
    return;
  }
  if (from->connected_id == to->id) {
    connect_again(from, to, is_strict);
    return;
  }
  bool needs_nothing = from->state == interop_state_dispatched && waits_natively(from, to);
  if (!INTEROP_ARRAY_RESERVE(&to->edges, 1) || (!needs_nothing && !add_waiter(from, to))) {
    interop_graph_poison(to, interop_fail_memory());
    return;
  }
  from->connected_id = to->id;
  interop_node_hold(from);
  to->edges.items[to->edges.count++] = (interop_edge_t){from, is_strict};
  if (from->state == interop_state_dispatched && !needs_nothing) interop_graph_watch(work, from);
}

/* What orders by itself needs no event: commands of an in-order queue. Their failure would be no reason, either. */
static bool is_ordered_by_queue(const interop_edge_t *edge, const interop_node_t *to) {
  return !edge->is_strict && edge->from->queue == to->queue && interop_queue_is_in_order(to->queue);
}

static void collect_waits(interop_node_t *node) {
  if (!INTEROP_ARRAY_RESERVE(&node->waits, node->edges.count)) {
    interop_graph_poison(node, interop_fail_memory());
    return;
  }
  for (size_t i = 0; i < node->edges.count; i++) {
    const interop_edge_t *edge = &node->edges.items[i];
    const interop_node_t *from = edge->from;
    /* It may have failed since the edge was made, when the node was to wait natively; or be about to be told failed. */
    if (edge->is_strict && from->state == interop_state_complete && from->result != quern_success) {
      interop_graph_inherit(node, from);
    }
    bool has_event = from->native && (from->state == interop_state_dispatched || from->state == interop_state_running);
    if (has_event && !is_ordered_by_queue(edge, node)) node->waits.items[node->waits.count++] = from->native;
  }
}

void interop_graph_ready(interop_work_t *work, interop_node_t *node) {
  node->state = interop_state_starting;
  if (node->is_native && node->result == quern_success) collect_waits(node);
  interop_graph_activate(work, node);
}

void interop_graph_activate(interop_work_t *work, interop_node_t *node) {
  if (node->queue->is_reserved && node->result == quern_success) {
    list_append(&node->queue->parked, &node->ready);
    return;
  }
  node->is_active = true;
  node->queue->active++;
  list_append(&work->ready, &node->ready);
}

static void resolve(interop_work_t *work, interop_node_t *node) {
  if (--node->unresolved == 0) interop_graph_ready(work, node);
}

bool interop_graph_block(interop_work_t *work, interop_node_t *node) {
  node->state = interop_state_blocked;
  node->unresolved = 1;
  if (node->is_active) node->queue->active--;
  node->is_active = false;
  for (size_t i = 0; i < node->edges.count; i++) {
    interop_node_t *from = node->edges.items[i].from;
    /* Without memory for it, this one is not waited for. */
    if (from->state == interop_state_complete || !add_waiter(from, node)) continue;
    if (from->state == interop_state_dispatched) interop_graph_watch(work, from);
  }
  if (--node->unresolved != 0) {
    interop_graph_wake();
    return true;
  }
  node->state = interop_state_starting;
  node->is_active = true;
  node->queue->active++;
  return false;
}

/* ------------------------------------------------------------ steps of a node */

void interop_graph_begin(interop_node_t *node) {
  quern_queue_t queue = node->queue;
  node->state = interop_state_blocked;
  node->unresolved = 1;
  node->sequence = ++queue->sequence;
  if ((queue->flags & quern_queue_profiling) || interop_trace_is_on()) node->submitted_ns = clock_now_ns();
  list_append(&queue->members, &node->member);
}

void interop_graph_end(interop_work_t *work, interop_node_t *node) { resolve(work, node); }

static void replace(interop_node_t **held, interop_node_t *node) {
  if (*held) interop_graph_drop(*held);
  interop_node_hold(node);
  *held = node;
}

static void order(interop_work_t *work, interop_node_t *node) {
  quern_queue_t queue = node->queue;
  if (interop_queue_is_in_order(queue)) {
    if (queue->last) interop_graph_connect(work, queue->last, node, false);
    replace(&queue->last, node);
  } else if (node->is_exclusive) {
    LIST_FOR_EACH(link, &queue->members) {
      interop_graph_connect(work, LIST_ENTRY(link, interop_node_t, member), node, false);
    }
    replace(&queue->barrier, node);
  } else if (queue->barrier) {
    interop_graph_connect(work, queue->barrier, node, false);
  }
}

void interop_graph_enter(interop_work_t *work, interop_node_t *node) {
  interop_graph_begin(node);
  /* Edges that were asked for explicitly are there since the making, and have not been looked at. */
  size_t asked = node->edges.count;
  node->edges.count = 0;
  for (size_t i = 0; i < asked; i++) {
    interop_node_t *from = node->edges.items[i].from;
    interop_graph_connect(work, from, node, true);
    interop_graph_drop(from);
  }
  interop_placement_plan(work, node);
  order(work, node);
  interop_graph_end(work, node);
}

void interop_graph_watch(interop_work_t *work, interop_node_t *node) {
  if (node->is_watched) return;
  node->is_watched = true;
  node->queue->watched++;
  interop_node_hold(node);
  list_append(&work->watch, &node->watch);
}

void interop_graph_dispatched(interop_work_t *work, interop_node_t *node) {
  size_t kept = 0;
  node->state = interop_state_dispatched;
  for (size_t i = 0; i < node->waiters.count; i++) {
    interop_node_t *waiter = node->waiters.items[i];
    if (waits_natively(node, waiter)) {
      resolve(work, waiter);
    } else {
      node->waiters.items[kept++] = waiter;
    }
  }
  node->waiters.count = kept;
  /* One is always watched, so that none stays unnoticed and what was not flushed is. */
  if (kept || node->hides_native || !node->queue->watched) interop_graph_watch(work, node);
  interop_graph_wake();
}

/* Of two edges between the same nodes, one is enough. */
static bool is_strict_edge(const interop_node_t *from, const interop_node_t *to) {
  for (size_t i = 0; i < to->edges.count; i++) {
    if (to->edges.items[i].from == from && to->edges.items[i].is_strict) return true;
  }
  return false;
}

void interop_graph_keep_watching(interop_work_t *work, quern_queue_t queue) {
  for (list_t *link = queue->members.previous; !queue->watched && link != &queue->members; link = link->previous) {
    interop_node_t *node = LIST_ENTRY(link, interop_node_t, member);
    if (node->state == interop_state_dispatched) interop_graph_watch(work, node);
  }
}

/* Nodes hold their queue: it does not hold them longer than somebody could have to wait for them. */
static void forget(interop_node_t **held, interop_node_t *node) {
  if (*held != node) return;
  *held = NULL;
  interop_graph_drop(node);
}

void interop_graph_finalize(interop_work_t *work, interop_node_t *node) {
  node->state = interop_state_complete;
  node->had_stand_in = node->stand_in != NULL;
  for (size_t i = 0; i < node->waiters.count; i++) {
    interop_node_t *waiter = node->waiters.items[i];
    if (node->result != quern_success && is_strict_edge(node, waiter)) interop_graph_inherit(waiter, node);
    resolve(work, waiter);
  }
  node->waiters.count = 0;
  if (node->has_unknown) interop_placement_leave(node);
  list_remove(&node->member);
  forget(&node->queue->last, node);
  forget(&node->queue->barrier, node);
  if (node->is_active) node->queue->active--;
  node->is_active = false;
  /* Not when the device tells: there are drivers that never do of what failed. */
  if (node->is_watched) {
    node->queue->watched--;
    interop_graph_keep_watching(work, node->queue);
  }
  list_append(&work->finished, &node->ready);
  /* Before whoever waits for it can end the process. */
  interop_trace_node(node);
  interop_graph_wake();
}
