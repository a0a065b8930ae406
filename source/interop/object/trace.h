/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The task graph and the timeline as files, when the configuration asks for them. */
#ifndef INTEROP_OBJECT_TRACE_H
#define INTEROP_OBJECT_TRACE_H

#include "interop/object/node.h"

/** Opens the files, either of which may be null; both are closed when the process ends. quern_error_not_found: one
 * cannot be written; then none is open. Closes those that were open. Called under the registry's lock, before there
 * are nodes. */
QUERN_MUST_CHECK quern_result_t interop_trace_open(const char *graph_file, const char *timeline_file);

/** Whether there is a file. Thread safe, cheap. */
bool interop_trace_is_on(void);

/** Writes a complete node, which still has its edges. Under the graph's lock. */
void interop_trace_node(const interop_node_t *node);

#endif
