/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Learning what is complete: asking devices, and waiting for them. */
#include "interop/execution/wait.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "interop/execution/progress.h"
#include "interop/execution/threads.h"
#include "interop/execution/watch.h"
#include "interop/execution/worker.h"
#include "interop/object/runtime.h"
#include "interop/object/task.h"
#include "interop/object/trace.h"

/* ------------------------------------------------------------ sleeping */

static bool has_help_to_give(void) {
  return interop_threads_are_missing() && (interop_worker_has_work() || interop_watch_has_work());
}

/* Does what lacks its thread. Without the lock. */
static void help(void) {
  while (has_help_to_give()) {
    interop_worker_help();
    interop_watch_help();
  }
}

/* Sleeps until something changes, or does what lacks its thread: false when the deadline, null for none, has passed.
 * Under the lock, which those who add to that work take before they wake sleepers. */
static bool sleep_or_help(const struct timespec *deadline) {
  if (has_help_to_give()) {
    interop_graph_unlock();
    help();
    interop_graph_lock();
    return true;
  }
  if (deadline) return interop_graph_sleep_until(*deadline);
  interop_graph_sleep();
  return true;
}

/* ------------------------------------------------------------ settling */

/** The events of a node that the device has; null ones of another. They live as long as the node, while those of a
 * second try do not. */
typedef struct events_t {
  void *native, *companion;
} events_t;

/* Under the lock. */
static events_t events_of(const interop_node_t *node) {
  if (node->state != interop_state_dispatched) return (events_t){NULL, NULL};
  return (events_t){node->native, node->companion};
}

static events_t take_events(const interop_node_t *node) {
  interop_graph_lock();
  events_t events = events_of(node);
  interop_graph_unlock();
  return events;
}

static interop_outcome_t ask(const interop_node_t *node, events_t events) {
  const interop_runtime_t *runtime = interop_runtime_of(node->context);
  interop_backend_state_t *state = node->context->state;
  if (!events.native) return interop_outcome_running;
  interop_outcome_t outcome = runtime->poll(state, events.native);
  if (outcome == interop_outcome_success && events.companion) outcome = runtime->poll(state, events.companion);
  return outcome;
}

/** When the device began and ended with a node. */
typedef struct span_t {
  uint64_t started, ended;
} span_t;

static span_t read_times(const interop_node_t *node) {
  span_t span = {0, 0};
  if (!(node->queue->flags & quern_queue_profiling) && !interop_trace_is_on()) return span;
  interop_runtime_of(node->context)
      ->profile(node->context->state, node->native, node->submitted_ns, &span.started, &span.ended);
  return span;
}

/* Whether the device gives up a node because of another one that failed there: what waits for an event that failed,
 * and, with some, what is behind it in an in-order queue. Under the lock. */
static bool is_given_up_with(const interop_node_t *node, const interop_node_t *from) {
  return interop_node_shows_native(from) && from->native && from->context == node->context;
}

/* The first node that this one depended on and that failed; null when there is none. `is_strict`: through a
 * requirement; else also one that the device made it depend on. Under the lock. */
static const interop_node_t *find_cause(const interop_node_t *node, bool is_strict) {
  for (size_t i = 0; i < node->edges.count; i++) {
    const interop_edge_t *edge = &node->edges.items[i];
    bool has_failed = edge->from->state == interop_state_complete && edge->from->result != quern_success;
    if (has_failed && (edge->is_strict || (!is_strict && is_given_up_with(node, edge->from)))) return edge->from;
  }
  return NULL;
}

/* Completes a node that succeeded, unless somebody else has. A driver may have let it run although what it waited for
 * failed at that moment. Under the lock. */
static void finalize_success(interop_work_t *work, interop_node_t *node, span_t span) {
  if (node->state != interop_state_dispatched) return;
  const interop_node_t *cause = find_cause(node, true);
  if (cause) interop_graph_inherit(node, cause);
  node->started_ns = span.started;
  node->ended_ns = span.ended;
  interop_graph_finalize(work, node);
}

