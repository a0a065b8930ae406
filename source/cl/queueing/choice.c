/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Choosing the batch of a command, and what a new batch has to wait for. */
#include "cl/queueing/choice.h"

#include "cl/queueing/event.h"

/* What the wait list of a command comes to. Only events that are not complete count. */
typedef struct waits_t {
  cl_uint count;
  /** All of them belong to this open batch of the command's own queue. */
  batch_t *single;
  bool failed;
} waits_t;

static bool is_open_here(cl_command_queue queue, cl_event event) {
  return event->queue == queue && event->batch->state == batch_open;
}

static waits_t waits_examine(const enqueue_t *enqueue) {
  waits_t waits = {0};
  bool scattered = false;
  graph_lock(&enqueue->queue->context->graph);
  for (cl_uint i = 0; i < enqueue->wait_count; i++) {
    cl_event event = enqueue->wait_list[i];
    cl_int status = atomic_load_explicit(&event->status, memory_order_acquire);
    waits.failed |= status < 0;
    if (status <= CL_COMPLETE) continue;
    batch_t *batch = is_open_here(enqueue->queue, event) ? event->batch : NULL;
    scattered |= !batch || (waits.count && batch != waits.single);
    waits.single = batch;
    waits.count++;
  }
  graph_unlock(&enqueue->queue->context->graph);
  if (scattered || waits.failed) waits.single = NULL;
  return waits;
}

static bool is_user(const enqueue_t *enqueue) { return enqueue->type == CL_COMMAND_COMMAND_BUFFER_KHR; }

static bool is_sync(const enqueue_t *enqueue) {
  return enqueue->type == CL_COMMAND_MARKER || enqueue->type == CL_COMMAND_BARRIER;
}

/* ------------------------------------------------------------ new batches */

/* An event whose batch has failed, or is terminated and only passes through the device, will soon say so. */
static cl_int foreseen_status(cl_event event) {
  cl_int status = atomic_load_explicit(&event->status, memory_order_acquire);
  if (status <= CL_COMPLETE || !event->queue) return status;
  const batch_t *batch = event->batch;
  if (batch->doom < 0) return batch->doom;
  return batch->status < 0 ? batch->status : status;
}

static void link_event(batch_t *batch, cl_event event, list_t *ready) {
  cl_int status = foreseen_status(event);
  if (status < 0) {
    batch->conditional = true;
    graph_doom(batch, status, ready);
    /* It ends when that has been told, not before. */
    if (event->queue && !event_is_final(event)) graph_link(batch, event->batch, true);
  } else if (status == CL_COMPLETE) {
    return;
  } else if (event->queue) {
    graph_link(batch, event->batch, true);
  } else if (batch->doom == CL_COMPLETE) {
    graph_link_user(batch, &event->waiters);
  }
}

/* Where a batch that waits for everything before it begins: at the last one that does so too, as that one stands for
 * what is before it. One that fails may end before what it waits for, and stands for nothing. */
static uint64_t first_to_link(const batch_t *marker) {
  return marker && marker->doom == CL_COMPLETE && marker->status == CL_COMPLETE ? marker->sequence : 0;
}

/* Links `batch`, unless null, to the batches of a list in order of age from `first` on; returns how many these are. */
static size_t link_since(batch_t *batch, const list_t *batches, uint64_t first) {
  size_t count = 0;
  for (list_t *node = batches->previous; node != batches; node = node->previous) {
    batch_t *on = LIST_ENTRY(node, batch_t, link);
    if (on->sequence < first) break;
    if (batch) graph_link(batch, on, false);
    count++;
  }
  return count;
}

static size_t link_before(cl_command_queue queue, batch_t *batch) {
  uint64_t first = first_to_link(queue->marker);
  return link_since(batch, &queue->pending, first) + link_since(batch, &queue->outstanding, first);
}

/* Edges to the batch before it (in order), or to the last barrier and, for a marker or barrier without wait list, to
 * everything enqueued before (out of order). */
static void link_order(cl_command_queue queue, batch_t *batch, bool to_all) {
  if (queue->last) graph_link(batch, queue->last, false);
  if (queue->barrier) graph_link(batch, queue->barrier, false);
  if (to_all) (void)link_before(queue, batch);
}

