/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Kernels in two versions, of which the compiler cannot tell which one is faster (host/abi.h): the first
 * launches run both of them by turns and time them, then the faster one stays for as long as the kernel lives. */
#ifndef HOST_RUNTIME_COMMANDS_CHOICE_H
#define HOST_RUNTIME_COMMANDS_CHOICE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct host_launch_t;
struct host_thread_t;

typedef enum host_version_e {
  host_version_vector,
  /** One work-item in each iteration. */
  host_version_scalar,
  host_version_count,
  /** Not known yet. */
  host_version_undecided = host_version_count,
} host_version_e;

/** Timed runs of each version: the median of so many is not that of a run that was disturbed. Runs of more than
 * some ten milliseconds need three, and those of more than one if the versions differ clearly. */
#define HOST_CHOICE_SAMPLES 9u

/** Part of a kernel, for each of its codes (host_kernel_code_t). Zeros but for `decided`, which begins as
 * host_version_undecided. A hint without order, so atomics are relaxed, but that a cost is stored before it is
 * counted. */
typedef struct host_choice_t {
  /** host_version_e. Changes once. */
  _Atomic uint32_t decided;
  /** Runs begun. */
  _Atomic uint32_t runs;
  /** A run is this part of the work-groups at hand, or larger: grows while runs are too short to be timed. */
  _Atomic uint32_t growth;
  struct {
    /** Samples begun and stored. */
    _Atomic uint32_t begun, stored;
    /** Ticks of a work-item in units of HOST_COST_UNIT (kernel.h); 0 where no sample is stored yet. */
    _Atomic uint64_t costs[HOST_CHOICE_SAMPLES];
  } versions[host_version_count];
} host_choice_t;

static inline void host_choice_init(host_choice_t *choice) {
  *choice = (host_choice_t){0};
  atomic_init(&choice->decided, host_version_undecided);
}

/** The version for the next run; both alternate. Thread safe. */
host_version_e host_choice_next(host_choice_t *choice);

/** How many of `groups` work-groups the next run shall have: all, once the version is decided. Thread safe. */
uint64_t host_choice_length(const host_choice_t *choice, uint64_t groups);

/** Tells what a run of `items` work-items took; ignored once that is decided. True for the one call that decides.
 * Thread safe. */
bool host_choice_record(host_choice_t *choice, host_version_e version, uint64_t ticks, uint64_t items);

/** host_guard_run with the kernel's version of choice, in several runs while that is not known. Launches with
 * too few work-items for a quarter of a vector are never run as vectors, and not timed. */
bool host_launch_run(const struct host_launch_t *launch, struct host_thread_t *thread, uint64_t first, uint64_t count);

#endif
