/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Random calls with random arguments, valid and not, from several threads: nothing may crash, hang or break what comes
 * after. RANDOM_CALLS_SECONDS (15) says for how long, RANDOM_CALLS_SEED repeats a run: every world has a seed of its
 * own, which is printed when it fails. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "world.h"

enum { THREADS = 3, STEPS = 3000 };

static const char source[] =
    "global uint words[64];\n"
    "kernel void touch(global uchar *p, uint v) { if (p) p[0] = (uchar)v; }\n"
    "kernel void local_sum(local uint *l, global uchar *p, uint v) {\n"
    "  l[0] = v; barrier(CLK_LOCAL_MEM_FENCE); if (p) p[0] = (uchar)l[0];\n"
    "}\n"
    "kernel void nothing() {}\n";

static uint64_t number_of(const char *name, uint64_t fallback) {
  const char *text = getenv(name);
  return text && *text ? strtoull(text, NULL, 0) : fallback;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

typedef struct thread_t {
  pthread_t thread;
  cl_context context;
  cl_program program;
  uint64_t seed;
  double end;
  unsigned long calls, accepted;
} thread_t;

static void live(world_t *world, thread_t *thread, uint64_t seed) {
  world_begin(world, seed, thread->context, thread->program);
  for (int step = 0; step < STEPS; step++) call_anything(world);
  thread->calls += world->calls;
  thread->accepted += world->accepted;
  world_end(world);
}

static void *run(void *data) {
  thread_t *thread = data;
  world_t *world = malloc(sizeof(*world));
  for (uint64_t life = 0; world && now() < thread->end; life++) {
    if (getenv("RANDOM_CALLS_VERBOSE")) print_message("seed %llu\n", (unsigned long long)(thread->seed + life));
    live(world, thread, thread->seed + life);
  }
  free(world);
  return NULL;
}

/* The device does what it should, after all that. */
static void check_that_all_works(void) {
  const cl_uint pattern = 0x01020304;
  const size_t one = 1;
  cl_uint read = 0;
  const cl_uint value = 9;
  cl_mem buffer = test_buffer(sizeof(read), &read);
  cl_kernel kernel = test_kernel(source, "-cl-std=CL3.0", "touch");
  ASSERT_CL(clEnqueueFillBuffer(dut.queue, buffer, &pattern, sizeof(pattern), 0, sizeof(read), 0, NULL, NULL));
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof(value), &value));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
  test_read(buffer, sizeof(read), &read);
  assert_int_equal(read, 0x01020309);
  ASSERT_CL(clReleaseKernel(kernel));
  ASSERT_CL(clReleaseMemObject(buffer));
}

static void nothing_breaks(void **state) {
  (void)state;
  const uint64_t seed = number_of("RANDOM_CALLS_SEED", 1);
  const double seconds = (double)number_of("RANDOM_CALLS_SECONDS", 15);
  thread_t threads[THREADS] = {0};
  unsigned long calls = 0, accepted = 0;
  cl_program program = test_program(source, "-cl-std=CL3.0");
  for (int i = 0; i < THREADS; i++) {
    threads[i] = (thread_t){.context = dut.context, .program = program, .end = now() + seconds};
    threads[i].seed = seed + (uint64_t)i * 1000000;
    assert_int_equal(pthread_create(&threads[i].thread, NULL, run, &threads[i]), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    assert_int_equal(pthread_join(threads[i].thread, NULL), 0);
    calls += threads[i].calls;
    accepted += threads[i].accepted;
  }
  print_message("%lu calls, %lu of them accepted\n", calls, accepted);
  assert_true(calls > 1000);
  /* A test of nothing but refusals, or of none, would prove little. */
  assert_true(accepted > calls / 5 && accepted < calls / 20 * 19);
  ASSERT_CL(clReleaseProgram(program));
  check_that_all_works();
}

static int open_device(void **state) { return test_device_open(state) || !calls_load(); }

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_breaks)};
  return cmocka_run_group_tests(tests, open_device, test_device_close);
}
