/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Entry points of cl_intel_unified_shared_memory, found by name. */
#ifndef CL_API_USM_H
#define CL_API_USM_H

#include "cl/object/object.h"

void *CL_API_CALL host_mem_alloc_intel(cl_context context, const cl_mem_properties_intel *properties, size_t size,
                                       cl_uint alignment, cl_int *errcode_ret);
void *CL_API_CALL device_mem_alloc_intel(cl_context context, cl_device_id device,
                                         const cl_mem_properties_intel *properties, size_t size, cl_uint alignment,
                                         cl_int *errcode_ret);
/** `device` may be null. */
void *CL_API_CALL shared_mem_alloc_intel(cl_context context, cl_device_id device,
                                         const cl_mem_properties_intel *properties, size_t size, cl_uint alignment,
                                         cl_int *errcode_ret);
/** `ptr` is the first byte of an allocation, or null. */
cl_int CL_API_CALL mem_free_intel(cl_context context, void *ptr);
/** Waits first for everything enqueued on the context's queues. */
cl_int CL_API_CALL mem_blocking_free_intel(cl_context context, void *ptr);
/** `ptr` may be any address. */
cl_int CL_API_CALL get_mem_alloc_info_intel(cl_context context, const void *ptr, cl_mem_info_intel param_name,
                                            size_t param_value_size, void *param_value, size_t *param_value_size_ret);
cl_int CL_API_CALL set_kernel_arg_mem_pointer_intel(cl_kernel kernel, cl_uint arg_index, const void *arg_value);
cl_int CL_API_CALL enqueue_mem_fill_intel(cl_command_queue queue, void *dst_ptr, const void *pattern,
                                          size_t pattern_size, size_t size, cl_uint num_events_in_wait_list,
                                          const cl_event *event_wait_list, cl_event *event);
cl_int CL_API_CALL enqueue_memset_intel(cl_command_queue queue, void *dst_ptr, cl_int value, size_t size,
                                        cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                        cl_event *event);
cl_int CL_API_CALL enqueue_memcpy_intel(cl_command_queue queue, cl_bool blocking, void *dst_ptr, const void *src_ptr,
                                        size_t size, cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                        cl_event *event);
cl_int CL_API_CALL enqueue_migrate_mem_intel(cl_command_queue queue, const void *ptr, size_t size,
                                             cl_mem_migration_flags flags, cl_uint num_events_in_wait_list,
                                             const cl_event *event_wait_list, cl_event *event);
cl_int CL_API_CALL enqueue_mem_advise_intel(cl_command_queue queue, const void *ptr, size_t size,
                                            cl_mem_advice_intel advice, cl_uint num_events_in_wait_list,
                                            const cl_event *event_wait_list, cl_event *event);

#endif
