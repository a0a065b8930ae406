/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Threads that run functions of the host. */
#ifndef INTEROP_EXECUTION_WORKER_H
#define INTEROP_EXECUTION_WORKER_H

#include "interop/object/node.h"
#include "interop/object/task.h"

/** Has the node run by a thread, soon: a task, a host kernel, an action of the host backend, a retry. Never waits;
 * nodes run together as long as there are not more than interop_worker_capacity. Where the system gives no thread, the
 * node is run by whoever waits for something. */
void interop_worker_submit(interop_node_t *node);

enum { interop_worker_capacity = 64 };

/** Before a node is submitted that a thread is to run: has one made if there is none, or known that there can be none,
 * as nobody who waits for what comes after may sleep in the device's wait then. */
void interop_worker_prepare(void);

/** Has what a complete node still holds given back by a thread of its own, where destructors may wait: nobody needs
 * that thread to get on. Takes over the caller's reference. */
void interop_worker_finish(interop_node_t *node);

/** Whether there is something to do that lacks its thread. Under the graph's lock or without. */
bool interop_worker_has_work(void);
/** Does it, on the calling thread: functions of the application's are called. Without the lock. */
void interop_worker_help(void);

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
