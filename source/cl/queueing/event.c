/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Events: status, callbacks, waiting. */
#include "cl/queueing/event.h"

#include <stdlib.h>

#include "base/clock.h"
#include "cl/queueing/obligation.h"
#include "cl/queueing/queue.h"

static graph_t *event_graph(cl_event event) { return &event->context->graph; }

/* Edges of batches that wait for a user event which nobody can set any more; they wait for ever, as the specification
 * says of such an event, but must not point at it. */
static void orphan_waiters(cl_event event) {
  graph_lock(event_graph(event));
  for (list_t *node; (node = list_first(&event->waiters));) list_remove(node);
  graph_unlock(event_graph(event));
}

static void destroy(object_t *object) {
  cl_event event = (cl_event)object;
  for (event_callback_t *next, *callback = atomic_load(&event->callbacks); callback; callback = next) {
    next = callback->next;
    free(callback);
  }
  if (event->queue) {
    object_drop(OBJECT(event->queue));
  } else {
    orphan_waiters(event);
    object_drop(OBJECT(event->context));
  }
  object_free(OBJECT(event), object_kind_event);
}

bool event_is_valid(cl_event event) { return object_is(event, object_kind_event); }

static cl_event event_allocate(cl_context context, cl_command_type type, cl_int status) {
  cl_event event = malloc(sizeof *event);
  if (!event) return NULL;
  *event = (struct _cl_event){.context = context, .type = type};
  object_init(OBJECT(event), object_kind_event, destroy);
  atomic_init(&event->status, status);
  atomic_init(&event->callbacks, NULL);
  list_init(&event->waiters);
  return event;
}

cl_event event_create(cl_command_queue queue, cl_command_type type) {
  cl_event event = event_allocate(queue->context, type, CL_QUEUED);
  if (!event) return NULL;
  object_hold(OBJECT(queue));
  event->queue = queue;
  event->profiled = queue_has(queue, CL_QUEUE_PROFILING_ENABLE);
  if (event->profiled) event->queued = clock_now_ns();
  return event;
}

cl_event event_create_user(cl_context context) {
  cl_event event = event_allocate(context, CL_COMMAND_USER, CL_SUBMITTED);
  if (event) object_hold(OBJECT(context));
  return event;
}

static bool is_final(cl_int status) { return status <= CL_COMPLETE; }

bool event_is_final(cl_event event) { return is_final(atomic_load_explicit(&event->status, memory_order_acquire)); }

static cl_int batch_progress(const batch_t *batch) {
  if (batch->state == batch_open) return CL_QUEUED;
  return atomic_load(&batch->running) ? CL_RUNNING : CL_SUBMITTED;
}

/* A command of the parent of a forked process, which ends here with its batch, but without notes: the first who asks
 * finds out. Graph locked. */
static void end_if_abandoned(cl_event event) {
  const batch_t *batch = event->batch;
  if (!event_is_final(event) && batch->state == batch_complete) atomic_store(&event->status, batch->status);
}

cl_int event_status(cl_event event) {
  cl_int status = atomic_load_explicit(&event->status, memory_order_acquire);
  if (is_final(status) || !event->queue) return status;
  graph_lock(event_graph(event));
  end_if_abandoned(event);
  status = atomic_load_explicit(&event->status, memory_order_acquire);
  if (!is_final(status)) status = batch_progress(event->batch);
  graph_unlock(event_graph(event));
  return status;
}

cl_int event_poll(cl_event event) {
  cl_int status = event_status(event);
  if (status == CL_QUEUED) queue_flush(event->queue);
  return status;
}

/* Takes the callbacks out that are due at `status`, in their order. */
static event_callback_t *detach_callbacks(cl_event event, cl_int status) {
  event_callback_t *due = NULL, *kept = NULL, **due_end = &due, **kept_end = &kept;
  graph_lock(event_graph(event));
  for (event_callback_t *callback = atomic_load(&event->callbacks); callback; callback = callback->next) {
    event_callback_t ***end = callback->type >= status ? &due_end : &kept_end;
    **end = callback;
    *end = &callback->next;
  }
  *due_end = *kept_end = NULL;
  atomic_store(&event->callbacks, kept);
  graph_unlock(event_graph(event));
  return due;
}

/* The handle stays good during the call even when the application has released it: many release at registration. */
static void call_back(cl_event event, const event_callback_t *callback, cl_int status) {
  bool retained = object_retain_external(OBJECT(event));
  callback->function(event, status < 0 ? status : callback->type, callback->user_data);
  if (retained) object_release_external(OBJECT(event));
}

