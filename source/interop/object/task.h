/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Functions of the application that the library runs: what a thread may do meanwhile, and the handles that they get. */
#ifndef INTEROP_OBJECT_TASK_H
#define INTEROP_OBJECT_TASK_H

#include "base/list.h"
#include "interop/object/error.h"
#include "quern/group.h"

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

/** Whether it is any. */
bool interop_task_is_running(void);
/** quern_error_invalid_operation in an interop task: no objects are made there. */
QUERN_MUST_CHECK quern_result_t interop_task_check_make(void);
/** quern_error_invalid_operation in any function that the library runs: it could wait for itself. */
QUERN_MUST_CHECK quern_result_t interop_task_check_wait(void);

/** One call of a task, or of a host kernel over its range: on the stack of the thread that makes it. */
typedef struct interop_call_t {
  /** Never used again. */
  uint64_t id;
  struct quern_event_s *node;
  quern_queue_t queue;
  /** The first failure that was noted, and its message or null. Guarded by the lock of the list of calls. */
  quern_result_t failure;
  char *message;
  list_t link;
  interop_task_t before;
  struct interop_call_t *outer;
} interop_call_t;

/** From begin to end the handle is good: on this thread, and on others that the function uses. */
quern_handle_t interop_call_begin(interop_call_t *call, interop_task_t task, struct quern_event_s *node,
                                  quern_queue_t queue);
/** The outcome of a function that returned `returned`; on failure the message tells. */
QUERN_MUST_CHECK quern_result_t interop_call_end(interop_call_t *call, quern_result_t returned);

/** A call in use: it does not end meanwhile. */
typedef struct interop_use_t {
  interop_call_t *call;
  bool is_locked;
} interop_use_t;

/** The call that the handle is of. quern_error_invalid_object: it is null, or its function has returned. */
QUERN_MUST_CHECK quern_result_t interop_call_use(quern_handle_t handle, interop_use_t *out_use);
void interop_call_leave(const interop_use_t *use);
/** Makes the call fail, unless it does already, with the thread's message; returns `result`. */
quern_result_t interop_call_fail(const interop_use_t *use, quern_result_t result);

#endif
