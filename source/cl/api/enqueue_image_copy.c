/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Commands between images, and between images and buffers. */
#include "cl/api/entry.h"
#include "cl/api/image_region.h"
#include "cl/api/validate.h"
#include "cl/object/mux_error.h"

CL_ENTRY cl_int CL_API_CALL clEnqueueCopyImage(cl_command_queue command_queue, cl_mem src_image, cl_mem dst_image,
                                               const size_t *src_origin, const size_t *dst_origin, const size_t *region,
                                               cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                               cl_event *event) {
  const enqueue_t enqueue = {command_queue, CL_COMMAND_COPY_IMAGE, num_events_in_wait_list, event_wait_list, event};
  TRY(enqueue_validate(&enqueue));
  image_box_t source, destination;
  TRY(validate_image_copy(__func__, command_queue, src_image, dst_image, src_origin, dst_origin, region, &source,
                          &destination));

  command_t *command;
  TRY(enqueue_begin(&enqueue, &command));
  cl_int error = command_hold(command, OBJECT(src_image));
  if (error == CL_SUCCESS) error = command_hold(command, OBJECT(dst_image));
  if (error == CL_SUCCESS) {
    error = error_from_mux(muxCommandCopyImage(enqueue_command_buffer(command), source.level, destination.level,
                                               source.origin, destination.origin, source.extent, 0, NULL, NULL),
                           CL_OUT_OF_RESOURCES);
  }
  return enqueue_end(command, error, CL_FALSE);
}

CL_ENTRY cl_int CL_API_CALL clEnqueueCopyImageToBuffer(cl_command_queue command_queue, cl_mem src_image,
                                                       cl_mem dst_buffer, const size_t *src_origin,
                                                       const size_t *region, size_t dst_offset,
                                                       cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                                       cl_event *event) {
  const enqueue_t enqueue = {command_queue, CL_COMMAND_COPY_IMAGE_TO_BUFFER, num_events_in_wait_list, event_wait_list,
                             event};
  TRY(enqueue_validate(&enqueue));
  image_box_t box;
  TRY(validate_image_buffer_copy(__func__, command_queue, src_image, src_origin, region, dst_buffer, dst_offset, &box));

  command_t *command;
  TRY(enqueue_begin(&enqueue, &command));
  cl_int error = command_hold(command, OBJECT(src_image));
  if (error == CL_SUCCESS) error = command_hold(command, OBJECT(dst_buffer));
  if (error == CL_SUCCESS) {
    error = error_from_mux(muxCommandCopyImageToBuffer(enqueue_command_buffer(command), box.level, dst_buffer->buffer,
                                                       box.origin, dst_offset, box.extent, 0, NULL, NULL),
                           CL_OUT_OF_RESOURCES);
  }
  return enqueue_end(command, error, CL_FALSE);
}

CL_ENTRY cl_int CL_API_CALL clEnqueueCopyBufferToImage(cl_command_queue command_queue, cl_mem src_buffer,
                                                       cl_mem dst_image, size_t src_offset, const size_t *dst_origin,
                                                       const size_t *region, cl_uint num_events_in_wait_list,
                                                       const cl_event *event_wait_list, cl_event *event) {
  const enqueue_t enqueue = {command_queue, CL_COMMAND_COPY_BUFFER_TO_IMAGE, num_events_in_wait_list, event_wait_list,
                             event};
  TRY(enqueue_validate(&enqueue));
  image_box_t box;
  TRY(validate_image_buffer_copy(__func__, command_queue, dst_image, dst_origin, region, src_buffer, src_offset, &box));

  command_t *command;
  TRY(enqueue_begin(&enqueue, &command));
  cl_int error = command_hold(command, OBJECT(src_buffer));
  if (error == CL_SUCCESS) error = command_hold(command, OBJECT(dst_image));
  if (error == CL_SUCCESS) {
    error = error_from_mux(muxCommandCopyBufferToImage(enqueue_command_buffer(command), src_buffer->buffer, box.level,
                                                       src_offset, box.origin, box.extent, 0, NULL, NULL),
                           CL_OUT_OF_RESOURCES);
  }
  return enqueue_end(command, error, CL_FALSE);
}
