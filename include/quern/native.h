/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Native objects of a backend: from a handle, and to a handle. Include quern/interop.h. */
#ifndef QUERN_NATIVE_H
#define QUERN_NATIVE_H

#include "quern/event.h"
#include "quern/memory.h"
#include "quern/program.h"
#include "quern/queue.h"
#include "quern/sampler.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A native object goes through these functions as a void pointer: OpenCL's handles are pointers. The header of a
 * backend (quern/opencl.h) wraps them with the backend's own types; prefer those. */

/** X(name): the kinds of objects that may have a native object. */
#define QUERN_OBJECT_LIST(X) \
  X(platform) X(device) X(context) X(queue) X(event) X(buffer) X(image) X(program) X(kernel) X(sampler)

typedef enum quern_object_e {
#define QUERN_OBJECT_ENUM(name) quern_object_##name,
  QUERN_OBJECT_LIST(QUERN_OBJECT_ENUM)
#undef QUERN_OBJECT_ENUM
      quern_object_total
} quern_object_t;

/** Who holds the caller's reference to a native object after a make function. */
typedef enum quern_ownership_e {
  /** The caller goes on holding it; the library takes one of its own. */
  quern_ownership_retain,
  /** The library, if the function succeeds. */
  quern_ownership_transfer
} quern_ownership_t;

/** Whether objects of this kind have native objects in the backend, be the backend active or not: for OpenCL all kinds
 * have; for the host none. False for values that are not listed. */
QUERN_API bool quern_backend_has_native(quern_backend_t backend, quern_object_t object);

/** The platform's native object: for OpenCL its cl_platform_id. Nothing to release: OpenCL does not count platforms.
 * `backend` says what the caller takes the result for.
 * Errors: quern_error_invalid_object; quern_error_invalid_argument: `out_native` is null, `backend` is not listed;
 * quern_error_backend_mismatch: the platform is not of `backend`;
 * quern_error_feature_not_supported: the backend has no native platforms. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_platform_get_native(quern_platform_t platform, quern_backend_t backend,
                                                                    void **out_native);

/** The device's native object: for OpenCL its cl_device_id. It comes with a reference of the caller's own, to be
 * released with clReleaseDevice (which does nothing for a root device).
 * Errors: as for quern_platform_get_native; quern_error_backend_failure: the native object could not be retained. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_device_get_native(quern_device_t device, quern_backend_t backend,
                                                                  void **out_native);

/** The platform whose native object is `native`. It must be one that the backend lists: other values are refused, and
 * not looked into.
 * Errors: quern_error_invalid_argument: `native` or `out_platform` is null, or no platform has it; those of
 * quern_backend_check; quern_error_feature_not_supported: the backend has no native platforms. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_platform_make_from_native(quern_backend_t backend, void *native,
                                                                          quern_platform_t *out_platform);

/** The device whose native object is `native`: a root device, or a sub-device, which gets a handle here. Equal native
 * objects give equal handles as long as one lives. `native` must be null or a living device of that backend, for the
 * backend is asked about it. Give the handle back with quern_device_release.
 * `ownership`: retain: the handle holds a native reference of its own until it goes; transfer: the caller's reference
 * becomes the library's, on success only.
 * Errors: quern_error_invalid_argument: `native` or `out_device` is null, `ownership` is not listed, or the device is
 * of a platform that the backend does not list; quern_error_backend_failure: the backend knows no such device, or could
 * not retain it; those of quern_backend_check; quern_error_feature_not_supported: the backend has no native devices;
 * quern_error_invalid_operation: called in an interop task. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_device_make_from_native(quern_backend_t backend, void *native,
                                                                        quern_ownership_t ownership,
                                                                        quern_device_t *out_device);

/* ------------------------------------------------------------ objects of a context
 * Each get function gives a native object with a reference of the caller's own, to be released as the backend releases
 * it (clRelease...). Each make function makes a new handle, even of a native object that has one. `ownership` is as for
 * devices. Errors of all: quern_error_invalid_object; quern_error_invalid_argument: a null pointer, an unlisted value;
 * quern_error_backend_mismatch: the object (or context) is of another backend; quern_error_feature_not_supported: the
 * backend has no such native objects; quern_error_backend_failure; and for make functions quern_error_wrong_context:
 * the native object is of another native context; quern_error_invalid_operation: called in an interop task. */

