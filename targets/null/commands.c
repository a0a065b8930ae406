/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Recording of the null target: every memory command becomes a copy or a fill of boxes. */
#include "null/null.h"

/* ------------------------------------------------------------ boxes */

/* Data only ever flows from what the API gave as const. */
static null_box_t make_host_box(const void *pointer, mux_extent_2d_t pitch) {
  return (null_box_t){.bytes = (uint8_t *)pointer, .pitch = pitch};
}

static null_box_t make_box(uint8_t *bytes, uint64_t offset, mux_extent_2d_t pitch) {
  return (null_box_t){.bytes = bytes ? bytes + offset : NULL, .pitch = pitch};
}

static null_box_t make_buffer_box(mux_buffer_t buffer, uint64_t offset, mux_extent_2d_t pitch) {
  return make_box(((null_buffer_t *)buffer)->bytes, offset, pitch);
}

/* The layer of a 1d array is y, and lies a slice further. */
static null_box_t make_image_box(mux_image_t image, mux_offset_3d_t offset) {
  const uint64_t row_pitch = image->type == mux_image_type_1d ? image->slice_pitch : image->row_pitch;
  return make_box(((null_image_t *)image)->bytes,
                  offset.x * image->pixel_size + offset.y * row_pitch + offset.z * image->slice_pitch,
                  (mux_extent_2d_t){row_pitch, image->slice_pitch});
}

static uint64_t find_begin(mux_offset_3d_t origin, mux_extent_2d_t pitch) {
  return origin.x + origin.y * pitch.x + origin.z * pitch.y;
}

static mux_extent_3d_t make_line(uint64_t size) { return (mux_extent_3d_t){size, 1, 1}; }
static const mux_extent_2d_t no_pitch = {0, 0};

static mux_extent_3d_t find_bytes(mux_image_t image, mux_extent_3d_t extent) {
  return (mux_extent_3d_t){extent.x * image->pixel_size, extent.y, extent.z};
}

/* Pitches of the host's or buffer's side of an image copy; 0 is tightly packed. */
static mux_extent_2d_t find_pitch(mux_extent_3d_t bytes, uint64_t row_size, uint64_t slice_size) {
  const uint64_t row = row_size ? row_size : bytes.x;
  return (mux_extent_2d_t){row, slice_size ? slice_size : row * bytes.y};
}

/* ------------------------------------------------------------ copies */

static mux_result_t record_copy(mux_command_buffer_t command_buffer, null_box_t src, null_box_t dst,
                                mux_extent_3d_t extent, MUX_SYNC_PARAMETERS) {
  if (!src.bytes || !dst.bytes) return mux_error_invalid_value;
  null_command_t *command;
  const mux_result_t result = null_record(command_buffer, 1, MUX_SYNC_ARGUMENTS, &command);
  if (result) return result;
  command->kind = null_kind_copy;
  command->copy.src = src;
  command->copy.dst = dst;
  command->copy.extent = extent;
  return mux_success;
}

static null_box_t move_box(null_box_t base, mux_offset_3d_t origin, mux_extent_2d_t pitch) {
  return (null_box_t){.bytes = base.bytes + find_begin(origin, pitch), .pitch = pitch};
}

/* `src` and `dst` are where offsets count from. */
static mux_result_t record_regions(mux_command_buffer_t command_buffer, null_box_t src, null_box_t dst,
                                   const mux_buffer_region_info_t *regions, uint64_t length, MUX_SYNC_PARAMETERS) {
  if (!src.bytes || !dst.bytes) return mux_error_invalid_value;
  null_command_t *commands;
  const mux_result_t result = null_record(command_buffer, length, MUX_SYNC_ARGUMENTS, &commands);
  if (result) return result;
  for (uint64_t i = 0; i < length; i++) {
    commands[i].kind = null_kind_copy;
    commands[i].copy.src = move_box(src, regions[i].src_origin, regions[i].src_desc);
    commands[i].copy.dst = move_box(dst, regions[i].dst_origin, regions[i].dst_desc);
    commands[i].copy.extent = regions[i].region;
  }
  return mux_success;
}

