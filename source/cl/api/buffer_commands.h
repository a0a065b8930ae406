/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Copies and fills of buffers as values: checked once, recorded into the command buffer of a queue, or into one of the
 * application's as often as that is prepared. They hold nothing. */
#ifndef CL_API_BUFFER_COMMANDS_H
#define CL_API_BUFFER_COMMANDS_H

#include "cl/memory/memory.h"

typedef struct buffer_copy_t {
  cl_mem source, destination;
  size_t source_offset, destination_offset, size;
} buffer_copy_t;

typedef struct buffer_copy_rect_t {
  cl_mem source, destination;
  mux_buffer_region_info_t region;
} buffer_copy_rect_t;

typedef struct buffer_fill_t {
  cl_mem buffer;
  size_t offset, size, pattern_size;
  unsigned char pattern[sizeof(cl_long16)];
} buffer_fill_t;

/** Arguments of a rectangular copy, as the application gives them. */
typedef struct buffer_rects_t {
  const size_t *source_origin, *destination_origin, *region;
  size_t source_row_pitch, source_slice_pitch, destination_row_pitch, destination_slice_pitch;
} buffer_rects_t;

/** The errors of clEnqueueCopyBuffer, for a valid queue. */
cl_int buffer_copy_validate(const char *function, cl_command_queue queue, const buffer_copy_t *copy);
cl_int buffer_copy_record(mux_command_buffer_t command_buffer, const buffer_copy_t *copy);

/** The errors of clEnqueueCopyBufferRect, for a valid queue; fills `region` of `copy` in. */
cl_int buffer_copy_rect_make(const char *function, cl_command_queue queue, const buffer_rects_t *rects,
                             buffer_copy_rect_t *copy);
cl_int buffer_copy_rect_record(mux_command_buffer_t command_buffer, const buffer_copy_rect_t *copy);

/** The errors of clEnqueueFillBuffer, for a valid queue; copies the pattern into `fill`. */
cl_int buffer_fill_make(const char *function, cl_command_queue queue, const void *pattern, buffer_fill_t *fill);
cl_int buffer_fill_record(mux_command_buffer_t command_buffer, const buffer_fill_t *fill);

#endif
