/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Commands on images. */
#include "mux/validate.h"

#define MUX_REQUIRE_IMAGES(buffer, operation)                                                                      \
  MUX_REQUIRE_FEATURE((buffer)->device->info->image_support && (mux_target_find((buffer)->id)->operation) != NULL, \
                      "the device has no images")

/* Pixels in each direction, array layers being the first direction that the type lacks. */
static mux_extent_3d_t find_bounds(mux_image_t image) {
  mux_extent_3d_t bounds = image->size;
  if (image->array_layers && image->type == mux_image_type_1d) bounds.y = image->array_layers;
  if (image->array_layers && image->type == mux_image_type_2d) bounds.z = image->array_layers;
  return bounds;
}

static bool box_is_valid(mux_image_t image, mux_offset_3d_t offset, mux_extent_3d_t extent) {
  const mux_extent_3d_t bounds = find_bounds(image);
  return mux_range_is_inside(offset.x, extent.x, bounds.x) && mux_range_is_inside(offset.y, extent.y, bounds.y) &&
         mux_range_is_inside(offset.z, extent.z, bounds.z);
}

/* The box is inside the image, so that its packed sizes do not overflow. */
static bool pitches_are_valid(mux_image_t image, mux_extent_3d_t extent, uint64_t row_size, uint64_t slice_size) {
  const uint64_t packed_row = (uint64_t)extent.x * image->pixel_size;
  const uint64_t row = row_size ? row_size : packed_row;
  uint64_t packed_slice;
  if (row < packed_row || !size_multiply(row, (uint64_t)extent.y, &packed_slice)) return false;
  return !slice_size || slice_size >= packed_slice;
}

mux_result_t muxCommandReadImage(mux_command_buffer_t command_buffer, mux_image_t image, mux_offset_3d_t offset,
                                 mux_extent_3d_t extent, uint64_t row_size, uint64_t slice_size, void *pointer,
                                 MUX_SYNC_PARAMETERS) {
  MUX_REQUIRE_HANDLE(command_buffer, command_buffer);
  MUX_REQUIRE_IMAGES(command_buffer, command_read_image);
  MUX_REQUIRE_PEER(image, image, command_buffer);
  MUX_REQUIRE(box_is_valid(image, offset, extent), "the box is empty or leaves the image");
  MUX_REQUIRE(pitches_are_valid(image, extent, row_size, slice_size), "row_size or slice_size is too small");
  MUX_REQUIRE(pointer, "pointer is null");
  MUX_REQUIRE_SYNC_POINTS(command_buffer);
  return mux_target_find(command_buffer->id)
      ->command_read_image(command_buffer, image, offset, extent, row_size, slice_size, pointer, MUX_SYNC_ARGUMENTS);
}

mux_result_t muxCommandWriteImage(mux_command_buffer_t command_buffer, mux_image_t image, mux_offset_3d_t offset,
                                  mux_extent_3d_t extent, uint64_t row_size, uint64_t slice_size, const void *pointer,
                                  MUX_SYNC_PARAMETERS) {
  MUX_REQUIRE_HANDLE(command_buffer, command_buffer);
  MUX_REQUIRE_IMAGES(command_buffer, command_write_image);
  MUX_REQUIRE_PEER(image, image, command_buffer);
  MUX_REQUIRE(box_is_valid(image, offset, extent), "the box is empty or leaves the image");
  MUX_REQUIRE(pitches_are_valid(image, extent, row_size, slice_size), "row_size or slice_size is too small");
  MUX_REQUIRE(pointer, "pointer is null");
  MUX_REQUIRE_SYNC_POINTS(command_buffer);
  return mux_target_find(command_buffer->id)
      ->command_write_image(command_buffer, image, offset, extent, row_size, slice_size, pointer, MUX_SYNC_ARGUMENTS);
}

mux_result_t muxCommandFillImage(mux_command_buffer_t command_buffer, mux_image_t image, const void *color,
                                 uint32_t color_size, mux_offset_3d_t offset, mux_extent_3d_t extent,
                                 MUX_SYNC_PARAMETERS) {
  MUX_REQUIRE_HANDLE(command_buffer, command_buffer);
  MUX_REQUIRE_IMAGES(command_buffer, command_fill_image);
  MUX_REQUIRE_PEER(image, image, command_buffer);
  MUX_REQUIRE(color && color_size == image->pixel_size, "color is null or not of the size of a pixel");
  MUX_REQUIRE(box_is_valid(image, offset, extent), "the box is empty or leaves the image");
  MUX_REQUIRE_SYNC_POINTS(command_buffer);
  return mux_target_find(command_buffer->id)
      ->command_fill_image(command_buffer, image, color, color_size, offset, extent, MUX_SYNC_ARGUMENTS);
}

