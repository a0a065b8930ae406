/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Execution of one command buffer, on the calling thread. */
#include "base/clock.h"
#include "null/null.h"

static void copy_box(const null_command_t *command) {
  const mux_extent_2d_t src_pitch = command->copy.src.pitch, dst_pitch = command->copy.dst.pitch;
  const mux_extent_3d_t extent = command->copy.extent;
  for (size_t z = 0; z < extent.z; z++) {
    for (size_t y = 0; y < extent.y; y++) {
      const uint8_t *src = command->copy.src.bytes + y * src_pitch.x + z * src_pitch.y;
      memmove(command->copy.dst.bytes + y * dst_pitch.x + z * dst_pitch.y, src, extent.x);
    }
  }
}

static void fill_row(uint8_t *row, size_t size, const uint8_t *pattern, size_t pattern_size) {
  for (size_t i = 0; i < size; i += pattern_size) memcpy(row + i, pattern, pattern_size);
}

static void fill_box(const null_command_t *command) {
  const mux_extent_2d_t pitch = command->fill.dst.pitch;
  const mux_extent_3d_t extent = command->fill.extent;
  for (size_t z = 0; z < extent.z; z++) {
    for (size_t y = 0; y < extent.y; y++)
      fill_row(command->fill.dst.bytes + y * pitch.x + z * pitch.y, extent.x, command->fill.pattern,
               command->fill.pattern_size);
  }
}

/* A write out of bounds fails the command, as a fault does on a real device. */
static const char *copy_id(const null_command_t *command) {
  if (command->copy_id.work_items > command->copy_id.room / sizeof(uint64_t)) return "copy_id writes beyond its buffer";
  for (uint64_t i = 0; i < command->copy_id.work_items; i++) {
    const uint64_t value = command->copy_id.first + i;
    memcpy(command->copy_id.out + i * sizeof(value), &value, sizeof(value));
  }
  return NULL;
}

static void set_results(mux_queue_t queue, const null_command_t *command) {
  null_device_t *device = (null_device_t *)queue->device;
  const uint64_t now = clock_now_ns();
  pthread_mutex_lock(&device->lock);
  for (uint32_t i = 0; i < command->query.count; i++) {
    struct mux_query_duration_result_s *result = &command->query.pool->results[command->query.index + i];
    if (command->kind == null_kind_begin_query) *result = (struct mux_query_duration_result_s){.start = now};
    if (command->kind == null_kind_end_query) result->end = now;
    if (command->kind == null_kind_reset_query) *result = (struct mux_query_duration_result_s){0};
  }
  pthread_mutex_unlock(&device->lock);
}

/* Null, or why the command failed. */
static const char *execute(mux_queue_t queue, null_command_buffer_t *buffer, const null_command_t *command) {
  switch (command->kind) {
    case null_kind_copy: copy_box(command); return NULL;
    case null_kind_fill: fill_box(command); return NULL;
    case null_kind_copy_id: return copy_id(command);
    case null_kind_callback: command->callback.function(queue, &buffer->base, command->callback.user_data); return NULL;
    case null_kind_begin_query:
    case null_kind_end_query:
    case null_kind_reset_query: set_results(queue, command); return NULL;
  }
  return "an unknown command";
}

mux_result_t null_command_buffer_execute(mux_queue_t queue, null_command_buffer_t *buffer) {
  for (size_t i = 0; i < buffer->length; i++) {
    const char *reason = execute(queue, buffer, &buffer->commands[i]);
    if (!reason) continue;
    const mux_callback_info_t info = buffer->callback_info;
    if (info) info->callback(info->user_data, reason, NULL, 0);
    buffer->base.completed_count = buffer->commands[i].id;
    return mux_error_failure;
  }
  buffer->base.completed_count = buffer->base.command_count;
  return mux_success;
}
