/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Image commands. Images are linear: every one but a fill is a copy of a box of bytes. */
#include "host/runtime/commands/command_image.h"

#include <stdalign.h>
#include <string.h>

#include "host/runtime/commands/command_buffer.h"
#include "host/runtime/commands/command_memory.h"
#include "host/runtime/memory/image.h"
#include "host/runtime/memory/memory.h"

/* One side of a copy: the address of the box, and its pitches. `data` is null when an object has no memory. */
typedef struct box_t {
  char *data;
  mux_extent_2d_t pitch;
} box_t;

static box_t image_box(mux_image_t handle, mux_offset_3d_t offset) {
  const host_image_t *image = host_image(handle);
  uint64_t row = host_image_row_pitch(image), slice = image->base.slice_pitch;
  uint64_t start = offset.x * image->base.pixel_size + offset.y * row + offset.z * slice;
  return (box_t){image->data ? image->data + start : NULL, {row, slice}};
}

static mux_extent_3d_t box_bytes(mux_image_t image, mux_extent_3d_t extent) {
  return (mux_extent_3d_t){extent.x * image->pixel_size, extent.y, extent.z};
}

/* The host's or a buffer's side; pitches of 0 are tightly packed. */
static box_t plain_box(char *data, mux_extent_3d_t bytes, uint64_t row_size, uint64_t slice_size) {
  uint64_t row = row_size ? row_size : bytes.x;
  return (box_t){data, {row, slice_size ? slice_size : row * bytes.y}};
}

static box_t buffer_box(mux_buffer_t buffer, uint64_t offset, mux_extent_3d_t bytes) {
  char *data = host_buffer(buffer)->data;
  return plain_box(data ? data + offset : NULL, bytes, 0, 0);
}

static mux_result_t copy_record(mux_command_buffer_t command_buffer, box_t source, box_t destination,
                                mux_extent_3d_t bytes, mux_sync_point_t *out_sync_point) {
  const mux_buffer_region_info_t region = {.region = bytes, .src_desc = source.pitch, .dst_desc = destination.pitch};
  if (!source.data || !destination.data) return mux_error_invalid_value;
  return host_copy_regions_record(command_buffer, source.data, destination.data, &region, 1, out_sync_point);
}

mux_result_t host_command_read_image(mux_command_buffer_t command_buffer, mux_image_t image, mux_offset_3d_t offset,
                                     mux_extent_3d_t extent, uint64_t row_size, uint64_t slice_size, void *pointer,
                                     MUX_SYNC_PARAMETERS) {
  (void)num_sync_points_in_wait_list, (void)sync_point_wait_list;
  mux_extent_3d_t bytes = box_bytes(image, extent);
  return copy_record(command_buffer, image_box(image, offset), plain_box(pointer, bytes, row_size, slice_size), bytes,
                     out_sync_point);
}

mux_result_t host_command_write_image(mux_command_buffer_t command_buffer, mux_image_t image, mux_offset_3d_t offset,
                                      mux_extent_3d_t extent, uint64_t row_size, uint64_t slice_size,
                                      const void *pointer, MUX_SYNC_PARAMETERS) {
  (void)num_sync_points_in_wait_list, (void)sync_point_wait_list;
  mux_extent_3d_t bytes = box_bytes(image, extent);
  /* Only read: a box is either side of a copy. */
  return copy_record(command_buffer, plain_box((char *)pointer, bytes, row_size, slice_size), image_box(image, offset),
                     bytes, out_sync_point);
}

mux_result_t host_command_copy_image(mux_command_buffer_t command_buffer, mux_image_t src_image, mux_image_t dst_image,
                                     mux_offset_3d_t src_offset, mux_offset_3d_t dst_offset, mux_extent_3d_t extent,
                                     MUX_SYNC_PARAMETERS) {
  (void)num_sync_points_in_wait_list, (void)sync_point_wait_list;
  return copy_record(command_buffer, image_box(src_image, src_offset), image_box(dst_image, dst_offset),
                     box_bytes(src_image, extent), out_sync_point);
}

mux_result_t host_command_copy_image_to_buffer(mux_command_buffer_t command_buffer, mux_image_t src_image,
                                               mux_buffer_t dst_buffer, mux_offset_3d_t src_offset, uint64_t dst_offset,
                                               mux_extent_3d_t extent, MUX_SYNC_PARAMETERS) {
  (void)num_sync_points_in_wait_list, (void)sync_point_wait_list;
  mux_extent_3d_t bytes = box_bytes(src_image, extent);
  return copy_record(command_buffer, image_box(src_image, src_offset), buffer_box(dst_buffer, dst_offset, bytes), bytes,
                     out_sync_point);
}

mux_result_t host_command_copy_buffer_to_image(mux_command_buffer_t command_buffer, mux_buffer_t src_buffer,
                                               mux_image_t dst_image, uint64_t src_offset, mux_offset_3d_t dst_offset,
                                               mux_extent_3d_t extent, MUX_SYNC_PARAMETERS) {
  (void)num_sync_points_in_wait_list, (void)sync_point_wait_list;
  mux_extent_3d_t bytes = box_bytes(dst_image, extent);
  return copy_record(command_buffer, buffer_box(src_buffer, src_offset, bytes), image_box(dst_image, dst_offset), bytes,
                     out_sync_point);
}

mux_result_t host_command_fill_image(mux_command_buffer_t handle, mux_image_t image, const void *color,
                                     uint32_t color_size, mux_offset_3d_t offset, mux_extent_3d_t extent,
                                     MUX_SYNC_PARAMETERS) {
  (void)num_sync_points_in_wait_list, (void)sync_point_wait_list;
  host_command_buffer_t *command_buffer = host_command_buffer(handle);
  box_t box = image_box(image, offset);
  if (!host_command_buffer_is(command_buffer, host_command_buffer_recording) || !box.data)
    return mux_error_invalid_value;
  host_command_fill_box_t *command =
      host_command_allocate(command_buffer, sizeof *command, alignof(host_command_fill_box_t), 0);
  if (!command) return mux_error_out_of_memory;
  command->destination = box.data;
  command->extent = box_bytes(image, extent);
  command->row_pitch = box.pitch.x;
  command->slice_pitch = box.pitch.y;
  command->pattern_size = color_size;
  memcpy(command->pattern, color, color_size);
  host_command_append(command_buffer, &command->head, host_command_kind_fill_box, out_sync_point);
  return mux_success;
}
