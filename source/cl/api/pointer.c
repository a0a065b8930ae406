/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Copies and fills between addresses. They need no lookup: fine-grain system
 * sharing allows any. */
#include "cl/api/pointer.h"

#include "cl/api/validate.h"
#include "cl/object/mux_error.h"
#include "cl/queueing/refuse.h"
#include "cl/queueing/shared_memory.h"

cl_int validate_sharing(const char *function, cl_context context) {
  REQUIRE(shared_memory_is_supported(context), function, context, CL_INVALID_OPERATION,
          "no device of the context shares the host's memory");
  return CL_SUCCESS;
}

static bool is_range(const void *pointer, size_t size) { return pointer && size <= UINTPTR_MAX - (uintptr_t)pointer; }

static bool ranges_overlap(const void *a, const void *b, size_t size) {
  uintptr_t first = (uintptr_t)a, second = (uintptr_t)b;
  return first < second ? second - first < size : first - second < size;
}

cl_int validate_pointer_copy(const char *function, cl_context context, const void *destination, const void *source,
                             size_t size) {
  REQUIRE(is_range(destination, size) && is_range(source, size), function, context, CL_INVALID_VALUE,
          "source %p or destination %p is null, or %zu bytes are too many", source, destination, size);
  REQUIRE(!ranges_overlap(destination, source, size), function, context, CL_MEM_COPY_OVERLAP,
          "source and destination overlap");
  return CL_SUCCESS;
}

cl_int validate_pointer_fill(const char *function, cl_context context, const void *destination, const void *pattern,
                             size_t pattern_size, size_t size) {
  REQUIRE(pattern && pattern_size_is_valid(pattern_size), function, context, CL_INVALID_VALUE,
          "the pattern is null or its size, %zu bytes, is none of 1, 2, 4 ... 128", pattern_size);
  REQUIRE(is_range(destination, size) && (uintptr_t)destination % pattern_size == 0, function, context,
          CL_INVALID_VALUE, "destination %p is null, not aligned to the pattern, or %zu bytes are too many",
          destination, size);
  REQUIRE(size % pattern_size == 0, function, context, CL_INVALID_VALUE,
          "size %zu is not a multiple of the pattern's %zu bytes", size, pattern_size);
  return CL_SUCCESS;
}

cl_int record_pointer_copy(mux_command_buffer_t command_buffer, void *destination, const void *source, size_t size) {
  if (size == 0) return CL_SUCCESS;
  return error_from_mux(muxCommandCopyPointer(command_buffer, destination, source, size, 0, NULL, NULL),
                        CL_OUT_OF_RESOURCES);
}

cl_int record_pointer_fill(mux_command_buffer_t command_buffer, void *destination, const void *pattern,
                           size_t pattern_size, size_t size) {
  if (size == 0) return CL_SUCCESS;
  return error_from_mux(muxCommandFillPointer(command_buffer, destination, size, pattern, pattern_size, 0, NULL, NULL),
                        CL_OUT_OF_RESOURCES);
}

cl_int enqueue_pointer_copy(const char *function, const enqueue_t *enqueue, cl_bool blocking, void *destination,
                            const void *source, size_t size) {
  TRY(enqueue_validate(enqueue));
  cl_context context = queue_context(enqueue->queue);
  TRY(validate_sharing(function, context));
  TRY(validate_pointer_copy(function, context, destination, source, size));
  command_t *command;
  TRY(enqueue_begin(enqueue, &command));
  return enqueue_end(command, record_pointer_copy(enqueue_command_buffer(command), destination, source, size),
                     blocking);
}

cl_int enqueue_pointer_fill(const char *function, const enqueue_t *enqueue, void *destination, const void *pattern,
                            size_t pattern_size, size_t size) {
  TRY(enqueue_validate(enqueue));
  cl_context context = queue_context(enqueue->queue);
  TRY(validate_sharing(function, context));
  TRY(validate_pointer_fill(function, context, destination, pattern, pattern_size, size));
  command_t *command;
  TRY(enqueue_begin(enqueue, &command));
  cl_int error = record_pointer_fill(enqueue_command_buffer(command), destination, pattern, pattern_size, size);
  return enqueue_end(command, error, CL_FALSE);
}

cl_int enqueue_nothing(const enqueue_t *enqueue, cl_bool blocking) {
  command_t *command;
  TRY(enqueue_begin(enqueue, &command));
  return enqueue_end(command, CL_SUCCESS, blocking);
}
