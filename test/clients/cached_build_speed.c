/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The second process that builds the thirty kernels of build_speed.cl gets them from the cache of compiled programs,
 * within three milliseconds and with no compiler mapped. */
#include <stdio.h>

#include "cache_folder.h"
#include "test_device.h"
#include "test_process.h"

enum { PROCESSES = 15, ATTEMPTS = 3, KERNELS = 30 };
static const double allowed_seconds = 0.003;

/** In a new process: prints how many seconds build and kernels take, and whether a compiler is mapped afterwards. */
static int measure(void) {
  void *state = NULL;
  static char source[1 << 16];
  const char *text = source;
  cl_kernel kernels[KERNELS];
  cl_uint count = 0;
  cl_int error;
  FILE *file = fopen(SOURCE_FILE, "r");
  if (file == NULL || fread(source, 1, sizeof(source) - 1, file) == 0) return 1;
  fclose(file);
  if (test_device_open(&state) != 0) return 1;
  cl_program program = clCreateProgramWithSource(dut.context, 1, &text, NULL, &error);
  const double begin = test_seconds();
  error = clBuildProgram(program, 1, &dut.device, "-DFACTOR=2.5", NULL, NULL);
  if (error == CL_SUCCESS) error = clCreateKernelsInProgram(program, KERNELS, kernels, &count);
  const double end = test_seconds();
  const bool is_mapped = test_is_mapped("libLLVM") || test_is_mapped("libclang") || test_is_mapped("libquern-compiler");
  printf("%.9f %d\n", end - begin, is_mapped);
  return error != CL_SUCCESS || count != KERNELS;
}

static void run_child(double *seconds, int *is_mapped) {
  char output[64];
  assert_int_equal(test_run_self("measure", output, sizeof(output)), 0);
  assert_int_equal(sscanf(output, "%lf %d", seconds, is_mapped), 2);
}

/** The least of them is held to the bar, since other work on the machine can only add to it. */
static void a_second_process_has_them_within_the_bar(void **state) {
  (void)state;
  double first, seconds[PROCESSES], median = 0, least = 1;
  int is_mapped;
  /* In the process that builds, so that it is told from those that have found what was built. */
  setenv("QUERN_COMPILER", "in-process", 1);
  run_child(&first, &is_mapped);
  assert_true(is_mapped);
  unsetenv("QUERN_COMPILER");
  for (int attempt = 0; attempt < ATTEMPTS && least > allowed_seconds; attempt++) {
    for (int i = 0; i < PROCESSES; i++) {
      run_child(&seconds[i], &is_mapped);
      assert_false(is_mapped);
    }
    median = test_median(seconds, PROCESSES);
    least = seconds[0];
  }
  print_message("first process %.1f ms, later ones: median %.2f ms, least %.2f ms, allowed %.1f ms\n", first * 1e3,
                median * 1e3, least * 1e3, allowed_seconds * 1e3);
  assert_true(least <= allowed_seconds);
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "measure") == 0) return measure();
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_second_process_has_them_within_the_bar)};
  return cmocka_run_group_tests(tests, cache_folder_make, cache_folder_remove);
}
