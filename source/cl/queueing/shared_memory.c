/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Allocations without an object: a sorted array, as lookups by address are frequent and changes are not. */
#include "cl/queueing/shared_memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "cl/object/mux_error.h"
#include "cl/queueing/context.h"

/* Bytes of long16, the largest type. */
enum { default_alignment = 128 };

void shared_memory_table_init(shared_memory_table_t *table) { pthread_mutex_init(&table->mutex, NULL); }

static void release_storage(mux_device_t device, mux_memory_t memory) {
  if (muxUnmapMemory(device, memory) != mux_success) log_write(log_error, "shared memory could not be unmapped");
  muxFreeMemory(device, memory, mux_allocator());
}

void shared_memory_table_destroy(shared_memory_table_t *table, mux_device_t device) {
  for (size_t i = 0; i < table->count; i++) release_storage(device, table->entries[i].memory);
  free(table->entries);
  pthread_mutex_destroy(&table->mutex);
}

bool shared_memory_is_supported(cl_context context) { return context->mux_device->info->shares_host_memory; }

bool shared_memory_size_is_valid(cl_context context, size_t size) {
  for (cl_uint i = 0; i < context->device_count; i++) {
    if (size > context->devices[i]->info->allocation_size) return false;
  }
  return size != 0;
}

bool shared_memory_alignment_is_valid(cl_uint alignment) {
  return (alignment & (alignment - 1)) == 0 && alignment <= SHARED_MEMORY_MAX_ALIGNMENT;
}

/* ------------------------------------------------------------ the table
 * Under its mutex. */

/** Index of the first allocation that begins above `pointer`. */
static size_t find_above(const shared_memory_table_t *table, const void *pointer) {
  size_t first = 0, last = table->count;
  while (first < last) {
    size_t middle = first + (last - first) / 2;
    if ((uintptr_t)table->entries[middle].base > (uintptr_t)pointer) {
      last = middle;
    } else {
      first = middle + 1;
    }
  }
  return first;
}

static shared_memory_t *find(shared_memory_table_t *table, const void *pointer) {
  size_t above = find_above(table, pointer);
  if (above == 0) return NULL;
  shared_memory_t *memory = &table->entries[above - 1];
  return (uintptr_t)pointer - (uintptr_t)memory->base < memory->size ? memory : NULL;
}

static bool reserve_one(shared_memory_table_t *table) {
  if (table->count < table->capacity) return true;
  size_t capacity = table->capacity ? 2 * table->capacity : 16;
  shared_memory_t *entries = realloc(table->entries, capacity * sizeof *entries);
  if (!entries) return false;
  table->entries = entries;
  table->capacity = capacity;
  return true;
}

static bool insert(shared_memory_table_t *table, const shared_memory_t *memory) {
  pthread_mutex_lock(&table->mutex);
  bool reserved = reserve_one(table);
  if (reserved) {
    size_t at = find_above(table, memory->base);
    memmove(&table->entries[at + 1], &table->entries[at], (table->count - at) * sizeof *memory);
    table->entries[at] = *memory;
    table->count++;
  }
  pthread_mutex_unlock(&table->mutex);
  return reserved;
}

/* ------------------------------------------------------------ allocations */

/* Host allocations are made for the host; what is shared, and what a device owns, for the device where it has such. */
static mux_allocation_type_e allocation_type(mux_device_info_t info, shared_memory_kind_e kind) {
  bool has_device = (info->allocation_capabilities & mux_allocation_capabilities_alloc_device) != 0;
  return kind != shared_memory_host && has_device ? mux_allocation_type_alloc_device : mux_allocation_type_alloc_host;
}

static mux_result_t allocate_storage(mux_device_t device, shared_memory_t *memory, cl_uint alignment) {
  const uint32_t properties = mux_memory_property_host_visible | mux_memory_property_host_coherent;
  void *address = NULL;
  mux_result_t result =
      muxAllocateMemory(device, memory->size, 1, properties, allocation_type(device->info, memory->kind),
                        alignment ? alignment : default_alignment, mux_allocator(), &memory->memory);
  if (result != mux_success) return result;
  result = muxMapMemory(device, memory->memory, 0, memory->size, &address);
  if (result != mux_success) muxFreeMemory(device, memory->memory, mux_allocator());
  memory->base = address;
  return result;
}

cl_int shared_memory_allocate(cl_context context, const shared_memory_t *wanted, cl_uint alignment,
                              void **out_pointer) {
  shared_memory_t memory = *wanted;
  TRY(error_from_mux(allocate_storage(context->memory_device, &memory, alignment), CL_OUT_OF_RESOURCES));
  if (!insert(&context->shared_memory, &memory)) {
    release_storage(context->mux_device, memory.memory);
    return CL_OUT_OF_HOST_MEMORY;
  }
  *out_pointer = memory.base;
  return CL_SUCCESS;
}

bool shared_memory_free(cl_context context, const void *pointer, bool is_svm) {
  shared_memory_table_t *table = &context->shared_memory;
  mux_memory_t storage = NULL;
  pthread_mutex_lock(&table->mutex);
  shared_memory_t *memory = find(table, pointer);
  if (memory && memory->base == pointer && (memory->kind == shared_memory_svm) == is_svm) {
    storage = memory->memory;
    size_t after = (size_t)(&table->entries[table->count] - (memory + 1));
    memmove(memory, memory + 1, after * sizeof *memory);
    table->count--;
  }
  pthread_mutex_unlock(&table->mutex);
  if (storage) release_storage(context->mux_device, storage);
  return storage != NULL;
}

bool shared_memory_find(cl_context context, const void *pointer, shared_memory_t *out_memory) {
  shared_memory_table_t *table = &context->shared_memory;
  pthread_mutex_lock(&table->mutex);
  const shared_memory_t *memory = find(table, pointer);
  if (memory) *out_memory = *memory;
  pthread_mutex_unlock(&table->mutex);
  return memory != NULL;
}
