/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Signals are the process's, and so the application's: its handlers are called for everything that is not a kernel's
 * fault, whether they were there before ours or came later. One that came later stands before ours; the next dispatch
 * puts ours in front again. As such a handler may call ours in turn, a signal goes back one step further each time. */
#include "host/runtime/faults/signals.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/mman.h>

/* Room for the processor's whole state, some kilobytes, and for a handler of the application. */
#define SIGNAL_STACK_SIZE ((size_t)64 << 10)
/* Some fifty microseconds. */
#define LOOK_TICKS 125000u
/* What a handler of ours and the C library need beside the frame that the kernel makes. */
#define HANDLER_STACK_SIZE ((size_t)4 << 10)

static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
enum { signal_count = sizeof signals / sizeof *signals };

/* A set of handlers that ours was put in front of, and the one made before it. As many as an application has different
 * ones, which is as many as it has handlers in its code. */
typedef struct action_set_t {
  struct sigaction actions[signal_count];
  const struct action_set_t *before;
} action_set_t;

static _Atomic(host_signal_handler_t) own_handler;
/* All sets, and the one that ours stands before now. Sets are constant and never freed: handlers read them. */
static const action_set_t *last_set;
static _Atomic(const action_set_t *) newest_set;
static pthread_mutex_t claim_mutex = PTHREAD_MUTEX_INITIALIZER;

/* ---------------------------------------------------------------- installing */

static bool is_own(const struct sigaction *action) {
  return action->sa_flags & SA_SIGINFO && action->sa_sigaction == own_handler;
}

/* A signal whose handler is ours still has the one that ours stands before. */
static bool set_read(action_set_t *set) {
  const action_set_t *newest = atomic_load(&newest_set);
  for (int i = 0; i < signal_count; ++i) {
    if (sigaction(signals[i], NULL, &set->actions[i])) return false;
    if (is_own(&set->actions[i])) set->actions[i] = newest->actions[i];
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

/* `set`, which becomes one of the list, or what is equal to it there. */
static const action_set_t *set_keep(action_set_t *set) {
  for (const action_set_t *kept = last_set; kept; kept = kept->before)
    if (sets_are_equal(kept, set)) return kept;
  set->before = last_set;
  return last_set = set;
}

/* What stands there is read first, as a signal of another thread may come as soon as ours does. True when `fresh` is
 * used. */
static bool signals_claim(action_set_t *fresh) {
  struct sigaction action = {.sa_sigaction = own_handler, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
  sigemptyset(&action.sa_mask);
  if (!set_read(fresh)) return false;
  const action_set_t *set = set_keep(fresh);
  atomic_store(&newest_set, set);
  for (int i = 0; i < signal_count; ++i) sigaction(signals[i], &action, NULL);
  return set == fresh;
}

void host_signals_lock(void) { pthread_mutex_lock(&claim_mutex); }
void host_signals_unlock(void) { pthread_mutex_unlock(&claim_mutex); }

void host_signals_install(host_signal_handler_t handler) {
  static action_set_t first_set;
  if (atomic_load(&own_handler)) return;
  host_signals_lock();
  if (!atomic_load(&own_handler)) {
    atomic_store(&own_handler, handler);
    (void)signals_claim(&first_set);
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

bool host_signals_are_ours(void) { return is_ours(SIGSEGV); }

void host_signals_claim(uint64_t now) {
  if (all_are_ours(now)) return;
  /* Without memory handlers stay as they are until the next time. */
  action_set_t *fresh = malloc(sizeof *fresh);
  if (!fresh) return;
  host_signals_lock();
  bool used = signals_claim(fresh);
  host_signals_unlock();
  if (!used) free(fresh);
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
  const action_set_t *set = atomic_load(&newest_set);
  int i = 0;
  while (i + 1 < signal_count && signals[i] != signal) ++i;
  while (set && steps--) set = set->before;
  return set ? set->actions[i] : (struct sigaction){.sa_handler = SIG_DFL};
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

/* ---------------------------------------------------------------- masks and stacks */

bool host_signals_unblock(sigset_t *out_mask) {
  sigset_t set;
  sigemptyset(&set);
  for (int i = 0; i < signal_count; ++i) sigaddset(&set, signals[i]);
  if (pthread_sigmask(SIG_UNBLOCK, &set, out_mask)) return false;
  for (int i = 0; i < signal_count; ++i)
    if (sigismember(out_mask, signals[i])) return true;
  return false;
}

/* The kernel tells the size of its frame, with the registers that this processor has. */
static bool stack_is_enough(const stack_t *stack) {
  unsigned long frame = getauxval(AT_MINSIGSTKSZ);
  if (!frame) frame = MINSIGSTKSZ;
  return !(stack->ss_flags & SS_DISABLE) && stack->ss_size >= frame + HANDLER_STACK_SIZE;
}

static void *stack_map(void) {
  void *memory = mmap(NULL, SIGNAL_STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

bool host_signal_stack_replace(void **memory, stack_t *out_stack) {
  if (sigaltstack(NULL, out_stack) || stack_is_enough(out_stack)) return false;
  if (!*memory) *memory = stack_map();
  if (!*memory) return false;
  const stack_t stack = {.ss_sp = *memory, .ss_size = SIGNAL_STACK_SIZE};
  return !sigaltstack(&stack, NULL);
}

void *host_signal_stack_create(void) {
  stack_t current;
  if (sigaltstack(NULL, &current) || !(current.ss_flags & SS_DISABLE)) return NULL;
  void *memory = stack_map();
  if (!memory) return NULL;
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
