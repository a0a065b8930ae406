/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Markers and barriers: commands that record nothing; choosing their batch gives them their meaning. */
#include "cl/api/entry.h"
#include "cl/queueing/enqueue.h"
#include "cl/queueing/queue.h"
#include "cl/queueing/refuse.h"

static cl_int enqueue_sync(const enqueue_t *enqueue) {
  command_t *command;
  TRY(enqueue_begin(enqueue, &command));
  return enqueue_commit(command, CL_FALSE);
}

CL_ENTRY cl_int CL_API_CALL clEnqueueMarkerWithWaitList(cl_command_queue command_queue, cl_uint num_events_in_wait_list,
                                                        const cl_event *event_wait_list, cl_event *event) {
  const enqueue_t enqueue = {command_queue, CL_COMMAND_MARKER, num_events_in_wait_list, event_wait_list, event};
  TRY(enqueue_validate(&enqueue));
  return enqueue_sync(&enqueue);
}

CL_ENTRY cl_int CL_API_CALL clEnqueueBarrierWithWaitList(cl_command_queue command_queue,
                                                         cl_uint num_events_in_wait_list,
                                                         const cl_event *event_wait_list, cl_event *event) {
  const enqueue_t enqueue = {command_queue, CL_COMMAND_BARRIER, num_events_in_wait_list, event_wait_list, event};
  TRY(enqueue_validate(&enqueue));
  return enqueue_sync(&enqueue);
}

/* Deprecated by OpenCL 1.2; a marker without an event was an error. */
CL_ENTRY cl_int CL_API_CALL clEnqueueMarker(cl_command_queue command_queue, cl_event *event) {
  const enqueue_t enqueue = {command_queue, CL_COMMAND_MARKER, 0, NULL, event};
  TRY(enqueue_validate(&enqueue));
  REQUIRE(event, __func__, queue_context(command_queue), CL_INVALID_VALUE, "event is null");
  return enqueue_sync(&enqueue);
}

CL_ENTRY cl_int CL_API_CALL clEnqueueBarrier(cl_command_queue command_queue) {
  const enqueue_t enqueue = {command_queue, CL_COMMAND_BARRIER, 0, NULL, NULL};
  TRY(enqueue_validate(&enqueue));
  return enqueue_sync(&enqueue);
}

/* Deprecated by OpenCL 1.2: later commands of the queue wait for the events. Its codes are its own: an empty list is
 * CL_INVALID_VALUE, a bad entry CL_INVALID_EVENT. */
CL_ENTRY cl_int CL_API_CALL clEnqueueWaitForEvents(cl_command_queue command_queue, cl_uint num_events,
                                                   const cl_event *event_list) {
  const enqueue_t enqueue = {command_queue, CL_COMMAND_BARRIER, num_events, event_list, NULL};
  REQUIRE(queue_is_valid(command_queue), __func__, NULL, CL_INVALID_COMMAND_QUEUE,
          "command_queue is not a command queue");
  cl_context context = queue_context(command_queue);
  REQUIRE(num_events && event_list, __func__, context, CL_INVALID_VALUE, "there are no events");
  for (cl_uint i = 0; i < num_events; i++) {
    REQUIRE(object_is(event_list[i], object_kind_event), __func__, context, CL_INVALID_EVENT,
            "event_list[%u] is not an event", i);
  }
  TRY(enqueue_validate(&enqueue));
  return enqueue_sync(&enqueue);
}
