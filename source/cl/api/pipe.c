/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Pipes. No device supports them yet. */
#include "cl/api/entry.h"
#include "cl/api/validate.h"

static cl_int refuse_pipe(const char *function, cl_context context) {
  if (!context_is_valid(context)) REFUSE(function, NULL, CL_INVALID_CONTEXT, "not a context");
  REFUSE(function, context, CL_INVALID_OPERATION, "no device of the context supports pipes");
}

CL_ENTRY cl_mem CL_API_CALL clCreatePipe(cl_context context, cl_mem_flags flags, cl_uint pipe_packet_size,
                                         cl_uint pipe_max_packets, const cl_pipe_properties *properties,
                                         cl_int *errcode_ret) {
  (void)flags, (void)pipe_packet_size, (void)pipe_max_packets, (void)properties;
  error_answer(errcode_ret, refuse_pipe(__func__, context));
  return NULL;
}

CL_ENTRY cl_int CL_API_CALL
clGetPipeInfo(cl_mem pipe, cl_pipe_info param_name, size_t param_value_size, void *param_value,
              size_t *param_value_size_ret) {  // NOLINT(readability-non-const-parameter): OpenCL's.
  (void)param_name, (void)param_value_size, (void)param_value, (void)param_value_size_ret;
  return refuse(memory_is_valid(pipe) ? pipe->context : NULL, __func__, CL_INVALID_MEM_OBJECT, "not a pipe");
}
