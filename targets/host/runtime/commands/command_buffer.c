/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Creating, finalizing, resetting and cloning command buffers. */
#include "host/runtime/commands/command_buffer.h"

#include <stdalign.h>

#include "host/runtime/commands/command_nd_range.h"
#include "mux/target.h"

static host_command_buffer_t *command_buffer_new(mux_device_t device, mux_callback_info_t callback_info,
                                                 mux_allocator_info_t allocator) {
  host_command_buffer_t *command_buffer =
      mux_object_allocate(allocator, sizeof *command_buffer, alignof(host_command_buffer_t));
  if (!command_buffer) return NULL;
  command_buffer->base.id = mux_id_make(mux_object_id_command_buffer, mux_id_target(device->id));
  command_buffer->base.device = device;
  command_buffer->callback_info = callback_info;
  command_buffer->sync_point.id = mux_id_make(mux_object_id_sync_point, mux_id_target(device->id));
  command_buffer->sync_point.command_buffer = &command_buffer->base;
  host_arena_init(&command_buffer->arena, allocator);
  return command_buffer;
}

mux_result_t host_create_command_buffer(mux_device_t device, mux_callback_info_t callback_info,
                                        mux_allocator_info_t allocator, mux_command_buffer_t *out_command_buffer) {
  host_command_buffer_t *command_buffer = command_buffer_new(device, callback_info, allocator);
  if (!command_buffer) return mux_error_out_of_memory;
  *out_command_buffer = &command_buffer->base;
  return mux_success;
}

void host_destroy_command_buffer(mux_device_t device, mux_command_buffer_t handle, mux_allocator_info_t allocator) {
  (void)device;
  host_command_buffer_t *command_buffer = host_command_buffer(handle);
  host_arena_destroy(&command_buffer->arena);
  mux_object_free(allocator, command_buffer);
}

/* ---------------------------------------------------------------- states */

bool host_command_buffer_dispatch_begin(host_command_buffer_t *command_buffer) {
  uint32_t expected = host_command_buffer_finalized;
  return atomic_compare_exchange_strong_explicit(&command_buffer->state, &expected, host_command_buffer_dispatched,
                                                 memory_order_acq_rel, memory_order_relaxed);
}

void host_command_buffer_dispatch_end(host_command_buffer_t *command_buffer) {
  atomic_store_explicit(&command_buffer->state, host_command_buffer_finalized, memory_order_release);
}

mux_result_t host_finalize_command_buffer(mux_command_buffer_t handle) {
  host_command_buffer_t *command_buffer = host_command_buffer(handle);
  if (!host_command_buffer_is(command_buffer, host_command_buffer_recording)) return mux_error_invalid_value;
  if (command_buffer->open_queries) return mux_error_invalid_value;
  atomic_store_explicit(&command_buffer->state, host_command_buffer_finalized, memory_order_release);
  return mux_success;
}

mux_result_t host_reset_command_buffer(mux_command_buffer_t handle) {
  host_command_buffer_t *command_buffer = host_command_buffer(handle);
  if (host_command_buffer_is(command_buffer, host_command_buffer_dispatched)) return mux_error_invalid_value;
  host_arena_reset(&command_buffer->arena);
  command_buffer->first = command_buffer->last = NULL;
  command_buffer->base.command_count = 0;
  command_buffer->open_queries = NULL;
  command_buffer->last_ndrange = NULL;
  command_buffer->index = NULL;
  atomic_store_explicit(&command_buffer->state, host_command_buffer_recording, memory_order_release);
  return mux_success;
}

/* ---------------------------------------------------------------- commands */

void *host_command_allocate(host_command_buffer_t *command_buffer, size_t size, size_t alignment, size_t offset) {
  void *command = host_arena_allocate(&command_buffer->arena, size, alignment, offset);
  return command ? memset(command, 0, size) : NULL;
}

void host_command_append(host_command_buffer_t *command_buffer, host_command_t *command, host_command_kind_e kind,
                         mux_sync_point_t *out_sync_point) {
  command->kind = kind;
  command->next = NULL;
  if (command_buffer->last)
    command_buffer->last->next = command;
  else
    command_buffer->first = command;
  command_buffer->last = command;
  ++command_buffer->base.command_count;
  if (out_sync_point) *out_sync_point = &command_buffer->sync_point;
}

host_command_t *host_command_find(host_command_buffer_t *command_buffer, mux_command_id_t id, bool *out_of_memory) {
  *out_of_memory = false;
  if (id >= command_buffer->base.command_count) return NULL;
  if (!command_buffer->index) {
    size_t size = command_buffer->base.command_count * sizeof(host_command_t *);
    host_command_t **index = host_arena_allocate(&command_buffer->arena, size, alignof(host_command_t *), 0);
    *out_of_memory = !index;
    if (!index) return NULL;
    command_buffer->index = index;
    for (host_command_t *command = command_buffer->first; command; command = command->next) *index++ = command;
  }
  return command_buffer->index[id];
}

/* ---------------------------------------------------------------- cloning */

static size_t command_size(const host_command_t *command) {
  switch (command->kind) {
    case host_command_kind_copy: return sizeof(host_command_copy_t);
    case host_command_kind_copy_regions:
      return sizeof(host_command_copy_regions_t) +
             ((const host_command_copy_regions_t *)command)->count * sizeof(mux_buffer_region_info_t);
    case host_command_kind_fill:
      return sizeof(host_command_fill_t) + ((const host_command_fill_t *)command)->pattern_size;
    case host_command_kind_fill_box: return sizeof(host_command_fill_box_t);
    case host_command_kind_user_callback: return sizeof(host_command_user_callback_t);
    case host_command_kind_nd_range: break;
    case host_command_kind_begin_query:
    case host_command_kind_end_query:
    case host_command_kind_reset_queries: return sizeof(host_command_query_t);
  }
  return 0;
}

static host_command_t *command_clone(host_command_buffer_t *clone, const host_command_t *command) {
  if (command->kind == host_command_kind_nd_range)
    return host_command_nd_range_clone(clone, (const host_command_nd_range_t *)command);
  size_t size = command_size(command);
  void *copy = host_command_allocate(clone, size, alignof(max_align_t), 0);
  return copy ? memcpy(copy, command, size) : NULL;
}

static bool commands_clone(host_command_buffer_t *clone, const host_command_buffer_t *source) {
  for (const host_command_t *command = source->first; command; command = command->next) {
    host_command_t *copy = command_clone(clone, command);
    if (!copy) return false;
    host_command_append(clone, copy, command->kind, NULL);
  }
  return true;
}

mux_result_t host_clone_command_buffer(mux_device_t device, mux_allocator_info_t allocator,
                                       mux_command_buffer_t command_buffer, mux_command_buffer_t *out_command_buffer) {
  host_command_buffer_t *source = host_command_buffer(command_buffer);
  if (!host_command_buffer_is(source, host_command_buffer_finalized)) return mux_error_invalid_value;
  host_command_buffer_t *clone = command_buffer_new(device, source->callback_info, allocator);
  if (!clone) return mux_error_out_of_memory;
  if (!commands_clone(clone, source)) {
    host_destroy_command_buffer(device, &clone->base, allocator);
    return mux_error_out_of_memory;
  }
  atomic_store_explicit(&clone->state, host_command_buffer_finalized, memory_order_release);
  *out_command_buffer = &clone->base;
  return mux_success;
}
