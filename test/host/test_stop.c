/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * When kernels are ended: from the time limit on and when asked for, and not afterwards; and what a fork leaves of it.
 * No kernel runs here; test_faults.c and test/cl/kernel_timeout.c have some. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "host/runtime/faults/guard.h"
#include "host/runtime/faults/stop.h"

#define MS ((uint64_t)1000 * 1000)
#define NEVER UINT64_MAX

/* As long as it takes on a machine that is busy. */
static bool comes_true(const atomic_bool *what) {
  for (int i = 0; i < 10000 && !atomic_load(what); ++i) usleep(1000);
  return atomic_load(what);
}

static void stop_init(host_stop_t *stop, uint64_t limit) {
  host_stop_init(stop);
  stop->limit = limit;
}

static void nothing_is_stopped_by_itself(void **state) {
  (void)state;
  host_stop_t stop;
  host_stop_init(&stop);
  assert_int_equal(stop.limit, 0); /* as long as it likes */
  assert_true(stop.deadline == NEVER);
  assert_false(stop.is_armed || host_stop_is_wanted(&stop) || atomic_load(&stop.is_late));
  host_stop_begin(&stop);
  assert_false(stop.is_armed);
  host_stop_end(&stop);
  host_stop_release(&stop);
}

static void the_limit_counts_from_the_kernels_begin(void **state) {
  (void)state;
  host_stop_t stop;
  stop_init(&stop, 3600000 * MS);
  const uint64_t before = clock_now_ns();
  host_stop_begin(&stop);
  const uint64_t after = clock_now_ns();
  assert_true(stop.is_armed);
  assert_true(stop.deadline >= before + stop.limit && stop.deadline <= after + stop.limit);
  host_stop_end(&stop);
  assert_true(stop.deadline == NEVER);
  assert_true(stop.is_armed); /* until the dispatch is over */
  host_stop_begin(&stop);
  assert_true(stop.deadline >= after + stop.limit && stop.deadline < NEVER);
  host_stop_end(&stop);
  assert_false(host_stop_is_wanted(&stop));
  host_stop_release(&stop);
  assert_false(stop.is_armed);
  host_stop_release(&stop);
}

static void what_takes_too_long_is_stopped(void **state) {
  (void)state;
  host_stop_t slow, quick, patient;
  stop_init(&slow, 2 * MS);
  stop_init(&quick, 2 * MS);
  stop_init(&patient, 3600000 * MS);
  host_stop_begin(&patient);
  host_stop_begin(&slow);
  assert_true(comes_true(&slow.is_late));
  assert_true(comes_true(&slow.is_wanted));
  assert_false(host_stop_is_wanted(&patient));
  host_stop_end(&slow);
  /* It stays stopped: nothing more of the dispatch begins. */
  host_stop_begin(&slow);
  assert_true(slow.deadline == NEVER);
  assert_true(host_stop_is_wanted(&slow));
  host_stop_release(&slow);
  /* The thread looks after what is armed later, too. */
  host_stop_begin(&quick);
  assert_true(comes_true(&quick.is_late));
  assert_false(atomic_load(&patient.is_late));
  host_stop_end(&quick);
  host_stop_end(&patient);
  host_stop_release(&quick);
  host_stop_release(&patient);
}

static void who_is_asked_to_stop_is_not_late(void **state) {
  (void)state;
  host_stop_t stop;
  stop_init(&stop, 0);
  host_stop_prepare();
  host_stop_now(&stop);
  assert_true(host_stop_is_wanted(&stop));
  assert_true(stop.is_armed);
  assert_true(stop.deadline == 0);
  usleep(5000);
  assert_false(atomic_load(&stop.is_late));
  /* The end of one kernel is not the end of what was asked for. */
  host_stop_time_end(&stop);
  assert_true(stop.deadline == 0);
  host_stop_release(&stop);
  assert_false(stop.is_armed);
}

/* No assertions of cmocka in the child: its exit code tells. */
static int stop_in_the_child(host_stop_t *parents) {
  host_stop_t stop;
  stop_init(&stop, 2 * MS);
  alarm(60);
  host_stop_begin(&stop);
  if (!comes_true(&stop.is_late)) return 1;
  /* What the parent had armed is the parent's. */
  if (host_stop_is_wanted(parents) || atomic_load(&parents->is_late)) return 2;
  host_stop_end(&stop);
  host_stop_release(&stop);
  return 0;
}

static void a_child_has_a_thread_of_its_own(void **state) {
  (void)state;
  host_guard_t guard = {0};
  host_stop_t stop;
  stop_init(&stop, 20 * MS);
  host_stop_thread_begin(&guard);
  const int thread = guard.thread;
  assert_int_equal(thread, (int)gettid());
  host_stop_lock();
  pid_t child = fork();
  if (!child) {
    host_stop_after_fork(&guard);
    host_stop_unlock();
    if (guard.thread == thread || guard.thread != (int)gettid()) _exit(10);
    host_stop_thread_end(&guard);
    _exit(stop_in_the_child(&stop));
  }
  host_stop_unlock();
  int status = 0;
  assert_true(child > 0);
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 0);
  host_stop_thread_end(&guard);
  host_stop_begin(&stop);
  assert_true(comes_true(&stop.is_late));
  host_stop_end(&stop);
  host_stop_release(&stop);
}

/* Faults, and signals that others send, are none of the stopper's. */
static void other_signals_are_not_its_own(void **state) {
  (void)state;
  int place = 0;
  const siginfo_t others[] = {{.si_signo = SIGSEGV, .si_code = SEGV_MAPERR},
                              {.si_signo = SIGSEGV, .si_code = SI_QUEUE},
                              {.si_signo = SIGFPE, .si_code = SI_QUEUE},
                              {.si_signo = SIGSEGV, .si_code = SI_TKILL}};
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
    siginfo_t info = others[i];
    assert_false(host_stop_is_signal(&info));
    if (info.si_code != SEGV_MAPERR) info.si_value.sival_ptr = &place;
    assert_false(host_stop_is_signal(&info));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_is_stopped_by_itself),    cmocka_unit_test(the_limit_counts_from_the_kernels_begin),
      cmocka_unit_test(what_takes_too_long_is_stopped),  cmocka_unit_test(who_is_asked_to_stop_is_not_late),
      cmocka_unit_test(a_child_has_a_thread_of_its_own), cmocka_unit_test(other_signals_are_not_its_own),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
