/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Creating images, binding them to memory, describing them and samplers to kernels. */
#include "host/runtime/memory/image.h"

#include <stdalign.h>

#include "base/memory.h"
#include "host/runtime/memory/memory.h"
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
      .levels = out,
      .level_count = image->level_count,
  };
  host_image_describe_format(stored, out);
}

static size_t half(size_t size) { return size > 1 ? size / 2 : 1; }

/* An image with all its levels is one object: the images, what kernels see of them, and the table of levels. */
typedef struct levels_t {
  host_image_t *images;
  image_description_t *descriptions;
  mux_image_t *table;
} levels_t;

static bool levels_allocate(uint32_t count, mux_allocator_info_t allocator, levels_t *out) {
  out->images = mux_object_allocate(
      allocator, count * (sizeof *out->images + sizeof *out->descriptions + sizeof *out->table), alignof(host_image_t));
  if (!out->images) return false;
  out->descriptions = (image_description_t *)(out->images + count);
  out->table = (mux_image_t *)(out->descriptions + count);
  return true;
}

/* Fills in the levels after the first, and the bytes that all of them take: rows are packed, so that the sum of their
 * sizes is less than twice the first, and each begins where an image might. */
static void levels_fill(const levels_t *levels, uint32_t count) {
  struct mux_image_s *whole = &levels->images[0].base;
  uint64_t end = whole->memory_requirements.size;
  levels->table[0] = whole;
  for (uint32_t i = 1; i < count; ++i) {
    struct mux_image_s *level = levels->table[i] = &levels->images[i].base;
    *level = levels->images[i - 1].base;
    level->size = (mux_extent_3d_t){half(level->size.x), half(level->size.y), half(level->size.z)};
    level->level_count = 1;
    level->whole = whole;
    level->level_offset = align_up(end, IMAGE_ALIGNMENT);
    pitches_find(level, 0, 0);
    end = level->level_offset + level->memory_requirements.size;
  }
  whole->memory_requirements.size = end;
  whole->levels = levels->table;
}

mux_result_t host_create_image(mux_device_t device, mux_image_type_e type, mux_image_format_e format, uint32_t width,
                               uint32_t height, uint32_t depth, uint32_t array_layers, uint64_t row_size,
                               uint64_t slice_size, uint32_t level_count, mux_allocator_info_t allocator,
                               mux_image_t *out_image) {
  const host_image_format_t *stored = host_image_format_find(type, format);
  if (!stored) return mux_error_invalid_value;
  struct mux_image_s base = {.id = mux_id_make(mux_object_id_image, mux_id_target(device->id)),
                             .memory_requirements = {.alignment = IMAGE_ALIGNMENT, .supported_heaps = 1},
                             .type = type,
                             .format = format,
                             .pixel_size = stored->pixel_size,
                             .size = {width, height, depth},
                             .array_layers = array_layers,
                             .level_count = level_count};
  if (!pitches_find(&base, row_size, slice_size)) return mux_error_invalid_value;
  levels_t levels;
  if (!levels_allocate(level_count, allocator, &levels)) return mux_error_out_of_memory;
  levels.images[0].base = base;
  if (level_count > 1) levels_fill(&levels, level_count);
  for (uint32_t i = 0; i < level_count; ++i) {
    levels.images[i].description = &levels.descriptions[i];
    description_fill(&levels.descriptions[i], &levels.images[i].base, stored);
  }
  *out_image = &levels.images[0].base;
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
  for (uint32_t i = 0; i < handle->level_count; ++i) {
    host_image_t *level = i ? host_image(handle->levels[i]) : image;
    level->data = host_memory(memory)->data + offset + level->base.level_offset;
    level->description->data = level->data;
  }
  return mux_success;
}
