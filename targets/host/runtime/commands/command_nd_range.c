/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Recording a launch: geometry, arguments and memory needs are all decided here, so that executing it is a call. */
#include "host/runtime/commands/command_nd_range.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "host/runtime/commands/args.h"
#include "host/runtime/commands/kernel.h"
#include "host/runtime/device.h"

/* Argument blocks up to this size are updated in a copy on the stack. */
#define SMALL_BLOCK 1024u

/* ---------------------------------------------------------------- geometry */

static void ndrange_fill(host_ndrange_t *ndrange, const host_kernel_info_t *info, const mux_ndrange_options_t *options,
                         mux_device_t device) {
  *ndrange =
      (host_ndrange_t){.work_dim = (uint32_t)options->dimensions, .streaming_mib = host_device(device)->streaming_mib};
  for (size_t i = 0; i < 3; ++i) {
    bool used = i < options->dimensions;
    ndrange->global_size[i] = used ? options->global_size[i] : 1;
    ndrange->global_offset[i] = used && options->global_offset ? options->global_offset[i] : 0;
    ndrange->local_size[i] = options->local_size[i];
    ndrange->num_groups[i] = ndrange->global_size[i] / ndrange->local_size[i];
    if (ndrange->global_size[i] % ndrange->local_size[i]) ++ndrange->num_groups[i];
  }
  if (info->groups_follow_lanes) ndrange->group_dimension = host_kernel_lane_dimension(info, options->local_size);
}

static bool groups_count(const host_ndrange_t *ndrange, uint64_t *groups) {
  return !__builtin_mul_overflow(ndrange->num_groups[0], ndrange->num_groups[1], groups) &&
         !__builtin_mul_overflow(*groups, ndrange->num_groups[2], groups);
}

static bool local_size_fits(const host_kernel_info_t *info, const host_ndrange_t *ndrange) {
  if (!info->reqd_local_size[0]) return true;
  for (int i = 0; i < 3; ++i)
    if (info->reqd_local_size[i] != ndrange->local_size[i]) return false;
  return true;
}

static bool scratch_count(const host_kernel_info_t *info, const host_ndrange_t *ndrange, uint64_t *size) {
  uint64_t items = ndrange->local_size[0] * ndrange->local_size[1] * ndrange->local_size[2];
  return !__builtin_mul_overflow(info->scratch_per_item, items, size) &&
         !__builtin_add_overflow(info->scratch_fixed, *size, size);
}

/* The geometry in the command buffer's memory: that of the launch before when it is the same. */
static const host_ndrange_t *ndrange_keep(host_command_buffer_t *command_buffer, const host_ndrange_t *ndrange) {
  const host_ndrange_t *last = command_buffer->last_ndrange;
  if (last && !memcmp(last, ndrange, sizeof *last)) return last;
  host_ndrange_t *kept = host_arena_allocate(&command_buffer->arena, sizeof *kept, alignof(host_ndrange_t), 0);
  if (!kept) return NULL;
  *kept = *ndrange;
  command_buffer->last_ndrange = kept;
  return kept;
}

/* ---------------------------------------------------------------- recording */

/* Bytes of the array of extents; 0 where arguments have none. */
static size_t extents_size(const host_kernel_info_t *info) {
  return host_args_have_extents(info) ? info->arg_count * sizeof(host_arg_extent_t) : 0;
}

static host_command_nd_range_t *command_new(host_command_buffer_t *command_buffer, const host_kernel_info_t *info) {
  host_command_nd_range_t *command =
      host_command_allocate(command_buffer, sizeof *command + info->args_size, HOST_LOCAL_ALIGNMENT, sizeof *command);
  if (!command || !host_args_have_extents(info)) return command;
  command->extents = host_command_allocate(command_buffer, extents_size(info), alignof(host_arg_extent_t), 0);
  return command->extents ? command : NULL;
}

static mux_result_t args_fill(host_command_nd_range_t *command, const host_kernel_info_t *info,
                              const mux_ndrange_options_t *options, uint64_t local_limit) {
  char *block = host_command_args(command);
  if (options->descriptors_length != info->arg_count) return mux_error_invalid_value;
  for (uint32_t i = 0; i < info->arg_count; ++i) {
    mux_result_t result = host_arg_pack(info, i, &options->descriptors[i], block, command->extents);
    if (result) return result;
  }
  command->head.has_distinct_buffers = host_args_are_distinct(info, command->extents);
  return host_args_place_locals(info, command->extents, local_limit, block, &command->local_size);
}

