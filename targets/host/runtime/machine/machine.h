/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What this machine is, as far as a device's description needs it. */
#ifndef HOST_RUNTIME_MACHINE_MACHINE_H
#define HOST_RUNTIME_MACHINE_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "host/runtime/machine/cpus.h"
#include "host/runtime/machine/instruction_set.h"

typedef struct host_machine_t {
  /** The processor's own name, without surplus spaces. */
  char name[64];
  /** PCI vendor id of its maker; 0 when that is not known. */
  uint32_t vendor_id;
  /** What its code depends on (instruction_set.h). */
  char instruction_set[host_instruction_set_size];
  /** Threads that may execute kernels: QUERN_NUM_THREADS, or what affinity mask and cgroup quota allow. At least 1. */
  uint32_t threads;
  /** Processors that this process may run on, by its affinity mask; empty when the system does not say. */
  host_cpus_t cpus;
  uint32_t clock_mhz;
  /** Bytes of RAM that this process may use. */
  uint64_t memory_size;
  /** Bytes of the last-level cache, of one core's second level, and of a line. */
  uint64_t cache_size, level2_size, cacheline_size;
  /** Bytes of the widest vector register that is worth using. */
  uint32_t vector_size;
  bool has_fma;
  /** What the ND-ranges of launches say (host_ndrange_t). */
  uint32_t streaming_mib;
} host_machine_t;

/** Looks at the machine: some tens of microseconds, no library and no thread. Never fails. */
void host_machine_read(host_machine_t *machine);

/** The nominal clock of an x86-64 processor: the base frequency by cpuid (EAX of leaf 0x16); virtual machines often
 * hide it, so then the time-stamp counter's rate (EAX, EBX and ECX of leaf 0x15: denominator, numerator, Hz of the
 * crystal), then what its name says behind '@'; 0 when none does. */
uint32_t host_nominal_mhz(uint32_t base, const uint32_t counter[3], const char *name);

#endif
