/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Commands on boxes in buffers: read, write, copy. */
#include "cl/api/buffer_commands.h"
#include "cl/api/entry.h"
#include "cl/api/rect.h"
#include "cl/api/validate.h"
#include "cl/object/mux_error.h"
#include "cl/queueing/refuse.h"

static bool region_is_valid(const size_t *region) { return region && region[0] && region[1] && region[2]; }

/** CL_INVALID_VALUE: null pointers, empty regions, pitches that the region does not fit into. */
static cl_int make_rect(const char *function, cl_context context, const size_t *origin, const size_t *region,
                        size_t row_pitch, size_t slice_pitch, rect_t *out_rect) {
  if (!origin || !region_is_valid(region)) {
    REFUSE(function, context, CL_INVALID_VALUE, "an origin or the region is null, or the region is empty");
  }
  if (!rect_make(origin, region, row_pitch, slice_pitch, out_rect)) {
    REFUSE(function, context, CL_INVALID_VALUE, "pitches of %zu and %zu bytes do not fit a region of %zu x %zu x %zu",
           row_pitch, slice_pitch, region[0], region[1], region[2]);
  }
  return CL_SUCCESS;
}

/** CL_INVALID_VALUE as make_rect, and when the box is not inside the buffer. */
static cl_int make_buffer_rect(const char *function, cl_mem buffer, const size_t *origin, const size_t *region,
                               size_t row_pitch, size_t slice_pitch, rect_t *out_rect) {
  TRY(make_rect(function, buffer->context, origin, region, row_pitch, slice_pitch, out_rect));
  size_t start, end;
  if (!rect_extent(out_rect, region, &start, &end) || end > buffer->size) {
    REFUSE(function, buffer->context, CL_INVALID_VALUE, "the region is not inside the buffer of %zu bytes",
           buffer->size);
  }
  return CL_SUCCESS;
}

/** CL_INVALID_VALUE as make_rect, and when the box leaves the address space. */
static cl_int make_host_rect(const char *function, cl_context context, const void *pointer, const size_t *origin,
                             const size_t *region, size_t row_pitch, size_t slice_pitch, rect_t *out_rect) {
  TRY(make_rect(function, context, origin, region, row_pitch, slice_pitch, out_rect));
  size_t start, end;
  if (!rect_extent(out_rect, region, &start, &end) || end > SIZE_MAX - (uintptr_t)pointer) {
    REFUSE(function, context, CL_INVALID_VALUE, "the host's region is not inside the address space");
  }
  return CL_SUCCESS;
}

static mux_buffer_region_info_t region_info(const size_t region[3], const rect_t *source, const rect_t *destination) {
  return (mux_buffer_region_info_t){
      .region = {region[0], region[1], region[2]},
      .src_origin = {source->origin[0], source->origin[1], source->origin[2]},
      .dst_origin = {destination->origin[0], destination->origin[1], destination->origin[2]},
      .src_desc = {source->row_pitch, source->slice_pitch},
      .dst_desc = {destination->row_pitch, destination->slice_pitch},
  };
}

CL_ENTRY cl_int CL_API_CALL clEnqueueReadBufferRect(cl_command_queue command_queue, cl_mem buffer,
                                                    cl_bool blocking_read, const size_t *buffer_origin,
                                                    const size_t *host_origin, const size_t *region,
                                                    size_t buffer_row_pitch, size_t buffer_slice_pitch,
                                                    size_t host_row_pitch, size_t host_slice_pitch, void *ptr,
                                                    cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                                    cl_event *event) {
  const enqueue_t enqueue = {command_queue, CL_COMMAND_READ_BUFFER_RECT, num_events_in_wait_list, event_wait_list,
                             event};
  TRY(enqueue_validate(&enqueue));
  TRY(validate_buffer(__func__, command_queue, buffer));
  REQUIRE(ptr, __func__, buffer->context, CL_INVALID_VALUE, "ptr is null");
  rect_t source, destination;
  TRY(make_buffer_rect(__func__, buffer, buffer_origin, region, buffer_row_pitch, buffer_slice_pitch, &source));
  TRY(make_host_rect(__func__, buffer->context, ptr, host_origin, region, host_row_pitch, host_slice_pitch,
                     &destination));
  TRY(validate_host_read(__func__, buffer));

  command_t *command;
  TRY(enqueue_begin(&enqueue, &command));
  const mux_buffer_region_info_t info = region_info(region, &source, &destination);
  cl_int error = command_hold(command, OBJECT(buffer));
  if (error == CL_SUCCESS) {
    error = error_from_mux(
        muxCommandReadBufferRegions(enqueue_command_buffer(command), buffer->buffer, ptr, &info, 1, 0, NULL, NULL),
        CL_OUT_OF_RESOURCES);
  }
  return enqueue_end(command, error, blocking_read);
}