QUERN_API QUERN_MUST_CHECK quern_result_t quern_context_get_native(quern_context_t context, quern_backend_t backend,
                                                                   void **out_native);
/** A context with the native one's devices. `handler` and `data` as for quern_context_create. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_context_make_from_native(quern_backend_t backend, void *native,
                                                                         quern_ownership_t ownership,
                                                                         quern_async_handler_t handler, void *data,
                                                                         quern_context_t *out_context);

/** Commands that the caller enqueues there are not ordered with command groups, except within an interop task. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_queue_get_native(quern_queue_t queue, quern_backend_t backend,
                                                                 void **out_native);
/** A queue whose groups run in the native one; in order or not as that one is. It has no handler of its own. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_queue_make_from_native(quern_context_t context, void *native,
                                                                       quern_ownership_t ownership,
                                                                       quern_queue_t *out_queue);

/** An event of the group's context, also for a group that has not reached the backend yet or that runs on the host: it
 * is then a user event, which gets the group's outcome. What waits for it natively must be flushed natively. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_event_get_native(quern_event_t event, quern_backend_t backend,
                                                                 void **out_native);
/** An event that completes with the native one, for quern_group_depend and for waiting. Its commands must have been
 * flushed. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_event_make_from_native(quern_context_t context, void *native,
                                                                       quern_ownership_t ownership,
                                                                       quern_event_t *out_event);

/** The memory object that holds the contents in `context`, made if there is none. Waits until the newest contents are
 * in it; they stay the newest until a group submitted later writes elsewhere. Within groups, use
 * quern_handle_get_mem. It may outlive the memory object: storage of the library's that it lies over lives as long.
 * Host memory that the memory object was made with does not: there, the native object ends before that memory.
 * Errors also: quern_error_wrong_context: bound to another context; quern_error_invalid_operation: called in a function
 * that the library runs; those of the groups waited for. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_memory_get_native(quern_memory_t memory, quern_context_t context,
                                                                  void **out_native);
/** A buffer over a native one (kind: buffer) or an image over a native one, of one, two or three dimensions. Its
 * contents are those of the native object, which is used in its context, never copied there; other contexts get copies.
 * Nobody else may change it while groups use it. Nothing is written back anywhere unless asked for.
 * A native object that a memory object has already gives that one, with one reference more: it is the same memory.
 * `is_bound`: context bound.
 * Errors also: quern_error_invalid_operation: it has a memory object already that is bound otherwise. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_memory_make_from_native(quern_context_t context, void *native,
                                                                        quern_ownership_t ownership, bool is_bound,
                                                                        quern_memory_t *out_memory);

QUERN_API QUERN_MUST_CHECK quern_result_t quern_program_get_native(quern_program_t program, quern_backend_t backend,
                                                                   void **out_native);
/** The native program must be built before kernels are made of it. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_program_make_from_native(quern_context_t context, void *native,
                                                                         quern_ownership_t ownership,
                                                                         quern_program_t *out_program);

/** The library sets the arguments of the native kernel whenever a group with it goes to the backend: the caller does
 * not, and does not enqueue it either. Of several handles over one native kernel, groups use one at a time: those of
 * the other are submitted when all of the first have completed, as each handle has a lock of its own. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_kernel_get_native(quern_kernel_t kernel, quern_backend_t backend,
                                                                  void **out_native);
QUERN_API QUERN_MUST_CHECK quern_result_t quern_kernel_make_from_native(quern_context_t context, void *native,
                                                                        quern_ownership_t ownership,
                                                                        quern_kernel_t *out_kernel);

QUERN_API QUERN_MUST_CHECK quern_result_t quern_sampler_get_native(quern_sampler_t sampler, quern_backend_t backend,
                                                                   void **out_native);
QUERN_API QUERN_MUST_CHECK quern_result_t quern_sampler_make_from_native(quern_context_t context, void *native,
                                                                         quern_ownership_t ownership,
                                                                         quern_sampler_t *out_sampler);

#ifdef __cplusplus
}
#endif

#endif
