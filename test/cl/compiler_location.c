/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Where and when the compiler library is looked for: beside the driver as it was loaded, or beside the file to which
 * that name is a link, at each build until it is open. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test_device.h"
#include "test_process.h"

static const char *const source = "kernel void triple(global int *p) { p[get_global_id(0)] *= 3; }\n";

/* ------------------------------------------------------------ the child processes' parts */

static void print_build(const char *when) {
  cl_int error;
  char log[512] = "";
  cl_program program = clCreateProgramWithSource(dut.context, 1, (const char **)(uintptr_t)&source, NULL, &error);
  ASSERT_CL(error);
  error = clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
  clGetProgramBuildInfo(program, dut.device, CL_PROGRAM_BUILD_LOG, sizeof(log), log, NULL);
  printf("%s %s%s\n", when, test_error_name(error), strstr(log, "Too many open files") ? ": too many files" : "");
  ASSERT_CL(clReleaseProgram(program));
}

/** The driver is loaded by a name that is relative to the working directory, which is another one later. */
static int build_elsewhere(void) {
  void *state = NULL;
  cl_bool available = CL_FALSE;
  if (test_device_open(&state) != 0 || chdir("/") != 0) return 1;
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_COMPILER_AVAILABLE, sizeof(available), &available, NULL));
  printf("available %d\n", (int)available);
  print_build("build");
  return test_device_close(&state) != 0;
}

/** The first build finds no descriptor left, the second one does. */
static int build_twice(void) {
  void *state = NULL;
  struct rlimit limit, none;
  const int free_descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (test_device_open(&state) != 0 || getrlimit(RLIMIT_NOFILE, &limit) != 0) return 1;
  none = limit;
  none.rlim_cur = (rlim_t)free_descriptor;
  close(free_descriptor);
  if (setrlimit(RLIMIT_NOFILE, &none) != 0) return 1;
  print_build("without");
  if (setrlimit(RLIMIT_NOFILE, &limit) != 0) return 1;
  print_build("with");
  return test_device_close(&state) != 0;
}

/* ------------------------------------------------------------ cases */

/* Runs the child in DRIVER_FOLDER's parent with LD_LIBRARY_PATH=`libraries` and a vendor file for `driver`. */
static int run_elsewhere(const char *driver, const char *libraries, char *output, size_t size) {
  char vendors[] = "/tmp/compiler-location-XXXXXX", icd[64], before[4096], old_vendors[4096];
  assert_non_null(mkdtemp(vendors));
  snprintf(icd, sizeof icd, "%s/driver.icd", vendors);
  FILE *file = fopen(icd, "w");
  if (file == NULL || fprintf(file, "%s\n", driver) < 0 || fclose(file) != 0) fail();
  assert_non_null(getcwd(before, sizeof before));
  snprintf(old_vendors, sizeof old_vendors, "%s", getenv("OCL_ICD_VENDORS") ? getenv("OCL_ICD_VENDORS") : "");
  assert_int_equal(chdir(DRIVER_FOLDER "/.."), 0);
  assert_int_equal(setenv("LD_LIBRARY_PATH", libraries, 1), 0);
  assert_int_equal(setenv("OCL_ICD_VENDORS", vendors, 1), 0);
  const int status = test_run_self("elsewhere", output, size);
  assert_int_equal(unsetenv("LD_LIBRARY_PATH"), 0);
  assert_int_equal(setenv("OCL_ICD_VENDORS", old_vendors, 1), 0);
  assert_int_equal(chdir(before), 0);
  assert_int_equal(unlink(icd), 0);
  assert_int_equal(rmdir(vendors), 0);
  return status;
}

static void the_compiler_is_beside_the_driver_as_loaded(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  char output[512];
  assert_int_equal(run_elsewhere("libquern.so", DRIVER_FOLDER_NAME, output, sizeof output), 0);
  assert_string_equal(output, "available 1\nbuild CL_SUCCESS\n");
}

static void the_compiler_is_found_through_a_link_to_the_driver(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  char output[512], folder[] = "/tmp/compiler-location-XXXXXX", link_name[64];
  assert_non_null(mkdtemp(folder));
  snprintf(link_name, sizeof link_name, "%s/libdriver.so", folder);
  assert_int_equal(symlink(DRIVER_FOLDER "/libquern.so", link_name), 0);
  const int by_path = run_elsewhere(link_name, "", output, sizeof output);
  assert_int_equal(by_path, 0);
  assert_string_equal(output, "available 1\nbuild CL_SUCCESS\n");
  const int by_name = run_elsewhere("libdriver.so", folder, output, sizeof output);
  assert_int_equal(by_name, 0);
  assert_string_equal(output, "available 1\nbuild CL_SUCCESS\n");
  assert_int_equal(unlink(link_name), 0);
  assert_int_equal(rmdir(folder), 0);
}

static void a_failure_to_open_it_is_not_remembered(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  char output[512];
  assert_int_equal(test_run_self("twice", output, sizeof(output)), 0);
  assert_string_equal(output, "without CL_COMPILER_NOT_AVAILABLE: too many files\nwith CL_SUCCESS\n");
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "elsewhere") == 0) return build_elsewhere();
  if (argc == 2 && strcmp(argv[1], "twice") == 0) return build_twice();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_compiler_is_beside_the_driver_as_loaded),
      cmocka_unit_test(the_compiler_is_found_through_a_link_to_the_driver),
      cmocka_unit_test(a_failure_to_open_it_is_not_remembered),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
