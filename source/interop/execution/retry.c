/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Trying a group again. A failed one on its fallback queue: it keeps its place in the graph, what it needs is brought
 * to the other queue's context, and what it wrote back to its own, as if it had run there. One that the device gave up
 * because of a failure that is none of its own: where it was. */
#include "base/clock.h"
#include "interop/execution/move.h"
#include "interop/execution/progress.h"
#include "interop/execution/wait.h"
#include "interop/execution/worker.h"
#include "interop/object/runtime.h"

/* It may have failed to be enqueued behind others that still run. */
static quern_result_t wait_for_edges(interop_node_t *node) {
  quern_result_t result = quern_success;
  for (size_t i = 0; i < node->edges.count; i++) {
    const interop_edge_t *edge = &node->edges.items[i];
    interop_graph_wait(edge->from);
    if (edge->is_strict && edge->from->result != quern_success) {
      result = interop_fail(edge->from->result, "a command group that this one depends on failed");
    }
  }
  node->waits.count = 0;
  return result;
}

/* Somebody may still be waiting for the events that failed, so they stay as long as the node. */
static void forget_failure(interop_node_t *node) {
  interop_graph_lock();
  if (node->native) node->failed_native = node->native;
  node->native = NULL;
  if (node->companion) node->failed_companion = node->companion;
  node->companion = NULL;
  interop_graph_unlock();
}

static quern_result_t move_contents(interop_node_t *node, quern_queue_t from, quern_queue_t to, bool back) {
  quern_result_t result = quern_success;
  for (size_t i = 0; i < node->requirements.count && result == quern_success; i++) {
    interop_requirement_t *requirement = &node->requirements.items[i];
    quern_access_t access = requirement->accessor.access;
    bool is_moved = interop_memory_moves(requirement->accessor.memory) &&
                    !interop_node_uses_on_host(node, requirement) &&
                    (back ? interop_access_writes(access) : interop_access_reads(access));
    if (is_moved) result = interop_move(&requirement->accessor, from, to);
  }
  return result;
}

static quern_result_t use_copies_of(interop_node_t *node, quern_context_t context) {
  for (size_t i = 0; i < node->requirements.count; i++) {
    interop_requirement_t *requirement = &node->requirements.items[i];
    bool has_copy = !interop_node_uses_on_host(node, requirement) && !requirement->accessor.memory->is_addressed;
    if (!has_copy) continue;
    requirement->copy = NULL;
    if (interop_context_is_host(context)) continue;
    requirement->copy = interop_memory_copy(requirement->accessor.memory, context);
    if (requirement->part) requirement->part_copy = interop_memory_copy(requirement->part, context);
    if (!requirement->copy || (requirement->part && !requirement->part_copy)) return interop_fail_memory();
  }
  return quern_success;
}

static bool runs_on_host(const interop_node_t *node, const struct quern_context_s *context) {
  return interop_context_is_host(context) || node->action == interop_action_host_task ||
         node->action == interop_action_interop_task;
}

static quern_result_t run_native(interop_node_t *node, quern_queue_t queue) {
  const interop_runtime_t *runtime = interop_runtime_of(queue->context);
  interop_backend_state_t *state = queue->context->state;
  quern_result_t result = runtime->dispatch(node, queue);
  void *native = node->native;
  if (result != quern_success || !native) return result;
  runtime->wait(state, native);
  return runtime->poll(state, native) == interop_outcome_success ? quern_success : quern_error_backend_failure;
}

/* The event is one of the other context. */
static void forget_event(interop_node_t *node, const struct quern_context_s *context) {
  void *native = node->native;
  node->native = NULL;
  if (native) interop_runtime_of(context)->release(context->state, quern_object_event, native);
}

static quern_result_t run(interop_node_t *node, quern_queue_t queue) {
  quern_result_t result = use_copies_of(node, queue->context);
  if (result == quern_success) result = move_contents(node, node->queue, queue, false);
  if (result != quern_success) return result;
  node->started_ns = clock_now_ns();
  bool on_host = runs_on_host(node, queue->context);
  result = on_host ? interop_host_run(node, queue) : run_native(node, queue);
  if (!on_host) forget_event(node, queue->context);
  node->ended_ns = clock_now_ns();
  return result == quern_success ? move_contents(node, queue, node->queue, true) : result;
}

void interop_retry_run(interop_node_t *node) {
  quern_queue_t queue = node->fallback;
  quern_result_t result = wait_for_edges(node);
  if (result == quern_success) {
    forget_failure(node);
    interop_graph_reserve(node, queue);
    result = interop_queue_open(queue);
    if (result == quern_success) result = run(node, queue);
    interop_graph_unreserve(queue);
  }
  interop_graph_complete(node, result);
}

void interop_retry_repeat(interop_node_t *node) {
  quern_result_t result = wait_for_edges(node);
  if (result == quern_success) {
    forget_failure(node);
    result = run_native(node, node->queue);
  }
  interop_graph_complete(node, result);
}
