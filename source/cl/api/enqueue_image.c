/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Commands between images and host memory, and fills. */
#include "cl/api/entry.h"
#include "cl/api/image_region.h"
#include "cl/api/validate.h"
#include "cl/object/mux_error.h"
#include "cl/queueing/refuse.h"

static cl_int validate_transfer(const char *function, const enqueue_t *enqueue, cl_mem image, const size_t *origin,
                                const size_t *region, size_t row_pitch, size_t slice_pitch, const void *pointer,
                                image_box_t *out_box, image_host_layout_t *out_layout) {
  TRY(enqueue_validate(enqueue));
  TRY(validate_image(function, enqueue->queue, image));
  TRY(validate_image_region(function, image, origin, region, out_box));
  TRY(validate_image_host_layout(function, image, region, row_pitch, slice_pitch, out_layout));
  REQUIRE(pointer, function, image->context, CL_INVALID_VALUE, "ptr is null");
  return CL_SUCCESS;
}

CL_ENTRY cl_int CL_API_CALL clEnqueueReadImage(cl_command_queue command_queue, cl_mem image, cl_bool blocking_read,
                                               const size_t *origin, const size_t *region, size_t row_pitch,
                                               size_t slice_pitch, void *ptr, cl_uint num_events_in_wait_list,
                                               const cl_event *event_wait_list, cl_event *event) {
  const enqueue_t enqueue = {command_queue, CL_COMMAND_READ_IMAGE, num_events_in_wait_list, event_wait_list, event};
  image_box_t box;
  image_host_layout_t layout;
  TRY(validate_transfer(__func__, &enqueue, image, origin, region, row_pitch, slice_pitch, ptr, &box, &layout));
  TRY(validate_host_read(__func__, image));

  command_t *command;
  TRY(enqueue_begin(&enqueue, &command));
  cl_int error = command_hold(command, OBJECT(image));
  if (error == CL_SUCCESS) {
    error = error_from_mux(muxCommandReadImage(enqueue_command_buffer(command), box.level, box.origin, box.extent,
                                               layout.row, layout.slice, ptr, 0, NULL, NULL),
                           CL_OUT_OF_RESOURCES);
  }
  return enqueue_end(command, error, blocking_read);
}

CL_ENTRY cl_int CL_API_CALL clEnqueueWriteImage(cl_command_queue command_queue, cl_mem image, cl_bool blocking_write,
                                                const size_t *origin, const size_t *region, size_t input_row_pitch,
                                                size_t input_slice_pitch, const void *ptr,
                                                cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                                cl_event *event) {
  const enqueue_t enqueue = {command_queue, CL_COMMAND_WRITE_IMAGE, num_events_in_wait_list, event_wait_list, event};
  image_box_t box;
  image_host_layout_t layout;
  TRY(validate_transfer(__func__, &enqueue, image, origin, region, input_row_pitch, input_slice_pitch, ptr, &box,
                        &layout));
  TRY(validate_host_write(__func__, image));

  command_t *command;
  TRY(enqueue_begin(&enqueue, &command));
  cl_int error = command_hold(command, OBJECT(image));
  if (error == CL_SUCCESS) {
    error = error_from_mux(muxCommandWriteImage(enqueue_command_buffer(command), box.level, box.origin, box.extent,
                                                layout.row, layout.slice, ptr, 0, NULL, NULL),
                           CL_OUT_OF_RESOURCES);
  }
  return enqueue_end(command, error, blocking_write);
}

CL_ENTRY cl_int CL_API_CALL clEnqueueFillImage(cl_command_queue command_queue, cl_mem image, const void *fill_color,
                                               const size_t *origin, const size_t *region,
                                               cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                               cl_event *event) {
  const enqueue_t enqueue = {command_queue, CL_COMMAND_FILL_IMAGE, num_events_in_wait_list, event_wait_list, event};
  TRY(enqueue_validate(&enqueue));
  TRY(validate_image(__func__, command_queue, image));
  REQUIRE(fill_color, __func__, image->context, CL_INVALID_VALUE, "fill_color is null");
  image_box_t box;
  TRY(validate_image_region(__func__, image, origin, region, &box));
  unsigned char pixel[image_max_element_size];
  image_color_encode(&image->format, fill_color, pixel);

  command_t *command;
  TRY(enqueue_begin(&enqueue, &command));
  cl_int error = command_hold(command, OBJECT(image));
  if (error == CL_SUCCESS) {
    error = error_from_mux(muxCommandFillImage(enqueue_command_buffer(command), box.level, pixel, box.level->pixel_size,
                                               box.origin, box.extent, 0, NULL, NULL),
                           CL_OUT_OF_RESOURCES);
  }
  return enqueue_end(command, error, CL_FALSE);
}
