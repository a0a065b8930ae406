/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * clGetKernelSubGroupInfo. */
#include "cl/api/entry.h"
#include "cl/object/mux_error.h"
#include "cl/program/kernel.h"
#include "cl/queueing/refuse.h"

enum { dimensions = 3 };

/** A query on its way. */
typedef struct query_t {
  cl_kernel kernel;
  const kernel_device_t *on;
  size_t input_size;
  const void *input;
  size_t capacity;
  void *out_value;
  size_t *out_size;
} query_t;

static cl_int answer(const query_t *query, size_t value) {
  return info_answer(query->capacity, query->out_value, query->out_size, &value, sizeof value);
}

/** Reads a local size of one to three dimensions; those that are missing are 1. */
static cl_int read_local_size(const query_t *query, size_t *size) {
  cl_context context = query->kernel->program->context;
  size_t count = query->input_size / sizeof(size_t);
  REQUIRE(query->input && count >= 1 && count <= dimensions && query->input_size % sizeof(size_t) == 0, __func__,
          context, CL_INVALID_VALUE, "a local size of %zu bytes", query->input ? query->input_size : 0);
  const size_t *given = query->input;
  for (size_t d = 0; d < dimensions; d++) {
    size[d] = d < count ? given[d] : 1;
    REQUIRE(size[d] && size[d] <= query->on->limits.maximum[d], __func__, context, CL_INVALID_VALUE,
            "a local size of %zu in dimension %zu", size[d], d);
  }
  return CL_SUCCESS;
}

static cl_int answer_for_range(const query_t *query, bool wants_count) {
  size_t local[dimensions], size = 1;
  TRY(read_local_size(query, local));
  /* What the built-in function get_max_sub_group_size gives: a required size also where a work-group has fewer. */
  const size_t largest[dimensions] = {query->on->device->info->max_work_group_size_x, 1, 1};
  const size_t *asked = query->kernel->info->reqd_sub_group_size ? largest : local;
  mux_result_t result = muxQuerySubGroupSizeForLocalSize(query->on->mux_kernel, asked[0], asked[1], asked[2], &size);
  TRY(error_from_mux(result, CL_OUT_OF_RESOURCES));
  size_t items = local[0] * local[1] * local[2]; /* no dimension is longer than a work-group: never too large */
  return answer(query, wants_count ? (items + size - 1) / size : size);
}

/** The answer has as many dimensions as there is room for. */
static cl_int answer_local_size(const query_t *query) {
  cl_context context = query->kernel->program->context;
  REQUIRE(query->input && query->input_size == sizeof(size_t), __func__, context, CL_INVALID_VALUE,
          "a number of sub-groups of %zu bytes", query->input ? query->input_size : 0);
  size_t count = query->out_value ? query->capacity / sizeof(size_t) : 1;
  REQUIRE(count >= 1 && count <= dimensions && (!query->out_value || query->capacity % sizeof(size_t) == 0), __func__,
          context, CL_INVALID_VALUE, "a local size of %zu bytes", query->capacity);
  size_t sub_groups = *(const size_t *)query->input, local[dimensions] = {0};
  if (sub_groups) {
    mux_result_t result =
        muxQueryLocalSizeForSubGroupCount(query->on->mux_kernel, sub_groups, &local[0], &local[1], &local[2]);
    TRY(error_from_mux(result, CL_OUT_OF_RESOURCES));
  }
  return info_answer(query->capacity, query->out_value, query->out_size, local, count * sizeof(size_t));
}

static cl_int answer_most(const query_t *query) {
  size_t most = 0;
  TRY(error_from_mux(muxQueryMaxNumSubGroups(query->on->mux_kernel, &most), CL_OUT_OF_RESOURCES));
  return answer(query, most);
}

CL_ENTRY cl_int CL_API_CALL clGetKernelSubGroupInfo(cl_kernel kernel, cl_device_id device,
                                                    cl_kernel_sub_group_info param_name, size_t input_value_size,
                                                    const void *input_value, size_t param_value_size, void *param_value,
                                                    size_t *param_value_size_ret) {
  REQUIRE(kernel_is_valid(kernel), __func__, NULL, CL_INVALID_KERNEL, "not a kernel");
  const kernel_device_t *on = kernel_queried_device(kernel, device);
  cl_context context = kernel->program->context;
  REQUIRE(on, __func__, context, CL_INVALID_DEVICE, "the kernel is not built for that device, or for several");
  REQUIRE(on->device->info->max_sub_group_count, __func__, context, CL_INVALID_OPERATION,
          "the device does not support sub-groups");
  const query_t query = {kernel,           on,          input_value_size,    input_value,
                         param_value_size, param_value, param_value_size_ret};
  switch (param_name) {
    case CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE: return answer_for_range(&query, false);
    case CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE: return answer_for_range(&query, true);
    case CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT: return answer_local_size(&query);
    case CL_KERNEL_MAX_NUM_SUB_GROUPS: return answer_most(&query);
    case CL_KERNEL_COMPILE_NUM_SUB_GROUPS: return answer(&query, kernel->info->reqd_sub_group_count);
    case CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL: return answer(&query, kernel->info->reqd_sub_group_size);
    default: return refuse(context, __func__, CL_INVALID_VALUE, "unknown query 0x%x", param_name);
  }
}
