/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Entry points of cl_intel_global_variable_access, and the one for addresses of functions, found by name. */
#ifndef CL_API_GLOBAL_VARIABLE_H
#define CL_API_GLOBAL_VARIABLE_H

#include "cl/object/object.h"

cl_int CL_API_CALL get_device_global_variable_pointer_intel(cl_device_id device, cl_program program, const char *name,
                                                            size_t *size_ret, void **pointer_ret);
cl_int CL_API_CALL enqueue_read_global_variable_intel(cl_command_queue command_queue, cl_program program,
                                                      const char *name, cl_bool blocking_read, size_t size,
                                                      size_t offset, void *ptr, cl_uint num_events_in_wait_list,
                                                      const cl_event *event_wait_list, cl_event *event);
cl_int CL_API_CALL enqueue_write_global_variable_intel(cl_command_queue command_queue, cl_program program,
                                                       const char *name, cl_bool blocking_write, size_t size,
                                                       size_t offset, const void *ptr, cl_uint num_events_in_wait_list,
                                                       const cl_event *event_wait_list, cl_event *event);

/** Gives the address by which kernels call the function of that name, valid while the program's executable lives. The
 * module exports it and says that it is called through pointers (ReferencedIndirectlyINTEL).
 * CL_INVALID_PROGRAM. CL_INVALID_DEVICE: not one of the program's. CL_INVALID_VALUE: a null pointer.
 * CL_INVALID_PROGRAM_EXECUTABLE: nothing was built. CL_INVALID_ARG_VALUE: no such function. */
cl_int CL_API_CALL get_device_function_pointer_intel(cl_device_id device, cl_program program, const char *name,
                                                     cl_ulong *pointer_ret);

#endif
