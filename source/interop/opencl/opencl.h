/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The OpenCL backend: every platform of the ICD loader. */
#ifndef INTEROP_OPENCL_OPENCL_H
#define INTEROP_OPENCL_OPENCL_H

#include "interop/object/registry.h"
#include "interop/object/runtime.h"
#include "interop/opencl/api.h"

/** The table of an open backend. */
static inline const opencl_api_t *opencl_api_of(const interop_backend_state_t *state) { return state->data; }

/** Fails with the function's name and the error's. */
QUERN_MUST_CHECK quern_result_t opencl_fail(const char *function, cl_int error);

/** Fill in the facts. What the driver does not tell stays 0 or ""; only running out of memory is a failure. */
QUERN_MUST_CHECK quern_result_t opencl_platform_read(quern_platform_t platform);
QUERN_MUST_CHECK quern_result_t opencl_device_read(quern_device_t device);

/* The functions of interop_runtime_t (runtime.h), by file. */
extern const interop_runtime_t opencl_runtime;

/* object.c */
quern_result_t opencl_retain(interop_backend_state_t *state, quern_object_t object, void *native);
void opencl_release(interop_backend_state_t *state, quern_object_t object, void *native);
quern_result_t opencl_find_context(interop_backend_state_t *state, quern_object_t object, void *native,
                                   void **out_context);

/* context.c */
quern_result_t opencl_open_context(quern_context_t context);
quern_result_t opencl_read_context(interop_backend_state_t *state, void *native, void **out_platform,
                                   void ***out_devices, size_t *out_count);
quern_result_t opencl_open_queue(quern_queue_t queue);
quern_result_t opencl_read_queue(interop_backend_state_t *state, void *native, void **out_context, void **out_device,
                                 quern_queue_flags_t *out_flags);
void opencl_flush(quern_queue_t queue);

/* program.c */
quern_result_t opencl_create_program(quern_context_t context, const char *source, const char *options,
                                     void **out_native);
quern_result_t opencl_create_sampler(quern_context_t context, const quern_sampler_description_t *description,
                                     void **out_native);
quern_result_t opencl_create_kernel(quern_program_t program, const char *name, void **out_native);

/* memory.c */
quern_result_t opencl_create_memory(const struct quern_memory_s *memory, quern_context_t context, void *host,
                                    bool is_initial, void **out_native);
quern_result_t opencl_create_part(quern_context_t context, void *whole, size_t offset, size_t size, void **out_native);
quern_result_t opencl_hold_storage(interop_backend_state_t *state, void *native, interop_storage_t *storage);
quern_result_t opencl_read_memory(interop_backend_state_t *state, void *native, quern_memory_t memory);
quern_result_t opencl_move(quern_queue_t queue, const struct quern_memory_s *memory, void *native,
                           interop_direction_t direction, size_t offset, size_t size, void *host);
quern_result_t opencl_map(quern_queue_t queue, void *native, quern_access_t access, size_t offset, size_t size,
                          void **out_pointer);
quern_result_t opencl_unmap(quern_queue_t queue, void *native, void *pointer);

/* unified.c */
/** Looks for cl_intel_unified_shared_memory. Only running out of memory is a failure. */
QUERN_MUST_CHECK quern_result_t opencl_find_usm(quern_platform_t platform);
quern_result_t opencl_allocate(quern_context_t context, quern_device_t device, int kind, size_t size, size_t alignment,
                               void **out_pointer);
void opencl_deallocate(quern_context_t context, void *pointer);

/* dispatch.c */
quern_result_t opencl_dispatch(interop_node_t *node, quern_queue_t queue);

/* event.c */
bool opencl_watch(interop_node_t *node);
interop_outcome_t opencl_poll(interop_backend_state_t *state, void *event);
void opencl_wait(interop_backend_state_t *state, void *event);
bool opencl_has_started(interop_backend_state_t *state, void *event);
void opencl_profile(interop_backend_state_t *state, void *event, uint64_t submitted, uint64_t *out_started,
                    uint64_t *out_ended);
quern_result_t opencl_create_event(quern_context_t context, void **out_event);
void opencl_complete_event(interop_backend_state_t *state, void *event, bool success);

#endif
