/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Other processes of the same user that execute on the same processors, through a table in shared memory.
 *
 * Each device of each process has an entry, and writes there when it last had work. An entry of a process that died,
 * or that had nothing to do for long, is free again. Nobody waits for anybody: a table that a process has filled with
 * nonsense makes others use more threads or fewer, no more. */
#ifndef HOST_RUNTIME_MACHINE_PEERS_H
#define HOST_RUNTIME_MACHINE_PEERS_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "host/runtime/machine/cpus.h"

#define HOST_PEERS_CAPACITY 128u
/** Processors with higher numbers count as used by one process alone. */
#define HOST_PEERS_CPUS 1024u

typedef struct host_peer_t {
  /** Of the device that has the entry, unlike all others; 0 when none ever had it. */
  alignas(64) _Atomic uint64_t owner;
  /** When it last had work, in ticks (futex.h), which all processes of a machine share. */
  _Atomic uint64_t active;
  /** Where its threads may run. */
  _Atomic uint64_t cpus[HOST_PEERS_CPUS / 64];
} host_peer_t;

/** As it lies in shared memory. */
typedef struct host_peers_t {
  host_peer_t entries[HOST_PEERS_CAPACITY];
} host_peers_t;

/** What a device knows of its own entry. All zeros at first. */
typedef struct host_peer_place_t {
  /** 0 while it has no entry. */
  uint64_t owner;
  uint32_t entry;
} host_peer_place_t;

/** The table of the calling process's user on this machine, which stays for as long as the process. Null where there
 * is none: no /dev/shm, no room, a file there that is not ours, a process with more rights than its user. Thread
 * safe. */
host_peers_t *host_peers_get(void);

/** The table in the file at `path`, which is made if need be; null when that is not possible. Never unmapped. */
host_peers_t *host_peers_open(const char *path);

/** Says that the device at `place`, whose threads may run on `cpus`, has work now, and returns how many processors are
 * its fair share: of each processor as much as of all that had work lately and may run there. 0 when no other did, or
 * the table is full. At least 1 otherwise. One thread at a time for each place. */
uint32_t host_peers_meet(host_peers_t *peers, host_peer_place_t *place, const host_cpus_t *cpus, uint64_t now);

#endif
