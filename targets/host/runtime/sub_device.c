/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Dividing a device. Its compute units are threads, numbered in the order of the topology, and are spread evenly over
 * the processors: with fewer units than processors a unit has several, with more of them several share one. */
#include "host/runtime/sub_device.h"

#include <string.h>

#include "host/runtime/device.h"
#include "host/runtime/machine/topology.h"

static host_span_t unit_span(const host_device_t *device, uint32_t unit, uint32_t cpus) {
  uint64_t units = device->root->base.info->compute_units;
  host_span_t span = {(uint32_t)(unit * (uint64_t)cpus / units), (uint32_t)((unit + (uint64_t)1) * cpus / units)};
  if (span.end == span.begin) ++span.end;
  return span;
}

host_span_t host_device_span(const host_device_t *device, uint32_t cpus) {
  const uint32_t last_unit = device->first_unit + device->base.info->compute_units - 1;
  return (host_span_t){unit_span(device, device->first_unit, cpus).begin, unit_span(device, last_unit, cpus).end};
}

bool host_unit_cpus(const host_device_t *device, uint32_t unit, host_cpus_t *out_cpus) {
  const host_topology_t *topology = host_topology_get(&device->root->scheduler.cpus);
  const host_span_t span = unit_span(device, device->first_unit + unit, topology->count);
  memset(out_cpus, 0, sizeof *out_cpus);
  for (uint32_t i = span.begin; topology->is_real && i < span.end; ++i) host_cpus_add(out_cpus, topology->cpus[i].cpu);
  return topology->is_real;
}

/* ---------------------------------------------------------------- domains */

static int16_t unit_domain(const host_device_t *device, const host_topology_t *topology, uint32_t unit,
                           host_domain_e domain) {
  host_span_t span = unit_span(device, device->first_unit + unit, topology->count);
  return topology->cpus[span.begin].domain[domain];
}

mux_result_t host_get_affinity_partition(mux_device_t handle, mux_affinity_domain_e affinity, uint64_t counts_length,
                                         uint32_t *out_counts, uint64_t *out_counts_length) {
  const host_device_t *device = host_device(handle);
  const host_topology_t *topology = host_topology_get(&device->root->scheduler.cpus);
  host_domain_e domain = (host_domain_e)__builtin_ctz(affinity);
  uint64_t parts = 0;
  int16_t previous = -1;
  for (uint32_t unit = 0; unit < handle->info->compute_units; ++unit) {
    int16_t current = unit_domain(device, topology, unit, domain);
    bool begins = !unit || current != previous;
    if (begins) ++parts;
    if (parts <= counts_length) out_counts[parts - 1] = begins ? 1 : out_counts[parts - 1] + 1;
    previous = current;
  }
  *out_counts_length = parts;
  return mux_success;
}

/* ---------------------------------------------------------------- creation */

/* A sub-device on all processors of its root is as free to move as that. */
static void cpus_assign(host_device_t *device, const host_topology_t *topology) {
  host_scheduler_t *scheduler = &device->scheduler;
  const host_span_t span = host_device_span(device, topology->count);
  scheduler->pinned = topology->is_real && (span.begin > 0 || span.end < topology->count);
  if (scheduler->pinned)
    scheduler->weather.supply.follows = false;
  else
    scheduler->cpus = device->root->scheduler.cpus;
  for (uint32_t i = span.begin; scheduler->pinned && i < span.end; ++i)
    host_cpus_add(&scheduler->cpus, topology->cpus[i].cpu);
}

mux_result_t host_create_sub_device(mux_device_t handle, uint32_t first_unit, uint32_t unit_count,
                                    mux_allocator_info_t allocator, mux_device_t *out_device) {
  host_device_t *parent = host_device(handle), *device;
  struct mux_device_info_s info = *handle->info;
  info.compute_units = unit_count;
  mux_result_t result = host_device_create(&info, parent, allocator, &device);
  if (result) return result;
  device->first_unit = parent->first_unit + first_unit;
  cpus_assign(device, host_topology_get(&parent->root->scheduler.cpus));
  *out_device = &device->base;
  return mux_success;
}
