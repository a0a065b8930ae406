/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Fences. */
#include "mux/validate.h"

mux_result_t muxCreateFence(mux_device_t device, mux_allocator_info_t allocator, mux_fence_t *out_fence) {
  MUX_REQUIRE_HANDLE(device, device);
  MUX_REQUIRE_ALLOCATOR(allocator);
  MUX_REQUIRE_OUTPUT(out_fence);
  return mux_target_find(device->id)->create_fence(device, allocator, out_fence);
}

void muxDestroyFence(mux_device_t device, mux_fence_t fence, mux_allocator_info_t allocator) {
  MUX_REQUIRE_DESTROYABLE(device, device, fence, fence, allocator);
  mux_target_find(device->id)->destroy_fence(device, fence, allocator);
}

mux_result_t muxResetFence(mux_fence_t fence) {
  MUX_REQUIRE_HANDLE(fence, fence);
  return mux_target_find(fence->id)->reset_fence(fence);
}
