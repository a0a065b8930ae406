/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Recording reads, writes, copies and fills of buffers: operations of mux_target_t. */
#ifndef HOST_RUNTIME_COMMANDS_COMMAND_MEMORY_H
#define HOST_RUNTIME_COMMANDS_COMMAND_MEMORY_H

#include "mux/mux.h"

/** Records copies of boxes between two addresses; what all copies of boxes come down to. mux_error_invalid_value: not
 * recording. mux_error_out_of_memory. */
mux_result_t host_copy_regions_record(mux_command_buffer_t command_buffer, const char *source, char *destination,
                                      const mux_buffer_region_info_t *regions, uint64_t count,
                                      mux_sync_point_t *out_sync_point);

mux_result_t host_command_read_buffer(mux_command_buffer_t command_buffer, mux_buffer_t buffer, uint64_t offset,
                                      void *host_pointer, uint64_t size, MUX_SYNC_PARAMETERS);
mux_result_t host_command_read_buffer_regions(mux_command_buffer_t command_buffer, mux_buffer_t buffer,
                                              void *host_pointer, const mux_buffer_region_info_t *regions,
                                              uint64_t regions_length, MUX_SYNC_PARAMETERS);
mux_result_t host_command_write_buffer(mux_command_buffer_t command_buffer, mux_buffer_t buffer, uint64_t offset,
                                       const void *host_pointer, uint64_t size, MUX_SYNC_PARAMETERS);
mux_result_t host_command_write_buffer_regions(mux_command_buffer_t command_buffer, mux_buffer_t buffer,
                                               const void *host_pointer, const mux_buffer_region_info_t *regions,
                                               uint64_t regions_length, MUX_SYNC_PARAMETERS);
mux_result_t host_command_copy_buffer(mux_command_buffer_t command_buffer, mux_buffer_t src_buffer, uint64_t src_offset,
                                      mux_buffer_t dst_buffer, uint64_t dst_offset, uint64_t size, MUX_SYNC_PARAMETERS);
mux_result_t host_command_copy_buffer_regions(mux_command_buffer_t command_buffer, mux_buffer_t src_buffer,
                                              mux_buffer_t dst_buffer, const mux_buffer_region_info_t *regions,
                                              uint64_t regions_length, MUX_SYNC_PARAMETERS);
mux_result_t host_command_fill_buffer(mux_command_buffer_t command_buffer, mux_buffer_t buffer, uint64_t offset,
                                      uint64_t size, const void *pattern_pointer, uint64_t pattern_size,
                                      MUX_SYNC_PARAMETERS);
mux_result_t host_command_copy_pointer(mux_command_buffer_t command_buffer, void *destination, const void *source,
                                       uint64_t size, MUX_SYNC_PARAMETERS);
mux_result_t host_command_fill_pointer(mux_command_buffer_t command_buffer, void *destination, uint64_t size,
                                       const void *pattern_pointer, uint64_t pattern_size, MUX_SYNC_PARAMETERS);

#endif
