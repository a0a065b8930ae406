/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Who sleeps for a change of the graph is woken by it, with a limit of time and without one, alone and together. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "interop/object/lock.h"

enum { limit_s = 5 };

/* Under the graph's lock. */
static int asleep;
static bool has_changed;

static void *sleep_without_limit(void *data) {
  interop_graph_lock();
  asleep++;
  while (!has_changed) interop_graph_sleep();
  interop_graph_unlock();
  return data;
}

/* Null when the limit passed. */
static void *sleep_with_limit(void *data) {
  struct timespec deadline;
  bool is_in_time = true;
  clock_gettime(CLOCK_MONOTONIC, &deadline);
  deadline.tv_sec += limit_s;
  interop_graph_lock();
  asleep++;
  while (!has_changed && is_in_time) is_in_time = interop_graph_sleep_until(deadline);
  interop_graph_unlock();
  return is_in_time ? data : NULL;
}

/* Who has counted itself and left the lock to others sleeps. */
static void await_sleepers(int count) {
  for (bool all = false; !all; usleep(100)) {
    interop_graph_lock();
    all = asleep == count;
    interop_graph_unlock();
  }
}

static void expect_wake(bool with_limit, bool without_limit) {
  pthread_t limited, unlimited;
  void *in_time;
  asleep = 0;
  has_changed = false;
  if (without_limit) assert_int_equal(pthread_create(&unlimited, NULL, sleep_without_limit, &asleep), 0);
  if (with_limit) assert_int_equal(pthread_create(&limited, NULL, sleep_with_limit, &asleep), 0);
  await_sleepers(with_limit + without_limit);
  interop_graph_lock();
  has_changed = true;
  interop_graph_wake();
  interop_graph_unlock();
  if (with_limit) {
    assert_int_equal(pthread_join(limited, &in_time), 0);
    assert_non_null(in_time);
  }
  if (without_limit) assert_int_equal(pthread_join(unlimited, NULL), 0);
}

static void all_sleepers_are_woken(void **state) {
  (void)state;
  for (int i = 0; i < 3; i++) {
    expect_wake(true, true);
    expect_wake(true, false);
    expect_wake(false, true);
  }
}

static void a_limit_ends_the_sleep(void **state) {
  (void)state;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  interop_graph_lock();
  /* A system may wake who sleeps for no reason, but not for ever. */
  while (interop_graph_sleep_until(now)) continue;
  interop_graph_unlock();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_sleepers_are_woken),
      cmocka_unit_test(a_limit_ends_the_sleep),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
