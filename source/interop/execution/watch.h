/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The thread that learns from devices what is complete, and goes on with what waits for it on the host. */
#ifndef INTEROP_EXECUTION_WATCH_H
#define INTEROP_EXECUTION_WATCH_H

#include "interop/object/node.h"

/** Before a device is asked to tell: has the thread started, or known that there can be none. */
void interop_watch_prepare(void);

/** For a node on watch: its native event is complete, or somebody must wait for it. Takes over the watch's reference.
 * Called by backends from the device's threads: takes one lock that is held for a few instructions, and wakes up the
 * thread, which does the rest. Where the system gives no thread, whoever waits does it, and the graph's lock is taken
 * to wake those. */
void interop_watch_notify(interop_node_t *node);

/** Whether there is something to do that lacks the thread. Under the graph's lock or without. */
bool interop_watch_has_work(void);
/** Does it, on the calling thread. Without the lock. */
void interop_watch_help(void);

#endif
