/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What a new process pays before its first command, and that no compiler is ever mapped: builds have a
 * process of their own. */
#include <stdio.h>
#include <stdlib.h>

#include "test_device.h"
#include "test_process.h"

enum { PROCESSES = 20 };
static const double allowed_seconds = 0.002;

/** In a new process: prints how many seconds it takes to have a queue. */
static int measure(void) {
  void *state = NULL;
  const double begin = test_seconds();
  int failed = test_device_open(&state);
  const double end = test_seconds();
  printf("%.9f\n", end - begin);
  return failed != 0 || test_device_close(&state) != 0;
}

static bool compiler_is_mapped(void) {
  return test_is_mapped("libLLVM") || test_is_mapped("libclang") || test_is_mapped("libquern-compiler");
}

/** In a new process: prints whether a compiler is mapped after each of the steps that lead to a built program. */
static int look_at_maps(void) {
  void *state = NULL;
  cl_int error;
  const char *source = "kernel void k(global int *p) { *p = 1; }";
  if (test_device_open(&state) != 0) return 1;
  const bool after_queue = compiler_is_mapped();
  cl_mem buffer = clCreateBuffer(dut.context, 0, 64, NULL, &error);
  const cl_int zero = 0;
  clEnqueueFillBuffer(dut.queue, buffer, &zero, sizeof(zero), 0, 64, 0, NULL, NULL);
  clFinish(dut.queue);
  cl_program program = clCreateProgramWithSource(dut.context, 1, &source, NULL, &error);
  const bool before_build = compiler_is_mapped();
  error = clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
  printf("%d %d %d\n", after_queue, before_build, test_is_mapped("libquern-compiler"));
  clReleaseProgram(program);
  clReleaseMemObject(buffer);
  return error != CL_SUCCESS || test_device_close(&state) != 0;
}

static void a_queue_is_there_within_two_milliseconds(void **state) {
  (void)state;
  double seconds[PROCESSES];
  for (int i = 0; i < PROCESSES; i++) {
    char output[64];
    assert_int_equal(test_run_self("measure", output, sizeof(output)), 0);
    seconds[i] = strtod(output, NULL);
    assert_true(seconds[i] > 0);
  }
  const double median = test_median(seconds, PROCESSES);
  print_message("platform, device, context and queue in a new process: median %.3f ms, slowest %.3f ms\n", median * 1e3,
                seconds[PROCESSES - 1] * 1e3);
  assert_true(median <= allowed_seconds);
}

static void no_compiler_is_mapped(void **state) {
  (void)state;
  char output[64];
  int after_queue, before_build, after_build;
  assert_int_equal(test_run_self("maps", output, sizeof(output)), 0);
  assert_int_equal(sscanf(output, "%d %d %d", &after_queue, &before_build, &after_build), 3);
  assert_false(after_queue);
  assert_false(before_build);
  assert_false(after_build);
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "measure") == 0) return measure();
  if (argc == 2 && strcmp(argv[1], "maps") == 0) return look_at_maps();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_queue_is_there_within_two_milliseconds),
      cmocka_unit_test(no_compiler_is_mapped),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
