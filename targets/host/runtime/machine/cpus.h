/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A set of processors, large enough for every machine that Linux runs on. */
#ifndef HOST_RUNTIME_MACHINE_CPUS_H
#define HOST_RUNTIME_MACHINE_CPUS_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

/** Processors have numbers below this: Linux cannot be built for more. */
#define HOST_CPU_LIMIT 8192u

typedef struct host_cpus_t {
  cpu_set_t parts[HOST_CPU_LIMIT / CPU_SETSIZE];
} host_cpus_t;

static inline void host_cpus_add(host_cpus_t *cpus, uint32_t cpu) { CPU_SET_S(cpu, sizeof *cpus, cpus->parts); }
static inline bool host_cpus_have(const host_cpus_t *cpus, uint32_t cpu) {
  return CPU_ISSET_S(cpu, sizeof *cpus, cpus->parts);
}
static inline uint32_t host_cpus_count(const host_cpus_t *cpus) {
  return (uint32_t)CPU_COUNT_S(sizeof *cpus, cpus->parts);
}

#endif
