/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * On which memory nodes the pages of a block lie. By itself the system puts a page where the thread runs that touches
 * it first, and threads have the same shares of each launch: right unless an option or a sub-device says more. */
#ifndef HOST_RUNTIME_MEMORY_PLACEMENT_H
#define HOST_RUNTIME_MEMORY_PLACEMENT_H

#include <stdbool.h>
#include <stdint.h>

struct host_device_t;

/** Memory nodes have numbers below this: Linux cannot be built for more. */
#define HOST_NODE_LIMIT 1024u

typedef struct host_nodes_t {
  uint64_t bits[HOST_NODE_LIMIT / 64];
} host_nodes_t;

typedef enum host_policy_e {
  /** Where it is touched first. */
  host_policy_touch,
  /** On the node that is set, as long as there is room, whoever touches it. */
  host_policy_preferred,
  /** Pages in turn on all that are set. */
  host_policy_interleaved
} host_policy_e;

typedef struct host_placement_t {
  host_policy_e policy;
  host_nodes_t nodes;
} host_placement_t;

/** For memory of `device`: that of a sub-device on one node lies there, what others have is interleaved over their
 * nodes with QUERN_INTERLEAVE. Reads the topology when there is an option or a sub-device. Thread safe. */
void host_placement_of(const struct host_device_t *device, host_placement_t *out_placement);

/** Tells the system, for whole pages that nobody has touched; what it refuses is logged, and no error. */
void host_placement_apply(const host_placement_t *placement, void *data, uint64_t size);

/** The system call; false when it is refused (errno). Tests put another in its place (--wrap). */
bool host_policy_set(void *data, uint64_t size, host_policy_e policy, const host_nodes_t *nodes);

#endif
