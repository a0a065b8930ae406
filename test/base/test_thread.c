/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Threads of our own: what they get, what they are called, and that the application's signals are not theirs. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/thread.h"

/* What a thread saw; it stays until `leave`, so that it can be looked at meanwhile. */
typedef struct visit_t {
  sigset_t mask;
  char name[16];
  atomic_bool entered, leave, left;
} visit_t;

/* The creator names the thread when it may run already. */
static void *visit(void *argument) {
  visit_t *seen = argument;
  pthread_sigmask(SIG_BLOCK, NULL, &seen->mask);
  atomic_store(&seen->entered, true);
  while (!atomic_load(&seen->leave)) usleep(100);
  pthread_getname_np(pthread_self(), seen->name, sizeof seen->name);
  atomic_store(&seen->left, true);
  return NULL;
}

static void await(const atomic_bool *flag) {
  for (int i = 0; i < 100000 && !atomic_load(flag); i++) usleep(100);
  assert_true(atomic_load(flag));
}

static void faults_alone_are_delivered(const sigset_t *mask) {
  static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) assert_int_equal(sigismember(mask, faults[i]), 0);
  static const int others[] = {SIGINT, SIGTERM, SIGALRM, SIGUSR1, SIGCHLD, SIGPIPE, SIGPROF};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) assert_int_equal(sigismember(mask, others[i]), 1);
}

static void a_thread_takes_no_signals_of_the_application(void **state) {
  (void)state;
  visit_t seen = {.leave = true};
  sigset_t before, after;
  pthread_t thread;
  sigemptyset(&before);
  sigaddset(&before, SIGUSR2);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  assert_int_equal(thread_create(&thread, 0, visit, &seen), 0);
  pthread_sigmask(SIG_SETMASK, NULL, &after);
  assert_int_equal(pthread_join(thread, NULL), 0);
  faults_alone_are_delivered(&seen.mask);
  for (int signal = 1; signal < 32; signal++) {
    assert_int_equal(sigismember(&after, signal), signal == SIGUSR2);
  }
}

static void a_detached_thread_gets_its_argument_and_its_name(void **state) {
  (void)state;
  visit_t seen = {.leave = false};
  assert_true(thread_start_detached(visit, &seen, "a-visitor"));
  await(&seen.entered);
  atomic_store(&seen.leave, true);
  await(&seen.left);
  assert_string_equal(seen.name, "a-visitor");
  faults_alone_are_delivered(&seen.mask);
}

static void without_a_name_it_has_its_creators(void **state) {
  (void)state;
  visit_t seen = {.leave = true};
  pthread_setname_np(pthread_self(), "a-creator");
  assert_true(thread_start_detached(visit, &seen, NULL));
  await(&seen.left);
  assert_string_equal(seen.name, "a-creator");
}

/* Held twice, it is given back in the other order. */
static void cancelling_waits_for_the_release(void **state) {
  (void)state;
  int now;
  const int outer = thread_cancel_hold(), inner = thread_cancel_hold();
  assert_int_equal(outer, PTHREAD_CANCEL_ENABLE);
  assert_int_equal(inner, PTHREAD_CANCEL_DISABLE);
  thread_cancel_release(inner);
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &now);
  assert_int_equal(now, PTHREAD_CANCEL_DISABLE);
  thread_cancel_release(outer);
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &now);
  assert_int_equal(now, PTHREAD_CANCEL_ENABLE);
}

/* More than the stack of any thread, by default 8 MiB. */
static _Thread_local volatile char many[12 << 20];

/* Bytes of stack below this function's frame. */
static void *stack_measure(void *argument) {
  pthread_attr_t attributes;
  void *start;
  size_t size;
  many[sizeof many - 1] = 1;
  if (pthread_getattr_np(pthread_self(), &attributes)) return NULL;
  pthread_attr_getstack(&attributes, &start, &size);
  pthread_attr_destroy(&attributes);
  *(size_t *)argument = (size_t)((char *)__builtin_frame_address(0) - (char *)start);
  return NULL;
}

static void thread_local_variables_take_no_stack_from_a_thread(void **state) {
  (void)state;
  const size_t sizes[] = {0, (size_t)1 << 20, (size_t)16 << 20};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    pthread_t thread;
    pthread_attr_t attributes;
    size_t room = 0, wanted = sizes[i];
    assert_int_equal(pthread_attr_init(&attributes), 0);
    if (!wanted) assert_int_equal(pthread_attr_getstacksize(&attributes, &wanted), 0);
    pthread_attr_destroy(&attributes);
    assert_int_equal(thread_create(&thread, sizes[i], stack_measure, &room), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_true(room >= wanted - 4096);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_thread_takes_no_signals_of_the_application),
      cmocka_unit_test(a_detached_thread_gets_its_argument_and_its_name),
      cmocka_unit_test(without_a_name_it_has_its_creators),
      cmocka_unit_test(cancelling_waits_for_the_release),
      cmocka_unit_test(thread_local_variables_take_no_stack_from_a_thread),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
