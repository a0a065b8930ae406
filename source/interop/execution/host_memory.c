/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The host's use of memory objects: the storage that is there, or a window on what is bound to a context. */
#include "interop/execution/worker.h"
#include "interop/object/runtime.h"

static bool is_in_context(const struct quern_memory_s *memory) {
  return memory->bound && !interop_context_is_host(memory->bound);
}

static quern_result_t open_queue(quern_memory_t memory, quern_queue_t *out_queue, void **out_native) {
  quern_queue_t queue = memory->bound->transfers;
  interop_copy_t *copy = interop_memory_copy(memory, memory->bound);
  if (!copy) return interop_fail_memory();
  quern_result_t result = interop_queue_open(queue);
  if (result == quern_success) result = interop_copy_native(memory, copy, out_native, NULL);
  *out_queue = queue;
  return result;
}

/* A mapped image may have gaps between its rows. */
static quern_result_t stage(interop_requirement_t *requirement, interop_direction_t direction) {
  const quern_accessor_t *accessor = &requirement->accessor;
  quern_memory_t memory = accessor->memory;
  quern_queue_t queue;
  void *native, *host;
  quern_result_t result = interop_memory_host(memory, &host);
  if (result == quern_success) result = open_queue(memory, &queue, &native);
  if (result != quern_success) return result;
  requirement->host = host;
  requirement->is_staged = true;
  if (direction == interop_to_host && !interop_access_reads(accessor->access)) return quern_success;
  if (direction == interop_from_host && !interop_access_writes(accessor->access)) return quern_success;
  return interop_runtime_of(memory->bound)
      ->move(queue, memory, native, direction, accessor->offset, accessor->size, (char *)host + accessor->offset);
}

static quern_result_t map(interop_requirement_t *requirement) {
  const quern_accessor_t *accessor = &requirement->accessor;
  quern_memory_t memory = accessor->memory;
  quern_queue_t queue;
  void *native, *pointer;
  quern_result_t result = open_queue(memory, &queue, &native);
  if (result != quern_success) return result;
  result = interop_runtime_of(memory->bound)
               ->map(queue, native, accessor->access, accessor->offset, accessor->size, &pointer);
  if (result != quern_success) return result;
  requirement->host = (char *)pointer - accessor->offset;
  requirement->is_mapped = true;
  return quern_success;
}

static quern_result_t unmap(interop_requirement_t *requirement) {
  const quern_accessor_t *accessor = &requirement->accessor;
  quern_queue_t queue;
  void *native;
  quern_result_t result = open_queue(accessor->memory, &queue, &native);
  if (result != quern_success) return result;
  return interop_runtime_of(accessor->memory->bound)
      ->unmap(queue, native, (char *)requirement->host + accessor->offset);
}

quern_result_t interop_host_open(interop_requirement_t *requirement) {
  quern_memory_t memory = requirement->accessor.memory;
  requirement->is_mapped = requirement->is_staged = false;
  requirement->host = NULL;
  if (memory->is_addressed) {
    requirement->host = memory->host;
    return quern_success;
  }
  /* Other readers may be making it now: only under its lock. */
  if (!is_in_context(memory)) return interop_memory_host(memory, &requirement->host);
  return memory->is_image ? stage(requirement, interop_to_host) : map(requirement);
}

quern_result_t interop_host_close(interop_requirement_t *requirement) {
  quern_result_t result = quern_success;
  if (requirement->is_mapped) result = unmap(requirement);
  if (requirement->is_staged) result = stage(requirement, interop_from_host);
  requirement->host = NULL;
  return result;
}
