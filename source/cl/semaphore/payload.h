/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What is behind the file descriptors of semaphores (cl_khr_external_semaphore): a payload that processes share, a
 * counter of the system (eventfd) that is 1 while the semaphore is signalled; and the fence of a sync file. */
#ifndef CL_SEMAPHORE_PAYLOAD_H
#define CL_SEMAPHORE_PAYLOAD_H

#include "cl/queueing/event.h"
#include "cl/queueing/watch.h"

/** A new payload, not signalled; -1 when the system refuses. */
int payload_create(void);
/** True for the descriptor of a payload. It is made ready for use here. */
bool payload_adopt(int descriptor);
/** Another descriptor of the same; -1 when the system refuses. */
int payload_duplicate(int descriptor);
void payload_signal(int descriptor);
/** Takes a signal away; false when there is none. */
bool payload_take(int descriptor);
bool payload_is_signalled(int descriptor);

/** A fence that was imported. */
typedef struct fence_t fence_t;

/** True for -1 and for a descriptor that is open. What a sync file is, only its driver knows; all can be waited for. */
bool fence_is_valid(int descriptor);

/** Consumes `descriptor`, -1 for one that is signalled already; `out_event` becomes complete with the fence and belongs
 * to the caller. Null, with `descriptor` the caller's still, when out of memory. */
fence_t *fence_import(cl_context context, int descriptor, cl_event *out_event);
/** The importer lets go. `give_up`: nobody waits for the event, which may stay as it is. */
void fence_release(fence_t *fence, bool give_up);

#endif
