/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The dependency graph of a context's batches: linking, dispatch in order, completion, waiting. */
#ifndef CL_QUEUEING_GRAPH_H
#define CL_QUEUEING_GRAPH_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/list.h"
#include "cl/object/object.h"

struct batch_t;

/** Part of a context. */
typedef struct graph_t {
  pthread_mutex_t mutex;
  /** Broadcast when a batch is dispatched or completes, or a user event is set, while `waiters` is not zero. */
  pthread_cond_t changed;
  uint32_t waiters;
  /** What is not complete fails, with CL_CONTEXT_TERMINATED_KHR; set once. */
  atomic_bool is_terminated;
} graph_t;

void graph_init(graph_t *graph);
void graph_destroy(graph_t *graph);

/* The functions of this group want the graph locked. `ready` collects batches for graph_dispatch. */

void graph_lock(graph_t *graph);
void graph_unlock(graph_t *graph);
/** Sleeps until the graph changes. */
void graph_sleep(graph_t *graph);
/** Wakes whoever sleeps. */
void graph_wake(graph_t *graph);
/** `from` shall start after `on`; nothing when `on` is complete, or linked already in the same critical section, or
 * when it has failed and `from` waits for no event of it.
 * Room for the edge was reserved. `by_event` edges are linked before those that only order. */
void graph_link(struct batch_t *from, struct batch_t *on, bool by_event);
/** `from` shall start after the user event whose list of waiters is given. Room was reserved. */
void graph_link_user(struct batch_t *from, list_t *waiters);
/** The user event with these waiters is set: CL_COMPLETE or negative. */
void graph_resolve_user(list_t *waiters, cl_int status, list_t *ready);
/** Terminates `batch`, unless dispatched, and what waits for its events, with a negative status. */
void graph_doom(struct batch_t *batch, cl_int status, list_t *ready);
/** The dispatched batch has failed on the device, with a negative status: so will what is dispatched and waits for it;
 * what is not dispatched and waits for its events is terminated, when this one is complete. */
void graph_fail(struct batch_t *batch, cl_int status, list_t *ready);
/** The open batch is flushed: it may be dispatched as soon as nothing blocks it. */
void graph_seal(struct batch_t *batch, list_t *ready);
/** The device has the batch, or is through with it: what waited for that may be dispatched. */
void graph_unblock(struct batch_t *batch, list_t *ready);

/* The functions of this group want no lock held. */

/** As graph_dispatch, for a thread that then waits for `awaited`, one of them, at once; null for none. */
void graph_dispatch_awaited(graph_t *graph, list_t *ready, struct batch_t *awaited);

/** Dispatches the ready batches, and those that become ready by it. */
void graph_dispatch(graph_t *graph, list_t *ready);
/** Waits until `batch`, which the caller holds and has flushed, is complete. The calling thread helps to execute. */
void graph_wait(graph_t *graph, struct batch_t *batch);

#endif
