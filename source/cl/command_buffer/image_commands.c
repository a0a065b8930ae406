/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Recording commands on images into command buffers. No device has images yet: CL_INVALID_OPERATION once all else that
 * recording functions have in common is found valid. */
#include "cl/api/validate.h"
#include "cl/command_buffer/command_buffer.h"
#include "cl/command_buffer/entry.h"

static cl_int refuse_image(const recording_t *recording, const cl_mutable_command_khr *handle) {
  TRY(recording_validate_plain(recording, handle));
  REFUSE(recording->function, queue_context(recording->command_buffer->queue), CL_INVALID_OPERATION,
         "the device does not support images");
}

cl_int CL_API_CALL command_copy_buffer_to_image_khr(QUERN_COMMAND_HEAD, cl_mem src_buffer, cl_mem dst_image,
                                                    size_t src_offset, const size_t *dst_origin, const size_t *region,
                                                    QUERN_COMMAND_TAIL) {
  const recording_t recording = RECORDING("clCommandCopyBufferToImageKHR");
  (void)src_buffer, (void)dst_image, (void)src_offset, (void)dst_origin, (void)region;
  return refuse_image(&recording, mutable_handle);
}

cl_int CL_API_CALL command_copy_image_khr(QUERN_COMMAND_HEAD, cl_mem src_image, cl_mem dst_image,
                                          const size_t *src_origin, const size_t *dst_origin, const size_t *region,
                                          QUERN_COMMAND_TAIL) {
  const recording_t recording = RECORDING("clCommandCopyImageKHR");
  (void)src_image, (void)dst_image, (void)src_origin, (void)dst_origin, (void)region;
  return refuse_image(&recording, mutable_handle);
}

cl_int CL_API_CALL command_copy_image_to_buffer_khr(QUERN_COMMAND_HEAD, cl_mem src_image, cl_mem dst_buffer,
                                                    const size_t *src_origin, const size_t *region, size_t dst_offset,
                                                    QUERN_COMMAND_TAIL) {
  const recording_t recording = RECORDING("clCommandCopyImageToBufferKHR");
  (void)src_image, (void)dst_buffer, (void)src_origin, (void)region, (void)dst_offset;
  return refuse_image(&recording, mutable_handle);
}

cl_int CL_API_CALL command_fill_image_khr(QUERN_COMMAND_HEAD, cl_mem image, const void *fill_color,
                                          const size_t *origin, const size_t *region, QUERN_COMMAND_TAIL) {
  const recording_t recording = RECORDING("clCommandFillImageKHR");
  (void)image, (void)fill_color, (void)origin, (void)region;
  return refuse_image(&recording, mutable_handle);
}
