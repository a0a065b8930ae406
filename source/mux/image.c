/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Images: creation, destruction, binding, formats. */
#include "mux/validate.h"

static bool type_is_valid(mux_image_type_e type) {
  return type == mux_image_type_1d || type == mux_image_type_2d || type == mux_image_type_3d;
}

static bool dimension_is_valid(uint32_t value, bool exists, uint32_t limit) {
  return exists ? value && value <= limit : value == 1;
}

static bool dimensions_are_valid(mux_device_info_t info, mux_image_type_e type, uint32_t width, uint32_t height,
                                 uint32_t depth) {
  const bool has_height = type != mux_image_type_1d, has_depth = type == mux_image_type_3d;
  const uint32_t limit = has_depth    ? info->max_image_dimension_3d
                         : has_height ? info->max_image_dimension_2d
                                      : info->max_image_dimension_1d;
  return dimension_is_valid(width, true, limit) && dimension_is_valid(height, has_height, limit) &&
         dimension_is_valid(depth, has_depth, limit);
}

static mux_result_t create(mux_device_t device, mux_image_type_e type, mux_image_format_e format, uint32_t width,
                           uint32_t height, uint32_t depth, uint32_t array_layers, uint64_t row_size,
                           uint64_t slice_size, uint32_t level_count, mux_allocator_info_t allocator,
                           mux_image_t *out_image) {
  MUX_REQUIRE_HANDLE(device, device);
  const mux_target_t *target = mux_target_find(device->id);
  MUX_REQUIRE_FEATURE(device->info->image_support && target->create_image, "the device has no images");
  MUX_REQUIRE(type_is_valid(type), "type is unknown");
  MUX_REQUIRE(dimensions_are_valid(device->info, type, width, height, depth), "a dimension is invalid");
  MUX_REQUIRE(type == mux_image_type_3d ? !array_layers : array_layers <= device->info->max_image_array_layers,
              "array_layers is invalid");
  MUX_REQUIRE(row_size || !slice_size, "slice_size is given without row_size");
  /* A level more for each halving of the largest dimension. */
  MUX_REQUIRE(level_count && level_count <= 32 && (width | height | depth) >> (level_count - 1),
              "level_count is 0 or larger than the dimensions allow");
  MUX_REQUIRE_ALLOCATOR(allocator);
  MUX_REQUIRE_OUTPUT(out_image);
  return target->create_image(device, type, format, width, height, depth, array_layers, row_size, slice_size,
                              level_count, allocator, out_image);
}

mux_result_t muxCreateImage(mux_device_t device, mux_image_type_e type, mux_image_format_e format, uint32_t width,
                            uint32_t height, uint32_t depth, uint32_t array_layers, uint64_t row_size,
                            uint64_t slice_size, mux_allocator_info_t allocator, mux_image_t *out_image) {
  return create(device, type, format, width, height, depth, array_layers, row_size, slice_size, 1, allocator,
                out_image);
}

mux_result_t muxCreateMipmappedImage(mux_device_t device, mux_image_type_e type, mux_image_format_e format,
                                     uint32_t width, uint32_t height, uint32_t depth, uint32_t array_layers,
                                     uint32_t level_count, mux_allocator_info_t allocator, mux_image_t *out_image) {
  MUX_REQUIRE_HANDLE(device, device);
  MUX_REQUIRE_FEATURE(device->info->mipmapped_images, "the device has no mipmapped images");
  return create(device, type, format, width, height, depth, array_layers, 0, 0, level_count, allocator, out_image);
}

void muxDestroyImage(mux_device_t device, mux_image_t image, mux_allocator_info_t allocator) {
  MUX_REQUIRE_DESTROYABLE(device, device, image, image, allocator);
  if (image->whole) return;
  mux_target_find(device->id)->destroy_image(device, image, allocator);
}

mux_result_t muxBindImageMemory(mux_device_t device, mux_memory_t memory, mux_image_t image, uint64_t offset) {
  MUX_REQUIRE_HANDLE(device, device);
  const mux_target_t *target = mux_target_find(device->id);
  MUX_REQUIRE_FEATURE(device->info->image_support && target->bind_image_memory, "the device has no images");
  MUX_REQUIRE_PEER(memory, memory, device);
  MUX_REQUIRE_PEER(image, image, device);
  MUX_REQUIRE(!image->whole, "the image is a level of another one");
  MUX_REQUIRE(mux_requirements_are_met(&image->memory_requirements, memory, offset),
              "the offset is not aligned or the memory too small");
  return target->bind_image_memory(device, memory, image, offset);
}

mux_result_t muxGetSupportedImageFormats(mux_device_t device, mux_image_type_e image_type,
                                         mux_allocation_type_e allocation_type, uint32_t count,
                                         mux_image_format_e *out_formats, uint32_t *out_count) {
  MUX_REQUIRE_HANDLE(device, device);
  const mux_target_t *target = mux_target_find(device->id);
  MUX_REQUIRE_FEATURE(device->info->image_support && target->get_supported_image_formats, "the device has no images");
  MUX_REQUIRE(type_is_valid(image_type), "image_type is unknown");
  MUX_REQUIRE(allocation_type == mux_allocation_type_alloc_host || allocation_type == mux_allocation_type_alloc_device,
              "allocation_type is unknown");
  MUX_REQUIRE(!out_formats || count, "out_formats has count 0");
  if (count || !out_count) MUX_REQUIRE_OUTPUT(out_formats);
  return target->get_supported_image_formats(device, image_type, allocation_type, count, out_formats, out_count);
}
