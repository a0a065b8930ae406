/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What tasks ask of their handle. */
#include <string.h>

#include "interop/group.h"

static interop_node_t *node_of(quern_handle_t handle) { return (interop_node_t *)handle.group; }

/* The first misuse fails the group (T7). The message is the thread's. */
static quern_result_t misuse(interop_node_t *node, quern_result_t result) {
  if (node->misuse == quern_success) {
    node->misuse = result;
    node->misuse_message = strdup(quern_last_error_message());
  }
  return result;
}

void *quern_handle_get_context(quern_handle_t handle) { return node_of(handle)->running_on->context->native; }

void *quern_handle_get_device(quern_handle_t handle) { return node_of(handle)->running_on->device->native; }

void *quern_handle_get_queue(quern_handle_t handle) { return node_of(handle)->running_on->native; }

static quern_result_t find(interop_node_t *node, const quern_accessor_t *accessor, const void *out,
                           const interop_requirement_t **out_requirement) {
  size_t index = interop_node_find_requirement(node, accessor);
  if (index == SIZE_MAX) {
    return misuse(node, interop_fail(quern_error_invalid_object, "the group does not require the accessor"));
  }
  if (!out) return misuse(node, interop_fail(quern_error_invalid_argument, "null pointer for what was asked"));
  *out_requirement = &node->requirements.items[index];
  return quern_success;
}

static quern_result_t fail_null(void) {
  return interop_fail(quern_error_invalid_object, "the handle is null: no function of a command group is running");
}

quern_result_t quern_handle_get_mem(quern_handle_t handle, quern_accessor_t accessor, void **out_native) {
  interop_node_t *node = node_of(handle);
  const interop_requirement_t *requirement;
  if (!node) return fail_null();
  if (node->action != interop_action_interop_task) {
    return misuse(node, interop_fail(quern_error_feature_not_supported, "only interop tasks have native memory"));
  }
  quern_result_t result = find(node, &accessor, (const void *)out_native, &requirement);
  if (result == quern_success) *out_native = atomic_load(&requirement->copy->native);
  return result;
}

quern_result_t quern_handle_get_pointer(quern_handle_t handle, quern_accessor_t accessor, void **out_pointer) {
  interop_node_t *node = node_of(handle);
  const interop_requirement_t *requirement;
  if (!node) return fail_null();
  if (node->action == interop_action_interop_task) {
    return misuse(node, interop_fail(quern_error_feature_not_supported, "an interop task's memory is on the device"));
  }
  quern_result_t result = find(node, &accessor, (const void *)out_pointer, &requirement);
  if (result == quern_success) *out_pointer = (char *)requirement->host + requirement->accessor.offset;
  return result;
}
