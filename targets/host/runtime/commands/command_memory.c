/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Memory commands. Buffers and host pointers are all addresses here, so that three commands become one. */
#include "host/runtime/commands/command_memory.h"

#include <stdalign.h>
#include <string.h>

#include "base/memory.h"
#include "host/runtime/commands/command_buffer.h"
#include "host/runtime/memory/memory.h"

static mux_result_t copy_record(mux_command_buffer_t handle, const char *source, char *destination, uint64_t size,
                                mux_sync_point_t *out_sync_point) {
  host_command_buffer_t *command_buffer = host_command_buffer(handle);
  if (!host_command_buffer_is(command_buffer, host_command_buffer_recording)) return mux_error_invalid_value;
  host_command_copy_t *command =
      host_command_allocate(command_buffer, sizeof *command, alignof(host_command_copy_t), 0);
  if (!command) return mux_error_out_of_memory;
  command->source = source;
  command->destination = destination;
  command->size = size;
  host_command_append(command_buffer, &command->head, host_command_kind_copy, out_sync_point);
  return mux_success;
}

mux_result_t host_copy_regions_record(mux_command_buffer_t handle, const char *source, char *destination,
                                      const mux_buffer_region_info_t *regions, uint64_t count,
                                      mux_sync_point_t *out_sync_point) {
  host_command_buffer_t *command_buffer = host_command_buffer(handle);
  size_t size;
  if (!host_command_buffer_is(command_buffer, host_command_buffer_recording)) return mux_error_invalid_value;
  if (!size_multiply(count, sizeof *regions, &size) || !size_add(size, sizeof(host_command_copy_regions_t), &size))
    return mux_error_out_of_memory;
  host_command_copy_regions_t *command =
      host_command_allocate(command_buffer, size, alignof(host_command_copy_regions_t), 0);
  if (!command) return mux_error_out_of_memory;
  command->source = source;
  command->destination = destination;
  command->count = count;
  memcpy(command->regions, regions, count * sizeof *regions);
  host_command_append(command_buffer, &command->head, host_command_kind_copy_regions, out_sync_point);
  return mux_success;
}

mux_result_t host_command_read_buffer(mux_command_buffer_t command_buffer, mux_buffer_t buffer, uint64_t offset,
                                      void *host_pointer, uint64_t size, MUX_SYNC_PARAMETERS) {
  (void)num_sync_points_in_wait_list, (void)sync_point_wait_list;
  const char *data = host_buffer(buffer)->data;
  if (!data) return mux_error_invalid_value;
  return copy_record(command_buffer, data + offset, host_pointer, size, out_sync_point);
}

mux_result_t host_command_write_buffer(mux_command_buffer_t command_buffer, mux_buffer_t buffer, uint64_t offset,
                                       const void *host_pointer, uint64_t size, MUX_SYNC_PARAMETERS) {
  (void)num_sync_points_in_wait_list, (void)sync_point_wait_list;
  char *data = host_buffer(buffer)->data;
  if (!data) return mux_error_invalid_value;
  return copy_record(command_buffer, host_pointer, data + offset, size, out_sync_point);
}

mux_result_t host_command_copy_buffer(mux_command_buffer_t command_buffer, mux_buffer_t src_buffer, uint64_t src_offset,
                                      mux_buffer_t dst_buffer, uint64_t dst_offset, uint64_t size,
                                      MUX_SYNC_PARAMETERS) {
  (void)num_sync_points_in_wait_list, (void)sync_point_wait_list;
  const char *source = host_buffer(src_buffer)->data;
  char *destination = host_buffer(dst_buffer)->data;
  if (!source || !destination) return mux_error_invalid_value;
  return copy_record(command_buffer, source + src_offset, destination + dst_offset, size, out_sync_point);
}

