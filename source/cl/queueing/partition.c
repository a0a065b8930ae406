/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Partition schemes (section 4.3 of the specification). Whatever the scheme, sub-devices are ranges of compute units,
 * which Mux numbers so that neighbours share caches. */
#include "cl/queueing/partition.h"

#include <stdlib.h>
#include <string.h>

#include "cl/queueing/refuse.h"

/* Widest first: the order in which the next partitionable domain is looked for. The values are those of
 * mux_affinity_domain_e. */
static const cl_device_affinity_domain domains[] = {
    CL_DEVICE_AFFINITY_DOMAIN_NUMA,     CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE, CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE,
    CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE, CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE,
};
enum { domain_count = sizeof domains / sizeof *domains };

static uint32_t unit_count(cl_device_id device) { return device->info->compute_units; }

static bool is_divisible(cl_device_id device) { return device->info->supports_sub_devices && unit_count(device) > 1; }

/* Parts along a domain, of which the first `capacity` are written to `out_units`. */
static uint64_t domain_parts(cl_device_id device, cl_device_affinity_domain domain, uint32_t *out_units,
                             uint64_t capacity) {
  uint64_t count = 0;
  mux_result_t error =
      muxGetAffinityPartition(device->mux_device, (mux_affinity_domain_e)domain, capacity, out_units, &count);
  return error ? 0 : count;
}

/* ------------------------------------------------------------ queries */

cl_uint partition_limit(cl_device_id device) { return is_divisible(device) ? unit_count(device) : 0; }

cl_device_affinity_domain partition_domains(cl_device_id device) {
  cl_device_affinity_domain found = 0;
  if (!is_divisible(device)) return 0;
  for (size_t i = 0; i < domain_count; i++) {
    if (domain_parts(device, domains[i], NULL, 0) > 1) found |= domains[i];
  }
  return found ? found | CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE : 0;
}

cl_int partition_schemes_answer(cl_device_id device, size_t capacity, void *out_value, size_t *out_size) {
  cl_device_partition_property schemes[3] = {0};
  size_t count = 0;
  if (is_divisible(device)) {
    schemes[count++] = CL_DEVICE_PARTITION_EQUALLY;
    schemes[count++] = CL_DEVICE_PARTITION_BY_COUNTS;
    if (partition_domains(device)) schemes[count++] = CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN;
  }
  /* A device that cannot be partitioned answers with a zero. */
  return info_answer(capacity, out_value, out_size, schemes, (count ? count : 1) * sizeof *schemes);
}

cl_int partition_type_answer(cl_device_id device, size_t capacity, void *out_value, size_t *out_size) {
  /* A root device's type may be nothing or {0}; {0} serves readers of either. */
  static const cl_device_partition_property none[] = {0};
  if (!device->parent) return info_answer(capacity, out_value, out_size, none, sizeof none);
  return info_answer(capacity, out_value, out_size, device->partition_type,
                     device->partition_type_length * sizeof *device->partition_type);
}

/* ------------------------------------------------------------ schemes */

void partition_free(partition_t *partition) {
  free(partition->units);
  free(partition->type);
  *partition = (partition_t){0};
}

