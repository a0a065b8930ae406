/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Commands on ranges of buffers: read, write, copy, fill. A size of zero is allowed by OpenCL 3.0: the command then
 * does nothing, in its place in the queue. */
#include "cl/api/entry.h"
#include "cl/api/validate.h"
#include "cl/object/mux_error.h"

CL_ENTRY cl_int CL_API_CALL clEnqueueReadBuffer(cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_read,
                                                size_t offset, size_t size, void *ptr, cl_uint num_events_in_wait_list,
                                                const cl_event *event_wait_list, cl_event *event) {
  const enqueue_t enqueue = {command_queue, CL_COMMAND_READ_BUFFER, num_events_in_wait_list, event_wait_list, event};
  TRY(enqueue_validate(&enqueue));
  TRY(validate_buffer(__func__, command_queue, buffer));
  TRY(validate_range(__func__, buffer, offset, size));
  CHECK(ptr, buffer->context, CL_INVALID_VALUE, "ptr is null");
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
  CHECK(ptr, buffer->context, CL_INVALID_VALUE, "ptr is null");
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
static bool ranges_overlap(cl_mem a, size_t a_offset, cl_mem b, size_t b_offset, size_t size) {
  if (memory_root(a) != memory_root(b) || size == 0) return false;
  size_t a_start = a->origin + a_offset, b_start = b->origin + b_offset;
  return a_start < b_start + size && b_start < a_start + size;
}

CL_ENTRY cl_int CL_API_CALL clEnqueueCopyBuffer(cl_command_queue command_queue, cl_mem src_buffer, cl_mem dst_buffer,
                                                size_t src_offset, size_t dst_offset, size_t size,
                                                cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                                cl_event *event) {
  const enqueue_t enqueue = {command_queue, CL_COMMAND_COPY_BUFFER, num_events_in_wait_list, event_wait_list, event};
  TRY(enqueue_validate(&enqueue));
  TRY(validate_buffer(__func__, command_queue, src_buffer));
  TRY(validate_buffer(__func__, command_queue, dst_buffer));
  TRY(validate_range(__func__, src_buffer, src_offset, size));
  TRY(validate_range(__func__, dst_buffer, dst_offset, size));
  CHECK(!ranges_overlap(src_buffer, src_offset, dst_buffer, dst_offset, size), src_buffer->context, CL_MEM_COPY_OVERLAP,
        "source and destination overlap");

  command_t *command;
  TRY(enqueue_begin(&enqueue, &command));
  cl_int error = command_hold(command, OBJECT(src_buffer));
  if (error == CL_SUCCESS) error = command_hold(command, OBJECT(dst_buffer));
  if (error == CL_SUCCESS && size) {
    error = error_from_mux(muxCommandCopyBuffer(enqueue_command_buffer(command), src_buffer->buffer, src_offset,
                                                dst_buffer->buffer, dst_offset, size, 0, NULL, NULL),
                           CL_OUT_OF_RESOURCES);
  }
  return enqueue_end(command, error, CL_FALSE);
}

CL_ENTRY cl_int CL_API_CALL clEnqueueFillBuffer(cl_command_queue command_queue, cl_mem buffer, const void *pattern,
                                                size_t pattern_size, size_t offset, size_t size,
                                                cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                                cl_event *event) {
  const enqueue_t enqueue = {command_queue, CL_COMMAND_FILL_BUFFER, num_events_in_wait_list, event_wait_list, event};
  TRY(enqueue_validate(&enqueue));
  TRY(validate_buffer(__func__, command_queue, buffer));
  TRY(validate_range(__func__, buffer, offset, size));
  CHECK(pattern && pattern_size_is_valid(pattern_size), buffer->context, CL_INVALID_VALUE,
        "the pattern is null or its size, %zu bytes, is none of 1, 2, 4 ... 128", pattern_size);
  CHECK(offset % pattern_size == 0 && size % pattern_size == 0, buffer->context, CL_INVALID_VALUE,
        "offset %zu or size %zu is not a multiple of the pattern's %zu bytes", offset, size, pattern_size);

  command_t *command;
  TRY(enqueue_begin(&enqueue, &command));
  cl_int error = command_hold(command, OBJECT(buffer));
  if (error == CL_SUCCESS && size) {
    error = error_from_mux(muxCommandFillBuffer(enqueue_command_buffer(command), buffer->buffer, offset, size, pattern,
                                                pattern_size, 0, NULL, NULL),
                           CL_OUT_OF_RESOURCES);
  }
  return enqueue_end(command, error, CL_FALSE);
}
