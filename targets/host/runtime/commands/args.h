/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Packing kernel arguments into the block that generated code reads. */
#ifndef HOST_RUNTIME_COMMANDS_ARGS_H
#define HOST_RUNTIME_COMMANDS_ARGS_H

#include "host/runtime/executable/kernel_table.h"
#include "mux/mux.h"

/** Writes argument `index` into `block` (`info->args_size` bytes); a local argument's size goes to `local_sizes[index]`
 * and is placed by host_args_place_locals. mux_error_invalid_value when the descriptor does not fit the argument or
 * names a buffer without memory: nothing is written then. */
MUX_MUST_CHECK mux_result_t host_arg_pack(const host_kernel_info_t *info, uint32_t index,
                                          const mux_descriptor_info_t *descriptor, char *block, uint64_t *local_sizes);

/** Places local arguments behind the kernel's own local variables. Returns in `*out_total` the bytes of local memory of
 * a work-group. mux_error_out_of_memory when they are more than `limit`. */
MUX_MUST_CHECK mux_result_t host_args_place_locals(const host_kernel_info_t *info, const uint64_t *local_sizes,
                                                   uint64_t limit, char *block, uint64_t *out_total);

#endif