static cl_int allocate(partition_t *partition, uint64_t unit_capacity, size_t type_length) {
  /* No scheme gives nothing, unless Mux fails to say what domains there are. */
  if (!unit_capacity) return CL_OUT_OF_RESOURCES;
  partition->units = calloc(unit_capacity, sizeof *partition->units);
  partition->type = calloc(type_length, sizeof *partition->type);
  partition->type_length = type_length;
  return partition->units && partition->type ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

static cl_int allocate_pair(partition_t *partition, uint64_t unit_capacity, cl_device_partition_property name,
                            cl_device_partition_property value) {
  TRY(allocate(partition, unit_capacity, 3));
  partition->type[0] = name;
  partition->type[1] = value;
  return CL_SUCCESS;
}

static cl_int check_end(const char *function, const cl_device_partition_property *properties) {
  if (!properties[2]) return CL_SUCCESS;
  return refuse(NULL, function, CL_INVALID_VALUE, "properties names more than one partition scheme");
}

static cl_int resolve_equally(const char *function, cl_device_id device, const cl_device_partition_property *properties,
                              partition_t *partition) {
  const cl_device_partition_property wanted = properties[1], all = unit_count(device);
  if (wanted <= 0) return refuse(NULL, function, CL_INVALID_VALUE, "sub-devices need at least one compute unit");
  TRY(check_end(function, properties));
  if (wanted > all) {
    return refuse(NULL, function, CL_INVALID_DEVICE_PARTITION_COUNT, "the device has %u compute units",
                  unit_count(device));
  }
  if (wanted == all) return refuse(NULL, function, CL_DEVICE_PARTITION_FAILED, "this would be the device itself");
  partition->count = (cl_uint)(all / wanted);
  TRY(allocate_pair(partition, partition->count, CL_DEVICE_PARTITION_EQUALLY, wanted));
  for (cl_uint i = 0; i < partition->count; i++) partition->units[i] = (uint32_t)wanted;
  return CL_SUCCESS;
}

/* Nothing is read behind the end of the counts, which is a zero like the end of the list: some programs write one of
 * the two. */
static cl_int check_counts(const char *function, cl_device_id device, const cl_device_partition_property *counts,
                           size_t *out_length) {
  const cl_device_partition_property all = unit_count(device);
  cl_device_partition_property total = 0;
  size_t length = 0;
  for (; counts[length] != CL_DEVICE_PARTITION_BY_COUNTS_LIST_END; length++) {
    if (counts[length] < 0 || counts[length] > all - total) {
      return refuse(NULL, function, CL_INVALID_DEVICE_PARTITION_COUNT,
                    "the device has %u compute units, and count %zu is %lld", unit_count(device), length,
                    (long long)counts[length]);
    }
    total += counts[length];
  }
  *out_length = length;
  return length ? CL_SUCCESS : refuse(NULL, function, CL_INVALID_VALUE, "there are no counts");
}

static cl_int resolve_counts(const char *function, cl_device_id device, const cl_device_partition_property *properties,
                             partition_t *partition) {
  size_t length = 0;
  TRY(check_counts(function, device, properties + 1, &length));
  if (!is_divisible(device)) {
    return refuse(NULL, function, CL_DEVICE_PARTITION_FAILED, "the device has one compute unit");
  }
  TRY(allocate(partition, length, length + 3));
  memcpy(partition->type, properties, (length + 1) * sizeof *properties);
  partition->count = (cl_uint)length;
  for (size_t i = 0; i < length; i++) partition->units[i] = (uint32_t)properties[i + 1];
  return CL_SUCCESS;
}

/* The domain that is meant: the first one that `supported` has, or the one that was named; 0 when it is not one. */
static cl_device_affinity_domain find_domain(cl_device_partition_property wanted, cl_device_affinity_domain supported) {
  for (size_t i = 0; i < domain_count; i++) {
    if (wanted == (cl_device_partition_property)domains[i]) return domains[i];
    if (wanted == CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE && supported & domains[i]) return domains[i];
  }
  return 0;
}

static cl_int resolve_domain(const char *function, cl_device_id device, const cl_device_partition_property *properties,
                             partition_t *partition) {
  cl_device_affinity_domain supported = partition_domains(device);
  cl_device_affinity_domain domain = find_domain(properties[1], supported);
  if (!(domain & supported)) {
    return refuse(NULL, function, CL_INVALID_VALUE, "the device cannot be partitioned along domain 0x%llx",
                  (unsigned long long)properties[1]);
  }
  TRY(check_end(function, properties));
  uint64_t count = domain_parts(device, domain, NULL, 0);
  TRY(allocate_pair(partition, count, CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, (cl_device_partition_property)domain));
  partition->count = (cl_uint)count;
  domain_parts(device, domain, partition->units, count);
  return CL_SUCCESS;
}

static cl_int resolve(const char *function, cl_device_id device, const cl_device_partition_property *properties,
                      partition_t *partition) {
  if (device->info->supports_sub_devices) {
    switch (*properties) {
      case CL_DEVICE_PARTITION_EQUALLY: return resolve_equally(function, device, properties, partition);
      case CL_DEVICE_PARTITION_BY_COUNTS: return resolve_counts(function, device, properties, partition);
      case CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN: return resolve_domain(function, device, properties, partition);
      default: break;
    }
  }
  return refuse(NULL, function, CL_INVALID_VALUE, "the device does not support partition scheme 0x%llx",
                (unsigned long long)*properties);
}

cl_int partition_resolve(const char *function, cl_device_id device, const cl_device_partition_property *properties,
                         partition_t *out_partition) {
  *out_partition = (partition_t){0};
  if (!properties || !*properties) {
    return refuse(NULL, function, CL_INVALID_VALUE, "properties names no partition scheme");
  }
  cl_int error = resolve(function, device, properties, out_partition);
  if (error) partition_free(out_partition);
  return error;
}
