/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Entry points of cl_khr_external_memory, found by name. */
#ifndef CL_API_EXTERNAL_MEMORY_H
#define CL_API_EXTERNAL_MEMORY_H

#include "cl/object/object.h"

cl_int CL_API_CALL enqueue_acquire_external_mem_objects_khr(cl_command_queue command_queue, cl_uint num_mem_objects,
                                                            const cl_mem *mem_objects, cl_uint num_events_in_wait_list,
                                                            const cl_event *event_wait_list, cl_event *event);
cl_int CL_API_CALL enqueue_release_external_mem_objects_khr(cl_command_queue command_queue, cl_uint num_mem_objects,
                                                            const cl_mem *mem_objects, cl_uint num_events_in_wait_list,
                                                            const cl_event *event_wait_list, cl_event *event);

#endif
