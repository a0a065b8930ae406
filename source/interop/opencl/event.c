/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * OpenCL events: asking, waiting, being told, times. */
#include "base/log.h"
#include "interop/execution/watch.h"
#include "interop/opencl/opencl.h"

static void CL_CALLBACK notify(cl_event event, cl_int status, void *data) {
  (void)event;
  (void)status;
  interop_watch_notify(data);
}

bool opencl_watch(interop_node_t *node) {
  const opencl_api_t *api = opencl_api_of(node->context->state);
  cl_int error = api->SetEventCallback(node->native, CL_COMPLETE, notify, node);
  if (error != CL_SUCCESS) log_write(log_error, "interop: clSetEventCallback: %s", opencl_error_name(error));
  return error == CL_SUCCESS;
}

static cl_int status_of(interop_backend_state_t *state, void *event) {
  cl_int status = CL_QUEUED;
  cl_int error =
      opencl_api_of(state)->GetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL);
  return error == CL_SUCCESS ? status : error;
}

interop_outcome_t opencl_poll(interop_backend_state_t *state, void *event) {
  cl_int status = status_of(state, event);
  if (status == CL_COMPLETE) return interop_outcome_success;
  if (status > 0) return interop_outcome_running;
  interop_message_set("a command ended with %s (%d)", opencl_error_name(status), status);
  return interop_outcome_failure;
}

void opencl_wait(interop_backend_state_t *state, void *event) {
  cl_event native = event;
  /* A command that failed is an error here, too; whoever waits asks for the status. */
  (void)opencl_api_of(state)->WaitForEvents(1, &native);
}

bool opencl_has_started(interop_backend_state_t *state, void *event) { return status_of(state, event) <= CL_RUNNING; }

static uint64_t time_of(const opencl_api_t *api, cl_event event, cl_profiling_info info) {
  cl_ulong time = 0;
  return api->GetEventProfilingInfo(event, info, sizeof(time), &time, NULL) == CL_SUCCESS ? time : 0;
}

/* The device's clock may be another one: both know when the command was enqueued. */
void opencl_profile(interop_backend_state_t *state, void *event, uint64_t submitted, uint64_t *out_started,
                    uint64_t *out_ended) {
  const opencl_api_t *api = opencl_api_of(state);
  uint64_t queued = time_of(api, event, CL_PROFILING_COMMAND_QUEUED);
  uint64_t started = time_of(api, event, CL_PROFILING_COMMAND_START);
  uint64_t ended = time_of(api, event, CL_PROFILING_COMMAND_END);
  if (!queued || !started || !ended) return;
  *out_started = submitted + (started - queued);
  *out_ended = submitted + (ended - queued);
}

quern_result_t opencl_create_event(quern_context_t context, void **out_event) {
  cl_int error;
  cl_event event = opencl_api_of(context->state)->CreateUserEvent(context->native, &error);
  if (error != CL_SUCCESS) return opencl_fail("clCreateUserEvent", error);
  *out_event = event;
  return quern_success;
}

void opencl_complete_event(interop_backend_state_t *state, void *event, bool success) {
  cl_int error = opencl_api_of(state)->SetUserEventStatus(event, success ? CL_COMPLETE : CL_OUT_OF_RESOURCES);
  if (error != CL_SUCCESS) log_write(log_error, "interop: clSetUserEventStatus: %s", opencl_error_name(error));
}
