/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Kernels and what they tell about themselves. */
#include "mux/validate.h"

mux_result_t muxCreateKernel(mux_device_t device, mux_executable_t executable, const char *name, uint64_t name_length,
                             mux_allocator_info_t allocator, mux_kernel_t *out_kernel) {
  MUX_REQUIRE_HANDLE(device, device);
  MUX_REQUIRE_PEER(executable, executable, device);
  MUX_REQUIRE(name && name_length, "name is null or empty");
  MUX_REQUIRE_ALLOCATOR(allocator);
  MUX_REQUIRE_OUTPUT(out_kernel);
  return mux_target_find(device->id)->create_kernel(device, executable, name, name_length, allocator, out_kernel);
}

mux_result_t muxCreateBuiltInKernel(mux_device_t device, const char *name, uint64_t name_length,
                                    mux_allocator_info_t allocator, mux_kernel_t *out_kernel) {
  MUX_REQUIRE_HANDLE(device, device);
  const mux_target_t *target = mux_target_find(device->id);
  MUX_REQUIRE_FEATURE(device->info->supports_builtin_kernels && target->create_built_in_kernel,
                      "the device has no built-in kernels");
  MUX_REQUIRE(name && name_length, "name is null or empty");
  MUX_REQUIRE_ALLOCATOR(allocator);
  MUX_REQUIRE_OUTPUT(out_kernel);
  return target->create_built_in_kernel(device, name, name_length, allocator, out_kernel);
}

void muxDestroyKernel(mux_device_t device, mux_kernel_t kernel, mux_allocator_info_t allocator) {
  MUX_REQUIRE_DESTROYABLE(device, device, kernel, kernel, allocator);
  mux_target_find(device->id)->destroy_kernel(device, kernel, allocator);
}

static bool has_sub_groups(mux_kernel_t kernel) { return kernel->device->info->max_sub_group_count > 0; }

mux_result_t muxQuerySubGroupSizeForLocalSize(mux_kernel_t kernel, size_t local_size_x, size_t local_size_y,
                                              size_t local_size_z, size_t *out_sub_group_size) {
  MUX_REQUIRE_HANDLE(kernel, kernel);
  const mux_target_t *target = mux_target_find(kernel->id);
  MUX_REQUIRE_FEATURE(has_sub_groups(kernel) && target->query_sub_group_size_for_local_size,
                      "the device has no sub-groups");
  MUX_REQUIRE(local_size_x && local_size_y && local_size_z, "a local size is 0");
  MUX_REQUIRE_OUTPUT(out_sub_group_size);
  return target->query_sub_group_size_for_local_size(kernel, local_size_x, local_size_y, local_size_z,
                                                     out_sub_group_size);
}

mux_result_t muxQueryLocalSizeForSubGroupCount(mux_kernel_t kernel, size_t sub_group_count, size_t *out_local_size_x,
                                               size_t *out_local_size_y, size_t *out_local_size_z) {
  MUX_REQUIRE_HANDLE(kernel, kernel);
  const mux_target_t *target = mux_target_find(kernel->id);
  MUX_REQUIRE_FEATURE(has_sub_groups(kernel) && target->query_local_size_for_sub_group_count,
                      "the device has no sub-groups");
  MUX_REQUIRE(sub_group_count, "sub_group_count is 0");
  MUX_REQUIRE_OUTPUT(out_local_size_x);
  MUX_REQUIRE_OUTPUT(out_local_size_y);
  MUX_REQUIRE_OUTPUT(out_local_size_z);
  return target->query_local_size_for_sub_group_count(kernel, sub_group_count, out_local_size_x, out_local_size_y,
                                                      out_local_size_z);
}

mux_result_t muxQueryMaxNumSubGroups(mux_kernel_t kernel, size_t *out_max_num_sub_groups) {
  MUX_REQUIRE_HANDLE(kernel, kernel);
  const mux_target_t *target = mux_target_find(kernel->id);
  MUX_REQUIRE_FEATURE(has_sub_groups(kernel) && target->query_max_num_sub_groups, "the device has no sub-groups");
  MUX_REQUIRE_OUTPUT(out_max_num_sub_groups);
  return target->query_max_num_sub_groups(kernel, out_max_num_sub_groups);
}

mux_result_t muxQueryWFVInfoForLocalSize(mux_kernel_t kernel, size_t local_size_x, size_t local_size_y,
                                         size_t local_size_z, mux_wfv_status_e *out_wfv_status,
                                         size_t *out_work_width_x, size_t *out_work_width_y, size_t *out_work_width_z) {
  MUX_REQUIRE_HANDLE(kernel, kernel);
  const mux_target_t *target = mux_target_find(kernel->id);
  MUX_REQUIRE_FEATURE(target->query_wfv_info_for_local_size, "the target does not vectorize");
  MUX_REQUIRE(local_size_x && local_size_y && local_size_z, "a local size is 0");
  MUX_REQUIRE_OUTPUT(out_wfv_status);
  MUX_REQUIRE_OUTPUT(out_work_width_x);
  MUX_REQUIRE_OUTPUT(out_work_width_y);
  MUX_REQUIRE_OUTPUT(out_work_width_z);
  return target->query_wfv_info_for_local_size(kernel, local_size_x, local_size_y, local_size_z, out_wfv_status,
                                               out_work_width_x, out_work_width_y, out_work_width_z);
}

mux_result_t muxTuneKernel(mux_kernel_t kernel, uint64_t remembered, mux_tuning_callback_t measured, void *user_data) {
  MUX_REQUIRE_HANDLE(kernel, kernel);
  const mux_target_t *target = mux_target_find(kernel->id);
  MUX_REQUIRE_FEATURE(kernel->has_versions && target->tune_kernel, "the kernel has one version");
  return target->tune_kernel(kernel, remembered, measured, user_data);
}
