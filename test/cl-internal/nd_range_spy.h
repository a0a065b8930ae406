/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What the driver gives to muxCommandNDRange, for tests that are linked with --wrap=muxCommandNDRange. One file of a
 * test includes it. */
#ifndef CL_INTERNAL_ND_RANGE_SPY_H
#define CL_INTERNAL_ND_RANGE_SPY_H

#include "mux/mux.h"

/** Defined by the test: is told of each ND-range before it is recorded. */
static void note_nd_range(mux_kernel_t kernel, const mux_ndrange_options_t *options);

mux_result_t __real_muxCommandNDRange(mux_command_buffer_t command_buffer, mux_kernel_t kernel,
                                      mux_ndrange_options_t options, MUX_SYNC_PARAMETERS);
mux_result_t __wrap_muxCommandNDRange(mux_command_buffer_t command_buffer, mux_kernel_t kernel,
                                      mux_ndrange_options_t options, MUX_SYNC_PARAMETERS);

mux_result_t __wrap_muxCommandNDRange(mux_command_buffer_t command_buffer, mux_kernel_t kernel,
                                      mux_ndrange_options_t options, uint32_t num_sync_points_in_wait_list,
                                      const mux_sync_point_t *sync_point_wait_list, mux_sync_point_t *sync_point) {
  note_nd_range(kernel, &options);
  return __real_muxCommandNDRange(command_buffer, kernel, options, num_sync_points_in_wait_list, sync_point_wait_list,
                                  sync_point);
}

#endif