static void settle_success(interop_node_t *node) {
  interop_work_t work;
  interop_work_init(&work);
  span_t span = read_times(node);
  interop_graph_lock();
  finalize_success(&work, node, span);
  interop_graph_unlock();
  interop_work_do(&work);
}

/* Whether another thread is telling the failure of one that this node waited for natively. Under the lock. */
static bool has_cause_being_told(const interop_node_t *node) {
  for (size_t i = 0; i < node->edges.count; i++) {
    const interop_node_t *from = node->edges.items[i].from;
    if (interop_node_shows_native(from) && from->state == interop_state_running) return true;
  }
  return false;
}

/* The event of `from` for which the node waits, or null. Under the lock. */
static void *find_wait(const interop_node_t *node, const interop_node_t *from) {
  for (size_t i = 0; i < node->waits.count; i++) {
    void *native = node->waits.items[i];
    if (native == from->native || native == from->failed_native) return native;
  }
  return NULL;
}

/** One of those that a node waits for: held, so that its event stays when another thread settles the node. */
typedef struct wait_t {
  interop_node_t *from;
  /** Null: the node does not wait for an event of this one. */
  void *native;
} wait_t;

/* Of the edge `index`; `from` is null behind the last edge, and when the node is settled. */
static wait_t take_wait(const interop_node_t *node, size_t index) {
  wait_t wait = {NULL, NULL};
  interop_graph_lock();
  if (node->state == interop_state_dispatched && index < node->edges.count) {
    wait.from = node->edges.items[index].from;
    wait.native = find_wait(node, wait.from);
    interop_node_hold(wait.from);
  }
  interop_graph_unlock();
  return wait;
}

/* Whether the device never ran it, since it waited there for what failed (OpenCL 3.0, section 5.11), and may be given
 * it again. In order that would be behind others which it has to come before. */
static bool can_be_repeated(const interop_node_t *node) {
  const interop_runtime_t *runtime = interop_runtime_of(node->context);
  if (node->is_repeated || node->fallback || interop_queue_is_in_order(node->queue)) return false;
  bool has_failed = false;
  for (size_t i = 0; !has_failed; i++) {
    wait_t wait = take_wait(node, i);
    if (!wait.from) break;
    has_failed = wait.native && runtime->poll(node->context->state, wait.native) == interop_outcome_failure;
    interop_node_drop(wait.from);
  }
  return has_failed;
}

/* Those before are settled, or being settled: a failure that came from them is known, or known when it is told, for
 * which handlers let nobody wait long since they may not wait themselves. False: it is being told, and the caller may
 * not sleep, as it could be the handler. */
static bool settle_failure(interop_node_t *node, bool may_sleep) {
  interop_work_t work;
  interop_work_init(&work);
  char message[interop_message_capacity];
  (void)ask(node, take_events(node));
  snprintf(message, sizeof(message), "%s", quern_last_error_message());
  bool is_repeatable = can_be_repeated(node);
  interop_graph_lock();
  while (may_sleep && node->state == interop_state_dispatched && has_cause_being_told(node)) {
    (void)sleep_or_help(NULL);
  }
  bool is_early = node->state == interop_state_dispatched && has_cause_being_told(node);
  bool is_mine = node->state == interop_state_dispatched && !is_early;
  const interop_node_t *cause = is_mine ? find_cause(node, is_repeatable) : NULL;
  if (is_mine) node->state = interop_state_running;
  if (cause) {
    interop_graph_inherit(node, cause);
    interop_graph_finalize(&work, node);
  }
  interop_graph_unlock();
  if (is_mine && !cause && is_repeatable) {
    interop_graph_repeat(node);
  } else if (is_mine && !cause) {
    interop_graph_fail(node, quern_error_backend_failure, message);
  } else {
    interop_work_do(&work);
  }
  return !is_early;
}

/* A walk from a node back to those that it waited for, which are settled first: then it is known where a failure began.
 * Chains are too long for recursion. */
