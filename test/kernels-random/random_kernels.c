/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Random kernels, run with several work-group sizes, must write to the bit what an interpreter says. Several make one
 * program; one program in some is compiled without optimisation too.
 *
 *   random_kernels [COUNT [FIRST_SEED]]   runs that many, tells of every difference
 *   random_kernels --print SEED           shows one */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"
#include "test_device.h"

static const int32_t n = 5;
static size_t kernel_count = 96;
static uint64_t first_seed = 1;

enum {
  kernels_per_program = 8,
  programs_per_unoptimized = 6,
  kernels_per_report = 400,
  local_sizes = 3,
  item_max = 300,
};

typedef struct range_t {
  size_t global[2], locals[local_sizes][2];
} range_t;

/* Multiples of the vectors' widths, and others. */
static const range_t ranges_1d[] = {
    {{37, 1}, {{8, 1}, {5, 1}, {37, 1}}},
    {{64, 1}, {{64, 1}, {16, 1}, {1, 1}}},
    {{70, 1}, {{70, 1}, {35, 1}, {16, 1}}},
};
static const range_t ranges_2d[] = {
    {{9, 4}, {{4, 2}, {9, 1}, {9, 4}}},
    {{16, 3}, {{16, 3}, {8, 1}, {1, 3}}},
    {{20, 3}, {{20, 3}, {10, 1}, {7, 2}}},
};

static const range_t ranges_of_strides[] = {
    {{256, 1}, {{256, 1}, {128, 1}, {64, 1}}},
    {{300, 1}, {{150, 1}, {128, 1}, {100, 1}}},
    {{192, 1}, {{192, 1}, {64, 1}, {16, 1}}},
};

enum { output_max = item_max * output_length + stride_length };

static const range_t *range_of(const program_t *program) {
  if (program->has_strides) return &ranges_of_strides[program->range];
  return &(program->two_dimensions ? ranges_2d : ranges_1d)[program->range];
}

static void fill_input(int32_t input[stride_length]) {
  for (uint32_t i = 0; i < stride_length; i++) input[i] = (int32_t)((i * 2654435761u) >> (i % 3 * 9)) - (int32_t)i;
}

static void name_kernel(char name[24], const program_t *program) {
  snprintf(name, 24, "k%llu", (unsigned long long)program->seed);
}

static char *source_of(program_t *const *programs, size_t count) {
  char *source = NULL, name[24];
  size_t size = 0;
  FILE *file = open_memstream(&source, &size);
  assert_non_null(file);
  program_print_prelude(programs[0]->seed, file);
  for (size_t i = 0; i < count; i++) {
    name_kernel(name, programs[i]);
    program_print(programs[i], name, file);
  }
  assert_int_equal(fclose(file), 0);
  return source;
}

static size_t count_differences(const program_t *program, const char *options, const size_t local[2],
                                const int64_t *expected, const int64_t *actual, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (expected[i] == actual[i]) continue;
    print_error("seed %llu, options \"%s\", local size %zu x %zu: work-item %zu, value %zu is %lld, should be %lld\n",
                (unsigned long long)program->seed, options, local[0], local[1], i / output_length, i % output_length,
                (long long)actual[i], (long long)expected[i]);
    return 1;
  }
  return 0;
}

static size_t run_kernel(const program_t *program, cl_kernel kernel, const char *options, const size_t local[2]) {
  const size_t *global = range_of(program)->global;
  size_t size = global[0] * global[1] * output_length * sizeof(int64_t);
  if (program->has_strides) size += stride_length * sizeof(int64_t);
  int32_t input[stride_length];
  static int64_t expected[output_max], actual[output_max];
  fill_input(input);
  memset(expected, 0x55, sizeof(expected));
  cl_mem in = test_buffer(sizeof(input), input), out = test_buffer(size, expected);
  program_interpret(program, global, local, input, n, expected);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(in), &in));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof(out), &out));
  ASSERT_CL(clSetKernelArg(kernel, 2, sizeof(n), &n));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 2, NULL, global, local, 0, NULL, NULL));
  test_read(out, size, actual);
  ASSERT_CL(clReleaseMemObject(in));
  ASSERT_CL(clReleaseMemObject(out));
  return count_differences(program, options, local, expected, actual, size / sizeof(int64_t));
}

static bool is_allowed(const program_t *program, const size_t local[2]) {
  const size_t *global = range_of(program)->global;
  bool divides = global[0] % local[0] == 0 && global[1] % local[1] == 0;
  return divides || test_device_number(CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT) != CL_FALSE;
}

static size_t check_kernel(const program_t *program, cl_program built, const char *options) {
  char name[24];
  size_t differences = 0;
  cl_int error;
  name_kernel(name, program);
  cl_kernel kernel = clCreateKernel(built, name, &error);
  ASSERT_CL(error);
  for (int i = 0; i < local_sizes; i++) {
    const size_t *local = range_of(program)->locals[i];
    if (is_allowed(program, local)) differences += run_kernel(program, kernel, options, local);
  }
  ASSERT_CL(clReleaseKernel(kernel));
  return differences;
}

static size_t check_programs(uint64_t seed, size_t count, bool unoptimized) {
  static const char *const options[] = {"-cl-std=CL3.0", "-cl-std=CL3.0 -cl-opt-disable"};
  program_t *programs[kernels_per_program] = {0};
  size_t differences = 0;
  for (size_t i = 0; i < count; i++) programs[i] = program_generate(seed + i);
  char *source = source_of(programs, count);
  for (size_t o = 0; o < (unoptimized ? 2 : 1); o++) {
    cl_program built = test_program(source, options[o]);
    for (size_t i = 0; i < count; i++) differences += check_kernel(programs[i], built, options[o]);
    ASSERT_CL(clReleaseProgram(built));
  }
  free(source);
  for (size_t i = 0; i < count; i++) program_free(programs[i]);
  return differences;
}

static void random_kernels_compute_what_an_interpreter_does(void **state) {
  (void)state;
  size_t differences = 0;
  for (size_t done = 0, turn = 0; done < kernel_count; done += kernels_per_program, turn++) {
    size_t count = kernel_count - done < kernels_per_program ? kernel_count - done : kernels_per_program;
    differences += check_programs(first_seed + done, count, turn % programs_per_unoptimized == 0);
    if ((done + count) % kernels_per_report == 0) {
      print_message("%zu kernels, %zu differences\n", done + count, differences);
    }
  }
  assert_int_equal(differences, 0);
}

static int print_program(uint64_t seed) {
  program_t *program = program_generate(seed);
  program_print_prelude(seed, stdout);
  program_print(program, "k", stdout);
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
