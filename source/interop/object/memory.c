/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Memory objects: making and freeing them, and their storage on the host and in contexts. */
#include "interop/object/memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "interop/object/addresses.h"
#include "interop/object/known.h"
#include "interop/object/lock.h"
#include "interop/object/runtime.h"

/* Enough for any device's alignment, and whole pages can be shared with one. */
enum { storage_alignment = 4096 };

quern_result_t interop_memory_check(quern_memory_t memory) {
  return interop_object_check(memory, interop_tag_memory, "memory object");
}

quern_result_t interop_access_check(quern_access_t access) {
  if ((unsigned)access < quern_access_total) return quern_success;
  return interop_fail(quern_error_invalid_argument, "%d is not a kind of access", (int)access);
}

quern_result_t interop_memory_range(quern_memory_t memory, size_t offset, size_t *size) {
  if (offset < memory->size && !*size) *size = memory->size - offset;
  if (offset >= memory->size || *size > memory->size - offset) {
    return interop_fail(quern_error_invalid_argument, "%zu bytes at offset %zu of a memory object of %zu", *size,
                        offset, memory->size);
  }
  if (memory->is_image && *size != memory->size) {
    return interop_fail(quern_error_invalid_argument, "an image is accessed as a whole");
  }
  return quern_success;
}

/* ------------------------------------------------------------ making and freeing */

quern_memory_t interop_memory_create(size_t size) {
  static atomic_uint_fast64_t last_id;
  quern_memory_t memory = calloc(1, sizeof(*memory));
  if (!memory) return NULL;
  if (!interop_segments_init(&memory->segments, size) ||
      !array_reserve(&memory->segments.items[0].places, &memory->segments.items[0].place_capacity, 2,
                     sizeof(interop_place_t))) {
    interop_segments_free(&memory->segments);
    free(memory);
    return NULL;
  }
  memory->object.tag = interop_tag_memory;
  atomic_init(&memory->object.references, 1);
  atomic_init(&memory->application_references, 1);
  memory->size = size;
  memory->id = atomic_fetch_add(&last_id, 1) + 1;
  pthread_mutex_init(&memory->lock, NULL);
  return memory;
}

static void copy_free(interop_copy_t *copy) {
  interop_known_remove(copy);
  if (copy->native) {
    interop_runtime_of(copy->context)->release(copy->context->state, quern_object_buffer, copy->native);
  }
  interop_context_drop(copy->context);
  free(copy);
}

static void memory_destroy(quern_memory_t memory) {
  if (memory->storage && memory->storage->context) interop_addresses_remove(memory);
  interop_graph_lock();
  interop_segments_free(&memory->segments);
  interop_graph_unlock();
  for (size_t i = 0; i < memory->copy_count; i++) copy_free(memory->copies[i]);
  free((void *)memory->copies);
  if (memory->storage) interop_storage_drop(memory->storage);
  if (memory->bound) interop_context_drop(memory->bound);
  if (memory->whole) interop_memory_drop(memory->whole);
  pthread_mutex_destroy(&memory->lock);
  memory->object.tag = interop_tag_none;
  free(memory);
}

bool interop_memory_try_hold(quern_memory_t memory) {
  unsigned count = atomic_load(&memory->object.references);
  while (count) {
    if (atomic_compare_exchange_weak(&memory->object.references, &count, count + 1)) return true;
  }
  return false;
}

void interop_memory_drop(quern_memory_t memory) {
  if (interop_object_drop(&memory->object)) memory_destroy(memory);
}

/* ------------------------------------------------------------ storage */

static void *allocate_on_host(size_t size, size_t alignment) {
  size_t whole;
  return size_add(size, alignment - 1, &whole) ? aligned_alloc(alignment, whole / alignment * alignment) : NULL;
}

static interop_storage_t *storage_create(void *bytes, quern_context_t context) {
  interop_storage_t *storage = bytes ? malloc(sizeof(*storage)) : NULL;
  if (!storage) return NULL;
  atomic_init(&storage->references, 1);
  storage->bytes = bytes;
  storage->context = context;
  if (context) interop_context_hold(context);
  return storage;
}

static void deallocate(quern_context_t context, void *bytes) {
  if (!context || interop_context_is_host(context)) {
    free(bytes);
  } else {
    interop_runtime_of(context)->deallocate(context, bytes);
  }
}

quern_result_t interop_storage_allocate(quern_context_t context, quern_device_t device, int kind, size_t size,
                                        size_t alignment, interop_storage_t **out_storage) {
  void *bytes = NULL;
  quern_result_t result = quern_success;
  if (interop_context_is_host(context)) {
    bytes = allocate_on_host(size, alignment > storage_alignment ? alignment : storage_alignment);
    if (!bytes) result = interop_fail_memory();
  } else if (interop_runtime_of(context)->allocate) {
    result = interop_runtime_of(context)->allocate(context, device, kind, size, alignment, &bytes);
  } else {
    result = interop_fail(quern_error_feature_not_supported, "the backend has no unified memory");
  }
  if (result != quern_success) return result;
  *out_storage = storage_create(bytes, context);
  if (*out_storage) return quern_success;
  deallocate(context, bytes);
  return interop_fail_memory();
}

