/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The OpenCL backend's own interface: native objects with their types. Needs OpenCL's headers, not its library. */
#ifndef QUERN_OPENCL_H
#define QUERN_OPENCL_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#include <CL/cl.h>
/* The tables of info name constants of extensions, too. */
#include <CL/cl_ext.h>

#include "quern/interop.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which handle has which native object:
 *   quern_platform_t   cl_platform_id     not counted
 *   quern_device_t     cl_device_id       these and all below come retained: the caller calls clRelease...
 *   quern_context_t    cl_context
 *   quern_queue_t      cl_command_queue
 *   quern_event_t      cl_event           or a user event with the group's outcome
 *   quern_memory_t     cl_mem             per context
 *   quern_program_t    cl_program
 *   quern_kernel_t     cl_kernel
 *   quern_sampler_t    cl_sampler
 * Ownership, threads and errors: see the function of quern/native.h, or quern/group.h, with the same name less
 * `opencl_`. */

/* ------------------------------------------------------------ from a handle */

#define QUERN_OPENCL_GET_NATIVE(object, type)                                                                       \
  QUERN_MUST_CHECK static inline quern_result_t quern_opencl_##object##_get_native(quern_##object##_t object,       \
                                                                                   type *out_native) {              \
    void *native = NULL;                                                                                            \
    quern_result_t result = quern_##object##_get_native(object, quern_backend_opencl, out_native ? &native : NULL); \
    if (result == quern_success && out_native) *out_native = (type)native;                                          \
    return result;                                                                                                  \
  }
QUERN_OPENCL_GET_NATIVE(platform, cl_platform_id)
QUERN_OPENCL_GET_NATIVE(device, cl_device_id)
QUERN_OPENCL_GET_NATIVE(context, cl_context)
QUERN_OPENCL_GET_NATIVE(queue, cl_command_queue)
QUERN_OPENCL_GET_NATIVE(event, cl_event)
QUERN_OPENCL_GET_NATIVE(program, cl_program)
QUERN_OPENCL_GET_NATIVE(kernel, cl_kernel)
QUERN_OPENCL_GET_NATIVE(sampler, cl_sampler)
#undef QUERN_OPENCL_GET_NATIVE

QUERN_MUST_CHECK static inline quern_result_t quern_opencl_memory_get_native(quern_memory_t memory,
                                                                             quern_context_t context,
                                                                             cl_mem *out_native) {
  void *native = NULL;
  quern_result_t result = quern_memory_get_native(memory, context, out_native ? &native : NULL);
  if (result == quern_success && out_native) *out_native = (cl_mem)native;
  return result;
}

/* ------------------------------------------------------------ to a handle */

QUERN_MUST_CHECK static inline quern_result_t quern_opencl_platform_make_from_native(cl_platform_id native,
                                                                                     quern_platform_t *out_platform) {
  return quern_platform_make_from_native(quern_backend_opencl, (void *)native, out_platform);
}

QUERN_MUST_CHECK static inline quern_result_t quern_opencl_device_make_from_native(cl_device_id native,
                                                                                   quern_ownership_t ownership,
                                                                                   quern_device_t *out_device) {
  return quern_device_make_from_native(quern_backend_opencl, (void *)native, ownership, out_device);
}

QUERN_MUST_CHECK static inline quern_result_t quern_opencl_context_make_from_native(cl_context native,
                                                                                    quern_ownership_t ownership,
                                                                                    quern_async_handler_t handler,
                                                                                    void *data,
                                                                                    quern_context_t *out_context) {
  return quern_context_make_from_native(quern_backend_opencl, (void *)native, ownership, handler, data, out_context);
}

#define QUERN_OPENCL_MAKE(object, type)                                                                      \
  QUERN_MUST_CHECK static inline quern_result_t quern_opencl_##object##_make_from_native(                    \
      quern_context_t context, type native, quern_ownership_t ownership, quern_##object##_t *out_##object) { \
    return quern_##object##_make_from_native(context, (void *)native, ownership, out_##object);              \
  }
QUERN_OPENCL_MAKE(queue, cl_command_queue)
QUERN_OPENCL_MAKE(event, cl_event)
QUERN_OPENCL_MAKE(program, cl_program)
QUERN_OPENCL_MAKE(kernel, cl_kernel)
QUERN_OPENCL_MAKE(sampler, cl_sampler)
#undef QUERN_OPENCL_MAKE

QUERN_MUST_CHECK static inline quern_result_t quern_opencl_memory_make_from_native(
    quern_context_t context, cl_mem native, quern_ownership_t ownership, bool is_bound, quern_memory_t *out_memory) {
  return quern_memory_make_from_native(context, (void *)native, ownership, is_bound, out_memory);
}

/* ------------------------------------------------------------ in an interop task */

static inline cl_context quern_opencl_handle_get_context(quern_handle_t handle) {
  void *native = NULL;
  return quern_handle_get_context(handle, &native) == quern_success ? (cl_context)native : NULL;
}

static inline cl_device_id quern_opencl_handle_get_device(quern_handle_t handle) {
  void *native = NULL;
  return quern_handle_get_device(handle, &native) == quern_success ? (cl_device_id)native : NULL;
}

static inline cl_command_queue quern_opencl_handle_get_queue(quern_handle_t handle) {
  void *native = NULL;
  return quern_handle_get_queue(handle, &native) == quern_success ? (cl_command_queue)native : NULL;
}

/** The memory object behind the accessor; null, and the group fails, when it has none. */
static inline cl_mem quern_opencl_handle_get_mem(quern_handle_t handle, quern_accessor_t accessor) {
  void *native = NULL;
  return quern_handle_get_mem(handle, accessor, &native) == quern_success ? (cl_mem)native : NULL;
}

/** The older name of quern_opencl_handle_get_mem. */
static inline cl_mem quern_opencl_handle_get_buffer(quern_handle_t handle, quern_accessor_t accessor) {
  return quern_opencl_handle_get_mem(handle, accessor);
}

#ifdef __cplusplus
}
#endif

#endif
