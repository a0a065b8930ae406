/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What LLVM takes for a fatal error fails the build, and the process goes on. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "test_device.h"
#include "test_process.h"

enum { threads = 4, rounds = 3 };

/** Several kernels, so that several threads compile them. */
static const char *const source =
    "#define K(name) kernel void name(global float *p, int n) {"
    " for (int i = 0; i < n; i++) p[get_global_id(0)] += sin(p[i]) * cos(p[i + 1]) / tan(p[i + 2]); }\n"
    "K(a) K(b) K(c) K(d) K(e) K(f)\n";

/** True when the build fails as it should, with a log that tells the reason. */
static bool fails_with_a_log(void) {
  char log[4096] = "";
  const char *text = source;
  cl_int error;
  cl_program program = clCreateProgramWithSource(dut.context, 1, &text, NULL, &error);
  error = clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
  clGetProgramBuildInfo(program, dut.device, CL_PROGRAM_BUILD_LOG, sizeof(log), log, NULL);
  clReleaseProgram(program);
  return error == CL_BUILD_PROGRAM_FAILURE && strstr(log, "the compiler gave up: 64-bit code requested") != NULL;
}

static void *build_rounds(void *data) {
  for (int i = 0; i < rounds; i++) {
    if (!fails_with_a_log()) return NULL;
  }
  return data;
}

/** In a new process, for a CPU that has no 64-bit mode. */
static int build_for_an_impossible_cpu(void) {
  void *state = NULL;
  pthread_t ids[threads];
  int failed = 0;
  if (test_device_open(&state) != 0) return 1;
  for (int i = 0; i < threads; i++) {
    if (pthread_create(&ids[i], NULL, build_rounds, &dut) != 0) return 1;
  }
  for (int i = 0; i < threads; i++) {
    void *answer = NULL;
    pthread_join(ids[i], &answer);
    failed += answer == NULL;
  }
  printf("%d", failed);
  return test_device_close(&state) != 0;
}

static void builds_fail_and_the_process_lives(void **state) {
  (void)state;
#if defined(__x86_64__)
  char output[64];
  assert_int_equal(setenv("QUERN_CPU", "i486", 1), 0);
  int status = test_run_self("build", output, sizeof(output));
  assert_int_equal(unsetenv("QUERN_CPU"), 0);
  assert_int_equal(status, 0);
  assert_string_equal(output, "0");
#else
  print_message("skipped: no CPU name is known here that LLVM gives up for\n");
  skip();
#endif
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "build") == 0) return build_for_an_impossible_cpu();
  const struct CMUnitTest tests[] = {cmocka_unit_test(builds_fail_and_the_process_lives)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
