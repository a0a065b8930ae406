/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Recorded commands: one struct per kind, all starting with host_command_t. */
#ifndef HOST_RUNTIME_COMMANDS_COMMAND_H
#define HOST_RUNTIME_COMMANDS_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/abi.h"
#include "host/runtime/commands/args.h"
#include "mux/mux.h"

/** Bytes: four floats. */
#define HOST_MAX_PIXEL_SIZE 16u

struct host_kernel_t;
struct host_query_pool_t;

typedef enum host_command_kind_e {
  host_command_kind_copy,
  host_command_kind_copy_regions,
  host_command_kind_fill,
  host_command_kind_fill_box,
  host_command_kind_nd_range,
  host_command_kind_user_callback,
  host_command_kind_begin_query,
  host_command_kind_end_query,
  host_command_kind_reset_queries,
} host_command_kind_e;

typedef struct host_command_t {
  struct host_command_t *next;
  host_command_kind_e kind;
  /** Of an ND-range: runs `info->distinct`. Here, where there is room. */
  bool has_distinct_buffers;
} host_command_t;

/** Read, write and copy are the same: all memory is the host's. */
typedef struct host_command_copy_t {
  host_command_t head;
  const char *source;
  char *destination;
  uint64_t size;
} host_command_copy_t;

typedef struct host_command_copy_regions_t {
  host_command_t head;
  const char *source;
  char *destination;
  uint64_t count;
  mux_buffer_region_info_t regions[];
} host_command_copy_regions_t;

typedef struct host_command_fill_t {
  host_command_t head;
  char *destination;
  uint64_t size;
  uint32_t pattern_size;
  unsigned char pattern[];
} host_command_fill_t;

/** Rows of pixels in an image. */
typedef struct host_command_fill_box_t {
  host_command_t head;
  char *destination;
  /** Bytes of a row, rows, slices. */
  mux_extent_3d_t extent;
  uint64_t row_pitch, slice_pitch;
  uint32_t pattern_size;
  unsigned char pattern[HOST_MAX_PIXEL_SIZE];
} host_command_fill_box_t;

/** Directly followed by the packed argument block, aligned to HOST_LOCAL_ALIGNMENT. */
typedef struct host_command_nd_range_t {
  host_command_t head;
  struct host_kernel_t *kernel;
  const host_ndrange_t *ndrange;
  uint64_t groups;
  uint64_t local_size, scratch_size;
  /** By argument index. Null when the kernel's arguments have none (host_args_have_extents). */
  host_arg_extent_t *extents;
} host_command_nd_range_t;

_Static_assert(sizeof(host_command_nd_range_t) == HOST_LOCAL_ALIGNMENT / 2, "command and small blocks fill two lines");

static inline char *host_command_args(host_command_nd_range_t *command) { return (char *)(command + 1); }

typedef struct host_command_user_callback_t {
  host_command_t head;
  mux_command_user_callback_t function;
  void *user_data;
} host_command_user_callback_t;

typedef struct host_command_query_t {
  host_command_t head;
  struct host_query_pool_t *pool;
  uint32_t index, count;
  /** The query begun before it and not ended when this one began; while recording. */
  struct host_command_query_t *outer;
} host_command_query_t;

#endif
