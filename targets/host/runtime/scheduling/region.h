/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Work that several threads share: an ND-range or a large copy. Its owner divides it among the members of its team. */
#ifndef HOST_RUNTIME_SCHEDULING_REGION_H
#define HOST_RUNTIME_SCHEDULING_REGION_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "host/runtime/faults/thread.h"
#include "host/runtime/scheduling/share.h"
#include "mux/mux.h"

struct host_scheduler_t;
struct host_team_t;

struct host_helper_t;

/** Work of parts that any thread may execute in any order: part of a host_launch_t or host_transfer_t. */
typedef struct host_job_t {
  /** Executes `count` parts from `first` on. False when one faulted, and `thread->guard.fault` tells more. */
  bool (*run)(const struct host_job_t *job, host_thread_t *thread, uint64_t first, uint64_t count);
  /** Prepares the calling thread and calls host_helper_work; not when it cannot help, for want of memory, say. */
  void (*help)(const struct host_job_t *job, struct host_helper_t *helper);
} host_job_t;

/** How a job is to be shared. */
typedef struct host_plan_t {
  /** Parts `first` to `end - 1`. */
  uint64_t first, end;
  /** Threads beside the owner: the ranks that have shares, and how many members of the team they are, which is less
   * where ranks between theirs are nobody's. */
  uint32_t helpers, members;
  /** Of them, those that sleep and shall be woken. */
  uint32_t wakes;
  /** Parts of the shortest run that is worth taking; at least 1. */
  uint64_t least_parts;
  /** Helpers look for more when their share is done: not worth it where all shares end within a microsecond or two. */
  bool steals;
} host_plan_t;

/** Lives on the owner's stack. */
typedef struct host_region_t {
  const host_job_t *job;
  uint64_t first, end;
  /** Parts in a unit. */
  uint64_t unit;
  host_division_t division;
  /** Units of the shortest run. */
  uint32_t least;
  bool steals;
  struct host_team_t *team;
  /** Members that were promised, and the time from when on the owner wakes others in place of those that have left. */
  uint32_t members;
  uint64_t replace_from;
  /** A part faulted; the fault is that of the thread that set it. */
  atomic_bool has_fault;
  host_fault_t fault;
} host_region_t;

/** A thread in a region. */
typedef struct host_helper_t {
  host_region_t *region;
  uint32_t rank;
  host_thread_t *thread;
  /** Time that it spent with parts, and looking for others'. */
  uint64_t ticks, stealing;
  /** Runs that were others', and units of all its runs. */
  uint32_t steals, units;
  /** It has seen that the team is to be smaller: what is left of its share is others', and it takes nothing more in
   * this region, even if the team grows again. */
  bool leaves;
} host_helper_t;

/** Executes parts as `plan` says with the help of `team`, which the calling thread owns, and returns when all are done.
 * `thread`, the calling one, is prepared for the job. `*out_ticks` is what it cost, on all threads together.
 * mux_error_failure when a part faulted, and `thread->guard.fault` tells which: no more were begun. */
MUX_MUST_CHECK mux_result_t host_region_run(struct host_scheduler_t *scheduler, struct host_team_t *team,
                                            const host_job_t *job, const host_plan_t *plan, host_thread_t *thread,
                                            uint64_t *out_ticks);

/** Takes part in the region that `call` (host_team_t) announces, unless it is over; false then. `helper` has the rank
 * of the calling thread in `team`, whose member it is, and tells afterwards what it did. */
bool host_region_join(struct host_team_t *team, uint64_t call, host_helper_t *helper);

/** Executes parts until none is left for this helper. */
void host_helper_work(host_helper_t *helper);

#endif
