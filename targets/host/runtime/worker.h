/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Worker threads: created when work asks for them, asleep when there is none. */
#ifndef HOST_RUNTIME_WORKER_H
#define HOST_RUNTIME_WORKER_H

#include "host/runtime/scheduler.h"

/** Takes a place for a worker, of which fewer than `thread_limit` are in use. Scheduler locked. */
host_worker_t *host_worker_reserve(host_scheduler_t *scheduler);

/** Creates the worker of a reserved place that is counted in `searching`. When the system refuses, the place is given
 * back and a line logged: without any worker, the calling thread then executes what is ready, and so do callers that
 * wait. Scheduler unlocked. */
void host_worker_create(host_worker_t *worker);

/** Ends and joins all workers. Nothing is dispatched any more. */
void host_workers_stop(host_scheduler_t *scheduler);

#endif
