/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Looking up kernels and answering questions about them. */
#include "host/runtime/commands/kernel.h"

#include <stdalign.h>

#include "base/memory.h"
#include "host/runtime/device.h"
#include "host/runtime/executable/executable.h"
#include "mux/target.h"

#define PREFERRED_LOCAL_SIZE 128u
#define VECTORS_PER_WORK_GROUP 8u

/* The size that the kernel requires, or several vectors along the dimension of its lanes. */
static void preferred_local_size_fill(struct mux_kernel_s *kernel, const host_kernel_info_t *info) {
  const size_t vectors = (size_t)info->work_width * VECTORS_PER_WORK_GROUP;
  size_t size[3] = {1, 1, 1};
  size[info->vector_dimension] = vectors > PREFERRED_LOCAL_SIZE ? vectors : PREFERRED_LOCAL_SIZE;
  if (info->reqd_local_size[0])
    for (int i = 0; i < 3; ++i) size[i] = info->reqd_local_size[i];
  kernel->preferred_local_size_x = size[0];
  kernel->preferred_local_size_y = size[1];
  kernel->preferred_local_size_z = size[2];
}

/* What a GPU has at most. Reductions in two steps, in each sub-group and then over the sub-groups' results, have room
 * for 32 of these, or leave out the barrier because one sub-group does the second step. */
enum { max_size_with_sub_groups = 1024 };

static uint32_t max_work_group_size(const host_kernel_info_t *info) {
  const uint32_t *required = info->reqd_local_size;
  const uint64_t most = info->uses_sub_groups ? max_size_with_sub_groups : HOST_MAX_WORK_GROUP_SIZE;
  return (uint32_t)(required[0] ? (uint64_t)required[0] * required[1] * required[2] : most);
}

static uint32_t most_sub_groups(const host_kernel_info_t *info) {
  return (max_work_group_size(info) + info->sub_group_size - 1) / info->sub_group_size;
}

static host_version_e expected_version(const host_kernel_code_t *code) {
  return code->expects_scalar ? host_version_scalar : host_version_vector;
}

mux_result_t host_create_kernel(mux_device_t device, mux_executable_t executable, const char *name,
                                uint64_t name_length, mux_allocator_info_t allocator, mux_kernel_t *out_kernel) {
  const host_kernel_info_t *info = host_executable_find_kernel(host_executable(executable), name, (size_t)name_length);
  if (!info) return mux_error_missing_kernel;
  host_kernel_t *kernel = mux_object_allocate(allocator, sizeof *kernel, alignof(host_kernel_t));
  if (!kernel) return mux_error_out_of_memory;
  kernel->base.id = mux_id_make(mux_object_id_kernel, mux_id_target(device->id));
  kernel->base.device = device;
  kernel->base.local_memory_size = info->local_size;
  kernel->base.max_work_group_size = max_work_group_size(info);
  kernel->base.max_sub_group_count = most_sub_groups(info);
  kernel->base.ignores_work_groups = info->ignores_groups;
  kernel->base.scalar_work_items = (size_t)host_kernel_scalar_items(info, &info->general);
  kernel->base.uses_allocations = info->distinct.entry != NULL;
  kernel->base.has_versions = info->general.single_entry || info->distinct.single_entry;
  preferred_local_size_fill(&kernel->base, info);
  kernel->info = info;
  host_choice_init(&kernel->general_choice, expected_version(&info->general));
  host_choice_init(&kernel->distinct_choice, expected_version(&info->distinct));
  *out_kernel = &kernel->base;
  return mux_success;
}

void host_destroy_kernel(mux_device_t device, mux_kernel_t kernel, mux_allocator_info_t allocator) {
  (void)device;
  mux_object_free(allocator, kernel);
}

/* Lines of work-items that may be sub-groups: no more than sub-groups of 32 are in a work-group. */
enum { most_lines = 32 };

