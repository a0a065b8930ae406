/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Where and when the compiler library is looked for: beside the driver as it was loaded, at each build until it is
 * open. */
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

static void the_compiler_is_beside_the_driver_as_loaded(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  char vendors[] = "/tmp/compiler-location-XXXXXX", icd[64], output[512], before[4096], old_vendors[4096];
  assert_non_null(mkdtemp(vendors));
  snprintf(icd, sizeof icd, "%s/driver.icd", vendors);
  FILE *file = fopen(icd, "w");
  assert_non_null(file);
  fprintf(file, "libquern.so\n");
  assert_int_equal(fclose(file), 0);
  assert_non_null(getcwd(before, sizeof before));
  snprintf(old_vendors, sizeof old_vendors, "%s", getenv("OCL_ICD_VENDORS") ? getenv("OCL_ICD_VENDORS") : "");
  assert_int_equal(chdir(DRIVER_FOLDER "/.."), 0);
  assert_int_equal(setenv("LD_LIBRARY_PATH", DRIVER_FOLDER_NAME, 1), 0);
  assert_int_equal(setenv("OCL_ICD_VENDORS", vendors, 1), 0);
  const int status = test_run_self("elsewhere", output, sizeof(output));
  assert_int_equal(unsetenv("LD_LIBRARY_PATH"), 0);
  assert_int_equal(setenv("OCL_ICD_VENDORS", old_vendors, 1), 0);
  assert_int_equal(chdir(before), 0);
  assert_int_equal(unlink(icd), 0);
  assert_int_equal(rmdir(vendors), 0);
  assert_int_equal(status, 0);
  assert_string_equal(output, "available 1\nbuild CL_SUCCESS\n");
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
      cmocka_unit_test(a_failure_to_open_it_is_not_remembered),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
