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
  TRY(validate_image_copy(__func__, command_queue, src_image, dst_image, src_origin, dst_origin, region));

  command_t *command;
  TRY(enqueue_begin(&enqueue, &command));
  cl_int error = command_hold(command, OBJECT(src_image));
  if (error == CL_SUCCESS) error = command_hold(command, OBJECT(dst_image));
  if (error == CL_SUCCESS) {
    error = error_from_mux(muxCommandCopyImage(enqueue_command_buffer(command), src_image->image, dst_image->image,
                                               image_offset(src_origin), image_offset(dst_origin),
                                               image_region_extent(region), 0, NULL, NULL),
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
  TRY(validate_image_buffer_copy(__func__, command_queue, src_image, src_origin, region, dst_buffer, dst_offset));

  command_t *command;
  TRY(enqueue_begin(&enqueue, &command));
  cl_int error = command_hold(command, OBJECT(src_image));
  if (error == CL_SUCCESS) error = command_hold(command, OBJECT(dst_buffer));
  if (error == CL_SUCCESS) {
    error = error_from_mux(
        muxCommandCopyImageToBuffer(enqueue_command_buffer(command), src_image->image, dst_buffer->buffer,
                                    image_offset(src_origin), dst_offset, image_region_extent(region), 0, NULL, NULL),
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
  TRY(validate_image_buffer_copy(__func__, command_queue, dst_image, dst_origin, region, src_buffer, src_offset));

  command_t *command;
  TRY(enqueue_begin(&enqueue, &command));
  cl_int error = command_hold(command, OBJECT(src_buffer));
  if (error == CL_SUCCESS) error = command_hold(command, OBJECT(dst_image));
  if (error == CL_SUCCESS) {
    error = error_from_mux(
        muxCommandCopyBufferToImage(enqueue_command_buffer(command), src_buffer->buffer, dst_image->image, src_offset,
                                    image_offset(dst_origin), image_region_extent(region), 0, NULL, NULL),
        CL_OUT_OF_RESOURCES);
  }
  return enqueue_end(command, error, CL_FALSE);
}
