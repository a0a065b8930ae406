/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Which addresses belong to which memory object. */
#include "interop/object/addresses.h"

#include <string.h>

#include "base/memory.h"

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

quern_result_t interop_addresses_add(quern_memory_t memory) {
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

void interop_addresses_remove(quern_memory_t memory) {
  pthread_mutex_lock(&table.lock);
  size_t after = count_before(key_of(memory), (uintptr_t)memory->storage->bytes);
  if (after && table.items[after - 1].memory == memory) {
    memmove(table.items + after - 1, table.items + after, (table.count - after) * sizeof(range_t));
    table.count--;
    atomic_fetch_add_explicit(&table.generation, 1, memory_order_relaxed);
  }
  pthread_mutex_unlock(&table.lock);
}

uint64_t interop_addresses_generation(void) { return atomic_load_explicit(&table.generation, memory_order_relaxed); }

/* With the lock. */
static quern_memory_t find_in(const struct quern_context_s *context, uintptr_t address) {
  size_t after = count_before(context, address);
  if (!after) return NULL;
  const range_t *item = &table.items[after - 1];
  bool is_in = item->context == context && address - item->base < item->size;
  return is_in && interop_memory_try_hold(item->memory) ? item->memory : NULL;
}

/* With the lock. */
static quern_memory_t find_known(const struct quern_context_s *context, const void *pointer) {
  quern_memory_t memory = find_in(context, (uintptr_t)pointer);
  return memory ? memory : find_in(NULL, (uintptr_t)pointer);
}

quern_memory_t interop_addresses_find_known(const struct quern_context_s *context, const void *pointer) {
  pthread_mutex_lock(&table.lock);
  quern_memory_t memory = find_known(context, pointer);
  pthread_mutex_unlock(&table.lock);
  return memory;
}

static quern_memory_t hold_unknown(void) {
  if (!table.unknown && (table.unknown = interop_memory_create(SIZE_MAX))) table.unknown->is_addressed = true;
  if (table.unknown) interop_memory_hold(table.unknown);
  return table.unknown;
}

quern_memory_t interop_addresses_find(const struct quern_context_s *context, const void *pointer, size_t *out_offset) {
  pthread_mutex_lock(&table.lock);
  quern_memory_t memory = find_known(context, pointer);
  if (!memory) memory = hold_unknown();
  pthread_mutex_unlock(&table.lock);
  if (!memory) return NULL;
  *out_offset = (uintptr_t)pointer - (memory->storage ? (uintptr_t)memory->storage->bytes : 0);
  return memory;
}
