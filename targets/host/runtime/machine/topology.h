/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Which processors are neighbours: the order in which a device is divided, and where it may be divided. */
#ifndef HOST_RUNTIME_MACHINE_TOPOLOGY_H
#define HOST_RUNTIME_MACHINE_TOPOLOGY_H

#include <stdbool.h>
#include <stdint.h>

#include "host/runtime/machine/cpus.h"

/** Rows of mux_affinity_domain_e, widest first. */
typedef enum host_domain_e {
  host_domain_numa,
  host_domain_l4,
  host_domain_l3,
  host_domain_l2,
  host_domain_l1,
  host_domain_count
} host_domain_e;

/** A processor, and for each domain the number of the memory node or cache that it belongs to, counted by hwloc; -1
 * when the machine has none of that kind, or does not say. */
typedef struct host_topology_cpu_t {
  uint32_t cpu;
  int16_t domain[host_domain_count];
  /** The system's number of its memory node; -1 when not known. */
  int16_t node;
} host_topology_cpu_t;

typedef struct host_topology_t {
  /** Those that the process may use, neighbours beside each other. At least one. */
  uint32_t count;
  host_topology_cpu_t cpus[HOST_CPU_LIMIT];
  /** False when the processors are not those of this machine (HWLOC_SYNTHETIC, HWLOC_XMLFILE): threads are not bound
   * to them. */
  bool is_real;
} host_topology_t;

/** Looks at the machine with hwloc, at the first call: this takes about a millisecond, so it is for those who divide
 * a device. Without the library, `allowed` in numerical order, and no domains. Never fails. Thread safe. */
const host_topology_t *host_topology_get(const host_cpus_t *allowed);

/** Looks at the machine again, whatever host_topology_get keeps: that function and tests call it. Never fails. */
void host_topology_read(host_topology_t *topology, const host_cpus_t *allowed);

/** Around fork: locks and unlocks the reading of it. */
void host_topology_lock(void);
void host_topology_unlock(void);

#endif
