/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Queues: where command groups are submitted. Include quern/interop.h. */
#ifndef QUERN_QUEUE_H
#define QUERN_QUEUE_H

#include "quern/context.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Properties of a queue, or-ed. */
enum {
  /** Groups are ordered by their requirements alone, and otherwise run together; an interop task still has the queue
   * for itself. Without: each group begins when the one before has completed. */
  quern_queue_out_of_order = 1 << 0,
  /** quern_event_get_profiling gives times. */
  quern_queue_profiling = 1 << 1
};
typedef uint32_t quern_queue_flags_t;

/** A queue to a device of the context. `handler` (may be null) gets the errors of its groups; see quern_context_create.
 * On a device that has no out-of-order queues, groups that may run together run one after another.
 * Errors: quern_error_invalid_object; quern_error_invalid_argument: the device is not the context's, unknown flags,
 * null; quern_error_backend_failure; quern_error_invalid_operation: called in an interop task. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_queue_create(quern_context_t context, quern_device_t device,
                                                             quern_queue_flags_t flags, quern_async_handler_t handler,
                                                             void *data, quern_queue_t *out_queue);

/** Who gets the errors of groups that are submitted later; null: the context's handler. For a queue that was made of a
 * native one. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_queue_set_handler(quern_queue_t queue, quern_async_handler_t handler,
                                                                  void *data);

/** One more reference, or one less. Submitted groups of a released queue run all the same; nothing is waited for. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_queue_retain(quern_queue_t queue);
QUERN_API quern_result_t quern_queue_release(quern_queue_t queue);

/** Context and device are not retained for the caller. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_queue_get_context(quern_queue_t queue, quern_context_t *out_context);
QUERN_API QUERN_MUST_CHECK quern_result_t quern_queue_get_device(quern_queue_t queue, quern_device_t *out_device);
QUERN_API QUERN_MUST_CHECK quern_result_t quern_queue_get_flags(quern_queue_t queue, quern_queue_flags_t *out_flags);

/** Waits until all groups submitted before the call have completed. Their errors have then been given to the handlers;
 * the result does not tell them (quern_event_wait does).
 * Errors: quern_error_invalid_object; quern_error_invalid_operation: called in a function that the library runs. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_queue_wait(quern_queue_t queue);
/** The same for at most `nanoseconds`; 0 only looks.
 * Errors also: quern_error_timed_out: some of them are not complete. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_queue_wait_for(quern_queue_t queue, uint64_t nanoseconds);

#ifdef __cplusplus
}
#endif

#endif
