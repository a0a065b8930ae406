/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Buffers: creation, destruction, binding. */
#include "mux/validate.h"

mux_result_t muxCreateBuffer(mux_device_t device, size_t size, mux_allocator_info_t allocator,
                             mux_buffer_t *out_buffer) {
  MUX_REQUIRE_HANDLE(device, device);
  MUX_REQUIRE(size, "size is 0");
  MUX_REQUIRE_ALLOCATOR(allocator);
  MUX_REQUIRE_OUTPUT(out_buffer);
  return mux_target_find(device->id)->create_buffer(device, size, allocator, out_buffer);
}

void muxDestroyBuffer(mux_device_t device, mux_buffer_t buffer, mux_allocator_info_t allocator) {
  MUX_REQUIRE_DESTROYABLE(device, device, buffer, buffer, allocator);
  mux_target_find(device->id)->destroy_buffer(device, buffer, allocator);
}

mux_result_t muxBindBufferMemory(mux_device_t device, mux_memory_t memory, mux_buffer_t buffer, uint64_t offset) {
  MUX_REQUIRE_HANDLE(device, device);
  MUX_REQUIRE_PEER(memory, memory, device);
  MUX_REQUIRE_PEER(buffer, buffer, device);
  MUX_REQUIRE(mux_requirements_are_met(&buffer->memory_requirements, memory, offset),
              "the offset is not aligned or the memory too small");
  return mux_target_find(device->id)->bind_buffer_memory(device, memory, buffer, offset);
}
