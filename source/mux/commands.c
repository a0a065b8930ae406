/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Commands on buffers. */
#include "mux/validate.h"

/* Patterns up to the size of the largest OpenCL vector. */
enum { max_pattern_size = 128 };

mux_result_t muxCommandReadBuffer(mux_command_buffer_t command_buffer, mux_buffer_t buffer, uint64_t offset,
                                  void *host_pointer, uint64_t size, MUX_SYNC_PARAMETERS) {
  MUX_REQUIRE_HANDLE(command_buffer, command_buffer);
  MUX_REQUIRE_PEER(buffer, buffer, command_buffer);
  MUX_REQUIRE(host_pointer, "host_pointer is null");
  MUX_REQUIRE(mux_range_is_inside(offset, size, buffer->memory_requirements.size), "the range leaves the buffer");
  MUX_REQUIRE_SYNC_POINTS(command_buffer);
  return mux_target_find(command_buffer->id)
      ->command_read_buffer(command_buffer, buffer, offset, host_pointer, size, MUX_SYNC_ARGUMENTS);
}

mux_result_t muxCommandWriteBuffer(mux_command_buffer_t command_buffer, mux_buffer_t buffer, uint64_t offset,
                                   const void *host_pointer, uint64_t size, MUX_SYNC_PARAMETERS) {
  MUX_REQUIRE_HANDLE(command_buffer, command_buffer);
  MUX_REQUIRE_PEER(buffer, buffer, command_buffer);
  MUX_REQUIRE(host_pointer, "host_pointer is null");
  MUX_REQUIRE(mux_range_is_inside(offset, size, buffer->memory_requirements.size), "the range leaves the buffer");
  MUX_REQUIRE_SYNC_POINTS(command_buffer);
  return mux_target_find(command_buffer->id)
      ->command_write_buffer(command_buffer, buffer, offset, host_pointer, size, MUX_SYNC_ARGUMENTS);
}

/* Host memory has no size that the layer knows: UINT64_MAX. */
static bool regions_are_valid(const mux_buffer_region_info_t *regions, uint64_t length, uint64_t src_size,
                              uint64_t dst_size) {
  if (!regions || !length) return false;
  for (uint64_t i = 0; i < length; i++) {
    if (!mux_region_is_valid(&regions[i], src_size, dst_size)) return false;
  }
  return true;
}

mux_result_t muxCommandReadBufferRegions(mux_command_buffer_t command_buffer, mux_buffer_t buffer, void *host_pointer,
                                         const mux_buffer_region_info_t *regions, uint64_t regions_length,
                                         MUX_SYNC_PARAMETERS) {
  MUX_REQUIRE_HANDLE(command_buffer, command_buffer);
  MUX_REQUIRE_PEER(buffer, buffer, command_buffer);
  MUX_REQUIRE(host_pointer, "host_pointer is null");
  MUX_REQUIRE(regions_are_valid(regions, regions_length, buffer->memory_requirements.size, UINT64_MAX),
              "there are no regions, or one is malformed or leaves the buffer");
  MUX_REQUIRE_SYNC_POINTS(command_buffer);
  return mux_target_find(command_buffer->id)
      ->command_read_buffer_regions(command_buffer, buffer, host_pointer, regions, regions_length, MUX_SYNC_ARGUMENTS);
}

mux_result_t muxCommandWriteBufferRegions(mux_command_buffer_t command_buffer, mux_buffer_t buffer,
                                          const void *host_pointer, const mux_buffer_region_info_t *regions,
                                          uint64_t regions_length, MUX_SYNC_PARAMETERS) {
  MUX_REQUIRE_HANDLE(command_buffer, command_buffer);
  MUX_REQUIRE_PEER(buffer, buffer, command_buffer);
  MUX_REQUIRE(host_pointer, "host_pointer is null");
  MUX_REQUIRE(regions_are_valid(regions, regions_length, UINT64_MAX, buffer->memory_requirements.size),
              "there are no regions, or one is malformed or leaves the buffer");
  MUX_REQUIRE_SYNC_POINTS(command_buffer);
  return mux_target_find(command_buffer->id)
      ->command_write_buffer_regions(command_buffer, buffer, host_pointer, regions, regions_length, MUX_SYNC_ARGUMENTS);
}

