/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Command buffers: creation to cloning. */
#include "mux/validate.h"

mux_result_t muxCreateCommandBuffer(mux_device_t device, mux_callback_info_t callback_info,
                                    mux_allocator_info_t allocator, mux_command_buffer_t *out_command_buffer) {
  MUX_REQUIRE_HANDLE(device, device);
  MUX_REQUIRE(!callback_info || callback_info->callback, "callback_info has no callback");
  MUX_REQUIRE_ALLOCATOR(allocator);
  MUX_REQUIRE_OUTPUT(out_command_buffer);
  return mux_target_find(device->id)->create_command_buffer(device, callback_info, allocator, out_command_buffer);
}

void muxDestroyCommandBuffer(mux_device_t device, mux_command_buffer_t command_buffer, mux_allocator_info_t allocator) {
  MUX_REQUIRE_DESTROYABLE(device, device, command_buffer, command_buffer, allocator);
  mux_target_find(device->id)->destroy_command_buffer(device, command_buffer, allocator);
}

mux_result_t muxFinalizeCommandBuffer(mux_command_buffer_t command_buffer) {
  MUX_REQUIRE_HANDLE(command_buffer, command_buffer);
  return mux_target_find(command_buffer->id)->finalize_command_buffer(command_buffer);
}

mux_result_t muxResetCommandBuffer(mux_command_buffer_t command_buffer) {
  MUX_REQUIRE_HANDLE(command_buffer, command_buffer);
  return mux_target_find(command_buffer->id)->reset_command_buffer(command_buffer);
}

mux_result_t muxCloneCommandBuffer(mux_device_t device, mux_allocator_info_t allocator,
                                   mux_command_buffer_t command_buffer, mux_command_buffer_t *out_command_buffer) {
  MUX_REQUIRE_HANDLE(device, device);
  const mux_target_t *target = mux_target_find(device->id);
  MUX_REQUIRE_FEATURE(device->info->can_clone_command_buffers && target->clone_command_buffer,
                      "the device cannot clone command buffers");
  MUX_REQUIRE_PEER(command_buffer, command_buffer, device);
  MUX_REQUIRE(command_buffer->device == device, "command_buffer is of another device");
  MUX_REQUIRE_ALLOCATOR(allocator);
  MUX_REQUIRE_OUTPUT(out_command_buffer);
  return target->clone_command_buffer(device, allocator, command_buffer, out_command_buffer);
}
