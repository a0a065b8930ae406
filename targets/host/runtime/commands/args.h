/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Packing kernel arguments into the block that generated code reads. */
#ifndef HOST_RUNTIME_COMMANDS_ARGS_H
#define HOST_RUNTIME_COMMANDS_ARGS_H

#include <stdbool.h>
#include <stdint.h>

#include "host/runtime/executable/kernel_table.h"
#include "mux/mux.h"

/** Where an argument's memory lies, as the kernel may reach it: `size` bytes from the address `begin`. A local argument
 * has a size alone. */
typedef struct host_arg_extent_t {
  uint64_t begin, size;
} host_arg_extent_t;

/** Whether a kernel's arguments have extents: those of local arguments, and of buffers where there is code for distinct
 * ones. */
static inline bool host_args_have_extents(const host_kernel_info_t *info) {
  return info->has_local_args || info->distinct.entry;
}

/** Writes argument `index` into `block` (`info->args_size` bytes), and its extent into `extents`, an array by argument
 * index, null unless the arguments have extents. A local argument is placed by host_args_place_locals.
 * mux_error_invalid_value when the descriptor does not fit the argument or names a buffer without memory: nothing is
 * written then. */
MUX_MUST_CHECK mux_result_t host_arg_pack(const host_kernel_info_t *info, uint32_t index,
                                          const mux_descriptor_info_t *descriptor, char *block,
                                          host_arg_extent_t *extents);

/** Whether the kernel has code for distinct buffers, and its buffers and allocations do not overlap. Sub-buffers,
 * buffers over the application's memory and two pointers into an allocation may. A pointer into an unknown allocation
 * may point into any of them. */
bool host_args_are_distinct(const host_kernel_info_t *info, const host_arg_extent_t *extents);

/** Places local arguments behind the kernel's own local variables. Returns in `*out_total` the bytes of local memory of
 * a work-group. mux_error_out_of_memory when they are more than `limit`. */
MUX_MUST_CHECK mux_result_t host_args_place_locals(const host_kernel_info_t *info, const host_arg_extent_t *extents,
                                                   uint64_t limit, char *block, uint64_t *out_total);

#endif
