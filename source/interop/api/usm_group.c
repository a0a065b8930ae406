/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Addresses in command groups: as requirements, as arguments of kernels, and the actions on them. */
#include <string.h>

#include "interop/api/group.h"
#include "interop/object/addresses.h"

/* ------------------------------------------------------------ requirements */

static bool may_use(const struct quern_memory_s *memory, const struct quern_queue_s *queue) {
  if (!queue || interop_memory_is_unknown(memory)) return true;
  if (memory->bound) return memory->bound == queue->context;
  if (memory->storage->context == queue->context) return true;
  return interop_context_is_host(queue->context) && memory->kind != quern_usm_device;
}

static quern_result_t require_memory(quern_group_t group, quern_memory_t memory, size_t offset, size_t size,
                                     quern_access_t access) {
  const interop_node_t *node = interop_group_node(group);
  quern_accessor_t accessor;
  if (interop_memory_is_unknown(memory) && !size) {
    return interop_fail(quern_error_invalid_argument, "no bytes of memory that is no allocation");
  }
  if (!may_use(memory, node->queue) || !may_use(memory, node->fallback)) {
    return interop_fail(quern_error_wrong_context, "the address is of another context than the queue's");
  }
  quern_result_t result = quern_accessor_make(memory, access, offset, size, &accessor);
  return result == quern_success ? quern_group_require(group, accessor) : result;
}

quern_result_t quern_group_require_pointer(quern_group_t group, const void *pointer, size_t size,
                                           quern_access_t access) {
  size_t offset;
  quern_result_t result = interop_group_check(group);
  if (result != quern_success) return result;
  if (!pointer) return interop_fail(quern_error_invalid_argument, "null pointer");
  quern_memory_t memory = interop_addresses_find(interop_group_node(group)->context, pointer, &offset);
  if (!memory) return interop_fail_memory();
  result = require_memory(group, memory, offset, size, access);
  interop_memory_drop(memory);
  return result;
}

/* ------------------------------------------------------------ actions */

static quern_result_t check_range(const void *pointer, size_t size) {
  if (!pointer) return interop_fail(quern_error_invalid_argument, "null pointer for the memory");
  if (!size) return interop_fail(quern_error_invalid_argument, "an action on no bytes");
  return quern_success;
}

static bool overlap(const void *one, const void *other, size_t size) {
  uintptr_t a = (uintptr_t)one, b = (uintptr_t)other;
  return a < b ? b - a < size : a - b < size;
}

quern_result_t quern_group_set_usm_copy(quern_group_t group, void *to, const void *from, size_t size) {
  interop_node_t *node;
  quern_result_t result = interop_group_check_action(group, &node);
  if (result == quern_success) result = check_range(to, size);
  if (result == quern_success) result = check_range(from, size);
  if (result != quern_success) return result;
  if (overlap(to, from, size)) return interop_fail(quern_error_invalid_argument, "a copy of overlapping ranges");
  node->host_memory = to;
  node->source_memory = from;
  node->usm_size = size;
  node->action = interop_action_usm_copy;
  return quern_success;
}

quern_result_t quern_group_set_usm_fill(quern_group_t group, void *to, const void *pattern, size_t pattern_size,
                                        size_t size) {
  interop_node_t *node;
  quern_result_t result = interop_group_check_action(group, &node);
  if (result == quern_success) result = check_range(to, size);
  if (result == quern_success) result = interop_group_keep_pattern(node, pattern, pattern_size, (uintptr_t)to, size);
  if (result != quern_success) return result;
  node->host_memory = to;
  node->usm_size = size;
  node->action = interop_action_usm_fill;
  return quern_success;
}

static quern_result_t set_hint(quern_group_t group, const void *pointer, size_t size, interop_action_t action,
                               uint32_t advice) {
  interop_node_t *node;
  quern_result_t result = interop_group_check_action(group, &node);
  if (result == quern_success) result = check_range(pointer, size);
  if (result != quern_success) return result;
  node->source_memory = pointer;
  node->usm_size = size;
  node->advice = advice;
  node->action = action;
  return quern_success;
}

quern_result_t quern_group_set_prefetch(quern_group_t group, const void *pointer, size_t size) {
  return set_hint(group, pointer, size, interop_action_prefetch, 0);
}

quern_result_t quern_group_set_advice(quern_group_t group, const void *pointer, size_t size, uint32_t advice) {
  return set_hint(group, pointer, size, interop_action_advise, advice);
}
