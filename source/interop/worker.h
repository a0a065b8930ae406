/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Threads that run functions of the host, and what a thread is running. */
#ifndef INTEROP_WORKER_H
#define INTEROP_WORKER_H

#include "interop/node.h"

/** Has the node run by a thread, soon: a task, a host kernel, an action of the host backend, a retry. Never waits;
 * nodes run together as long as there are not more than interop_worker_capacity. */
void interop_worker_submit(interop_node_t *node);

enum { interop_worker_capacity = 64 };

/** Has what a complete node still holds given back by a thread of its own, where destructors may wait: nobody needs
 * that thread to get on. Takes over the caller's reference. */
void interop_worker_finish(interop_node_t *node);

/** What of the application the calling thread is running for the library. */
typedef enum interop_task_e {
  interop_task_none,
  /** An error handler. */
  interop_task_handler,
  interop_task_host,
  interop_task_interop
} interop_task_t;

/** Returns what was there before, for interop_task_leave. */
interop_task_t interop_task_enter(interop_task_t task);
void interop_task_leave(interop_task_t before);

/** quern_error_invalid_operation in an interop task: no objects are made there (T9). */
QUERN_MUST_CHECK quern_result_t interop_task_check_make(void);
/** quern_error_invalid_operation in any function that the library runs: it could wait for itself. */
QUERN_MUST_CHECK quern_result_t interop_task_check_wait(void);

/** Runs the node's action on the calling thread, for `queue`; on failure the message tells. (host_run.c) */
QUERN_MUST_CHECK quern_result_t interop_host_run(interop_node_t *node, quern_queue_t queue);
/** Tries the node on its fallback queue, and completes it. (retry.c) */
void interop_retry_run(interop_node_t *node);
/** Enqueues the node again on its own queue, and completes it. (retry.c) */
void interop_retry_repeat(interop_node_t *node);

/** Address of a memory object's first byte, for the host's use of a range from now until interop_host_close. What is
 * bound to a context is mapped, or copied there and back. (host_memory.c) */
QUERN_MUST_CHECK quern_result_t interop_host_open(interop_requirement_t *requirement);
QUERN_MUST_CHECK quern_result_t interop_host_close(interop_requirement_t *requirement);

#endif
