/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Getting on: starting what is ready, telling failures, cleaning up after what is complete. No lock is held here while
 * code of backends and applications runs. */

#include "interop/execution/progress.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "interop/execution/wait.h"
#include "interop/execution/watch.h"
#include "interop/execution/worker.h"
#include "interop/object/runtime.h"
#include "interop/object/trace.h"

/* ------------------------------------------------------------ ends */

static void tell(interop_node_t *node, quern_result_t result, const char *message) {
  quern_queue_t queue = node->queue;
  const quern_async_error_t error = {result, message, queue, node};
  interop_graph_lock();
  quern_async_handler_t handler = queue->handler;
  void *data = queue->handler_data;
  interop_graph_unlock();
  interop_task_t before = interop_task_enter(interop_task_handler);
  if (handler) {
    handler(&error, data);
  } else if (node->context->handler) {
    node->context->handler(&error, node->context->handler_data);
  } else {
    log_warning("command group failed: %s", message);
  }
  interop_task_leave(before);
}

static void complete(interop_work_t *work, interop_node_t *node) {
  interop_graph_lock();
  interop_graph_finalize(work, node);
  interop_graph_unlock();
}

/* The device has told what it had to tell of the node: another one of its queue is watched from now on, as the second
 * try may wait for all of them. */
static void try_again(interop_work_t *work, interop_node_t *node) {
  interop_graph_lock();
  if (node->is_watched) {
    node->is_watched = false;
    node->queue->watched--;
    interop_graph_keep_watching(work, node->queue);
  }
  interop_graph_unlock();
  interop_worker_submit(node);
}

static void fail(interop_work_t *work, interop_node_t *node, quern_result_t result, const char *message) {
  if (node->fallback && !node->was_retried) {
    node->was_retried = true;
    try_again(work, node);
    return;
  }
  node->result = result;
  node->message = strdup(message);
  tell(node, result, message);
  complete(work, node);
}

static void end(interop_work_t *work, interop_node_t *node, quern_result_t result) {
  if (result == quern_success) {
    complete(work, node);
  } else {
    /* Not the thread's own text: the handler may make calls. */
    char *message = strdup(quern_last_error_message());
    fail(work, node, result, message ? message : quern_result_text(result));
    free(message);
  }
}

void interop_graph_fail(interop_node_t *node, quern_result_t result, const char *message) {
  interop_work_t work;
  interop_work_init(&work);
  fail(&work, node, result, message);
  interop_work_do(&work);
}

void interop_graph_repeat(interop_node_t *node) {
  interop_work_t work;
  interop_work_init(&work);
  node->is_repeated = true;
  try_again(&work, node);
  interop_work_do(&work);
}

void interop_graph_complete(interop_node_t *node, quern_result_t result) {
  interop_work_t work;
  interop_work_init(&work);
  end(&work, node, result);
  interop_work_do(&work);
}

/* What a complete node still holds. */
static void clean(interop_node_t *node) {
  if (node->had_stand_in) {
    interop_runtime_of(node->context)
        ->complete_event(node->context->state, node->stand_in, node->result == quern_success);
  }
  for (size_t i = 0; i < node->edges.count; i++) interop_node_drop(node->edges.items[i].from);
  if (node->destroy || node->callbacks) {
    interop_worker_finish(node);
    return;
  }
  interop_node_finish(node);
  interop_node_drop(node);
}

/* ------------------------------------------------------------ starts */

/* Whether a node that fails without running has to wait: whoever comes behind it relies on it for those before. */
static bool waits_to_fail(interop_work_t *work, interop_node_t *node) {
  interop_graph_lock();
  bool is_blocked = interop_graph_block(work, node);
  interop_graph_unlock();
  return is_blocked;
}

static void fail_unstarted(interop_work_t *work, interop_node_t *node) {
  if (!node->is_dependent_failure) {
    tell(node, node->result, node->message ? node->message : quern_result_text(node->result));
  }
  complete(work, node);
}

/* The device refused it: without a fallback queue that is the end, in its turn. The message is the thread's. */
static void refuse(interop_work_t *work, interop_node_t *node, quern_result_t result) {
  if (node->fallback) {
    end(work, node, result);
    return;
  }
  interop_graph_lock();
  interop_graph_poison(node, result);
  interop_graph_unlock();
  if (!waits_to_fail(work, node)) fail_unstarted(work, node);
}

