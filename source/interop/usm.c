/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Allocations of unified memory: making and freeing them, and finding them by their addresses. Each has a memory
 * object, of which no handle exists, for the order of those who use it. */
#include "interop/usm.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "interop/runtime.h"
#include "interop/worker.h"

/** Addresses of a memory object. Those of device allocations are numbers of one context; others are the process's. */
typedef struct range_t {
  const struct quern_context_s *context;
  uintptr_t base;
  size_t size;
  quern_memory_t memory;
} range_t;

/* One per process, as addresses are. Sorted by context and base. */
static struct {
  pthread_mutex_t lock;
  range_t *items;
  size_t count, capacity;
  atomic_uint_fast64_t generation;
  /** Stands for all memory that is in no range; made when needed, and never gone. */
  quern_memory_t unknown;
} table = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ------------------------------------------------------------ the table */

static const struct quern_context_s *key_of(const struct quern_memory_s *memory) {
  return memory->is_addressed && memory->kind == quern_usm_device ? memory->storage->context : NULL;
}

/* Number of ranges that begin at or before the address. */
static size_t count_before(const struct quern_context_s *context, uintptr_t address) {
  size_t low = 0, high = table.count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    const range_t *item = &table.items[middle];
    bool is_before = item->context == context ? item->base <= address : (uintptr_t)item->context < (uintptr_t)context;
    if (is_before) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

quern_result_t interop_usm_add(quern_memory_t memory) {
  const range_t range = {key_of(memory), (uintptr_t)memory->storage->bytes, memory->size, memory};
  quern_result_t result = quern_success;
  pthread_mutex_lock(&table.lock);
  if (array_reserve(&table.items, &table.capacity, table.count + 1, sizeof(range_t))) {
    size_t at = count_before(range.context, range.base);
    memmove(table.items + at + 1, table.items + at, (table.count - at) * sizeof(range_t));
    table.items[at] = range;
    table.count++;
  } else {
    result = interop_fail_memory();
  }
  pthread_mutex_unlock(&table.lock);
  return result;
}

void interop_usm_remove(quern_memory_t memory) {
  pthread_mutex_lock(&table.lock);
  size_t after = count_before(key_of(memory), (uintptr_t)memory->storage->bytes);
  if (after && table.items[after - 1].memory == memory) {
    memmove(table.items + after - 1, table.items + after, (table.count - after) * sizeof(range_t));
    table.count--;
    atomic_fetch_add_explicit(&table.generation, 1, memory_order_relaxed);
  }
  pthread_mutex_unlock(&table.lock);
}

uint64_t interop_usm_generation(void) { return atomic_load_explicit(&table.generation, memory_order_relaxed); }

/* With the lock. */
static quern_memory_t find_in(const struct quern_context_s *context, uintptr_t address) {
  size_t after = count_before(context, address);
  if (!after) return NULL;
  const range_t *item = &table.items[after - 1];
  bool is_in = item->context == context && address - item->base < item->size;
  return is_in && interop_memory_try_hold(item->memory) ? item->memory : NULL;
}

static quern_memory_t find_known(const struct quern_context_s *context, const void *pointer) {
  quern_memory_t memory = find_in(context, (uintptr_t)pointer);
  return memory ? memory : find_in(NULL, (uintptr_t)pointer);
}

static quern_memory_t hold_unknown(void) {
  if (!table.unknown && (table.unknown = interop_memory_create(SIZE_MAX))) table.unknown->is_addressed = true;
  if (table.unknown) interop_memory_hold(table.unknown);
  return table.unknown;
}

quern_memory_t interop_usm_find(const struct quern_context_s *context, const void *pointer, size_t *out_offset) {
  pthread_mutex_lock(&table.lock);
  quern_memory_t memory = find_known(context, pointer);
  if (!memory) memory = hold_unknown();
  pthread_mutex_unlock(&table.lock);
  if (!memory) return NULL;
  *out_offset = (uintptr_t)pointer - (memory->storage ? (uintptr_t)memory->storage->bytes : 0);
  return memory;
}

/* ------------------------------------------------------------ allocations */

static bool has_device(const struct quern_context_s *context, const struct quern_device_s *device) {
  for (size_t i = 0; i < context->device_count; i++) {
    if (context->devices[i] == device) return true;
  }
  return false;
}

static quern_result_t check_allocate(quern_context_t context, quern_device_t device, quern_usm_kind_t kind, size_t size,
                                     size_t alignment, void *const *out_pointer) {
  quern_result_t result = interop_task_check_make();
  if (result == quern_success) result = interop_context_check(context);
  if (result == quern_success && (device || kind == quern_usm_device)) result = interop_device_check(device);
  if (result != quern_success) return result;
  if ((unsigned)kind >= quern_usm_total) {
    return interop_fail(quern_error_invalid_argument, "%d is no kind of unified memory", (int)kind);
  }
  if (device && !has_device(context, device)) {
    return interop_fail(quern_error_invalid_argument, "the device is not one of the context");
  }
  if (!size) return interop_fail(quern_error_invalid_argument, "an allocation of no bytes");
  if (alignment & (alignment - 1)) {
    return interop_fail(quern_error_invalid_argument, "an alignment of %zu is no power of two", alignment);
  }
  if (!out_pointer) return interop_fail(quern_error_invalid_argument, "null pointer for the address");
  return quern_success;
}

quern_result_t quern_usm_allocate(quern_context_t context, quern_device_t device, quern_usm_kind_t kind, size_t size,
                                  size_t alignment, void **out_pointer) {
  quern_result_t result = check_allocate(context, device, kind, size, alignment, out_pointer);
  if (result != quern_success) return result;
  quern_memory_t memory = interop_memory_create(size);
  if (!memory) return interop_fail_memory();
  memory->is_addressed = true;
  memory->kind = kind;
  memory->device = device;
  result = interop_storage_allocate(context, device, (int)kind, size, alignment, &memory->storage);
  if (result == quern_success) {
    memory->host = memory->storage->bytes;
    result = interop_usm_add(memory);
  }
  if (result == quern_success) {
    *out_pointer = memory->host;
  } else {
    interop_memory_drop(memory);
  }
  return result;
}

quern_result_t quern_usm_free(quern_context_t context, void *pointer) {
  quern_result_t result = interop_context_check(context);
  if (result != quern_success || !pointer) return result;
  pthread_mutex_lock(&table.lock);
  quern_memory_t memory = find_known(context, pointer);
  pthread_mutex_unlock(&table.lock);
  bool is_first = memory && memory->is_addressed && memory->host == pointer && memory->storage->context == context;
  /* Of two threads that free it, one does. */
  bool ends = is_first && atomic_exchange(&memory->application_references, 0) != 0;
  if (ends) {
    interop_usm_remove(memory);
    interop_memory_drop(memory);
  }
  if (memory) interop_memory_drop(memory);
  return ends ? quern_success
              : interop_fail(quern_error_invalid_argument, "no allocation of the context begins at %p", pointer);
}

quern_result_t quern_usm_find(quern_context_t context, const void *pointer, quern_usm_facts_t *out_facts) {
  quern_result_t result = interop_context_check(context);
  if (result != quern_success) return result;
  if (!pointer || !out_facts) return interop_fail(quern_error_invalid_argument, "null pointer");
  pthread_mutex_lock(&table.lock);
  quern_memory_t memory = find_known(context, pointer);
  pthread_mutex_unlock(&table.lock);
  bool is_found = memory && memory->is_addressed;
  if (is_found) {
    *out_facts =
        (quern_usm_facts_t){memory->kind, memory->host, memory->size, memory->storage->context, memory->device};
  }
  if (memory) interop_memory_drop(memory);
  return is_found ? quern_success : interop_fail(quern_error_not_found, "%p is in no allocation", pointer);
}

/* The host's access, which waits and forgives. */
static quern_result_t access_range(quern_memory_t memory, size_t offset, size_t size, quern_access_t access) {
  quern_host_access_t host_access;
  void *address;
  if (memory->is_addressed && memory->storage && memory->kind == quern_usm_device) {
    return interop_fail(quern_error_wrong_context, "the allocation is for a device alone");
  }
  if (interop_memory_is_unknown(memory) && !size) {
    return interop_fail(quern_error_invalid_argument, "no bytes of memory that is no allocation");
  }
  quern_result_t result = quern_host_access_begin(memory, access, offset, size, &address, &host_access);
  return result == quern_success ? quern_host_access_end(host_access) : result;
}

quern_result_t quern_usm_wait(quern_context_t context, const void *pointer, size_t size, quern_access_t access) {
  size_t offset;
  quern_result_t result = interop_context_check(context);
  if (result != quern_success) return result;
  if (!pointer) return interop_fail(quern_error_invalid_argument, "null pointer");
  quern_memory_t memory = interop_usm_find(context, pointer, &offset);
  if (!memory) return interop_fail_memory();
  result = access_range(memory, offset, size, access);
  interop_memory_drop(memory);
  return result;
}

quern_result_t quern_memory_get_pointer(quern_memory_t memory, void **out_pointer) {
  quern_result_t result = interop_memory_check(memory);
  if (result != quern_success) return result;
  const struct quern_memory_s *whole = interop_memory_whole(memory);
  if (!out_pointer) return interop_fail(quern_error_invalid_argument, "null pointer for the address");
  if (!whole->storage || !whole->storage->context) {
    return interop_fail(quern_error_invalid_operation, "the storage is not unified memory");
  }
  *out_pointer = (char *)whole->storage->bytes + memory->whole_offset;
  return quern_success;
}