void event_call_back(cl_event event, cl_int status) {
  /* Sequentially consistent, as are the store of the status and event_add_callback's accesses: either this load sees a
   * new callback, or its registration sees the new status. */
  if (!atomic_load(&event->callbacks)) return;
  event_callback_t *due = detach_callbacks(event, status);
  while (due) {
    event_callback_t *callback = due;
    due = due->next;
    call_back(event, callback, status);
    free(callback);
  }
}

static void append_callback(cl_event event, event_callback_t *callback) {
  graph_lock(event_graph(event));
  event_callback_t *last = atomic_load(&event->callbacks);
  while (last && last->next) last = last->next;
  if (last) {
    last->next = callback;
  } else {
    atomic_store(&event->callbacks, callback);
  }
  bool early = callback->type != CL_COMPLETE && event->queue;
  if (early && !event_is_final(event)) atomic_store(&event->batch->early_callbacks, true);
  graph_unlock(event_graph(event));
}

bool event_add_callback(cl_event event, cl_int type,
                        void(CL_CALLBACK *function)(cl_event event, cl_int status, void *user_data), void *user_data) {
  event_callback_t *callback = malloc(sizeof *callback);
  if (!callback) return false;
  *callback = (event_callback_t){.function = function, .user_data = user_data, .type = type};
  /* Once registered, it may be called on another thread, and may release the event. */
  object_hold(OBJECT(event));
  append_callback(event, callback);
  cl_int status = event_status(event);
  if (status <= type) event_call_back(event, status);
  /* Who has himself called does not wait for anything that would flush. */
  if (status == CL_QUEUED) queue_flush(event->queue);
  object_drop(OBJECT(event));
  return true;
}

static void finish_times(cl_event event) {
  event->submitted = event->batch->submit_time;
  event->completed = clock_now_ns();
  /* A command whose callbacks could not be recorded has no times of its own. */
  if (!event->started) event->started = event->submitted;
  if (!event->ended) event->ended = event->completed;
}

void event_note(void *data, cl_int status) {
  cl_event event = data;
  if (event->profiled) finish_times(event);
  atomic_store(&event->status, status);
  event_call_back(event, status);
  object_drop(OBJECT(event));
}

/* Queues with a batch that waits for the user event and is not flushed, held. Another user event may have it in its own
 * list, and flushes it then. Graph locked. */
static void collect_unflushed(cl_event event, list_t *queues) {
  LIST_FOR_EACH(node, &event->waiters) {
    const batch_t *batch = LIST_ENTRY(node, edge_t, link)->from;
    if (batch->state != batch_open || !list_is_empty(&batch->queue->resolved_link)) continue;
    object_hold(OBJECT(batch->queue));
    list_append(queues, &batch->queue->resolved_link);
  }
}

static void flush_collected(graph_t *graph, list_t *queues) {
  while (!list_is_empty(queues)) {
    cl_command_queue queue = LIST_ENTRY(list_first(queues), struct _cl_command_queue, resolved_link);
    graph_lock(graph);
    list_remove(&queue->resolved_link);
    graph_unlock(graph);
    queue_flush(queue);
    object_drop(OBJECT(queue));
  }
}

bool event_set_user(cl_event event, cl_int status) {
  list_t ready, unflushed;
  list_init(&ready);
  list_init(&unflushed);
  object_hold(OBJECT(event));
  graph_lock(event_graph(event));
  bool set = !event_is_final(event);
  if (set) {
    atomic_store(&event->status, status);
    collect_unflushed(event, &unflushed);
    graph_resolve_user(&event->waiters, status, &ready);
    graph_wake(event_graph(event));
  }
  graph_unlock(event_graph(event));
  /* The application's callbacks may take their time, or wait for what waits for the event. */
  graph_dispatch(event_graph(event), &ready);
  flush_collected(event_graph(event), &unflushed);
  if (set) event_call_back(event, status);
  object_drop(OBJECT(event));
  return set;
}

static void wait_user(cl_event event) {
  obligations_fulfil();
  graph_lock(event_graph(event));
  while (!event_is_final(event)) graph_sleep(event_graph(event));
  graph_unlock(event_graph(event));
}

void event_wait(cl_event event) {
  if (event_is_final(event)) return;
  if (!event->queue) {
    wait_user(event);
    return;
  }
  graph_lock(event_graph(event));
  end_if_abandoned(event);
  batch_t *batch = event_is_final(event) ? NULL : event->batch;
  if (batch) batch_ref(batch);
  graph_unlock(event_graph(event));
  if (!batch) return;
  graph_wait(event_graph(event), batch);
  batch_unref(batch);
  /* In a callback called meanwhile this thread may have forked, and be in the child. */
  (void)event_status(event);
}
