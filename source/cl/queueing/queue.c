/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Queues: creation, flush, finish. */
#include "cl/queueing/queue.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cl/queueing/event.h"
#include "cl/queueing/obligation.h"

static void enter_context(cl_command_queue queue) {
  cl_context context = queue->context;
  pthread_mutex_lock(&context->mutex);
  queue->number = context->queue_count++;
  list_prepend(&context->queues, &queue->context_link);
  pthread_mutex_unlock(&context->mutex);
}

static void leave_context(cl_command_queue queue) {
  pthread_mutex_lock(&queue->context->mutex);
  list_remove(&queue->context_link);
  pthread_mutex_unlock(&queue->context->mutex);
}

static void destroy(object_t *object) {
  cl_command_queue queue = (cl_command_queue)object;
  implicit_flush_forget(queue);
  leave_context(queue);
  if (queue->last) batch_unref(queue->last);
  if (queue->barrier) batch_unref(queue->barrier);
  if (queue->marker) batch_unref(queue->marker);
  pthread_mutex_destroy(&queue->mutex);
  device_leave_queue(queue->mux_queue);
  free(queue->property_list);
  object_drop(OBJECT(queue->context));
  object_free(OBJECT(queue), object_kind_queue);
}

static bool copy_properties(cl_command_queue queue, const cl_queue_properties *list) {
  if (!list) return true;
  size_t count = 1;
  for (const cl_queue_properties *p = list; *p; p += 2) count += 2;
  queue->property_list = malloc(count * sizeof *list);
  if (!queue->property_list) return false;
  memcpy(queue->property_list, list, count * sizeof *list);
  queue->property_count = count;
  return true;
}

cl_command_queue queue_create(cl_context context, cl_device_id device, cl_command_queue_properties properties,
                              const cl_queue_properties *property_list) {
  cl_command_queue queue = calloc(1, sizeof *queue);
  if (!queue) return NULL;
  if (!copy_properties(queue, property_list)) {
    free(queue);
    return NULL;
  }
  object_init(OBJECT(queue), object_kind_queue, destroy);
  object_hold(OBJECT(context));
  queue->context = context;
  queue->device = device;
  queue->mux_queue = device_join_queue(device);
  atomic_init(&queue->properties, properties);
  pthread_mutex_init(&queue->mutex, NULL);
  list_init(&queue->pending);
  list_init(&queue->outstanding);
  list_init(&queue->resolved_link);
  implicit_flush_init(&queue->implicit_flush);
  enter_context(queue);
  return queue;
}

bool queue_is_valid(cl_command_queue queue) { return object_is(queue, object_kind_queue); }
cl_context queue_context(cl_command_queue queue) { return queue->context; }
cl_device_id queue_device(cl_command_queue queue) { return queue->device; }

bool queue_has(cl_command_queue queue, cl_command_queue_properties property) {
  return atomic_load_explicit(&queue->properties, memory_order_relaxed) & property;
}

/* Holds the events of the batch that have callbacks for CL_SUBMITTED: once dispatched, they may go at any time. */
static void collect_early_events(batch_t *batch, queue_flush_t *flush) {
  if (!atomic_load_explicit(&batch->early_callbacks, memory_order_relaxed)) return;
  for (size_t i = 0; i < batch->note_count; i++) {
    if (batch->notes[i].function != event_note) continue;
    cl_event event = batch->notes[i].data;
    object_hold(OBJECT(event));
    event->early_next = flush->early;
    flush->early = event;
  }
}

/* Something that the batch waits for is neither flushed nor of this queue. */
static bool waits_for_other_queue(const batch_t *batch) {
  for (size_t i = 0; i < batch->edge_count; i++) {
    const batch_t *on = batch->edges[i].on;
    if (on && on->state == batch_open && on->queue != batch->queue) return true;
  }
  return false;
}

static void seal_batch(cl_command_queue queue, batch_t *batch, queue_flush_t *flush) {
  if (muxFinalizeCommandBuffer(batch->commands)) graph_doom(batch, CL_OUT_OF_RESOURCES, &flush->ready);
  collect_early_events(batch, flush);
  list_remove(&batch->link);
  list_append(&queue->outstanding, &batch->link);
  graph_seal(batch, &flush->ready);
  flush->needs_others |= batch->blockers && waits_for_other_queue(batch);
}

void queue_seal(cl_command_queue queue, queue_flush_t *out_flush) {
  list_init(&out_flush->ready);
  out_flush->early = NULL;
  out_flush->needs_others = false;
  if (list_is_empty(&queue->pending)) return;
  uint64_t now = queue_has(queue, CL_QUEUE_PROFILING_ENABLE) ? clock_now_ns() : 0;
  graph_lock(&queue->context->graph);
  LIST_FOR_EACH_SAFE(node, &queue->pending) {
    batch_t *batch = LIST_ENTRY(node, batch_t, link);
    batch->submit_time = now;
    seal_batch(queue, batch, out_flush);
  }
  graph_unlock(&queue->context->graph);
  queue->pending_count = 0;
  queue->lane = NULL;
}

