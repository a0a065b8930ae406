/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Packing kernel arguments into the block that generated code reads. */
#ifndef HOST_RUNTIME_COMMANDS_ARGS_H
#define HOST_RUNTIME_COMMANDS_ARGS_H

#include <stdbool.h>
#include <stdint.h>

#include "host/runtime/executable/kernel_table.h"
#include "mux/mux.h"

/** Whether a kernel's arguments have sizes: bytes of each local argument, and those behind the address of each buffer,
 * which code for distinct buffers asks for. */
static inline bool host_args_have_sizes(const host_kernel_info_t *info) {
  return info->has_local_args || info->distinct.entry;
}

/** Writes argument `index` into `block` (`info->args_size` bytes), and its size into `sizes`, an array by argument
 * index, null unless the arguments have sizes. A local argument is placed by host_args_place_locals.
 * mux_error_invalid_value when the descriptor does not fit the argument or names a buffer without memory: nothing is
 * written then. */
MUX_MUST_CHECK mux_result_t host_arg_pack(const host_kernel_info_t *info, uint32_t index,
                                          const mux_descriptor_info_t *descriptor, char *block, uint64_t *sizes);

/** Whether the kernel has code for distinct buffers, and the buffers in `block` do not overlap: sub-buffers and buffers
 * over the application's memory may. A pointer of unknown size may point into any of them. */
bool host_args_are_distinct(const host_kernel_info_t *info, const char *block, const uint64_t *sizes);

/** Places local arguments behind the kernel's own local variables. Returns in `*out_total` the bytes of local memory of
 * a work-group. mux_error_out_of_memory when they are more than `limit`. */
MUX_MUST_CHECK mux_result_t host_args_place_locals(const host_kernel_info_t *info, const uint64_t *sizes,
                                                   uint64_t limit, char *block, uint64_t *out_total);

#endif
