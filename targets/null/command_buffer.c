/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Command buffers of the null target: an array of commands, and their states. */
#include "null/null.h"

static null_command_buffer_t *create_command_buffer(mux_device_t device, mux_callback_info_t callback_info,
                                                    mux_allocator_info_t allocator) {
  null_command_buffer_t *buffer = mux_object_allocate(allocator, sizeof(*buffer), _Alignof(null_command_buffer_t));
  if (!buffer) return NULL;
  const mux_target_id_t target = mux_id_target(device->id);
  buffer->base.id = mux_id_make(mux_object_id_command_buffer, target);
  buffer->base.device = device;
  buffer->callback_info = callback_info;
  buffer->allocator = allocator;
  buffer->sync_point.id = mux_id_make(mux_object_id_sync_point, target);
  buffer->sync_point.command_buffer = &buffer->base;
  return buffer;
}

mux_result_t null_create_command_buffer(mux_device_t device, mux_callback_info_t callback_info,
                                        mux_allocator_info_t allocator, mux_command_buffer_t *out_command_buffer) {
  null_command_buffer_t *buffer = create_command_buffer(device, callback_info, allocator);
  if (!buffer) return mux_error_out_of_memory;
  *out_command_buffer = &buffer->base;
  return mux_success;
}

void null_destroy_command_buffer(mux_device_t device, mux_command_buffer_t base, mux_allocator_info_t allocator) {
  (void)device;
  mux_object_free(allocator, ((null_command_buffer_t *)base)->commands);
  mux_object_free(allocator, base);
}

static bool has_open_query(const null_command_buffer_t *buffer) {
  for (size_t i = 0; i < buffer->length; i++) {
    const null_command_t *command = &buffer->commands[i];
    if (command->kind == null_kind_begin_query && command->query.is_open) return true;
  }
  return false;
}

mux_result_t null_finalize_command_buffer(mux_command_buffer_t base) {
  null_command_buffer_t *buffer = (null_command_buffer_t *)base;
  if (buffer->state != null_state_recording || has_open_query(buffer)) return mux_error_invalid_value;
  buffer->state = null_state_finalized;
  return mux_success;
}

mux_result_t null_reset_command_buffer(mux_command_buffer_t base) {
  null_command_buffer_t *buffer = (null_command_buffer_t *)base;
  if (buffer->state == null_state_dispatched) return mux_error_invalid_value;
  buffer->length = 0;
  buffer->base.command_count = 0;
  buffer->state = null_state_recording;
  return mux_success;
}

static bool reserve(null_command_buffer_t *buffer, size_t needed) {
  if (needed <= buffer->capacity) return true;
  const size_t capacity = needed > 2 * buffer->capacity ? needed : 2 * buffer->capacity;
  size_t size;
  if (__builtin_mul_overflow(capacity, sizeof(null_command_t), &size)) return false;
  null_command_t *commands = mux_object_allocate(buffer->allocator, size, _Alignof(null_command_t));
  if (!commands) return false;
  if (buffer->length) memcpy(commands, buffer->commands, buffer->length * sizeof(null_command_t));
  mux_object_free(buffer->allocator, buffer->commands);
  buffer->commands = commands;
  buffer->capacity = capacity;
  return true;
}

mux_result_t null_clone_command_buffer(mux_device_t device, mux_allocator_info_t allocator, mux_command_buffer_t base,
                                       mux_command_buffer_t *out_command_buffer) {
  const null_command_buffer_t *original = (null_command_buffer_t *)base;
  if (original->state != null_state_finalized) return mux_error_invalid_value;
  null_command_buffer_t *clone = create_command_buffer(device, original->callback_info, allocator);
  if (!clone) return mux_error_out_of_memory;
  if (!reserve(clone, original->length)) {
    null_destroy_command_buffer(device, &clone->base, allocator);
    return mux_error_out_of_memory;
  }
  if (original->length) memcpy(clone->commands, original->commands, original->length * sizeof(null_command_t));
  clone->length = original->length;
  clone->base.command_count = original->base.command_count;
  clone->state = null_state_finalized;
  *out_command_buffer = &clone->base;
  return mux_success;
}

mux_result_t null_record(mux_command_buffer_t base, size_t count, MUX_SYNC_PARAMETERS, null_command_t **out_commands) {
  (void)num_sync_points_in_wait_list;
  (void)sync_point_wait_list;
  null_command_buffer_t *buffer = (null_command_buffer_t *)base;
  if (buffer->state != null_state_recording) return mux_error_invalid_value;
  if (!reserve(buffer, buffer->length + count)) return mux_error_out_of_memory;
  null_command_t *commands = buffer->commands + buffer->length;
  memset(commands, 0, count * sizeof(null_command_t));
  for (size_t i = 0; i < count; i++) commands[i].id = buffer->base.command_count;
  buffer->base.command_count++;
  buffer->length += count;
  if (out_sync_point) *out_sync_point = &buffer->sync_point;
  *out_commands = commands;
  return mux_success;
}
