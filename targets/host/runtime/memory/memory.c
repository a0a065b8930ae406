/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Memory: small blocks from the C library, large ones from the system in huge pages where it has them. */
#include "host/runtime/memory/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/log.h"
#include "base/memory.h"
#include "host/abi.h"
#include "host/runtime/device.h"
#include "host/runtime/memory/placement.h"

#define HEAP_ALL 1u
#define PAGE ((uint64_t)4096)
#define HUGE_PAGE ((uint64_t)2 << 20)
/* From here on a block starts at a page, so that it shares none. */
#define PAGE_ALIGNED_FROM ((uint64_t)64 << 10)
#define POPULATED_UP_TO ((uint64_t)64 << 20)

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

/* ---------------------------------------------------------------- account */

/* Of the device and its sub-devices. */
static bool account_take(host_device_t *part, uint64_t size) {
  host_device_t *device = part->root;
  uint64_t limit = device->base.info->memory_size;
  uint64_t allocated = atomic_load_explicit(&device->allocated, memory_order_relaxed);
  do {
    if (size > limit || allocated > limit - size) return false;
  } while (!atomic_compare_exchange_weak_explicit(&device->allocated, &allocated, allocated + size,
                                                  memory_order_relaxed, memory_order_relaxed));
  return true;
}

static void account_give_back(host_device_t *device, uint64_t size) {
  atomic_fetch_sub_explicit(&device->root->allocated, size, memory_order_relaxed);
}

/* ---------------------------------------------------------------- storage */

/* Maps more than asked for and gives back what lies outside of the aligned block. */
static void *pages_map(uint64_t size, uint64_t alignment) {
  uint64_t whole = size + alignment;
  char *base = mmap(NULL, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED) return NULL;
  uint64_t before = align_up((uintptr_t)base, alignment) - (uintptr_t)base;
  if (before) munmap(base, before);
  if (alignment - before) munmap(base + before + size, alignment - before);
  madvise(base + before, size, MADV_HUGEPAGE);
  return base + before;
}

/* The C library hands out what it got back. Programs read what they never wrote, without noticing where it is zero, and
 * the system's new pages are: small blocks are cleared, which costs next to nothing. Large ones that are used again are
 * not. */
static void *small_allocate(uint64_t size, uint64_t alignment) {
  void *block = aligned_alloc(alignment, align_up(size, alignment));
  if (block && size < PAGE_ALIGNED_FROM) memset(block, 0, size);
  return block;
}

/* The last huge page of a block is a whole one where that wastes no more than an eighth: hundreds of small ones cost
 * more to have and to give back. */
static uint64_t capacity_of(uint64_t size) {
  const uint64_t whole = align_up(size, HUGE_PAGE);
  return whole - size <= size / 8 ? whole : align_up(size, PAGE);
}

/* Pages of a new block, which nobody has touched. */
static void block_place(const host_device_t *device, const host_block_t *block) {
  host_placement_t placement;
  host_placement_of(device, &placement);
  host_placement_apply(&placement, block->data, block->capacity);
}

static bool block_obtain(host_device_t *device, uint64_t size, uint64_t alignment, host_block_t *out_block) {
  const host_units_t units = host_device_units(device);
  if (alignment < HUGE_PAGE) alignment = HUGE_PAGE;
  if (host_block_cache_take(&device->root->block_cache, size, alignment, units, out_block)) return true;
  const uint64_t capacity = capacity_of(size);
  *out_block = (host_block_t){.data = pages_map(capacity, alignment), .capacity = capacity, .units = units};
  if (out_block->data) block_place(device, out_block);
  return out_block->data;
}

static bool storage_allocate(host_device_t *device, host_memory_t *memory, uint64_t size, uint64_t alignment) {
  if (alignment < HOST_LOCAL_ALIGNMENT) alignment = HOST_LOCAL_ALIGNMENT;
  if (size >= PAGE_ALIGNED_FROM && alignment < PAGE) alignment = PAGE;
  if (size < HUGE_PAGE)
    memory->data = small_allocate(size, alignment);
  else if (block_obtain(device, size, alignment, &memory->block))
    memory->data = memory->block.data;
  return memory->data;
}

/* Memory made for the host has its pages when the application gets it, since one thread of its own is about to write
 * them: one call for all is cheaper than a fault for each. A large block is left to who comes to it, as is memory made
 * for the device: pages of that are best near the threads that compute with it. Without the call (Linux before 5.14)
 * or without memory, pages come with the faults. */
static void storage_populate(const host_memory_t *memory, uint64_t size) {
  if (size < PAGE_ALIGNED_FROM || size > POPULATED_UP_TO) return;
  if (madvise(memory->data, align_up(size, PAGE), MADV_POPULATE_WRITE)) log_write(log_memory, "pages come later");
}

static void storage_free(host_device_t *device, host_memory_t *memory) {
  if (memory->block.data)
    host_block_cache_keep(&device->root->block_cache, &memory->block);
  else if (memory->owned_size)
    free(memory->data);
}

