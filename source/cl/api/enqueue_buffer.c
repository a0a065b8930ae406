/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Commands on ranges of buffers: read, write, copy, fill. A size of zero is allowed by OpenCL 3.0: the command then
 * does nothing, in its place in the queue. */
#include <string.h>

#include "cl/api/buffer_commands.h"
#include "cl/api/entry.h"
#include "cl/api/validate.h"
#include "cl/object/mux_error.h"
#include "cl/queueing/refuse.h"

CL_ENTRY cl_int CL_API_CALL clEnqueueReadBuffer(cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_read,
                                                size_t offset, size_t size, void *ptr, cl_uint num_events_in_wait_list,
                                                const cl_event *event_wait_list, cl_event *event) {
  const enqueue_t enqueue = {command_queue, CL_COMMAND_READ_BUFFER, num_events_in_wait_list, event_wait_list, event};
  TRY(enqueue_validate(&enqueue));
  TRY(validate_buffer(__func__, command_queue, buffer));
  TRY(validate_range(__func__, buffer, offset, size));
  REQUIRE(ptr, __func__, buffer->context, CL_INVALID_VALUE, "ptr is null");
  TRY(validate_host_read(__func__, buffer));

  command_t *command;
  TRY(enqueue_begin(&enqueue, &command));
  cl_int error = command_hold(command, OBJECT(buffer));
  if (error == CL_SUCCESS && size) {
    error = error_from_mux(
        muxCommandReadBuffer(enqueue_command_buffer(command), buffer->buffer, offset, ptr, size, 0, NULL, NULL),
        CL_OUT_OF_RESOURCES);
  }
  return enqueue_end(command, error, blocking_read);
}

CL_ENTRY cl_int CL_API_CALL clEnqueueWriteBuffer(cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_write,
                                                 size_t offset, size_t size, const void *ptr,
                                                 cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                                 cl_event *event) {
  const enqueue_t enqueue = {command_queue, CL_COMMAND_WRITE_BUFFER, num_events_in_wait_list, event_wait_list, event};
  TRY(enqueue_validate(&enqueue));
  TRY(validate_buffer(__func__, command_queue, buffer));
  TRY(validate_range(__func__, buffer, offset, size));
  REQUIRE(ptr, __func__, buffer->context, CL_INVALID_VALUE, "ptr is null");
  TRY(validate_host_write(__func__, buffer));

  command_t *command;
  TRY(enqueue_begin(&enqueue, &command));
  cl_int error = command_hold(command, OBJECT(buffer));
  if (error == CL_SUCCESS && size) {
    error = error_from_mux(
        muxCommandWriteBuffer(enqueue_command_buffer(command), buffer->buffer, offset, ptr, size, 0, NULL, NULL),
        CL_OUT_OF_RESOURCES);
  }
  return enqueue_end(command, error, blocking_write);
}

/** True when two ranges inside buffers of the same memory have a byte in common. */
static bool ranges_overlap(const buffer_copy_t *copy) {
  const cl_mem a = copy->source, b = copy->destination;
  if (memory_root(a) != memory_root(b) || copy->size == 0) return false;
  size_t a_start = a->origin + copy->source_offset, b_start = b->origin + copy->destination_offset;
  return a_start < b_start + copy->size && b_start < a_start + copy->size;
}

cl_int buffer_copy_validate(const char *function, cl_command_queue queue, const buffer_copy_t *copy) {
  TRY(validate_buffer(function, queue, copy->source));
  TRY(validate_buffer(function, queue, copy->destination));
  TRY(validate_range(function, copy->source, copy->source_offset, copy->size));
  TRY(validate_range(function, copy->destination, copy->destination_offset, copy->size));
  REQUIRE(!ranges_overlap(copy), function, copy->source->context, CL_MEM_COPY_OVERLAP,
          "source and destination overlap");
  return CL_SUCCESS;
}

cl_int buffer_copy_record(mux_command_buffer_t command_buffer, const buffer_copy_t *copy) {
  if (copy->size == 0) return CL_SUCCESS;
  return error_from_mux(
      muxCommandCopyBuffer(command_buffer, copy->source->buffer, copy->source_offset, copy->destination->buffer,
                           copy->destination_offset, copy->size, 0, NULL, NULL),
      CL_OUT_OF_RESOURCES);
}

CL_ENTRY cl_int CL_API_CALL clEnqueueCopyBuffer(cl_command_queue command_queue, cl_mem src_buffer, cl_mem dst_buffer,
                                                size_t src_offset, size_t dst_offset, size_t size,
                                                cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                                cl_event *event) {
  const enqueue_t enqueue = {command_queue, CL_COMMAND_COPY_BUFFER, num_events_in_wait_list, event_wait_list, event};
  const buffer_copy_t copy = {src_buffer, dst_buffer, src_offset, dst_offset, size};
  TRY(enqueue_validate(&enqueue));
  TRY(buffer_copy_validate(__func__, command_queue, &copy));

  command_t *command;
  TRY(enqueue_begin(&enqueue, &command));
  cl_int error = command_hold(command, OBJECT(src_buffer));
  if (error == CL_SUCCESS) error = command_hold(command, OBJECT(dst_buffer));
  if (error == CL_SUCCESS) error = buffer_copy_record(enqueue_command_buffer(command), &copy);
  return enqueue_end(command, error, CL_FALSE);
}

cl_int buffer_fill_make(const char *function, cl_command_queue queue, const void *pattern, buffer_fill_t *fill) {
  cl_mem buffer = fill->buffer;
  size_t pattern_size = fill->pattern_size;
  TRY(validate_buffer(function, queue, buffer));
  TRY(validate_range(function, buffer, fill->offset, fill->size));
  REQUIRE(pattern && pattern_size_is_valid(pattern_size), function, buffer->context, CL_INVALID_VALUE,
          "the pattern is null or its size, %zu bytes, is none of 1, 2, 4 ... 128", pattern_size);
  REQUIRE(fill->offset % pattern_size == 0 && fill->size % pattern_size == 0, function, buffer->context,
          CL_INVALID_VALUE, "offset %zu or size %zu is not a multiple of the pattern's %zu bytes", fill->offset,
          fill->size, pattern_size);
  memcpy(fill->pattern, pattern, pattern_size);
  return CL_SUCCESS;
}

cl_int buffer_fill_record(mux_command_buffer_t command_buffer, const buffer_fill_t *fill) {
  if (fill->size == 0) return CL_SUCCESS;
  return error_from_mux(muxCommandFillBuffer(command_buffer, fill->buffer->buffer, fill->offset, fill->size,
                                             fill->pattern, fill->pattern_size, 0, NULL, NULL),
                        CL_OUT_OF_RESOURCES);
}

CL_ENTRY cl_int CL_API_CALL clEnqueueFillBuffer(cl_command_queue command_queue, cl_mem buffer, const void *pattern,
                                                size_t pattern_size, size_t offset, size_t size,
                                                cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                                cl_event *event) {
  const enqueue_t enqueue = {command_queue, CL_COMMAND_FILL_BUFFER, num_events_in_wait_list, event_wait_list, event};
  buffer_fill_t fill = {.buffer = buffer, .offset = offset, .size = size, .pattern_size = pattern_size};
  TRY(enqueue_validate(&enqueue));
  TRY(buffer_fill_make(__func__, command_queue, pattern, &fill));

  command_t *command;
  TRY(enqueue_begin(&enqueue, &command));
  cl_int error = command_hold(command, OBJECT(buffer));
  if (error == CL_SUCCESS) error = buffer_fill_record(enqueue_command_buffer(command), &fill);
  return enqueue_end(command, error, CL_FALSE);
}
