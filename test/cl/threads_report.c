/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * QUERN_DEBUG=threads tells at the end of a process what each thread has done, whether the application has released
 * everything or nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "test_device.h"
#include "test_process.h"

enum { ITEMS = 4096, LAUNCHES = 4 };

static const char source[] =
    "kernel void churn(global uint *data) {\n"
    "  uint x = get_global_id(0) + 1;\n"
    "  for (int i = 0; i < 20000; i++) { x ^= x << 13; x ^= x >> 17; x ^= x << 5; }\n"
    "  data[get_global_id(0)] = x;\n"
    "}\n";

/* ---------------------------------------------------------------- the process that reports */

/* A process that releases nothing still has what leads to it, so that no leak is reported. */
static cl_mem data;
static cl_kernel kernel;

static int work(bool releases) {
  void *state = NULL;
  const size_t global = ITEMS, local = 16;
  /* The parent reads what is printed there. */
  if (dup2(STDOUT_FILENO, STDERR_FILENO) < 0 || test_device_open(&state) != 0) return 2;
  data = test_buffer(ITEMS * sizeof(cl_uint), NULL);
  kernel = test_kernel(source, NULL, "churn");
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(cl_mem), &data));
  for (int i = 0; i < LAUNCHES; i++)
    ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
  ASSERT_CL(clFinish(dut.queue));
  if (!releases) return 0;
  ASSERT_CL(clReleaseKernel(kernel));
  ASSERT_CL(clReleaseMemObject(data));
  return test_device_close(&state);
}

/* ---------------------------------------------------------------- what it says */

static char report[1 << 14];

static void run(const char *role, const char *categories) {
  setenv("QUERN_DEBUG", categories, 1);
  assert_int_equal(test_run_self(role, report, sizeof report), 0);
}

/** What stands behind the first `word` of the line. */
static double number_behind(const char *line, const char *word) {
  const char *found = strstr(line, word);
  assert_non_null(found);
  return strtod(found + strlen(word), NULL);
}

/** The first line about a worker that is not about its creation. */
static const char *worker_find(void) {
  const char *worker = strstr(report, ": worker ");
  while (worker && strncmp(worker, ": worker created", 16) == 0) worker = strstr(worker + 1, ": worker ");
  return worker;
}

static void expect_report(void) {
  const char *caller = strstr(report, "quern: threads: callers 0: busy "), *worker = worker_find();
  assert_non_null(caller);
  assert_true(number_behind(caller, ": busy ") > 0);
  assert_true(number_behind(caller, " regions, ") > 0); /* dispatches */
  assert_non_null(worker);
  assert_true(number_behind(worker, ": busy ") > 0);
  assert_true(number_behind(worker, " ms; ") > 0); /* regions */
  for (const char *what = "idle\0stealing\0waking\0"; *what; what += strlen(what) + 1)
    assert_non_null(strstr(worker, what));
}

static void threads_tell_at_the_end(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  run("keep", "threads");
  expect_report();
  run("release", "threads");
  expect_report();
}

static void they_are_silent_unless_asked(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  run("keep", "none");
  assert_null(strstr(report, "busy"));
}

int main(int argc, char **argv) {
  if (argc == 2) return work(strcmp(argv[1], "release") == 0);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(threads_tell_at_the_end),
      cmocka_unit_test(they_are_silent_unless_asked),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
