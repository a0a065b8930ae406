/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Getting on with nodes: what the graph found to be done, and telling their ends. */
#ifndef INTEROP_EXECUTION_PROGRESS_H
#define INTEROP_EXECUTION_PROGRESS_H

#include "interop/graph/graph.h"

/** Does it all, and what follows from it. Without the lock. */
void interop_work_do(interop_work_t *work);

/** Submits a finished group: orders it in its queue, plans its memory, starts what can start. The caller's reference
 * becomes the graph's. */
void interop_graph_submit(interop_node_t *node);

/** A node that a thread of the library runs, or the host's access, has ended; on failure the message is the
 * thread's. */
void interop_graph_complete(interop_node_t *node, quern_result_t result);
/** Has the node, which the device gave up, enqueued again when those that it waits for are complete. Without the lock;
 * the node is the caller's. */
void interop_graph_repeat(interop_node_t *node);
/** Tells a failure, or has the node tried again; then completes it. `message` is copied. Without the lock; the node is
 * the caller's: nobody else may complete it. */
void interop_graph_fail(interop_node_t *node, quern_result_t result, const char *message);

#endif
