/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Handlers of faults: which are put in front of the application's, and when; what becomes of signals that are none of
 * ours; how large a stack they need. The system's answers are those of a test. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "host/runtime/faults/signals.h"

enum { HANDLER = 4 << 10, LATER = 1 << 30 };

/* ---------------------------------------------------------------- the system */

/** What the kernel says of its frame, and whether there is memory. */
static unsigned long frame;
static bool has_memory;

unsigned long __wrap_getauxval(unsigned long type);
void *__real_mmap(void *address, size_t size, int protection, int flags, int file, off_t offset);
void *__wrap_mmap(void *address, size_t size, int protection, int flags, int file, off_t offset);

unsigned long __wrap_getauxval(unsigned long type) { return type == AT_MINSIGSTKSZ ? frame : 0; }

void *__wrap_mmap(void *address, size_t size, int protection, int flags, int file, off_t offset) {
  return has_memory ? __real_mmap(address, size, protection, flags, file, offset) : MAP_FAILED;
}

/* ---------------------------------------------------------------- stacks */

static unsigned char room[256 << 10];

static void stack_set(size_t size) {
  const stack_t stack = {.ss_sp = room, .ss_size = size};
  assert_int_equal(sigaltstack(&stack, NULL), 0);
}

static size_t stack_size(void) {
  stack_t stack;
  assert_int_equal(sigaltstack(NULL, &stack), 0);
  return stack.ss_flags & SS_DISABLE ? 0 : stack.ss_size;
}

static void stacks_hold_the_frame_and_a_handler(void **state) {
  (void)state;
  has_memory = true;
  for (int is_told = 0; is_told < 2; ++is_told) {
    frame = is_told ? 40000 : 0;
    const size_t least = (is_told ? 40000 : (size_t)MINSIGSTKSZ) + HANDLER;
    void *memory = NULL;
    stack_t old;
    stack_set(least);
    assert_false(host_signal_stack_replace(&memory, &old));
    assert_null(memory);
    stack_set(least - 1);
    assert_true(host_signal_stack_replace(&memory, &old));
    assert_non_null(memory);
    assert_int_equal(old.ss_size, least - 1);
    assert_true(stack_size() >= least);
    host_signal_stack_destroy(memory);
  }
}

static void without_memory_the_stack_stays(void **state) {
  (void)state;
  void *memory = NULL;
  stack_t old;
  frame = 40000;
  has_memory = false;
  stack_set(40000);
  assert_false(host_signal_stack_replace(&memory, &old));
  assert_null(memory);
  assert_int_equal(stack_size(), 40000);
}

/* ---------------------------------------------------------------- handlers, each in a process of its own */

/* The process ends with this status when it does not by a signal. */
static int child_status(int (*body)(void)) {
  int status = 0;
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    const int all[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) signal(all[i], SIG_DFL);
    alarm(30);
    _exit(body());
  }
  assert_int_equal(waitpid(child, &status, 0), child);
  return status;
}

static void of_application(int signal) { (void)signal; }

static bool is_of_application(int signal) {
  struct sigaction action;
  return sigaction(signal, NULL, &action) || action.sa_handler == of_application;
}

static void install(void) { host_signals_install(host_signal_pass_on); }

static int claims_what_was_taken(void) {
  const int others[] = {SIGBUS, SIGFPE, SIGILL, SIGTRAP};
  uint64_t now = LATER;
  install();
  if (!host_signals_are_ours()) return 1;
  signal(SIGSEGV, of_application);
  if (host_signals_are_ours()) return 2;
  host_signals_claim(now);
  if (!host_signals_are_ours() || is_of_application(SIGSEGV)) return 3;
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
    signal(others[i], of_application);
    host_signals_claim(now += LATER);
    if (is_of_application(others[i])) return 10 + (int)i;
  }
  return 0;
}

static void handlers_are_put_in_front_again(void **state) {
  (void)state;
  assert_int_equal(child_status(claims_what_was_taken), 0);
}

static int raises_with_the_default(void) {
  install();
  raise(SIGFPE);
  return 1;
}

static int raises_what_is_ignored(void) {
  signal(SIGFPE, SIG_IGN);
  install();
  raise(SIGFPE);
  return 2;
}

static atomic_int caught;

static void catch_it(int signal) { atomic_store(&caught, signal); }

static int raises_what_is_caught(void) {
  signal(SIGILL, catch_it);
  install();
  raise(SIGILL);
  return atomic_load(&caught) == SIGILL ? 3 : 4;
}

static void signals_of_others_are_passed_on(void **state) {
  (void)state;
  int status = child_status(raises_with_the_default);
  assert_true(WIFSIGNALED(status));
  assert_int_equal(WTERMSIG(status), SIGFPE);
  status = child_status(raises_what_is_ignored);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 2);
  status = child_status(raises_what_is_caught);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stacks_hold_the_frame_and_a_handler),
      cmocka_unit_test(without_memory_the_stack_stays),
      cmocka_unit_test(handlers_are_put_in_front_again),
      cmocka_unit_test(signals_of_others_are_passed_on),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
