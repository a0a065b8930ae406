/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The lock over nodes, queues and memory objects: one per process. */
#ifndef INTEROP_OBJECT_LOCK_H
#define INTEROP_OBJECT_LOCK_H

#include <time.h>

#include "interop/object/node.h"

/** One per process, since a memory object may be used from all contexts of all backends. */
void interop_graph_lock(void);
void interop_graph_unlock(void);
/** Drops a node under the lock; should it be the last reference, the node goes when the lock does. */
void interop_graph_drop(interop_node_t *node);

/** Sleeps until something changes that somebody could wait for. Under the lock. */
void interop_graph_sleep(void);
/** The same, but not beyond the deadline: false when that has passed. */
QUERN_MUST_CHECK bool interop_graph_sleep_until(struct timespec deadline);
void interop_graph_wake(void);

#endif