mux_result_t muxCommandCopyBuffer(mux_command_buffer_t command_buffer, mux_buffer_t src_buffer, uint64_t src_offset,
                                  mux_buffer_t dst_buffer, uint64_t dst_offset, uint64_t size, MUX_SYNC_PARAMETERS) {
  MUX_REQUIRE_HANDLE(command_buffer, command_buffer);
  MUX_REQUIRE_PEER(src_buffer, buffer, command_buffer);
  MUX_REQUIRE_PEER(dst_buffer, buffer, command_buffer);
  MUX_REQUIRE(mux_range_is_inside(src_offset, size, src_buffer->memory_requirements.size),
              "the source leaves its buffer");
  MUX_REQUIRE(mux_range_is_inside(dst_offset, size, dst_buffer->memory_requirements.size),
              "the destination leaves its buffer");
  MUX_REQUIRE(src_buffer != dst_buffer || src_offset + size <= dst_offset || dst_offset + size <= src_offset,
              "source and destination overlap");
  MUX_REQUIRE_SYNC_POINTS(command_buffer);
  return mux_target_find(command_buffer->id)
      ->command_copy_buffer(command_buffer, src_buffer, src_offset, dst_buffer, dst_offset, size, MUX_SYNC_ARGUMENTS);
}

static bool regions_overlap(const mux_buffer_region_info_t *regions, uint64_t length) {
  for (uint64_t i = 0; i < length; i++) {
    if (mux_region_overlaps(&regions[i])) return true;
  }
  return false;
}

mux_result_t muxCommandCopyBufferRegions(mux_command_buffer_t command_buffer, mux_buffer_t src_buffer,
                                         mux_buffer_t dst_buffer, const mux_buffer_region_info_t *regions,
                                         uint64_t regions_length, MUX_SYNC_PARAMETERS) {
  MUX_REQUIRE_HANDLE(command_buffer, command_buffer);
  MUX_REQUIRE_PEER(src_buffer, buffer, command_buffer);
  MUX_REQUIRE_PEER(dst_buffer, buffer, command_buffer);
  MUX_REQUIRE(regions_are_valid(regions, regions_length, src_buffer->memory_requirements.size,
                                dst_buffer->memory_requirements.size),
              "there are no regions, or one is malformed or leaves its buffer");
  MUX_REQUIRE(src_buffer != dst_buffer || !regions_overlap(regions, regions_length), "source and destination overlap");
  MUX_REQUIRE_SYNC_POINTS(command_buffer);
  return mux_target_find(command_buffer->id)
      ->command_copy_buffer_regions(command_buffer, src_buffer, dst_buffer, regions, regions_length,
                                    MUX_SYNC_ARGUMENTS);
}

mux_result_t muxCommandFillBuffer(mux_command_buffer_t command_buffer, mux_buffer_t buffer, uint64_t offset,
                                  uint64_t size, const void *pattern_pointer, uint64_t pattern_size,
                                  MUX_SYNC_PARAMETERS) {
  MUX_REQUIRE_HANDLE(command_buffer, command_buffer);
  MUX_REQUIRE_PEER(buffer, buffer, command_buffer);
  MUX_REQUIRE(mux_range_is_inside(offset, size, buffer->memory_requirements.size), "the range leaves the buffer");
  MUX_REQUIRE(pattern_pointer, "pattern_pointer is null");
  MUX_REQUIRE(pattern_size && pattern_size <= max_pattern_size, "pattern_size is not 1 to 128");
  MUX_REQUIRE(offset % pattern_size == 0 && size % pattern_size == 0, "pattern_size does not divide offset and size");
  MUX_REQUIRE_SYNC_POINTS(command_buffer);
  return mux_target_find(command_buffer->id)
      ->command_fill_buffer(command_buffer, buffer, offset, size, pattern_pointer, pattern_size, MUX_SYNC_ARGUMENTS);
}
