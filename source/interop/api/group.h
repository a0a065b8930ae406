/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Groups while they are made. */
#ifndef INTEROP_API_GROUP_H
#define INTEROP_API_GROUP_H

#include "interop/object/node.h"

/** The node behind a group's handle. */
static inline interop_node_t *interop_group_node(quern_group_t group) { return (interop_node_t *)(void *)group; }

QUERN_MUST_CHECK quern_result_t interop_group_check(quern_group_t group);

/** The group's node, if it may get an action. */
QUERN_MUST_CHECK quern_result_t interop_group_check_action(quern_group_t group, interop_node_t **out_node);
/** Checks a pattern for a range of bytes, and keeps it as the node's argument. */
QUERN_MUST_CHECK quern_result_t interop_group_keep_pattern(interop_node_t *node, const void *pattern,
                                                           size_t pattern_size, uintptr_t begin, size_t size);

/** Index of the requirement that is this accessor; SIZE_MAX when there is none. */
size_t interop_node_find_requirement(const interop_node_t *node, const quern_accessor_t *accessor);

#endif
