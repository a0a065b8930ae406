/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * All contexts of the process with their queues and graphs, for fork(). */
#ifndef CL_QUEUEING_CONTEXT_FORK_H
#define CL_QUEUEING_CONTEXT_FORK_H

#include "cl/queueing/context.h"

/** Enter and leave the list. No lock is held. Thread safe. */
void context_register(cl_context context);
void context_unregister(cl_context context);

/** Around fork: lock and unlock the list, all contexts, queues and graphs. */
void contexts_lock(void);
void contexts_unlock(void);

/** In the child of a fork, with the contexts locked and Mux's own handlers done: every command enqueued before that is
 * not complete is the parent's, and has failed here. What its batch holds is never freed in the child, as the thread
 * that was completing it may have been anywhere. A batch in whose callback the forking thread is goes on. */
void contexts_abandon(void);

#endif
