/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Partition schemes: what clCreateSubDevices may be asked for, and which compute units that comes to. */
#ifndef CL_QUEUEING_PARTITION_H
#define CL_QUEUEING_PARTITION_H

#include "cl/device/device.h"

/** Sub-devices of one device: compute units of each, one after the other from the first unit on. */
typedef struct partition_t {
  uint32_t *units;
  cl_uint count;
  /** The scheme with its final zero, as CL_DEVICE_PARTITION_TYPE answers it. */
  cl_device_partition_property *type;
  size_t type_length;
} partition_t;

/** Finds out what `properties` come to for `device`; partition_free frees it. Errors are those of clCreateSubDevices,
 * reported for `function`. */
cl_int partition_resolve(const char *function, cl_device_id device, const cl_device_partition_property *properties,
                         partition_t *out_partition);
void partition_free(partition_t *partition);

/* Queries of clGetDeviceInfo. */

/** CL_DEVICE_PARTITION_MAX_SUB_DEVICES: 0 when the device cannot be partitioned. */
cl_uint partition_limit(cl_device_id device);
/** CL_DEVICE_PARTITION_AFFINITY_DOMAIN: domains that the device has more than one of. */
cl_device_affinity_domain partition_domains(cl_device_id device);
/** CL_DEVICE_PARTITION_PROPERTIES, CL_DEVICE_PARTITION_TYPE. */
cl_int partition_schemes_answer(cl_device_id device, size_t capacity, void *out_value, size_t *out_size);
cl_int partition_type_answer(cl_device_id device, size_t capacity, void *out_value, size_t *out_size);

#endif
