/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Command groups: making, requirements, submission. */
#include "interop/api/group.h"

#include <stdlib.h>

#include "interop/execution/progress.h"
#include "interop/object/task.h"

quern_result_t interop_group_check(quern_group_t group) {
  return interop_object_check(group, interop_tag_group, "command group");
}

size_t interop_node_find_requirement(const interop_node_t *node, const quern_accessor_t *accessor) {
  for (size_t i = 0; i < node->requirements.count; i++) {
    if (node->requirements.items[i].accessor.id == accessor->id) return i;
  }
  return SIZE_MAX;
}

/* ------------------------------------------------------------ accessors */

static quern_result_t make_accessor(quern_memory_t memory, quern_access_t access, size_t offset, size_t size,
                                    quern_target_t target, quern_accessor_t *out_accessor) {
  static atomic_uint_fast64_t last_id;
  quern_result_t result = interop_task_check_make();
  if (result == quern_success) result = interop_memory_check(memory);
  if (result == quern_success) result = interop_access_check(access);
  if (result == quern_success) result = interop_memory_range(memory, offset, &size);
  if (result != quern_success) return result;
  if (!out_accessor) return interop_fail(quern_error_invalid_argument, "null pointer for the accessor");
  uint64_t id = atomic_fetch_add_explicit(&last_id, 1, memory_order_relaxed) + 1;
  *out_accessor = (quern_accessor_t){memory, access, offset, size, id, target};
  return quern_success;
}

quern_result_t quern_accessor_make(quern_memory_t memory, quern_access_t access, size_t offset, size_t size,
                                   quern_accessor_t *out_accessor) {
  return make_accessor(memory, access, offset, size, quern_target_action, out_accessor);
}

quern_result_t quern_accessor_make_for_host(quern_memory_t memory, quern_access_t access, size_t offset, size_t size,
                                            quern_accessor_t *out_accessor) {
  return make_accessor(memory, access, offset, size, quern_target_host, out_accessor);
}

/* ------------------------------------------------------------ making */

quern_result_t quern_group_create(quern_queue_t queue, quern_group_t *out_group) {
  quern_result_t result = interop_task_check_make();
  if (result == quern_success) result = interop_queue_check(queue);
  if (result != quern_success) return result;
  if (!out_group) return interop_fail(quern_error_invalid_argument, "null pointer for the group");
  interop_node_t *node = interop_node_create(queue, interop_action_none);
  if (!node) return interop_fail_memory();
  *out_group = (quern_group_t)(void *)node;
  return quern_success;
}

quern_result_t quern_group_discard(quern_group_t group) {
  quern_result_t result = interop_group_check(group);
  if (result != quern_success) return result;
  interop_node_t *node = interop_group_node(group);
  for (size_t i = 0; i < node->edges.count; i++) interop_node_drop(node->edges.items[i].from);
  node->edges.count = 0;
  interop_node_drop(node);
  return quern_success;
}

static quern_result_t check_bound(const struct quern_memory_s *memory, const struct quern_queue_s *queue) {
  if (!queue || !memory->bound || memory->bound == queue->context) return quern_success;
  return interop_fail(quern_error_wrong_context, "the memory object is bound to another context than the queue's");
}

static quern_result_t check_target(quern_target_t target) {
  if (target == quern_target_action || target == quern_target_host) return quern_success;
  return interop_fail(quern_error_invalid_argument, "%d is no target of accessors", (int)target);
}

quern_result_t quern_group_require(quern_group_t group, quern_accessor_t accessor) {
  quern_result_t result = interop_group_check(group);
  if (result == quern_success) result = interop_memory_check(accessor.memory);
  if (result == quern_success) result = interop_access_check(accessor.access);
  if (result == quern_success) result = check_target(accessor.target);
  if (result == quern_success) result = interop_memory_range(accessor.memory, accessor.offset, &accessor.size);
  if (result != quern_success) return result;
  interop_node_t *node = interop_group_node(group);
  result = check_bound(accessor.memory, node->queue);
  if (result == quern_success) result = check_bound(accessor.memory, node->fallback);
  if (result != quern_success) return result;
  if (interop_node_find_requirement(node, &accessor) != SIZE_MAX) return quern_success;
  if (!INTEROP_ARRAY_RESERVE(&node->requirements, 1)) return interop_fail_memory();
  interop_requirement_t *requirement = &node->requirements.items[node->requirements.count++];
  *requirement = (interop_requirement_t){.accessor = accessor};
  requirement->accessor.memory = interop_memory_whole(accessor.memory);
  requirement->accessor.offset += accessor.memory->whole_offset;
  interop_memory_hold(requirement->accessor.memory);
  if (!accessor.memory->whole) return quern_success;
  requirement->part = accessor.memory;
  interop_memory_hold(accessor.memory);
  return quern_success;
}

