/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What is refused while another thread builds the program. The build waits for a header that is a named pipe. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "test_device.h"

static char folder[] = "/tmp/cl-build-XXXXXX", header[sizeof folder + 16], options[sizeof folder + 16];

static int open_all(void **state) {
  if (mkdtemp(folder) == NULL) return 1;
  snprintf(header, sizeof header, "%s/gate.h", folder);
  snprintf(options, sizeof options, "-I %s", folder);
  return mkfifo(header, 0600) != 0 || test_device_open(state);
}

static int close_all(void **state) {
  int failed = unlink(header) != 0;
  return test_device_close(state) | failed | (rmdir(folder) != 0);
}

/** How the thread builds, and what came of it. */
typedef struct work_t {
  cl_program program;
  bool compiles;
  cl_int result;
} work_t;

static void *run(void *data) {
  work_t *work = data;
  work->result = work->compiles ? clCompileProgram(work->program, 1, &dut.device, options, 0, NULL, NULL, NULL, NULL)
                                : clBuildProgram(work->program, 1, &dut.device, options, NULL, NULL);
  return NULL;
}

static cl_build_status status_of(cl_program program) {
  cl_build_status status = 1;
  ASSERT_CL(clGetProgramBuildInfo(program, dut.device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL));
  return status;
}

/** Writing lets the compiler go on: it has the header open by then, or opening waits until it has. */
static void open_the_gate(void) {
  static const char text[] = "#define VALUE 7\n";
  int pipe = open(header, O_WRONLY);
  assert_true(pipe >= 0);
  assert_int_equal(write(pipe, text, sizeof text - 1), sizeof text - 1);
  assert_int_equal(close(pipe), 0);
}

static void refuses_until_it_is_over(bool compiles) {
  const char *source = "#include \"gate.h\"\nkernel void k(global int *p) { *p = VALUE; }\n";
  const struct timespec moment = {.tv_nsec = 1000000};
  cl_int error;
  pthread_t thread;
  work_t work = {.compiles = compiles, .result = 1};
  work.program = clCreateProgramWithSource(dut.context, 1, &source, NULL, &error);
  ASSERT_CL(error);
  assert_int_equal(pthread_create(&thread, NULL, run, &work), 0);
  while (status_of(work.program) == CL_BUILD_NONE) nanosleep(&moment, NULL);
  assert_int_equal(status_of(work.program), CL_BUILD_IN_PROGRESS);
  ASSERT_CL_ERROR(clBuildProgram(work.program, 0, NULL, NULL, NULL, NULL), CL_INVALID_OPERATION);
  ASSERT_CL_ERROR(clBuildProgram(work.program, 1, &dut.device, "-DOTHER", NULL, NULL), CL_INVALID_OPERATION);
  ASSERT_CL_ERROR(clCompileProgram(work.program, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL), CL_INVALID_OPERATION);
  ASSERT_CL_REFUSED(clLinkProgram(dut.context, 0, NULL, NULL, 1, &work.program, NULL, NULL, &error), error,
                    CL_INVALID_OPERATION);
  ASSERT_CL_REFUSED(clCreateKernel(work.program, "k", &error), error, CL_INVALID_PROGRAM_EXECUTABLE);
  assert_int_equal(status_of(work.program), CL_BUILD_IN_PROGRESS);
  open_the_gate();
  assert_int_equal(pthread_join(thread, NULL), 0);
  ASSERT_CL(work.result);
  assert_int_equal(status_of(work.program), CL_BUILD_SUCCESS);
  ASSERT_CL(clReleaseProgram(work.program));
}

static void while_it_is_built(void **state) {
  (void)state;
  refuses_until_it_is_over(false);
}

static void while_it_is_compiled(void **state) {
  (void)state;
  refuses_until_it_is_over(true);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(while_it_is_built),
      cmocka_unit_test(while_it_is_compiled),
  };
  return cmocka_run_group_tests(tests, open_all, close_all);
}
