/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The ND-range command and its descriptors. */
#include "mux/validate.h"

/* Every check of a launch is here: keep it branch-light, it runs once per enqueued kernel. */

static bool sampler_is_valid(const mux_sampler_t *sampler) {
  return (uint32_t)sampler->address_mode <= mux_address_mode_clamp_edge &&
         (uint32_t)sampler->filter_mode <= mux_filter_mode_linear &&
         (uint32_t)sampler->mip_filter_mode <= mux_filter_mode_linear;
}

static bool descriptor_is_valid(mux_id_t device_id, const mux_descriptor_info_t *descriptor) {
  switch (descriptor->type) {
    case mux_descriptor_info_type_buffer: {
      const mux_buffer_t buffer = descriptor->buffer_descriptor.buffer;
      return mux_handle_is_peer(buffer, mux_object_id_buffer, device_id) &&
             descriptor->buffer_descriptor.offset < buffer->memory_requirements.size;
    }
    case mux_descriptor_info_type_image:
      return mux_handle_is_peer(descriptor->image_descriptor.image, mux_object_id_image, device_id);
    case mux_descriptor_info_type_sampler: return sampler_is_valid(&descriptor->sampler_descriptor.sampler);
    case mux_descriptor_info_type_plain_old_data:
      return descriptor->plain_old_data_descriptor.data && descriptor->plain_old_data_descriptor.length;
    case mux_descriptor_info_type_shared_local_buffer: return descriptor->shared_local_buffer_descriptor.size > 0;
    case mux_descriptor_info_type_null_buffer:
    case mux_descriptor_info_type_custom_buffer: return true;
  }
  return false;
}

static mux_result_t check_descriptors(const char *function, mux_device_t device,
                                      const mux_descriptor_info_t *descriptors, uint64_t length) {
  const bool has_custom = device->info->custom_buffer_capabilities & mux_custom_buffer_capabilities_data;
  for (uint64_t i = 0; i < length; i++) {
    if (!descriptor_is_valid(device->id, &descriptors[i]))
      return mux_refuse(function, mux_error_invalid_value, "a descriptor is malformed");
    if (descriptors[i].type == mux_descriptor_info_type_custom_buffer && !has_custom)
      return mux_refuse(function, mux_error_feature_unsupported, "the device has no custom buffers");
  }
  return mux_success;
}

static bool local_size_is_valid(mux_device_info_t info, const size_t size[3]) {
  if (!size[0] || !size[1] || !size[2]) return false;
  if (size[0] > info->max_work_group_size_x || size[1] > info->max_work_group_size_y ||
      size[2] > info->max_work_group_size_z)
    return false;
  /* Each is below 2^32: the product of two cannot overflow, and the division checks the third. */
  return size[0] * size[1] <= info->max_concurrent_work_items / size[2];
}

static bool global_range_is_valid(const mux_ndrange_options_t *options) {
  if (options->dimensions - 1 > 2 || !options->global_size) return false;
  uint64_t items = 1;
  for (size_t i = 0; i < options->dimensions; i++) {
    size_t end;
    if (!options->global_size[i] || !size_multiply(items, (uint64_t)options->global_size[i], &items)) return false;
    if (options->global_offset && !size_add(options->global_offset[i], options->global_size[i], &end)) return false;
  }
  return true;
}

mux_result_t muxCommandNDRange(mux_command_buffer_t command_buffer, mux_kernel_t kernel, mux_ndrange_options_t options,
                               MUX_SYNC_PARAMETERS) {
  MUX_REQUIRE_HANDLE(command_buffer, command_buffer);
  MUX_REQUIRE_PEER(kernel, kernel, command_buffer);
  MUX_REQUIRE(global_range_is_valid(&options), "dimensions, global_size or global_offset is invalid");
  MUX_REQUIRE(local_size_is_valid(command_buffer->device->info, options.local_size), "local_size is invalid");
  MUX_REQUIRE(options.descriptors || !options.descriptors_length, "descriptors is null");
  MUX_REQUIRE_SYNC_POINTS(command_buffer);
  const mux_result_t result =
      check_descriptors(__func__, command_buffer->device, options.descriptors, options.descriptors_length);
  if (result) return result;
  return mux_target_find(command_buffer->id)->command_nd_range(command_buffer, kernel, options, MUX_SYNC_ARGUMENTS);
}

mux_result_t muxUpdateDescriptors(mux_command_buffer_t command_buffer, mux_command_id_t command_id, uint64_t num_args,
                                  const uint64_t *arg_indices, const mux_descriptor_info_t *descriptors) {
  MUX_REQUIRE_HANDLE(command_buffer, command_buffer);
  const mux_target_t *target = mux_target_find(command_buffer->id);
  MUX_REQUIRE_FEATURE(command_buffer->device->info->descriptors_updatable && target->update_descriptors,
                      "the device cannot update descriptors");
  MUX_REQUIRE(num_args && arg_indices && descriptors, "there are no arguments");
  const mux_result_t result = check_descriptors(__func__, command_buffer->device, descriptors, num_args);
  if (result) return result;
  return target->update_descriptors(command_buffer, command_id, num_args, arg_indices, descriptors);
}
