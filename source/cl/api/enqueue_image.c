/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Commands on images. No device has images yet: CL_INVALID_OPERATION once queue and wait list are found valid. */
#include "cl/api/entry.h"
#include "cl/api/validate.h"

static cl_int refuse_command(const char *function, cl_command_queue queue, cl_command_type type, cl_uint wait_count,
                             const cl_event *wait_list, cl_event *event) {
  const enqueue_t enqueue = {queue, type, wait_count, wait_list, event};
  TRY(enqueue_validate(&enqueue));
  REFUSE(function, queue_context(queue), CL_INVALID_OPERATION, "the device does not support images");
}

CL_ENTRY cl_int CL_API_CALL clEnqueueReadImage(cl_command_queue command_queue, cl_mem image, cl_bool blocking_read,
                                               const size_t *origin, const size_t *region, size_t row_pitch,
                                               size_t slice_pitch, void *ptr, cl_uint num_events_in_wait_list,
                                               const cl_event *event_wait_list, cl_event *event) {
  (void)image, (void)blocking_read, (void)origin, (void)region, (void)row_pitch, (void)slice_pitch, (void)ptr;
  return refuse_command(__func__, command_queue, CL_COMMAND_READ_IMAGE, num_events_in_wait_list, event_wait_list,
                        event);
}

CL_ENTRY cl_int CL_API_CALL clEnqueueWriteImage(cl_command_queue command_queue, cl_mem image, cl_bool blocking_write,
                                                const size_t *origin, const size_t *region, size_t input_row_pitch,
                                                size_t input_slice_pitch, const void *ptr,
                                                cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                                cl_event *event) {
  (void)image, (void)blocking_write, (void)origin, (void)region, (void)input_row_pitch, (void)input_slice_pitch,
      (void)ptr;
  return refuse_command(__func__, command_queue, CL_COMMAND_WRITE_IMAGE, num_events_in_wait_list, event_wait_list,
                        event);
}

CL_ENTRY cl_int CL_API_CALL clEnqueueFillImage(cl_command_queue command_queue, cl_mem image, const void *fill_color,
                                               const size_t *origin, const size_t *region,
                                               cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                               cl_event *event) {
  (void)image, (void)fill_color, (void)origin, (void)region;
  return refuse_command(__func__, command_queue, CL_COMMAND_FILL_IMAGE, num_events_in_wait_list, event_wait_list,
                        event);
}

CL_ENTRY cl_int CL_API_CALL clEnqueueCopyImage(cl_command_queue command_queue, cl_mem src_image, cl_mem dst_image,
                                               const size_t *src_origin, const size_t *dst_origin, const size_t *region,
                                               cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                               cl_event *event) {
  (void)src_image, (void)dst_image, (void)src_origin, (void)dst_origin, (void)region;
  return refuse_command(__func__, command_queue, CL_COMMAND_COPY_IMAGE, num_events_in_wait_list, event_wait_list,
                        event);
}

CL_ENTRY cl_int CL_API_CALL clEnqueueCopyImageToBuffer(cl_command_queue command_queue, cl_mem src_image,
                                                       cl_mem dst_buffer, const size_t *src_origin,
                                                       const size_t *region, size_t dst_offset,
                                                       cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                                       cl_event *event) {
  (void)src_image, (void)dst_buffer, (void)src_origin, (void)region, (void)dst_offset;
  return refuse_command(__func__, command_queue, CL_COMMAND_COPY_IMAGE_TO_BUFFER, num_events_in_wait_list,
                        event_wait_list, event);
}

CL_ENTRY cl_int CL_API_CALL clEnqueueCopyBufferToImage(cl_command_queue command_queue, cl_mem src_buffer,
                                                       cl_mem dst_image, size_t src_offset, const size_t *dst_origin,
                                                       const size_t *region, cl_uint num_events_in_wait_list,
                                                       const cl_event *event_wait_list, cl_event *event) {
  (void)src_buffer, (void)dst_image, (void)src_offset, (void)dst_origin, (void)region;
  return refuse_command(__func__, command_queue, CL_COMMAND_COPY_BUFFER_TO_IMAGE, num_events_in_wait_list,
                        event_wait_list, event);
}

CL_ENTRY void *CL_API_CALL clEnqueueMapImage(
    cl_command_queue command_queue, cl_mem image, cl_bool blocking_map, cl_map_flags map_flags, const size_t *origin,
    const size_t *region,
    size_t *image_row_pitch,    // NOLINT(readability-non-const-parameter): OpenCL's.
    size_t *image_slice_pitch,  // NOLINT(readability-non-const-parameter): OpenCL's.
    cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event, cl_int *errcode_ret) {
  (void)image, (void)blocking_map, (void)map_flags, (void)origin, (void)region, (void)image_row_pitch,
      (void)image_slice_pitch;
  error_answer(errcode_ret, refuse_command(__func__, command_queue, CL_COMMAND_MAP_IMAGE, num_events_in_wait_list,
                                           event_wait_list, event));
  return NULL;
}
