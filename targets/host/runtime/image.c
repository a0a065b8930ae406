/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Creating images, binding them to memory, describing them and samplers to kernels. */
#include "host/runtime/image.h"

#include <stdalign.h>

#include "host/runtime/memory.h"
#include "mux/target.h"

/* Bytes that an image's place in memory is a multiple of: no more, so that any sub-buffer can be the memory. */
#define IMAGE_ALIGNMENT 64u

/* Fills in the zeros; false when a pitch is too small or a size too large. */
static bool pitches_find(struct mux_image_s *image, uint64_t row_size, uint64_t slice_size) {
  uint64_t packed_row = (uint64_t)image->size.x * image->pixel_size, packed_slice;
  image->row_pitch = row_size ? row_size : packed_row;
  if (image->row_pitch < packed_row) return false;
  if (__builtin_mul_overflow(image->row_pitch, (uint64_t)image->size.y, &packed_slice)) return false;
  image->slice_pitch = slice_size ? slice_size : packed_slice;
  if (image->slice_pitch < packed_slice) return false;
  uint64_t slices = image->array_layers ? image->array_layers : image->size.z;
  return !__builtin_mul_overflow(image->slice_pitch, slices, &image->memory_requirements.size);
}

static void description_fill(image_description_t *out, const struct mux_image_s *image,
                             const host_image_format_t *stored) {
  *out = (image_description_t){
      .row_pitch = image->row_pitch,
      .slice_pitch = image->slice_pitch,
      .width = (uint32_t)image->size.x,
      .height = (uint32_t)image->size.y,
      .depth = (uint32_t)image->size.z,
      .layers = image->array_layers ? image->array_layers : 1,
  };
  host_image_describe_format(stored, out);
}

mux_result_t host_create_image(mux_device_t device, mux_image_type_e type, mux_image_format_e format, uint32_t width,
                               uint32_t height, uint32_t depth, uint32_t array_layers, uint64_t row_size,
                               uint64_t slice_size, mux_allocator_info_t allocator, mux_image_t *out_image) {
  const host_image_format_t *stored = host_image_format_find(type, format);
  if (!stored) return mux_error_invalid_value;
  struct mux_image_s base = {.id = mux_id_make(mux_object_id_image, mux_id_target(device->id)),
                             .memory_requirements = {.alignment = IMAGE_ALIGNMENT, .supported_heaps = 1},
                             .type = type,
                             .format = format,
                             .pixel_size = stored->pixel_size,
                             .size = {width, height, depth},
                             .array_layers = array_layers};
  if (!pitches_find(&base, row_size, slice_size)) return mux_error_invalid_value;
  host_image_t *image = mux_object_allocate(allocator, sizeof *image, alignof(host_image_t));
  if (!image) return mux_error_out_of_memory;
  image->base = base;
  description_fill(&image->description, &base, stored);
  *out_image = &image->base;
  return mux_success;
}

void host_destroy_image(mux_device_t device, mux_image_t image, mux_allocator_info_t allocator) {
  (void)device;
  mux_object_free(allocator, image);
}

mux_result_t host_bind_image_memory(mux_device_t device, mux_memory_t memory, mux_image_t handle, uint64_t offset) {
  (void)device;
  host_image_t *image = host_image(handle);
  if (image->data) return mux_error_invalid_value;
  image->data = host_memory(memory)->data + offset;
  image->description.data = image->data;
  return mux_success;
}
