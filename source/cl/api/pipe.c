/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Pipes: creation and queries (OpenCL API section 5.4). */
#include "compiler/pipe.h"

#include "cl/api/entry.h"
#include "cl/api/validate.h"
#include "cl/device/capability.h"
#include "cl/queueing/refuse.h"
#include "cl/queueing/terminate.h"

enum { access_flags = CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS };

static cl_int create_pipe(const char *function, cl_context context, cl_mem_flags flags, cl_uint packet_size,
                          cl_uint max_packets, const cl_pipe_properties *properties, cl_mem *out_pipe) {
  TRY(context_validate(function, context));
  REQUIRE(pipes_supported(context->mux_device->info), function, context, CL_INVALID_OPERATION,
          "no device of the context supports pipes");
  REQUIRE(!(flags & ~(cl_mem_flags)access_flags), function, context, CL_INVALID_VALUE,
          "flags 0x%llx: a pipe may have CL_MEM_READ_WRITE and CL_MEM_HOST_NO_ACCESS", (unsigned long long)flags);
  REQUIRE(!properties, function, context, CL_INVALID_VALUE, "there are no properties of pipes");
  REQUIRE(packet_size && packet_size <= PIPE_MAX_PACKET_SIZE && max_packets, function, context, CL_INVALID_PIPE_SIZE,
          "%u packets of %u bytes; at least one, and at most %u bytes", max_packets, packet_size,
          (cl_uint)PIPE_MAX_PACKET_SIZE);
  REQUIRE(pipe_memory_size(packet_size, max_packets) <= context->mux_device->info->allocation_size, function, context,
          CL_MEM_OBJECT_ALLOCATION_FAILURE, "%u packets of %u bytes are more than a device allocates", max_packets,
          packet_size);
  cl_int error =
      memory_create_pipe(context, flags ? flags : (cl_mem_flags)access_flags, packet_size, max_packets, out_pipe);
  if (error != CL_SUCCESS) {
    REFUSE(function, context, error, "no memory for %u packets of %u bytes", max_packets, packet_size);
  }
  return CL_SUCCESS;
}

CL_ENTRY cl_mem CL_API_CALL clCreatePipe(cl_context context, cl_mem_flags flags, cl_uint pipe_packet_size,
                                         cl_uint pipe_max_packets, const cl_pipe_properties *properties,
                                         cl_int *errcode_ret) {
  cl_mem pipe = NULL;
  cl_int error = create_pipe(__func__, context, flags, pipe_packet_size, pipe_max_packets, properties, &pipe);
  error_answer(errcode_ret, error);
  return pipe;
}

CL_ENTRY cl_int CL_API_CALL clGetPipeInfo(cl_mem pipe, cl_pipe_info param_name, size_t param_value_size,
                                          void *param_value, size_t *param_value_size_ret) {
  REQUIRE(memory_is_pipe(pipe), __func__, memory_is_valid(pipe) ? pipe->context : NULL, CL_INVALID_MEM_OBJECT,
          "not a pipe");
#define ANSWER(value) return info_answer(param_value_size, param_value, param_value_size_ret, &(value), sizeof(value))
  switch (param_name) {
    case CL_PIPE_PACKET_SIZE: ANSWER(pipe->packet_size);
    case CL_PIPE_MAX_PACKETS: ANSWER(pipe->packet_capacity);
    /* None can be given: the list that was null has no elements. */
    case CL_PIPE_PROPERTIES: return info_answer(param_value_size, param_value, param_value_size_ret, NULL, 0);
    default: return refuse(pipe->context, __func__, CL_INVALID_VALUE, "unknown query 0x%x", param_name);
  }
#undef ANSWER
}
