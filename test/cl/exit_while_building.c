/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Processes that end while other threads of theirs build and run programs: the end of a process ends no thread, and
 * what these use must last. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "test_device.h"
#include "test_process.h"

enum { RUNS = 40, THREADS = 2 };
static const char role[] = "end-while-building";
/** From then on a loader may refuse every call: Khronos's gives back its drivers in a destructor. */
static atomic_bool is_ending;

static void sleep_for(long milliseconds) {
  const struct timespec pause = {.tv_nsec = milliseconds * 1000000};
  nanosleep(&pause, NULL);
}

/** Ends the process with a signal where a call has failed for another reason than the end of the process. */
static void check(bool has_worked) {
  if (has_worked) return;
  if (!atomic_load(&is_ending)) abort();
  for (;;) pause();
}

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
    check(!error && !clBuildProgram(program, 1, &dut.device, "-cl-std=CL3.0", NULL, NULL));
    cl_kernel kernel = clCreateKernel(program, "k", &error);
    check(!error);
    cl_mem buffer = clCreateBuffer(dut.context, 0, items * sizeof(float), NULL, &error);
    check(!error && !clSetKernelArg(kernel, 0, sizeof(cl_mem), &buffer));
    check(!clSetKernelArg(kernel, 1, 256 * sizeof(float), NULL));
    check(!clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    clReleaseMemObject(buffer);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
  }
  return NULL;
}

static ssize_t write_slowly(void *cookie, const char *bytes, size_t size) {
  (void)cookie;
  (void)bytes;
  sleep_for(20);
  return (ssize_t)size;
}

/** Keeps the process for a while after all destructors: exit() writes what streams hold last. */
static bool outlast_destructors(void) {
  FILE *stream = fopencookie(NULL, "w", (cookie_io_functions_t){.write = write_slowly});
  return stream && fputc('.', stream) == '.';
}

/** In the process that ends: after some milliseconds, by the time of the day. */
static int end_while_building(void) {
  void *state = NULL;
  pthread_t threads[THREADS];
  struct timespec now;
  if (!outlast_destructors()) return 2;
  setenv("QUERN_CACHE", "0", 1);
  if (test_device_open(&state)) return 2;
  for (uintptr_t i = 0; i < THREADS; i++)
    if (pthread_create(&threads[i], NULL, build_for_ever, (void *)i)) return 2;
  clock_gettime(CLOCK_MONOTONIC, &now);
  sleep_for(50 + now.tv_nsec % 251);
  atomic_store(&is_ending, true);
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
