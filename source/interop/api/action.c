/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Setting a command group's action, with all that can be checked before it runs. */
#include <stdlib.h>
#include <string.h>

#include "interop/api/group.h"

/* Whether the group may get an action that may have arguments. */
static quern_result_t check_no_action(quern_group_t group, interop_node_t **out_node) {
  quern_result_t result = interop_group_check(group);
  if (result != quern_success) return result;
  interop_node_t *node = interop_group_node(group);
  if (node->action != interop_action_none) {
    return interop_fail(quern_error_invalid_operation, "the group has an action already");
  }
  *out_node = node;
  return quern_success;
}

quern_result_t interop_group_check_action(quern_group_t group, interop_node_t **out_node) {
  quern_result_t result = check_no_action(group, out_node);
  if (result != quern_success || !(*out_node)->arguments.count) return result;
  return interop_fail(quern_error_invalid_operation, "the group has arguments, which only kernels have");
}

/* The accessor's index, with an access that the action is allowed. */
static quern_result_t check_accessor(const interop_node_t *node, const quern_accessor_t *accessor, bool is_written,
                                     size_t *out_index) {
  size_t index = interop_node_find_requirement(node, accessor);
  if (index == SIZE_MAX) return interop_fail(quern_error_invalid_argument, "the group does not require the accessor");
  if (accessor->target == quern_target_host) {
    return interop_fail(quern_error_invalid_argument, "the accessor is for the host: only tasks use it");
  }
  quern_access_t access = node->requirements.items[index].accessor.access;
  if (is_written ? !interop_access_writes(access) : !interop_access_reads(access)) {
    return interop_fail(quern_error_invalid_argument, "the accessor is not for %s", is_written ? "writing" : "reading");
  }
  *out_index = index;
  return quern_success;
}

/* ------------------------------------------------------------ kernels */

static quern_result_t check_range(const quern_range_t *range) {
  if (!range) return interop_fail(quern_error_invalid_argument, "null pointer for the range");
  if (range->dimensions < 1 || range->dimensions > 3) {
    return interop_fail(quern_error_invalid_argument, "a range of %u dimensions", range->dimensions);
  }
  return quern_success;
}

/* Dimensions that are not used have one point. */
static quern_range_t complete_range(const quern_range_t *range) {
  quern_range_t complete = *range;
  for (uint32_t i = range->dimensions; i < 3; i++) {
    complete.offset[i] = 0;
    complete.global[i] = complete.local[i] = 1;
  }
  return complete;
}

static quern_result_t check_kernel(const interop_node_t *node, const struct quern_kernel_s *kernel) {
  if (interop_context_is_host(node->context)) {
    return interop_fail(quern_error_feature_not_supported, "the host backend has no kernels but host kernels");
  }
  if (kernel->context != node->context || (node->fallback && node->fallback->context != kernel->context)) {
    return interop_fail(quern_error_wrong_context, "the kernel is of another context than the queue");
  }
  return quern_success;
}

quern_result_t quern_group_set_kernel(quern_group_t group, quern_kernel_t kernel, const quern_range_t *range) {
  interop_node_t *node;
  quern_result_t result = check_no_action(group, &node);
  if (result == quern_success) result = interop_kernel_check(kernel);
  if (result == quern_success) result = check_range(range);
  if (result == quern_success) result = check_kernel(node, kernel);
  if (result != quern_success) return result;
  interop_object_hold(&kernel->object);
  node->kernel = kernel;
  node->range = complete_range(range);
  node->action = interop_action_kernel;
  return quern_success;
}

static quern_result_t check_argument(quern_group_t group, interop_node_t **out_node) {
  quern_result_t result = interop_group_check(group);
  if (result != quern_success) return result;
  *out_node = interop_group_node(group);
  /* They may come before the kernel. */
  if ((*out_node)->action == interop_action_kernel || (*out_node)->action == interop_action_none) return quern_success;
  return interop_fail(quern_error_invalid_operation, "only kernels have arguments");
}

static quern_result_t add_argument(interop_node_t *node, const interop_argument_t *argument, const void *bytes) {
  size_t size = bytes ? argument->size : 0;
  if (!INTEROP_ARRAY_RESERVE(&node->arguments, 1) || !INTEROP_ARRAY_RESERVE(&node->argument_bytes, size)) {
    return interop_fail_memory();
  }
  node->arguments.items[node->arguments.count] = *argument;
  node->arguments.items[node->arguments.count++].offset = bytes ? node->argument_bytes.count : SIZE_MAX;
  if (size) memcpy(node->argument_bytes.items + node->argument_bytes.count, bytes, size);
  node->argument_bytes.count += size;
  return quern_success;
}

