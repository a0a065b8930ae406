/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Which build options make work-groups uniform. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "cl/program/build_flags.h"

static void old_language_versions_need_uniform_groups(void **state) {
  (void)state;
  assert_true(build_options_need_uniform_groups(""));
  assert_true(build_options_need_uniform_groups("-DX=1 -cl-fast-relaxed-math"));
  assert_true(build_options_need_uniform_groups("-cl-std=CL1.2"));
  assert_true(build_options_need_uniform_groups("-cl-std=CL3.0 -cl-std=CL1.1"));
  assert_true(build_options_need_uniform_groups("-cl-std=cl1.2"));
}

static void new_language_versions_do_not(void **state) {
  (void)state;
  assert_false(build_options_need_uniform_groups("-cl-std=CL2.0"));
  assert_false(build_options_need_uniform_groups("  -DX\t-cl-std=CL3.0\n"));
  assert_false(build_options_need_uniform_groups("-cl-std=CLC++2021"));
}

static void the_option_asks_for_them(void **state) {
  (void)state;
  assert_true(build_options_need_uniform_groups("-cl-std=CL3.0 -cl-uniform-work-group-size"));
  assert_true(build_options_ask_uniform_groups("-cl-uniform-work-group-size"));
  assert_false(build_options_ask_uniform_groups("-cl-uniform-work-group-sizes"));
  assert_false(build_options_ask_uniform_groups(""));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(old_language_versions_need_uniform_groups),
      cmocka_unit_test(new_language_versions_do_not),
      cmocka_unit_test(the_option_asks_for_them),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
