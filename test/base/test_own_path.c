/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Where a program was loaded from. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/own_path.h"

static void is_absolute_wherever_the_process_goes(void **state) {
  (void)state;
  char *before = realpath(own_path(), NULL), *program = realpath("/proc/self/exe", NULL);
  assert_non_null(before);
  assert_string_equal(before, program);
  assert_int_equal(own_path()[0], '/');
  assert_int_equal(chdir("/"), 0);
  char *after = realpath(own_path(), NULL);
  assert_non_null(after);
  assert_string_equal(after, program);
  free(before);
  free(program);
  free(after);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(is_absolute_wherever_the_process_goes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
