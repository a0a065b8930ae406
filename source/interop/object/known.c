/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Native memory objects that memory objects have. */
#include "interop/object/known.h"

/* One per process, as native objects are. */
static struct {
  pthread_mutex_t lock;
  list_t copies;
} known = {.lock = PTHREAD_MUTEX_INITIALIZER, .copies = {&known.copies, &known.copies}};

void interop_known_add(interop_copy_t *copy) {
  pthread_mutex_lock(&known.lock);
  list_append(&known.copies, &copy->known);
  pthread_mutex_unlock(&known.lock);
}

void interop_known_remove(interop_copy_t *copy) {
  pthread_mutex_lock(&known.lock);
  list_remove(&copy->known);
  pthread_mutex_unlock(&known.lock);
}

/* With the lock, under which nothing leaves the list. */
static quern_memory_t find(const struct quern_context_s *bound, const interop_backend_state_t *state,
                           const void *native, bool *out_has_other) {
  LIST_FOR_EACH(link, &known.copies) {
    const interop_copy_t *copy = LIST_ENTRY(link, interop_copy_t, known);
    if (copy->context->state != state || copy->native != native) continue;
    if (copy->memory->bound == bound) {
      if (interop_memory_try_hold(copy->memory)) return copy->memory;
    } else if (atomic_load(&copy->memory->application_references)) {
      *out_has_other = true;
    }
  }
  return NULL;
}

quern_memory_t interop_known_find(const struct quern_context_s *bound, const interop_backend_state_t *state,
                                  const void *native, bool *out_has_other) {
  *out_has_other = false;
  pthread_mutex_lock(&known.lock);
  quern_memory_t memory = find(bound, state, native, out_has_other);
  pthread_mutex_unlock(&known.lock);
  /* The application's references together own one; groups alone may have kept the object until now. */
  if (memory && atomic_fetch_add(&memory->application_references, 1)) interop_memory_drop(memory);
  return memory;
}