/* A queue with commands that are not flushed and that flushed commands of `queue` wait for; held. Null when none. */
static cl_command_queue find_unflushed(cl_command_queue queue) {
  cl_command_queue found = NULL;
  graph_lock(&queue->context->graph);
  LIST_FOR_EACH(node, &queue->outstanding) {
    const batch_t *batch = LIST_ENTRY(node, batch_t, link);
    for (size_t i = 0; batch->blockers && i < batch->edge_count && !found; i++) {
      const batch_t *on = batch->edges[i].on;
      if (on && on->state == batch_open && on->queue != queue) found = on->queue;
    }
    if (found) break;
  }
  if (found) object_hold(OBJECT(found));
  graph_unlock(&queue->context->graph);
  return found;
}

static void flush_others(cl_command_queue queue) {
  for (cl_command_queue other; (other = find_unflushed(queue));) {
    queue_flush(other);
    object_drop(OBJECT(other));
  }
}

/* Callbacks for CL_SUBMITTED come before the dispatch, unless they wait. */
typedef struct submission_t {
  obligation_t obligation;
  cl_command_queue queue;
  queue_flush_t *flush;
} submission_t;

static void submit(obligation_t *obligation) {
  const submission_t *submission = (const submission_t *)obligation;
  cl_command_queue queue = submission->queue;
  graph_dispatch(&queue->context->graph, &submission->flush->ready);
  if (submission->flush->needs_others) flush_others(queue);
}

static void call_early_events(cl_command_queue queue, queue_flush_t *flush) {
  submission_t submission = {.queue = queue, .flush = flush};
  obligation_begin(&submission.obligation, submit);
  while (flush->early) {
    cl_event event = flush->early;
    flush->early = event->early_next;
    event_call_back(event, CL_SUBMITTED);
    object_drop(OBJECT(event));
  }
  obligation_end(&submission.obligation);
}

void queue_flush_finish(cl_command_queue queue, queue_flush_t *flush) {
  if (flush->early) call_early_events(queue, flush);
  graph_dispatch(&queue->context->graph, &flush->ready);
  if (flush->needs_others) flush_others(queue);
}

void queue_flush_finish_awaited(cl_command_queue queue, queue_flush_t *flush, uint64_t sequence) {
  list_t *first = list_first(&flush->ready);
  /* Before it waits, the calling thread must have nothing else to do, such as calling the application. */
  const bool waits_next = first && list_last(&flush->ready) == first && !flush->early && !flush->needs_others &&
                          LIST_ENTRY(first, batch_t, ready_link)->sequence == sequence && !obligations_exist();
  if (waits_next)
    graph_dispatch_awaited(&queue->context->graph, &flush->ready, LIST_ENTRY(first, batch_t, ready_link));
  else
    queue_flush_finish(queue, flush);
}

/* Held, since a callback that is called meanwhile may release it. */
void queue_flush(cl_command_queue queue) {
  queue_flush_t flush;
  object_hold(OBJECT(queue));
  pthread_mutex_lock(&queue->mutex);
  queue_seal(queue, &flush);
  pthread_mutex_unlock(&queue->mutex);
  queue_flush_finish(queue, &flush);
  object_drop(OBJECT(queue));
}

/* The youngest batch under way that is not younger than `sequence`. */
static batch_t *find_outstanding(cl_command_queue queue, uint64_t sequence) {
  for (list_t *node = queue->outstanding.previous; node != &queue->outstanding; node = node->previous) {
    batch_t *batch = LIST_ENTRY(node, batch_t, link);
    if (batch->sequence <= sequence) return batch;
  }
  return NULL;
}

/* Everything on the Mux queue is of this queue: one muxWaitAll is as good as a wait for each batch. Otherwise it would
 * wait for other queues' commands too, which may take long. */
static bool is_alone(cl_command_queue queue) {
  uint32_t count = 0;
  /* muxWaitAll waits for callbacks. */
  if (obligations_exist()) return false;
  LIST_FOR_EACH(node, &queue->outstanding) {
    const batch_t *batch = LIST_ENTRY(node, batch_t, link);
    if (!batch->launched) return false;
    count++;
  }
  return count == atomic_load_explicit(&queue->mux_queue->in_flight, memory_order_relaxed);
}

static void wait_outstanding(cl_command_queue queue, uint64_t sequence) {
  graph_t *graph = &queue->context->graph;
  graph_lock(graph);
  bool all = is_alone(queue);
  for (batch_t *batch; (batch = find_outstanding(queue, sequence));) {
    batch_ref(batch);
    graph_unlock(graph);
    if (all)
      (void)!muxWaitAll(queue->mux_queue->queue);
    else
      graph_wait(graph, batch);
    all = false;
    batch_unref(batch);
    graph_lock(graph);
  }
  graph_unlock(graph);
}

/* Held, as in queue_flush. */
void queue_finish(cl_command_queue queue) {
  queue_flush_t flush;
  object_hold(OBJECT(queue));
  pthread_mutex_lock(&queue->mutex);
  queue_seal(queue, &flush);
  uint64_t sequence = queue->last_sequence;
  pthread_mutex_unlock(&queue->mutex);
  queue_flush_finish_awaited(queue, &flush, sequence);
  wait_outstanding(queue, sequence);
  object_drop(OBJECT(queue));
}

cl_command_queue_properties queue_change_properties(cl_command_queue queue, cl_command_queue_properties properties,
                                                    bool enable) {
  queue_finish(queue);
  pthread_mutex_lock(&queue->mutex);
  cl_command_queue_properties old = atomic_load(&queue->properties);
  atomic_store(&queue->properties, enable ? old | properties : old & ~properties);
  pthread_mutex_unlock(&queue->mutex);
  return old;
}
