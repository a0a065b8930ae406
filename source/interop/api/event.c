/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Public functions on events. */
#include "quern/event.h"

#include <stdlib.h>

#include "interop/execution/wait.h"
#include "interop/object/runtime.h"
#include "interop/object/task.h"

quern_result_t quern_event_retain(quern_event_t event) {
  quern_result_t result = interop_event_check(event);
  if (result == quern_success) interop_node_hold(event);
  return result;
}

quern_result_t quern_event_release(quern_event_t event) {
  quern_result_t result = interop_event_check(event);
  if (result == quern_success) interop_node_drop(event);
  return result;
}

static quern_result_t outcome_of(const interop_node_t *event) {
  if (event->result == quern_success) return quern_success;
  return interop_fail(event->result, "%s", event->message ? event->message : quern_result_text(event->result));
}

quern_result_t quern_event_wait(quern_event_t event) {
  quern_result_t result = interop_event_check(event);
  if (result == quern_success) result = interop_task_check_wait();
  if (result != quern_success) return result;
  interop_graph_wait(event);
  return outcome_of(event);
}

quern_result_t quern_event_wait_for(quern_event_t event, uint64_t nanoseconds) {
  quern_result_t result = interop_event_check(event);
  if (result == quern_success) result = interop_task_check_wait();
  if (result != quern_success) return result;
  if (interop_graph_wait_until(event, interop_graph_deadline(nanoseconds))) return outcome_of(event);
  return interop_fail(quern_error_timed_out, "the group is not complete");
}

quern_result_t quern_event_set_callback(quern_event_t event, quern_event_callback_t function, void *data) {
  quern_result_t result = interop_event_check(event);
  if (result != quern_success) return result;
  if (!function) return interop_fail(quern_error_invalid_argument, "null pointer for the callback");
  interop_callback_t *callback = malloc(sizeof(*callback));
  if (!callback) return interop_fail_memory();
  interop_graph_lock();
  bool is_complete = event->state == interop_state_complete;
  if (!is_complete) {
    *callback = (interop_callback_t){function, data, event->callbacks};
    event->callbacks = callback;
  }
  interop_graph_unlock();
  if (!is_complete) return quern_success;
  free(callback);
  function(event, event->result, data);
  return quern_success;
}

/* `native` is the event of a node that the device has; it lives as long as the node. */
static quern_event_status_t status_of(const interop_node_t *node, interop_state_t state, void *native) {
  switch (state) {
    case interop_state_running: return quern_event_running;
    case interop_state_complete: return node->result == quern_success ? quern_event_complete : quern_event_failed;
    case interop_state_dispatched:
      return interop_runtime_of(node->context)->has_started(node->context->state, native) ? quern_event_running
                                                                                          : quern_event_submitted;
    default: return quern_event_submitted;
  }
}

quern_result_t quern_event_get_status(quern_event_t event, quern_event_status_t *out_status) {
  quern_result_t result = interop_event_check(event);
  if (result != quern_success) return result;
  if (!out_status) return interop_fail(quern_error_invalid_argument, "null pointer for the status");
  interop_graph_look(event);
  interop_graph_lock();
  interop_state_t state = event->state;
  void *native = event->native;
  interop_graph_unlock();
  *out_status = status_of(event, state, native);
  return quern_success;
}

quern_result_t quern_event_get_profiling(quern_event_t event, quern_event_times_t *out_times) {
  quern_result_t result = interop_event_check(event);
  if (result != quern_success) return result;
  if (!out_times) return interop_fail(quern_error_invalid_argument, "null pointer for the times");
  interop_graph_lock();
  bool is_known = event->state == interop_state_complete && (event->queue->flags & quern_queue_profiling);
  interop_graph_unlock();
  if (!is_known) {
    return interop_fail(quern_error_invalid_operation, "no times: the queue has no profiling, or the group still runs");
  }
  *out_times = (quern_event_times_t){event->submitted_ns, event->started_ns, event->ended_ns};
  return quern_success;
}
