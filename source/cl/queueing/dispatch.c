/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Batches on their way through the device: dispatch, completion, waiting. */
#include "base/log.h"
#include "cl/object/mux_error.h"
#include "cl/queueing/batch.h"
#include "cl/queueing/graph.h"
#include "cl/queueing/obligation.h"
#include "cl/queueing/queue.h"

/* Semaphores of what the batch waits for and is not complete yet. Those batches are dispatched: none blocks. One that
 * has failed executes nothing any more, and its semaphore would make this batch fail too. */
static uint32_t collect_semaphores(batch_t *batch) {
  uint32_t count = 0;
  for (size_t i = 0; i < batch->edge_count; i++) {
    edge_t *edge = &batch->edges[i];
    const batch_t *on = edge->on;
    edge->signals = on && on->state != batch_complete && on->status == CL_COMPLETE;
    if (edge->signals) batch->semaphores[count++] = on->semaphore;
  }
  return count;
}

static cl_int note_status(const note_t *note, cl_int status, mux_command_id_t completed) {
  if (note->status < 0) return note->status;
  return note->end <= completed ? CL_COMPLETE : status;
}

/* The end of a batch under way. Its notes call the application: while that waits, the rest is done inside it. */
typedef struct completion_t {
  obligation_t obligation;
  batch_t *batch;
  cl_int status;
  /** The first `completed` commands have run to their end, whatever `status` says. */
  mux_command_id_t completed;
  size_t next_note;
  /** Mux has the batch, and calls back. */
  bool is_dispatched;
  /** The graph knows. */
  bool is_told;
} completion_t;

static void run_notes(completion_t *completion) {
  const batch_t *batch = completion->batch;
  while (completion->next_note < batch->note_count) {
    const note_t note = batch->notes[completion->next_note++];
    note.function(note.data, note_status(&note, completion->status, completion->completed));
  }
}

static void release_edges(batch_t *batch) {
  for (size_t i = 0; i < batch->edge_count; i++) {
    list_remove(&batch->edges[i].link);
    if (batch->edges[i].on) batch_unref(batch->edges[i].on);
  }
  batch->edge_count = 0;
}

static void doom_dependents(batch_t *batch, cl_int status, list_t *ready) {
  LIST_FOR_EACH(node, &batch->dependents) {
    edge_t *edge = LIST_ENTRY(node, edge_t, link);
    if (edge->by_event) graph_doom(edge->from, status, ready);
  }
}

/* Events have their status before, so that who finds an event without one, under the graph's mutex, may follow it to
 * its batch. */
static void tell_graph(completion_t *completion) {
  batch_t *batch = completion->batch;
  const cl_int status = completion->status;
  graph_t *graph = &queue_context(batch->queue)->graph;
  list_t ready;
  list_init(&ready);
  completion->is_told = true;
  graph_lock(graph);
  atomic_fetch_sub_explicit(&batch->mux_queue->in_flight, 1, memory_order_relaxed);
  batch->state = batch_complete;
  batch->status = status;
  if (status < 0) doom_dependents(batch, status, &ready);
  graph_unblock(batch, &ready);
  release_edges(batch);
  list_remove(&batch->link);
  graph_wake(graph);
  graph_unlock(graph);

  if (log_enabled(log_queue)) log_write(log_queue, "batch %p: complete, status %d", (void *)batch, status);
  graph_dispatch(graph, &ready);
}

/* What the application waits for may wait for the batch: on the device too, which would signal it after the callback.
 */
static void complete_early(obligation_t *obligation) {
  completion_t *completion = (completion_t *)obligation;
  const batch_t *batch = completion->batch;
  run_notes(completion);
  if (completion->is_told) return;
  tell_graph(completion);
  if (completion->is_dispatched) (void)!muxSignalDispatch(batch->mux_queue->queue, batch->fence);
}

/* The end of every batch, whether it ran or not. */
static void complete(batch_t *batch, cl_int status, mux_command_id_t completed, bool is_dispatched) {
  cl_command_queue queue = batch->queue;
  completion_t completion = {.batch = batch, .status = status, .completed = completed, .is_dispatched = is_dispatched};
  obligation_begin(&completion.obligation, complete_early);
  run_notes(&completion);
  obligation_end(&completion.obligation);
  batch->note_count = 0;
  if (!completion.is_told) tell_graph(&completion);
  batch_unref(batch);
  object_drop((object_t *)queue);
}

/* Before anybody is told: what is enqueued by who knows of the failure must not fall to it. */
static cl_int announce_failure(batch_t *batch, mux_result_t error) {
  graph_t *graph = &queue_context(batch->queue)->graph;
  cl_int status = error_from_mux(error, CL_OUT_OF_RESOURCES);
  if (atomic_load(&graph->is_terminated)) status = CL_CONTEXT_TERMINATED_KHR;
  list_t ready;
  list_init(&ready);
  graph_lock(graph);
  graph_fail(batch, status, &ready);
  graph_unlock(graph);
  graph_dispatch(graph, &ready);
  return status;
}

static void on_completion(mux_command_buffer_t commands, mux_result_t error, void *user_data) {
  batch_t *batch = user_data;
  mux_command_id_t completed = commands->completed_count;
  atomic_store_explicit(&batch->entered, true, memory_order_relaxed);
  cl_int status = error ? announce_failure(batch, error) : CL_COMPLETE;
  if (batch->doom < 0)
    complete(batch, batch->doom, 0, true);
  else
    complete(batch, status, completed, true);
}

