/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What is refused while another thread builds the program: one that takes the compiler seconds. */
#include <pthread.h>
#include <time.h>

#include "test_device.h"

/** 64 kernels of one name each, all of them with loops and calls that take long to compile. */
static const char *const source =
    "#define KERNEL(n) kernel void k##n(global float *p, int m) { \\\n"
    "    for (int i = 0; i < m; i++) for (int j = 0; j < m; j++) for (int k = 0; k < m; k++) \\\n"
    "      p[i * m + j] += pow(sin(p[j * m + k + n]), tan(p[k * m + i])) + lgamma(p[k]) + tgamma(p[j]); }\n"
    "#define KERNELS(n) KERNEL(n##0) KERNEL(n##1) KERNEL(n##2) KERNEL(n##3) KERNEL(n##4) KERNEL(n##5) KERNEL(n##6) \\\n"
    "  KERNEL(n##7)\n"
    "KERNELS(1) KERNELS(2) KERNELS(3) KERNELS(4) KERNELS(5) KERNELS(6) KERNELS(7) KERNELS(8)\n"
    "kernel void k(global int *p) { *p = VALUE; }\n";

/** How the thread builds, and what came of it. */
typedef struct work_t {
  cl_program program;
  bool compiles;
  cl_int result;
} work_t;

static void *run(void *data) {
  work_t *work = data;
  const char *options = work->compiles ? "-DVALUE=7" : "-DVALUE=8";
  work->result = work->compiles ? clCompileProgram(work->program, 1, &dut.device, options, 0, NULL, NULL, NULL, NULL)
                                : clBuildProgram(work->program, 1, &dut.device, options, NULL, NULL);
  return NULL;
}

static cl_build_status status_of(cl_program program) {
  cl_build_status status = 1;
  ASSERT_CL(clGetProgramBuildInfo(program, dut.device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL));
  return status;
}

static void refuses_until_it_is_over(bool compiles) {
  const struct timespec moment = {.tv_nsec = 1000000};
  cl_int error;
  pthread_t thread;
  work_t work = {.compiles = compiles, .result = 1};
  work.program = clCreateProgramWithSource(dut.context, 1, (const char **)(uintptr_t)&source, NULL, &error);
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
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