CL_ENTRY cl_int CL_API_CALL clEnqueueWriteBufferRect(cl_command_queue command_queue, cl_mem buffer,
                                                     cl_bool blocking_write, const size_t *buffer_origin,
                                                     const size_t *host_origin, const size_t *region,
                                                     size_t buffer_row_pitch, size_t buffer_slice_pitch,
                                                     size_t host_row_pitch, size_t host_slice_pitch, const void *ptr,
                                                     cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                                     cl_event *event) {
  const enqueue_t enqueue = {command_queue, CL_COMMAND_WRITE_BUFFER_RECT, num_events_in_wait_list, event_wait_list,
                             event};
  TRY(enqueue_validate(&enqueue));
  TRY(validate_buffer(__func__, command_queue, buffer));
  REQUIRE(ptr, __func__, buffer->context, CL_INVALID_VALUE, "ptr is null");
  rect_t source, destination;
  TRY(make_buffer_rect(__func__, buffer, buffer_origin, region, buffer_row_pitch, buffer_slice_pitch, &destination));
  TRY(make_host_rect(__func__, buffer->context, ptr, host_origin, region, host_row_pitch, host_slice_pitch, &source));
  TRY(validate_host_write(__func__, buffer));

  command_t *command;
  TRY(enqueue_begin(&enqueue, &command));
  const mux_buffer_region_info_t info = region_info(region, &source, &destination);
  cl_int error = command_hold(command, OBJECT(buffer));
  if (error == CL_SUCCESS) {
    error = error_from_mux(
        muxCommandWriteBufferRegions(enqueue_command_buffer(command), buffer->buffer, ptr, &info, 1, 0, NULL, NULL),
        CL_OUT_OF_RESOURCES);
  }
  return enqueue_end(command, error, blocking_write);
}

/** CL_INVALID_VALUE: one buffer with two pitches. CL_MEM_COPY_OVERLAP: the boxes share a byte. Different sub-buffers of
 * one buffer may have different pitches: then they must not touch the same range at all. */
static cl_int validate_copy(const char *function, cl_mem source_buffer, const rect_t *source, cl_mem destination_buffer,
                            const rect_t *destination, const size_t region[3]) {
  if (memory_root(source_buffer) != memory_root(destination_buffer)) return CL_SUCCESS;
  bool same_pitches = source->row_pitch == destination->row_pitch && source->slice_pitch == destination->slice_pitch;
  if (source_buffer == destination_buffer && !same_pitches) {
    REFUSE(function, source_buffer->context, CL_INVALID_VALUE, "different pitches in one buffer");
  }
  size_t start, source_end, destination_start, destination_end;
  bool overlaps = true;
  if (same_pitches) {
    overlaps = rects_overlap(source, source_buffer->origin, destination, destination_buffer->origin, region);
  } else if (rect_extent(source, region, &start, &source_end) &&
             rect_extent(destination, region, &destination_start, &destination_end)) {
    overlaps = start + source_buffer->origin < destination_end + destination_buffer->origin &&
               destination_start + destination_buffer->origin < source_end + source_buffer->origin;
  }
  if (overlaps) {
    REFUSE(function, source_buffer->context, CL_MEM_COPY_OVERLAP, "source and destination overlap");
  }
  return CL_SUCCESS;
}

cl_int buffer_copy_rect_make(const char *function, cl_command_queue queue, const buffer_rects_t *rects,
                             buffer_copy_rect_t *copy) {
  rect_t source, destination;
  TRY(validate_buffer(function, queue, copy->source));
  TRY(validate_buffer(function, queue, copy->destination));
  TRY(make_buffer_rect(function, copy->source, rects->source_origin, rects->region, rects->source_row_pitch,
                       rects->source_slice_pitch, &source));
  TRY(make_buffer_rect(function, copy->destination, rects->destination_origin, rects->region,
                       rects->destination_row_pitch, rects->destination_slice_pitch, &destination));
  TRY(validate_copy(function, copy->source, &source, copy->destination, &destination, rects->region));
  copy->region = region_info(rects->region, &source, &destination);
  return CL_SUCCESS;
}

cl_int buffer_copy_rect_record(mux_command_buffer_t command_buffer, const buffer_copy_rect_t *copy) {
  return error_from_mux(muxCommandCopyBufferRegions(command_buffer, copy->source->buffer, copy->destination->buffer,
                                                    &copy->region, 1, 0, NULL, NULL),
                        CL_OUT_OF_RESOURCES);
}

CL_ENTRY cl_int CL_API_CALL clEnqueueCopyBufferRect(cl_command_queue command_queue, cl_mem src_buffer,
                                                    cl_mem dst_buffer, const size_t *src_origin,
                                                    const size_t *dst_origin, const size_t *region,
                                                    size_t src_row_pitch, size_t src_slice_pitch, size_t dst_row_pitch,
                                                    size_t dst_slice_pitch, cl_uint num_events_in_wait_list,
                                                    const cl_event *event_wait_list, cl_event *event) {
  const enqueue_t enqueue = {command_queue, CL_COMMAND_COPY_BUFFER_RECT, num_events_in_wait_list, event_wait_list,
                             event};
  const buffer_rects_t rects = {src_origin,      dst_origin,    region,         src_row_pitch,
                                src_slice_pitch, dst_row_pitch, dst_slice_pitch};
  buffer_copy_rect_t copy = {.source = src_buffer, .destination = dst_buffer};
  TRY(enqueue_validate(&enqueue));
  TRY(buffer_copy_rect_make(__func__, command_queue, &rects, &copy));

  command_t *command;
  TRY(enqueue_begin(&enqueue, &command));
  cl_int error = command_hold(command, OBJECT(src_buffer));
  if (error == CL_SUCCESS) error = command_hold(command, OBJECT(dst_buffer));
  if (error == CL_SUCCESS) error = buffer_copy_rect_record(enqueue_command_buffer(command), &copy);
  return enqueue_end(command, error, CL_FALSE);
}
