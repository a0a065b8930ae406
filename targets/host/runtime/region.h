/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * An ND-range being executed by several threads: its owner, and helpers that join while work-groups are left. */
#ifndef HOST_RUNTIME_REGION_H
#define HOST_RUNTIME_REGION_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/list.h"
#include "host/abi.h"
#include "host/runtime/thread.h"
#include "mux/mux.h"

struct host_counting_t;
struct host_kernel_t;
struct host_queue_t;
struct host_scheduler_t;

/** One launch of a kernel, as work-groups need it. */
typedef struct host_launch_t {
  host_kernel_entry_t entry;
  /** Null unless the kernel has a second version that may be faster. */
  struct host_kernel_t *chooses;
  bool flushes_denormals;
  const void *args;
  const host_ndrange_t *ndrange;
  /** Bytes of work-group local memory and of barrier context, and what both must be aligned to. */
  uint64_t local_size, scratch_size, memory_alignment;
  /** Bytes of its variables on the stack. */
  uint64_t stack_size;
  uint64_t groups;
  /** Counters that helpers count for too (counter.h). */
  struct host_counting_t *counting;
} host_launch_t;

static inline uint64_t host_items_per_group(const host_ndrange_t *ndrange) {
  return ndrange->local_size[0] * ndrange->local_size[1] * ndrange->local_size[2];
}

/** Lives on the owner's stack. */
typedef struct host_region_t {
  /** In host_scheduler_t.regions while it wants helpers. */
  list_t link;
  host_launch_t launch;
  struct host_queue_t *queue;
  uint64_t ticket;
  /** Helpers that have ever joined, and at most join; scheduler locked. */
  uint32_t joined, max_helpers;
  /** A run of work-groups is the rest divided by this. */
  uint32_t divisor;
  /** A work-group faulted; the fault is that of the thread that set it. */
  atomic_bool has_fault;
  host_fault_t fault;
  /** Helpers inside, and a flag for "the owner sleeps". */
  _Atomic uint32_t active;
  /** First work-group not yet handed out; in a cache line of its own, as all threads write it. */
  alignas(64) _Atomic uint64_t next;
} host_region_t;

/** Executes work-groups from `first` on with the help of other threads, and returns when all are done.
 * `ticket` is the number in `queue` of the dispatch that this is part of. `thread`, the calling one, has memory for a
 * work-group (host_thread_memory_reserve) and the kernel's floating-point modes. mux_error_failure when a work-group
 * faulted, and `thread->guard.fault` tells which: no more were begun. */
MUX_MUST_CHECK mux_result_t host_region_run(struct host_scheduler_t *scheduler, struct host_queue_t *queue,
                                            uint64_t ticket, const host_launch_t *launch, uint64_t first,
                                            host_thread_t *thread);

/** True when all work-groups are handed out. */
static inline bool host_region_is_exhausted(const host_region_t *region) {
  return atomic_load_explicit(&region->next, memory_order_relaxed) >= region->launch.groups;
}

/** Counts the calling thread as a helper, so that the owner waits for it. Scheduler locked. */
void host_region_join(host_region_t *region);

/** Executes work-groups until none is left, or none if it has no memory or stack for them, then leaves: the region may
 * be gone afterwards. Scheduler unlocked. */
void host_region_help(host_region_t *region, host_thread_t *thread);

#endif
