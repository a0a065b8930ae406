/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Counts and handle checks of OpenCL objects, and the copying out of query answers. */
#include "cl/object/object.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"

/** The process has one platform. */
static _Atomic(void *) dispatch_data;

void object_set_dispatch_data(void *data) { atomic_store_explicit(&dispatch_data, data, memory_order_release); }

void object_adopt_dispatch_data(object_t *object) {
  object->dispatch_data = atomic_load_explicit(&dispatch_data, memory_order_acquire);
}

void object_init(object_t *object, object_kind_e kind, void (*destroy)(object_t *object)) {
  object->dispatch = &icd_dispatch;
  object_adopt_dispatch_data(object);
  object->destroy = destroy;
  atomic_init(&object->external_count, 1);
  atomic_init(&object->internal_count, 1);
  atomic_init(&object->kind, kind);
}

bool object_is(const void *handle, object_kind_e kind) {
  const object_t *object = handle;
  /* Every object comes from malloc, so a misaligned handle is no object; not even its head may be read. */
  if (!object || (uintptr_t)handle % _Alignof(object_t)) return false;
  return atomic_load_explicit(&object->kind, memory_order_acquire) == (uint32_t)kind;
}

bool object_retain_external(object_t *object) {
  /* Another thread may release the last external reference meanwhile. */
  if (!object_try_hold(object)) return false;
  uint32_t count = atomic_load_explicit(&object->external_count, memory_order_relaxed);
  do {
    if (count == UINT32_MAX) break;
  } while (!atomic_compare_exchange_weak_explicit(&object->external_count, &count, count + 1, memory_order_relaxed,
                                                  memory_order_relaxed));
  if (count != 0) object_drop(object); /* the first external reference keeps what was held here */
  return count != UINT32_MAX;
}

bool object_release_external(object_t *object) {
  uint32_t count = atomic_load_explicit(&object->external_count, memory_order_relaxed);
  do {
    if (count == 0) return false;
  } while (!atomic_compare_exchange_weak_explicit(&object->external_count, &count, count - 1, memory_order_acq_rel,
                                                  memory_order_relaxed));
  if (count == 1) object_drop(object);
  return true;
}

void object_hold(object_t *object) { atomic_fetch_add_explicit(&object->internal_count, 1, memory_order_relaxed); }

bool object_try_hold(object_t *object) {
  uint32_t count = atomic_load_explicit(&object->internal_count, memory_order_relaxed);
  do {
    if (count == 0) return false;
  } while (!atomic_compare_exchange_weak_explicit(&object->internal_count, &count, count + 1, memory_order_relaxed,
                                                  memory_order_relaxed));
  return true;
}

/* Few enough that new events find their memory in the cache. */
enum { kept_per_kind = 64, kind_count = 32 };

/** The objects of a kind that were destroyed last. */
typedef struct destroyed_t {
  _Atomic uint32_t next;
  object_t *_Atomic objects[kept_per_kind];
} destroyed_t;

static destroyed_t destroyed[kind_count];

static void replace(object_t *_Atomic *place, object_t *object) {
  free(atomic_exchange_explicit(place, object, memory_order_acq_rel));
}

void object_free(object_t *object, object_kind_e kind) {
  destroyed_t *own = &destroyed[(uint32_t)kind % kind_count];
  const uint32_t place = atomic_fetch_add_explicit(&own->next, 1, memory_order_relaxed) % kept_per_kind;
  replace(&own->objects[place], object);
}

void object_free_kept(void) {
  for (int kind = 0; kind < kind_count; kind++) {
    for (int i = 0; i < kept_per_kind; i++) replace(&destroyed[kind].objects[i], NULL);
  }
}

void object_drop(object_t *object) {
  if (atomic_fetch_sub_explicit(&object->internal_count, 1, memory_order_acq_rel) != 1) return;
  if (log_enabled(log_refcounts)) {
    log_write(log_refcounts, "%p of kind %x is destroyed", (void *)object, atomic_load(&object->kind));
  }
  atomic_store_explicit(&object->kind, object_kind_dead, memory_order_release);
  object->destroy(object);
}

cl_int info_answer(size_t capacity, void *out_value, size_t *out_size, const void *value, size_t size) {
  if (out_value) {
    if (capacity < size) return CL_INVALID_VALUE;
    if (size) memcpy(out_value, value, size);
  }
  if (out_size) *out_size = size;
  return CL_SUCCESS;
}

cl_int info_answer_string(size_t capacity, void *out_value, size_t *out_size, const char *string) {
  return info_answer(capacity, out_value, out_size, string, strlen(string) + 1);
}