mux_result_t null_command_read_buffer(mux_command_buffer_t command_buffer, mux_buffer_t buffer, uint64_t offset,
                                      void *host_pointer, uint64_t size, MUX_SYNC_PARAMETERS) {
  return record_copy(command_buffer, make_buffer_box(buffer, offset, no_pitch), make_host_box(host_pointer, no_pitch),
                     make_line(size), MUX_SYNC_ARGUMENTS);
}

mux_result_t null_command_write_buffer(mux_command_buffer_t command_buffer, mux_buffer_t buffer, uint64_t offset,
                                       const void *host_pointer, uint64_t size, MUX_SYNC_PARAMETERS) {
  return record_copy(command_buffer, make_host_box(host_pointer, no_pitch), make_buffer_box(buffer, offset, no_pitch),
                     make_line(size), MUX_SYNC_ARGUMENTS);
}

mux_result_t null_command_copy_buffer(mux_command_buffer_t command_buffer, mux_buffer_t src_buffer, uint64_t src_offset,
                                      mux_buffer_t dst_buffer, uint64_t dst_offset, uint64_t size,
                                      MUX_SYNC_PARAMETERS) {
  return record_copy(command_buffer, make_buffer_box(src_buffer, src_offset, no_pitch),
                     make_buffer_box(dst_buffer, dst_offset, no_pitch), make_line(size), MUX_SYNC_ARGUMENTS);
}

mux_result_t null_command_read_buffer_regions(mux_command_buffer_t command_buffer, mux_buffer_t buffer,
                                              void *host_pointer, const mux_buffer_region_info_t *regions,
                                              uint64_t regions_length, MUX_SYNC_PARAMETERS) {
  return record_regions(command_buffer, make_buffer_box(buffer, 0, no_pitch), make_host_box(host_pointer, no_pitch),
                        regions, regions_length, MUX_SYNC_ARGUMENTS);
}

mux_result_t null_command_write_buffer_regions(mux_command_buffer_t command_buffer, mux_buffer_t buffer,
                                               const void *host_pointer, const mux_buffer_region_info_t *regions,
                                               uint64_t regions_length, MUX_SYNC_PARAMETERS) {
  return record_regions(command_buffer, make_host_box(host_pointer, no_pitch), make_buffer_box(buffer, 0, no_pitch),
                        regions, regions_length, MUX_SYNC_ARGUMENTS);
}

mux_result_t null_command_copy_buffer_regions(mux_command_buffer_t command_buffer, mux_buffer_t src_buffer,
                                              mux_buffer_t dst_buffer, const mux_buffer_region_info_t *regions,
                                              uint64_t regions_length, MUX_SYNC_PARAMETERS) {
  return record_regions(command_buffer, make_buffer_box(src_buffer, 0, no_pitch),
                        make_buffer_box(dst_buffer, 0, no_pitch), regions, regions_length, MUX_SYNC_ARGUMENTS);
}

mux_result_t null_command_read_image(mux_command_buffer_t command_buffer, mux_image_t image, mux_offset_3d_t offset,
                                     mux_extent_3d_t extent, uint64_t row_size, uint64_t slice_size, void *pointer,
                                     MUX_SYNC_PARAMETERS) {
  const mux_extent_3d_t bytes = find_bytes(image, extent);
  return record_copy(command_buffer, make_image_box(image, offset),
                     make_host_box(pointer, find_pitch(bytes, row_size, slice_size)), bytes, MUX_SYNC_ARGUMENTS);
}

mux_result_t null_command_write_image(mux_command_buffer_t command_buffer, mux_image_t image, mux_offset_3d_t offset,
                                      mux_extent_3d_t extent, uint64_t row_size, uint64_t slice_size,
                                      const void *pointer, MUX_SYNC_PARAMETERS) {
  const mux_extent_3d_t bytes = find_bytes(image, extent);
  return record_copy(command_buffer, make_host_box(pointer, find_pitch(bytes, row_size, slice_size)),
                     make_image_box(image, offset), bytes, MUX_SYNC_ARGUMENTS);
}

