/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Placement: what a node must wait for because of its memory, and the transfers that bring it the newest contents. */
#ifndef INTEROP_GRAPH_PLACEMENT_H
#define INTEROP_GRAPH_PLACEMENT_H

#include "interop/graph/graph.h"

/** Connects a node that is being submitted with those that used its memory before, adds the transfers that it needs,
 * and makes it the last user. What goes wrong poisons the node. Under the graph's lock. */
void interop_placement_plan(interop_work_t *work, interop_node_t *node);

/** The node is complete: memory that the library does not know forgets it. Others keep it until they are used again or
 * are gone themselves. Under the graph's lock. */
void interop_placement_leave(interop_node_t *node);

/** The host has seen the range: failures up to now concern nobody any more. Under the graph's lock. */
void interop_placement_forgive(quern_memory_t memory, size_t begin, size_t end);

#endif
