/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Descriptors to bytes, as host_arg_record_t describes them. */
#include "host/runtime/commands/args.h"

#include <string.h>

#include "base/memory.h"
#include "host/runtime/memory/image.h"
#include "host/runtime/memory/memory.h"

/* Of a pointer that may point into any object. */
static const host_arg_extent_t unknown_extent = {0, UINT64_MAX};

/* `out_extent` may be null. */
static mux_result_t pointer_pack(const mux_descriptor_info_t *descriptor, char *out, host_arg_extent_t *out_extent) {
  const char *address = NULL;
  host_arg_extent_t extent = {0, 0};
  if (descriptor->type == mux_descriptor_info_type_buffer) {
    const host_buffer_t *buffer = host_buffer(descriptor->buffer_descriptor.buffer);
    if (!buffer->data) return mux_error_invalid_value;
    address = buffer->data + descriptor->buffer_descriptor.offset;
    extent.begin = (uintptr_t)address;
    extent.size = buffer->base.memory_requirements.size - descriptor->buffer_descriptor.offset;
  } else if (descriptor->type == mux_descriptor_info_type_custom_buffer) {
    address = descriptor->custom_buffer_descriptor.data;
    extent.begin = (uintptr_t)descriptor->custom_buffer_descriptor.allocation;
    extent.size = descriptor->custom_buffer_descriptor.allocation_size;
    if (address && !extent.size) extent = unknown_extent;
  } else if (descriptor->type != mux_descriptor_info_type_null_buffer) {
    return mux_error_invalid_value;
  }
  memcpy(out, &address, sizeof address);
  if (out_extent) *out_extent = extent;
  return mux_success;
}

static mux_result_t value_pack(const host_arg_record_t *record, const mux_descriptor_info_t *descriptor, char *out) {
  if (descriptor->type != mux_descriptor_info_type_plain_old_data ||
      descriptor->plain_old_data_descriptor.length != record->size)
    return mux_error_invalid_value;
  memcpy(out, descriptor->plain_old_data_descriptor.data, record->size);
  return mux_success;
}

static mux_result_t image_pack(const mux_descriptor_info_t *descriptor, char *out) {
  if (descriptor->type != mux_descriptor_info_type_image) return mux_error_invalid_value;
  const host_image_t *image = host_image(descriptor->image_descriptor.image);
  const image_description_t *description = image->description;
  if (!image->data) return mux_error_invalid_value;
  memcpy(out, &description, sizeof description);
  return mux_success;
}

static mux_result_t sampler_pack(const mux_descriptor_info_t *descriptor, char *out) {
  if (descriptor->type != mux_descriptor_info_type_sampler) return mux_error_invalid_value;
  uint64_t bits = host_sampler_bits(&descriptor->sampler_descriptor.sampler);
  memcpy(out, &bits, sizeof bits);
  return mux_success;
}

mux_result_t host_arg_pack(const host_kernel_info_t *info, uint32_t index, const mux_descriptor_info_t *descriptor,
                           char *block, host_arg_extent_t *extents) {
  const host_arg_record_t *record = &info->args[index];
  switch (record->kind) {
    case host_arg_buffer: return pointer_pack(descriptor, block + record->offset, extents ? &extents[index] : NULL);
    case host_arg_value: return value_pack(record, descriptor, block + record->offset);
    case host_arg_local:
      if (descriptor->type != mux_descriptor_info_type_shared_local_buffer) return mux_error_invalid_value;
      extents[index] = (host_arg_extent_t){.size = descriptor->shared_local_buffer_descriptor.size};
      return mux_success;
    case host_arg_image: return image_pack(descriptor, block + record->offset);
    case host_arg_sampler: return sampler_pack(descriptor, block + record->offset);
    default: return mux_error_invalid_value;
  }
}

static bool overlap(const host_arg_extent_t *a, const host_arg_extent_t *b) {
  return a->begin < b->begin + b->size && b->begin < a->begin + a->size;
}

bool host_args_are_distinct(const host_kernel_info_t *info, const host_arg_extent_t *extents) {
  if (!info->distinct.entry) return false;
  for (uint32_t i = 1; i < info->arg_count; ++i) {
    if (info->args[i].kind != host_arg_buffer) continue;
    for (uint32_t j = 0; j < i; ++j) {
      if (info->args[j].kind == host_arg_buffer && overlap(&extents[i], &extents[j])) return false;
    }
  }
  return true;
}

mux_result_t host_args_place_locals(const host_kernel_info_t *info, const host_arg_extent_t *extents, uint64_t limit,
                                    char *block, uint64_t *out_total) {
  uint64_t total = info->local_size;
  if (total > limit) return mux_error_out_of_memory;
  for (uint32_t i = 0; info->has_local_args && i < info->arg_count; ++i) {
    const host_arg_record_t *record = &info->args[i];
    if (record->kind != host_arg_local) continue;
    total = align_up(total, record->alignment);
    if (total > limit || extents[i].size > limit - total) return mux_error_out_of_memory;
    memcpy(block + record->offset, &total, sizeof total);
    total += extents[i].size;
  }
  *out_total = total;
  return mux_success;
}