static mux_result_t launch(batch_t *batch, uint32_t semaphore_count, bool is_awaited) {
  /* A terminated batch goes through the device too, empty, so that what comes after it stays in order. */
  if (batch->doom < 0) {
    mux_result_t error = muxResetCommandBuffer(batch->commands);
    if (!error) error = muxFinalizeCommandBuffer(batch->commands);
    if (error) return error;
  }
  if (is_awaited) (void)!muxAnnounceWait(batch->mux_queue->queue);
  mux_command_buffer_t commands = batch->user && batch->doom == CL_COMPLETE ? batch->user->commands : batch->commands;
  return muxDispatch(batch->mux_queue->queue, commands, batch->fence, semaphore_count ? batch->semaphores : NULL,
                     semaphore_count, &batch->semaphore, 1, on_completion, batch);
}

/* Mux did not take the batch: its commands fail. */
static void launch_failed(batch_t *batch, mux_result_t error) {
  log_write(log_error, "a batch of commands cannot be dispatched: %s", muxResultName(error));
  complete(batch, batch->doom < 0 ? batch->doom : error_from_mux(error, CL_OUT_OF_RESOURCES), 0, false);
}

/* Mux did not take the batch, for want of memory, while what it has to wait for is under way. Failing now it would let
 * what comes after it overtake that; so it waits here instead, and is dispatched once that is complete. False when
 * there is nothing to wait for. Graph locked. */
static bool launch_postpone(batch_t *batch) {
  uint32_t blockers = 0;
  for (size_t i = 0; i < batch->edge_count; i++) {
    edge_t *edge = &batch->edges[i];
    edge->blocks = edge->signals && edge->on->state != batch_complete;
    blockers += edge->blocks;
  }
  if (!blockers) return false;
  atomic_fetch_sub_explicit(&batch->mux_queue->in_flight, 1, memory_order_relaxed);
  batch->blockers = blockers;
  batch->state = batch_sealed;
  /* What it waits for has failed meanwhile. */
  if (batch->status < 0) batch->doom = batch->status;
  batch->status = CL_COMPLETE;
  return true;
}

/* Graph locked before and after. */
static void launch_settle(graph_t *graph, batch_t *batch, mux_result_t error, list_t *ready) {
  if (error && launch_postpone(batch)) return;
  if (error) {
    graph_unlock(graph);
    launch_failed(batch, error);
    graph_lock(graph);
  }
  batch->launched = !error;
  /* It may be complete already. */
  if (batch->state == batch_launching) batch->state = batch_dispatched;
  /* One that has failed lets its dependants go when it is complete. */
  if (batch->status == CL_COMPLETE) graph_unblock(batch, ready);
}

static batch_t *take_ready(list_t *ready) {
  list_t *node = list_first(ready);
  if (!node) return NULL;
  list_remove(node);
  return LIST_ENTRY(node, batch_t, ready_link);
}

/* Batches that wait for their turn while one is launched, whose failure may call the application. */
typedef struct turn_t {
  obligation_t obligation;
  graph_t *graph;
  list_t *ready;
} turn_t;

static void dispatch_early(obligation_t *obligation) {
  const turn_t *turn = (const turn_t *)obligation;
  graph_dispatch(turn->graph, turn->ready);
}

void graph_dispatch(graph_t *graph, list_t *ready) { graph_dispatch_awaited(graph, ready, NULL); }

void graph_dispatch_awaited(graph_t *graph, list_t *ready, batch_t *awaited) {
  if (list_is_empty(ready)) return;
  turn_t turn = {.graph = graph, .ready = ready};
  obligation_begin(&turn.obligation, dispatch_early);
  graph_lock(graph);
  for (batch_t *batch; (batch = take_ready(ready));) {
    /* What it waits for has failed meanwhile, and is not complete. */
    if (batch->blockers) continue;
    uint32_t semaphore_count = collect_semaphores(batch);
    batch->state = batch_launching;
    batch->launcher = pthread_self();
    batch_ref(batch);
    graph_unlock(graph);

    /* No lock here: a target may execute at once, and call completion and the application's callbacks. */
    atomic_fetch_add_explicit(&batch->mux_queue->in_flight, 1, memory_order_relaxed);
    if (log_enabled(log_queue)) {
      log_write(log_queue, "batch %p: dispatched, %u wait semaphores", (void *)batch, semaphore_count);
    }
    mux_result_t error = launch(batch, semaphore_count, batch == awaited);

    graph_lock(graph);
    /* Who terminated the context did not find it there yet. */
    if (!error && atomic_load(&graph->is_terminated)) (void)!muxCancelDispatch(batch->mux_queue->queue, batch->fence);
    launch_settle(graph, batch, error, ready);
    graph_wake(graph);
    batch_unref(batch);
  }
  graph_unlock(graph);
  obligation_end(&turn.obligation);
}

void graph_wait(graph_t *graph, batch_t *batch) {
  obligations_fulfil();
  graph_lock(graph);
  while (batch->state != batch_complete) {
    if (!batch->launched) {
      graph_sleep(graph);
      continue;
    }
    graph_unlock(graph);
    /* The result does not matter: completion has set the status before the fence is signalled. */
    (void)!muxWait(batch->mux_queue->queue, batch->fence);
    graph_lock(graph);
  }
  graph_unlock(graph);
}
