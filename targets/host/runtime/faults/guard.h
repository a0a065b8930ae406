/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Running kernels, copies and fills so that a fault of theirs ends the command, and not the process. */
#ifndef HOST_RUNTIME_FAULTS_GUARD_H
#define HOST_RUNTIME_FAULTS_GUARD_H

#include <setjmp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/list.h"
#include "host/abi.h"
#include "host/runtime/faults/fault.h"
#include "host/runtime/faults/stop.h"
#include "host/runtime/machine/futex.h"

struct host_group_t;
struct host_thread_t;
struct printf_buffer_t;

/** What work-groups of a launch run with, and how they are ended early. */
typedef struct host_kernel_run_t {
  const struct host_kernel_info_t *kernel;
  const void *args;
  const host_ndrange_t *ndrange;
  /** Null when they are not ended. */
  const host_stop_t *stop;
} host_kernel_run_t;

/** Part of a thread: what has to be known when its kernel faults. */
typedef struct host_guard_t {
  /** Among the guards of all threads, and the kernel's number of the thread; 0 when it is not among them (stop.h). */
  list_t link;
  int thread;
  /** Of the dispatch whose kernel runs, or ran last; null when it cannot be stopped. Others compare it only. */
  _Atomic(const host_stop_t *) stop;
  jmp_buf recovery;
  /** The stack below this is the kernel's. */
  char *stack;
  /** Null when the command is none. */
  const struct host_kernel_run_t *run;
  /** Of the run: its first work-group, and where it is now, if the kernel says so (host_group_first). */
  uint64_t first;
  const struct host_group_t *group;
  /** The printf buffer that the kernel has locked. */
  struct printf_buffer_t *printf_buffer;
  /** host_ticks() when the thread last looked whether the handlers are ours. */
  uint64_t last_look;
  /** host_ticks() when the thread's last command buffer ended. */
  uint64_t last_end;
  /** Of the last run that failed. */
  host_fault_t fault;
} host_guard_t;

#define HOST_QUICK_SUCCESSION_TICKS (4 * HOST_MICROSECOND_TICKS)

/** Within about four microseconds: command buffers follow each other in quick succession. Launching a short kernel and
 * waiting for it takes one or two; the system calls that are saved in between take another one. */
static inline bool host_guard_ended_just_now(const host_guard_t *guard) {
  return host_ticks() - guard->last_end < HOST_QUICK_SUCCESSION_TICKS;
}

/** The calling thread's while it executes a guarded command; null otherwise. Of the initial-exec model, as the signal
 * handler reads it on threads that have never been here: no other access is sure not to allocate. */
extern _Thread_local host_guard_t *host_guard_current __attribute__((tls_model("initial-exec")));

/** Installs the signal handlers, at the first call. Before a thread's first run. */
void host_guard_install(void);

/** Executes `count` work-groups from `first` on by one of the kernel's entries, in its floating-point modes, which the
 * caller has entered (float_mode.h). False when one faulted: the others may not have run, and `thread->guard.fault`
 * tells more. */
bool host_guard_run(const host_kernel_run_t *run, host_kernel_entry_t entry, struct host_thread_t *thread,
                    uint64_t first, uint64_t count);

/** Leaves the kernel that the calling thread executes, and fails its run: `guard->fault` has the text. From a function
 * that the kernel has called. */
_Noreturn void host_guard_leave(host_guard_t *guard, const char *assertion);

/** Calls `function`, which touches memory of the application and holds nothing that would have to be given back. False
 * when it faulted: `thread->guard.fault` tells more. `thread` is prepared (host_thread_prepare). */
bool host_guard_call(struct host_thread_t *thread, void (*function)(const void *argument), const void *argument);

#endif
