/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Kernels of an executable. */
#ifndef HOST_RUNTIME_COMMANDS_KERNEL_H
#define HOST_RUNTIME_COMMANDS_KERNEL_H

#include <stdatomic.h>

#include "host/runtime/commands/choice.h"
#include "host/runtime/executable/kernel_table.h"
#include "mux/mux.h"

typedef struct host_kernel_t {
  struct mux_kernel_s base;
  /** Belongs to the executable. */
  const host_kernel_info_t *info;
  /** Measured cost of a work-item in HOST_COST_UNITs; 0: not known. A hint, so relaxed and without order. */
  _Atomic uint64_t cost;
  /** Of `info->general` and `info->distinct`, where these are in two versions. */
  host_choice_t general_choice, distinct_choice;
  /** Told of the choices (muxTuneKernel). May be null. */
  mux_tuning_callback_t measured;
  void *measured_data;
} host_kernel_t;

/** Fractions of a host_ticks() tick. */
#define HOST_COST_UNIT 256u

static inline host_kernel_t *host_kernel(mux_kernel_t kernel) { return (host_kernel_t *)kernel; }

/* Operations of mux_target_t. */
mux_result_t host_create_kernel(mux_device_t device, mux_executable_t executable, const char *name,
                                uint64_t name_length, mux_allocator_info_t allocator, mux_kernel_t *out_kernel);
void host_destroy_kernel(mux_device_t device, mux_kernel_t kernel, mux_allocator_info_t allocator);
mux_result_t host_query_sub_group_size_for_local_size(mux_kernel_t kernel, size_t local_size_x, size_t local_size_y,
                                                      size_t local_size_z, size_t *out_sub_group_size);
mux_result_t host_query_local_size_for_sub_group_count(mux_kernel_t kernel, size_t sub_group_count,
                                                       size_t *out_local_size_x, size_t *out_local_size_y,
                                                       size_t *out_local_size_z);
mux_result_t host_query_max_num_sub_groups(mux_kernel_t kernel, size_t *out_max_num_sub_groups);
mux_result_t host_query_wfv_info_for_local_size(mux_kernel_t kernel, size_t local_size_x, size_t local_size_y,
                                                size_t local_size_z, mux_wfv_status_e *out_wfv_status,
                                                size_t *out_work_width_x, size_t *out_work_width_y,
                                                size_t *out_work_width_z);
mux_result_t host_tune_kernel(mux_kernel_t kernel, uint64_t remembered, mux_tuning_callback_t measured,
                              void *user_data);

/** Tells who wants to know of it what the choices are by now. */
void host_kernel_tell_choices(const host_kernel_t *kernel);

#endif
