/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Launching kernels. */
#include "cl/api/entry.h"
#include "cl/api/launch.h"
#include "cl/api/validate.h"

static void drain_printf(void *data, cl_int status) {
  (void)status;
  printf_stream_drain(data);
}

static cl_int hold(void *command, object_t *object) { return command_hold(command, object); }

/** Output is printed before the executable, which has the formats, may go. */
static cl_int record_launch(command_t *command, const launch_t *launch) {
  if (launch->is_empty) return CL_SUCCESS;
  if (launch->on->printf_stream) TRY(command_on_completion(command, drain_printf, launch->on->printf_stream));
  TRY(launch_for_each_object(launch, hold, command));
  return launch_record(enqueue_command_buffer(command), launch);
}

static cl_int enqueue_launch(const char *function, const enqueue_t *enqueue, launch_t *launch, const size_t *offset,
                             const size_t *global, const size_t *local) {
  TRY(enqueue_validate(enqueue));
  launch->context = queue_context(enqueue->queue);
  launch->is_enqueued = true;
  TRY(launch_validate(function, queue_device(enqueue->queue), offset, global, local, launch));
  TRY(launch_validate_arguments(function, launch));
  launch_choose_code(launch);
  command_t *command;
  TRY(enqueue_begin(enqueue, &command));
  return enqueue_end(command, record_launch(command, launch), CL_FALSE);
}

CL_ENTRY cl_int CL_API_CALL clEnqueueNDRangeKernel(cl_command_queue command_queue, cl_kernel kernel, cl_uint work_dim,
                                                   const size_t *global_work_offset, const size_t *global_work_size,
                                                   const size_t *local_work_size, cl_uint num_events_in_wait_list,
                                                   const cl_event *event_wait_list, cl_event *event) {
  const enqueue_t enqueue = {command_queue, CL_COMMAND_NDRANGE_KERNEL, num_events_in_wait_list, event_wait_list, event};
  launch_t launch = {.kernel = kernel, .dimensions = work_dim, .local = {1, 1, 1}};
  return enqueue_launch(__func__, &enqueue, &launch, global_work_offset, global_work_size, local_work_size);
}

CL_ENTRY cl_int CL_API_CALL clEnqueueTask(cl_command_queue command_queue, cl_kernel kernel,
                                          cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                          cl_event *event) {
  static const size_t one = 1;
  const enqueue_t enqueue = {command_queue, CL_COMMAND_TASK, num_events_in_wait_list, event_wait_list, event};
  launch_t launch = {.kernel = kernel, .dimensions = 1, .local = {1, 1, 1}};
  return enqueue_launch(__func__, &enqueue, &launch, NULL, &one, &one);
}
