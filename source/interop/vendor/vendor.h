/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Registered tables of functions as backends. */
#ifndef INTEROP_VENDOR_VENDOR_H
#define INTEROP_VENDOR_VENDOR_H

#include "interop/object/registry.h"
#include "interop/object/runtime.h"
#include "quern/vendor.h"

/** One registration; lives as long as the process. */
typedef struct vendor_t {
  interop_backend_t backend;
  quern_vendor_functions_t functions;
  void *data;
  char *name;
} vendor_t;

static inline vendor_t *vendor_of(const interop_backend_state_t *state) {
  return (vendor_t *)((uintptr_t)state->backend - offsetof(vendor_t, backend));
}

extern const interop_runtime_t vendor_runtime;

/** Makes sure that a failed function left a message, and not one from before it. Begin with vendor_call. */
#define VENDOR_CALL(vendor, function, ...) \
  (vendor_begin(), vendor_end((vendor)->functions.function((vendor)->data, __VA_ARGS__), #function))
void vendor_begin(void);
QUERN_MUST_CHECK quern_result_t vendor_end(quern_result_t result, const char *function);

/* platform.c */
quern_result_t vendor_open(interop_backend_state_t *state);
quern_result_t vendor_read_device(quern_device_t device);
quern_result_t vendor_find_platform(interop_backend_state_t *state, void *native, void **out_platform);
quern_result_t vendor_retain_device(interop_backend_state_t *state, void *native);
void vendor_release_device(interop_backend_state_t *state, void *native);

/* dispatch.c */
quern_result_t vendor_dispatch(interop_node_t *node, quern_queue_t queue);

#endif
