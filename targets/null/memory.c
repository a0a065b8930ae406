/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Memory and buffers of the null target: storage is the host's. */
#include <stdlib.h>

#include "null/null.h"

enum { minimum_alignment = 64 };

static null_memory_t *create_memory(mux_device_t device, size_t size, uint32_t properties,
                                    mux_allocator_info_t allocator) {
  null_memory_t *memory = mux_object_allocate(allocator, sizeof(*memory), _Alignof(null_memory_t));
  if (!memory) return NULL;
  memory->base.id = mux_id_make(mux_object_id_memory, mux_id_target(device->id));
  memory->base.size = size;
  memory->base.properties = properties;
  return memory;
}

mux_result_t null_allocate_memory(mux_device_t device, size_t size, uint32_t heap, uint32_t memory_properties,
                                  mux_allocation_type_e allocation_type, uint32_t alignment,
                                  mux_allocator_info_t allocator, mux_memory_t *out_memory) {
  (void)allocation_type; /* All memory is the same here. */
  if (heap != 1) return mux_error_invalid_value;
  null_memory_t *memory = create_memory(device, size, memory_properties, allocator);
  if (!memory) return mux_error_out_of_memory;
  void *storage = NULL;
  if (posix_memalign(&storage, alignment > minimum_alignment ? alignment : minimum_alignment, size)) {
    mux_object_free(allocator, memory);
    return mux_error_out_of_memory;
  }
  memory->storage = storage;
  memory->owns_storage = true;
  *out_memory = &memory->base;
  return mux_success;
}

mux_result_t null_create_memory_from_host(mux_device_t device, size_t size, void *host_pointer,
                                          mux_allocator_info_t allocator, mux_memory_t *out_memory) {
  const uint32_t properties = mux_memory_property_host_visible | mux_memory_property_host_coherent;
  null_memory_t *memory = create_memory(device, size, properties, allocator);
  if (!memory) return mux_error_out_of_memory;
  memory->storage = host_pointer;
  *out_memory = &memory->base;
  return mux_success;
}

void null_free_memory(mux_device_t device, mux_memory_t base, mux_allocator_info_t allocator) {
  (void)device;
  null_memory_t *memory = (null_memory_t *)base;
  if (memory->owns_storage) free(memory->storage);
  mux_object_free(allocator, memory);
}

mux_result_t null_map_memory(mux_device_t device, mux_memory_t base, uint64_t offset, uint64_t size, void **out_data) {
  (void)device;
  (void)size;
  null_memory_t *memory = (null_memory_t *)base;
  if (atomic_exchange(&memory->is_mapped, true)) return mux_error_invalid_value;
  *out_data = memory->storage + offset;
  return mux_success;
}

mux_result_t null_unmap_memory(mux_device_t device, mux_memory_t base) {
  (void)device;
  return atomic_exchange(&((null_memory_t *)base)->is_mapped, false) ? mux_success : mux_error_invalid_value;
}

/* Device and host are the same: there is nothing to flush, but the call must still be legal. */
static mux_result_t flush(mux_memory_t memory) {
  return atomic_load(&((null_memory_t *)memory)->is_mapped) ? mux_success : mux_error_invalid_value;
}

mux_result_t null_flush_mapped_memory_to_device(mux_device_t device, mux_memory_t memory, uint64_t offset,
                                                uint64_t size) {
  (void)device;
  (void)offset;
  (void)size;
  return flush(memory);
}

mux_result_t null_flush_mapped_memory_from_device(mux_device_t device, mux_memory_t memory, uint64_t offset,
                                                  uint64_t size) {
  (void)device;
  (void)offset;
  (void)size;
  return flush(memory);
}

mux_result_t null_create_buffer(mux_device_t device, size_t size, mux_allocator_info_t allocator,
                                mux_buffer_t *out_buffer) {
  null_buffer_t *buffer = mux_object_allocate(allocator, sizeof(*buffer), _Alignof(null_buffer_t));
  if (!buffer) return mux_error_out_of_memory;
  buffer->base.id = mux_id_make(mux_object_id_buffer, mux_id_target(device->id));
  buffer->base.memory_requirements =
      (mux_memory_requirements_s){.size = size, .alignment = minimum_alignment, .supported_heaps = 1};
  *out_buffer = &buffer->base;
  return mux_success;
}

void null_destroy_buffer(mux_device_t device, mux_buffer_t buffer, mux_allocator_info_t allocator) {
  (void)device;
  mux_object_free(allocator, buffer);
}

mux_result_t null_bind_buffer_memory(mux_device_t device, mux_memory_t memory, mux_buffer_t base, uint64_t offset) {
  (void)device;
  null_buffer_t *buffer = (null_buffer_t *)base;
  if (buffer->bytes) return mux_error_invalid_value;
  buffer->bytes = ((null_memory_t *)memory)->storage + offset;
  return mux_success;
}
