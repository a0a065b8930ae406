/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Events: progress and outcome of a command group. Include quern/interop.h. */
#ifndef QUERN_EVENT_H
#define QUERN_EVENT_H

#include "quern/context.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum quern_event_status_e {
  /** Waits for other groups, or for its turn. */
  quern_event_submitted,
  /** Given to the device, or a host function runs. */
  quern_event_running,
  quern_event_complete,
  /** Complete, and failed; quern_event_wait tells the error. */
  quern_event_failed
} quern_event_status_t;

/** Times of a group in nanoseconds of the host's monotonic clock. */
typedef struct quern_event_times_t {
  uint64_t submitted, started, ended;
} quern_event_times_t;

QUERN_API QUERN_MUST_CHECK quern_result_t quern_event_retain(quern_event_t event);
QUERN_API quern_result_t quern_event_release(quern_event_t event);

/** Waits until the group has completed; success when it succeeded. Otherwise its error, with the message: that of its
 * own failure, or of the group that it depended on.
 * Errors also: quern_error_invalid_object; quern_error_invalid_operation: called in a function that the library
 * runs. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_event_wait(quern_event_t event);

/** The same for at most `nanoseconds`; 0 only looks.
 * Errors also: quern_error_timed_out: the group is not complete; it goes on. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_event_wait_for(quern_event_t event, uint64_t nanoseconds);

/** What is told of a complete group: `result` is its outcome, whose message quern_event_wait gives. The event is the
 * library's. */
typedef void (*quern_event_callback_t)(quern_event_t event, quern_result_t result, void *data);

/** Calls `callback` once, when the group has completed: on the thread that runs destructors, where it may call, and
 * wait for, everything; or at once on this thread, if the group is complete. An event may have several, in any order.
 * Errors: quern_error_invalid_object; quern_error_invalid_argument: null. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_event_set_callback(quern_event_t event, quern_event_callback_t callback,
                                                                   void *data);

/** How far the group is. Does not wait. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_event_get_status(quern_event_t event, quern_event_status_t *out_status);

/** Errors: quern_error_invalid_object; quern_error_invalid_argument: null;
 * quern_error_invalid_operation: the queue has no quern_queue_profiling, or the group is not complete. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_event_get_profiling(quern_event_t event,
                                                                    quern_event_times_t *out_times);

#ifdef __cplusplus
}
#endif

#endif
