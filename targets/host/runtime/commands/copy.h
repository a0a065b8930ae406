/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Executing copies and fills. */
#ifndef HOST_RUNTIME_COMMANDS_COPY_H
#define HOST_RUNTIME_COMMANDS_COPY_H

#include <stdbool.h>
#include <stdint.h>

#include "host/runtime/commands/command.h"

void host_copy(const host_command_copy_t *command);

/** Each region in turn; rows and slices that follow each other on both sides are copied as one. */
void host_copy_regions(const host_command_copy_regions_t *command);

void host_fill(const host_command_fill_t *command);
void host_fill_box(const host_command_fill_box_t *command);

/* ---- parts of them, which do not overlap ---- */

/** A cache line, which non-temporal stores fill as a whole. */
#define HOST_LINE_SIZE 64u

/** Past the caches if it `streams` and the processor has instructions for that. */
void host_copy_bytes(char *destination, const char *source, uint64_t size, bool streams);

/** `size` is a multiple of `pattern_size`. */
void host_fill_bytes(char *destination, uint64_t size, const unsigned char *pattern, uint64_t pattern_size);

/** The same region with as few rows and slices as possible. */
mux_buffer_region_info_t host_region_merge(const mux_buffer_region_info_t *region);

static inline uint64_t host_origin_offset(mux_offset_3d_t origin, mux_extent_2d_t pitch) {
  return origin.x + origin.y * pitch.x + origin.z * pitch.y;
}

#endif
