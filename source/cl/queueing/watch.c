/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The watcher's thread. */
#include "cl/queueing/watch.h"

#include <pthread.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/log.h"
#include "base/thread.h"

static struct {
  pthread_mutex_t mutex;
  /** There is a thread, and `epoll` is what it waits with. */
  bool is_running;
  int epoll;
  /** Armed watches. An event of epoll names the number of its watch, which may be gone by then. */
  list_t armed;
  uint64_t last_number;
} watcher = {.mutex = PTHREAD_MUTEX_INITIALIZER, .armed = {&watcher.armed, &watcher.armed}};

void watcher_lock(void) { pthread_mutex_lock(&watcher.mutex); }
void watcher_unlock(void) { pthread_mutex_unlock(&watcher.mutex); }

void watcher_forget(void) {
  LIST_FOR_EACH_SAFE(node, &watcher.armed) {
    list_remove(node);
    LIST_ENTRY(node, watch_t, link)->armed = false;
  }
  /* Shared with the parent: it is closed, and not changed. */
  if (watcher.is_running) close(watcher.epoll);
  watcher.is_running = false;
}

/* Locked. */
static void take_off(watch_t *watch) {
  watch->armed = false;
  list_remove(&watch->link);
  epoll_ctl(watcher.epoll, EPOLL_CTL_DEL, watch->descriptor, NULL);
}

/* Null when it was disarmed. */
static watch_t *find(uint64_t number) {
  LIST_FOR_EACH(node, &watcher.armed) {
    watch_t *watch = LIST_ENTRY(node, watch_t, link);
    if (watch->number == number) return watch;
  }
  return NULL;
}

static void dispatch(uint64_t number) {
  watcher_lock();
  watch_t *watch = find(number);
  void (*ready)(void *data) = watch ? watch->ready : NULL;
  void *data = watch ? watch->data : NULL;
  if (watch) take_off(watch);
  watcher_unlock();
  if (ready) ready(data);
}

static void *run(void *unused) {
  (void)unused;
  struct epoll_event events[16];
  for (;;) {
    int count = epoll_wait(watcher.epoll, events, sizeof events / sizeof *events, -1);
    for (int i = 0; i < count; i++) dispatch(events[i].data.u64);
  }
  return NULL;
}

/* Locked. */
static bool start(void) {
  if (watcher.is_running) return true;
  watcher.epoll = epoll_create1(EPOLL_CLOEXEC);
  if (watcher.epoll < 0) return false;
  watcher.is_running = thread_start_detached(run, NULL, NULL);
  if (!watcher.is_running) close(watcher.epoll);
  return watcher.is_running;
}

/* Locked. */
static bool put_on(watch_t *watch) {
  watch->number = ++watcher.last_number;
  struct epoll_event event = {.events = EPOLLIN, .data = {.u64 = watch->number}};
  if (epoll_ctl(watcher.epoll, EPOLL_CTL_ADD, watch->descriptor, &event)) return false;
  list_append(&watcher.armed, &watch->link);
  watch->armed = true;
  return true;
}

bool watch_arm(watch_t *watch, bool *out_fresh) {
  watcher_lock();
  *out_fresh = !watch->armed && start() && put_on(watch);
  bool armed = *out_fresh || watch->armed;
  watcher_unlock();
  if (!armed) log_write(log_error, "descriptor %d cannot be waited for", watch->descriptor);
  return armed;
}

bool watch_disarm(watch_t *watch) {
  watcher_lock();
  bool armed = watch->armed;
  if (armed) take_off(watch);
  watcher_unlock();
  return armed;
}
