/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The table of operations of the host target. */
#include "mux/target.h"

#include "host/runtime/commands/caller.h"
#include "host/runtime/commands/command_buffer.h"
#include "host/runtime/commands/command_image.h"
#include "host/runtime/commands/command_memory.h"
#include "host/runtime/commands/command_nd_range.h"
#include "host/runtime/commands/kernel.h"
#include "host/runtime/commands/query.h"
#include "host/runtime/device.h"
#include "host/runtime/executable/executable.h"
#include "host/runtime/machine/counter.h"
#include "host/runtime/memory/image.h"
#include "host/runtime/memory/memory.h"
#include "host/runtime/scheduling/dispatch.h"
#include "host/runtime/scheduling/queue.h"
#include "host/runtime/scheduling/sync.h"
#include "host/runtime/scheduling/worker.h"
#include "host/runtime/sub_device.h"

/* Defined here and declared by the generated list of targets. */
extern const mux_target_t host_mux_target;

/* Not here, and so unsupported: built-in kernels. */
const mux_target_t host_mux_target = {
    .name = "host",
    .get_device_infos = host_get_device_infos,
    .create_devices = host_create_devices,
    .destroy_device = host_destroy_device,
    .get_affinity_partition = host_get_affinity_partition,
    .create_sub_device = host_create_sub_device,
    .get_device_threads = host_get_device_threads,
    .allocate_memory = host_allocate_memory,
    .create_memory_from_host = host_create_memory_from_host,
    .free_memory = host_free_memory,
    .map_memory = host_map_memory,
    .unmap_memory = host_unmap_memory,
    .flush_mapped_memory_to_device = host_flush_mapped_memory,
    .flush_mapped_memory_from_device = host_flush_mapped_memory,
    .create_buffer = host_create_buffer,
    .destroy_buffer = host_destroy_buffer,
    .bind_buffer_memory = host_bind_buffer_memory,
    .create_image = host_create_image,
    .destroy_image = host_destroy_image,
    .bind_image_memory = host_bind_image_memory,
    .get_supported_image_formats = host_get_supported_image_formats,
    .get_queue = host_get_queue,
    .create_fence = host_create_fence,
    .destroy_fence = host_destroy_fence,
    .reset_fence = host_reset_fence,
    .create_semaphore = host_create_semaphore,
    .destroy_semaphore = host_destroy_semaphore,
    .reset_semaphore = host_reset_semaphore,
    .create_command_buffer = host_create_command_buffer,
    .destroy_command_buffer = host_destroy_command_buffer,
    .finalize_command_buffer = host_finalize_command_buffer,
    .reset_command_buffer = host_reset_command_buffer,
    .clone_command_buffer = host_clone_command_buffer,
    .command_read_buffer = host_command_read_buffer,
    .command_read_buffer_regions = host_command_read_buffer_regions,
    .command_write_buffer = host_command_write_buffer,
    .command_write_buffer_regions = host_command_write_buffer_regions,
    .command_copy_buffer = host_command_copy_buffer,
    .command_copy_buffer_regions = host_command_copy_buffer_regions,
    .command_fill_buffer = host_command_fill_buffer,
    .command_copy_pointer = host_command_copy_pointer,
    .command_fill_pointer = host_command_fill_pointer,
    .command_read_image = host_command_read_image,
    .command_write_image = host_command_write_image,
    .command_fill_image = host_command_fill_image,
    .command_copy_image = host_command_copy_image,
    .command_copy_image_to_buffer = host_command_copy_image_to_buffer,
    .command_copy_buffer_to_image = host_command_copy_buffer_to_image,
    .command_nd_range = host_command_nd_range,
    .update_descriptors = host_update_descriptors,
    .command_user_callback = host_command_user_callback,
    .command_begin_query = host_command_begin_query,
    .command_end_query = host_command_end_query,
    .command_reset_query_pool = host_command_reset_query_pool,
    .get_supported_query_counters = host_get_supported_query_counters,
    .create_query_pool = host_create_query_pool,
    .destroy_query_pool = host_destroy_query_pool,
    .get_query_counter_required_passes = host_get_query_counter_required_passes,
    .get_query_pool_results = host_get_query_pool_results,
    .create_executable = host_create_executable,
    .get_executable_variable = host_get_executable_variable,
    .destroy_executable = host_destroy_executable,
    .create_kernel = host_create_kernel,
    .destroy_kernel = host_destroy_kernel,
    .query_sub_group_size_for_local_size = host_query_sub_group_size_for_local_size,
    .query_local_size_for_sub_group_count = host_query_local_size_for_sub_group_count,
    .query_max_num_sub_groups = host_query_max_num_sub_groups,
    .query_wfv_info_for_local_size = host_query_wfv_info_for_local_size,
    .tune_kernel = host_tune_kernel,
    .dispatch = host_dispatch,
    .announce_wait = host_announce_wait,
    .cancel_dispatch = host_cancel_dispatch,
    .signal_dispatch = host_signal_dispatch,
    .try_wait = host_caller_try_wait,
    .wait = host_caller_wait,
    .wait_all = host_caller_wait_all,
};