static cl_int link_batch(const enqueue_t *enqueue, batch_t *batch, bool to_all) {
  cl_command_queue queue = enqueue->queue;
  list_t ready;
  list_init(&ready);
  graph_lock(&queue->context->graph);
  size_t others = to_all ? link_before(queue, NULL) : 0;
  bool reserved = batch_reserve_edges(batch, (size_t)enqueue->wait_count + others + 2);
  if (reserved) {
    for (cl_uint i = 0; i < enqueue->wait_count; i++) link_event(batch, enqueue->wait_list[i], &ready);
    link_order(queue, batch, to_all);
  }
  graph_unlock(&queue->context->graph);
  /* An open batch never becomes ready. */
  return reserved ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

static void replace(batch_t **held, batch_t *batch) {
  if (*held) batch_unref(*held);
  *held = batch;
  if (batch) batch_ref(batch);
}

/* A finished predecessor is let go before the new batch is acquired, so that its command buffer, still in the cache, is
 * the one used again. */
static void forget_complete(cl_command_queue queue, batch_t **held) {
  if (!*held) return;
  graph_lock(&queue->context->graph);
  bool complete = (*held)->state == batch_complete;
  graph_unlock(&queue->context->graph);
  if (complete) replace(held, NULL);
}

static cl_int add_batch(const enqueue_t *enqueue, bool in_order, batch_t **out_batch) {
  cl_command_queue queue = enqueue->queue;
  bool to_all = !in_order && is_sync(enqueue) && !enqueue->wait_count;
  forget_complete(queue, &queue->last);
  forget_complete(queue, &queue->barrier);
  forget_complete(queue, &queue->marker);
  batch_t *batch = batch_acquire(queue->device);
  if (!batch) return CL_OUT_OF_HOST_MEMORY;
  batch->queue = queue;
  batch->mux_queue = queue->mux_queue;
  batch->sequence = ++queue->last_sequence;
  cl_int error = link_batch(enqueue, batch, to_all);
  if (error) {
    batch_unref(batch);
    return error;
  }
  bool barrier = enqueue->type == CL_COMMAND_BARRIER;
  batch->lane = !enqueue->wait_count && !is_sync(enqueue) && !is_user(enqueue);
  batch->epoch = barrier ? ++queue->epoch : queue->epoch;
  if (in_order) replace(&queue->last, batch);
  if (barrier && !in_order) replace(&queue->barrier, batch);
  if (to_all) replace(&queue->marker, batch);
  list_append(&queue->pending, &batch->link);
  queue->pending_count++;
  object_hold(OBJECT(queue));
  *out_batch = batch;
  return CL_SUCCESS;
}

/* ------------------------------------------------------------ batches to join */

static batch_t *last_pending(cl_command_queue queue) {
  list_t *node = list_last(&queue->pending);
  return node ? LIST_ENTRY(node, batch_t, link) : NULL;
}

/* Cases 1 and 3 in order: only the last pending batch may be joined, an earlier one would let the command overtake. */
static batch_t *join_in_order(cl_command_queue queue, const waits_t *waits) {
  batch_t *tail = last_pending(queue);
  if (!tail || tail->user || waits->failed || atomic_load_explicit(&tail->doom, memory_order_relaxed) < 0) return NULL;
  if (waits->count) return waits->single == tail ? tail : NULL;
  return tail->conditional ? NULL : tail;
}

static bool is_joinable_lane(cl_command_queue queue, const batch_t *batch) {
  return batch->lane && batch->epoch == queue->epoch;
}

/* The next pending batch in turn that holds independent commands of this epoch; null when it is not soon found. */
static batch_t *find_lane(cl_command_queue queue) {
  list_t *node = queue->lane ? &queue->lane->link : &queue->pending;
  for (uint32_t tries = 0; tries < 4; tries++) {
    node = node->next == &queue->pending ? queue->pending.next : node->next;
    batch_t *batch = LIST_ENTRY(node, batch_t, link);
    if (is_joinable_lane(queue, batch)) return batch;
  }
  return NULL;
}

/* A few commands in a row join the same batch, as its memory is in the cache. */
static batch_t *next_lane(cl_command_queue queue) {
  enum { run = 16 };
  if (queue->lane && queue->lane_run < run && is_joinable_lane(queue, queue->lane)) {
    queue->lane_run++;
    return queue->lane;
  }
  queue->lane = find_lane(queue);
  queue->lane_run = 1;
  return queue->lane;
}

/* Cases 1 and 3 out of order apply once many batches are pending; before, each command has a batch of its own, so that
 * independent ones, the branches of a fork included, run at once. */
static batch_t *join_out_of_order(const enqueue_t *enqueue, const waits_t *waits) {
  cl_command_queue queue = enqueue->queue;
  if (queue->pending_count < queue_lanes || waits->failed || is_sync(enqueue)) return NULL;
  if (!waits->count) return next_lane(queue);
  batch_t *single = waits->single;
  return single && !single->user && single->epoch == queue->epoch ? single : NULL;
}

cl_int choose_batch(const enqueue_t *enqueue, batch_t **out_batch, bool *out_fresh) {
  bool in_order = !queue_has(enqueue->queue, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  waits_t waits = {0};
  if (enqueue->wait_count) waits = waits_examine(enqueue);
  batch_t *batch = is_user(enqueue) ? NULL
                   : in_order       ? join_in_order(enqueue->queue, &waits)
                                    : join_out_of_order(enqueue, &waits);
  *out_fresh = !batch;
  if (!batch) return add_batch(enqueue, in_order, out_batch);
  *out_batch = batch;
  return CL_SUCCESS;
}
