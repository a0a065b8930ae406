/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The system's memory policies: one call, which needs no library. */
#include <linux/mempolicy.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "host/runtime/memory/placement.h"

/* The system wants one more than the number of bits. */
bool host_policy_set(void *data, uint64_t size, host_policy_e policy, const host_nodes_t *nodes) {
  const int mode = policy == host_policy_interleaved ? MPOL_INTERLEAVE : MPOL_PREFERRED;
  return !syscall(SYS_mbind, data, size, mode, nodes->bits, (unsigned long)HOST_NODE_LIMIT + 1, 0);
}
