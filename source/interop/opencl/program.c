/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * OpenCL programs, kernels and samplers. */
#include <stdlib.h>

#include "interop/opencl/opencl.h"

/* One line of the first log that says something: messages have no newlines. */
static quern_result_t fail_build(quern_context_t context, cl_program program, cl_int error) {
  const opencl_api_t *api = opencl_api_of(context->state);
  char log[interop_message_capacity] = "";
  for (size_t i = 0; i < context->device_count && !log[0]; i++) {
    size_t size = 0;
    cl_device_id device = context->devices[i]->native;
    if (api->GetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) != CL_SUCCESS || size < 2) {
      continue;
    }
    char *text = calloc(1, size + 1);
    if (!text) break;
    (void)api->GetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, text, NULL);
    size_t length = 0;
    for (const char *c = text; *c && length < sizeof(log) - 1; c++) log[length++] = *c == '\n' ? ' ' : *c;
    free(text);
  }
  return interop_fail(quern_error_build_failed, "%s: clBuildProgram: %s (%d)", log, opencl_error_name(error), error);
}

quern_result_t opencl_create_program(quern_context_t context, const char *source, const char *options,
                                     void **out_native) {
  const opencl_api_t *api = opencl_api_of(context->state);
  cl_int error;
  cl_program program = api->CreateProgramWithSource(context->native, 1, &source, NULL, &error);
  if (error != CL_SUCCESS) return opencl_fail("clCreateProgramWithSource", error);
  error = api->BuildProgram(program, 0, NULL, options, NULL, NULL);
  if (error != CL_SUCCESS) {
    quern_result_t result = fail_build(context, program, error);
    (void)api->ReleaseProgram(program);
    return result;
  }
  *out_native = program;
  return quern_success;
}

quern_result_t opencl_create_kernel(quern_program_t program, const char *name, void **out_native) {
  cl_int error;
  cl_kernel kernel = opencl_api_of(program->context->state)->CreateKernel(program->native, name, &error);
  if (error != CL_SUCCESS) return opencl_fail("clCreateKernel", error);
  *out_native = kernel;
  return quern_success;
}

quern_result_t opencl_create_sampler(quern_context_t context, const quern_sampler_description_t *description,
                                     void **out_native) {
  static const cl_addressing_mode modes[] = {
      [quern_addressing_none] = CL_ADDRESS_NONE,
      [quern_addressing_clamp] = CL_ADDRESS_CLAMP,
      [quern_addressing_clamp_to_edge] = CL_ADDRESS_CLAMP_TO_EDGE,
      [quern_addressing_repeat] = CL_ADDRESS_REPEAT,
      [quern_addressing_mirrored_repeat] = CL_ADDRESS_MIRRORED_REPEAT,
  };
  cl_int error;
  cl_sampler sampler = opencl_api_of(context->state)
                           ->CreateSampler(context->native, description->is_normalized ? CL_TRUE : CL_FALSE,
                                           modes[description->addressing],
                                           description->is_linear ? CL_FILTER_LINEAR : CL_FILTER_NEAREST, &error);
  if (error != CL_SUCCESS) return opencl_fail("clCreateSampler", error);
  *out_native = sampler;
  return quern_success;
}