quern_result_t quern_group_access(quern_group_t group, quern_memory_t memory, quern_access_t access, size_t offset,
                                  size_t size, quern_accessor_t *out_accessor) {
  quern_accessor_t accessor;
  quern_result_t result = quern_accessor_make(memory, access, offset, size, &accessor);
  if (result == quern_success) result = quern_group_require(group, accessor);
  if (result == quern_success && out_accessor) *out_accessor = accessor;
  return result;
}

quern_result_t quern_group_depend(quern_group_t group, quern_event_t event) {
  quern_result_t result = interop_group_check(group);
  if (result == quern_success) result = interop_event_check(event);
  if (result != quern_success) return result;
  interop_node_t *node = interop_group_node(group);
  if (!INTEROP_ARRAY_RESERVE(&node->edges, 1)) return interop_fail_memory();
  interop_node_hold(event);
  node->edges.items[node->edges.count++] = (interop_edge_t){event, true};
  return quern_success;
}

quern_result_t quern_group_set_fallback(quern_group_t group, quern_queue_t queue) {
  quern_result_t result = interop_group_check(group);
  if (result == quern_success) result = interop_queue_check(queue);
  if (result != quern_success) return result;
  interop_node_t *node = interop_group_node(group);
  if (node->action != interop_action_none || node->fallback) {
    return interop_fail(quern_error_invalid_operation, "the group has an action or a fallback queue already");
  }
  for (size_t i = 0; i < node->requirements.count; i++) {
    result = check_bound(node->requirements.items[i].accessor.memory, queue);
    if (result != quern_success) return result;
  }
  interop_queue_hold(queue);
  node->fallback = queue;
  return quern_success;
}

quern_result_t quern_group_set_destructor(quern_group_t group, void (*destroy)(void *data), void *data) {
  quern_result_t result = interop_group_check(group);
  if (result != quern_success) return result;
  interop_node_t *node = interop_group_node(group);
  if (!destroy) return interop_fail(quern_error_invalid_argument, "null pointer for the destructor");
  if (node->destroy) return interop_fail(quern_error_invalid_operation, "the group has a destructor already");
  node->destroy = destroy;
  node->destroy_data = data;
  return quern_success;
}

/* ------------------------------------------------------------ submission */

/* What is done by the backend, and not by a thread of the library. */
static bool is_native(const interop_node_t *node) {
  if (interop_context_is_host(node->context)) return false;
  switch (node->action) {
    case interop_action_none:
    case interop_action_kernel:
    case interop_action_copy:
    case interop_action_read:
    case interop_action_write:
    case interop_action_fill:
    case interop_action_usm_copy:
    case interop_action_usm_fill:
    case interop_action_prefetch:
    case interop_action_advise: return true;
    default: return false;
  }
}

quern_result_t quern_group_submit(quern_group_t group, quern_event_t *out_event) {
  quern_result_t result = interop_group_check(group);
  if (result != quern_success) return result;
  interop_node_t *node = interop_group_node(group);
  if (node->arguments.count && node->action != interop_action_kernel) {
    return interop_fail(quern_error_invalid_operation, "the group has arguments, and no kernel");
  }
  node->object.tag = interop_tag_event;
  node->is_native = is_native(node);
  node->on_host = node->action == interop_action_host_task || node->action == interop_action_update_host;
  node->is_exclusive = node->action == interop_action_interop_task;
  node->hides_native = node->fallback != NULL;
  if (out_event) {
    interop_node_hold(node);
    *out_event = node;
  }
  interop_graph_submit(node);
  return quern_success;
}
