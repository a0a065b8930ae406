/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Texts grow by strings, bytes and formats, and are always terminated. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"

static void empty_text_is_a_string(void **state) {
  (void)state;
  text_t text = {0};
  assert_string_equal(text_string(&text), "");
  text_append(&text, "");
  text_appendf(&text, "%s", "");
  assert_string_equal(text_string(&text), "");
  text_free(&text);
}

static void appends_in_order(void **state) {
  (void)state;
  text_t text = {0};
  text_append(&text, "one ");
  text_append_bytes(&text, "two three", 4);
  text_appendf(&text, "%d %s", 3, "four");
  assert_string_equal(text_string(&text), "one two 3 four");
  assert_int_equal(text.length, strlen("one two 3 four"));
  text_free(&text);
  assert_null(text.data);
  assert_int_equal(text.length, 0);
}

static void keeps_zero_bytes(void **state) {
  (void)state;
  text_t text = {0};
  text_append_bytes(&text, "a\0b", 3);
  assert_int_equal(text.length, 3);
  assert_memory_equal(text.data, "a\0b", 4);
  text_free(&text);
}

static void grows_without_limit(void **state) {
  (void)state;
  text_t text = {0};
  for (int i = 0; i < 10000; i++) text_appendf(&text, "%04d", i);
  assert_int_equal(text.length, 40000);
  assert_memory_equal(text.data + 4936, "1234", 4);
  assert_int_equal(strlen(text.data), 40000);
  text_free(&text);
}

static void failure_stays(void **state) {
  (void)state;
  text_t text = {0};
  text_append(&text, "kept");
  text_append_bytes(&text, "not read", SIZE_MAX - 2);
  assert_true(text.failed);
  text_append(&text, "ignored");
  text_appendf(&text, "%d", 1);
  assert_string_equal(text_string(&text), "kept");
  text_free(&text);
  assert_false(text.failed);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(empty_text_is_a_string), cmocka_unit_test(appends_in_order),
                                     cmocka_unit_test(keeps_zero_bytes), cmocka_unit_test(grows_without_limit),
                                     cmocka_unit_test(failure_stays)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
