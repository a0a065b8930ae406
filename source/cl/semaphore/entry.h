/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Entry points of cl_khr_semaphore and cl_khr_external_semaphore, found by name. */
#ifndef CL_SEMAPHORE_ENTRY_H
#define CL_SEMAPHORE_ENTRY_H

#include "cl/object/object.h"

/* Of later revisions than older headers have. */
typedef cl_properties cl_semaphore_reimport_properties_khr;

cl_semaphore_khr CL_API_CALL create_semaphore_with_properties_khr(cl_context context,
                                                                  const cl_semaphore_properties_khr *sema_props,
                                                                  cl_int *errcode_ret);
cl_int CL_API_CALL retain_semaphore_khr(cl_semaphore_khr sema_object);
cl_int CL_API_CALL release_semaphore_khr(cl_semaphore_khr sema_object);
cl_int CL_API_CALL get_semaphore_info_khr(cl_semaphore_khr sema_object, cl_semaphore_info_khr param_name,
                                          size_t param_value_size, void *param_value, size_t *param_value_size_ret);
cl_int CL_API_CALL get_semaphore_handle_for_type_khr(cl_semaphore_khr sema_object, cl_device_id device,
                                                     cl_external_semaphore_handle_type_khr handle_type,
                                                     size_t handle_size, void *handle_ptr, size_t *handle_size_ret);
cl_int CL_API_CALL reimport_semaphore_sync_fd_khr(cl_semaphore_khr sema_object,
                                                  cl_semaphore_reimport_properties_khr *reimport_props, int fd);
/** Binary semaphores have no payload: `sema_payload_list` is ignored, here and in the next one. */
cl_int CL_API_CALL enqueue_wait_semaphores_khr(cl_command_queue command_queue, cl_uint num_sema_objects,
                                               const cl_semaphore_khr *sema_objects,
                                               const cl_semaphore_payload_khr *sema_payload_list,
                                               cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                               cl_event *event);
cl_int CL_API_CALL enqueue_signal_semaphores_khr(cl_command_queue command_queue, cl_uint num_sema_objects,
                                                 const cl_semaphore_khr *sema_objects,
                                                 const cl_semaphore_payload_khr *sema_payload_list,
                                                 cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                                 cl_event *event);

#endif
