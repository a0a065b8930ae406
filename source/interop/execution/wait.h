/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Learning what is complete: asking devices, and waiting for them. */
#ifndef INTEROP_EXECUTION_WAIT_H
#define INTEROP_EXECUTION_WAIT_H

#include <time.h>

#include "interop/graph/graph.h"

/** Completes a dispatched node if its native event is complete; false when that is still running. Sleeps while the
 * failure of one that it waited for is being told. */
bool interop_graph_settle(interop_node_t *node);
/** The same for a node whose end the device has told of, or could not promise to: waits for the device then. */
void interop_graph_settle_watched(interop_node_t *node);
/** The same, but never sleeps, so that handlers may ask, and sends the node to the device if that was not done. What
 * lacks its thread is done before, outside of functions that the library runs. */
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

#endif
