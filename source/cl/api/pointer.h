/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Commands on addresses: shared for shared virtual memory, unified shared memory and command buffers. */
#ifndef CL_API_POINTER_H
#define CL_API_POINTER_H

#include "cl/queueing/enqueue.h"

/** CL_INVALID_OPERATION: no device of the context shares the host's memory. */
cl_int validate_sharing(const char *function, cl_context context);

/** CL_INVALID_VALUE: a null pointer, a range that leaves the address space. CL_MEM_COPY_OVERLAP. */
cl_int validate_pointer_copy(const char *function, cl_context context, const void *destination, const void *source,
                             size_t size);
/** CL_INVALID_VALUE: null pointers; a pattern of another size than 1, 2, 4 ... 128; a destination not aligned to it; a
 * size that is no multiple of it. */
cl_int validate_pointer_fill(const char *function, cl_context context, const void *destination, const void *pattern,
                             size_t pattern_size, size_t size);

/** Records what was found valid; nothing when `size` is 0. */
cl_int record_pointer_copy(mux_command_buffer_t command_buffer, void *destination, const void *source, size_t size);
cl_int record_pointer_fill(mux_command_buffer_t command_buffer, void *destination, const void *pattern,
                           size_t pattern_size, size_t size);

/** The whole call: validation, `enqueue`'s included, and the command. */
cl_int enqueue_pointer_copy(const char *function, const enqueue_t *enqueue, cl_bool blocking, void *destination,
                            const void *source, size_t size);
cl_int enqueue_pointer_fill(const char *function, const enqueue_t *enqueue, void *destination, const void *pattern,
                            size_t pattern_size, size_t size);
/** A command that has nothing to do but keep its place in the queue; `enqueue` is valid. */
cl_int enqueue_nothing(const enqueue_t *enqueue, cl_bool blocking);

#endif
