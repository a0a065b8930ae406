/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Running actions on the host: tasks for any queue, everything for queues of the host backend. */
#include <string.h>

#include "interop/execution/worker.h"

/* ------------------------------------------------------------ functions of the application */

static quern_result_t call_task(interop_node_t *node, quern_queue_t queue, interop_task_t kind) {
  interop_call_t call;
  const quern_handle_t handle = interop_call_begin(&call, kind, node, queue);
  return interop_call_end(&call, node->function.task(handle, node->data));
}

static quern_result_t call_kernel(interop_node_t *node, quern_queue_t queue) {
  interop_call_t call;
  const quern_range_t *range = &node->range;
  const quern_handle_t handle = interop_call_begin(&call, interop_task_host, node, queue);
  size_t point[3];
  for (size_t z = 0; z < range->global[2]; z++) {
    for (size_t y = 0; y < range->global[1]; y++) {
      for (size_t x = 0; x < range->global[0]; x++) {
        point[0] = range->offset[0] + x;
        point[1] = range->offset[1] + y;
        point[2] = range->offset[2] + z;
        node->function.host_kernel(handle, point, node->data);
      }
    }
  }
  return interop_call_end(&call, quern_success);
}

/* ------------------------------------------------------------ actions of the host backend */

static char *address(const interop_node_t *node, size_t index) {
  const interop_requirement_t *requirement = &node->requirements.items[index];
  return (char *)requirement->host + requirement->accessor.offset;
}

static size_t size_of(const interop_node_t *node, size_t index) {
  return node->requirements.items[index].accessor.size;
}

static void fill(const interop_node_t *node, char *to, size_t size) {
  const unsigned char *pattern = node->argument_bytes.items;
  size_t pattern_size = node->argument_bytes.count;
  for (size_t done = 0; done < size; done += pattern_size) memcpy(to + done, pattern, pattern_size);
}

/* ------------------------------------------------------------ all */

/* The memory objects are there and current; only those that nobody used yet are still to be made. */
static quern_result_t open(interop_node_t *node, interop_requirement_t *requirement) {
  void *native;
  if (requirement->accessor.memory->is_addressed) return quern_success;
  bool on_host = node->action != interop_action_interop_task || interop_node_uses_on_host(node, requirement);
  if (on_host) return interop_host_open(requirement);
  return interop_requirement_native(requirement, &native);
}

static quern_result_t run_opened(interop_node_t *node, quern_queue_t queue) {
  switch (node->action) {
    case interop_action_interop_task: return call_task(node, queue, interop_task_interop);
    case interop_action_host_task: return call_task(node, queue, interop_task_host);
    case interop_action_host_kernel: return call_kernel(node, queue);
    case interop_action_copy:
      memcpy(address(node, node->to), address(node, node->from), size_of(node, node->to));
      break;
    case interop_action_read: memcpy(node->host_memory, address(node, node->from), size_of(node, node->from)); break;
    case interop_action_write: memcpy(address(node, node->to), node->source_memory, size_of(node, node->to)); break;
    case interop_action_fill: fill(node, address(node, node->to), size_of(node, node->to)); break;
    case interop_action_usm_copy: memcpy(node->host_memory, node->source_memory, node->usm_size); break;
    case interop_action_usm_fill: fill(node, node->host_memory, node->usm_size); break;
    default: break;
  }
  return quern_success;
}

/* What was said of a failure stays the message, whatever closing says. */
static quern_result_t close(interop_node_t *node, size_t opened, quern_result_t result) {
  for (size_t i = 0; i < opened; i++) {
    char message[interop_message_capacity];
    memcpy(message, quern_last_error_message(), sizeof(message));
    quern_result_t closed = interop_host_close(&node->requirements.items[i]);
    if (result == quern_success) {
      result = closed;
    } else {
      interop_message_set("%s", message);
    }
  }
  return result;
}

quern_result_t interop_host_run(interop_node_t *node, quern_queue_t queue) {
  size_t opened = 0;
  quern_result_t result = quern_success;
  if (node->action == interop_action_interop_task && interop_context_is_host(queue->context)) {
    return interop_fail(quern_error_feature_not_supported, "the host backend has no interop tasks");
  }
  while (result == quern_success && opened < node->requirements.count) {
    result = open(node, &node->requirements.items[opened++]);
  }
  if (result == quern_success) result = run_opened(node, queue);
  return close(node, opened, result);
}