typedef struct step_t {
  interop_node_t *node;
  size_t next_edge;
} step_t;

/* The next node that this one waited for and that is not settled, held; null when there is none. */
static interop_node_t *next_unsettled(step_t *step) {
  interop_node_t *found = NULL;
  interop_graph_lock();
  while (!found && step->node->state == interop_state_dispatched && step->next_edge < step->node->edges.count) {
    interop_node_t *from = step->node->edges.items[step->next_edge++].from;
    if (from->state == interop_state_dispatched) found = from;
  }
  if (found) interop_node_hold(found);
  interop_graph_unlock();
  return found;
}

/* False: not before the failure of another node is told. */
static bool settle_one(interop_node_t *node, bool may_sleep) {
  switch (ask(node, take_events(node))) {
    case interop_outcome_success: settle_success(node); break;
    case interop_outcome_failure: return settle_failure(node, may_sleep);
    case interop_outcome_running: break;
  }
  return true;
}

/* Settles a node that is complete. Takes over a reference. */
static void settle_behind(interop_node_t *node, bool may_sleep) {
  step_t *steps = NULL;
  size_t count = 0, capacity = 0;
  /* Everything on the way waited for the one that cannot be settled yet. */
  bool is_early = false;
  for (;;) {
    if (node && array_reserve(&steps, &capacity, count + 1, sizeof(*steps))) {
      steps[count++] = (step_t){node, 0};
    } else if (node) {
      /* Out of memory, a failure counts as this node's own. */
      is_early = !settle_one(node, may_sleep);
      interop_node_drop(node);
    }
    if (!count) break;
    node = is_early ? NULL : next_unsettled(&steps[count - 1]);
    if (!node) {
      count--;
      is_early = is_early || !settle_one(steps[count].node, may_sleep);
      interop_node_drop(steps[count].node);
    } else if (ask(node, take_events(node)) == interop_outcome_running) {
      interop_node_drop(node);
      node = NULL;
    }
  }
  free(steps);
}

static bool settle(interop_node_t *node, bool may_sleep) {
  const events_t events = take_events(node);
  if (!events.native) return true;
  if (ask(node, events) == interop_outcome_running) return false;
  interop_node_hold(node);
  settle_behind(node, may_sleep);
  return true;
}

bool interop_graph_settle(interop_node_t *node) { return settle(node, true); }

void interop_graph_settle_watched(interop_node_t *node) {
  while (!interop_graph_settle(node)) {
    /* The device could not promise to tell. */
    const events_t events = take_events(node);
    if (events.native) interop_runtime_of(node->context)->wait(node->context->state, events.native);
  }
}

void interop_graph_look(interop_node_t *node) {
  if (!interop_task_is_running()) help();
  (void)!settle(node, false);
  interop_graph_lock();
  bool is_dispatched = node->state == interop_state_dispatched;
  interop_graph_unlock();
  /* Whoever asks again and again waits for it. */
  if (is_dispatched) interop_queue_flush(node->queue);
}

/* ------------------------------------------------------------ sweeping a queue */

enum { sweep_chunk = 64 };

/** Who settles: somebody who may call the application's code, its handlers, or a thread of the application that is in a
 * call which calls none. */
typedef enum sweep_mode_e { sweep_all, sweep_quietly } sweep_mode_t;

/* The first dispatched members, held. */
static size_t take_members(quern_queue_t queue, interop_node_t **out_nodes, events_t *out_events) {
  size_t count = 0;
  interop_graph_lock();
  LIST_FOR_EACH(link, &queue->members) {
    interop_node_t *node = LIST_ENTRY(link, interop_node_t, member);
    if (node->state != interop_state_dispatched) continue;
    interop_node_hold(node);
    out_events[count] = events_of(node);
    out_nodes[count++] = node;
    if (count == sweep_chunk) break;
  }
  interop_graph_unlock();
  return count;
}

