/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Contexts. */
#ifndef INTEROP_OBJECT_CONTEXT_H
#define INTEROP_OBJECT_CONTEXT_H

#include "interop/object/registry.h"
#include "quern/context.h"

/** Constant once made, but for the queue of transfers. */
struct quern_context_s {
  interop_object_t object;
  interop_backend_state_t *state;
  quern_platform_t platform;
  quern_device_t *devices;
  size_t device_count;
  /** Null on the host. */
  void *native;
  quern_async_handler_t handler;
  void *handler_data;
  /** All devices use the host's memory, at addresses of this alignment. */
  bool shares_host;
  size_t alignment;
  /** Where the library's own transfers go: a queue without references of its own, which lives in the context. */
  quern_queue_t transfers;
};

QUERN_MUST_CHECK quern_result_t interop_context_check(quern_context_t context);

static inline bool interop_context_is_host(const struct quern_context_s *context) {
  return context->state->backend->runtime == NULL;
}
static inline void interop_context_hold(quern_context_t context) { interop_object_hold(&context->object); }
void interop_context_drop(quern_context_t context);

#endif
