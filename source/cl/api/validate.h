/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Rules that several entry points share. Each function says which code it gives for which condition, and logs why. */
#ifndef CL_API_VALIDATE_H
#define CL_API_VALIDATE_H

#include "cl/memory/memory.h"
#include "cl/queueing/enqueue.h"
#include "cl/queueing/queue.h"

/** CL_INVALID_MEM_OBJECT: not a buffer. CL_INVALID_CONTEXT: not of the queue's context.
 * CL_MISALIGNED_SUB_BUFFER_OFFSET: a sub-buffer that the queue's device cannot address. The queue is valid. */
cl_int validate_buffer(const char *function, cl_command_queue queue, cl_mem buffer);

/** CL_INVALID_OPERATION: the buffer was created so that the host does not read (or write) it. */
cl_int validate_host_read(const char *function, cl_mem buffer);
cl_int validate_host_write(const char *function, cl_mem buffer);

/** True when `offset` to `offset + size` lies inside `total` bytes. */
bool range_is_inside(size_t offset, size_t size, size_t total);

/** CL_INVALID_VALUE: the range is not inside the buffer. */
cl_int validate_range(const char *function, cl_mem buffer, size_t offset, size_t size);

/** The sizes of OpenCL C's scalars and vectors. */
bool pattern_size_is_valid(size_t size);
/** Known flags that do not contradict each other. */
bool map_flags_are_valid(cl_map_flags flags);
bool migration_flags_are_valid(cl_mem_migration_flags flags);

/** CL_INVALID_VALUE: a count without a list, or a list without a count. CL_INVALID_DEVICE: one is not in `devices`. */
cl_int validate_device_list(const char *function, cl_context context, cl_uint count, const cl_device_id *list,
                            cl_uint device_count, const cl_device_id *devices);

/** Writes an error code where the application wants it. */
static inline void error_answer(cl_int *out_error, cl_int error) {
  if (out_error) *out_error = error;
}

/** Ends a command begun with enqueue_begin: gives it up when `error` says so, else commits it. */
static inline cl_int enqueue_end(command_t *command, cl_int error, cl_bool blocking) {
  return error == CL_SUCCESS ? enqueue_commit(command, blocking) : enqueue_abort(command, error);
}

#endif