static bool is_apart(size_t a, size_t b, size_t length) { return a + length <= b || b + length <= a; }

mux_result_t muxCommandCopyImage(mux_command_buffer_t command_buffer, mux_image_t src_image, mux_image_t dst_image,
                                 mux_offset_3d_t src_offset, mux_offset_3d_t dst_offset, mux_extent_3d_t extent,
                                 MUX_SYNC_PARAMETERS) {
  MUX_REQUIRE_HANDLE(command_buffer, command_buffer);
  MUX_REQUIRE_IMAGES(command_buffer, command_copy_image);
  MUX_REQUIRE_PEER(src_image, image, command_buffer);
  MUX_REQUIRE_PEER(dst_image, image, command_buffer);
  MUX_REQUIRE(src_image->format == dst_image->format, "the formats differ");
  MUX_REQUIRE(box_is_valid(src_image, src_offset, extent), "the source is empty or leaves its image");
  MUX_REQUIRE(box_is_valid(dst_image, dst_offset, extent), "the destination leaves its image");
  MUX_REQUIRE(src_image != dst_image || is_apart(src_offset.x, dst_offset.x, extent.x) ||
                  is_apart(src_offset.y, dst_offset.y, extent.y) || is_apart(src_offset.z, dst_offset.z, extent.z),
              "source and destination overlap");
  MUX_REQUIRE_SYNC_POINTS(command_buffer);
  return mux_target_find(command_buffer->id)
      ->command_copy_image(command_buffer, src_image, dst_image, src_offset, dst_offset, extent, MUX_SYNC_ARGUMENTS);
}

/* The packed pixels of a box that is inside the image lie inside the buffer. */
static bool packed_box_fits(mux_image_t image, mux_extent_3d_t extent, mux_buffer_t buffer, uint64_t offset) {
  const uint64_t size = (uint64_t)extent.x * extent.y * extent.z * image->pixel_size;
  return mux_range_is_inside(offset, size, buffer->memory_requirements.size);
}

mux_result_t muxCommandCopyImageToBuffer(mux_command_buffer_t command_buffer, mux_image_t src_image,
                                         mux_buffer_t dst_buffer, mux_offset_3d_t src_offset, uint64_t dst_offset,
                                         mux_extent_3d_t extent, MUX_SYNC_PARAMETERS) {
  MUX_REQUIRE_HANDLE(command_buffer, command_buffer);
  MUX_REQUIRE_IMAGES(command_buffer, command_copy_image_to_buffer);
  MUX_REQUIRE_PEER(src_image, image, command_buffer);
  MUX_REQUIRE_PEER(dst_buffer, buffer, command_buffer);
  MUX_REQUIRE(box_is_valid(src_image, src_offset, extent), "the source is empty or leaves the image");
  MUX_REQUIRE(packed_box_fits(src_image, extent, dst_buffer, dst_offset), "the destination leaves the buffer");
  MUX_REQUIRE_SYNC_POINTS(command_buffer);
  return mux_target_find(command_buffer->id)
      ->command_copy_image_to_buffer(command_buffer, src_image, dst_buffer, src_offset, dst_offset, extent,
                                     MUX_SYNC_ARGUMENTS);
}

mux_result_t muxCommandCopyBufferToImage(mux_command_buffer_t command_buffer, mux_buffer_t src_buffer,
                                         mux_image_t dst_image, uint64_t src_offset, mux_offset_3d_t dst_offset,
                                         mux_extent_3d_t extent, MUX_SYNC_PARAMETERS) {
  MUX_REQUIRE_HANDLE(command_buffer, command_buffer);
  MUX_REQUIRE_IMAGES(command_buffer, command_copy_buffer_to_image);
  MUX_REQUIRE_PEER(src_buffer, buffer, command_buffer);
  MUX_REQUIRE_PEER(dst_image, image, command_buffer);
  MUX_REQUIRE(box_is_valid(dst_image, dst_offset, extent), "the destination is empty or leaves the image");
  MUX_REQUIRE(packed_box_fits(dst_image, extent, src_buffer, src_offset), "the source leaves the buffer");
  MUX_REQUIRE_SYNC_POINTS(command_buffer);
  return mux_target_find(command_buffer->id)
      ->command_copy_buffer_to_image(command_buffer, src_buffer, dst_image, src_offset, dst_offset, extent,
                                     MUX_SYNC_ARGUMENTS);
}
