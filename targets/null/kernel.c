/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Executables and the one built-in kernel of the null target; its ND-range command. */
#include "null/null.h"

/* There is no code generation: nothing is a binary for this device. */
mux_result_t null_create_executable(mux_device_t device, const void *binary, uint64_t binary_length,
                                    mux_allocator_info_t allocator, mux_executable_t *out_executable) {
  (void)device;
  (void)binary;
  (void)binary_length;
  (void)allocator;
  (void)out_executable;
  return mux_error_invalid_binary;
}

void null_destroy_executable(mux_device_t device, mux_executable_t executable, mux_allocator_info_t allocator) {
  (void)device;
  (void)executable;
  (void)allocator;
}

mux_result_t null_create_kernel(mux_device_t device, mux_executable_t executable, const char *name,
                                uint64_t name_length, mux_allocator_info_t allocator, mux_kernel_t *out_kernel) {
  (void)device;
  (void)executable;
  (void)name;
  (void)name_length;
  (void)allocator;
  (void)out_kernel;
  return mux_error_missing_kernel;
}

mux_result_t null_create_built_in_kernel(mux_device_t device, const char *name, uint64_t name_length,
                                         mux_allocator_info_t allocator, mux_kernel_t *out_kernel) {
  static const char known[] = "copy_id";
  if (name_length != sizeof(known) - 1 || memcmp(name, known, name_length) != 0) return mux_error_missing_kernel;
  null_kernel_t *kernel = mux_object_allocate(allocator, sizeof(*kernel), _Alignof(null_kernel_t));
  if (!kernel) return mux_error_out_of_memory;
  kernel->base.id = mux_id_make(mux_object_id_kernel, mux_id_target(device->id));
  kernel->base.device = device;
  kernel->base.preferred_local_size_x = 64;
  kernel->base.preferred_local_size_y = kernel->base.preferred_local_size_z = 1;
  *out_kernel = &kernel->base;
  return mux_success;
}

void null_destroy_kernel(mux_device_t device, mux_kernel_t kernel, mux_allocator_info_t allocator) {
  (void)device;
  mux_object_free(allocator, kernel);
}

/* ------------------------------------------------------------ arguments */

static bool argument_fits(uint64_t index, const mux_descriptor_info_t *descriptor) {
  if (index == 0) {
    return descriptor->type == mux_descriptor_info_type_buffer &&
           ((null_buffer_t *)descriptor->buffer_descriptor.buffer)->bytes;
  }
  return index == 1 && descriptor->type == mux_descriptor_info_type_plain_old_data &&
         descriptor->plain_old_data_descriptor.length == sizeof(uint64_t);
}

static void set_argument(null_command_t *command, uint64_t index, const mux_descriptor_info_t *descriptor) {
  if (index == 0) {
    const null_buffer_t *buffer = (null_buffer_t *)descriptor->buffer_descriptor.buffer;
    command->copy_id.out = buffer->bytes + descriptor->buffer_descriptor.offset;
    command->copy_id.room = buffer->base.memory_requirements.size - descriptor->buffer_descriptor.offset;
  } else {
    memcpy(&command->copy_id.first, descriptor->plain_old_data_descriptor.data, sizeof(uint64_t));
  }
}

/* The layer made sure that the product fits. */
static uint64_t count_work_items(const mux_ndrange_options_t *options) {
  uint64_t count = 1;
  for (size_t i = 0; i < options->dimensions; i++) count *= options->global_size[i];
  return count;
}

mux_result_t null_command_nd_range(mux_command_buffer_t command_buffer, mux_kernel_t kernel,
                                   mux_ndrange_options_t options, MUX_SYNC_PARAMETERS) {
  (void)kernel; /* There is only the one. */
  if (options.descriptors_length != null_copy_id_arguments) return mux_error_invalid_value;
  for (uint64_t i = 0; i < null_copy_id_arguments; i++) {
    if (!argument_fits(i, &options.descriptors[i])) return mux_error_invalid_value;
  }
  null_command_t *command;
  const mux_result_t result = null_record(command_buffer, 1, MUX_SYNC_ARGUMENTS, &command);
  if (result) return result;
  command->kind = null_kind_copy_id;
  command->copy_id.work_items = count_work_items(&options);
  for (uint64_t i = 0; i < null_copy_id_arguments; i++) set_argument(command, i, &options.descriptors[i]);
  return mux_success;
}

static null_command_t *find_nd_range(null_command_buffer_t *buffer, mux_command_id_t id) {
  for (size_t i = 0; i < buffer->length; i++) {
    if (buffer->commands[i].id == id && buffer->commands[i].kind == null_kind_copy_id) return &buffer->commands[i];
  }
  return NULL;
}

mux_result_t null_update_descriptors(mux_command_buffer_t base, mux_command_id_t command_id, uint64_t num_args,
                                     const uint64_t *arg_indices, const mux_descriptor_info_t *descriptors) {
  null_command_buffer_t *buffer = (null_command_buffer_t *)base;
  if (buffer->state != null_state_finalized) return mux_error_invalid_value;
  null_command_t *command = find_nd_range(buffer, command_id);
  if (!command) return mux_error_invalid_value;
  for (uint64_t i = 0; i < num_args; i++) {
    if (!argument_fits(arg_indices[i], &descriptors[i])) return mux_error_invalid_value;
  }
  for (uint64_t i = 0; i < num_args; i++) set_argument(command, arg_indices[i], &descriptors[i]);
  return mux_success;
}