mux_result_t null_command_copy_image(mux_command_buffer_t command_buffer, mux_image_t src_image, mux_image_t dst_image,
                                     mux_offset_3d_t src_offset, mux_offset_3d_t dst_offset, mux_extent_3d_t extent,
                                     MUX_SYNC_PARAMETERS) {
  return record_copy(command_buffer, make_image_box(src_image, src_offset), make_image_box(dst_image, dst_offset),
                     find_bytes(src_image, extent), MUX_SYNC_ARGUMENTS);
}

mux_result_t null_command_copy_image_to_buffer(mux_command_buffer_t command_buffer, mux_image_t src_image,
                                               mux_buffer_t dst_buffer, mux_offset_3d_t src_offset, uint64_t dst_offset,
                                               mux_extent_3d_t extent, MUX_SYNC_PARAMETERS) {
  const mux_extent_3d_t bytes = find_bytes(src_image, extent);
  return record_copy(command_buffer, make_image_box(src_image, src_offset),
                     make_buffer_box(dst_buffer, dst_offset, find_pitch(bytes, 0, 0)), bytes, MUX_SYNC_ARGUMENTS);
}

mux_result_t null_command_copy_buffer_to_image(mux_command_buffer_t command_buffer, mux_buffer_t src_buffer,
                                               mux_image_t dst_image, uint64_t src_offset, mux_offset_3d_t dst_offset,
                                               mux_extent_3d_t extent, MUX_SYNC_PARAMETERS) {
  const mux_extent_3d_t bytes = find_bytes(dst_image, extent);
  return record_copy(command_buffer, make_buffer_box(src_buffer, src_offset, find_pitch(bytes, 0, 0)),
                     make_image_box(dst_image, dst_offset), bytes, MUX_SYNC_ARGUMENTS);
}

/* ------------------------------------------------------------ fills */

static mux_result_t record_fill(mux_command_buffer_t command_buffer, null_box_t dst, mux_extent_3d_t extent,
                                const void *pattern, uint64_t pattern_size, MUX_SYNC_PARAMETERS) {
  if (!dst.bytes) return mux_error_invalid_value;
  null_command_t *command;
  const mux_result_t result = null_record(command_buffer, 1, MUX_SYNC_ARGUMENTS, &command);
  if (result) return result;
  command->kind = null_kind_fill;
  command->fill.dst = dst;
  command->fill.extent = extent;
  command->fill.pattern_size = pattern_size;
  memcpy(command->fill.pattern, pattern, pattern_size);
  return mux_success;
}

mux_result_t null_command_fill_buffer(mux_command_buffer_t command_buffer, mux_buffer_t buffer, uint64_t offset,
                                      uint64_t size, const void *pattern_pointer, uint64_t pattern_size,
                                      MUX_SYNC_PARAMETERS) {
  return record_fill(command_buffer, make_buffer_box(buffer, offset, no_pitch), make_line(size), pattern_pointer,
                     pattern_size, MUX_SYNC_ARGUMENTS);
}

mux_result_t null_command_fill_image(mux_command_buffer_t command_buffer, mux_image_t image, const void *color,
                                     uint32_t color_size, mux_offset_3d_t offset, mux_extent_3d_t extent,
                                     MUX_SYNC_PARAMETERS) {
  return record_fill(command_buffer, make_image_box(image, offset), find_bytes(image, extent), color, color_size,
                     MUX_SYNC_ARGUMENTS);
}

/* ------------------------------------------------------------ callbacks */

mux_result_t null_command_user_callback(mux_command_buffer_t command_buffer, mux_command_user_callback_t user_function,
                                        void *user_data, MUX_SYNC_PARAMETERS) {
  null_command_t *command;
  const mux_result_t result = null_record(command_buffer, 1, MUX_SYNC_ARGUMENTS, &command);
  if (result) return result;
  command->kind = null_kind_callback;
  command->callback.function = user_function;
  command->callback.user_data = user_data;
  return mux_success;
}