/* Completes at once those of the nodes that succeeded. */
static void settle_successes(interop_node_t *const *nodes, const interop_outcome_t *outcomes, const span_t *spans,
                             size_t count) {
  interop_work_t work;
  interop_work_init(&work);
  interop_graph_lock();
  for (size_t i = 0; i < count; i++) {
    if (outcomes[i] == interop_outcome_success) finalize_success(&work, nodes[i], spans[i]);
  }
  interop_graph_unlock();
  interop_work_do(&work);
}

/* How many of the first dispatched members are settled now. */
static size_t settle_members(quern_queue_t queue, sweep_mode_t mode) {
  interop_node_t *nodes[sweep_chunk];
  interop_outcome_t outcomes[sweep_chunk];
  events_t events[sweep_chunk];
  span_t spans[sweep_chunk];
  size_t count = take_members(queue, nodes, events), asked = 0, settled = 0;
  bool is_behind_running = false, has_failure = false;
  /* In order, none behind a running one is complete. */
  for (; asked < count && !is_behind_running; asked++) {
    outcomes[asked] = ask(nodes[asked], events[asked]);
    settled += outcomes[asked] != interop_outcome_running;
    has_failure |= outcomes[asked] == interop_outcome_failure;
    is_behind_running = outcomes[asked] == interop_outcome_running && interop_queue_is_in_order(queue);
    if (outcomes[asked] == interop_outcome_success) spans[asked] = read_times(nodes[asked]);
  }
  if (!has_failure) settle_successes(nodes, outcomes, spans, asked);
  /* One after the other: who is behind a failure has to know of it. */
  for (size_t i = 0; i < asked && has_failure && mode == sweep_all; i++) (void)!interop_graph_settle(nodes[i]);
  for (size_t i = 0; i < count; i++) interop_node_drop(nodes[i]);
  return settled;
}

void interop_graph_tidy(quern_queue_t queue) { (void)settle_members(queue, sweep_quietly); }

/* Whoever waits for the whole queue settles its members. */
static bool is_waited_for(quern_queue_t queue) {
  interop_graph_lock();
  bool is = queue->waiters != 0;
  interop_graph_unlock();
  return is;
}

void interop_graph_sweep(quern_queue_t queue) {
  interop_work_t work;
  interop_work_init(&work);
  while (!is_waited_for(queue) && settle_members(queue, sweep_all)) continue;
  interop_graph_lock();
  interop_graph_keep_watching(&work, queue);
  interop_graph_unlock();
  interop_work_do(&work);
}

/* ------------------------------------------------------------ waiting */

/* Has the device tell when the node is complete. Under the lock, which is released meanwhile. */
static void ask_to_tell(interop_node_t *node) {
  interop_work_t work;
  interop_work_init(&work);
  interop_graph_watch(&work, node);
  interop_graph_unlock();
  interop_work_do(&work);
  interop_graph_lock();
}

/* Sleeps in the device's wait. Under the lock, which is released meanwhile. */
static void wait_natively(interop_node_t *node) {
  void *native = node->native;
  interop_graph_unlock();
  interop_runtime_of(node->context)->wait(node->context->state, native);
  interop_graph_settle(node);
  interop_graph_lock();
}

/* One step nearer to the node's end: false when the deadline, null for none, has passed. A wait of the backend's has no
 * limit, so the device is asked to tell. Under the lock. */
static bool wait_on(interop_node_t *node, const struct timespec *deadline) {
  if (node->state != interop_state_dispatched) return sleep_or_help(deadline);
  if (!deadline && !interop_threads_are_missing()) {
    wait_natively(node);
    return true;
  }
  if (node->is_watched) return sleep_or_help(deadline);
  ask_to_tell(node);
  return true;
}

void interop_graph_wait(interop_node_t *node) {
  interop_graph_lock();
  while (node->state != interop_state_complete) (void)wait_on(node, NULL);
  interop_graph_unlock();
  help();
}

