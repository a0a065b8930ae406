/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Command groups: accessors, one action, submission; what tasks get. Include quern/interop.h. */
#ifndef QUERN_GROUP_H
#define QUERN_GROUP_H

#include "quern/event.h"
#include "quern/memory.h"
#include "quern/program.h"
#include "quern/queue.h"
#include "quern/sampler.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A command group while it is being made: by one thread at a time. Submitting or discarding ends it. */
typedef struct quern_group_s *quern_group_t;

/** For whom a group's accessor is satisfied. */
typedef enum quern_target_e {
  /** For whoever runs the action: the device; the host for host tasks, and for all that runs on the host backend. */
  quern_target_action,
  /** For the host, in a task that otherwise works on the device. */
  quern_target_host
} quern_target_t;

/** A range of a memory object and its use: a value, which may be copied, and says nothing about ownership: the memory
 * object is kept by the groups that require the accessor, until they complete. Members are for reading. */
typedef struct quern_accessor_t {
  quern_memory_t memory;
  quern_access_t access;
  /** Bytes. */
  size_t offset, size;
  /** Tells this accessor and its copies from all others. */
  uint64_t id;
  quern_target_t target;
} quern_accessor_t;

/** Range of a kernel, as clEnqueueNDRangeKernel has it; a first local size of 0: the device's choice. */
typedef struct quern_range_t {
  uint32_t dimensions;
  size_t offset[3], global[3], local[3];
} quern_range_t;

/** What a task gets: immutable, passed by value, good while the task runs, on all its threads. 0: null. */
typedef struct quern_handle_t {
  uint64_t id;
} quern_handle_t;

/** A host function. What it returns is the group's outcome. `data` is what the group was given. */
typedef quern_result_t (*quern_task_t)(quern_handle_t handle, void *data);
/** A host function for one point of a range. */
typedef void (*quern_host_kernel_t)(quern_handle_t handle, const size_t point[3], void *data);

/* ------------------------------------------------------------ accessors */

/** An accessor that no group requires yet (a placeholder). `size` 0: to the end. Images only as a whole.
 * Errors: quern_error_invalid_object; quern_error_invalid_argument: beyond the end, unlisted access, null; part of an
 * image; quern_error_invalid_operation: called in an interop task. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_accessor_make(quern_memory_t memory, quern_access_t access,
                                                              size_t offset, size_t size,
                                                              quern_accessor_t *out_accessor);

/** The same for the host (quern_target_host): an interop task has its address by quern_handle_get_pointer, beside the
 * native objects of its other accessors. Only tasks and host kernels use such accessors. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_accessor_make_for_host(quern_memory_t memory, quern_access_t access,
                                                                       size_t offset, size_t size,
                                                                       quern_accessor_t *out_accessor);

/* ------------------------------------------------------------ making a group
 * Errors of all functions on groups: quern_error_invalid_object; quern_error_invalid_argument: null or unlisted. The
 * group stays as it was. */

/** A group for `queue`.
 * Errors also: quern_error_invalid_operation: called in an interop task. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_group_create(quern_queue_t queue, quern_group_t *out_group);

/** Ends a group that is not to be submitted. Its destructor (quern_group_set_destructor) is called. */
QUERN_API quern_result_t quern_group_discard(quern_group_t group);

/** Makes the accessor a requirement of the group: it runs when earlier groups that conflict have completed, on the
 * newest contents.
 * Errors also: quern_error_wrong_context: the memory object is bound to another context than that of the queue or the
 * fallback queue: nothing happens to it. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_group_require(quern_group_t group, quern_accessor_t accessor);

/** quern_accessor_make and quern_group_require in one. `out_accessor` may be null. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_group_access(quern_group_t group, quern_memory_t memory,
                                                             quern_access_t access, size_t offset, size_t size,
                                                             quern_accessor_t *out_accessor);

/** The group also waits for the event's group, and fails if that fails. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_group_depend(quern_group_t group, quern_event_t event);

/** When the action fails on the group's queue, it is tried once more on `queue`; then that outcome counts. Contents are
 * not restored in between. Before an action is set.
 * Errors also: quern_error_wrong_context: a required memory object is bound to another context. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_group_set_fallback(quern_group_t group, quern_queue_t queue);

/** `destroy(data)` is called once when neither the action nor its data are needed any more: after the action ran, or
 * never will; for a submitted group soon after it completed, by a thread of the library that does nothing else, so the
 * last references of other objects may be given back there, and others be waited for. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_group_set_destructor(quern_group_t group, void (*destroy)(void *data),
                                                                     void *data);

/* ------------------------------------------------------------ actions
 * One per group; without, the group only waits for what it requires. All accessors must be required by the group.
 * Errors of all: quern_error_invalid_operation: the group has an action; quern_error_invalid_argument: the accessor is
 * not required, or does not allow it. */

