/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Checking and recording kernel launches. */
#include "cl/api/launch.h"

#include <stdlib.h>
#include <string.h>

#include "cl/api/validate.h"
#include "cl/object/mux_error.h"
#include "cl/queueing/refuse.h"
#include "cl/queueing/shared_memory.h"

cl_int launch_validate_arguments(const char *function, const launch_t *launch) {
  cl_kernel kernel = launch->kernel;
  const program_kernel_info_t *info = kernel->info;
  REQUIRE(kernel->unset_count == 0, function, launch->context, CL_INVALID_KERNEL_ARGS,
          "%u arguments of kernel %s are not set", kernel->unset_count, info->name);
  for (uint32_t i = 0; i < info->arg_count; i++) {
    cl_mem memory = kernel->arguments[i].memory;
    if (!memory) continue;
    REQUIRE(memory_is_valid(memory), function, launch->context, CL_INVALID_MEM_OBJECT,
            "argument %u of kernel %s was released", i, info->name);
    REQUIRE(memory_is_aligned_for(memory, launch->on->device), function, launch->context,
            CL_MISALIGNED_SUB_BUFFER_OFFSET, "argument %u of kernel %s is not aligned for the device", i, info->name);
  }
  size_t local_size = kernel_local_memory_size(kernel);
  REQUIRE(local_size <= launch->on->device->info->shared_local_memory_size, function, launch->context,
          CL_OUT_OF_RESOURCES, "kernel %s needs %zu bytes of local memory", info->name, local_size);
  return CL_SUCCESS;
}

/** A null or zero global size is a command without work in OpenCL 2.1 and newer. */
static cl_int set_global_size(const char *function, launch_t *launch, const size_t *offset, const size_t *global) {
  launch->is_empty = !global;
  for (cl_uint i = 0; i < 3; i++) {
    bool is_used = i < launch->dimensions;
    launch->offset[i] = is_used && offset ? offset[i] : 0;
    launch->global[i] = is_used && global ? global[i] : 1;
    if (launch->global[i] == 0) launch->is_empty = true;
    REQUIRE(launch->global[i] <= SIZE_MAX - launch->offset[i], function, launch->context, CL_INVALID_GLOBAL_OFFSET,
            "global offset and size of dimension %u overflow", i);
  }
  return CL_SUCCESS;
}

static bool has_required_size(const launch_t *launch) { return launch->kernel->info->reqd_work_group_size[0] != 0; }

/** CL_INVALID_WORK_ITEM_SIZE, CL_INVALID_WORK_GROUP_SIZE of a size that the application gave. */
static cl_int set_local_size(const char *function, launch_t *launch, const size_t *local) {
  const local_size_limits_t *limits = &launch->on->limits;
  size_t total = 1;
  for (cl_uint i = 0; i < 3; i++) {
    size_t size = i < launch->dimensions ? local[i] : 1;
    REQUIRE(size, function, launch->context, CL_INVALID_WORK_GROUP_SIZE, "local size 0 in dimension %u", i);
    REQUIRE(size <= limits->maximum[i], function, launch->context, CL_INVALID_WORK_ITEM_SIZE,
            "local size %zu in dimension %u, at most %zu", size, i, limits->maximum[i]);
    if (total <= limits->maximum_total) total *= size; /* no overflow: each factor is bounded */
    launch->local[i] = size;
  }
  REQUIRE(total <= limits->maximum_total, function, launch->context, CL_INVALID_WORK_GROUP_SIZE,
          "a work-group has at most %zu work-items", limits->maximum_total);
  const program_kernel_info_t *info = launch->kernel->info;
  for (cl_uint i = 0; i < 3 && has_required_size(launch); i++) {
    REQUIRE(launch->local[i] == info->reqd_work_group_size[i], function, launch->context, CL_INVALID_WORK_GROUP_SIZE,
            "local size is not the reqd_work_group_size of kernel %s", info->name);
  }
  return CL_SUCCESS;
}

/** CL_INVALID_WORK_GROUP_SIZE: groups that must be uniform are not. CL_OUT_OF_RESOURCES: more groups than can be
 * counted. */
