/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Recording kernel launches and replacing their arguments. */
#ifndef HOST_RUNTIME_COMMANDS_COMMAND_ND_RANGE_H
#define HOST_RUNTIME_COMMANDS_COMMAND_ND_RANGE_H

#include "host/runtime/commands/command_buffer.h"

/** A copy of the command in the memory of `clone`, not yet appended; null when out of memory. */
host_command_t *host_command_nd_range_clone(host_command_buffer_t *clone, const host_command_nd_range_t *command);

/* Operations of mux_target_t. */
mux_result_t host_command_nd_range(mux_command_buffer_t command_buffer, mux_kernel_t kernel,
                                   mux_ndrange_options_t options, MUX_SYNC_PARAMETERS);
mux_result_t host_update_descriptors(mux_command_buffer_t command_buffer, mux_command_id_t command_id,
                                     uint64_t num_args, const uint64_t *arg_indices,
                                     const mux_descriptor_info_t *descriptors);

#endif
