/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Images of the null target: linear, in a few formats. */
#include "null/null.h"

typedef struct format_t {
  mux_image_format_e format;
  uint32_t pixel_size;
} format_t;

/* R of uint8, RGBA of unorm8, RGBA of float. */
static const format_t formats[] = {
    {MUX_IMAGE_FORMAT(0xb0, 0xda), 1}, {MUX_IMAGE_FORMAT(0xb5, 0xd2), 4}, {MUX_IMAGE_FORMAT(0xb5, 0xde), 16}};
enum { format_count = sizeof(formats) / sizeof(formats[0]) };

static uint32_t find_pixel_size(mux_image_format_e format) {
  for (uint32_t i = 0; i < format_count; i++) {
    if (formats[i].format == format) return formats[i].pixel_size;
  }
  return 0;
}

/* Fills in the zeros; false when a pitch is too small, or a size does not fit. */
static bool find_pitches(struct mux_image_s *image, uint64_t row_size, uint64_t slice_size) {
  const uint64_t packed_row = (uint64_t)image->size.x * image->pixel_size;
  image->row_pitch = row_size ? row_size : packed_row;
  uint64_t packed_slice;
  if (image->row_pitch < packed_row) return false;
  if (__builtin_mul_overflow(image->row_pitch, (uint64_t)image->size.y, &packed_slice)) return false;
  image->slice_pitch = slice_size ? slice_size : packed_slice;
  if (image->slice_pitch < packed_slice) return false;
  const uint64_t slices = image->array_layers ? image->array_layers : image->size.z;
  return !__builtin_mul_overflow(image->slice_pitch, slices, &image->memory_requirements.size);
}

mux_result_t null_create_image(mux_device_t device, mux_image_type_e type, mux_image_format_e format, uint32_t width,
                               uint32_t height, uint32_t depth, uint32_t array_layers, uint64_t row_size,
                               uint64_t slice_size, uint32_t level_count, mux_allocator_info_t allocator,
                               mux_image_t *out_image) {
  struct mux_image_s description = {.id = mux_id_make(mux_object_id_image, mux_id_target(device->id)),
                                    .memory_requirements = {.alignment = 64, .supported_heaps = 1},
                                    .type = type,
                                    .format = format,
                                    .pixel_size = find_pixel_size(format),
                                    .size = {width, height, depth},
                                    .array_layers = array_layers,
                                    .level_count = level_count};
  if (!description.pixel_size || !find_pitches(&description, row_size, slice_size)) return mux_error_invalid_value;
  null_image_t *image = mux_object_allocate(allocator, sizeof(*image), _Alignof(null_image_t));
  if (!image) return mux_error_out_of_memory;
  image->base = description;
  *out_image = &image->base;
  return mux_success;
}

void null_destroy_image(mux_device_t device, mux_image_t image, mux_allocator_info_t allocator) {
  (void)device;
  mux_object_free(allocator, image);
}

mux_result_t null_bind_image_memory(mux_device_t device, mux_memory_t memory, mux_image_t base, uint64_t offset) {
  (void)device;
  null_image_t *image = (null_image_t *)base;
  if (image->bytes) return mux_error_invalid_value;
  image->bytes = ((null_memory_t *)memory)->storage + offset;
  return mux_success;
}

mux_result_t null_get_supported_image_formats(mux_device_t device, mux_image_type_e image_type,
                                              mux_allocation_type_e allocation_type, uint32_t count,
                                              mux_image_format_e *out_formats, uint32_t *out_count) {
  (void)device;
  (void)image_type;
  (void)allocation_type;
  for (uint32_t i = 0; i < count && i < format_count; i++) out_formats[i] = formats[i].format;
  if (out_count) *out_count = format_count;
  return mux_success;
}
