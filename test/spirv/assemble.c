/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Writes the module of each case into a folder, for the fuzz target: assemble FOLDER FILE.cases... */
#include <stdio.h>
#include <stdlib.h>

#include "case_file.h"
#include "test_il.h"

static const char *folder;
static char **paths;
static size_t path_count;

static void write_cases(const case_file_t *file) {
  for (size_t i = 0; i < file->count; i++) {
    char path[4096];
    size_t size = 0;
    void *module = test_assemble_il(file->cases[i].text, &size);
    snprintf(path, sizeof(path), "%s/%s.spv", folder, file->cases[i].name);
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(module, 1, size, out), size);
    assert_int_equal(fclose(out), 0);
    free(module);
  }
}

static void writes_every_case(void **state) {
  (void)state;
  for (size_t i = 0; i < path_count; i++) {
    case_file_t file;
    assert_true(case_file_read(paths[i], &file));
    write_cases(&file);
    case_file_free(&file);
  }
}

int main(int argc, char **argv) {
  if (argc < 3) return EXIT_FAILURE;
  folder = argv[1];
  paths = argv + 2;
  path_count = (size_t)argc - 2;
  setenv("OPENCL_TEST_SPIRV_AS", "spirv-as", 0);
  const struct CMUnitTest tests[] = {cmocka_unit_test(writes_every_case)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