mux_result_t host_command_nd_range(mux_command_buffer_t handle, mux_kernel_t kernel, mux_ndrange_options_t options,
                                   MUX_SYNC_PARAMETERS) {
  (void)num_sync_points_in_wait_list, (void)sync_point_wait_list;
  host_command_buffer_t *command_buffer = host_command_buffer(handle);
  const host_kernel_info_t *info = host_kernel(kernel)->info;
  host_ndrange_t ndrange;
  if (!host_command_buffer_is(command_buffer, host_command_buffer_recording)) return mux_error_invalid_value;
  ndrange_fill(&ndrange, info, &options, handle->device);
  if (!local_size_fits(info, &ndrange)) return mux_error_invalid_value;
  host_command_nd_range_t *command = command_new(command_buffer, info);
  if (!command) return mux_error_out_of_memory;
  if (!groups_count(&ndrange, &command->groups)) return mux_error_invalid_value;
  if (!scratch_count(info, &ndrange, &command->scratch_size)) return mux_error_out_of_memory;
  mux_result_t result = args_fill(command, info, &options, handle->device->info->shared_local_memory_size);
  if (result) return result;
  command->kernel = host_kernel(kernel);
  command->ndrange = ndrange_keep(command_buffer, &ndrange);
  if (!command->ndrange) return mux_error_out_of_memory;
  host_command_append(command_buffer, &command->head, host_command_kind_nd_range, out_sync_point);
  return mux_success;
}

host_command_t *host_command_nd_range_clone(host_command_buffer_t *clone, const host_command_nd_range_t *command) {
  const host_kernel_info_t *info = command->kernel->info;
  host_command_nd_range_t *copy = command_new(clone, info);
  if (!copy) return NULL;
  host_arg_extent_t *extents = copy->extents;
  memcpy(copy, command, sizeof *copy + info->args_size);
  copy->extents = extents;
  if (extents) memcpy(extents, command->extents, extents_size(info));
  copy->ndrange = ndrange_keep(clone, command->ndrange);
  return copy->ndrange ? &copy->head : NULL;
}

/* ---------------------------------------------------------------- updating */

/* Arguments being replaced: a copy of the block, followed by one of the extents. */
typedef struct update_t {
  char *block;
  host_arg_extent_t *extents;
  uint64_t local_size;
  bool has_distinct_buffers;
} update_t;

static mux_result_t update_apply(update_t *update, const host_kernel_info_t *info, uint64_t num_args,
                                 const uint64_t *arg_indices, const mux_descriptor_info_t *descriptors,
                                 uint64_t local_limit) {
  for (uint64_t i = 0; i < num_args; ++i) {
    if (arg_indices[i] >= info->arg_count) return mux_error_invalid_value;
    mux_result_t result =
        host_arg_pack(info, (uint32_t)arg_indices[i], &descriptors[i], update->block, update->extents);
    if (result) return result;
  }
  update->has_distinct_buffers = host_args_are_distinct(info, update->extents);
  return host_args_place_locals(info, update->extents, local_limit, update->block, &update->local_size);
}

static void update_begin(update_t *update, host_command_nd_range_t *command) {
  const host_kernel_info_t *info = command->kernel->info;
  memcpy(update->block, host_command_args(command), info->args_size);
  if (!command->extents) return;
  update->extents = (host_arg_extent_t *)(void *)(update->block + info->args_size);
  memcpy(update->extents, command->extents, extents_size(info));
}

static void update_commit(const update_t *update, host_command_nd_range_t *command) {
  const host_kernel_info_t *info = command->kernel->info;
  memcpy(host_command_args(command), update->block, info->args_size);
  if (command->extents) memcpy(command->extents, update->extents, extents_size(info));
  command->local_size = update->local_size;
  command->head.has_distinct_buffers = update->has_distinct_buffers;
}

mux_result_t host_update_descriptors(mux_command_buffer_t handle, mux_command_id_t command_id, uint64_t num_args,
                                     const uint64_t *arg_indices, const mux_descriptor_info_t *descriptors) {
  host_command_buffer_t *command_buffer = host_command_buffer(handle);
  alignas(16) char small[SMALL_BLOCK];
  bool out_of_memory;
  if (!host_command_buffer_is(command_buffer, host_command_buffer_finalized)) return mux_error_invalid_value;
  host_command_nd_range_t *command =
      (host_command_nd_range_t *)host_command_find(command_buffer, command_id, &out_of_memory);
  if (!command) return out_of_memory ? mux_error_out_of_memory : mux_error_invalid_value;
  if (command->head.kind != host_command_kind_nd_range) return mux_error_invalid_value;
  const host_kernel_info_t *info = command->kernel->info;
  size_t size = info->args_size + extents_size(info);
  update_t update = {.block = size <= sizeof small ? small : malloc(size)};
  if (!update.block) return mux_error_out_of_memory;
  update_begin(&update, command);
  mux_result_t result =
      update_apply(&update, info, num_args, arg_indices, descriptors, handle->device->info->shared_local_memory_size);
  if (!result) update_commit(&update, command);
  if (update.block != small) free(update.block);
  return result;
}
