/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The work-groups of a run, one after the other; called by generated code. */
#include "host/abi.h"
#include "host/runtime/faults/guard.h"

/* By group_dimension: dimensions from the fastest on. Consecutive work-groups shall use consecutive memory, as their
 * lanes do. */
static const unsigned char orders[3][3] = {{0, 1, 2}, {1, 0, 2}, {2, 1, 0}};

/* The last work-group of a dimension has what is left. */
static uint64_t actual_size(const host_ndrange_t *ndrange, unsigned dimension, uint64_t id) {
  uint64_t local = ndrange->local_size[dimension];
  uint64_t left = ndrange->global_size[dimension] - id * local;
  return left < local ? left : local;
}

void host_group_first(const host_ndrange_t *ndrange, uint64_t first, uint64_t count, host_group_t *group) {
  uint64_t rest = first;
  for (unsigned i = 0; i < 3; i++) {
    const unsigned d = orders[ndrange->group_dimension][i];
    group->id[d] = rest % ndrange->num_groups[d];
    rest /= ndrange->num_groups[d];
    group->size[d] = actual_size(ndrange, d, group->id[d]);
  }
  group->left = count;
  /* A fault is in the work-group that is in there. */
  if (host_guard_current) host_guard_current->group = group;
}

uint32_t host_group_next(const host_ndrange_t *ndrange, host_group_t *group) {
  if (--group->left == 0) return 0;
  for (unsigned i = 0; i < 3; i++) {
    const unsigned d = orders[ndrange->group_dimension][i];
    if (++group->id[d] == ndrange->num_groups[d]) group->id[d] = 0;
    group->size[d] = actual_size(ndrange, d, group->id[d]);
    if (group->id[d] != 0) break;
  }
  return 1;
}
