/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The task graph of the process: who waits for whom, and what happens when somebody completes. */
#ifndef INTEROP_GRAPH_GRAPH_H
#define INTEROP_GRAPH_GRAPH_H

#include "interop/object/lock.h"

/** What was found to be done while the lock was held, and is done after: code of backends and applications. */
typedef struct interop_work_t {
  list_t ready, watch, finished;
} interop_work_t;

void interop_work_init(interop_work_t *work);

/** Makes `to`, which is being submitted, wait for `from`. Under the lock. */
void interop_graph_connect(interop_work_t *work, interop_node_t *from, interop_node_t *to, bool is_strict);

/** Ends the making of a node: it blocks until its edges are resolved. The caller's reference becomes the graph's, until
 * the node is complete. Under the lock: first begin, then edges, then end. */
void interop_graph_begin(interop_node_t *node);
void interop_graph_end(interop_work_t *work, interop_node_t *node);

/** The node has failed before it could run: it completes so when nothing blocks it. The message is the thread's. Under
 * the lock. */
void interop_graph_poison(interop_node_t *node, quern_result_t result);

/** Nothing blocks the node any more. Under the lock. */
void interop_graph_ready(interop_work_t *work, interop_node_t *node);
/** It is to be started, or parked when its queue is reserved. Under the lock. */
void interop_graph_activate(interop_work_t *work, interop_node_t *node);
/** Makes a node that is being started, and that the device will not get as it is, wait for all that it would have
 * waited for natively; then it is started again. False: all of that is complete. Under the lock. */
QUERN_MUST_CHECK bool interop_graph_block(interop_work_t *work, interop_node_t *node);
/** The device has the node: others can wait for it natively. Under the lock. */
void interop_graph_dispatched(interop_work_t *work, interop_node_t *node);
/** Ends the node with the outcome in it. Under the lock. */
void interop_graph_finalize(interop_work_t *work, interop_node_t *node);
/** Asks for the completion of a dispatched node to be told. Under the lock. */
void interop_graph_watch(interop_work_t *work, interop_node_t *node);
/** Asks for that of the queue's last dispatched member, if none is watched. Under the lock. */
void interop_graph_keep_watching(interop_work_t *work, quern_queue_t queue);
/** Makes the failure of `from` that of `node`. Under the lock. */
void interop_graph_inherit(interop_node_t *node, const interop_node_t *from);

/** Puts a finished group into the graph: orders it in its queue, plans its memory, and tells what can start. The
 * caller's reference becomes the graph's. Under the lock. */
void interop_graph_enter(interop_work_t *work, interop_node_t *node);

#endif
