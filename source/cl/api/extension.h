/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Extension functions, which applications find by name: listed in extension_functions.def. */
#ifndef CL_API_EXTENSION_H
#define CL_API_EXTENSION_H

#include "cl/object/object.h"

/** clCreateCommandQueueWithPropertiesKHR */
cl_command_queue CL_API_CALL create_command_queue_with_properties_khr(cl_context context, cl_device_id device,
                                                                      const cl_queue_properties_khr *properties,
                                                                      cl_int *errcode_ret);

/** clGetKernelSuggestedLocalWorkSizeKHR */
cl_int CL_API_CALL get_kernel_suggested_local_work_size_khr(cl_command_queue command_queue, cl_kernel kernel,
                                                            cl_uint work_dim, const size_t *global_work_offset,
                                                            const size_t *global_work_size,
                                                            size_t *suggested_local_work_size);

/** clCreateBufferWithPropertiesINTEL */
cl_mem CL_API_CALL create_buffer_with_properties_intel(cl_context context, const cl_mem_properties_intel *properties,
                                                       cl_mem_flags flags, size_t size, void *host_ptr,
                                                       cl_int *errcode_ret);

/** clSetKernelArgDevicePointerEXT; `arg_value` is a cl_mem_device_address_ext. */
cl_int CL_API_CALL set_kernel_arg_device_pointer_ext(cl_kernel kernel, cl_uint arg_index, cl_ulong arg_value);

/** clCreateProgramWithILKHR */
cl_program CL_API_CALL create_program_with_il_khr(cl_context context, const void *il, size_t length,
                                                  cl_int *errcode_ret);

#endif