static cl_int validate_groups(const char *function, const launch_t *launch) {
  size_t groups = 1;
  for (cl_uint i = 0; i < 3; i++) {
    size_t global = launch->global[i], local = launch->local[i], remainder = global % local;
    REQUIRE(!remainder || !launch->on->executable->uniform_work_groups, function, launch->context,
            CL_INVALID_WORK_GROUP_SIZE, "global size %zu is no multiple of local size %zu in dimension %u", global,
            local, i);
    size_t count = global / local + (remainder != 0);
    REQUIRE(!__builtin_mul_overflow(groups, count, &groups), function, launch->context, CL_OUT_OF_RESOURCES,
            "too many work-groups");
  }
  return CL_SUCCESS;
}

/** The size of work-groups: what the application says, else what the kernel says, else what suits. */
static cl_int choose_local_size(const char *function, launch_t *launch, const size_t *local) {
  if (local) return set_local_size(function, launch, local);
  if (has_required_size(launch)) {
    const uint64_t *required = launch->kernel->info->reqd_work_group_size;
    return set_local_size(function, launch, (const size_t[3]){required[0], required[1], required[2]});
  }
  if (!launch->is_empty) {
    local_size_choose(&launch->on->limits, launch->global, launch->on->executable->uniform_work_groups, launch->local);
  }
  return CL_SUCCESS;
}

cl_int launch_validate(const char *function, cl_device_id device, const size_t *offset, const size_t *global,
                       const size_t *local, launch_t *launch) {
  cl_context context = launch->context;
  REQUIRE(kernel_is_valid(launch->kernel), function, context, CL_INVALID_KERNEL, "not a kernel");
  REQUIRE(launch->kernel->program->context == context, function, context, CL_INVALID_CONTEXT,
          "kernel and queue are of different contexts");
  launch->on = kernel_find_device(launch->kernel, device);
  REQUIRE(launch->on, function, context, CL_INVALID_PROGRAM_EXECUTABLE,
          "the program is not built for the queue's device");
  REQUIRE(launch->dimensions >= 1 && launch->dimensions <= 3, function, context, CL_INVALID_WORK_DIMENSION,
          "%u dimensions", launch->dimensions);
  TRY(set_global_size(function, launch, offset, global));
  TRY(choose_local_size(function, launch, local));
  return launch->is_empty ? CL_SUCCESS : validate_groups(function, launch);
}

/** What a variant may be made for: groups of one size, which all but the last ones have anyway. */
static void tell_local_size(const launch_t *launch, uint32_t out_size[3]) {
  const bool is_single = launch->local[0] == 1 && launch->local[1] == 1 && launch->local[2] == 1 &&
                         (launch->global[0] > 1 || launch->global[1] > 1 || launch->global[2] > 1);
  bool are_alike = kernel_varies_with_local_size(launch->kernel->info, launch->on->mux_kernel,
                                                 is_single && !has_required_size(launch));
  for (int i = 0; i < 3; i++) are_alike = are_alike && launch->global[i] % launch->local[i] == 0;
  for (int i = 0; i < 3; i++) out_size[i] = are_alike ? (uint32_t)launch->local[i] : 0;
}

void launch_choose_code(launch_t *launch) {
  const kernel_device_t *on = launch->on;
  launch->code = (variant_code_t){on->executable, on->mux_kernel, on->limits};
  if (!on->variants || launch->is_empty) return;
  variant_launch_t wanted = {
      .device = on->device,
      .executable = on->executable,
      .info = launch->kernel->info,
      .descriptors = launch->kernel->descriptors,
      .items = (uint64_t)launch->global[0] * launch->global[1] * launch->global[2],
  };
  tell_local_size(launch, wanted.local_size);
  variants_choose(on->variants, &wanted, &launch->code);
}

cl_int launch_for_each_object(const launch_t *launch, cl_int (*function)(void *data, object_t *object), void *data) {
  TRY(function(data, OBJECT(launch->code.executable)));
  for (uint32_t i = 0; i < launch->kernel->info->arg_count; i++) {
    cl_mem memory = launch->kernel->arguments[i].memory;
    if (memory) TRY(function(data, OBJECT(memory)));
  }
  return CL_SUCCESS;
}

