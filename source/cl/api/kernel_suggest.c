/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * cl_khr_suggested_local_work_size. */
#include <string.h>

#include "cl/api/extension.h"
#include "cl/api/launch.h"
#include "cl/api/validate.h"
#include "cl/queueing/refuse.h"

static bool has_zero(const size_t *sizes, cl_uint count) {
  for (cl_uint i = 0; i < count; i++) {
    if (!sizes[i]) return true;
  }
  return false;
}

cl_int CL_API_CALL get_kernel_suggested_local_work_size_khr(cl_command_queue command_queue, cl_kernel kernel,
                                                            cl_uint work_dim, const size_t *global_work_offset,
                                                            const size_t *global_work_size,
                                                            size_t *suggested_local_work_size) {
  static const char function[] = "clGetKernelSuggestedLocalWorkSizeKHR";
  REQUIRE(queue_is_valid(command_queue), function, NULL, CL_INVALID_COMMAND_QUEUE, "not a command queue");
  cl_context context = queue_context(command_queue);
  launch_t launch = {.context = context, .kernel = kernel, .dimensions = work_dim, .local = {1, 1, 1}};
  TRY(launch_validate(function, queue_device(command_queue), global_work_offset, global_work_size, NULL, &launch));
  TRY(launch_validate_arguments(function, &launch));
  REQUIRE(global_work_size && !has_zero(global_work_size, work_dim), function, context, CL_INVALID_GLOBAL_WORK_SIZE,
          "global_work_size is null or has a zero");
  REQUIRE(suggested_local_work_size, function, context, CL_INVALID_VALUE, "suggested_local_work_size is null");
  memcpy(suggested_local_work_size, launch.local, work_dim * sizeof(size_t));
  return CL_SUCCESS;
}
