/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Commands on memory of the process, for devices that share it. */
#include "mux/validate.h"

/* Patterns up to the size of the largest OpenCL vector. */
enum { max_pattern_size = 128 };

static bool is_range(const void *pointer, uint64_t size) {
  return pointer && size && size <= UINTPTR_MAX - (uintptr_t)pointer;
}

static bool ranges_overlap(const void *a, const void *b, uint64_t size) {
  const uintptr_t first = (uintptr_t)a, second = (uintptr_t)b;
  return first < second ? second - first < size : first - second < size;
}

mux_result_t muxCommandCopyPointer(mux_command_buffer_t command_buffer, void *destination, const void *source,
                                   uint64_t size, MUX_SYNC_PARAMETERS) {
  MUX_REQUIRE_HANDLE(command_buffer, command_buffer);
  const mux_target_t *target = mux_target_find(command_buffer->id);
  MUX_REQUIRE_FEATURE(command_buffer->device->info->shares_host_memory && target->command_copy_pointer,
                      "the device does not share the host's memory");
  MUX_REQUIRE(is_range(destination, size) && is_range(source, size), "a range is null, empty or too large");
  MUX_REQUIRE(!ranges_overlap(destination, source, size), "source and destination overlap");
  MUX_REQUIRE_SYNC_POINTS(command_buffer);
  return target->command_copy_pointer(command_buffer, destination, source, size, MUX_SYNC_ARGUMENTS);
}

mux_result_t muxCommandFillPointer(mux_command_buffer_t command_buffer, void *destination, uint64_t size,
                                   const void *pattern_pointer, uint64_t pattern_size, MUX_SYNC_PARAMETERS) {
  MUX_REQUIRE_HANDLE(command_buffer, command_buffer);
  const mux_target_t *target = mux_target_find(command_buffer->id);
  MUX_REQUIRE_FEATURE(command_buffer->device->info->shares_host_memory && target->command_fill_pointer,
                      "the device does not share the host's memory");
  MUX_REQUIRE(is_range(destination, size), "the range is null, empty or too large");
  MUX_REQUIRE(pattern_pointer, "pattern_pointer is null");
  MUX_REQUIRE(pattern_size && pattern_size <= max_pattern_size, "pattern_size is not 1 to 128");
  MUX_REQUIRE(size % pattern_size == 0, "pattern_size does not divide size");
  MUX_REQUIRE_SYNC_POINTS(command_buffer);
  return target->command_fill_pointer(command_buffer, destination, size, pattern_pointer, pattern_size,
                                      MUX_SYNC_ARGUMENTS);
}
