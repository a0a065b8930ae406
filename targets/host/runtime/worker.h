/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Worker threads: created when work asks for them, asleep when there is none. */
#ifndef HOST_RUNTIME_WORKER_H
#define HOST_RUNTIME_WORKER_H

#include "host/runtime/scheduler.h"

/** Creates a worker, whose place was counted in `worker_count` and `searching`. When the system refuses, the place is
 * given back and a line logged: waiting callers still execute everything. Scheduler unlocked. */
void host_worker_create(host_scheduler_t *scheduler);

/** Ends and joins all workers. Nothing is dispatched any more. */
void host_workers_stop(host_scheduler_t *scheduler);

#endif
