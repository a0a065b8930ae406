/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Device memory, which is host memory, and buffers. */
#ifndef HOST_RUNTIME_MEMORY_MEMORY_H
#define HOST_RUNTIME_MEMORY_MEMORY_H

#include <stdatomic.h>
#include <stdbool.h>

#include "host/runtime/memory/block_cache.h"
#include "mux/mux.h"

typedef struct host_memory_t {
  struct mux_memory_s base;
  char *data;
  /** Bytes to give back: 0 when the storage is the caller's. */
  uint64_t owned_size;
  /** Where `data` is large; its own `data` is null where it is not, and comes from aligned_alloc. */
  host_block_t block;
  _Atomic bool mapped;
} host_memory_t;

typedef struct host_buffer_t {
  struct mux_buffer_s base;
  /** Null until memory is bound. */
  char *data;
} host_buffer_t;

static inline host_memory_t *host_memory(mux_memory_t memory) { return (host_memory_t *)memory; }
static inline host_buffer_t *host_buffer(mux_buffer_t buffer) { return (host_buffer_t *)buffer; }

/* Operations of mux_target_t. */
mux_result_t host_allocate_memory(mux_device_t device, size_t size, uint32_t heap, uint32_t memory_properties,
                                  mux_allocation_type_e allocation_type, uint32_t alignment,
                                  mux_allocator_info_t allocator, mux_memory_t *out_memory);
mux_result_t host_create_memory_from_host(mux_device_t device, size_t size, void *host_pointer,
                                          mux_allocator_info_t allocator, mux_memory_t *out_memory);
void host_free_memory(mux_device_t device, mux_memory_t memory, mux_allocator_info_t allocator);
mux_result_t host_map_memory(mux_device_t device, mux_memory_t memory, uint64_t offset, uint64_t size, void **out_data);
mux_result_t host_unmap_memory(mux_device_t device, mux_memory_t memory);
/** Both directions: the memory is coherent. */
mux_result_t host_flush_mapped_memory(mux_device_t device, mux_memory_t memory, uint64_t offset, uint64_t size);
mux_result_t host_create_buffer(mux_device_t device, size_t size, mux_allocator_info_t allocator,
                                mux_buffer_t *out_buffer);
void host_destroy_buffer(mux_device_t device, mux_buffer_t buffer, mux_allocator_info_t allocator);
mux_result_t host_bind_buffer_memory(mux_device_t device, mux_memory_t memory, mux_buffer_t buffer, uint64_t offset);

#endif
