/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Commands between images, and between images and buffers. */
#include "base/memory.h"
#include "cl/api/entry.h"
#include "cl/api/image_region.h"
#include "cl/api/validate.h"
#include "cl/object/mux_error.h"

static bool formats_are_equal(cl_mem a, cl_mem b) {
  return a->format.image_channel_order == b->format.image_channel_order &&
         a->format.image_channel_data_type == b->format.image_channel_data_type;
}

static bool boxes_overlap(const size_t *a, const size_t *b, const size_t *region) {
  for (unsigned i = 0; i < 3; i++) {
    if (a[i] + region[i] <= b[i] || b[i] + region[i] <= a[i]) return false;
  }
  return true;
}

CL_ENTRY cl_int CL_API_CALL clEnqueueCopyImage(cl_command_queue command_queue, cl_mem src_image, cl_mem dst_image,
                                               const size_t *src_origin, const size_t *dst_origin, const size_t *region,
                                               cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                               cl_event *event) {
  const enqueue_t enqueue = {command_queue, CL_COMMAND_COPY_IMAGE, num_events_in_wait_list, event_wait_list, event};
  TRY(enqueue_validate(&enqueue));
  TRY(validate_image(__func__, command_queue, src_image));
  TRY(validate_image(__func__, command_queue, dst_image));
  cl_context context = src_image->context;
  CHECK(formats_are_equal(src_image, dst_image), context, CL_IMAGE_FORMAT_MISMATCH, "the images' formats differ");
  TRY(validate_image_region(__func__, src_image, src_origin, region));
  TRY(validate_image_region(__func__, dst_image, dst_origin, region));
  CHECK(src_image != dst_image || !boxes_overlap(src_origin, dst_origin, region), context, CL_MEM_COPY_OVERLAP,
        "source and destination overlap");

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

/** Of a copy between a box of `image` and packed pixels from `offset` on in `buffer`. */
static cl_int validate_copy(const char *function, const enqueue_t *enqueue, cl_mem image, const size_t *origin,
                            const size_t *region, cl_mem buffer, size_t offset) {
  TRY(enqueue_validate(enqueue));
  TRY(validate_image(function, enqueue->queue, image));
  TRY(validate_buffer(function, enqueue->queue, buffer));
  /* Section 5.3.3: an image must not be copied to or from the buffer that it is made of. */
  REQUIRE(image->type != CL_MEM_OBJECT_IMAGE1D_BUFFER || image->parent != buffer, function, image->context,
          CL_INVALID_MEM_OBJECT, "the image is made of the buffer");
  TRY(validate_image_region(function, image, origin, region));
  size_t size;
  REQUIRE(size_multiply(region[0] * region[1] * region[2], image_element_size(image), &size), function, image->context,
          CL_INVALID_VALUE, "the region has more bytes than there are");
  return validate_range(function, buffer, offset, size);
}

CL_ENTRY cl_int CL_API_CALL clEnqueueCopyImageToBuffer(cl_command_queue command_queue, cl_mem src_image,
                                                       cl_mem dst_buffer, const size_t *src_origin,
                                                       const size_t *region, size_t dst_offset,
                                                       cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                                       cl_event *event) {
  const enqueue_t enqueue = {command_queue, CL_COMMAND_COPY_IMAGE_TO_BUFFER, num_events_in_wait_list, event_wait_list,
                             event};
  TRY(validate_copy(__func__, &enqueue, src_image, src_origin, region, dst_buffer, dst_offset));

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
  TRY(validate_copy(__func__, &enqueue, dst_image, dst_origin, region, src_buffer, src_offset));

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
