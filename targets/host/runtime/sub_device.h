/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Sub-devices: devices with some of the threads of another one, on some of its processors. */
#ifndef HOST_RUNTIME_SUB_DEVICE_H
#define HOST_RUNTIME_SUB_DEVICE_H

#include "mux/mux.h"

/* Operations of mux_target_t. */
mux_result_t host_get_affinity_partition(mux_device_t device, mux_affinity_domain_e domain, uint64_t counts_length,
                                         uint32_t *out_counts, uint64_t *out_counts_length);
mux_result_t host_create_sub_device(mux_device_t device, uint32_t first_unit, uint32_t unit_count,
                                    mux_allocator_info_t allocator, mux_device_t *out_device);

#endif
