/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The kernels that an executable describes in its section HOST_KERNEL_SECTION. */
#ifndef HOST_RUNTIME_EXECUTABLE_KERNEL_TABLE_H
#define HOST_RUNTIME_EXECUTABLE_KERNEL_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/abi.h"
#include "host/runtime/executable/elf_load.h"
#include "mux/mux.h"

/** A kernel's code: for all launches, and for those whose buffers do not overlap. */
typedef struct host_kernel_code_t {
  /** Null for distinct buffers unless that is faster. */
  host_kernel_entry_t entry;
  /** The same, work-items one by one; null unless that may be faster. */
  host_kernel_entry_t single_entry;
  /** That one is expected to be faster. */
  bool expects_scalar;
} host_kernel_code_t;

/** host_kernel_record_t, checked and in memory of its own. */
typedef struct host_kernel_info_t {
  const char *name;
  size_t name_length;
  host_kernel_code_t general, distinct;
  /** The object that it is in, all of which its code may be. */
  uintptr_t code;
  size_t code_size;
  const host_arg_record_t *args;
  uint32_t arg_count, args_size;
  bool has_local_args;
  uint64_t local_size, scratch_fixed, scratch_per_item, memory_alignment, stack_size;
  uint32_t reqd_local_size[3];
  uint32_t work_width, sub_group_size;
  uint32_t vector_dimension, min_lanes;
  bool flushes_denormals, ignores_groups, groups_follow_lanes, uses_sub_groups, has_sub_group_lines;
} host_kernel_info_t;

/** The most work-items of which scalar code is as fast as vectors: a quarter of the lanes; 0 without such code. */
static inline uint64_t host_kernel_scalar_items(const host_kernel_info_t *info, const host_kernel_code_t *code) {
  return code->single_entry ? info->work_width / 4 : 0;
}

/** The dimension whose work-items are lanes in work-groups of that size. */
static inline uint32_t host_kernel_lane_dimension(const host_kernel_info_t *info, const size_t local_size[3]) {
  return local_size[info->vector_dimension] >= info->min_lanes ? info->vector_dimension : 0;
}

typedef struct host_kernels_t {
  /** Sorted by name. */
  host_kernel_info_t *kernels;
  uint32_t count;
  /** Copy of the section, in which names and argument records lie. */
  char *storage;
} host_kernels_t;

/** Reads the section and finds the entry of every kernel. mux_error_invalid_binary (the log says why) or out_of_memory;
 * then nothing is to be freed. */
MUX_MUST_CHECK mux_result_t host_kernel_table_read(host_kernels_t *table, const host_load_t *load);
void host_kernel_table_free(host_kernels_t *table);

/** Null when there is no such kernel. */
const host_kernel_info_t *host_kernel_table_find(const host_kernels_t *table, const char *name, size_t length);

#endif
