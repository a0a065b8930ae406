/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What tasks ask of their handle. A misuse is noted in the call, and fails its group. */
#include "interop/api/group.h"
#include "interop/object/task.h"

/* ------------------------------------------------------------ the place */

typedef void *(*interop_place_of_t)(const struct quern_queue_s *queue);

static void *context_of(const struct quern_queue_s *queue) { return queue->context->native; }
static void *device_of(const struct quern_queue_s *queue) { return queue->device->native; }
static void *queue_of(const struct quern_queue_s *queue) { return queue->native; }

static quern_result_t get_place(quern_handle_t handle, interop_place_of_t place_of, void **out_native) {
  interop_use_t use;
  quern_result_t result = interop_call_use(handle, &use);
  if (result != quern_success) return result;
  if (out_native) {
    *out_native = place_of(use.call->queue);
  } else {
    result = interop_call_fail(
        &use, interop_fail(quern_error_invalid_argument, "null pointer for what was asked of the handle"));
  }
  interop_call_leave(&use);
  return result;
}

quern_result_t quern_handle_get_context(quern_handle_t handle, void **out_native) {
  return get_place(handle, context_of, out_native);
}

quern_result_t quern_handle_get_device(quern_handle_t handle, void **out_native) {
  return get_place(handle, device_of, out_native);
}

quern_result_t quern_handle_get_queue(quern_handle_t handle, void **out_native) {
  return get_place(handle, queue_of, out_native);
}

quern_result_t quern_handle_get_backend(quern_handle_t handle, quern_backend_t *out_backend) {
  interop_use_t use;
  quern_result_t result = interop_call_use(handle, &use);
  if (result != quern_success) return result;
  if (out_backend) {
    *out_backend = use.call->queue->context->state->id;
  } else {
    result = interop_call_fail(
        &use, interop_fail(quern_error_invalid_argument, "null pointer for the backend of the handle"));
  }
  interop_call_leave(&use);
  return result;
}

/* ------------------------------------------------------------ failures */

/* Messages are one line. */
static void set_line(const char *text) {
  char line[interop_message_capacity];
  size_t length = 0;
  for (; text[length] && length < sizeof(line) - 1; length++) {
    bool ends_line = text[length] == '\n' || text[length] == '\r';
    line[length] = ends_line ? ' ' : text[length];
  }
  line[length] = 0;
  interop_message_set("%s", line);
}

quern_result_t quern_handle_fail(quern_handle_t handle, quern_result_t result, const char *message) {
  interop_use_t use;
  quern_result_t used = interop_call_use(handle, &use);
  if (used != quern_success) return used;
  if (result == quern_success || (unsigned)result >= quern_result_total) {
    result = interop_fail(quern_error_invalid_argument, "%d is no failure", (int)result);
  } else {
    set_line(message ? message : quern_result_text(result));
  }
  interop_call_fail(&use, result);
  interop_call_leave(&use);
  return result;
}

/* ------------------------------------------------------------ accessors */

static quern_result_t find(const interop_node_t *node, const quern_accessor_t *accessor, const void *out,
                           const interop_requirement_t **out_requirement) {
  size_t index = interop_node_find_requirement(node, accessor);
  if (index == SIZE_MAX) {
    return interop_fail(quern_error_invalid_object, "the group does not require the accessor");
  }
  if (!out) return interop_fail(quern_error_invalid_argument, "null pointer for what was asked");
  *out_requirement = &node->requirements.items[index];
  return quern_success;
}

static quern_result_t mem_of(const interop_node_t *node, const quern_accessor_t *accessor, void **out_native) {
  const interop_requirement_t *requirement;
  if (node->action != interop_action_interop_task) {
    return interop_fail(quern_error_feature_not_supported, "only interop tasks have native memory");
  }
  quern_result_t result = find(node, accessor, (const void *)out_native, &requirement);
  if (result != quern_success) return result;
  if (interop_node_uses_on_host(node, requirement)) {
    return interop_fail(quern_error_feature_not_supported, "the accessor is for the host");
  }
  return interop_requirement_native(requirement, out_native);
}

static quern_result_t pointer_of(const interop_node_t *node, const quern_accessor_t *accessor, void **out_pointer) {
  const interop_requirement_t *requirement;
  quern_result_t result = find(node, accessor, (const void *)out_pointer, &requirement);
  if (result != quern_success) return result;
  if (node->action == interop_action_interop_task && !interop_node_uses_on_host(node, requirement)) {
    return interop_fail(quern_error_feature_not_supported, "this memory of an interop task is on the device");
  }
  *out_pointer = (char *)requirement->host + requirement->accessor.offset;
  return quern_success;
}

quern_result_t quern_handle_get_mem(quern_handle_t handle, quern_accessor_t accessor, void **out_native) {
  interop_use_t use;
  quern_result_t result = interop_call_use(handle, &use);
  if (result != quern_success) return result;
  result = mem_of(use.call->node, &accessor, out_native);
  if (result != quern_success) interop_call_fail(&use, result);
  interop_call_leave(&use);
  return result;
}

quern_result_t quern_handle_get_pointer(quern_handle_t handle, quern_accessor_t accessor, void **out_pointer) {
  interop_use_t use;
  quern_result_t result = interop_call_use(handle, &use);
  if (result != quern_success) return result;
  result = pointer_of(use.call->node, &accessor, out_pointer);
  if (result != quern_success) interop_call_fail(&use, result);
  interop_call_leave(&use);
  return result;
}
