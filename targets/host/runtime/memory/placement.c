/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Choosing memory nodes. */
#include "host/runtime/memory/placement.h"

#include <errno.h>
#include <string.h>

#include "base/log.h"
#include "base/options.h"
#include "host/runtime/device.h"
#include "host/runtime/machine/topology.h"
#include "host/runtime/sub_device.h"

static uint32_t nodes_count(const host_nodes_t *nodes) {
  uint32_t count = 0;
  for (size_t i = 0; i < sizeof nodes->bits / sizeof *nodes->bits; ++i)
    count += (uint32_t)__builtin_popcountll(nodes->bits[i]);
  return count;
}

static void nodes_add(host_nodes_t *nodes, int16_t node) {
  if (node >= 0 && node < (int16_t)HOST_NODE_LIMIT) nodes->bits[node / 64] |= (uint64_t)1 << node % 64;
}

/* Where there is one node only there is nothing to choose. */
void host_placement_of(const host_device_t *device, host_placement_t *out_placement) {
  const bool interleaves = options_get()->interleave;
  *out_placement = (host_placement_t){.policy = host_policy_touch};
  if (device == device->root && !interleaves) return;
  const host_topology_t *topology = host_topology_get(&device->root->scheduler.cpus);
  host_nodes_t all = {{0}}, *own = &out_placement->nodes;
  const host_span_t span = host_device_span(device, topology->count);
  for (uint32_t i = 0; i < topology->count; ++i) {
    nodes_add(&all, topology->cpus[i].node);
    if (i >= span.begin && i < span.end) nodes_add(own, topology->cpus[i].node);
  }
  if (nodes_count(&all) < 2) return;
  if (nodes_count(own) == 1)
    out_placement->policy = host_policy_preferred;
  else if (interleaves)
    out_placement->policy = host_policy_interleaved;
}

void host_placement_apply(const host_placement_t *placement, void *data, uint64_t size) {
  if (placement->policy == host_policy_touch) return;
  if (!host_policy_set(data, size, placement->policy, &placement->nodes))
    log_write(log_memory, "pages lie where they are touched first: %s", strerror(errno));
}
