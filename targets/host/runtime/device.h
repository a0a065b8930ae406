/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The device: its description, queues, scheduler and account of memory. */
#ifndef HOST_RUNTIME_DEVICE_H
#define HOST_RUNTIME_DEVICE_H

#include <stdalign.h>
#include <stdatomic.h>

#include "base/list.h"
#include "host/runtime/memory/block_cache.h"
#include "host/runtime/scheduling/queue.h"
#include "host/runtime/scheduling/scheduler.h"
#include "mux/mux.h"
#include "mux/target.h"

#define HOST_QUEUE_COUNT 16u

typedef struct host_device_t {
  struct mux_device_s base;
  /** What `base.info` points to in a sub-device. */
  struct mux_device_info_s own_info;
  /** The device that this one is a part of, at the end; itself unless a sub-device. */
  struct host_device_t *root;
  /** Of the root's compute units, the first one of this device. */
  uint32_t first_unit;
  /** What its ND-ranges say (host_ndrange_t). */
  uint32_t streaming_mib;
  /** In the list of all devices, which fork.c walks. */
  list_t link;
  host_queue_t queues[HOST_QUEUE_COUNT];
  host_scheduler_t scheduler;
  /** Bytes allocated by host_allocate_memory and not freed, for sub-devices too; the root's counts. */
  _Atomic uint64_t allocated;
  /** Freed blocks, of sub-devices too and not counted as allocated; the root's. */
  host_block_cache_t block_cache;
} host_device_t;

static inline host_device_t *host_device(mux_device_t device) { return (host_device_t *)device; }

/** Those of the root's compute units that are the device's. */
static inline host_units_t host_device_units(const host_device_t *device) {
  return (host_units_t){.first = device->first_unit, .count = device->base.info->compute_units};
}

/** Makes a device with its queues: one of its own (`parent` null) described by `info`, which is kept, or a sub-device,
 * with a copy of `info`. mux_error_out_of_memory. */
MUX_MUST_CHECK mux_result_t host_device_create(mux_device_info_t info, host_device_t *parent,
                                               mux_allocator_info_t allocator, host_device_t **out_device);

/** Bytes of device memory that are allocated now; wrapped host memory is not counted. For tests. Thread safe. */
uint64_t host_device_allocated(mux_device_t device);

/* Operations of mux_target_t. */
mux_result_t host_get_device_infos(mux_target_id_t target_id, uint32_t device_types, uint64_t device_infos_length,
                                   mux_device_info_t *out_device_infos, uint64_t *out_device_infos_length);
mux_result_t host_create_devices(uint64_t devices_length, const mux_device_info_t *device_infos,
                                 mux_allocator_info_t allocator, mux_device_t *out_devices);
void host_destroy_device(mux_device_t device, mux_allocator_info_t allocator);

#endif
