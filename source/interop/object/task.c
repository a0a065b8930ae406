/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What threads run for the library, and the calls that handles are of. */
#include "interop/object/task.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local interop_task_t current_task;
static _Thread_local interop_call_t *current_call;

/* Calls that have not ended, for handles that other threads use. */
static struct {
  pthread_mutex_t lock;
  list_t list;
} calls = {.lock = PTHREAD_MUTEX_INITIALIZER, .list = {&calls.list, &calls.list}};

interop_task_t interop_task_enter(interop_task_t task) {
  interop_task_t before = current_task;
  current_task = task;
  return before;
}

void interop_task_leave(interop_task_t before) { current_task = before; }

quern_result_t interop_task_check_make(void) {
  if (current_task != interop_task_interop) return quern_success;
  return interop_fail(quern_error_invalid_operation, "no object can be made inside of an interop task");
}

bool interop_task_is_running(void) { return current_task != interop_task_none; }

quern_result_t interop_task_check_wait(void) {
  if (!interop_task_is_running()) return quern_success;
  return interop_fail(quern_error_invalid_operation, "nothing can be waited for in a function that the library runs");
}

/* ------------------------------------------------------------ calls */

quern_handle_t interop_call_begin(interop_call_t *call, interop_task_t task, struct quern_event_s *node,
                                  quern_queue_t queue) {
  static atomic_uint_fast64_t last_id;
  *call = (interop_call_t){.id = atomic_fetch_add_explicit(&last_id, 1, memory_order_relaxed) + 1,
                           .node = node,
                           .queue = queue,
                           .before = interop_task_enter(task),
                           .outer = current_call};
  current_call = call;
  pthread_mutex_lock(&calls.lock);
  list_append(&calls.list, &call->link);
  pthread_mutex_unlock(&calls.lock);
  return (quern_handle_t){call->id};
}

quern_result_t interop_call_end(interop_call_t *call, quern_result_t returned) {
  pthread_mutex_lock(&calls.lock);
  list_remove(&call->link);
  pthread_mutex_unlock(&calls.lock);
  current_call = call->outer;
  interop_task_leave(call->before);
  if (call->failure != quern_success) {
    interop_message_set("%s", call->message ? call->message : quern_result_text(call->failure));
    free(call->message);
    return call->failure;
  }
  if (returned == quern_success) return quern_success;
  if ((unsigned)returned >= quern_result_total) returned = quern_error_task_failed;
  return interop_fail(returned, "a task returned: %s", quern_result_text(returned));
}

/* ------------------------------------------------------------ handles */

/* With the lock held. */
static interop_call_t *find(uint64_t id) {
  LIST_FOR_EACH(link, &calls.list) {
    interop_call_t *call = LIST_ENTRY(link, interop_call_t, link);
    if (call->id == id) return call;
  }
  return NULL;
}

quern_result_t interop_call_use(quern_handle_t handle, interop_use_t *out_use) {
  /* A thread's own call does not end while it is here. */
  if (current_call && current_call->id == handle.id) {
    *out_use = (interop_use_t){current_call, false};
    return quern_success;
  }
  pthread_mutex_lock(&calls.lock);
  interop_call_t *call = find(handle.id);
  if (call) {
    *out_use = (interop_use_t){call, true};
    return quern_success;
  }
  pthread_mutex_unlock(&calls.lock);
  return interop_fail(quern_error_invalid_object,
                      handle.id ? "the function that got the handle has returned" : "the handle is null");
}

void interop_call_leave(const interop_use_t *use) {
  if (use->is_locked) pthread_mutex_unlock(&calls.lock);
}

quern_result_t interop_call_fail(const interop_use_t *use, quern_result_t result) {
  if (!use->is_locked) pthread_mutex_lock(&calls.lock);
  if (use->call->failure == quern_success) {
    use->call->failure = result;
    use->call->message = strdup(quern_last_error_message());
  }
  if (!use->is_locked) pthread_mutex_unlock(&calls.lock);
  return result;
}
