/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Worker threads: created when work asks for them, asleep when there is none. */
#ifndef HOST_RUNTIME_SCHEDULING_WORKER_H
#define HOST_RUNTIME_SCHEDULING_WORKER_H

#include "host/runtime/scheduling/scheduler.h"

/** Wakes a worker that was taken out of the list of idle ones, or creates it. Scheduler unlocked. */
void host_worker_rouse(host_worker_t *worker);

/** Takes a place for a worker, of which fewer than `thread_limit` are in use. Scheduler locked. */
host_worker_t *host_worker_reserve(host_scheduler_t *scheduler);

/** Creates the worker of a reserved place, which is counted in `searching` or a member of a team. When
 * the system refuses, the place is given back and a line logged: without any worker, the calling thread then executes
 * what is ready, and so do callers that wait. Scheduler unlocked. */
void host_worker_create(host_worker_t *worker);

/** Ends and joins all workers. Nothing is dispatched any more. */
void host_workers_stop(host_scheduler_t *scheduler);

/* Operation of mux_target_t. */
mux_result_t host_get_device_threads(mux_device_t device, uint64_t threads_length, mux_thread_info_s *out_threads,
                                     uint64_t *out_threads_length);

/** Logs what each worker did so far (QUERN_DEBUG=threads). Thread safe. */
void host_workers_report(const host_scheduler_t *scheduler);

#endif
