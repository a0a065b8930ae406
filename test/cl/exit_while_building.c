/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Processes that end while other threads of theirs build and run programs: the end of a process ends no thread, and
 * what these use must last. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "test_device.h"
#include "test_process.h"

enum { RUNS = 40, THREADS = 2 };
static const char role[] = "end-while-building";

/** A program that is not in the cache, with a bit of everything. */
static void *build_for_ever(void *argument) {
  for (unsigned i = 0;; i++) {
    char source[1024];
    const char *text = source;
    const size_t items = 1024;
    cl_int error;
    snprintf(
        source, sizeof source,
        "constant int number = %d;\n"
        "float f(float x) { return sin(x) * exp(x) + number; }\n"
        "kernel void k(global float *a, local float *l) {\n"
        "  int i = get_local_id(0);\n"
        "  l[i] = a[get_global_id(0)];\n"
        "  barrier(CLK_LOCAL_MEM_FENCE);\n"
        "  for (int j = 0; j < 7; j++) l[i] += f(l[i] * j);\n"
        "  switch (i %% 5) { case 0: l[i] = pow(l[i], 3.0f); break; case 3: l[i] = 1; break; default: l[i] += 2; }\n"
        "  a[get_global_id(0)] = l[i];\n"
        "}\n",
        (int)(i * 7919u + (unsigned)getpid() * 31u + (unsigned)(uintptr_t)argument));
    cl_program program = clCreateProgramWithSource(dut.context, 1, &text, NULL, &error);
    if (error || clBuildProgram(program, 1, &dut.device, "-cl-std=CL3.0", NULL, NULL)) abort();
    cl_kernel kernel = clCreateKernel(program, "k", &error);
    cl_mem buffer = clCreateBuffer(dut.context, 0, items * sizeof(float), NULL, &error);
    clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
    clSetKernelArg(kernel, 1, 256 * sizeof(float), NULL);
    clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL);
    clReleaseMemObject(buffer);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
  }
  return NULL;
}

/** In the process that ends: after some milliseconds, by the time of the day. */
static int end_while_building(void) {
  void *state = NULL;
  pthread_t threads[THREADS];
  struct timespec now;
  setenv("QUERN_CACHE", "0", 1);
  if (test_device_open(&state)) return 2;
  for (uintptr_t i = 0; i < THREADS; i++)
    if (pthread_create(&threads[i], NULL, build_for_ever, (void *)i)) return 2;
  clock_gettime(CLOCK_MONOTONIC, &now);
  const struct timespec pause = {.tv_nsec = 50000000 + now.tv_nsec % 251 * 1000000};
  nanosleep(&pause, NULL);
  return 0;
}

static void the_end_of_a_process_disturbs_no_build(void **state) {
  (void)state;
  char output[4096];
  for (int i = 0; i < RUNS; i++) {
    int status = test_run_self(role, output, sizeof output);
    if (status) fail_msg("run %d ended with %d: %s", i, status, output);
  }
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_end_of_a_process_disturbs_no_build)};
  if (argc == 2 && !strcmp(argv[1], role)) return end_while_building();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
