/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * References to OpenCL objects of all kinds, and their contexts. */
#include "base/log.h"
#include "interop/opencl/opencl.h"

quern_result_t opencl_retain(interop_backend_state_t *state, quern_object_t object, void *native) {
  const opencl_api_t *api = opencl_api_of(state);
  cl_int error = CL_INVALID_VALUE;
  switch (object) {
    case quern_object_device: error = api->RetainDevice(native); break;
    case quern_object_context: error = api->RetainContext(native); break;
    case quern_object_queue: error = api->RetainCommandQueue(native); break;
    case quern_object_event: error = api->RetainEvent(native); break;
    case quern_object_buffer:
    case quern_object_image: error = api->RetainMemObject(native); break;
    case quern_object_program: error = api->RetainProgram(native); break;
    case quern_object_kernel: error = api->RetainKernel(native); break;
    case quern_object_sampler: error = api->RetainSampler(native); break;
    default: break;
  }
  return error == CL_SUCCESS ? quern_success : opencl_fail("clRetain...", error);
}

void opencl_release(interop_backend_state_t *state, quern_object_t object, void *native) {
  const opencl_api_t *api = opencl_api_of(state);
  cl_int error = CL_INVALID_VALUE;
  switch (object) {
    case quern_object_device: error = api->ReleaseDevice(native); break;
    case quern_object_context: error = api->ReleaseContext(native); break;
    case quern_object_queue: error = api->ReleaseCommandQueue(native); break;
    case quern_object_event: error = api->ReleaseEvent(native); break;
    case quern_object_buffer:
    case quern_object_image: error = api->ReleaseMemObject(native); break;
    case quern_object_program: error = api->ReleaseProgram(native); break;
    case quern_object_kernel: error = api->ReleaseKernel(native); break;
    case quern_object_sampler: error = api->ReleaseSampler(native); break;
    default: break;
  }
  if (error != CL_SUCCESS) log_write(log_error, "interop: clRelease...: %s (%d)", opencl_error_name(error), error);
}

quern_result_t opencl_find_context(interop_backend_state_t *state, quern_object_t object, void *native,
                                   void **out_context) {
  const opencl_api_t *api = opencl_api_of(state);
  cl_context context = NULL;
  void *value = (void *)&context;
  size_t size = sizeof(cl_context);
  cl_int error = CL_INVALID_VALUE;
  switch (object) {
    case quern_object_queue: error = api->GetCommandQueueInfo(native, CL_QUEUE_CONTEXT, size, value, NULL); break;
    case quern_object_event: error = api->GetEventInfo(native, CL_EVENT_CONTEXT, size, value, NULL); break;
    case quern_object_buffer:
    case quern_object_image: error = api->GetMemObjectInfo(native, CL_MEM_CONTEXT, size, value, NULL); break;
    case quern_object_program: error = api->GetProgramInfo(native, CL_PROGRAM_CONTEXT, size, value, NULL); break;
    case quern_object_kernel: error = api->GetKernelInfo(native, CL_KERNEL_CONTEXT, size, value, NULL); break;
    case quern_object_sampler: error = api->GetSamplerInfo(native, CL_SAMPLER_CONTEXT, size, value, NULL); break;
    default: break;
  }
  if (error != CL_SUCCESS) return opencl_fail("clGet...Info", error);
  *out_context = context;
  return quern_success;
}