void interop_storage_drop(interop_storage_t *storage) {
  if (atomic_fetch_sub_explicit(&storage->references, 1, memory_order_acq_rel) != 1) return;
  quern_context_t context = storage->context;
  deallocate(context, storage->bytes);
  free(storage);
  if (context) interop_context_drop(context);
}

static quern_result_t host_storage(quern_memory_t memory) {
  if (memory->host) return quern_success;
  void *bytes = allocate_on_host(memory->size, storage_alignment);
  memory->storage = storage_create(bytes, NULL);
  if (!memory->storage) {
    free(bytes);
    return interop_fail_memory();
  }
  memory->host = memory->storage->bytes;
  return quern_success;
}

quern_result_t interop_memory_host(quern_memory_t memory, void **out_host) {
  pthread_mutex_lock(&memory->lock);
  quern_result_t result = host_storage(memory);
  if (result == quern_success) *out_host = memory->host;
  pthread_mutex_unlock(&memory->lock);
  return result;
}

static bool can_share(const struct quern_memory_s *memory, const struct quern_context_s *context) {
  if (memory->is_image || memory->is_separate || memory->bound || !context->shares_host) return false;
  return !memory->host || (uintptr_t)memory->host % context->alignment == 0;
}

quern_result_t interop_storage_share(quern_memory_t memory, quern_context_t context, void *native) {
  const interop_runtime_t *runtime = interop_runtime_of(context);
  atomic_fetch_add_explicit(&memory->storage->references, 1, memory_order_relaxed);
  quern_result_t result = runtime->hold_storage(context->state, native, memory->storage);
  if (result == quern_success) return result;
  runtime->release(context->state, quern_object_buffer, native);
  interop_storage_drop(memory->storage);
  return result;
}

/* `whole`: the native object that it is to be a part of, or null. */
static quern_result_t create_native(quern_memory_t memory, interop_copy_t *copy, void *whole) {
  const interop_runtime_t *runtime = interop_runtime_of(copy->context);
  void *native;
  bool shares = !whole && can_share(memory, copy->context);
  quern_result_t result = shares ? host_storage(memory) : quern_success;
  if (result != quern_success) return result;
  copy->is_shared = shares;
  result = whole ? runtime->create_part(copy->context, whole, memory->whole_offset, memory->size, &native)
                 : runtime->create_memory(memory, copy->context, shares ? memory->host : NULL, false, &native);
  if (result == quern_success && shares && memory->storage) {
    result = interop_storage_share(memory, copy->context, native);
  }
  if (result != quern_success) return result;
  atomic_store_explicit(&copy->native, native, memory_order_release);
  interop_known_add(copy);
  return quern_success;
}

/* Before the lock of the part is taken: never two of memory objects. */
static quern_result_t native_of_whole(quern_memory_t memory, quern_context_t context, void **out_native) {
  *out_native = NULL;
  if (!memory->whole) return quern_success;
  interop_copy_t *copy = interop_memory_copy(memory->whole, context);
  return copy ? interop_copy_native(memory->whole, copy, out_native, NULL) : interop_fail_memory();
}

quern_result_t interop_copy_native(quern_memory_t memory, interop_copy_t *copy, void **out_native, bool *out_is_fresh) {
  quern_result_t result = quern_success;
  void *whole, *native = atomic_load_explicit(&copy->native, memory_order_acquire);
  if (out_is_fresh) *out_is_fresh = false;
  if (!native) {
    result = native_of_whole(memory, copy->context, &whole);
    if (result != quern_success) return result;
    pthread_mutex_lock(&memory->lock);
    native = atomic_load_explicit(&copy->native, memory_order_relaxed);
    if (!native) {
      result = create_native(memory, copy, whole);
      native = atomic_load_explicit(&copy->native, memory_order_relaxed);
      if (out_is_fresh) *out_is_fresh = result == quern_success && copy->is_shared;
    }
    pthread_mutex_unlock(&memory->lock);
  }
  if (result == quern_success) *out_native = native;
  return result;
}

static interop_copy_t *add_copy(quern_memory_t memory, quern_context_t context) {
  size_t needed = memory->copy_count + 1;
  if (!array_reserve((void *)&memory->copies, &memory->copy_capacity, needed, sizeof(interop_copy_t *))) return NULL;
  interop_copy_t *copy = calloc(1, sizeof(*copy));
  if (!copy) return NULL;
  copy->memory = memory;
  copy->context = context;
  list_init(&copy->known);
  interop_context_hold(context);
  return memory->copies[memory->copy_count++] = copy;
}

size_t interop_memory_locate(quern_memory_t memory, quern_context_t context) {
  if (interop_context_is_host(context)) return 0;
  for (size_t i = 0; i < memory->copy_count; i++) {
    if (memory->copies[i]->context == context) return i + 1;
  }
  return add_copy(memory, context) ? memory->copy_count : SIZE_MAX;
}

interop_copy_t *interop_memory_copy(quern_memory_t memory, quern_context_t context) {
  interop_graph_lock();
  size_t location = interop_memory_locate(memory, context);
  interop_copy_t *copy = location && location != SIZE_MAX ? memory->copies[location - 1] : NULL;
  interop_graph_unlock();
  return copy;
}
