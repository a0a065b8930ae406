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

#endif
