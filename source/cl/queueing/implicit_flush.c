/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The thread that flushes what was forgotten. It looks at times of its own, so that an enqueue costs one comparison,
 * and less and less often as long as the application flushes by itself. */
#include "cl/queueing/implicit_flush.h"

#include <pthread.h>
#include <time.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/options.h"
#include "base/thread.h"
#include "cl/queueing/queue.h"

enum {
  /** Longest time between two looks (ns). */
  longest_interval = 1000000,
  /** A batch that is open so long (ns) is flushed though commands still come, or the device is busy. */
  longest_open = 10000000,
  /** A queue is watched until so many looks in a row find nothing pending. */
  idle_limit = 8,
};

/* The process has one. */
static struct {
  pthread_mutex_t mutex;
  /** Signalled when the list is empty no more. */
  pthread_cond_t filled;
  /** Of implicit_flush_t.link; under `mutex`, as what follows. */
  list_t queues;
  bool is_running;
  /** The process ends. */
  bool is_over;
} flusher = {.mutex = PTHREAD_MUTEX_INITIALIZER,
             .filled = PTHREAD_COND_INITIALIZER,
             .queues = {&flusher.queues, &flusher.queues}};

static cl_command_queue queue_at(list_t *node) {
  return LIST_ENTRY(node, struct _cl_command_queue, implicit_flush.link);
}

/* ------------------------------------------------------------ looking, the list locked */

static bool device_is_idle(cl_device_id device) {
  for (uint32_t i = 0; i < device->mux_queue_count; i++) {
    if (atomic_load_explicit(&device->mux_queues[i].in_flight, memory_order_relaxed)) return false;
  }
  return true;
}

static batch_t *batch_at(list_t *node) { return LIST_ENTRY(node, batch_t, link); }

/* Queue locked. What is pending has not changed since the last look, or has been pending for very long. */
static bool is_forgotten(cl_command_queue queue, uint64_t now) {
  implicit_flush_t *flush = &queue->implicit_flush;
  const batch_t *oldest = batch_at(list_first(&queue->pending)), *newest = batch_at(list_last(&queue->pending));
  const uint64_t fill = (newest->sequence << 32) + newest->note_count + newest->commands->command_count;
  bool is_known = flush->sequence == oldest->sequence, is_quiet = is_known && flush->fill == fill;
  flush->fill = fill;
  flush->sequence = oldest->sequence;
  if (!is_known) flush->since = now;
  return (is_quiet && device_is_idle(queue->device)) || now - flush->since >= longest_open;
}

/* Queue locked. True when it has to be flushed. */
static bool look_at(cl_command_queue queue, uint64_t now) {
  implicit_flush_t *flush = &queue->implicit_flush;
  flush->last_look = now;
  if (!list_is_empty(&queue->pending)) {
    flush->idle_looks = 0;
    return is_forgotten(queue, now);
  }
  if (++flush->idle_looks < idle_limit) return false;
  flush->idle_looks = 0;
  list_remove(&flush->link);
  flush->is_watched = false;
  return false;
}

/* Looks at the queues that were not looked at yet at this time: one that has to be flushed, held; null when none has. A
 * queue that somebody has locked is in use, and not forgotten. Mutexes of queues come before the list's: none is waited
 * for here. */
static cl_command_queue look(uint64_t now, bool *out_pending) {
  cl_command_queue found = NULL;
  LIST_FOR_EACH_SAFE(node, &flusher.queues) {
    cl_command_queue queue = queue_at(node);
    if (queue->implicit_flush.last_look == now || pthread_mutex_trylock(&queue->mutex)) continue;
    if (look_at(queue, now)) found = queue;
    *out_pending |= !found && !list_is_empty(&queue->pending);
    /* Its batches hold it as long as they are pending. */
    if (found) object_hold(OBJECT(found));
    pthread_mutex_unlock(&queue->mutex);
    if (found) break;
  }
  return found;
}

/* ------------------------------------------------------------ the thread */

static uint64_t shortest_interval(void) { return options_get()->implicit_flush * 1000; }

/* The list locked before and after, but not meanwhile. */
static void flush_forgotten(cl_command_queue queue) {
  pthread_mutex_unlock(&flusher.mutex);
  if (log_enabled(log_queue)) log_write(log_queue, "queue %p: flushed, as nobody does", (void *)queue);
  queue_flush(queue);
  object_drop(OBJECT(queue));
  pthread_mutex_lock(&flusher.mutex);
}

static void sleep_for(uint64_t interval) {
  const uint64_t until = clock_now_ns() + interval;
  const struct timespec time = {.tv_sec = (time_t)(until / 1000000000u), .tv_nsec = (long)(until % 1000000000u)};
  pthread_mutex_unlock(&flusher.mutex);
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL)) continue;
  pthread_mutex_lock(&flusher.mutex);
}

/* Until no queue is watched. Looks become rarer as long as they find nothing to do; what is pending is looked at again
 * after the shortest time, once. */
static void look_on(void) {
  uint64_t interval = shortest_interval();
  bool is_second = false;
  while (!list_is_empty(&flusher.queues) && !flusher.is_over) {
    bool is_pending = false, has_flushed = false;
    sleep_for(is_second ? shortest_interval() : interval);
    const uint64_t now = clock_now_ns();
    for (cl_command_queue queue; (queue = look(now, &is_pending)); has_flushed = true) flush_forgotten(queue);
    is_second = is_pending && !is_second;
    if (has_flushed)
      interval = shortest_interval();
    else if (interval < longest_interval)
      interval *= 2;
  }
}

static void *thread_main(void *unused) {
  (void)unused;
  pthread_mutex_lock(&flusher.mutex);
  for (;;) {
    while (list_is_empty(&flusher.queues) || flusher.is_over) pthread_cond_wait(&flusher.filled, &flusher.mutex);
    look_on();
  }
  return NULL;
}

/* At the end of the process, which does not end its threads: what is not flushed by then never runs. */
__attribute__((destructor)) static void stop_at_exit(void) {
  pthread_mutex_lock(&flusher.mutex);
  flusher.is_over = true;
  pthread_mutex_unlock(&flusher.mutex);
}

/* ------------------------------------------------------------ from outside */

void implicit_flush_init(implicit_flush_t *flush) {
  *flush = (implicit_flush_t){.is_watched = !options_get()->implicit_flush};
  list_init(&flush->link);
}

void implicit_flush_watch(cl_command_queue queue) {
  pthread_mutex_lock(&flusher.mutex);
  bool was_empty = list_is_empty(&flusher.queues);
  list_append(&flusher.queues, &queue->implicit_flush.link);
  if (!flusher.is_running) {
    flusher.is_running = thread_start_detached(thread_main, NULL, "quern-flush");
    if (!flusher.is_running) log_write(log_threads, "no thread to flush what is forgotten");
  } else if (was_empty) {
    pthread_cond_signal(&flusher.filled);
  }
  pthread_mutex_unlock(&flusher.mutex);
}

void implicit_flush_forget(cl_command_queue queue) {
  pthread_mutex_lock(&flusher.mutex);
  list_remove(&queue->implicit_flush.link);
  pthread_mutex_unlock(&flusher.mutex);
}

void implicit_flush_lock(void) { pthread_mutex_lock(&flusher.mutex); }
void implicit_flush_unlock(void) { pthread_mutex_unlock(&flusher.mutex); }

void implicit_flush_abandon(void) {
  pthread_cond_init(&flusher.filled, NULL);
  list_init(&flusher.queues);
  flusher.is_running = false;
}
