/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Launches of kernels: on one thread or on several, as their cost was when they ran before. */
#ifndef HOST_RUNTIME_COMMANDS_LAUNCH_H
#define HOST_RUNTIME_COMMANDS_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>

#include "host/abi.h"
#include "host/runtime/executable/kernel_table.h"
#include "host/runtime/faults/guard.h"
#include "host/runtime/faults/thread.h"
#include "host/runtime/scheduling/region.h"
#include "mux/mux.h"

struct host_choice_t;
struct host_counting_t;
struct host_kernel_t;
struct host_scheduler_t;

/** One launch of a kernel, as work-groups need it. */
typedef struct host_launch_t {
  /** Its parts are work-groups. */
  host_job_t job;
  const host_kernel_code_t *code;
  host_kernel_run_t run;
  /** Null unless the code has a second version that may be faster. Then it is the kernel's. */
  struct host_choice_t *choice;
  const struct host_kernel_t *kernel;
  bool flushes_denormals;
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

/** What makes a launch a job. */
extern const host_job_t host_launch_job;

/** Runs all work-groups and learns what they cost. `thread`, the calling one, executes for `scheduler`, has memory for
 * a work-group (host_thread_memory_reserve) and the kernel's floating-point modes. mux_error_failure when a work-group
 * faulted, and `thread->guard.fault` tells which. */
MUX_MUST_CHECK mux_result_t host_launch_execute(const host_launch_t *launch, struct host_kernel_t *kernel,
                                                struct host_scheduler_t *scheduler, host_thread_t *thread);

#endif
