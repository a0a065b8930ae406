/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Query pools of the null target: durations only. */
#include "null/null.h"

mux_result_t null_create_query_pool(mux_queue_t queue, mux_query_type_e query_type, uint32_t query_count,
                                    const mux_query_counter_config_t *counter_configs, mux_allocator_info_t allocator,
                                    mux_query_pool_t *out_query_pool) {
  (void)counter_configs; /* Durations have none. */
  const size_t size = sizeof(null_query_pool_t) + (size_t)query_count * sizeof(struct mux_query_duration_result_s);
  null_query_pool_t *pool = mux_object_allocate(allocator, size, _Alignof(null_query_pool_t));
  if (!pool) return mux_error_out_of_memory;
  pool->base.id = mux_id_make(mux_object_id_query_pool, mux_id_target(queue->id));
  pool->base.type = query_type;
  pool->base.count = query_count;
  *out_query_pool = &pool->base;
  return mux_success;
}

void null_destroy_query_pool(mux_queue_t queue, mux_query_pool_t query_pool, mux_allocator_info_t allocator) {
  (void)queue;
  mux_object_free(allocator, query_pool);
}

mux_result_t null_get_query_pool_results(mux_queue_t queue, mux_query_pool_t query_pool, uint32_t query_index,
                                         uint32_t query_count, size_t size, void *data, size_t stride) {
  (void)size;
  null_device_t *device = (null_device_t *)queue->device;
  const null_query_pool_t *pool = (null_query_pool_t *)query_pool;
  pthread_mutex_lock(&device->lock);
  for (uint32_t i = 0; i < query_count; i++)
    memcpy((uint8_t *)data + i * stride, &pool->results[query_index + i], sizeof(pool->results[0]));
  pthread_mutex_unlock(&device->lock);
  return mux_success;
}

static mux_result_t record_query(null_kind_e kind, mux_command_buffer_t command_buffer, mux_query_pool_t pool,
                                 uint32_t index, uint32_t count, MUX_SYNC_PARAMETERS) {
  null_command_t *command;
  const mux_result_t result = null_record(command_buffer, 1, MUX_SYNC_ARGUMENTS, &command);
  if (result) return result;
  command->kind = kind;
  command->query.pool = (null_query_pool_t *)pool;
  command->query.index = index;
  command->query.count = count;
  command->query.is_open = kind == null_kind_begin_query;
  return mux_success;
}

/* The command that began a query on one of these slots and was not ended yet. */
static null_command_t *find_open(mux_command_buffer_t command_buffer, mux_query_pool_t pool, uint32_t index,
                                 uint32_t count) {
  const null_command_buffer_t *buffer = (null_command_buffer_t *)command_buffer;
  for (size_t i = 0; i < buffer->length; i++) {
    null_command_t *command = &buffer->commands[i];
    if (command->kind != null_kind_begin_query || !command->query.is_open) continue;
    if (&command->query.pool->base != pool) continue;
    if (index < command->query.index + command->query.count && command->query.index < index + count) return command;
  }
  return NULL;
}

mux_result_t null_command_begin_query(mux_command_buffer_t command_buffer, mux_query_pool_t query_pool,
                                      uint32_t query_index, uint32_t query_count, MUX_SYNC_PARAMETERS) {
  if (find_open(command_buffer, query_pool, query_index, query_count)) return mux_error_invalid_value;
  return record_query(null_kind_begin_query, command_buffer, query_pool, query_index, query_count, MUX_SYNC_ARGUMENTS);
}

mux_result_t null_command_end_query(mux_command_buffer_t command_buffer, mux_query_pool_t query_pool,
                                    uint32_t query_index, uint32_t query_count, MUX_SYNC_PARAMETERS) {
  const null_command_t *open = find_open(command_buffer, query_pool, query_index, query_count);
  if (!open || open->query.index != query_index || open->query.count != query_count) return mux_error_invalid_value;
  const size_t position = (size_t)(open - ((null_command_buffer_t *)command_buffer)->commands);
  const mux_result_t result =
      record_query(null_kind_end_query, command_buffer, query_pool, query_index, query_count, MUX_SYNC_ARGUMENTS);
  if (!result) ((null_command_buffer_t *)command_buffer)->commands[position].query.is_open = false;
  return result;
}

mux_result_t null_command_reset_query_pool(mux_command_buffer_t command_buffer, mux_query_pool_t query_pool,
                                           uint32_t query_index, uint32_t query_count, MUX_SYNC_PARAMETERS) {
  return record_query(null_kind_reset_query, command_buffer, query_pool, query_index, query_count, MUX_SYNC_ARGUMENTS);
}
