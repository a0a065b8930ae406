/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Query pools, and the commands that fill them; user callbacks. */
#include "mux/validate.h"

mux_result_t muxGetSupportedQueryCounters(mux_device_t device, mux_queue_type_e queue_type, uint32_t count,
                                          mux_query_counter_t *out_counters,
                                          mux_query_counter_description_t *out_descriptions, uint32_t *out_count) {
  MUX_REQUIRE_HANDLE(device, device);
  MUX_REQUIRE((uint32_t)queue_type < mux_queue_type_total, "queue_type is unknown");
  const mux_target_t *target = mux_target_find(device->id);
  MUX_REQUIRE_FEATURE(device->info->query_counter_support && target->get_supported_query_counters,
                      "the device has no counters");
  MUX_REQUIRE(count || !(out_counters || out_descriptions), "an array has count 0");
  if (count || !out_count) {
    MUX_REQUIRE_OR(out_counters || out_descriptions, mux_error_null_out_parameter, "there is no array");
  }
  return target->get_supported_query_counters(device, queue_type, count, out_counters, out_descriptions, out_count);
}

mux_result_t muxCreateQueryPool(mux_queue_t queue, mux_query_type_e query_type, uint32_t query_count,
                                const mux_query_counter_config_t *counter_configs, mux_allocator_info_t allocator,
                                mux_query_pool_t *out_query_pool) {
  MUX_REQUIRE_HANDLE(queue, queue);
  MUX_REQUIRE(query_type == mux_query_type_duration || query_type == mux_query_type_counter, "query_type is unknown");
  const bool counts = query_type == mux_query_type_counter;
  const mux_target_t *target = mux_target_find(queue->id);
  MUX_REQUIRE_FEATURE(target->create_query_pool && (!counts || queue->device->info->query_counter_support),
                      "the device has no such queries");
  MUX_REQUIRE(query_count, "query_count is 0");
  MUX_REQUIRE(counts == (counter_configs != NULL), "counter_configs does not fit query_type");
  MUX_REQUIRE_ALLOCATOR(allocator);
  MUX_REQUIRE_OUTPUT(out_query_pool);
  return target->create_query_pool(queue, query_type, query_count, counter_configs, allocator, out_query_pool);
}

void muxDestroyQueryPool(mux_queue_t queue, mux_query_pool_t query_pool, mux_allocator_info_t allocator) {
  MUX_REQUIRE_DESTROYABLE(queue, queue, query_pool, query_pool, allocator);
  mux_target_find(queue->id)->destroy_query_pool(queue, query_pool, allocator);
}

mux_result_t muxGetQueryCounterRequiredPasses(mux_queue_t queue, uint32_t query_count,
                                              const mux_query_counter_config_t *counter_configs,
                                              uint32_t *out_pass_count) {
  MUX_REQUIRE_HANDLE(queue, queue);
  const mux_target_t *target = mux_target_find(queue->id);
  MUX_REQUIRE_FEATURE(queue->device->info->query_counter_support && target->get_query_counter_required_passes,
                      "the device has no counters");
  MUX_REQUIRE(query_count && counter_configs, "there are no counters");
  MUX_REQUIRE_OUTPUT(out_pass_count);
  return target->get_query_counter_required_passes(queue, query_count, counter_configs, out_pass_count);
}

static size_t find_result_size(mux_query_type_e type) {
  return type == mux_query_type_duration ? sizeof(struct mux_query_duration_result_s)
                                         : sizeof(struct mux_query_counter_result_s);
}

static bool results_fit(mux_query_type_e type, uint32_t count, size_t size, size_t stride) {
  const size_t result_size = find_result_size(type);
  size_t last, end;
  return stride >= result_size && size_multiply((size_t)count - 1, stride, &last) &&
         size_add(last, result_size, &end) && end <= size;
}