/* ---------------------------------------------------------------- memory */

static host_memory_t *memory_create(mux_device_t device, size_t size, uint32_t properties,
                                    mux_allocator_info_t allocator) {
  host_memory_t *memory = mux_object_allocate(allocator, sizeof *memory, alignof(host_memory_t));
  if (!memory) return NULL;
  memory->base.id = mux_id_make(mux_object_id_memory, mux_id_target(device->id));
  memory->base.size = size;
  memory->base.properties = properties;
  return memory;
}

mux_result_t host_allocate_memory(mux_device_t device, size_t size, uint32_t heap, uint32_t memory_properties,
                                  mux_allocation_type_e allocation_type, uint32_t alignment,
                                  mux_allocator_info_t allocator, mux_memory_t *out_memory) {
  if (!(heap & HEAP_ALL)) return mux_error_invalid_value;
  if (size > device->info->allocation_size || !account_take(host_device(device), size)) goto too_large;
  host_memory_t *memory = memory_create(device, size, memory_properties, allocator);
  if (!memory) goto give_back;
  /* What is missing may be what is kept. */
  while (!storage_allocate(host_device(device), memory, size, alignment))
    if (!host_block_cache_drop(&host_device(device)->root->block_cache, NULL)) goto free_memory;
  memory->owned_size = size;
  if (allocation_type == mux_allocation_type_alloc_host) storage_populate(memory, size);
  *out_memory = &memory->base;
  return mux_success;

free_memory:
  mux_object_free(allocator, memory);
give_back:
  account_give_back(host_device(device), size);
too_large:
  log_write(log_memory, "no %zu bytes: %llu of %llu are allocated", size,
            (unsigned long long)host_device_allocated(device), (unsigned long long)device->info->memory_size);
  return mux_error_out_of_memory;
}

mux_result_t host_create_memory_from_host(mux_device_t device, size_t size, void *host_pointer,
                                          mux_allocator_info_t allocator, mux_memory_t *out_memory) {
  uint32_t properties = mux_memory_property_host_visible | mux_memory_property_host_coherent;
  host_memory_t *memory = memory_create(device, size, properties, allocator);
  if (!memory) return mux_error_out_of_memory;
  memory->data = host_pointer;
  *out_memory = &memory->base;
  return mux_success;
}

void host_free_memory(mux_device_t device, mux_memory_t handle, mux_allocator_info_t allocator) {
  host_memory_t *memory = host_memory(handle);
  storage_free(host_device(device), memory);
  account_give_back(host_device(device), memory->owned_size);
  mux_object_free(allocator, memory);
}

mux_result_t host_map_memory(mux_device_t device, mux_memory_t handle, uint64_t offset, uint64_t size,
                             void **out_data) {
  (void)device, (void)size;
  host_memory_t *memory = host_memory(handle);
  /* Behind the unmapping of another thread, what that one wrote is seen. */
  if (atomic_exchange_explicit(&memory->mapped, true, memory_order_acquire)) return mux_error_invalid_value;
  *out_data = memory->data + offset;
  return mux_success;
}

mux_result_t host_unmap_memory(mux_device_t device, mux_memory_t memory) {
  (void)device;
  bool mapped = atomic_exchange_explicit(&host_memory(memory)->mapped, false, memory_order_release);
  return mapped ? mux_success : mux_error_invalid_value;
}

mux_result_t host_flush_mapped_memory(mux_device_t device, mux_memory_t memory, uint64_t offset, uint64_t size) {
  (void)device, (void)offset, (void)size;
  bool mapped = atomic_load_explicit(&host_memory(memory)->mapped, memory_order_relaxed);
  return mapped ? mux_success : mux_error_invalid_value;
}

/* ---------------------------------------------------------------- buffers */

mux_result_t host_create_buffer(mux_device_t device, size_t size, mux_allocator_info_t allocator,
                                mux_buffer_t *out_buffer) {
  host_buffer_t *buffer = mux_object_allocate(allocator, sizeof *buffer, alignof(host_buffer_t));
  if (!buffer) return mux_error_out_of_memory;
  buffer->base.id = mux_id_make(mux_object_id_buffer, mux_id_target(device->id));
  buffer->base.memory_requirements.size = size;
  buffer->base.memory_requirements.alignment = device->info->buffer_alignment / 8;
  buffer->base.memory_requirements.supported_heaps = HEAP_ALL;
  *out_buffer = &buffer->base;
  return mux_success;
}

void host_destroy_buffer(mux_device_t device, mux_buffer_t buffer, mux_allocator_info_t allocator) {
  (void)device;
  mux_object_free(allocator, buffer);
}

mux_result_t host_bind_buffer_memory(mux_device_t device, mux_memory_t memory, mux_buffer_t handle, uint64_t offset) {
  (void)device;
  host_buffer_t *buffer = host_buffer(handle);
  if (buffer->data) return mux_error_invalid_value;
  buffer->data = host_memory(memory)->data + offset;
  return mux_success;
}
