/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The watching thread, and its mailbox. */
#include "interop/execution/watch.h"

#include <time.h>

#include "base/log.h"
#include "base/thread.h"
#include "interop/execution/wait.h"

/* Lives as long as the process, like the registry; the thread is started by the first letter. */
static struct {
  pthread_mutex_t lock;
  pthread_cond_t arrived;
  interop_node_t *first, **last;
  bool is_running;
} mailbox = {.lock = PTHREAD_MUTEX_INITIALIZER, .arrived = PTHREAD_COND_INITIALIZER, .last = &mailbox.first};

static interop_node_t *take_all(void) {
  pthread_mutex_lock(&mailbox.lock);
  while (!mailbox.first) pthread_cond_wait(&mailbox.arrived, &mailbox.lock);
  interop_node_t *letters = mailbox.first;
  mailbox.first = NULL;
  mailbox.last = &mailbox.first;
  pthread_mutex_unlock(&mailbox.lock);
  return letters;
}

/* False: a letter arrived meanwhile. */
static bool pause_ns(long time) {
  enum { second_ns = 1000000000 };
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += time;
  if (until.tv_nsec >= second_ns) {
    until.tv_nsec -= second_ns;
    until.tv_sec++;
  }
  pthread_mutex_lock(&mailbox.lock);
  bool has_letter = mailbox.first || pthread_cond_timedwait(&mailbox.arrived, &mailbox.lock, &until) == 0;
  pthread_mutex_unlock(&mailbox.lock);
  return !has_letter;
}

static unsigned count_unflushed(const struct quern_queue_s *queue) {
  return atomic_load_explicit(&queue->unflushed, memory_order_relaxed);
}

static uint64_t count_submitted(const struct quern_queue_s *queue) {
  interop_graph_lock();
  uint64_t count = queue->sequence;
  interop_graph_unlock();
  return count;
}

/* Sending commands to a device costs more than most of them, and those who submit many in order do so themselves. While
 * somebody does, let them gather: at first for a moment, and longer as long as they come as fast. One or a few are sent
 * after the moment. */
static void let_gather(const struct quern_queue_s *queue) {
  enum { most = 512, fast = 16, moment_ns = 20000, longest_ns = 640000 };
  if (!count_unflushed(queue)) return;
  uint64_t before, now = count_submitted(queue);
  long pause = moment_ns;
  do {
    before = now;
    if (!pause_ns(pause)) return;
    now = count_submitted(queue);
    if (pause < longest_ns) pause *= 2;
  } while (now >= before + fast && count_unflushed(queue) < most);
}

/* While this thread is at it, the queue counts as watched. */
static void count_watch(quern_queue_t queue, bool begins) {
  interop_graph_lock();
  if (begins) {
    queue->watched++;
  } else {
    queue->watched--;
  }
  interop_graph_unlock();
}

static void handle(interop_node_t *node) {
  quern_queue_t queue = node->queue;
  count_watch(queue, true);
  interop_graph_settle_watched(node);
  let_gather(queue);
  count_watch(queue, false);
  interop_graph_sweep(queue);
  interop_node_drop(node);
}

static void *watch(void *data) {
  (void)data;
  for (;;) {
    for (interop_node_t *node = take_all(), *next; node; node = next) {
      next = node->mail_next;
      handle(node);
    }
  }
  return NULL;
}

static bool start(void) { return thread_start_detached(watch, NULL, "quern-watch"); }

void interop_watch_notify(interop_node_t *node) {
  node->mail_next = NULL;
  pthread_mutex_lock(&mailbox.lock);
  bool was_empty = !mailbox.first;
  *mailbox.last = node;
  mailbox.last = &node->mail_next;
  if (!mailbox.is_running) mailbox.is_running = start();
  if (!mailbox.is_running) log_write(log_error, "interop: no thread to wait for devices; trying again later");
  pthread_mutex_unlock(&mailbox.lock);
  if (was_empty) pthread_cond_signal(&mailbox.arrived);
}
