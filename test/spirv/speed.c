/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What SPIR-V costs: importing against Clang's front end on the same program, and kernels against those from source. */
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "test_il.h"
#include "test_process.h"

/* Other programs run too: what is compared is measured in turns, and the least times of a round count. As long as they
 * are not within the bar there is another round, a while later. */
enum { REPETITIONS = 15, ROUNDS = 20, PAUSE_NS = 100000000, SIZE = 256 };

/** Importing takes at most this part of what the front end takes. */
static const double import_bar = 1.0 / 3;
/** A kernel from SPIR-V takes at most this many times what the one from source takes. */
static const double kernel_bar = 1.03;

static const char program_text[] =
    "kernel void product(global const float *a, global const float *b, global float *c) {\n"
    "  int x = get_global_id(0), y = get_global_id(1), n = get_global_size(0);\n"
    "  float sum = 0;\n"
    "  for (int i = 0; i < n; i++) sum += a[y * n + i] * b[i * n + x];\n"
    "  c[y * n + x] = sum;\n"
    "}\n"
    "kernel void escape(global const float *a, global const float *b, global float *c) {\n"
    "  int x = get_global_id(0), y = get_global_id(1), n = get_global_size(0), count = 0;\n"
    "  float cr = -2.0f + 3.0f * x / n, ci = -1.5f + 3.0f * y / n, zr = 0, zi = 0;\n"
    "  while (count < 100 && zr * zr + zi * zi < 4.0f) {\n"
    "    float t = zr * zr - zi * zi + cr;\n"
    "    zi = 2.0f * zr * zi + ci; zr = t; count++;\n"
    "  }\n"
    "  c[y * n + x] = count + a[0] * b[0];\n"
    "}\n"
    "kernel void waves(global const float *a, global const float *b, global float *c) {\n"
    "  int i = get_global_id(1) * get_global_size(0) + get_global_id(0);\n"
    "  c[i] = sin(a[i]) * exp(-b[i] * b[i]) + sqrt(fabs(a[i])) + pow(fabs(b[i]), 1.5f);\n"
    "}\n"
    "kernel __attribute__((reqd_work_group_size(16, 16, 1)))\n"
    "void tiles(global const float *a, global const float *b, global float *c) {\n"
    "  local float s[16][16], t[16][16];\n"
    "  int x = get_global_id(0), y = get_global_id(1), n = get_global_size(0);\n"
    "  int lx = get_local_id(0), ly = get_local_id(1);\n"
    "  float sum = 0;\n"
    "  for (int k = 0; k < n; k += 16) {\n"
    "    s[ly][lx] = a[y * n + k + lx]; t[ly][lx] = b[(k + ly) * n + x];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (int i = 0; i < 16; i++) sum += s[ly][i] * t[i][lx];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  }\n"
    "  c[y * n + x] = sum;\n"
    "}\n";

static const char *const kernels[] = {"product", "escape", "waves", "tiles"};

static cl_program from_source(void) {
  cl_int error;
  const char *text = program_text;
  cl_program program = clCreateProgramWithSource(dut.context, 1, &text, NULL, &error);
  ASSERT_CL(error);
  return program;
}

static double compile_seconds(cl_program program) {
  double begin = test_seconds();
  ASSERT_CL(clCompileProgram(program, 1, &dut.device, NULL, 0, NULL, NULL, NULL, NULL));
  double seconds = test_seconds() - begin;
  ASSERT_CL(clReleaseProgram(program));
  return seconds;
}

typedef struct least_t {
  double source, il;
} least_t;

static double lesser(double a, double b) { return a < b ? a : b; }

/* Measures both in turns, each first half of the time, until in a round SPIR-V's least is at most `bar` of the other.
 * The round with the least ratio: the machine's speed changes between rounds. */
static least_t compare(double (*measure)(void *what, bool is_il), void *what, double bar) {
  const struct timespec pause = {0, PAUSE_NS};
  least_t best = {1, INFINITY};
  for (int round = 0; round < ROUNDS && (round == 0 || best.il > best.source * bar); round++) {
    least_t least = {1e9, 1e9};
    if (round > 0) nanosleep(&pause, NULL);
    for (int i = 0; i < REPETITIONS; i++) {
      if (i % 2) least.il = lesser(least.il, measure(what, true));
      least.source = lesser(least.source, measure(what, false));
      if (i % 2 == 0) least.il = lesser(least.il, measure(what, true));
    }
    if (least.il / least.source < best.il / best.source) best = least;
  }
  return best;
}

