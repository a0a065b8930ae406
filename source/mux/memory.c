/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Memory: allocation, mapping, flushing. */
#include "mux/validate.h"

static const uint32_t all_properties = mux_memory_property_device_local | mux_memory_property_host_visible |
                                       mux_memory_property_host_coherent | mux_memory_property_host_cached;
static const uint32_t host_properties = mux_memory_property_host_coherent | mux_memory_property_host_cached;
static const uint32_t host_capabilities =
    mux_allocation_capabilities_coherent_host | mux_allocation_capabilities_cached_host;

static bool properties_are_valid(uint32_t properties) {
  if (properties & ~all_properties) return false;
  return !(properties & host_properties) || (properties & mux_memory_property_host_visible);
}

static bool can_allocate(mux_device_t device, mux_allocation_type_e type) {
  const uint32_t needed =
      type == mux_allocation_type_alloc_host ? host_capabilities : (uint32_t)mux_allocation_capabilities_alloc_device;
  return device->info->allocation_capabilities & needed;
}

mux_result_t muxAllocateMemory(mux_device_t device, size_t size, uint32_t heap, uint32_t memory_properties,
                               mux_allocation_type_e allocation_type, uint32_t alignment,
                               mux_allocator_info_t allocator, mux_memory_t *out_memory) {
  MUX_REQUIRE_HANDLE(device, device);
  MUX_REQUIRE(size, "size is 0");
  MUX_REQUIRE(is_power_of_two(heap), "heap is not a single bit");
  MUX_REQUIRE(properties_are_valid(memory_properties), "memory_properties has unknown bits or lacks host_visible");
  MUX_REQUIRE(allocation_type == mux_allocation_type_alloc_host || allocation_type == mux_allocation_type_alloc_device,
              "allocation_type is unknown");
  MUX_REQUIRE(!alignment || is_power_of_two(alignment), "alignment is not a power of two");
  MUX_REQUIRE_ALLOCATOR(allocator);
  MUX_REQUIRE_OUTPUT(out_memory);
  MUX_REQUIRE_FEATURE(can_allocate(device, allocation_type), "the device lacks this allocation capability");
  MUX_REQUIRE_OR(size <= device->info->allocation_size, mux_error_out_of_memory, "size is above allocation_size");
  return mux_target_find(device->id)
      ->allocate_memory(device, size, heap, memory_properties, allocation_type, alignment, allocator, out_memory);
}

mux_result_t muxCreateMemoryFromHost(mux_device_t device, size_t size, void *host_pointer,
                                     mux_allocator_info_t allocator, mux_memory_t *out_memory) {
  MUX_REQUIRE_HANDLE(device, device);
  MUX_REQUIRE(size && host_pointer, "size is 0 or host_pointer null");
  MUX_REQUIRE_ALLOCATOR(allocator);
  MUX_REQUIRE_OUTPUT(out_memory);
  const mux_target_t *target = mux_target_find(device->id);
  MUX_REQUIRE_FEATURE(target->create_memory_from_host && (device->info->allocation_capabilities & host_capabilities),
                      "the device cannot use host memory");
  return target->create_memory_from_host(device, size, host_pointer, allocator, out_memory);
}

void muxFreeMemory(mux_device_t device, mux_memory_t memory, mux_allocator_info_t allocator) {
  MUX_REQUIRE_DESTROYABLE(device, device, memory, memory, allocator);
  mux_target_find(device->id)->free_memory(device, memory, allocator);
}

static mux_result_t check_mapping(const char *function, mux_device_t device, mux_memory_t memory, uint64_t offset,
                                  uint64_t size) {
  if (!mux_handle_is(device, mux_object_id_device) || !mux_handle_is_peer(memory, mux_object_id_memory, device->id))
    return mux_refuse(function, mux_error_invalid_value, "device or memory is invalid");
  if (!(memory->properties & mux_memory_property_host_visible))
    return mux_refuse(function, mux_error_invalid_value, "the memory is not host visible");
  if (!mux_range_is_inside(offset, size, memory->size))
    return mux_refuse(function, mux_error_invalid_value, "the range is empty or leaves the memory");
  return mux_success;
}

mux_result_t muxMapMemory(mux_device_t device, mux_memory_t memory, uint64_t offset, uint64_t size, void **out_data) {
  const mux_result_t result = check_mapping(__func__, device, memory, offset, size);
  if (result) return result;
  MUX_REQUIRE_OUTPUT(out_data);
  return mux_target_find(device->id)->map_memory(device, memory, offset, size, out_data);
}

mux_result_t muxUnmapMemory(mux_device_t device, mux_memory_t memory) {
  MUX_REQUIRE_HANDLE(device, device);
  MUX_REQUIRE_PEER(memory, memory, device);
  return mux_target_find(device->id)->unmap_memory(device, memory);
}

mux_result_t muxFlushMappedMemoryToDevice(mux_device_t device, mux_memory_t memory, uint64_t offset, uint64_t size) {
  const mux_result_t result = check_mapping(__func__, device, memory, offset, size);
  if (result) return result;
  return mux_target_find(device->id)->flush_mapped_memory_to_device(device, memory, offset, size);
}

mux_result_t muxFlushMappedMemoryFromDevice(mux_device_t device, mux_memory_t memory, uint64_t offset, uint64_t size) {
  const mux_result_t result = check_mapping(__func__, device, memory, offset, size);
  if (result) return result;
  return mux_target_find(device->id)->flush_mapped_memory_from_device(device, memory, offset, size);
}
