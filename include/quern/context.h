/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Contexts: devices that share memory objects; where asynchronous errors go. Include quern/interop.h. */
#ifndef QUERN_CONTEXT_H
#define QUERN_CONTEXT_H

#include "quern/device.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A context. Counted. */
typedef struct quern_context_s *quern_context_t;
/** A queue; see quern/queue.h. */
typedef struct quern_queue_s *quern_queue_t;
/** The outcome of a command group; see quern/event.h. */
typedef struct quern_event_s *quern_event_t;

/** What an asynchronous error handler is told. All of it belongs to the library and lives while the handler runs; what
 * is to be kept longer is retained, or copied. */
typedef struct quern_async_error_t {
  quern_result_t result;
  /** One line, never null. */
  const char *message;
  /** Where the group was submitted. */
  quern_queue_t queue;
  /** The group that failed; it completes when the handler has returned. */
  quern_event_t event;
} quern_async_error_t;

/** Called once for each command group that fails, but not for those that fail because it did. It runs on any thread,
 * also inside of calls of the library, with no lock held. It may call what does not wait. */
typedef void (*quern_async_handler_t)(const quern_async_error_t *error, void *data);

/** A context of `count` devices, all of one platform. Errors of its queues' groups go to the queue's handler, else to
 * `handler`, else to one that prints to stderr; `data` must live as long as the context and its groups.
 * Errors: quern_error_invalid_argument: no device, devices of several platforms; quern_error_invalid_object: a bad
 * device; quern_error_feature_not_supported: the OpenCL library has not all functions of OpenCL 1.2;
 * quern_error_backend_failure; quern_error_invalid_operation: called in an interop task. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_context_create(size_t count, const quern_device_t *devices,
                                                               quern_async_handler_t handler, void *data,
                                                               quern_context_t *out_context);

/** One more reference, or one less. What the library still needs of a released context lives on. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_context_retain(quern_context_t context);
QUERN_API quern_result_t quern_context_release(quern_context_t context);

/** The platform that all its devices are of. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_context_get_platform(quern_context_t context,
                                                                     quern_platform_t *out_platform);
/** Its devices, as they were given; outputs as for quern_platform_list. They are not retained for the caller. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_context_get_devices(quern_context_t context, size_t capacity,
                                                                    quern_device_t *out_devices, size_t *out_count);

#ifdef __cplusplus
}
#endif

#endif
