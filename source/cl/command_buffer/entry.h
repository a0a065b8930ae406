/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Entry points of cl_khr_command_buffer and cl_khr_command_buffer_mutable_dispatch, found by name. */
#ifndef CL_COMMAND_BUFFER_ENTRY_H
#define CL_COMMAND_BUFFER_ENTRY_H

#include "cl/api/command_buffer_declarations.h"
#include "cl/object/object.h"

cl_command_buffer_khr CL_API_CALL create_command_buffer_khr(cl_uint num_queues, const cl_command_queue *queues,
                                                            const cl_command_buffer_properties_khr *properties,
                                                            cl_int *errcode_ret);
cl_int CL_API_CALL finalize_command_buffer_khr(cl_command_buffer_khr command_buffer);
cl_int CL_API_CALL retain_command_buffer_khr(cl_command_buffer_khr command_buffer);
cl_int CL_API_CALL release_command_buffer_khr(cl_command_buffer_khr command_buffer);
cl_int CL_API_CALL enqueue_command_buffer_khr(cl_uint num_queues, cl_command_queue *queues,
                                              cl_command_buffer_khr command_buffer, cl_uint num_events_in_wait_list,
                                              const cl_event *event_wait_list, cl_event *event);
cl_int CL_API_CALL get_command_buffer_info_khr(cl_command_buffer_khr command_buffer,
                                               cl_command_buffer_info_khr param_name, size_t param_value_size,
                                               void *param_value, size_t *param_value_size_ret);

cl_int CL_API_CALL command_barrier_with_wait_list_khr(QUERN_COMMAND_HEAD, QUERN_COMMAND_TAIL);
cl_int CL_API_CALL command_copy_buffer_khr(QUERN_COMMAND_HEAD, cl_mem src_buffer, cl_mem dst_buffer, size_t src_offset,
                                           size_t dst_offset, size_t size, QUERN_COMMAND_TAIL);
cl_int CL_API_CALL command_copy_buffer_rect_khr(QUERN_COMMAND_HEAD, cl_mem src_buffer, cl_mem dst_buffer,
                                                const size_t *src_origin, const size_t *dst_origin,
                                                const size_t *region, size_t src_row_pitch, size_t src_slice_pitch,
                                                size_t dst_row_pitch, size_t dst_slice_pitch, QUERN_COMMAND_TAIL);
cl_int CL_API_CALL command_fill_buffer_khr(QUERN_COMMAND_HEAD, cl_mem buffer, const void *pattern, size_t pattern_size,
                                           size_t offset, size_t size, QUERN_COMMAND_TAIL);
cl_int CL_API_CALL command_svm_memcpy_khr(QUERN_COMMAND_HEAD, void *dst_ptr, const void *src_ptr, size_t size,
                                          QUERN_COMMAND_TAIL);
cl_int CL_API_CALL command_svm_mem_fill_khr(QUERN_COMMAND_HEAD, void *svm_ptr, const void *pattern, size_t pattern_size,
                                            size_t size, QUERN_COMMAND_TAIL);
cl_int CL_API_CALL command_copy_buffer_to_image_khr(QUERN_COMMAND_HEAD, cl_mem src_buffer, cl_mem dst_image,
                                                    size_t src_offset, const size_t *dst_origin, const size_t *region,
                                                    QUERN_COMMAND_TAIL);
cl_int CL_API_CALL command_copy_image_khr(QUERN_COMMAND_HEAD, cl_mem src_image, cl_mem dst_image,
                                          const size_t *src_origin, const size_t *dst_origin, const size_t *region,
                                          QUERN_COMMAND_TAIL);
cl_int CL_API_CALL command_copy_image_to_buffer_khr(QUERN_COMMAND_HEAD, cl_mem src_image, cl_mem dst_buffer,
                                                    const size_t *src_origin, const size_t *region, size_t dst_offset,
                                                    QUERN_COMMAND_TAIL);
cl_int CL_API_CALL command_fill_image_khr(QUERN_COMMAND_HEAD, cl_mem image, const void *fill_color,
                                          const size_t *origin, const size_t *region, QUERN_COMMAND_TAIL);
cl_int CL_API_CALL command_nd_range_kernel_khr(QUERN_COMMAND_HEAD, cl_kernel kernel, cl_uint work_dim,
                                               const size_t *global_work_offset, const size_t *global_work_size,
                                               const size_t *local_work_size, QUERN_COMMAND_TAIL);

cl_int CL_API_CALL update_mutable_commands_khr(cl_command_buffer_khr command_buffer, cl_uint num_configs,
                                               const quern_command_buffer_update_type *config_types,
                                               const void **configs);
cl_int CL_API_CALL get_mutable_command_info_khr(cl_mutable_command_khr command, cl_mutable_command_info_khr param_name,
                                                size_t param_value_size, void *param_value,
                                                size_t *param_value_size_ret);

#endif
