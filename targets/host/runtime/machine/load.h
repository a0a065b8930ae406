/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Whether threads of the system wait for processors, or processors of this virtual machine for those of its host. */
#ifndef HOST_RUNTIME_MACHINE_LOAD_H
#define HOST_RUNTIME_MACHINE_LOAD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "host/runtime/machine/cpus.h"

/** How many processors a hypervisor keeps from this machine, and what that was told from: zeros at first. Hints. */
typedef struct host_steal_t {
  /** When all processors together had lost `stolen` ns: at the begin of the interval, CLOCK_MONOTONIC, 0 before any. */
  _Atomic uint64_t begin, stolen;
  _Atomic uint32_t processors;
} host_steal_t;

/** True when the system has a processor for each of its threads that can run, those of other processes included
 * (/proc/loadavg, proc(5)), without those that its hypervisor gives to others, and all its processors are among `cpus`.
 * A thread that does not run then only stands on the wrong processor. False when that cannot be told. Takes some
 * microseconds, and now and then as long as the system needs for /proc/stat. Thread safe. */
bool host_load_has_room(host_steal_t *steal, const host_cpus_t *cpus);

/** The number of threads that can run, as the text of /proc/loadavg gives it; 0 when it gives none. */
uint32_t host_load_parse(const char *text);

/** For how many ns the processors of the machine together were kept from it since it started, as the text of /proc/stat
 * gives it ("steal", proc(5)); 0 when it gives none. */
uint64_t host_steal_parse(const char *text);

/** The processors that are missing, to the nearest: time that all of them together lost until `now`, in ns
 * (CLOCK_MONOTONIC), by the time that has gone. Looks after 100 ms at the earliest; what is older than a second says
 * nothing. `read` gives host_steal_parse's value. Thread safe. */
uint32_t host_steal_update(host_steal_t *steal, uint64_t now, uint64_t (*read)(void));

#endif