/** The local size that runs. Where a kernel cannot tell one division into work-groups from another, no groups run that
 * are too small for a vector: many programs ask for a local size of 1 on CPUs. The application's size is reported. */
static void choose_run_size(const launch_t *launch, size_t out_local[3]) {
  const local_size_limits_t *limits = &launch->code.limits;
  memcpy(out_local, launch->local, sizeof launch->local);
  if (!launch->code.mux_kernel->ignores_work_groups) return;
  if (launch->local[local_size_dimension(limits, launch->global)] >= limits->width) return;
  local_size_choose(limits, launch->global, launch->on->executable->uniform_work_groups, out_local);
}

static cl_int record_nd_range(mux_command_buffer_t command_buffer, const launch_t *launch,
                              const mux_descriptor_info_t *descriptors, uint64_t count) {
  size_t local[3];
  choose_run_size(launch, local);
  const mux_ndrange_options_t options = {
      .descriptors = descriptors,
      .descriptors_length = count,
      .local_size = {local[0], local[1], local[2]},
      .global_offset = launch->offset,
      .global_size = launch->global,
      .dimensions = launch->dimensions,
  };
  mux_result_t result = muxCommandNDRange(command_buffer, launch->code.mux_kernel, options, 0, NULL, NULL);
  return error_from_mux(result, CL_OUT_OF_RESOURCES);
}

static bool is_pointer(const mux_descriptor_info_t *descriptor) {
  return descriptor->type == mux_descriptor_info_type_custom_buffer;
}

/** Tells the target what a pointer may reach. A later allocation at the same address may be larger: what is recorded to
 * run again does not say it. */
static void tell_allocation(cl_context context, mux_descriptor_info_t *descriptor) {
  shared_memory_t memory;
  if (!is_pointer(descriptor)) return;
  if (!shared_memory_find(context, descriptor->custom_buffer_descriptor.data, &memory)) return;
  descriptor->custom_buffer_descriptor.allocation = memory.base;
  descriptor->custom_buffer_descriptor.allocation_size = memory.size;
}

static bool tells_allocations(const launch_t *launch) {
  return launch->is_enqueued && launch->code.mux_kernel->uses_allocations;
}

enum { few_descriptors = 16 };

/** Records changed descriptors: the kernel's own array stays as it is, as other threads may launch the kernel too. A
 * kernel that prints gets one more, of this device. */
static cl_int record_changed(mux_command_buffer_t command_buffer, const launch_t *launch) {
  mux_descriptor_info_t few[few_descriptors];
  const uint32_t own = launch->kernel->info->arg_count, count = own + (launch->on->printf_stream != NULL);
  mux_descriptor_info_t *descriptors = count <= few_descriptors ? few : malloc(count * sizeof *descriptors);
  if (!descriptors) return CL_OUT_OF_HOST_MEMORY;
  memcpy(descriptors, launch->kernel->descriptors, own * sizeof *descriptors);
  if (count > own) descriptors[own] = printf_stream_descriptor(launch->on->printf_stream);
  for (uint32_t i = 0; i < own && tells_allocations(launch); i++) tell_allocation(launch->context, &descriptors[i]);
  cl_int error = record_nd_range(command_buffer, launch, descriptors, count);
  if (descriptors != few) free(descriptors);
  return error;
}

/** Whether one of the arguments is a pointer to memory without an object. */
static bool has_pointers(const launch_t *launch) {
  for (uint32_t i = 0; i < launch->kernel->info->arg_count; i++) {
    if (is_pointer(&launch->kernel->descriptors[i])) return true;
  }
  return false;
}

cl_int launch_record(mux_command_buffer_t command_buffer, const launch_t *launch) {
  if (launch->is_empty) return CL_SUCCESS;
  if (launch->on->printf_stream || (tells_allocations(launch) && has_pointers(launch)))
    return record_changed(command_buffer, launch);
  return record_nd_range(command_buffer, launch, launch->kernel->descriptors, launch->kernel->info->arg_count);
}
