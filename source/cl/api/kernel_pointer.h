/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Setting addresses as arguments, and checking execution information, for several entry points. */
#ifndef CL_API_KERNEL_POINTER_H
#define CL_API_KERNEL_POINTER_H

#include "cl/program/kernel.h"

/** CL_INVALID_KERNEL. CL_INVALID_OPERATION: no device of the context shares the host's memory. CL_INVALID_ARG_INDEX.
 * CL_INVALID_ARG_VALUE: the argument is no pointer to global or constant memory. `pointer` may be anything. */
cl_int set_kernel_pointer(const char *function, cl_kernel kernel, cl_uint index, const void *pointer);

/** CL_INVALID_VALUE: a name that is not known, a size that does not fit it, no value. CL_INVALID_OPERATION: asks for
 * what no device of the context has. The kernel is valid. */
cl_int validate_exec_info(const char *function, cl_kernel kernel, cl_kernel_exec_info name, size_t size,
                          const void *value);

#endif
