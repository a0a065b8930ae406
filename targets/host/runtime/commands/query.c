/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Durations are read from the clock between two commands; counters are those of counter.h. */
#include "host/runtime/commands/query.h"

#include <stdalign.h>
#include <string.h>

#include "base/clock.h"
#include "host/runtime/commands/command_buffer.h"
#include "mux/target.h"

static bool counters_set(host_counting_t *slots, uint32_t count, const mux_query_counter_config_t *configs) {
  for (uint32_t i = 0; i < count; ++i) {
    slots[i].counter = host_counter_find(configs[i].uuid);
    if (!slots[i].counter) return false;
  }
  return true;
}

mux_result_t host_create_query_pool(mux_queue_t queue, mux_query_type_e query_type, uint32_t query_count,
                                    const mux_query_counter_config_t *counter_configs, mux_allocator_info_t allocator,
                                    mux_query_pool_t *out_query_pool) {
  bool counts = query_type == mux_query_type_counter;
  size_t slot_size = counts ? sizeof(host_counting_t) : sizeof(struct mux_query_duration_result_s);
  host_query_pool_t *pool =
      mux_object_allocate(allocator, sizeof *pool + query_count * slot_size, alignof(host_query_pool_t));
  if (!pool) return mux_error_out_of_memory;
  if (counts && !counters_set(host_query_pool_counters(pool), query_count, counter_configs)) {
    mux_object_free(allocator, pool);
    return mux_error_invalid_value;
  }
  pool->base.id = mux_id_make(mux_object_id_query_pool, mux_id_target(queue->id));
  pool->base.type = query_type;
  pool->base.count = query_count;
  *out_query_pool = &pool->base;
  return mux_success;
}

void host_destroy_query_pool(mux_queue_t queue, mux_query_pool_t query_pool, mux_allocator_info_t allocator) {
  (void)queue;
  mux_object_free(allocator, query_pool);
}

static void result_copy(host_query_pool_t *pool, uint32_t slot, void *out_result) {
  if (pool->base.type == mux_query_type_duration) {
    memcpy(out_result, &host_query_pool_durations(pool)[slot], sizeof(struct mux_query_duration_result_s));
    return;
  }
  const struct mux_query_counter_result_s result = {
      .uint64 = atomic_load_explicit(&host_query_pool_counters(pool)[slot].value, memory_order_relaxed)};
  memcpy(out_result, &result, sizeof result);
}

mux_result_t host_get_query_pool_results(mux_queue_t queue, mux_query_pool_t query_pool, uint32_t query_index,
                                         uint32_t query_count, size_t size, void *data, size_t stride) {
  (void)queue, (void)size;
  host_query_pool_t *pool = host_query_pool(query_pool);
  for (uint32_t i = 0; i < query_count; ++i) result_copy(pool, query_index + i, (char *)data + i * stride);
  return mux_success;
}

mux_result_t host_command_user_callback(mux_command_buffer_t handle, mux_command_user_callback_t user_function,
                                        void *user_data, MUX_SYNC_PARAMETERS) {
  (void)num_sync_points_in_wait_list, (void)sync_point_wait_list;
  host_command_buffer_t *command_buffer = host_command_buffer(handle);
  if (!host_command_buffer_is(command_buffer, host_command_buffer_recording)) return mux_error_invalid_value;
  host_command_user_callback_t *command =
      host_command_allocate(command_buffer, sizeof *command, alignof(host_command_user_callback_t), 0);
  if (!command) return mux_error_out_of_memory;
  command->function = user_function;
  command->user_data = user_data;
  host_command_append(command_buffer, &command->head, host_command_kind_user_callback, out_sync_point);
  return mux_success;
}

static host_command_query_t *query_record(host_command_buffer_t *command_buffer, host_command_kind_e kind,
                                          mux_query_pool_t pool, uint32_t index, uint32_t count,
                                          mux_sync_point_t *out_sync_point) {
  host_command_query_t *command =
      host_command_allocate(command_buffer, sizeof *command, alignof(host_command_query_t), 0);
  if (!command) return NULL;
  command->pool = host_query_pool(pool);
  command->index = index;
  command->count = count;
  host_command_append(command_buffer, &command->head, kind, out_sync_point);
  return command;
}

