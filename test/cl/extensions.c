/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * docs/extensions.md tells the truth: the device lists what it says, in those versions, and the tests exist. Also
 * cl_khr_extended_versioning: both ways of listing agree. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "test_extension.h"

enum { LIMIT = 128 };

typedef struct row_t {
  char name[CL_NAME_VERSION_MAX_NAME_SIZE], test[128];
  cl_version version;
  bool is_optional;
} row_t;

static row_t rows[LIMIT];
static size_t row_count;
static cl_name_version listed[LIMIT];
static size_t listed_count;

static bool read_row(const char *line, row_t *row) {
  unsigned major, minor, patch;
  if (sscanf(line, "| `%63[a-z0-9_]` | %u.%u.%u | `%127[A-Za-z0-9_/]` |", row->name, &major, &minor, &patch,
             row->test) != 5) {
    return false;
  }
  row->version = CL_MAKE_VERSION(major, minor, patch);
  return true;
}

static bool read_page(void) {
  char line[512];
  bool is_optional = false;
  FILE *page = fopen(PROJECT_FOLDER "/docs/extensions.md", "r");
  if (!page) return false;
  while (fgets(line, sizeof(line), page) && row_count < LIMIT) {
    if (strncmp(line, "## Where", 8) == 0) is_optional = true;
    rows[row_count].is_optional = is_optional;
    if (read_row(line, &rows[row_count])) row_count++;
  }
  fclose(page);
  return row_count > 10;
}

static int open_device(void **state) {
  size_t size;
  if (test_device_open(state) || !read_page()) return 1;
  if (clGetDeviceInfo(dut.device, CL_DEVICE_EXTENSIONS_WITH_VERSION, sizeof(listed), listed, &size)) return 1;
  listed_count = size / sizeof(*listed);
  return 0;
}

static const row_t *find_row(const char *name) {
  for (size_t i = 0; i < row_count; i++) {
    if (strcmp(rows[i].name, name) == 0) return &rows[i];
  }
  return NULL;
}

static void what_is_listed_is_on_the_page(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  for (size_t i = 0; i < listed_count; i++) {
    const row_t *row = find_row(listed[i].name);
    if (!row) print_error("%s is not on the page\n", listed[i].name);
    assert_non_null(row);
    if (row->version != listed[i].version) print_error("%s has another version\n", listed[i].name);
    assert_int_equal(row->version, listed[i].version);
  }
}

static void what_is_on_the_page_is_listed(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  for (size_t i = 0; i < row_count; i++) {
    if (rows[i].is_optional || test_has_extension(rows[i].name)) continue;
    print_error("%s is not listed\n", rows[i].name);
    fail();
  }
}

static void the_tests_exist(void **state) {
  (void)state;
  for (size_t i = 0; i < row_count; i++) {
    char program[512], cases[512];
    snprintf(program, sizeof(program), "%s/test/%s.c", PROJECT_FOLDER, rows[i].test);
    snprintf(cases, sizeof(cases), "%s/test/%s.cases", PROJECT_FOLDER, rows[i].test);
    bool exists = !access(program, R_OK) || !access(cases, R_OK);
    if (!exists) print_error("%s: there is no %s\n", rows[i].name, program);
    assert_true(exists);
  }
}

static void names_are_listed_once(void **state) {
  (void)state;
  char names[8192];
  size_t words = 0;
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_EXTENSIONS, sizeof(names), names, NULL));
  for (char *rest = names, *name; (name = strtok_r(rest, " ", &rest)); words++) {
    size_t found = 0;
    for (size_t i = 0; i < listed_count; i++) found += strcmp(listed[i].name, name) == 0;
    assert_int_equal(found, 1);
  }
  assert_int_equal(words, listed_count);
}

static void the_platform_lists_the_same(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  cl_name_version of_platform[LIMIT];
  size_t size;
  ASSERT_CL(
      clGetPlatformInfo(dut.platform, CL_PLATFORM_EXTENSIONS_WITH_VERSION, sizeof(of_platform), of_platform, &size));
  assert_int_equal(size, listed_count * sizeof(*listed));
  assert_memory_equal(of_platform, listed, size);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_listed_is_on_the_page),
      cmocka_unit_test(what_is_on_the_page_is_listed),
      cmocka_unit_test(the_tests_exist),
      cmocka_unit_test(names_are_listed_once),
      cmocka_unit_test(the_platform_lists_the_same),
  };
  return cmocka_run_group_tests(tests, open_device, test_device_close);
}
