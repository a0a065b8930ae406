/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * QUERN_DEBUG chooses what is printed; every message is one line; errno survives. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/log.h"
#include "child.h"

static void log_in_every_category(void) {
#define WRITE(name, text) log_write(log_##name, "%s %d", "message", 7);
  LOG_CATEGORY_LIST(WRITE)
#undef WRITE
}

static void assert_output(const char *variable, void (*body)(void), const char *expected) {
  char *output = child_run((const char *const[]){variable, NULL}, body);
  assert_string_equal(output, expected);
  free(output);
}

static void errors_are_on_by_default(void **state) {
  (void)state;
  assert_output(NULL, log_in_every_category, "quern: error: message 7\n");
  assert_output("QUERN_DEBUG=", log_in_every_category, "quern: error: message 7\n");
}

static void prints_the_chosen_categories(void **state) {
  (void)state;
  assert_output("QUERN_DEBUG=none", log_in_every_category, "");
  assert_output("QUERN_DEBUG=memory,api", log_in_every_category, "quern: api: message 7\nquern: memory: message 7\n");
}

static void every_category_is_an_accepted_value(void **state) {
  (void)state;
#define CHECK(name, text) assert_output("QUERN_DEBUG=" #name, log_in_every_category, "quern: " #name ": message 7\n");
  LOG_CATEGORY_LIST(CHECK)
#undef CHECK
  char *output = child_run((const char *const[]){"QUERN_DEBUG=all", NULL}, log_in_every_category);
  assert_int_equal(child_count_lines(output), log_category_count);
  free(output);
}

static void warn(void) { log_warning("look: %s", "here"); }

static void warnings_are_always_printed(void **state) {
  (void)state;
  assert_output("QUERN_DEBUG=none", warn, "quern: look: here\n");
}

static void log_long_line(void) {
  char text[5001];
  memset(text, 'x', 5000);
  text[5000] = '\0';
  log_write(log_error, "%s", text);
}

static void long_messages_are_whole(void **state) {
  (void)state;
  char *output = child_run((const char *const[]){NULL}, log_long_line);
  assert_int_equal(strlen(output), strlen("quern: error: \n") + 5000);
  free(output);
}

static void log_with_errno(void) {
  errno = EBADF;
  log_write(log_error, "text");
  log_write(log_api, "text");
  log_warning("text");
  if (errno != EBADF) abort();
}

static void keeps_errno(void **state) {
  (void)state;
  free(child_run((const char *const[]){"QUERN_NUM_THREADS=many", NULL}, log_with_errno));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(errors_are_on_by_default),
                                     cmocka_unit_test(prints_the_chosen_categories),
                                     cmocka_unit_test(every_category_is_an_accepted_value),
                                     cmocka_unit_test(warnings_are_always_printed),
                                     cmocka_unit_test(long_messages_are_whole),
                                     cmocka_unit_test(keeps_errno)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
