/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Groups while they are made. */
#ifndef INTEROP_GROUP_H
#define INTEROP_GROUP_H

#include "interop/node.h"

/** The node behind a group's handle. */
static inline interop_node_t *interop_group_node(quern_group_t group) { return (interop_node_t *)(void *)group; }

QUERN_MUST_CHECK quern_result_t interop_group_check(quern_group_t group);

/** Index of the requirement that is this accessor; SIZE_MAX when there is none. */
size_t interop_node_find_requirement(const interop_node_t *node, const quern_accessor_t *accessor);

#endif