static bool slots_are_open(const host_command_buffer_t *command_buffer, mux_query_pool_t pool, uint32_t index,
                           uint32_t count) {
  for (const host_command_query_t *open = command_buffer->open_queries; open; open = open->outer)
    if (&open->pool->base == pool && index < open->index + open->count && open->index < index + count) return true;
  return false;
}

mux_result_t host_command_begin_query(mux_command_buffer_t handle, mux_query_pool_t query_pool, uint32_t query_index,
                                      uint32_t query_count, MUX_SYNC_PARAMETERS) {
  (void)num_sync_points_in_wait_list, (void)sync_point_wait_list;
  host_command_buffer_t *command_buffer = host_command_buffer(handle);
  if (!host_command_buffer_is(command_buffer, host_command_buffer_recording)) return mux_error_invalid_value;
  if (slots_are_open(command_buffer, query_pool, query_index, query_count)) return mux_error_invalid_value;
  host_command_query_t *command =
      query_record(command_buffer, host_command_kind_begin_query, query_pool, query_index, query_count, out_sync_point);
  if (!command) return mux_error_out_of_memory;
  command->outer = command_buffer->open_queries;
  command_buffer->open_queries = command;
  return mux_success;
}

/* The place that points at the open query of these slots; null when there is none. */
static host_command_query_t **open_query_find(host_command_buffer_t *command_buffer, mux_query_pool_t pool,
                                              uint32_t index, uint32_t count) {
  for (host_command_query_t **at = &command_buffer->open_queries; *at; at = &(*at)->outer)
    if (&(*at)->pool->base == pool && (*at)->index == index && (*at)->count == count) return at;
  return NULL;
}

mux_result_t host_command_end_query(mux_command_buffer_t handle, mux_query_pool_t query_pool, uint32_t query_index,
                                    uint32_t query_count, MUX_SYNC_PARAMETERS) {
  (void)num_sync_points_in_wait_list, (void)sync_point_wait_list;
  host_command_buffer_t *command_buffer = host_command_buffer(handle);
  if (!host_command_buffer_is(command_buffer, host_command_buffer_recording)) return mux_error_invalid_value;
  host_command_query_t **open = open_query_find(command_buffer, query_pool, query_index, query_count);
  if (!open) return mux_error_invalid_value;
  if (!query_record(command_buffer, host_command_kind_end_query, query_pool, query_index, query_count, out_sync_point))
    return mux_error_out_of_memory;
  *open = (*open)->outer;
  return mux_success;
}

mux_result_t host_command_reset_query_pool(mux_command_buffer_t handle, mux_query_pool_t query_pool,
                                           uint32_t query_index, uint32_t query_count, MUX_SYNC_PARAMETERS) {
  (void)num_sync_points_in_wait_list, (void)sync_point_wait_list;
  host_command_buffer_t *command_buffer = host_command_buffer(handle);
  if (!host_command_buffer_is(command_buffer, host_command_buffer_recording)) return mux_error_invalid_value;
  bool recorded = query_record(command_buffer, host_command_kind_reset_queries, query_pool, query_index, query_count,
                               out_sync_point);
  return recorded ? mux_success : mux_error_out_of_memory;
}

/* ---------------------------------------------------------------- execution */

static void durations_execute(const host_command_query_t *command) {
  struct mux_query_duration_result_s *results = host_query_pool_durations(command->pool) + command->index;
  uint64_t now = command->head.kind == host_command_kind_reset_queries ? 0 : clock_now_ns();
  for (uint32_t i = 0; i < command->count; ++i) {
    if (command->head.kind != host_command_kind_end_query) results[i].start = now;
    if (command->head.kind != host_command_kind_begin_query) results[i].end = now;
  }
}

static void counters_execute(const host_command_query_t *command, host_counting_t **active) {
  host_counting_t *slots = host_query_pool_counters(command->pool) + command->index;
  for (uint32_t i = 0; i < command->count; ++i) {
    switch (command->head.kind) {
      case host_command_kind_begin_query: host_counting_start(active, &slots[i]); break;
      case host_command_kind_end_query: host_counting_stop(active, &slots[i]); break;
      default: atomic_store_explicit(&slots[i].value, 0, memory_order_relaxed); break;
    }
  }
}

void host_query_execute(const host_command_query_t *command, host_counting_t **active) {
  if (command->pool->base.type == mux_query_type_duration)
    durations_execute(command);
  else
    counters_execute(command, active);
}
