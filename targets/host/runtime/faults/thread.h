/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What every thread that executes commands keeps: memory that it lends to work-groups, and the way out of faults. */
#ifndef HOST_RUNTIME_FAULTS_THREAD_H
#define HOST_RUNTIME_FAULTS_THREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/abi.h"
#include "host/runtime/faults/guard.h"

typedef struct host_thread_t {
  host_group_memory_t memory;
  /** Whose work it executes now; null when none. A user callback may wait, and so execute, inside an execution. */
  struct host_scheduler_t *scheduler;
  /** That it owns, for this execution; null when none, or when there was none left. */
  struct host_team_t *team;
  /** It will wait for its next dispatch there; null otherwise. Never dereferenced. */
  const void *awaited;
  /** Its stack for signal handlers, when made here. */
  void *signal_stack;
  host_guard_t guard;
} host_thread_t;

/** The calling thread's, made at its first call and freed when the thread ends. Never null, as it is static storage. */
host_thread_t *host_thread_get(void);

/** Prepares `thread`, the calling one, for commands that may fault, at its first call. */
void host_thread_prepare(host_thread_t *thread);

/** Makes `thread->memory` large enough: bytes of work-group local memory and of barrier context, both aligned to
 * `alignment`, a power of two, and to HOST_LOCAL_ALIGNMENT; contents are not kept. The caller is `thread` itself, and
 * no work-group runs on it. Prepares the thread. False when out of memory. */
bool host_thread_memory_reserve(host_thread_t *thread, uint64_t local_size, uint64_t scratch_size, uint64_t alignment);

#endif
