/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Random kernels, compiled with and without optimisation and run with several work-group sizes, must write to the bit
 * what an interpreter says.
 *
 *   random_kernels [COUNT [FIRST_SEED]]   runs that many
 *   random_kernels --print SEED           shows one */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"
#include "test_device.h"

static const int32_t n = 5;
static size_t kernel_count = 60;
static uint64_t first_seed = 1;

static const size_t range_1d[2] = {37, 1}, range_2d[2] = {9, 4};
static const size_t locals_1d[][2] = {{1, 1}, {8, 1}, {5, 1}, {37, 1}};
static const size_t locals_2d[][2] = {{1, 1}, {4, 2}, {9, 1}, {9, 4}};

enum { range_max = 37, output_max = range_max * output_length, local_sizes = 4 };

static void fill_input(int32_t input[input_length]) {
  for (uint32_t i = 0; i < input_length; i++) input[i] = (int32_t)((i * 2654435761u) >> (i % 3 * 9)) - (int32_t)i;
}

static char *source_of(const program_t *program) {
  char *source = NULL;
  size_t size = 0;
  FILE *file = open_memstream(&source, &size);
  assert_non_null(file);
  program_print(program, file);
  assert_int_equal(fclose(file), 0);
  return source;
}

static void compare(const program_t *program, const char *options, const size_t local[2], const int64_t *expected,
                    const int64_t *actual, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (expected[i] == actual[i]) continue;
    print_error("seed %llu, options \"%s\", local size %zu x %zu: work-item %zu, value %zu is %lld, should be %lld\n",
                (unsigned long long)program->seed, options, local[0], local[1], i / output_length, i % output_length,
                (long long)actual[i], (long long)expected[i]);
    fail();
  }
}

static void run_kernel(const program_t *program, cl_kernel kernel, const char *options, const size_t local[2]) {
  const size_t *global = program->two_dimensions ? range_2d : range_1d;
  size_t size = global[0] * global[1] * output_length * sizeof(int64_t);
  int32_t input[input_length];
  static int64_t expected[output_max], actual[output_max];
  fill_input(input);
  memset(expected, 0x55, sizeof(expected));
  program_interpret(program, global, local, input, n, expected);
  cl_mem in = test_buffer(sizeof(input), input), out = test_buffer(size, NULL);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(in), &in));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof(out), &out));
  ASSERT_CL(clSetKernelArg(kernel, 2, sizeof(n), &n));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 2, NULL, global, local, 0, NULL, NULL));
  test_read(out, size, actual);
  ASSERT_CL(clReleaseMemObject(in));
  ASSERT_CL(clReleaseMemObject(out));
  compare(program, options, local, expected, actual, size / sizeof(int64_t));
}

static bool is_allowed(const program_t *program, const size_t local[2]) {
  const size_t *global = program->two_dimensions ? range_2d : range_1d;
  bool divides = global[0] % local[0] == 0 && global[1] % local[1] == 0;
  return divides || test_device_number(CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT) != CL_FALSE;
}

static void check_program(uint64_t seed) {
  static const char *const options[] = {"-cl-std=CL3.0", "-cl-std=CL3.0 -cl-opt-disable"};
  program_t *program = program_generate(seed);
  char *source = source_of(program);
  for (size_t o = 0; o < sizeof(options) / sizeof(options[0]); o++) {
    cl_kernel kernel = test_kernel(source, options[o], "k");
    for (int i = 0; i < local_sizes; i++) {
      const size_t *local = program->two_dimensions ? locals_2d[i] : locals_1d[i];
      if (is_allowed(program, local)) run_kernel(program, kernel, options[o], local);
    }
    ASSERT_CL(clReleaseKernel(kernel));
  }
  free(source);
  program_free(program);
}

static void random_kernels_compute_what_an_interpreter_does(void **state) {
  (void)state;
  for (size_t i = 0; i < kernel_count; i++) check_program(first_seed + i);
}

static int print_program(uint64_t seed) {
  program_t *program = program_generate(seed);
  program_print(program, stdout);
  program_free(program);
  return EXIT_SUCCESS;
}

int main(int argument_count, char **arguments) {
  if (argument_count == 3 && !strcmp(arguments[1], "--print")) return print_program(strtoull(arguments[2], NULL, 10));
  if (argument_count > 1) kernel_count = strtoull(arguments[1], NULL, 10);
  if (argument_count > 2) first_seed = strtoull(arguments[2], NULL, 10);
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_kernels_compute_what_an_interpreter_does)};
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
