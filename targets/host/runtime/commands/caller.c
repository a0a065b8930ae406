/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Threads of the application that wait, and so execute. A signal that is blocked when a fault raises it, and one whose
 * frame does not fit on the stack for signal handlers, end the process: there is no handler that could see them. A
 * thread that is cancelled in a kernel's output or a callback leaves a dispatch that never ends. */
#include "host/runtime/commands/caller.h"

#include <signal.h>
#include <stdbool.h>

#include "base/thread.h"
#include "host/runtime/faults/signals.h"
#include "host/runtime/faults/thread.h"
#include "host/runtime/scheduling/queue.h"

typedef struct caller_t {
  bool is_first, has_mask, has_stack;
  sigset_t mask;
  stack_t stack;
  int cancel_state;
} caller_t;

/* There was something to put aside when it waited last. */
static _Thread_local bool is_odd;
/* It waits: what it executes may wait in turn. */
static _Thread_local bool is_waiting;

/* Since a command buffer that has just ended an application has not changed its signals. */
static void caller_enter(caller_t *caller) {
  *caller = (caller_t){.is_first = !is_waiting};
  is_waiting = true;
  host_thread_t *thread = host_thread_get();
  caller->cancel_state = thread_cancel_hold();
  if (!caller->is_first || (!is_odd && host_guard_ended_just_now(&thread->guard))) return;
  host_thread_prepare(thread);
  caller->has_mask = host_signals_unblock(&caller->mask);
  caller->has_stack = host_signal_stack_replace(&thread->signal_stack, &caller->stack);
  is_odd = caller->has_mask || caller->has_stack;
}

static void caller_leave(const caller_t *caller) {
  thread_cancel_release(caller->cancel_state);
  if (!caller->is_first) return;
  is_waiting = false;
  if (caller->has_mask) pthread_sigmask(SIG_SETMASK, &caller->mask, NULL);
  if (caller->has_stack) sigaltstack(&caller->stack, NULL);
}

mux_result_t host_caller_try_wait(mux_queue_t queue, uint64_t timeout, mux_fence_t fence) {
  caller_t caller;
  /* It only looks. */
  if (!timeout) return host_try_wait(queue, timeout, fence);
  caller_enter(&caller);
  mux_result_t result = host_try_wait(queue, timeout, fence);
  caller_leave(&caller);
  return result;
}

mux_result_t host_caller_wait(mux_queue_t queue, mux_fence_t fence) {
  caller_t caller;
  caller_enter(&caller);
  mux_result_t result = host_wait(queue, fence);
  caller_leave(&caller);
  return result;
}

mux_result_t host_caller_wait_all(mux_queue_t queue) {
  caller_t caller;
  caller_enter(&caller);
  mux_result_t result = host_wait_all(queue);
  caller_leave(&caller);
  return result;
}
