/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Creation, reset and destruction of semaphores and fences; dispatch.c signals them. */
#include "host/runtime/scheduling/sync.h"

#include "host/runtime/device.h"

mux_result_t host_create_fence(mux_device_t device, mux_allocator_info_t allocator, mux_fence_t *out_fence) {
  host_fence_t *fence = mux_object_allocate(allocator, sizeof *fence, alignof(host_fence_t));
  if (!fence) return mux_error_out_of_memory;
  fence->base.id = mux_id_make(mux_object_id_fence, mux_id_target(device->id));
  fence->device = host_device(device);
  *out_fence = &fence->base;
  return mux_success;
}

void host_destroy_fence(mux_device_t device, mux_fence_t fence, mux_allocator_info_t allocator) {
  (void)device;
  mux_object_free(allocator, fence);
}

/* No dispatch under way knows the fence, and who resets it has learnt that under the scheduler's mutex: as of the
 * semaphore below. */
mux_result_t host_reset_fence(mux_fence_t handle) {
  host_fence_t *fence = host_fence(handle);
  fence->signalled = false;
  fence->result = mux_success;
  fence->ticket = 0;
  return mux_success;
}

mux_result_t host_create_semaphore(mux_device_t device, mux_allocator_info_t allocator,
                                   mux_semaphore_t *out_semaphore) {
  host_semaphore_t *semaphore = mux_object_allocate(allocator, sizeof *semaphore, alignof(host_semaphore_t));
  if (!semaphore) return mux_error_out_of_memory;
  semaphore->base.id = mux_id_make(mux_object_id_semaphore, mux_id_target(device->id));
  semaphore->device = host_device(device);
  list_init(&semaphore->waits);
  *out_semaphore = &semaphore->base;
  return mux_success;
}

void host_destroy_semaphore(mux_device_t device, mux_semaphore_t semaphore, mux_allocator_info_t allocator) {
  (void)device;
  mux_object_free(allocator, semaphore);
}

mux_result_t host_reset_semaphore(mux_semaphore_t handle) {
  host_semaphore_t *semaphore = host_semaphore(handle);
  semaphore->signalled = false;
  semaphore->result = mux_success;
  return mux_success;
}
