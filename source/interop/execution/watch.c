/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The watching thread, and its mailbox. */
#include "interop/execution/watch.h"

#include <stdatomic.h>
#include <time.h>

#include "interop/execution/threads.h"
#include "interop/execution/wait.h"

/* Lives as long as the process, like the registry; the thread is started before the first letter. */
static struct {
  pthread_mutex_t lock;
  pthread_cond_t arrived;
  interop_node_t *first, **last;
  /** Changed under the lock, and once. */
  atomic_bool is_running;
} mailbox = {.lock = PTHREAD_MUTEX_INITIALIZER, .arrived = PTHREAD_COND_INITIALIZER, .last = &mailbox.first};

/* Under the lock. */
static interop_node_t *empty(void) {
  interop_node_t *letters = mailbox.first;
  mailbox.first = NULL;
  mailbox.last = &mailbox.first;
  return letters;
}

static interop_node_t *take_all(void) {
  pthread_mutex_lock(&mailbox.lock);
  while (!mailbox.first) pthread_cond_wait(&mailbox.arrived, &mailbox.lock);
  interop_node_t *letters = empty();
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

static void handle_all(interop_node_t *letters) {
  for (interop_node_t *node = letters, *next; node; node = next) {
    next = node->mail_next;
    handle(node);
  }
}

static void *watch(void *data) {
  (void)data;
  for (;;) handle_all(take_all());
  return NULL;
}

/* Under the lock. */
static void start(void) {
  if (!mailbox.is_running) mailbox.is_running = interop_thread_start(interop_thread_watch, watch, false);
}

void interop_watch_prepare(void) {
  if (mailbox.is_running) return;
  pthread_mutex_lock(&mailbox.lock);
  start();
  pthread_mutex_unlock(&mailbox.lock);
}

void interop_watch_notify(interop_node_t *node) {
  node->mail_next = NULL;
  pthread_mutex_lock(&mailbox.lock);
  bool was_empty = !mailbox.first, is_running = mailbox.is_running;
  *mailbox.last = node;
  mailbox.last = &node->mail_next;
  pthread_mutex_unlock(&mailbox.lock);
  if (was_empty) pthread_cond_signal(&mailbox.arrived);
  if (is_running) return;
  /* Those who sleep have to read it. */
  interop_graph_lock();
  interop_graph_wake();
  interop_graph_unlock();
}

bool interop_watch_has_work(void) {
  pthread_mutex_lock(&mailbox.lock);
  bool has = !mailbox.is_running && mailbox.first;
  pthread_mutex_unlock(&mailbox.lock);
  return has;
}

void interop_watch_help(void) {
  pthread_mutex_lock(&mailbox.lock);
  if (mailbox.first) start();
  interop_node_t *letters = mailbox.is_running ? NULL : empty();
  pthread_mutex_unlock(&mailbox.lock);
  handle_all(letters);
}
