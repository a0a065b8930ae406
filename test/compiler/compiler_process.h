/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The compiler's processes, as tests see them. Programs that include this set QUERN_DEBUG=loader before the driver is
 * used, whose messages tell the numbers. */
#ifndef COMPILER_COMPILER_PROCESS_H
#define COMPILER_COMPILER_PROCESS_H

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include "test_device.h"
#include "test_process.h"

/** What a build gave. */
typedef struct build_t {
  cl_int error;
  char log[16384];
} build_t;

static inline build_t build_source(const char *source, const char *options) {
  build_t build = {0};
  cl_program program = clCreateProgramWithSource(dut.context, 1, &source, NULL, &build.error);
  if (build.error == CL_SUCCESS) {
    build.error = clBuildProgram(program, 0, NULL, options, NULL, NULL);
    clGetProgramBuildInfo(program, dut.device, CL_PROGRAM_BUILD_LOG, sizeof build.log, build.log, NULL);
    clReleaseProgram(program);
  }
  return build;
}

/** A program that no build before had. */
static inline build_t build_number(int number) {
  char source[256];
  snprintf(source, sizeof source, "kernel void k(global int *p) { p[get_global_id(0)] = %d; }\n", number);
  return build_source(source, NULL);
}

/** The process that the driver says it started, in what it printed; 0 for none. */
static inline pid_t started_process(const char *printed) {
  static const char words[] = "started compiler process ";
  const char *found = strstr(printed, words);
  return found ? atoi(found + sizeof words - 1) : 0;
}

/** Builds, and tells which process was started for it; 0 when none was. */
static inline pid_t build_and_look(build_t *out_build, int number) {
  char printed[4096];
  test_capture_t capture;
  test_capture_begin(&capture, STDERR_FILENO);
  *out_build = build_number(number);
  test_capture_end(&capture, printed, sizeof printed);
  return started_process(printed);
}

static inline void pause_milliseconds(long count) {
  const struct timespec time = {count / 1000, count % 1000 * 1000000};
  nanosleep(&time, NULL);
}

/** True when the process is gone within some seconds. A zombie of somebody else's counts as gone. */
static inline bool ends_soon(pid_t process) {
  for (int i = 0; i < 1000; i++) {
    char path[64], line[512] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    FILE *file = fopen(path, "r");
    const bool is_there = file && fgets(line, sizeof line, file);
    if (file) fclose(file);
    const char *state = strrchr(line, ')');
    if (!is_there || (state && (state[2] == 'Z' || state[2] == 'X'))) return true;
    pause_milliseconds(10);
  }
  return false;
}

/** A new process of this program that builds as `role`: 0 when all is well there. */
#define ASSERT_CHILD(role)                                                           \
  do {                                                                               \
    char child_output[4096];                                                         \
    const int child_status = test_run_self(role, child_output, sizeof child_output); \
    if (child_status) print_message("%s", child_output);                             \
    assert_int_equal(child_status, 0);                                               \
  } while (0)

#endif