mux_result_t host_command_read_buffer_regions(mux_command_buffer_t command_buffer, mux_buffer_t buffer,
                                              void *host_pointer, const mux_buffer_region_info_t *regions,
                                              uint64_t regions_length, MUX_SYNC_PARAMETERS) {
  (void)num_sync_points_in_wait_list, (void)sync_point_wait_list;
  const char *data = host_buffer(buffer)->data;
  if (!data) return mux_error_invalid_value;
  return host_copy_regions_record(command_buffer, data, host_pointer, regions, regions_length, out_sync_point);
}

mux_result_t host_command_write_buffer_regions(mux_command_buffer_t command_buffer, mux_buffer_t buffer,
                                               const void *host_pointer, const mux_buffer_region_info_t *regions,
                                               uint64_t regions_length, MUX_SYNC_PARAMETERS) {
  (void)num_sync_points_in_wait_list, (void)sync_point_wait_list;
  char *data = host_buffer(buffer)->data;
  if (!data) return mux_error_invalid_value;
  return host_copy_regions_record(command_buffer, host_pointer, data, regions, regions_length, out_sync_point);
}

mux_result_t host_command_copy_buffer_regions(mux_command_buffer_t command_buffer, mux_buffer_t src_buffer,
                                              mux_buffer_t dst_buffer, const mux_buffer_region_info_t *regions,
                                              uint64_t regions_length, MUX_SYNC_PARAMETERS) {
  (void)num_sync_points_in_wait_list, (void)sync_point_wait_list;
  const char *source = host_buffer(src_buffer)->data;
  char *destination = host_buffer(dst_buffer)->data;
  if (!source || !destination) return mux_error_invalid_value;
  return host_copy_regions_record(command_buffer, source, destination, regions, regions_length, out_sync_point);
}

static mux_result_t fill_record(mux_command_buffer_t handle, char *destination, uint64_t size, const void *pattern,
                                uint64_t pattern_size, mux_sync_point_t *out_sync_point) {
  host_command_buffer_t *command_buffer = host_command_buffer(handle);
  if (!host_command_buffer_is(command_buffer, host_command_buffer_recording)) return mux_error_invalid_value;
  host_command_fill_t *command =
      host_command_allocate(command_buffer, sizeof *command + pattern_size, alignof(host_command_fill_t), 0);
  if (!command) return mux_error_out_of_memory;
  command->destination = destination;
  command->size = size;
  command->pattern_size = (uint32_t)pattern_size;
  memcpy(command->pattern, pattern, pattern_size);
  host_command_append(command_buffer, &command->head, host_command_kind_fill, out_sync_point);
  return mux_success;
}

mux_result_t host_command_fill_buffer(mux_command_buffer_t command_buffer, mux_buffer_t buffer, uint64_t offset,
                                      uint64_t size, const void *pattern_pointer, uint64_t pattern_size,
                                      MUX_SYNC_PARAMETERS) {
  (void)num_sync_points_in_wait_list, (void)sync_point_wait_list;
  char *data = host_buffer(buffer)->data;
  if (!data) return mux_error_invalid_value;
  return fill_record(command_buffer, data + offset, size, pattern_pointer, pattern_size, out_sync_point);
}

/* ---------------------------------------------------------------- pointers */

mux_result_t host_command_copy_pointer(mux_command_buffer_t command_buffer, void *destination, const void *source,
                                       uint64_t size, MUX_SYNC_PARAMETERS) {
  (void)num_sync_points_in_wait_list, (void)sync_point_wait_list;
  return copy_record(command_buffer, source, destination, size, out_sync_point);
}

mux_result_t host_command_fill_pointer(mux_command_buffer_t command_buffer, void *destination, uint64_t size,
                                       const void *pattern_pointer, uint64_t pattern_size, MUX_SYNC_PARAMETERS) {
  (void)num_sync_points_in_wait_list, (void)sync_point_wait_list;
  return fill_record(command_buffer, destination, size, pattern_pointer, pattern_size, out_sync_point);
}
