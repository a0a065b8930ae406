/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Moving contents between contexts at once. */
#include "interop/execution/move.h"

#include "interop/object/runtime.h"

/* Where storage is shared, a mapping does: reading it into itself would be undefined. */
static quern_result_t synchronize(const quern_accessor_t *accessor, quern_queue_t queue, void *native,
                                  interop_direction_t direction) {
  const interop_runtime_t *runtime = interop_runtime_of(queue->context);
  quern_access_t access = direction == interop_to_host ? quern_access_read : quern_access_discard_write;
  void *pointer;
  quern_result_t result = runtime->map(queue, native, access, accessor->offset, accessor->size, &pointer);
  return result == quern_success ? runtime->unmap(queue, native, pointer) : result;
}

static quern_result_t move(const quern_accessor_t *accessor, quern_queue_t queue, interop_direction_t direction) {
  quern_memory_t memory = accessor->memory;
  void *host, *native;
  quern_result_t result = interop_memory_host(memory, &host);
  if (result != quern_success || interop_context_is_host(queue->context)) return result;
  interop_copy_t *copy = interop_memory_copy(memory, queue->context);
  if (!copy) return interop_fail_memory();
  result = interop_copy_native(memory, copy, &native, NULL);
  if (result != quern_success) return result;
  if (copy->is_shared) return synchronize(accessor, queue, native, direction);
  return interop_runtime_of(queue->context)
      ->move(queue, memory, native, direction, accessor->offset, accessor->size, (char *)host + accessor->offset);
}

quern_result_t interop_move(const quern_accessor_t *accessor, quern_queue_t from, quern_queue_t to) {
  if (from->context == to->context) return quern_success;
  quern_result_t result = move(accessor, from, interop_to_host);
  return result == quern_success ? move(accessor, to, interop_from_host) : result;
}