quern_result_t quern_group_set_argument(quern_group_t group, uint32_t index, size_t size, const void *value) {
  interop_node_t *node;
  quern_result_t result = check_argument(group, &node);
  if (result != quern_success) return result;
  if (!size) return interop_fail(quern_error_invalid_argument, "an argument of no bytes");
  const interop_argument_t argument = {.index = index, .requirement = UINT32_MAX, .size = size};
  return add_argument(node, &argument, value);
}

quern_result_t quern_group_set_argument_accessor(quern_group_t group, uint32_t index, quern_accessor_t accessor) {
  interop_node_t *node;
  quern_result_t result = check_argument(group, &node);
  if (result != quern_success) return result;
  size_t requirement = interop_node_find_requirement(node, &accessor);
  if (requirement == SIZE_MAX) {
    return interop_fail(quern_error_invalid_argument, "the group does not require the accessor");
  }
  if (accessor.target == quern_target_host) {
    return interop_fail(quern_error_invalid_argument, "the accessor is for the host: only tasks use it");
  }
  const interop_argument_t argument = {.index = index, .requirement = (uint32_t)requirement};
  return add_argument(node, &argument, NULL);
}

quern_result_t quern_group_set_argument_pointer(quern_group_t group, uint32_t index, const void *pointer) {
  interop_node_t *node;
  quern_result_t result = check_argument(group, &node);
  if (result != quern_success) return result;
  const interop_argument_t argument = {
      .index = index, .requirement = UINT32_MAX, .is_pointer = true, .size = sizeof(pointer)};
  return add_argument(node, &argument, (const void *)&pointer);
}

/* Its value is the native object. */
quern_result_t quern_group_set_argument_sampler(quern_group_t group, uint32_t index, quern_sampler_t sampler) {
  interop_node_t *node;
  quern_result_t result = check_argument(group, &node);
  if (result == quern_success) result = interop_sampler_check(sampler);
  if (result != quern_success) return result;
  if (sampler->context != node->context) {
    return interop_fail(quern_error_wrong_context, "the sampler is of another context than the queue");
  }
  if (!INTEROP_ARRAY_RESERVE(&node->samplers, 1)) return interop_fail_memory();
  const interop_argument_t argument = {
      .index = index, .requirement = UINT32_MAX, .is_sampler = true, .size = sizeof(sampler->native)};
  result = add_argument(node, &argument, (const void *)&sampler->native);
  if (result != quern_success) return result;
  interop_object_hold(&sampler->object);
  node->samplers.items[node->samplers.count++] = sampler;
  return quern_success;
}

quern_result_t quern_group_set_host_kernel(quern_group_t group, quern_host_kernel_t function, void *data,
                                           const quern_range_t *range) {
  interop_node_t *node;
  quern_result_t result = interop_group_check_action(group, &node);
  if (result == quern_success) result = check_range(range);
  if (result != quern_success) return result;
  if (!function) return interop_fail(quern_error_invalid_argument, "null pointer for the host kernel");
  bool is_for_host =
      interop_context_is_host(node->context) && (!node->fallback || interop_context_is_host(node->fallback->context));
  if (!is_for_host) {
    return interop_fail(quern_error_feature_not_supported, "host kernels run on queues of the host backend");
  }
  node->function.host_kernel = function;
  node->data = data;
  node->range = complete_range(range);
  node->action = interop_action_host_kernel;
  return quern_success;
}

/* ------------------------------------------------------------ memory */

static bool has_equal_layout(const struct quern_memory_s *one, const struct quern_memory_s *other) {
  const quern_image_layout_t *a = &one->layout, *b = &other->layout;
  if (one->is_image != other->is_image) return false;
  return !one->is_image ||
         (a->dimensions == b->dimensions && a->width == b->width && a->height == b->height && a->depth == b->depth &&
          a->channel_order == b->channel_order && a->channel_type == b->channel_type);
}

static quern_result_t check_copy(const quern_accessor_t *from, const quern_accessor_t *to) {
  if (from->size != to->size || !has_equal_layout(from->memory, to->memory)) {
    return interop_fail(quern_error_invalid_argument, "a copy needs equal sizes and layouts, not %zu and %zu bytes",
                        from->size, to->size);
  }
  bool overlaps =
      from->memory == to->memory && from->offset < to->offset + to->size && to->offset < from->offset + from->size;
  return overlaps ? interop_fail(quern_error_invalid_argument, "a copy of overlapping ranges") : quern_success;
}

