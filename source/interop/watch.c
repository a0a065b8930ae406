/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The watching thread, and its mailbox. */
#include "interop/watch.h"

#include <time.h>

#include "base/log.h"
#include "interop/graph.h"
#include "interop/runtime.h"

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

/* Sending commands to a device costs more than most of them. While somebody goes on submitting, let some gather: as
 * long as no other letter comes, and they get more. */
static void let_gather(const struct quern_queue_s *queue) {
  enum { most = 256, pause_ns = 20000, second_ns = 1000000000 };
  unsigned before = 0, now;
  while ((now = atomic_load_explicit(&queue->unflushed, memory_order_relaxed)) > before && now < most) {
    before = now;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += pause_ns;
    if (until.tv_nsec >= second_ns) {
      until.tv_nsec -= second_ns;
      until.tv_sec++;
    }
    pthread_mutex_lock(&mailbox.lock);
    bool has_letter = mailbox.first || pthread_cond_timedwait(&mailbox.arrived, &mailbox.lock, &until) == 0;
    pthread_mutex_unlock(&mailbox.lock);
    if (has_letter) return;
  }
}

static void handle(interop_node_t *node) {
  quern_queue_t queue = node->queue;
  while (!interop_graph_settle(node)) {
    /* The device could not promise to tell. */
    interop_runtime_of(node->context)->wait(node->context->state, node->native);
  }
  interop_graph_lock();
  queue->watched--;
  interop_graph_unlock();
  let_gather(queue);
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

static bool start(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, watch, NULL) != 0) return false;
  pthread_setname_np(thread, "quern-watch");
  pthread_detach(thread);
  return true;
}

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
