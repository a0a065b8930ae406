/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Samplers. They need a device with images, and no device has them yet. */
#include "cl/api/entry.h"
#include "cl/api/validate.h"

static cl_int refuse_sampler(const char *function, cl_context context) {
  if (!context_is_valid(context)) REFUSE(function, NULL, CL_INVALID_CONTEXT, "not a context");
  REFUSE(function, context, CL_INVALID_OPERATION, "no device of the context supports images");
}

CL_ENTRY cl_sampler CL_API_CALL clCreateSamplerWithProperties(cl_context context,
                                                              const cl_sampler_properties *sampler_properties,
                                                              cl_int *errcode_ret) {
  (void)sampler_properties;
  error_answer(errcode_ret, refuse_sampler(__func__, context));
  return NULL;
}

CL_ENTRY cl_sampler CL_API_CALL clCreateSampler(cl_context context, cl_bool normalized_coords,
                                                cl_addressing_mode addressing_mode, cl_filter_mode filter_mode,
                                                cl_int *errcode_ret) {
  (void)normalized_coords, (void)addressing_mode, (void)filter_mode;
  error_answer(errcode_ret, refuse_sampler(__func__, context));
  return NULL;
}

CL_ENTRY cl_int CL_API_CALL clRetainSampler(cl_sampler sampler) {
  return refuse(NULL, __func__, CL_INVALID_SAMPLER, "%p is not a sampler", (void *)sampler);
}

CL_ENTRY cl_int CL_API_CALL clReleaseSampler(cl_sampler sampler) {
  return refuse(NULL, __func__, CL_INVALID_SAMPLER, "%p is not a sampler", (void *)sampler);
}

CL_ENTRY cl_int CL_API_CALL
clGetSamplerInfo(cl_sampler sampler, cl_sampler_info param_name, size_t param_value_size, void *param_value,
                 size_t *param_value_size_ret) {  // NOLINT(readability-non-const-parameter): OpenCL's.
  (void)param_name, (void)param_value_size, (void)param_value, (void)param_value_size_ret;
  return refuse(NULL, __func__, CL_INVALID_SAMPLER, "%p is not a sampler", (void *)sampler);
}