struct timespec interop_graph_deadline(uint64_t nanoseconds) {
  enum { second_ns = 1000000000, most_seconds = 1 << 30 };
  struct timespec deadline;
  clock_gettime(CLOCK_MONOTONIC, &deadline);
  if (nanoseconds / second_ns >= most_seconds) {
    deadline.tv_sec += most_seconds;
    return deadline;
  }
  deadline.tv_sec += (time_t)(nanoseconds / second_ns);
  deadline.tv_nsec += (long)(nanoseconds % second_ns);
  if (deadline.tv_nsec >= second_ns) {
    deadline.tv_nsec -= second_ns;
    deadline.tv_sec++;
  }
  return deadline;
}

bool interop_graph_wait_until(interop_node_t *node, struct timespec deadline) {
  (void)!interop_graph_settle(node);
  interop_graph_lock();
  bool is_in_time = true;
  while (node->state != interop_state_complete && is_in_time) is_in_time = wait_on(node, &deadline);
  bool is_complete = node->state == interop_state_complete;
  interop_graph_unlock();
  help();
  return is_complete;
}

void interop_graph_wait_running(interop_node_t *node) {
  interop_graph_lock();
  while (node->state != interop_state_complete && node->state != interop_state_running) {
    (void)sleep_or_help(NULL);
  }
  interop_graph_unlock();
}

/* The first member with a sequence number of at most `last`, or the last member; held. */
static interop_node_t *take_member(quern_queue_t queue, uint64_t last, bool from_end) {
  list_t *link = from_end ? list_last(&queue->members) : list_first(&queue->members);
  if (!link) return NULL;
  interop_node_t *node = LIST_ENTRY(link, interop_node_t, member);
  if (node->sequence > last) return NULL;
  interop_node_hold(node);
  return node;
}

void interop_graph_wait_queue(quern_queue_t queue) {
  interop_work_t work;
  interop_work_init(&work);
  interop_graph_lock();
  uint64_t last = queue->sequence;
  queue->waiters++;
  /* The last one first: in order it is the only one to be slept for. */
  interop_node_t *node = take_member(queue, last, interop_queue_is_in_order(queue));
  interop_graph_unlock();
  while (node) {
    interop_graph_wait(node);
    interop_node_drop(node);
    while (settle_members(queue, sweep_all)) continue;
    interop_graph_lock();
    node = take_member(queue, last, false);
    interop_graph_unlock();
  }
  interop_graph_lock();
  queue->waiters--;
  interop_graph_keep_watching(&work, queue);
  interop_graph_unlock();
  interop_work_do(&work);
}

bool interop_graph_wait_queue_until(quern_queue_t queue, struct timespec deadline) {
  bool is_complete = true;
  interop_graph_lock();
  uint64_t last = queue->sequence;
  interop_node_t *node = take_member(queue, last, false);
  interop_graph_unlock();
  while (node) {
    is_complete = interop_graph_wait_until(node, deadline);
    interop_node_drop(node);
    interop_graph_lock();
    node = is_complete ? take_member(queue, last, false) : NULL;
    interop_graph_unlock();
  }
  return is_complete;
}

/* ------------------------------------------------------------ reserving a queue */

void interop_graph_reserve(interop_node_t *node, quern_queue_t queue) {
  interop_graph_lock();
  if (node->is_active) node->queue->active--;
  node->is_active = false;
  interop_graph_wake();
  while (queue->is_reserved || queue->active) (void)sleep_or_help(NULL);
  queue->is_reserved = true;
  interop_graph_unlock();
}

void interop_graph_unreserve(quern_queue_t queue) {
  interop_work_t work;
  interop_work_init(&work);
  interop_graph_lock();
  queue->is_reserved = false;
  LIST_FOR_EACH_SAFE(link, &queue->parked) {
    list_remove(link);
    interop_graph_activate(&work, LIST_ENTRY(link, interop_node_t, ready));
  }
  interop_graph_wake();
  interop_graph_unlock();
  interop_work_do(&work);
}
