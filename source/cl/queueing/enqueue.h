/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * How a clEnqueue* call becomes Mux commands in a command buffer.
 *
 * Use: validate everything (enqueue_validate included); enqueue_begin; record with muxCommand* into
 * enqueue_command_buffer(); command_hold() what must live until completion; enqueue_commit(). When recording fails,
 * enqueue_abort(). Between begin and commit or abort the queue is locked: call nothing of the OpenCL API. */
#ifndef CL_QUEUEING_ENQUEUE_H
#define CL_QUEUEING_ENQUEUE_H

#include "cl/object/object.h"
#include "mux/mux.h"

/** The part that all clEnqueue* calls share. */
typedef struct enqueue_t {
  cl_command_queue queue;
  cl_command_type type;
  cl_uint wait_count;
  const cl_event *wait_list;
  /** Where the application wants the event; may be null. */
  cl_event *out_event;
} enqueue_t;

typedef struct command_t command_t;
struct user_commands_t;

/** Checks queue and wait list: CL_INVALID_COMMAND_QUEUE, CL_INVALID_EVENT_WAIT_LIST, CL_INVALID_CONTEXT. */
cl_int enqueue_validate(const enqueue_t *enqueue);

/** Blocking calls: CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST is returned by enqueue_commit when a wait-list event
 * failed. Chooses or makes the command buffer (choice.h) and locks the queue. */
cl_int enqueue_begin(const enqueue_t *enqueue, command_t **out_command);

/** The same for a command buffer of the application, which has a batch of its own: nothing is to be recorded. The
 * caller keeps `user` until the command completes. */
cl_int enqueue_begin_user(const enqueue_t *enqueue, struct user_commands_t *user, command_t **out_command);
/** What the commands of such a command buffer lie between: recorded first, and recorded last. */
cl_int user_commands_begin(struct user_commands_t *user);
cl_int user_commands_end(struct user_commands_t *user);

/** The command buffer to record into. */
mux_command_buffer_t enqueue_command_buffer(command_t *command);

/** To be set before a callback of the command on the device calls the application's code: batch_t.entered. Lives until
 * the command is complete. */
atomic_bool *command_entered(const command_t *command);

/** The command's event, not held; null when none is wanted. */
cl_event command_event(const command_t *command);

/** Keeps `object` alive (internal count) until the command completes. */
cl_int command_hold(command_t *command, object_t *object);

/** Calls `function(data, status)` once, when the command has completed (CL_COMPLETE) or was terminated (negative), or
 * at enqueue_abort; before the command's event changes its status; on any thread, with no lock held. Callbacks of
 * one command run in the order they were added. */
cl_int command_on_completion(command_t *command, void (*function)(void *data, cl_int status), void *data);

/** Ends the command: writes the event to `out_event`, unlocks the queue. When `blocking`, flushes and waits for it,
 * and returns its error if it failed; there is no event then. Consumes `command`. */
cl_int enqueue_commit(command_t *command, cl_bool blocking);

/** Gives the command up (`error` is returned): nothing happens on the device that the application could see. Consumes
 * `command`. */
cl_int enqueue_abort(command_t *command, cl_int error);

#endif