quern_result_t quern_group_set_copy(quern_group_t group, quern_accessor_t from, quern_accessor_t to) {
  interop_node_t *node;
  size_t from_index, to_index;
  quern_result_t result = interop_group_check_action(group, &node);
  if (result == quern_success) result = check_accessor(node, &from, false, &from_index);
  if (result == quern_success) result = check_accessor(node, &to, true, &to_index);
  if (result == quern_success) {
    result = check_copy(&node->requirements.items[from_index].accessor, &node->requirements.items[to_index].accessor);
  }
  if (result != quern_success) return result;
  node->from = from_index;
  node->to = to_index;
  node->action = interop_action_copy;
  return quern_success;
}

quern_result_t quern_group_set_read(quern_group_t group, quern_accessor_t from, void *to) {
  interop_node_t *node;
  size_t index;
  quern_result_t result = interop_group_check_action(group, &node);
  if (result == quern_success) result = check_accessor(node, &from, false, &index);
  if (result != quern_success) return result;
  if (!to) return interop_fail(quern_error_invalid_argument, "null pointer for the memory");
  node->from = index;
  node->host_memory = to;
  node->action = interop_action_read;
  return quern_success;
}

quern_result_t quern_group_set_write(quern_group_t group, const void *from, quern_accessor_t to) {
  interop_node_t *node;
  size_t index;
  quern_result_t result = interop_group_check_action(group, &node);
  if (result == quern_success) result = check_accessor(node, &to, true, &index);
  if (result != quern_success) return result;
  if (!from) return interop_fail(quern_error_invalid_argument, "null pointer for the memory");
  node->to = index;
  node->source_memory = from;
  node->action = interop_action_write;
  return quern_success;
}

quern_result_t interop_group_keep_pattern(interop_node_t *node, const void *pattern, size_t pattern_size,
                                          uintptr_t begin, size_t size) {
  if (!pattern) return interop_fail(quern_error_invalid_argument, "null pointer for the pattern");
  bool is_power = pattern_size && !(pattern_size & (pattern_size - 1));
  if (!is_power || pattern_size > interop_pattern_capacity || begin % pattern_size || size % pattern_size) {
    return interop_fail(quern_error_invalid_argument, "a pattern of %zu bytes for %zu bytes at %zu", pattern_size, size,
                        (size_t)begin);
  }
  if (!INTEROP_ARRAY_RESERVE(&node->argument_bytes, pattern_size)) return interop_fail_memory();
  memcpy(node->argument_bytes.items, pattern, pattern_size);
  node->argument_bytes.count = pattern_size;
  return quern_success;
}

static quern_result_t keep_pattern(interop_node_t *node, const quern_accessor_t *accessor, const void *pattern,
                                   size_t pattern_size) {
  if (accessor->memory->is_image) return interop_fail(quern_error_invalid_argument, "images are not filled");
  return interop_group_keep_pattern(node, pattern, pattern_size, accessor->offset, accessor->size);
}

quern_result_t quern_group_set_fill(quern_group_t group, quern_accessor_t accessor, const void *pattern,
                                    size_t pattern_size) {
  interop_node_t *node;
  size_t index;
  quern_result_t result = interop_group_check_action(group, &node);
  if (result == quern_success) result = check_accessor(node, &accessor, true, &index);
  if (result == quern_success) {
    result = keep_pattern(node, &node->requirements.items[index].accessor, pattern, pattern_size);
  }
  if (result != quern_success) return result;
  node->to = index;
  node->action = interop_action_fill;
  return quern_success;
}

quern_result_t quern_group_set_update_host(quern_group_t group, quern_accessor_t accessor) {
  interop_node_t *node;
  size_t index;
  quern_result_t result = interop_group_check_action(group, &node);
  if (result == quern_success) result = check_accessor(node, &accessor, false, &index);
  if (result != quern_success) return result;
  const struct quern_memory_s *memory = interop_memory_whole(accessor.memory);
  if (memory->bound) {
    return interop_fail(quern_error_invalid_argument, "the memory object is bound to a context");
  }
  if (!memory->user_memory) {
    return interop_fail(quern_error_invalid_argument, "the memory object has no host memory of its user");
  }
  node->from = index;
  node->action = interop_action_update_host;
  return quern_success;
}

/* ------------------------------------------------------------ tasks */

static quern_result_t set_task(quern_group_t group, quern_task_t function, void *data, interop_action_t action) {
  interop_node_t *node;
  quern_result_t result = interop_group_check_action(group, &node);
  if (result != quern_success) return result;
  if (!function) return interop_fail(quern_error_invalid_argument, "null pointer for the task");
  node->function.task = function;
  node->data = data;
  node->action = action;
  return quern_success;
}

quern_result_t quern_group_set_host_task(quern_group_t group, quern_task_t function, void *data) {
  return set_task(group, function, data, interop_action_host_task);
}

quern_result_t quern_group_set_interop_task(quern_group_t group, quern_task_t function, void *data) {
  return set_task(group, function, data, interop_action_interop_task);
}
