/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Command buffers: their states and the list of recorded commands. */
#ifndef HOST_RUNTIME_COMMANDS_COMMAND_BUFFER_H
#define HOST_RUNTIME_COMMANDS_COMMAND_BUFFER_H

#include <stdatomic.h>
#include <stdbool.h>

#include "host/runtime/commands/command.h"
#include "host/runtime/commands/command_arena.h"
#include "mux/mux.h"

typedef enum host_command_buffer_state_e {
  host_command_buffer_recording,
  host_command_buffer_finalized,
  host_command_buffer_dispatched,
} host_command_buffer_state_e;

/** Only `state` is read by several threads; all else belongs to the thread that records, and after the dispatch to the
 * one that executes. */
typedef struct host_command_buffer_t {
  struct mux_command_buffer_s base;
  /** host_command_buffer_state_e. */
  _Atomic uint32_t state;
  mux_callback_info_t callback_info;
  host_arena_t arena;
  host_command_t *first, *last;
  /** Queries begun and not ended. */
  struct host_command_query_t *open_queries;
  /** Counters that count, while it executes; the last one begun. */
  struct host_counting_t *counting;
  /** Geometry of the last ND-range, which the next one often shares. */
  const struct host_ndrange_t *last_ndrange;
  /** Commands by their number, made at the first update and null before. */
  host_command_t **index;
  /** What every command returns as its sync point: commands run in order, so that there is nothing to tell apart. */
  struct mux_sync_point_s sync_point;
} host_command_buffer_t;

static inline host_command_buffer_t *host_command_buffer(mux_command_buffer_t command_buffer) {
  return (host_command_buffer_t *)command_buffer;
}

/** Finalized to dispatched: true; false, unchanged, in any other state. Thread safe. */
bool host_command_buffer_dispatch_begin(host_command_buffer_t *command_buffer);
/** Dispatched to finalized. */
void host_command_buffer_dispatch_end(host_command_buffer_t *command_buffer);

static inline bool host_command_buffer_is(const host_command_buffer_t *command_buffer,
                                          host_command_buffer_state_e state) {
  return atomic_load_explicit(&command_buffer->state, memory_order_acquire) == (uint32_t)state;
}

/** Zeroed storage of a command, not yet part of the list; null when out of memory. The byte `offset` of it is aligned
 * to `alignment`. */
void *host_command_allocate(host_command_buffer_t *command_buffer, size_t size, size_t alignment, size_t offset);

/** Appends a command, whose members are set, and gives the sync point when wanted. */
void host_command_append(host_command_buffer_t *command_buffer, host_command_t *command, host_command_kind_e kind,
                         mux_sync_point_t *out_sync_point);

/** The command of that number; null when there is none, or (`*out_of_memory` set) no memory to look. */
host_command_t *host_command_find(host_command_buffer_t *command_buffer, mux_command_id_t id, bool *out_of_memory);

/* Operations of mux_target_t. */
mux_result_t host_create_command_buffer(mux_device_t device, mux_callback_info_t callback_info,
                                        mux_allocator_info_t allocator, mux_command_buffer_t *out_command_buffer);
void host_destroy_command_buffer(mux_device_t device, mux_command_buffer_t command_buffer,
                                 mux_allocator_info_t allocator);
mux_result_t host_finalize_command_buffer(mux_command_buffer_t command_buffer);
mux_result_t host_reset_command_buffer(mux_command_buffer_t command_buffer);
mux_result_t host_clone_command_buffer(mux_device_t device, mux_allocator_info_t allocator,
                                       mux_command_buffer_t command_buffer, mux_command_buffer_t *out_command_buffer);

#endif
