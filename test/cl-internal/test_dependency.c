/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Lists of files that a compilation looked at. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "compiler/info/dependency.h"

static char path[] = "/tmp/quern-dependency-XXXXXX";

static void write_file(const char *text) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  assert_int_equal(fclose(file), 0);
}

static bool holds(dependency_kind_e kind, const char *name, const char *content) {
  text_t list = {0};
  dependency_append(&list, kind, name, hash_bytes_128(content, strlen(content)));
  assert_false(list.failed);
  bool answer = dependencies_hold(list.data, list.length);
  text_free(&list);
  return answer;
}

static void each_kind_says_what_it_means(void **state) {
  (void)state;
  write_file("text");
  assert_true(holds(dependency_content, path, "text"));
  assert_false(holds(dependency_content, path, "other"));
  assert_false(holds(dependency_content, "/nonexistent", "text"));
  assert_false(holds(dependency_content, "/", ""));
  assert_true(holds(dependency_file, path, ""));
  assert_false(holds(dependency_file, "/", ""));
  assert_true(holds(dependency_folder, "/", ""));
  assert_false(holds(dependency_folder, path, ""));
  assert_true(holds(dependency_absent, "/nonexistent", ""));
  assert_false(holds(dependency_absent, path, ""));
  write_file("");
  assert_true(holds(dependency_content, path, ""));
}

/* A pipe that nobody writes to. */
static void nothing_waits(void **state) {
  (void)state;
  char pipe_path[64];
  snprintf(pipe_path, sizeof pipe_path, "%s-pipe", path);
  assert_int_equal(mkfifo(pipe_path, 0600), 0);
  assert_false(holds(dependency_content, pipe_path, ""));
  assert_int_equal(unlink(pipe_path), 0);
}

static void all_must_hold(void **state) {
  (void)state;
  text_t list = {0};
  assert_true(dependencies_hold(NULL, 0));
  dependency_append(&list, dependency_folder, "/", (hash128_t){0});
  dependency_append(&list, dependency_absent, "/nonexistent", (hash128_t){0});
  assert_true(dependencies_hold(list.data, list.length));
  dependency_append(&list, dependency_absent, "/", (hash128_t){0});
  assert_false(dependencies_hold(list.data, list.length));
  text_free(&list);
}

static void malformed_lists_do_not_hold(void **state) {
  (void)state;
  assert_false(dependencies_hold("d/", 2));
  assert_false(dependencies_hold("", 1));
  assert_false(dependencies_hold("x/", 3));
  assert_false(dependencies_hold("c0123", 6));
  assert_false(dependencies_hold("c", 2));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_kind_says_what_it_means),
      cmocka_unit_test(nothing_waits),
      cmocka_unit_test(all_must_hold),
      cmocka_unit_test(malformed_lists_do_not_hold),
  };
  int file = mkstemp(path);
  if (file < 0) return 1;
  close(file);
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  return unlink(path) || failed;
}
