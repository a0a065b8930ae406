/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The thread that ends kernels. A signal may find its thread in the runtime, in printf or in the C library, where it
 * must not be torn out, and does nothing then: so it is sent until nobody runs the dispatch's kernels any more. */
#include "host/runtime/faults/stop.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/options.h"
#include "base/thread.h"
#include "host/runtime/faults/guard.h"
#include "host/runtime/faults/signals.h"

/* Time between two signals to a thread (ns). */
#define REPEAT_NS 1000000u

/* The process has one. */
static struct {
  pthread_mutex_t mutex;
  /** What is armed has changed; on the monotonic clock. */
  pthread_cond_t changed;
  pthread_once_t once;
  /** host_stop_t.link, and host_guard_t.link of all threads; under `mutex`, as what follows. */
  list_t armed, guards;
  bool is_running;
} stopper = {.mutex = PTHREAD_MUTEX_INITIALIZER,
             .once = PTHREAD_ONCE_INIT,
             .armed = {&stopper.armed, &stopper.armed},
             .guards = {&stopper.guards, &stopper.guards}};

static void condition_init(void) {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&stopper.changed, &attributes);
  pthread_condattr_destroy(&attributes);
}

/* ---------------------------------------------------------------- signals */

bool host_stop_is_signal(const siginfo_t *info) {
  return info->si_signo == SIGSEGV && info->si_code == SI_QUEUE && info->si_value.sival_ptr == &stopper;
}

/* One of those that threads which execute kernels have not blocked, and that has our handler. Where none can be queued
 * now, the next one may. */
static void signal_send(const host_guard_t *guard) {
  siginfo_t info = {.si_signo = SIGSEGV, .si_code = SI_QUEUE, .si_value = {.sival_ptr = &stopper}};
  info.si_pid = getpid();
  info.si_uid = getuid();
  (void)syscall(SYS_rt_tgsigqueueinfo, info.si_pid, guard->thread, SIGSEGV, &info);
}

static void threads_signal(const host_stop_t *stop) {
  host_signals_claim(host_ticks());
  if (!host_signals_are_ours()) return;
  LIST_FOR_EACH(node, &stopper.guards) {
    const host_guard_t *guard = LIST_ENTRY(node, host_guard_t, link);
    if (atomic_load_explicit(&guard->stop, memory_order_relaxed) == stop) signal_send(guard);
  }
}

/* ---------------------------------------------------------------- the thread, locked */

/* When it has to be looked at again. */
static uint64_t stop_look(host_stop_t *stop, uint64_t now) {
  if (now < stop->deadline) return stop->deadline;
  if (!host_stop_is_wanted(stop)) {
    atomic_store(&stop->is_late, true);
    atomic_store(&stop->is_wanted, true);
  }
  threads_signal(stop);
  return now + REPEAT_NS;
}

static void wait_until(uint64_t time) {
  const struct timespec until = {.tv_sec = (time_t)(time / 1000000000u), .tv_nsec = (long)(time % 1000000000u)};
  if (time == UINT64_MAX)
    pthread_cond_wait(&stopper.changed, &stopper.mutex);
  else
    pthread_cond_timedwait(&stopper.changed, &stopper.mutex, &until);
}

static void *thread_main(void *unused) {
  (void)unused;
  pthread_mutex_lock(&stopper.mutex);
  for (;;) {
    const uint64_t now = clock_now_ns();
    uint64_t next = UINT64_MAX;
    LIST_FOR_EACH(node, &stopper.armed) {
      const uint64_t look = stop_look(LIST_ENTRY(node, host_stop_t, link), now);
      if (look < next) next = look;
    }
    wait_until(next);
  }
  return NULL;
}

void host_stop_prepare(void) {
  pthread_once(&stopper.once, condition_init);
  host_stop_lock();
  if (!stopper.is_running) stopper.is_running = thread_start_detached(thread_main, NULL, "quern-stop");
  if (!stopper.is_running) log_write(log_threads, "no thread to end kernels");
  host_stop_unlock();
}

static void stop_arm(host_stop_t *stop, uint64_t deadline) {
  stop->deadline = deadline;
  if (!stop->is_armed) list_append(&stopper.armed, &stop->link);
  stop->is_armed = true;
  pthread_cond_signal(&stopper.changed);
}

/* ---------------------------------------------------------------- dispatches */

void host_stop_init(host_stop_t *stop) {
  *stop = (host_stop_t){.deadline = UINT64_MAX, .limit = options_get()->kernel_timeout * 1000000u};
  list_init(&stop->link);
}

void host_stop_now(host_stop_t *stop) {
  host_stop_lock();
  atomic_store(&stop->is_wanted, true);
  if (stopper.is_running) stop_arm(stop, 0);
  host_stop_unlock();
}

void host_stop_release(host_stop_t *stop) {
  if (!stop->is_armed) return;
  host_stop_lock();
  list_remove(&stop->link);
  stop->is_armed = false;
  host_stop_unlock();
}

void host_stop_time(host_stop_t *stop) {
  host_stop_prepare();
  host_stop_lock();
  if (stopper.is_running && !host_stop_is_wanted(stop)) stop_arm(stop, clock_now_ns() + stop->limit);
  host_stop_unlock();
}

void host_stop_time_end(host_stop_t *stop) {
  host_stop_lock();
  if (stop->deadline) stop->deadline = UINT64_MAX;
  host_stop_unlock();
}

/* ---------------------------------------------------------------- threads */

void host_stop_thread_begin(host_guard_t *guard) {
  host_stop_lock();
  guard->thread = (int)syscall(SYS_gettid);
  list_init(&guard->link);
  list_append(&stopper.guards, &guard->link);
  host_stop_unlock();
}

void host_stop_thread_end(host_guard_t *guard) {
  host_stop_lock();
  list_remove(&guard->link);
  host_stop_unlock();
}

void host_stop_lock(void) { pthread_mutex_lock(&stopper.mutex); }
void host_stop_unlock(void) { pthread_mutex_unlock(&stopper.mutex); }

void host_stop_after_fork(host_guard_t *guard) {
  condition_init();
  const bool is_known = guard->thread;
  list_init(&stopper.armed);
  list_init(&stopper.guards);
  stopper.is_running = false;
  if (!is_known) return;
  guard->thread = (int)syscall(SYS_gettid);
  list_append(&stopper.guards, &guard->link);
}
