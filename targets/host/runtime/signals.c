/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Signals are the process's, and so the application's: its handlers are called for everything that is not a kernel's
 * fault, whether they were there before ours or came later. One that came later stands before ours; the next dispatch
 * puts ours in front again. As such a handler may call ours in turn, a signal goes back one step further each time. */
#include "host/runtime/signals.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>

/* Room for the processor's whole state, some kilobytes, and for a handler of the application. */
#define SIGNAL_STACK_SIZE ((size_t)64 << 10)
/* Some fifty microseconds. */
#define LOOK_TICKS 125000u
/* Sets of handlers that an application installs one after the other; it would be odd to have so many. */
#define SET_COUNT 8

static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
enum { signal_count = sizeof signals / sizeof *signals };

typedef struct action_set_t {
  struct sigaction actions[signal_count];
} action_set_t;

static _Atomic(host_signal_handler_t) own_handler;
/* What ours was put in front of: constant once counted, so that handlers can read it. */
static action_set_t sets[SET_COUNT];
static int set_count;
static _Atomic int newest_set = -1;
static pthread_mutex_t claim_mutex = PTHREAD_MUTEX_INITIALIZER;

/* ---------------------------------------------------------------- installing */

static bool is_own(const struct sigaction *action) {
  return action->sa_flags & SA_SIGINFO && action->sa_sigaction == own_handler;
}

/* A signal whose handler is ours still has the one that ours stands before. */
static bool set_read(action_set_t *set) {
  int newest = atomic_load(&newest_set);
  for (int i = 0; i < signal_count; ++i) {
    if (sigaction(signals[i], NULL, &set->actions[i])) return false;
    if (is_own(&set->actions[i])) set->actions[i] = sets[newest].actions[i];
  }
  return true;
}

static bool sets_are_equal(const action_set_t *a, const action_set_t *b) {
  for (int i = 0; i < signal_count; ++i) {
    const struct sigaction *left = &a->actions[i], *right = &b->actions[i];
    if (left->sa_handler != right->sa_handler || left->sa_flags != right->sa_flags) return false;
  }
  return true;
}

/* The number of this set; -1 when there are too many. */
static int set_keep(const action_set_t *set) {
  for (int i = 0; i < set_count; ++i)
    if (sets_are_equal(&sets[i], set)) return i;
  if (set_count == SET_COUNT) return -1;
  sets[set_count] = *set;
  return set_count++;
}

/* What stands there is read first, as a signal of another thread may come as soon as ours does. */
static void signals_claim(void) {
  struct sigaction action = {.sa_sigaction = own_handler, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
  action_set_t set;
  sigemptyset(&action.sa_mask);
  int number = set_read(&set) ? set_keep(&set) : -1;
  if (number < 0) return;
  atomic_store(&newest_set, number);
  for (int i = 0; i < signal_count; ++i) sigaction(signals[i], &action, NULL);
}

void host_signals_lock(void) { pthread_mutex_lock(&claim_mutex); }
void host_signals_unlock(void) { pthread_mutex_unlock(&claim_mutex); }

void host_signals_install(host_signal_handler_t handler) {
  if (atomic_load(&own_handler)) return;
  host_signals_lock();
  if (!atomic_load(&own_handler)) {
    atomic_store(&own_handler, handler);
    signals_claim();
  }
  host_signals_unlock();
}

static bool is_ours(int signal) {
  struct sigaction action;
  return sigaction(signal, NULL, &action) || is_own(&action);
}

/* Most of those who install handlers of faults install one of this. Of the others only now and then, as looking costs a
 * system call each. */
static bool all_are_ours(uint64_t now) {
  static _Atomic uint64_t last_look;
  if (!is_ours(SIGSEGV)) return false;
  if (now - atomic_load_explicit(&last_look, memory_order_relaxed) < LOOK_TICKS) return true;
  atomic_store_explicit(&last_look, now, memory_order_relaxed);
  for (int i = 0; i < signal_count; ++i)
    if (!is_ours(signals[i])) return false;
  return true;
}

void host_signals_claim(uint64_t now) {
  if (all_are_ours(now)) return;
  host_signals_lock();
  signals_claim();
  host_signals_unlock();
}

/* ---------------------------------------------------------------- passing on */

/* The signal that this thread is passing on: a handler of the application that calls ours gives it the same context,
 * from further down the stack. What a handler left by a jump has no meaning any more, and is not taken for that. */
typedef struct passing_t {
  const void *context;
  const char *frame;
  int steps;
} passing_t;

static _Thread_local passing_t passing __attribute__((tls_model("initial-exec")));

static struct sigaction previous_action(int signal, int steps) {
  int set = atomic_load(&newest_set) - steps, i = 0;
  while (i + 1 < signal_count && signals[i] != signal) ++i;
  return set < 0 ? (struct sigaction){.sa_handler = SIG_DFL} : sets[set].actions[i];
}

/* A fault comes again when the handler returns; a signal that was sent does not. */
static void default_take(int signal, bool sent) {
  struct sigaction action = {.sa_handler = SIG_DFL};
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, NULL);
  if (sent) raise(signal);
}

/* Blocks what the kernel would block for it; the end of our handler restores the mask. */
static void mask_set(int signal, const struct sigaction *action, const ucontext_t *context) {
  sigset_t mask;
  sigorset(&mask, &context->uc_sigmask, &action->sa_mask);
  if (!(action->sa_flags & SA_NODEFER)) sigaddset(&mask, signal);
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

static void action_take(const struct sigaction *action, int signal, siginfo_t *info, void *context) {
  /* Kill, raise and the like, as opposed to something that the thread did. */
  bool sent = info->si_code <= 0;
  if (action->sa_handler == SIG_IGN && sent) return;
  if (action->sa_handler == SIG_DFL || action->sa_handler == SIG_IGN) {
    default_take(signal, sent);
    return;
  }
  if (action->sa_flags & (int)SA_RESETHAND) default_take(signal, false);
  mask_set(signal, action, context);
  if (action->sa_flags & SA_SIGINFO)
    action->sa_sigaction(signal, info, context);
  else
    action->sa_handler(signal);
}

void host_signal_pass_on(int signal, siginfo_t *info, void *context) {
  passing_t outer = passing;
  const char *frame = __builtin_frame_address(0);
  bool again = outer.context == context && frame < outer.frame;
  passing = (passing_t){.context = context, .frame = frame, .steps = again ? outer.steps + 1 : 0};
  struct sigaction action = previous_action(signal, passing.steps);
  action_take(&action, signal, info, context);
  passing = outer;
}

/* ---------------------------------------------------------------- stacks */

void *host_signal_stack_create(void) {
  stack_t current;
  if (sigaltstack(NULL, &current) || !(current.ss_flags & SS_DISABLE)) return NULL;
  void *memory = mmap(NULL, SIGNAL_STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return NULL;
  stack_t stack = {.ss_sp = memory, .ss_size = SIGNAL_STACK_SIZE};
  if (!sigaltstack(&stack, NULL)) return memory;
  munmap(memory, SIGNAL_STACK_SIZE);
  return NULL;
}

void host_signal_stack_destroy(void *memory) {
  stack_t current;
  if (!memory) return;
  /* The application may have given the thread another one since. */
  if (!sigaltstack(NULL, &current) && current.ss_sp == memory) {
    stack_t none = {.ss_flags = SS_DISABLE};
    sigaltstack(&none, NULL);
  }
  munmap(memory, SIGNAL_STACK_SIZE);
}
