/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Event entry points. */
#include "cl/queueing/event.h"

#include "cl/api/entry.h"
#include "cl/queueing/queue.h"
#include "cl/queueing/refuse.h"
#include "cl/queueing/terminate.h"

static cl_int create_user(const char *function, cl_context context, cl_event *out_event) {
  TRY(context_validate(function, context));
  *out_event = event_create_user(context);
  return *out_event ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

CL_ENTRY cl_event CL_API_CALL clCreateUserEvent(cl_context context, cl_int *errcode_ret) {
  cl_event event = NULL;
  cl_int error = create_user(__func__, context, &event);
  if (errcode_ret) *errcode_ret = error;
  return event;
}

CL_ENTRY cl_int CL_API_CALL clSetUserEventStatus(cl_event event, cl_int execution_status) {
  REQUIRE(event_is_valid(event) && !event->queue, __func__, NULL, CL_INVALID_EVENT, "event is not a user event");
  REQUIRE(execution_status <= CL_COMPLETE, __func__, event->context, CL_INVALID_VALUE,
          "execution_status %d is neither CL_COMPLETE nor negative", execution_status);
  REQUIRE(event_set_user(event, execution_status), __func__, event->context, CL_INVALID_OPERATION,
          "the status of the event is set already");
  return CL_SUCCESS;
}

CL_ENTRY cl_int CL_API_CALL clRetainEvent(cl_event event) {
  REQUIRE(event_is_valid(event), __func__, NULL, CL_INVALID_EVENT, "event is not an event");
  REQUIRE(object_retain_external(OBJECT(event)), __func__, NULL, CL_INVALID_EVENT, "event is released already");
  return CL_SUCCESS;
}

CL_ENTRY cl_int CL_API_CALL clReleaseEvent(cl_event event) {
  REQUIRE(event_is_valid(event), __func__, NULL, CL_INVALID_EVENT, "event is not an event");
  REQUIRE(object_release_external(OBJECT(event)), __func__, NULL, CL_INVALID_EVENT, "event is released already");
  return CL_SUCCESS;
}

/* ------------------------------------------------------------ waiting */

static cl_int check_list(const char *function, cl_uint count, const cl_event *list) {
  if (!count || !list) return refuse(NULL, function, CL_INVALID_VALUE, "there are no events");
  for (cl_uint i = 0; i < count; i++) {
    if (!event_is_valid(list[i])) return refuse(NULL, function, CL_INVALID_EVENT, "event_list[%u] is not an event", i);
  }
  for (cl_uint i = 1; i < count; i++) {
    if (list[i]->context == list[0]->context) continue;
    return refuse(list[0]->context, function, CL_INVALID_CONTEXT, "the events are of different contexts");
  }
  return CL_SUCCESS;
}

/* The specification has the application flush; a wait that cannot end helps nobody. */
static void flush_queues(cl_uint count, const cl_event *list) {
  cl_command_queue flushed = NULL;
  for (cl_uint i = 0; i < count; i++) {
    cl_command_queue queue = list[i]->queue;
    if (!queue || queue == flushed || event_is_final(list[i])) continue;
    queue_flush(queue);
    flushed = queue;
  }
}

/* True when none of the events was terminated. */
static bool wait_for_all(cl_uint count, const cl_event *list) {
  bool failed = false;
  flush_queues(count, list);
  for (cl_uint i = 0; i < count; i++) {
    event_wait(list[i]);
    failed |= atomic_load(&list[i]->status) < 0;
  }
  return !failed;
}

CL_ENTRY cl_int CL_API_CALL clWaitForEvents(cl_uint num_events, const cl_event *event_list) {
  TRY(check_list(__func__, num_events, event_list));
  /* Others may release the events meanwhile; who waits for a user event then waits on (5.11, clReleaseEvent). */
  for (cl_uint i = 0; i < num_events; i++) object_hold(OBJECT(event_list[i]));
  cl_int error = CL_SUCCESS;
  if (!wait_for_all(num_events, event_list)) {
    error = refuse(event_list[0]->context, __func__, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
                   "an event was terminated");
  }
  for (cl_uint i = 0; i < num_events; i++) object_drop(OBJECT(event_list[i]));
  return error;
}

/* ------------------------------------------------------------ queries */

static cl_int answer(cl_event event, cl_event_info name, size_t capacity, void *out_value, size_t *out_size) {
  const cl_uint references = atomic_load(&OBJECT(event)->external_count);
  switch (name) {
    case CL_EVENT_COMMAND_QUEUE:
      return info_answer(capacity, out_value, out_size, &event->queue, sizeof(cl_command_queue));
    case CL_EVENT_CONTEXT: return info_answer(capacity, out_value, out_size, &event->context, sizeof(cl_context));
    case CL_EVENT_COMMAND_TYPE: return info_answer(capacity, out_value, out_size, &event->type, sizeof event->type);
    case CL_EVENT_REFERENCE_COUNT: return info_answer(capacity, out_value, out_size, &references, sizeof references);
    case CL_EVENT_COMMAND_EXECUTION_STATUS: {
      const cl_int status = event_poll(event);
      return info_answer(capacity, out_value, out_size, &status, sizeof status);
    }
    default: return CL_INVALID_VALUE;
  }
}

CL_ENTRY cl_int CL_API_CALL clGetEventInfo(cl_event event, cl_event_info param_name, size_t param_value_size,
                                           void *param_value, size_t *param_value_size_ret) {
  REQUIRE(event_is_valid(event), __func__, NULL, CL_INVALID_EVENT, "event is not an event");
  cl_int error = answer(event, param_name, param_value_size, param_value, param_value_size_ret);
  REQUIRE(!error, __func__, event->context, error, "query 0x%x is unknown, or its answer needs more than %zu bytes",
          param_name, param_value_size);
  return CL_SUCCESS;
}

static const uint64_t *profiling_value(cl_event event, cl_profiling_info name) {
  switch (name) {
    case CL_PROFILING_COMMAND_QUEUED: return &event->queued;
    case CL_PROFILING_COMMAND_SUBMIT: return &event->submitted;
    case CL_PROFILING_COMMAND_START: return &event->started;
    case CL_PROFILING_COMMAND_END: return &event->ended;
    case CL_PROFILING_COMMAND_COMPLETE: return &event->completed;
    default: return NULL;
  }
}

CL_ENTRY cl_int CL_API_CALL clGetEventProfilingInfo(cl_event event, cl_profiling_info param_name,
                                                    size_t param_value_size, void *param_value,
                                                    size_t *param_value_size_ret) {
  REQUIRE(event_is_valid(event), __func__, NULL, CL_INVALID_EVENT, "event is not an event");
  REQUIRE(event->profiled && event_status(event) == CL_COMPLETE, __func__, event->context,
          CL_PROFILING_INFO_NOT_AVAILABLE,
          "the queue had no profiling, the command is not complete, or it is a user event");
  const uint64_t *time = profiling_value(event, param_name);
  REQUIRE(time, __func__, event->context, CL_INVALID_VALUE, "query 0x%x is unknown", param_name);
  const cl_ulong value = *time;
  REQUIRE(!info_answer(param_value_size, param_value, param_value_size_ret, &value, sizeof value), __func__,
          event->context, CL_INVALID_VALUE, "the answer needs more than %zu bytes", param_value_size);
  return CL_SUCCESS;
}

CL_ENTRY cl_int CL_API_CALL clSetEventCallback(cl_event event, cl_int command_exec_callback_type,
                                               void(CL_CALLBACK *pfn_notify)(cl_event, cl_int, void *),
                                               void *user_data) {
  REQUIRE(event_is_valid(event), __func__, NULL, CL_INVALID_EVENT, "event is not an event");
  REQUIRE(pfn_notify, __func__, event->context, CL_INVALID_VALUE, "pfn_notify is null");
  REQUIRE(command_exec_callback_type >= CL_COMPLETE && command_exec_callback_type <= CL_SUBMITTED, __func__,
          event->context, CL_INVALID_VALUE, "status %d cannot have a callback", command_exec_callback_type);
  REQUIRE(event_add_callback(event, command_exec_callback_type, pfn_notify, user_data), __func__, event->context,
          CL_OUT_OF_HOST_MEMORY, "out of memory");
  return CL_SUCCESS;
}
