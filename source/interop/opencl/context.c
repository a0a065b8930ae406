/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * OpenCL contexts and command queues. */
#include <stdlib.h>

#include "interop/object/trace.h"
#include "interop/opencl/opencl.h"

/* ------------------------------------------------------------ contexts */

quern_result_t opencl_open_context(quern_context_t context) {
  const opencl_api_t *api = opencl_api_of(context->state);
  cl_int error;
  if (api->missing) {
    return interop_fail(quern_error_feature_not_supported, "the OpenCL library has no function %s", api->missing);
  }
  cl_device_id *devices = calloc(context->device_count, sizeof(cl_device_id));
  if (!devices) return interop_fail_memory();
  for (size_t i = 0; i < context->device_count; i++) devices[i] = context->devices[i]->native;
  const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)context->platform->native, 0};
  context->native = api->CreateContext(properties, (cl_uint)context->device_count, devices, NULL, NULL, &error);
  free((void *)devices);
  return error == CL_SUCCESS ? quern_success : opencl_fail("clCreateContext", error);
}

quern_result_t opencl_read_context(interop_backend_state_t *state, void *native, void **out_platform,
                                   void ***out_devices, size_t *out_count) {
  const opencl_api_t *api = opencl_api_of(state);
  size_t size = 0;
  if (api->missing) {
    return interop_fail(quern_error_feature_not_supported, "the OpenCL library has no function %s", api->missing);
  }
  cl_int error = api->GetContextInfo(native, CL_CONTEXT_DEVICES, 0, NULL, &size);
  if (error != CL_SUCCESS || size < sizeof(cl_device_id)) return opencl_fail("clGetContextInfo", error);
  void **devices = calloc(1, size);
  if (!devices) return interop_fail_memory();
  error = api->GetContextInfo(native, CL_CONTEXT_DEVICES, size, (void *)devices, NULL);
  if (error == CL_SUCCESS) {
    error = api->GetDeviceInfo(devices[0], CL_DEVICE_PLATFORM, sizeof(void *), (void *)out_platform, NULL);
  }
  if (error != CL_SUCCESS) {
    free((void *)devices);
    return opencl_fail("clGetContextInfo", error);
  }
  *out_devices = devices;
  *out_count = size / sizeof(cl_device_id);
  return quern_success;
}

/* ------------------------------------------------------------ queues */

/* On a device that has none out of order, groups run in order, too: each waits only for what was enqueued before. */
quern_result_t opencl_open_queue(quern_queue_t queue) {
  const interop_device_info_t *info = &queue->device->info;
  cl_command_queue_properties properties = 0;
  cl_int error;
  if (!interop_queue_is_in_order(queue)) properties = info->queue_properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
  if ((queue->flags & quern_queue_profiling) || interop_trace_is_on()) properties |= CL_QUEUE_PROFILING_ENABLE;
  cl_command_queue native = opencl_api_of(queue->context->state)
                                ->CreateCommandQueue(queue->context->native, queue->device->native, properties, &error);
  if (error != CL_SUCCESS) return opencl_fail("clCreateCommandQueue", error);
  queue->native = native;
  return quern_success;
}

quern_result_t opencl_read_queue(interop_backend_state_t *state, void *native, void **out_context, void **out_device,
                                 quern_queue_flags_t *out_flags) {
  const opencl_api_t *api = opencl_api_of(state);
  cl_command_queue_properties properties = 0;
  cl_int error = api->GetCommandQueueInfo(native, CL_QUEUE_CONTEXT, sizeof(void *), (void *)out_context, NULL);
  if (error == CL_SUCCESS) {
    error = api->GetCommandQueueInfo(native, CL_QUEUE_DEVICE, sizeof(void *), (void *)out_device, NULL);
  }
  if (error == CL_SUCCESS) {
    error = api->GetCommandQueueInfo(native, CL_QUEUE_PROPERTIES, sizeof(properties), &properties, NULL);
  }
  if (error != CL_SUCCESS) return opencl_fail("clGetCommandQueueInfo", error);
  *out_flags = 0;
  if (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) *out_flags |= quern_queue_out_of_order;
  if (properties & CL_QUEUE_PROFILING_ENABLE) *out_flags |= quern_queue_profiling;
  return quern_success;
}

void opencl_flush(quern_queue_t queue) { (void)opencl_api_of(queue->context->state)->Flush(queue->native); }