typedef struct module_t {
  void *words;
  size_t size;
} module_t;

static double measure_import(void *what, bool is_il) {
  const module_t *module = what;
  return compile_seconds(is_il ? test_create_with_il(module->words, module->size) : from_source());
}

static void importing_is_faster_than_the_front_end(void **state) {
  (void)state;
  const char *const levels[] = {"-O0", "-O2"};
  for (size_t l = 0; l < 2; l++) {
    module_t module;
    module.words = test_compile_il(program_text, NULL, levels[l], &module.size);
    least_t least = compare(measure_import, &module, import_bar);
    free(module.words);
    print_message("%s: front end %.2f ms, SPIR-V %.2f ms\n", levels[l], least.source * 1e3, least.il * 1e3);
    assert_true(least.il <= least.source * import_bar);
  }
}

static cl_kernel built_kernel(cl_program program, const char *name, cl_mem *buffers) {
  cl_int error;
  cl_kernel kernel = clCreateKernel(program, name, &error);
  ASSERT_CL(error);
  for (cl_uint i = 0; i < 3; i++) ASSERT_CL(clSetKernelArg(kernel, i, sizeof(buffers[i]), &buffers[i]));
  return kernel;
}

static double run_seconds(cl_kernel kernel) {
  const size_t global[] = {SIZE, SIZE}, local[] = {16, 16};
  double begin = test_seconds();
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 2, NULL, global, local, 0, NULL, NULL));
  ASSERT_CL(clFinish(dut.queue));
  return test_seconds() - begin;
}

static double measure_kernel(void *what, bool is_il) {
  cl_kernel *pair = what;
  return run_seconds(pair[is_il]);
}

static void kernels_are_as_fast_as_from_source(void **state) {
  (void)state;
  /* Clang asks that code of -O0 be left as it is (OptNone) unless told not to. */
  const char *const levels[] = {"-O0 -Xclang -disable-O0-optnone", "-O2"};
  float *values = malloc(SIZE * SIZE * sizeof(*values));
  for (int i = 0; i < SIZE * SIZE; i++) values[i] = (float)(i % 97) * 0.03f - 1.4f;
  cl_mem buffers[3];
  for (size_t i = 0; i < 3; i++) buffers[i] = test_buffer(SIZE * SIZE * sizeof(*values), values);
  double worst = 0;
  cl_program source = from_source();
  ASSERT_CL(clBuildProgram(source, 1, &dut.device, NULL, NULL, NULL));
  for (size_t l = 0; l < 2; l++) {
    size_t size = 0;
    void *words = test_compile_il(program_text, NULL, levels[l], &size);
    cl_program il = test_create_with_il(words, size);
    free(words);
    ASSERT_CL(clBuildProgram(il, 1, &dut.device, NULL, NULL, NULL));
    for (size_t k = 0; k < sizeof(kernels) / sizeof(kernels[0]); k++) {
      cl_kernel pair[] = {built_kernel(source, kernels[k], buffers), built_kernel(il, kernels[k], buffers)};
      /* What Clang has optimised is told, not judged: its unrolled loops are not ours. */
      least_t least = compare(measure_kernel, pair, l == 0 ? kernel_bar : INFINITY);
      double ratio = least.il / least.source;
      print_message("%s %s: source %.3f ms, SPIR-V %.3f ms\n", kernels[k], levels[l], least.source * 1e3,
                    least.il * 1e3);
      if (l == 0 && ratio > worst) worst = ratio;
      for (int i = 0; i < 2; i++) ASSERT_CL(clReleaseKernel(pair[i]));
    }
    ASSERT_CL(clReleaseProgram(il));
  }
  ASSERT_CL(clReleaseProgram(source));
  for (size_t i = 0; i < 3; i++) ASSERT_CL(clReleaseMemObject(buffers[i]));
  free(values);
  assert_true(worst <= kernel_bar);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(importing_is_faster_than_the_front_end),
      cmocka_unit_test(kernels_are_as_fast_as_from_source),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
