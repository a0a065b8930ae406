/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A program with more rights than the user who started it: whatever the environment says, no library of that user's is
 * opened, no file written, and nothing printed. */
#include "secure_process.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test_device.h"

enum { no_platform = 77 };

/* ------------------------------------------------------------ the child's part */

static int build_and_divide(void) {
  void *state = NULL;
  cl_platform_id platform;
  cl_device_id part;
  /* A loader that ignores OCL_ICD_VENDORS in such a process, as it may, finds no driver. */
  if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS) return no_platform;
  if (test_device_open(&state) != 0) return 1;
  cl_program program = test_program("kernel void one(global int *p) { *p = 1; }\n", NULL);
  const cl_device_partition_property by_counts[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1,
                                                    CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
  /* A device of one unit cannot be divided; what matters is that it was looked at. */
  if (clCreateSubDevices(dut.device, by_counts, 1, &part, NULL) == CL_SUCCESS) clReleaseDevice(part);
  printf("built\n");
  ASSERT_CL(clReleaseProgram(program));
  return test_device_close(&state) != 0;
}

/* ------------------------------------------------------------ cases */

/* The number of files in a folder, which are removed. */
static int folder_clear(const char *path) {
  int count = 0;
  DIR *folder = opendir(path);
  assert_non_null(folder);
  for (struct dirent *entry; (entry = readdir(folder));)
    if (entry->d_name[0] != '.') count += unlinkat(dirfd(folder), entry->d_name, 0) == 0;
  closedir(folder);
  return count;
}

/* Runs the child with one variable, and gives back what it printed and how many files it left in `folder`. */
static int run_with(secure_way_e way, const char *variable, const char *value, const char *folder, char *output,
                    size_t size) {
  assert_int_equal(setenv(variable, value, 1), 0);
  const int status = secure_process_run(way, "build", output, size);
  assert_int_equal(unsetenv(variable), 0);
  if (status == no_platform) {
    fprintf(stderr, "skipped: the loader finds no driver in such a process\n");
    skip();
  }
  assert_int_equal(status, 0);
  return folder_clear(folder);
}

static void nothing_comes_of_it(secure_way_e way) {
  SKIP_UNLESS_QUERN();
  char folder[] = "/tmp/secure-process-output-XXXXXX", output[1 << 14];
  const char *const variables[][2] = {
      {"QUERN_COMPILER_PATH", FOREIGN_LIBRARY},
      {"HWLOC_PLUGINS_PATH", FOREIGN_FOLDER},
      {"QUERN_DUMP", "all"},
      {"QUERN_PRINT_AFTER", "all"},
      {"QUERN_DEBUG", "all"},
      {"QUERN_CACHE", "1"},
  };
  assert_non_null(mkdtemp(folder));
  assert_int_equal(setenv("QUERN_DUMP_DIR", folder, 1), 0);
  assert_int_equal(setenv("QUERN_CACHE_DIR", folder, 1), 0);
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
    const int files = run_with(way, variables[i][0], variables[i][1], folder, output, sizeof output);
    if (files || strcmp(output, "built\n") != 0) print_error("with %s: %d files, %s\n", variables[i][0], files, output);
    assert_int_equal(files, 0);
    assert_string_equal(output, "built\n");
  }
  assert_int_equal(rmdir(folder), 0);
}

static void in_a_process_that_was_told_so(void **state) {
  (void)state;
  nothing_comes_of_it(secure_way_vector);
}

static void in_a_program_with_rights_of_its_own(void **state) {
  (void)state;
  nothing_comes_of_it(secure_way_file);
}

/* What the cases above rest on: the library is one that speaks when it is opened. */
static void elsewhere_the_library_is_opened(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  char output[1 << 14];
  assert_int_equal(setenv("QUERN_COMPILER_PATH", FOREIGN_LIBRARY, 1), 0);
  (void)secure_process_run(secure_way_none, "build", output, sizeof output);
  assert_int_equal(unsetenv("QUERN_COMPILER_PATH"), 0);
  assert_non_null(strstr(output, "foreign code\n"));
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "build") == 0) return build_and_divide();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(elsewhere_the_library_is_opened),
      cmocka_unit_test(in_a_process_that_was_told_so),
      cmocka_unit_test(in_a_program_with_rights_of_its_own),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
