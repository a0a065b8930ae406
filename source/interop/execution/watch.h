/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The thread that learns from devices what is complete, and goes on with what waits for it on the host. */
#ifndef INTEROP_EXECUTION_WATCH_H
#define INTEROP_EXECUTION_WATCH_H

#include "interop/object/node.h"

/** For a node on watch: its native event is complete, or somebody must wait for it. Takes over the watch's reference.
 * Called by backends from the device's threads: takes one lock that is held for a few instructions, and wakes up the
 * thread, which does the rest. */
void interop_watch_notify(interop_node_t *node);

#endif
