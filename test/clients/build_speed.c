/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The first build of thirty ordinary kernels (build_speed.cl) in a new process, front end and code generation
 * together. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "test_device.h"
#include "test_process.h"

enum { PROCESSES = 15, ATTEMPTS = 3, POCL_PROCESSES = 3, KERNELS = 30 };
/** Of code that runs work-items one by one; vectors may cost so many times as much. */
static const double allowed_seconds = 0.150, allowed_ratio = 2;
static const char *const pocl_vendor_file = "/etc/OpenCL/vendors/pocl.icd";

/** The text of SOURCE_FILE, which the build defines; null when it cannot be read. */
static char *read_source(void) {
  FILE *file = fopen(SOURCE_FILE, "r");
  char *text = calloc(1, 1 << 16);
  bool read = file != NULL && text != NULL && fread(text, 1, (1 << 16) - 1, file) > 0;
  if (file != NULL) fclose(file);
  if (read) return text;
  free(text);
  return NULL;
}

/** Builds, and asks for kernels and the size of the binary: a driver that puts off code generation does it for these.
 * A factor that no other process has keeps the program out of every cache. */
static cl_int build(cl_program program) {
  size_t size = 0;
  cl_uint count = 0;
  cl_kernel kernels[KERNELS];
  char options[64];
  snprintf(options, sizeof(options), "-DFACTOR=%d.%09ld", (int)getpid(), (long)(test_seconds() * 1e9) % 1000000000);
  cl_int error = clBuildProgram(program, 1, &dut.device, options, NULL, NULL);
  if (error == CL_SUCCESS) error = clCreateKernelsInProgram(program, KERNELS, kernels, &count);
  if (error == CL_SUCCESS) {
    error = clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, NULL);
  }
  for (cl_uint i = 0; i < count; i++) clReleaseKernel(kernels[i]);
  return error == CL_SUCCESS && (count != KERNELS || size == 0) ? CL_INVALID_VALUE : error;
}

/** In a new process: prints how many seconds the build takes. */
static int measure(void) {
  void *state = NULL;
  cl_int error;
  char *source = read_source();
  if (source == NULL || test_device_open(&state) != 0) return 1;
  const char *text = source;
  cl_program program = clCreateProgramWithSource(dut.context, 1, &text, NULL, &error);
  if (error != CL_SUCCESS) return 1;
  const double begin = test_seconds();
  error = build(program);
  const double end = test_seconds();
  printf("%.9f\n", end - begin);
  if (error != CL_SUCCESS) fprintf(stderr, "the build gave %s\n", test_error_name(error));
  clReleaseProgram(program);
  free(source);
  return error != CL_SUCCESS || test_device_close(&state) != 0;
}

typedef struct times_t {
  double median, least;
} times_t;

static times_t time_processes(size_t count) {
  double seconds[PROCESSES];
  for (size_t i = 0; i < count; i++) {
    char output[64];
    assert_int_equal(test_run_self("measure", output, sizeof(output)), 0);
    seconds[i] = strtod(output, NULL);
    assert_true(seconds[i] > 0);
  }
  times_t times = {.median = test_median(seconds, count), .least = seconds[0]};
  for (size_t i = 1; i < count; i++) {
    if (seconds[i] < times.least) times.least = seconds[i];
  }
  return times;
}

static void print_times(const char *what, times_t times) {
  print_message("first build of %d kernels, %s: median %.1f ms, least %.1f ms\n", KERNELS, what, times.median * 1e3,
                times.least * 1e3);
}

/** The medians are what docs/performance.md records; the least are what is held to the bars here, since other work on
 * the machine can only add to it. A machine that is busy for a while gets another chance. */
static void thirty_kernels_build_within_the_bar(void **state) {
  (void)state;
  times_t scalar = {0}, vectors = {0};
  bool fits = false;
  for (int attempt = 0; attempt < ATTEMPTS && !fits; attempt++) {
    assert_int_equal(setenv("QUERN_VECTORIZE", "0", 1), 0);
    scalar = time_processes(PROCESSES);
    assert_int_equal(unsetenv("QUERN_VECTORIZE"), 0);
    vectors = time_processes(PROCESSES);
    print_times("one by one", scalar);
    print_times("in vectors", vectors);
    fits = scalar.least <= allowed_seconds && vectors.least <= scalar.least * allowed_ratio;
  }
  assert_true(scalar.least <= allowed_seconds);
  assert_true(vectors.least <= scalar.least * allowed_ratio);
}

/** For comparison only: no bar. */
static void pocl_builds_the_same(void **state) {
  (void)state;
  if (access(pocl_vendor_file, R_OK) != 0) skip();
  assert_int_equal(setenv("OCL_ICD_VENDORS", pocl_vendor_file, 1), 0);
  print_message("PoCL's first build of them: median %.1f ms\n", time_processes(POCL_PROCESSES).median * 1e3);
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "measure") == 0) return measure();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(thirty_kernels_build_within_the_bar),
      cmocka_unit_test(pocl_builds_the_same),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
