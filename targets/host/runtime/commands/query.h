/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Query pools (durations, counters) and the commands around them and around user callbacks. */
#ifndef HOST_RUNTIME_COMMANDS_QUERY_H
#define HOST_RUNTIME_COMMANDS_QUERY_H

#include <stdalign.h>

#include "host/runtime/commands/command.h"
#include "host/runtime/machine/counter.h"

/** Followed by its slots: a result for each duration, or a host_counting_t for each counter. They are written by the
 * threads that execute, and read after the work is complete. */
typedef struct host_query_pool_t {
  struct mux_query_pool_s base;
  alignas(16) char slots[];
} host_query_pool_t;

static inline host_query_pool_t *host_query_pool(mux_query_pool_t pool) { return (host_query_pool_t *)pool; }

/** Of the pool's type. */
static inline struct mux_query_duration_result_s *host_query_pool_durations(host_query_pool_t *pool) {
  return (struct mux_query_duration_result_s *)(void *)pool->slots;
}
static inline host_counting_t *host_query_pool_counters(host_query_pool_t *pool) {
  return (host_counting_t *)(void *)pool->slots;
}

/** Executes a command for queries; `active`: the slots that count on this command buffer. */
void host_query_execute(const host_command_query_t *command, host_counting_t **active);

/* Operations of mux_target_t. */
mux_result_t host_create_query_pool(mux_queue_t queue, mux_query_type_e query_type, uint32_t query_count,
                                    const mux_query_counter_config_t *counter_configs, mux_allocator_info_t allocator,
                                    mux_query_pool_t *out_query_pool);
void host_destroy_query_pool(mux_queue_t queue, mux_query_pool_t query_pool, mux_allocator_info_t allocator);
mux_result_t host_get_query_pool_results(mux_queue_t queue, mux_query_pool_t query_pool, uint32_t query_index,
                                         uint32_t query_count, size_t size, void *data, size_t stride);
mux_result_t host_command_user_callback(mux_command_buffer_t command_buffer, mux_command_user_callback_t user_function,
                                        void *user_data, MUX_SYNC_PARAMETERS);
mux_result_t host_command_begin_query(mux_command_buffer_t command_buffer, mux_query_pool_t query_pool,
                                      uint32_t query_index, uint32_t query_count, MUX_SYNC_PARAMETERS);
mux_result_t host_command_end_query(mux_command_buffer_t command_buffer, mux_query_pool_t query_pool,
                                    uint32_t query_index, uint32_t query_count, MUX_SYNC_PARAMETERS);
mux_result_t host_command_reset_query_pool(mux_command_buffer_t command_buffer, mux_query_pool_t query_pool,
                                           uint32_t query_index, uint32_t query_count, MUX_SYNC_PARAMETERS);

#endif
