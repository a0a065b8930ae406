/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Build ids of ELF files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/build_id.h"

/* This program was linked with one of 20 bytes (cmake/compile_flags.cmake). */
static void a_program_has_one(void **state) {
  (void)state;
  text_t first = {0}, second = {0};
  assert_true(build_id_append("/proc/self/exe", &first));
  assert_true(build_id_append("/proc/self/exe", &second));
  assert_string_equal(text_string(&first), text_string(&second));
  assert_int_equal(first.length, 40);
  assert_int_equal(strspn(text_string(&first), "0123456789abcdef"), 40);
  text_free(&first);
  text_free(&second);
}

/* A file of the program's first bytes, with its segments cut off or its notes overwritten. */
static void write_part(const char *path, size_t size, size_t changed_at) {
  char command[256];
  snprintf(command, sizeof command, "head -c %zu /proc/%d/exe > %s", size, (int)getpid(), path);
  assert_int_equal(system(command), 0);
  FILE *file = fopen(path, "r+b");
  assert_non_null(file);
  if (changed_at) {
    fseek(file, (long)changed_at, SEEK_SET);
    fputc(0xff, file);
  }
  fclose(file);
}

/* Whatever is in the file: an answer, or none, and no access outside of it. */
static void damaged_files_do_no_harm(void **state) {
  (void)state;
  char path[] = "/tmp/base-build-id-XXXXXX";
  int file = mkstemp(path);
  assert_true(file >= 0);
  close(file);
  text_t text = {0};
  write_part(path, 0, 0);
  assert_false(build_id_append(path, &text));
  write_part(path, 63, 0);
  assert_false(build_id_append(path, &text));
  for (size_t at = 4; at < 1100; at += 7) {
    write_part(path, 2000, at);
    if (build_id_append(path, &text)) assert_true(text.length > 0);
  }
  /* Without its notes, the file is known by its inode and times. */
  text_free(&text);
  write_part(path, 100, 0);
  assert_true(build_id_append(path, &text));
  assert_non_null(strchr(text_string(&text), '.'));
  text_free(&text);
  assert_int_equal(unlink(path), 0);
}

static void other_files_have_none(void **state) {
  (void)state;
  text_t text = {0};
  assert_false(build_id_append("/etc/passwd", &text));
  assert_false(build_id_append("/nonexistent", &text));
  assert_false(build_id_append("/", &text));
  assert_int_equal(text.length, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_program_has_one), cmocka_unit_test(damaged_files_do_no_harm),
                                     cmocka_unit_test(other_files_have_none)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
