/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Copies and fills at the speed of the C library's. */
#include "host/runtime/commands/copy.h"

#include <string.h>
#if defined(__x86_64__)
#include <emmintrin.h>
#endif

/* A fill doubles its pattern up to this, which stays in the first-level cache, and then copies it. */
#define FILL_BLOCK ((uint64_t)8 << 10)

/* A copy inside one allocation may overlap through sub-buffers, and a host pointer may be the buffer's own. */
void host_copy(const host_command_copy_t *command) { memmove(command->destination, command->source, command->size); }

#if defined(__x86_64__)
/* Four registers that together fill a line's buffer, so that the line is never read. */
static void lines_stream(char *destination, const char *source, uint64_t lines) {
  for (; lines; --lines, destination += HOST_LINE_SIZE, source += HOST_LINE_SIZE) {
    for (int i = 0; i < 4; ++i)
      _mm_stream_si128((__m128i *)(void *)destination + i, _mm_loadu_si128((const __m128i *)(const void *)source + i));
  }
  _mm_sfence();
}

void host_copy_bytes(char *destination, const char *source, uint64_t size, bool streams) {
  uint64_t head = -(uintptr_t)destination % HOST_LINE_SIZE;
  if (!streams || size < head + HOST_LINE_SIZE) {
    memcpy(destination, source, size);
    return;
  }
  const uint64_t middle = (size - head) / HOST_LINE_SIZE * HOST_LINE_SIZE;
  memcpy(destination, source, head);
  lines_stream(destination + head, source + head, middle / HOST_LINE_SIZE);
  memcpy(destination + head + middle, source + head + middle, size - head - middle);
}
#else
void host_copy_bytes(char *destination, const char *source, uint64_t size, bool streams) {
  (void)streams;
  memcpy(destination, source, size);
}
#endif

static void slice_copy(const mux_buffer_region_info_t *region, const char *source, char *destination) {
  for (size_t y = 0; y < region->region.y; ++y)
    memmove(destination + y * region->dst_desc.x, source + y * region->src_desc.x, region->region.x);
}

mux_buffer_region_info_t host_region_merge(const mux_buffer_region_info_t *region) {
  mux_buffer_region_info_t merged = *region;
  if (merged.region.x == merged.src_desc.x && merged.region.x == merged.dst_desc.x) {
    merged.region.x *= merged.region.y;
    merged.region.y = 1;
  }
  if (merged.region.y == 1 && merged.region.x == merged.src_desc.y && merged.region.x == merged.dst_desc.y) {
    merged.region.x *= merged.region.z;
    merged.region.z = 1;
  }
  return merged;
}

static void region_copy(const mux_buffer_region_info_t *region, const char *source, char *destination) {
  mux_buffer_region_info_t merged = host_region_merge(region);
  source += host_origin_offset(region->src_origin, region->src_desc);
  destination += host_origin_offset(region->dst_origin, region->dst_desc);
  for (size_t z = 0; z < merged.region.z; ++z)
    slice_copy(&merged, source + z * region->src_desc.y, destination + z * region->dst_desc.y);
}

void host_copy_regions(const host_command_copy_regions_t *command) {
  for (uint64_t i = 0; i < command->count; ++i)
    region_copy(&command->regions[i], command->source, command->destination);
}

void host_fill_bytes(char *destination, uint64_t size, const unsigned char *pattern, uint64_t pattern_size) {
  uint64_t filled = pattern_size;
  if (pattern_size == 1) {
    memset(destination, pattern[0], size);
    return;
  }
  memcpy(destination, pattern, filled);
  while (filled < size) {
    /* `filled` is a multiple of the pattern until the last step, and the block stops growing at such a multiple. */
    uint64_t block = filled < FILL_BLOCK ? filled : FILL_BLOCK - FILL_BLOCK % pattern_size;
    uint64_t length = block < size - filled ? block : size - filled;
    memcpy(destination + filled, destination, length);
    filled += length;
  }
}

void host_fill(const host_command_fill_t *command) {
  host_fill_bytes(command->destination, command->size, command->pattern, command->pattern_size);
}

/* The first row is made, the others are copies of it. */
void host_fill_box(const host_command_fill_box_t *command) {
  const mux_extent_3d_t *extent = &command->extent;
  const char *first = command->destination;
  host_fill_bytes(command->destination, extent->x, command->pattern, command->pattern_size);
  for (size_t z = 0; z < extent->z; ++z)
    for (size_t y = z ? 0 : 1; y < extent->y; ++y)
      memcpy(command->destination + z * command->slice_pitch + y * command->row_pitch, first, extent->x);
}