/** A kernel of the queue's context over `range`; then quern_group_set_argument....
 * Errors also: quern_error_wrong_context: the kernel is of another context than queue and fallback queue;
 * quern_error_feature_not_supported: the host has no kernels. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_group_set_kernel(quern_group_t group, quern_kernel_t kernel,
                                                                 const quern_range_t *range);
/** Argument `index` of the kernel: `size` bytes, copied; `value` null: so much local memory. Sets of arguments that the
 * backend refuses fail the group, and so does one that is not set: no group has the arguments of another. Arguments may
 * be set before the kernel; a group that has some then gets no other action.
 * Errors also: quern_error_invalid_operation: the action is no kernel. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_group_set_argument(quern_group_t group, uint32_t index, size_t size,
                                                                   const void *value);
/** The memory object of the accessor as an argument: as a whole, the kernel adds the offset. Of a part of a buffer: the
 * part. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_group_set_argument_accessor(quern_group_t group, uint32_t index,
                                                                            quern_accessor_t accessor);

/** A sampler of the queue's context as an argument; it is kept until the group completes.
 * Errors also: quern_error_wrong_context. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_group_set_argument_sampler(quern_group_t group, uint32_t index,
                                                                           quern_sampler_t sampler);

/** A host function over a range, on a queue of the host backend. Points may run in any order.
 * Errors also: quern_error_feature_not_supported: the queue is not of the host. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_group_set_host_kernel(quern_group_t group, quern_host_kernel_t function,
                                                                      void *data, const quern_range_t *range);

/** Copies from one accessor to another of the same size: both buffers, or both images of equal layout.
 * Errors also: quern_error_invalid_argument: other sizes; overlapping ranges of one object. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_group_set_copy(quern_group_t group, quern_accessor_t from,
                                                               quern_accessor_t to);
/** Copies the accessor's contents to memory, or memory to it; the memory must live until the group completes. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_group_set_read(quern_group_t group, quern_accessor_t from, void *to);
QUERN_API QUERN_MUST_CHECK quern_result_t quern_group_set_write(quern_group_t group, const void *from,
                                                                quern_accessor_t to);
/** Fills a buffer's range with a pattern of 1, 2, 4, ... 128 bytes, a divisor of offset and size; copied.
 * Errors also: quern_error_invalid_argument: another size of pattern; an image. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_group_set_fill(quern_group_t group, quern_accessor_t accessor,
                                                               const void *pattern, size_t pattern_size);
/** Brings the contents to the host memory that the object was made with.
 * Errors also: quern_error_invalid_argument: it was made without, its memory was copied, or it is bound. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_group_set_update_host(quern_group_t group, quern_accessor_t accessor);

/** A host function that uses its accessors on the host (quern_handle_get_pointer). It may wait for nothing of the
 * library, but make objects and submit groups. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_group_set_host_task(quern_group_t group, quern_task_t function,
                                                                    void *data);

/** A host function that uses its accessors on the device, through native calls: at its beginning the newest
 * contents are in the native memory objects of the queue's context. It has the queue for itself: groups submitted
 * there before have completed, later ones have not begun. The group completes when the function returns,
 * whatever it left enqueued: what uses memory it must have finished. On the host backend the group fails with
 * quern_error_feature_not_supported. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_group_set_interop_task(quern_group_t group, quern_task_t function,
                                                                       void *data);

/* ------------------------------------------------------------ submission */

/** Submits the group, which is then no handle any more, and does not wait for it. `out_event` may be null; otherwise it
 * is to be released.
 * Errors: those above; quern_error_invalid_operation: it has arguments, and no kernel; the group is then still the
 * caller's. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_group_submit(quern_group_t group, quern_event_t *out_event);

/* ------------------------------------------------------------ in a task
 * Errors here fail the group as well, and reach the handler, whatever the task returns. A handle that is null, or
 * whose task has returned, gives quern_error_invalid_object and fails nothing. */

/** The native context, device and queue of the running group; with a fallback queue those of that one. Not retained.
 * Null on the host backend.
 * Errors: quern_error_invalid_object; quern_error_invalid_argument: null. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_handle_get_context(quern_handle_t handle, void **out_native);
QUERN_API QUERN_MUST_CHECK quern_result_t quern_handle_get_device(quern_handle_t handle, void **out_native);
QUERN_API QUERN_MUST_CHECK quern_result_t quern_handle_get_queue(quern_handle_t handle, void **out_native);
/** The backend that these are of. Errors as above. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_handle_get_backend(quern_handle_t handle, quern_backend_t *out_backend);

/** The native memory object behind an accessor of the interop task's group: the whole object. Not retained; whoever
 * retains it may keep it, as is said of quern_memory_get_native.
 * Errors: quern_error_invalid_object: the group does not require the accessor;
 * quern_error_feature_not_supported: not an interop task, or an accessor for the host; quern_error_invalid_argument:
 * null. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_handle_get_mem(quern_handle_t handle, quern_accessor_t accessor,
                                                               void **out_native);

/** The address of the accessor's range: in a host task or host kernel, and of an accessor for the host in an interop
 * task. Errors as for quern_handle_get_mem. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_handle_get_pointer(quern_handle_t handle, quern_accessor_t accessor,
                                                                   void **out_pointer);

/** Makes the group fail with `result` and `message`, whatever its function returns; the first failure counts. The
 * message is copied, as one line; null: the text of the result. Returns `result`:
 * `return quern_handle_fail(handle, quern_error_task_failed, "no plan")`.
 * Errors: quern_error_invalid_object; quern_error_invalid_argument: `result` is no failure. */
QUERN_API quern_result_t quern_handle_fail(quern_handle_t handle, quern_result_t result, const char *message);

#ifdef __cplusplus
}
#endif

#endif
