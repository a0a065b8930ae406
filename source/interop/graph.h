/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The task graph of the process: who waits for whom, and what happens when somebody completes. */
#ifndef INTEROP_GRAPH_H
#define INTEROP_GRAPH_H

#include <time.h>

#include "interop/node.h"

/** One per process, since a memory object may be used from all contexts of all backends. */
void interop_graph_lock(void);
void interop_graph_unlock(void);
/** Drops a node under the lock; should it be the last reference, the node goes when the lock does. */
void interop_graph_drop(interop_node_t *node);

/** What was found to be done while the lock was held, and is done after: code of backends and applications. */
typedef struct interop_work_t {
  list_t ready, watch, finished;
} interop_work_t;

void interop_work_init(interop_work_t *work);
/** Does it all, and what follows from it. Without the lock. */
void interop_work_do(interop_work_t *work);

/** Makes `to`, which is being submitted, wait for `from`. Under the lock. */
void interop_graph_connect(interop_work_t *work, interop_node_t *from, interop_node_t *to, bool is_strict);

/** Ends the making of a node: it blocks until its edges are resolved. The caller's reference becomes the graph's, until
 * the node is complete. Under the lock: first begin, then edges, then end. */
void interop_graph_begin(interop_node_t *node);
void interop_graph_end(interop_work_t *work, interop_node_t *node);

/** The node has failed before it could run: it completes so when nothing blocks it. The message is the thread's. Under
 * the lock. */
void interop_graph_poison(interop_node_t *node, quern_result_t result);

/** Submits a finished group: orders it in its queue, plans its memory, starts what can start. The caller's reference
 * becomes the graph's. */
void interop_graph_submit(interop_node_t *node);

/** A node that a thread of the library runs, or the host's access, has ended; on failure the message is the
 * thread's. */
void interop_graph_complete(interop_node_t *node, quern_result_t result);

/* ------------------------------------------------------------ waiting (wait.c) */

/** Completes a dispatched node if its native event is complete; false when that is still running. Sleeps while the
 * failure of one that it waited for is being told. */
bool interop_graph_settle(interop_node_t *node);
/** The same, but never sleeps, so that handlers may ask, and sends the node to the device if that was not done. */
void interop_graph_look(interop_node_t *node);
/** Completes some of what is complete in the queue, as far as that calls no code of the application. */
void interop_graph_tidy(quern_queue_t queue);
/** Completes what is complete in the queue, unless somebody waits for all of it, and has the device tell when more is.
 */
void interop_graph_sweep(quern_queue_t queue);
/** Waits until the node is complete. */
void interop_graph_wait(interop_node_t *node);
/** So many nanoseconds from now, on the monotonic clock; far away for what is too many. */
struct timespec interop_graph_deadline(uint64_t nanoseconds);
/** Waits for that long: false when the node, or some present member of the queue, is not complete then. */
QUERN_MUST_CHECK bool interop_graph_wait_until(interop_node_t *node, struct timespec deadline);
QUERN_MUST_CHECK bool interop_graph_wait_queue_until(quern_queue_t queue, struct timespec deadline);
/** Waits until a host access has begun, or completed instead: it failed. */
void interop_graph_wait_running(interop_node_t *node);
/** Waits until the queue's present members are complete. */
void interop_graph_wait_queue(quern_queue_t queue);

/** Takes the queue for a retry of `node`, which no longer counts in its own: waits until nothing is active there. */
void interop_graph_reserve(interop_node_t *node, quern_queue_t queue);
void interop_graph_unreserve(quern_queue_t queue);

/* ------------------------------------------------------------ between the graph's own files */

/** Sleeps until something changes that somebody could wait for. Under the lock. */
void interop_graph_sleep(void);
/** The same, but not beyond the deadline: false when that has passed. */
QUERN_MUST_CHECK bool interop_graph_sleep_until(struct timespec deadline);
void interop_graph_wake(void);
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
/** Has the node, which the device gave up, enqueued again when those that it waits for are complete. Without the lock;
 * the node is the caller's. */
void interop_graph_repeat(interop_node_t *node);
/** Tells a failure, or has the node tried again; then completes it. `message` is copied. Without the lock; the node is
 * the caller's: nobody else may complete it. */
void interop_graph_fail(interop_node_t *node, quern_result_t result, const char *message);

#endif
