/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Descriptors to bytes, as host_arg_record_t describes them. */
#include "host/runtime/commands/args.h"

#include <string.h>

#include "base/memory.h"
#include "host/runtime/memory/image.h"
#include "host/runtime/memory/memory.h"

static mux_result_t pointer_pack(const mux_descriptor_info_t *descriptor, char *out) {
  const char *address = NULL;
  if (descriptor->type == mux_descriptor_info_type_buffer) {
    address = host_buffer(descriptor->buffer_descriptor.buffer)->data;
    if (!address) return mux_error_invalid_value;
    address += descriptor->buffer_descriptor.offset;
  } else if (descriptor->type == mux_descriptor_info_type_custom_buffer) {
    address = descriptor->custom_buffer_descriptor.data;
  } else if (descriptor->type != mux_descriptor_info_type_null_buffer) {
    return mux_error_invalid_value;
  }
  memcpy(out, &address, sizeof address);
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
                           char *block, uint64_t *local_sizes) {
  const host_arg_record_t *record = &info->args[index];
  switch (record->kind) {
    case host_arg_buffer: return pointer_pack(descriptor, block + record->offset);
    case host_arg_value: return value_pack(record, descriptor, block + record->offset);
    case host_arg_local:
      if (descriptor->type != mux_descriptor_info_type_shared_local_buffer) return mux_error_invalid_value;
      local_sizes[index] = descriptor->shared_local_buffer_descriptor.size;
      return mux_success;
    case host_arg_image: return image_pack(descriptor, block + record->offset);
    case host_arg_sampler: return sampler_pack(descriptor, block + record->offset);
    default: return mux_error_invalid_value;
  }
}

mux_result_t host_args_place_locals(const host_kernel_info_t *info, const uint64_t *local_sizes, uint64_t limit,
                                    char *block, uint64_t *out_total) {
  uint64_t total = info->local_size;
  if (total > limit) return mux_error_out_of_memory;
  for (uint32_t i = 0; info->has_local_args && i < info->arg_count; ++i) {
    const host_arg_record_t *record = &info->args[i];
    if (record->kind != host_arg_local) continue;
    total = align_up(total, record->alignment);
    if (total > limit || local_sizes[i] > limit - total) return mux_error_out_of_memory;
    memcpy(block + record->offset, &total, sizeof total);
    total += local_sizes[i];
  }
  *out_total = total;
  return mux_success;
}