static void start_native(interop_work_t *work, interop_node_t *node) {
  quern_queue_t queue = node->queue;
  for (size_t i = 0; i < node->edges.count; i++) {
    if (node->edges.items[i].from->queue != queue) interop_queue_flush(node->edges.items[i].from->queue);
  }
  quern_result_t result = interop_queue_open(queue);
  if (result == quern_success) result = interop_runtime_of(node->context)->dispatch(node, queue);
  if (result != quern_success) {
    refuse(work, node, result);
    return;
  }
  if (!node->native) {
    complete(work, node);
    return;
  }
  atomic_fetch_add_explicit(&queue->unflushed, 1, memory_order_relaxed);
  /* Somebody may complete and free the node as soon as it is dispatched, and the queue with it. */
  bool runs_at_once = !interop_queue_is_in_order(queue) && !node->waits.count;
  if (runs_at_once) interop_queue_hold(queue);
  interop_graph_lock();
  interop_graph_dispatched(work, node);
  interop_graph_unlock();
  if (!runs_at_once) return;
  interop_queue_flush(queue);
  interop_queue_drop(queue);
}

static void start_on_host(interop_work_t *work, interop_node_t *node) {
  /* A host access may have ended, and be gone, as soon as the lock is. */
  interop_action_t action = node->action;
  if (interop_trace_is_on()) node->started_ns = node->ended_ns = clock_now_ns();
  interop_graph_lock();
  node->state = interop_state_running;
  interop_graph_wake();
  interop_graph_unlock();
  switch (action) {
    case interop_action_host_access: break;
    case interop_action_none:
    case interop_action_update_host: complete(work, node); break;
    default: interop_worker_submit(node);
  }
}

/* Whoever was to write where this transfer leads fails with it, but the contents count as being there: they are brought
 * as they are. It stays a failure, so nobody may wait for it natively. */
static void start_failed(interop_work_t *work, interop_node_t *node) {
  if (waits_to_fail(work, node)) return;
  if (node->action != interop_action_transfer || !node->is_dependent_failure) {
    fail_unstarted(work, node);
    return;
  }
  interop_graph_lock();
  node->hides_native = true;
  node->waits.count = 0;
  interop_graph_unlock();
  start_native(work, node);
}

static void start(interop_work_t *work, interop_node_t *node) {
  if (node->result != quern_success) {
    start_failed(work, node);
  } else if (node->is_native) {
    start_native(work, node);
  } else {
    start_on_host(work, node);
  }
}

static void watch(interop_node_t *node) {
  quern_queue_t queue = node->queue;
  interop_queue_hold(queue);
  interop_watch_prepare();
  /* The device tells on any thread, possibly now, and the node may be gone then; what cannot be told is waited for. */
  if (!interop_runtime_of(queue->context)->watch(node)) interop_watch_notify(node);
  interop_queue_flush(queue);
  interop_queue_drop(queue);
}

static interop_node_t *take_ready(list_t *list) {
  list_t *link = list_first(list);
  if (!link) return NULL;
  list_remove(link);
  return LIST_ENTRY(link, interop_node_t, ready);
}

void interop_work_do(interop_work_t *work) {
  for (;;) {
    interop_node_t *node = take_ready(&work->ready);
    list_t *link;
    if (node) {
      start(work, node);
    } else if ((link = list_first(&work->watch))) {
      list_remove(link);
      watch(LIST_ENTRY(link, interop_node_t, watch));
    } else if ((node = take_ready(&work->finished))) {
      clean(node);
    } else {
      return;
    }
  }
}

/* ------------------------------------------------------------ submission */

/* Whoever submits many in order sends and completes them by the way, which is cheaper than a thread that does it
 * beside. Out of order, what is complete is not at the beginning. */
static bool is_due(const interop_node_t *node) {
  enum { interval = 64 };
  return interop_queue_is_in_order(node->queue) && node->sequence % interval == 0;
}

/* Whether a thread is to run it, now or when it is tried again. */
static bool may_need_worker(const interop_node_t *node) {
  return node->fallback || node->action == interop_action_interop_task || node->action == interop_action_host_task ||
         interop_context_is_host(node->context);
}

void interop_graph_submit(interop_node_t *node) {
  quern_queue_t queue = node->queue;
  if (may_need_worker(node)) interop_worker_prepare();
  interop_work_t work;
  interop_work_init(&work);
  interop_graph_lock();
  interop_graph_enter(&work, node);
  bool tidies = is_due(node);
  if (tidies) interop_queue_hold(queue);
  interop_graph_unlock();
  interop_work_do(&work);
  if (!tidies) return;
  interop_queue_flush(queue);
  interop_graph_tidy(queue);
  interop_queue_drop(queue);
}
