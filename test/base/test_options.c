/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Options: defaults, accepted values, one warning for each bad value or unknown variable. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/options.h"
#include "child.h"

/* Prints on stderr, which is what the parent collects, after any warning. */
static void print_some(void) {
  const options_t *options = options_get();
  fprintf(stderr, "[%s|%llu|%s|%s]", options->debug, (unsigned long long)options->num_threads, options->dump,
          options->cpu);
}

static void assert_output(const char *variable, const char *expected) {
  char *output = child_run((const char *const[]){variable, NULL}, print_some);
  assert_string_equal(output, expected);
  free(output);
}

static void assert_one_warning(const char *variable, const char *const *parts, const char *values) {
  char *output = child_run((const char *const[]){variable, NULL}, print_some);
  assert_int_equal(child_count_lines(output), 1);
  assert_non_null(strstr(output, "quern: "));
  for (; *parts; parts++) assert_non_null(strstr(output, *parts));
  assert_non_null(strstr(output, values));
  free(output);
}

static void unset_gives_defaults(void **state) {
  (void)state;
  assert_output(NULL, "[error|0||]");
  assert_output("QUERN_NUM_THREADS=", "[error|0||]");
}

static void accepted_values_are_taken(void **state) {
  (void)state;
  assert_output("QUERN_NUM_THREADS=3", "[error|3||]");
  assert_output("QUERN_NUM_THREADS=4096", "[error|4096||]");
  assert_output("QUERN_VECTORIZE=16", "[error|0||]");
  assert_output("QUERN_CPU=skylake, or not", "[error|0||skylake, or not]");
  assert_output("QUERN_DUMP=ir,asm", "[error|0|ir,asm|]");
  assert_output("QUERN_DUMP=ir, asm", "[error|0|ir, asm|]");
  assert_output("QUERN_DEBUG=none", "[none|0||]");
}

static void bad_numbers_warn_once(void **state) {
  (void)state;
  const char *const parts[] = {"QUERN_NUM_THREADS", "0 to 4096", NULL};
  assert_one_warning("QUERN_NUM_THREADS=many", parts, "[error|0||]");
  assert_one_warning("QUERN_NUM_THREADS=4097", parts, "[error|0||]");
  assert_one_warning("QUERN_NUM_THREADS=-1", parts, "[error|0||]");
  assert_one_warning("QUERN_NUM_THREADS=2x", parts, "[error|0||]");
  assert_one_warning("QUERN_NUM_THREADS=99999999999999999999", parts, "[error|0||]");
}

static void bad_sets_warn_once(void **state) {
  (void)state;
  assert_one_warning("QUERN_DUMP=ir,everything", (const char *const[]){"QUERN_DUMP=ir,everything", "workgroup", NULL},
                     "[error|0||]");
  assert_one_warning("QUERN_DEBUG=or a list of", (const char *const[]){"QUERN_DEBUG", "refcounts", NULL},
                     "[error|0||]");
}

static void unknown_variables_warn_once(void **state) {
  (void)state;
  assert_one_warning("QUERN_NUM_THREAD=3", (const char *const[]){"did you mean QUERN_NUM_THREADS?", NULL},
                     "[error|0||]");
  assert_one_warning("QUERN_WHATEVER_THIS_IS=3",
                     (const char *const[]){"QUERN_WHATEVER_THIS_IS is not", "QUERN_DEBUG, ", "QUERN_NUM_THREADS", NULL},
                     "[error|0||]");
  assert_output("QUERNSTONE=3", "[error|0||]");
}

static void finds_words_in_sets(void **state) {
  (void)state;
  assert_true(options_set_has("a,b", "a"));
  assert_true(options_set_has("a, b", "b"));
  assert_true(options_set_has("all", "b"));
  assert_true(options_set_has("a,all", "b"));
  assert_false(options_set_has("ab,ball", "b"));
  assert_false(options_set_has("", "b"));
  assert_false(options_set_has("none", "b"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(unset_gives_defaults),        cmocka_unit_test(accepted_values_are_taken),
      cmocka_unit_test(bad_numbers_warn_once),       cmocka_unit_test(bad_sets_warn_once),
      cmocka_unit_test(unknown_variables_warn_once), cmocka_unit_test(finds_words_in_sets)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
