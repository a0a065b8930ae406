/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Semaphores. */
#include "mux/validate.h"

mux_result_t muxCreateSemaphore(mux_device_t device, mux_allocator_info_t allocator, mux_semaphore_t *out_semaphore) {
  MUX_REQUIRE_HANDLE(device, device);
  MUX_REQUIRE_ALLOCATOR(allocator);
  MUX_REQUIRE_OUTPUT(out_semaphore);
  return mux_target_find(device->id)->create_semaphore(device, allocator, out_semaphore);
}

void muxDestroySemaphore(mux_device_t device, mux_semaphore_t semaphore, mux_allocator_info_t allocator) {
  MUX_REQUIRE_DESTROYABLE(device, device, semaphore, semaphore, allocator);
  mux_target_find(device->id)->destroy_semaphore(device, semaphore, allocator);
}

mux_result_t muxResetSemaphore(mux_semaphore_t semaphore) {
  MUX_REQUIRE_HANDLE(semaphore, semaphore);
  return mux_target_find(semaphore->id)->reset_semaphore(semaphore);
}
