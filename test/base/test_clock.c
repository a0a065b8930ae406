/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The clock advances and counts in nanoseconds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "base/clock.h"

static void does_not_go_back(void **state) {
  (void)state;
  uint64_t last = clock_now_ns();
  for (int i = 0; i < 10000; i++) {
    uint64_t now = clock_now_ns();
    assert_true(now >= last);
    last = now;
  }
}

static void counts_nanoseconds(void **state) {
  (void)state;
  uint64_t start = clock_now_ns();
  nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
  uint64_t elapsed = clock_now_ns() - start;
  assert_true(elapsed >= 5000000 && elapsed < 5000000000u);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(does_not_go_back), cmocka_unit_test(counts_nanoseconds)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
