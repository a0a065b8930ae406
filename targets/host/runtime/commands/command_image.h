/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Recording commands on images: operations of mux_target_t. */
#ifndef HOST_RUNTIME_COMMANDS_COMMAND_IMAGE_H
#define HOST_RUNTIME_COMMANDS_COMMAND_IMAGE_H

#include "mux/mux.h"

mux_result_t host_command_read_image(mux_command_buffer_t command_buffer, mux_image_t image, mux_offset_3d_t offset,
                                     mux_extent_3d_t extent, uint64_t row_size, uint64_t slice_size, void *pointer,
                                     MUX_SYNC_PARAMETERS);
mux_result_t host_command_write_image(mux_command_buffer_t command_buffer, mux_image_t image, mux_offset_3d_t offset,
                                      mux_extent_3d_t extent, uint64_t row_size, uint64_t slice_size,
                                      const void *pointer, MUX_SYNC_PARAMETERS);
mux_result_t host_command_fill_image(mux_command_buffer_t handle, mux_image_t image, const void *color,
                                     uint32_t color_size, mux_offset_3d_t offset, mux_extent_3d_t extent,
                                     MUX_SYNC_PARAMETERS);
mux_result_t host_command_copy_image(mux_command_buffer_t command_buffer, mux_image_t src_image, mux_image_t dst_image,
                                     mux_offset_3d_t src_offset, mux_offset_3d_t dst_offset, mux_extent_3d_t extent,
                                     MUX_SYNC_PARAMETERS);
mux_result_t host_command_copy_image_to_buffer(mux_command_buffer_t command_buffer, mux_image_t src_image,
                                               mux_buffer_t dst_buffer, mux_offset_3d_t src_offset, uint64_t dst_offset,
                                               mux_extent_3d_t extent, MUX_SYNC_PARAMETERS);
mux_result_t host_command_copy_buffer_to_image(mux_command_buffer_t command_buffer, mux_buffer_t src_buffer,
                                               mux_image_t dst_image, uint64_t src_offset, mux_offset_3d_t dst_offset,
                                               mux_extent_3d_t extent, MUX_SYNC_PARAMETERS);

#endif
