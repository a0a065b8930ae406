/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Nodes as commands of a registered backend. */
#include <stdlib.h>
#include <string.h>

#include "interop/vendor/vendor.h"

static quern_result_t native_of(const interop_node_t *node, size_t index, void **out_native) {
  const interop_requirement_t *requirement = &node->requirements.items[index];
  return interop_copy_native(requirement->accessor.memory, requirement->copy, out_native, NULL);
}

static quern_result_t set_from(const interop_node_t *node, quern_vendor_command_t *command) {
  command->from_offset = node->requirements.items[node->from].accessor.offset;
  command->bytes = node->requirements.items[node->from].accessor.size;
  return native_of(node, node->from, &command->from);
}

static quern_result_t set_to(const interop_node_t *node, quern_vendor_command_t *command) {
  command->to_offset = node->requirements.items[node->to].accessor.offset;
  command->bytes = node->requirements.items[node->to].accessor.size;
  return native_of(node, node->to, &command->to);
}

/* ------------------------------------------------------------ kernels */

static quern_result_t set_argument(const interop_node_t *node, const interop_argument_t *argument,
                                   quern_vendor_argument_t *out) {
  const unsigned char *bytes = node->argument_bytes.items + argument->offset;
  *out = (quern_vendor_argument_t){.index = argument->index, .size = argument->size};
  if (argument->requirement != UINT32_MAX) {
    return interop_requirement_native(&node->requirements.items[argument->requirement], &out->buffer);
  }
  if (argument->offset == SIZE_MAX) return quern_success;
  if (argument->is_sampler) {
    memcpy((void *)&out->sampler, bytes, sizeof(void *));
  } else if (argument->is_pointer) {
    out->is_address = true;
    memcpy((void *)&out->address, bytes, sizeof(void *));
  } else {
    out->bytes = bytes;
  }
  return quern_success;
}

static size_t collect_indirect(const interop_node_t *node, void **out_addresses) {
  size_t count = 0;
  for (size_t i = 0; i < node->requirements.count; i++) {
    const struct quern_memory_s *memory = node->requirements.items[i].accessor.memory;
    if (memory->storage && memory->storage->context == node->context) out_addresses[count++] = memory->storage->bytes;
  }
  return count;
}

static quern_result_t enqueue_kernel(const vendor_t *vendor, const interop_node_t *node,
                                     quern_vendor_command_t *command, void **out_event) {
  quern_result_t result = quern_success;
  quern_vendor_argument_t *arguments = calloc(node->arguments.count + 1, sizeof(*arguments));
  void **indirect = calloc(node->requirements.count + 1, sizeof(void *));
  if (!arguments || !indirect) result = interop_fail_memory();
  for (size_t i = 0; i < node->arguments.count && result == quern_success; i++) {
    result = set_argument(node, &node->arguments.items[i], &arguments[i]);
  }
  if (result == quern_success) {
    command->action = quern_vendor_kernel;
    command->kernel = node->kernel->native;
    command->range = &node->range;
    command->argument_count = node->arguments.count;
    command->arguments = arguments;
    command->indirect_count = collect_indirect(node, indirect);
    command->indirect = indirect;
    result = VENDOR_CALL(vendor, enqueue, command, out_event);
  }
  free(arguments);
  free((void *)indirect);
  return result;
}

/* ------------------------------------------------------------ transfers */

static quern_result_t enqueue_transfer(const vendor_t *vendor, interop_node_t *node, quern_vendor_command_t *command,
                                       void **out_event) {
  void *native, *host;
  bool is_fresh;
  quern_result_t result = interop_memory_host(node->memory, &host);
  if (result == quern_success) result = interop_copy_native(node->memory, node->copy, &native, &is_fresh);
  if (result != quern_success) return result;
  /* Made of the host's storage just now, it has its contents. */
  if (is_fresh && node->direction == interop_from_host) return quern_success;
  /* The storage is the host's, and each side sees what the other wrote. */
  if (node->copy->is_shared) {
    atomic_fetch_add_explicit(&node->memory->map_total, 1, memory_order_relaxed);
    return VENDOR_CALL(vendor, enqueue, command, out_event);
  }
  bool reads = node->direction == interop_to_host;
  command->action = reads ? quern_vendor_read : quern_vendor_write;
  command->bytes = node->end - node->begin;
  if (reads) {
    command->from = native;
    command->from_offset = node->begin;
    command->host = (char *)host + node->begin;
  } else {
    command->to = native;
    command->to_offset = node->begin;
    command->source = (char *)host + node->begin;
  }
  atomic_fetch_add_explicit(&node->memory->copy_total, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&node->memory->copied_bytes, command->bytes, memory_order_relaxed);
  return VENDOR_CALL(vendor, enqueue, command, out_event);
}

/* ------------------------------------------------------------ all */

static quern_result_t set_addresses(const interop_node_t *node, quern_vendor_command_t *command) {
  command->to_address = node->host_memory;
  command->from_address = node->source_memory;
  command->bytes = node->usm_size;
  command->advice = node->advice;
  return quern_success;
}

static quern_result_t set_command(const interop_node_t *node, quern_vendor_command_t *command) {
  quern_result_t result;
  command->pattern = node->argument_bytes.items;
  command->pattern_size = node->argument_bytes.count;
  switch (node->action) {
    case interop_action_copy:
      command->action = quern_vendor_copy;
      result = set_from(node, command);
      return result == quern_success ? set_to(node, command) : result;
    case interop_action_read:
      command->action = quern_vendor_read;
      command->host = node->host_memory;
      return set_from(node, command);
    case interop_action_write:
      command->action = quern_vendor_write;
      command->source = node->source_memory;
      return set_to(node, command);
    case interop_action_fill: command->action = quern_vendor_fill; return set_to(node, command);
    case interop_action_usm_copy: command->action = quern_vendor_copy_addresses; return set_addresses(node, command);
    case interop_action_usm_fill: command->action = quern_vendor_fill_addresses; return set_addresses(node, command);
    case interop_action_prefetch: command->action = quern_vendor_prefetch; return set_addresses(node, command);
    case interop_action_advise: command->action = quern_vendor_advise; return set_addresses(node, command);
    default: return quern_success;
  }
}

quern_result_t vendor_dispatch(interop_node_t *node, quern_queue_t queue) {
  const vendor_t *vendor = vendor_of(queue->context->state);
  void *event = NULL;
  quern_vendor_command_t command = {.size = sizeof(command),
                                    .action = quern_vendor_marker,
                                    .queue = queue->native,
                                    .wait_count = node->waits.count,
                                    .waits = node->waits.items};
  quern_result_t result;
  if (node->action == interop_action_kernel) {
    result = enqueue_kernel(vendor, node, &command, &event);
  } else if (node->action == interop_action_transfer) {
    result = enqueue_transfer(vendor, node, &command, &event);
  } else {
    result = set_command(node, &command);
    if (result == quern_success) result = VENDOR_CALL(vendor, enqueue, &command, &event);
  }
  if (result == quern_success) node->native = event;
  return result;
}
