/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Options in a process with more rights than the user who started it: limits, and nothing else. */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include <cmocka.h>

#include "base/options.h"
#include "secure_process.h"

/* A value of each type that is accepted and that no default has: the last word of a set. */
static const char *other_value(const char *type, const char *default_value, const char *accepted) {
  if (!strcmp(type, "flag")) return *default_value == '1' ? "0" : "1";
  if (!strcmp(type, "number") || !strcmp(type, "limit")) return "2";
  return !strcmp(type, "set") ? strrchr(accepted, ' ') + 1 : "/nowhere";
}

static const char *const options[][5] = {
#define OPTION(type, name, default_value, accepted, text) {#type, #name, default_value, "QUERN_" #name, accepted},
#include "base/options.def"
#undef OPTION
};
enum { option_count = sizeof options / sizeof *options };

static void variables_set(void) {
  for (int i = 0; i < option_count; i++) {
    char name[64] = "";
    for (int c = 0; options[i][3][c]; c++) name[c] = (char)toupper((unsigned char)options[i][3][c]);
    assert_int_equal(setenv(name, other_value(options[i][0], options[i][2], options[i][4]), 1), 0);
  }
  assert_int_equal(setenv("QUERN_UNKNOWN", "1", 1), 0);
}

/* ------------------------------------------------------------ the child's part */

static bool number_is(uint64_t value, const char *text) { return value == strtoull(text, NULL, 10); }
#define IS_flag number_is
#define IS_number number_is
#define IS_limit number_is
#define IS_text !strcmp
#define IS_set !strcmp

/* Prints the names of options that are not as by default. */
static int print_changed(void) {
  const options_t *read = options_get();
  printf("secure %d:", getauxval(AT_SECURE) != 0);
#define OPTION(type, name, default_value, accepted, text) \
  if (!IS_##type(read->name, default_value)) printf(" %s", #name);
#include "base/options.def"
#undef OPTION
  printf("\n");
  return 0;
}

/* ------------------------------------------------------------ cases */

static void limits_alone_are_read(secure_way_e way) {
  char output[1024];
  variables_set();
  assert_int_equal(secure_process_run(way, "print", output, sizeof output), 0);
  assert_string_equal(output, "secure 1: num_threads memory_cache compiler_timeout compiler_memory compiler_output\n");
}

static void in_a_process_that_was_told_so(void **state) {
  (void)state;
  limits_alone_are_read(secure_way_vector);
}

static void in_a_program_with_rights_of_its_own(void **state) {
  (void)state;
  limits_alone_are_read(secure_way_file);
}

static void bad_limits_are_ignored_silently(void **state) {
  (void)state;
  char output[1024];
  variables_set();
  assert_int_equal(setenv("QUERN_NUM_THREADS", "many", 1), 0);
  assert_int_equal(secure_process_run(secure_way_vector, "print", output, sizeof output), 0);
  assert_string_equal(output, "secure 1: memory_cache compiler_timeout compiler_memory compiler_output\n");
}

static void elsewhere_all_are_read(void **state) {
  (void)state;
  char output[4096];
  variables_set();
  assert_int_equal(secure_process_run(secure_way_none, "print", output, sizeof output), 0);
  const char *line = strstr(output, "secure 0:");
  assert_non_null(line);
  for (int i = 0; i < option_count; i++) assert_non_null(strstr(line, options[i][1]));
  assert_non_null(strstr(output, "QUERN_UNKNOWN"));
}

int main(int argc, char **argv) {
  if (argc == 2 && !strcmp(argv[1], "print")) return print_changed();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(elsewhere_all_are_read), cmocka_unit_test(in_a_process_that_was_told_so),
      cmocka_unit_test(in_a_program_with_rights_of_its_own), cmocka_unit_test(bad_limits_are_ignored_silently)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