/* As in source/compiler/builtins/sub_group.clh. */
mux_result_t host_query_sub_group_size_for_local_size(mux_kernel_t kernel, size_t local_size_x, size_t local_size_y,
                                                      size_t local_size_z, size_t *out_sub_group_size) {
  const host_kernel_info_t *info = host_kernel(kernel)->info;
  size_t size = info->sub_group_size, items;
  if (!size_multiply(local_size_x, local_size_y, &items) || !size_multiply(items, local_size_z, &items))
    items = SIZE_MAX;
  const bool is_small = items < size;
  if (!info->has_sub_group_lines) {
    size = is_small ? items : size;
  } else if (local_size_x > 1 && local_size_x < size && is_power_of_two(local_size_x) &&
             (local_size_y > 1 || local_size_z > 1) && items <= most_lines * local_size_x) {
    size = local_size_x;
  } else {
    while (is_small && size / 2 >= items) size /= 2;
  }
  *out_sub_group_size = size;
  return mux_success;
}

/* A required local size is the only one that there is. */
mux_result_t host_query_local_size_for_sub_group_count(mux_kernel_t kernel, size_t sub_group_count,
                                                       size_t *out_local_size_x, size_t *out_local_size_y,
                                                       size_t *out_local_size_z) {
  const host_kernel_info_t *info = host_kernel(kernel)->info;
  const uint32_t *required = info->reqd_local_size;
  bool fits = sub_group_count <= max_work_group_size(info) / info->sub_group_size;
  size_t size = fits ? sub_group_count * info->sub_group_size : 0;
  if (required[0] && (required[0] != size || required[1] != 1 || required[2] != 1)) size = 0;
  *out_local_size_x = size;
  *out_local_size_y = *out_local_size_z = size ? 1 : 0;
  return mux_success;
}

mux_result_t host_query_max_num_sub_groups(mux_kernel_t kernel, size_t *out_max_num_sub_groups) {
  *out_max_num_sub_groups = kernel->max_sub_group_count;
  return mux_success;
}

mux_result_t host_query_wfv_info_for_local_size(mux_kernel_t kernel, size_t local_size_x, size_t local_size_y,
                                                size_t local_size_z, mux_wfv_status_e *out_wfv_status,
                                                size_t *out_work_width_x, size_t *out_work_width_y,
                                                size_t *out_work_width_z) {
  const host_kernel_info_t *info = host_kernel(kernel)->info;
  const size_t local_size[3] = {local_size_x, local_size_y, local_size_z};
  const uint32_t dimension = host_kernel_lane_dimension(info, local_size);
  size_t width[3] = {1, 1, 1};
  width[dimension] = local_size[dimension] < info->work_width ? local_size[dimension] : info->work_width;
  *out_wfv_status = width[dimension] > 1 ? mux_wfv_status_success : mux_wfv_status_none;
  *out_work_width_x = width[0];
  *out_work_width_y = width[1];
  *out_work_width_z = width[2];
  return mux_success;
}

/* What choices are remembered by: two bits each, 0 while nothing is decided, and above them what says that these are
 * what they mean. */
enum { choice_bits = 2, choice_mask = 3, all_choices_bits = 8, choices_mark = 1 };

/* What was only remembered is not told again: it would never be measured anew. */
static uint64_t choice_number(const host_choice_t *choice) {
  const uint32_t decided = atomic_load_explicit(&choice->decided, memory_order_relaxed);
  return decided < host_version_count && !choice->is_remembered ? decided + 1 : 0;
}

static void choice_remember(host_choice_t *choice, uint64_t number) {
  if (number == 0 || number > host_version_count) return;
  choice->is_remembered = true;
  atomic_store_explicit(&choice->decided, (uint32_t)number - 1, memory_order_relaxed);
}

mux_result_t host_tune_kernel(mux_kernel_t kernel, uint64_t remembered, mux_tuning_callback_t measured,
                              void *user_data) {
  host_kernel_t *own = host_kernel(kernel);
  if (remembered >> all_choices_bits == choices_mark) {
    choice_remember(&own->general_choice, remembered & choice_mask);
    choice_remember(&own->distinct_choice, remembered >> choice_bits & choice_mask);
  }
  own->measured = measured;
  own->measured_data = user_data;
  return mux_success;
}

void host_kernel_tell_choices(const host_kernel_t *kernel) {
  if (!kernel->measured) return;
  kernel->measured(kernel->measured_data, choice_number(&kernel->general_choice) |
                                              choice_number(&kernel->distinct_choice) << choice_bits |
                                              (uint64_t)choices_mark << all_choices_bits);
}