mux_result_t muxGetQueryPoolResults(mux_queue_t queue, mux_query_pool_t query_pool, uint32_t query_index,
                                    uint32_t query_count, size_t size, void *data, size_t stride) {
  MUX_REQUIRE_HANDLE(queue, queue);
  const mux_target_t *target = mux_target_find(queue->id);
  MUX_REQUIRE_FEATURE(target->get_query_pool_results, "the device has no query pools");
  MUX_REQUIRE_PEER(query_pool, query_pool, queue);
  MUX_REQUIRE(mux_range_is_inside(query_index, query_count, query_pool->count), "the slots leave the pool");
  MUX_REQUIRE(results_fit(query_pool->type, query_count, size, stride), "stride or size is too small");
  MUX_REQUIRE_OUTPUT(data);
  return target->get_query_pool_results(queue, query_pool, query_index, query_count, size, data, stride);
}

static mux_result_t check_slots(const char *function, mux_command_buffer_t command_buffer, mux_query_pool_t pool,
                                uint32_t index, uint32_t count) {
  if (!mux_handle_is(command_buffer, mux_object_id_command_buffer))
    return mux_refuse(function, mux_error_invalid_value, "command_buffer is no valid command_buffer");
  if (!mux_target_find(command_buffer->id)->create_query_pool)
    return mux_refuse(function, mux_error_feature_unsupported, "the device has no query pools");
  if (!mux_handle_is_peer(pool, mux_object_id_query_pool, command_buffer->id))
    return mux_refuse(function, mux_error_invalid_value, "query_pool is no valid query_pool");
  if (!mux_range_is_inside(index, count, pool->count))
    return mux_refuse(function, mux_error_invalid_value, "the slots leave the pool");
  return mux_success;
}

mux_result_t muxCommandBeginQuery(mux_command_buffer_t command_buffer, mux_query_pool_t query_pool,
                                  uint32_t query_index, uint32_t query_count, MUX_SYNC_PARAMETERS) {
  const mux_result_t result = check_slots(__func__, command_buffer, query_pool, query_index, query_count);
  if (result) return result;
  MUX_REQUIRE_SYNC_POINTS(command_buffer);
  return mux_target_find(command_buffer->id)
      ->command_begin_query(command_buffer, query_pool, query_index, query_count, MUX_SYNC_ARGUMENTS);
}

mux_result_t muxCommandEndQuery(mux_command_buffer_t command_buffer, mux_query_pool_t query_pool, uint32_t query_index,
                                uint32_t query_count, MUX_SYNC_PARAMETERS) {
  const mux_result_t result = check_slots(__func__, command_buffer, query_pool, query_index, query_count);
  if (result) return result;
  MUX_REQUIRE_SYNC_POINTS(command_buffer);
  return mux_target_find(command_buffer->id)
      ->command_end_query(command_buffer, query_pool, query_index, query_count, MUX_SYNC_ARGUMENTS);
}

mux_result_t muxCommandResetQueryPool(mux_command_buffer_t command_buffer, mux_query_pool_t query_pool,
                                      uint32_t query_index, uint32_t query_count, MUX_SYNC_PARAMETERS) {
  const mux_result_t result = check_slots(__func__, command_buffer, query_pool, query_index, query_count);
  if (result) return result;
  MUX_REQUIRE_SYNC_POINTS(command_buffer);
  return mux_target_find(command_buffer->id)
      ->command_reset_query_pool(command_buffer, query_pool, query_index, query_count, MUX_SYNC_ARGUMENTS);
}

mux_result_t muxCommandUserCallback(mux_command_buffer_t command_buffer, mux_command_user_callback_t user_function,
                                    void *user_data, MUX_SYNC_PARAMETERS) {
  MUX_REQUIRE_HANDLE(command_buffer, command_buffer);
  MUX_REQUIRE(user_function, "user_function is null");
  MUX_REQUIRE_SYNC_POINTS(command_buffer);
  return mux_target_find(command_buffer->id)
      ->command_user_callback(command_buffer, user_function, user_data, MUX_SYNC_ARGUMENTS);
}
