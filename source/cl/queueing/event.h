/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Events of commands and of users. */
#ifndef CL_QUEUEING_EVENT_H
#define CL_QUEUEING_EVENT_H

#include "cl/queueing/batch.h"
#include "cl/queueing/context.h"

/** A callback of clSetEventCallback. */
typedef struct event_callback_t {
  struct event_callback_t *next;
  void(CL_CALLBACK *function)(cl_event event, cl_int status, void *user_data);
  void *user_data;
  cl_int type;
} event_callback_t;

struct _cl_event {
  object_t object;
  /** Held, by the queue when there is one. */
  cl_context context;
  /** Held; null for user events. */
  cl_command_queue queue;
  cl_command_type type;
  /** CL_QUEUED (user events: CL_SUBMITTED) until it is CL_COMPLETE or negative: event_status tells more. */
  _Atomic cl_int status;
  /** The command's batch. May be followed under the graph's mutex while `status` is not final. */
  batch_t *batch;
  /** User events: edges of the batches that wait for it; under the graph's mutex. */
  list_t waiters;
  /** In the order of registration; changed under the graph's mutex. */
  _Atomic(event_callback_t *) callbacks;
  cl_event early_next;
  /** Nanoseconds of the device clock; zeros unless the queue had profiling enabled. */
  uint64_t queued, submitted, started, ended, completed;
  bool profiled;
};

bool event_is_valid(cl_event event);

/** A command's event with external and internal count 1; null when out of memory. */
cl_event event_create(cl_command_queue queue, cl_command_type type);
cl_event event_create_user(cl_context context);

/** Current status; negative when terminated. */
cl_int event_status(cl_event event);
/** The same for somebody who waits for it to change: flushes the queue of a command that is CL_QUEUED. No lock may be
 * held. */
cl_int event_poll(cl_event event);
/** True when the status will not change any more. */
bool event_is_final(cl_event event);

/** Note of a batch: `data` is the command's event, which gets its final status, calls callbacks and is dropped. */
void event_note(void *data, cl_int status);
/** Sets a user event: CL_COMPLETE or negative; flushes the queues of what waits for it. False when it was set before.
 * No lock may be held, unless nothing can wait for it yet. */
bool event_set_user(cl_event event, cl_int status);

/** Flushes the queue of a command that is CL_QUEUED. False when out of memory. No lock may be held. */
bool event_add_callback(cl_event event, cl_int type,
                        void(CL_CALLBACK *function)(cl_event event, cl_int status, void *user_data), void *user_data);
/** Calls the callbacks for `status` and those before it (CL_SUBMITTED, CL_RUNNING, CL_COMPLETE or negative). No lock
 * may be held. */
void event_call_back(cl_event event, cl_int status);

/** Waits until the status is final; the event's queue was flushed. */
void event_wait(cl_event event);

#endif
