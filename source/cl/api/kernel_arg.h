/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Setting a kernel's argument, for several entry points. */
#ifndef CL_API_KERNEL_ARG_H
#define CL_API_KERNEL_ARG_H

#include "cl/program/kernel.h"

/** The errors of clSetKernelArg. */
cl_int set_kernel_argument(const char *function, cl_kernel kernel, cl_uint arg_index, size_t arg_size,
                           const void *arg_value);

#endif
