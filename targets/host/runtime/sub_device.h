/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Sub-devices: devices with some of the threads of another one, on some of its processors. */
#ifndef HOST_RUNTIME_SUB_DEVICE_H
#define HOST_RUNTIME_SUB_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "host/runtime/machine/cpus.h"
#include "mux/mux.h"

struct host_device_t;

/** Positions in the topology's list of processors, `end` excluded. */
typedef struct host_span_t {
  uint32_t begin, end;
} host_span_t;

/** Of all of the device's compute units, where the process may use `cpus` processors. */
host_span_t host_device_span(const struct host_device_t *device, uint32_t cpus);

/** Processors of one compute unit of the device; false, and none, where the topology is not this machine's. Reads the
 * topology. Thread safe. */
bool host_unit_cpus(const struct host_device_t *device, uint32_t unit, host_cpus_t *out_cpus);

/* Operations of mux_target_t. */
mux_result_t host_get_affinity_partition(mux_device_t device, mux_affinity_domain_e domain, uint64_t counts_length,
                                         uint32_t *out_counts, uint64_t *out_counts_length);
mux_result_t host_create_sub_device(mux_device_t device, uint32_t first_unit, uint32_t unit_count,
                                    mux_allocator_info_t allocator, mux_device_t *out_device);

#endif
