/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Ending kernels that run: because somebody asks for it, or after too long a time. */
#ifndef HOST_RUNTIME_FAULTS_STOP_H
#define HOST_RUNTIME_FAULTS_STOP_H

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/list.h"

struct host_guard_t;

/** Part of a dispatch. Threads in its kernels are sent a signal, again and again, until they have left: the handler
 * leaves a kernel only from its own code, never from what it has called. */
typedef struct host_stop_t {
  /** Among those that the thread of stop.c looks after, and when it is to send signals (ns); under the mutex there. */
  list_t link;
  uint64_t deadline;
  /** Constant: how long a kernel may take (ns); 0: as long as it likes. */
  uint64_t limit;
  /** In the list. Changed under the mutex, by who executes the dispatch or has the scheduler locked. */
  bool is_armed;
  /** Nothing more of the dispatch is executed. */
  atomic_bool is_wanted;
  /** Since the time limit was reached. */
  atomic_bool is_late;
} host_stop_t;

void host_stop_init(host_stop_t *stop);

/** Ends what is executed, and all that would be. The dispatch is not complete: its scheduler is locked, and
 * host_stop_prepare was called before that. Without a thread only what has not begun ends. */
void host_stop_now(host_stop_t *stop);
/** Starts the thread. Called with nothing locked. */
void host_stop_prepare(void);

void host_stop_time(host_stop_t *stop);
void host_stop_time_end(host_stop_t *stop);

/** The thread that executes the dispatch begins a kernel, and ends it: QUERN_KERNEL_TIMEOUT counts from here. */
static inline void host_stop_begin(host_stop_t *stop) {
  if (stop->limit) host_stop_time(stop);
}
static inline void host_stop_end(host_stop_t *stop) {
  if (stop->limit) host_stop_time_end(stop);
}

/** Nobody stops the dispatch any more. Scheduler locked. */
void host_stop_release(host_stop_t *stop);

static inline bool host_stop_is_wanted(const host_stop_t *stop) {
  return atomic_load_explicit(&stop->is_wanted, memory_order_relaxed);
}

/** The calling thread may execute kernels from now on, with that guard; and never again. */
void host_stop_thread_begin(struct host_guard_t *guard);
void host_stop_thread_end(struct host_guard_t *guard);

/** In the signal handler: true when the signal is ours and asks the thread to leave its kernel, if it is in one. */
bool host_stop_is_signal(const siginfo_t *info);

/** Around fork: locks and unlocks all of it; in the child, locked, forgets all threads but the calling one. */
void host_stop_lock(void);
void host_stop_unlock(void);
void host_stop_after_fork(struct host_guard_t *guard);

#endif
