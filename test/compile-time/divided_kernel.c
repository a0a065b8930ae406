/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A kernel so large that it is divided into functions: what work-items and the group carry from one to the next. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test_device.h"

typedef unsigned int uint;

/* So many steps that the kernel is divided for each processor: where lanes gather one by one, 64 would do. */
enum { STEPS = 256, LANES = 64, GROUPS = 3, ITEMS = LANES * GROUPS, STEP_SIZE = 512 };

/* A megabyte of private memory, of one step alone. */
#define LARGE_STEP                                               \
  "  { uint big[1 << 18];\n"                                     \
  "    for (uint j = 0; j < n; j++) big[a * j >> 14] = b ^ j;\n" \
  "    for (uint j = 0; j < n; j++) b += big[a * j >> 14]; }\n"

/* Two barriers in each step; `common` is the same for the group, and now and then decides on a third one. */
static char *write_source(void) {
  const size_t size = (size_t)(STEPS + 2) * STEP_SIZE;
  char *source = malloc(size), *at = source;
  assert_non_null(source);
  at += snprintf(at, STEP_SIZE,
                 "kernel void many(global const uint *in, global uint *out, uint n) {\n"
                 "  local uint t[64];\n"
                 "  uint l = get_local_id(0), a = in[get_global_id(0)], b = n, common = n;\n");
  for (uint step = 0; step < STEPS; step++) {
    at += snprintf(at, STEP_SIZE,
                   "  t[l] = a + %u; barrier(CLK_LOCAL_MEM_FENCE);\n"
                   "  a ^= t[l ^ %u] * common; b += a; common = common * 5 + t[%u];\n"
                   "  barrier(CLK_LOCAL_MEM_FENCE);\n",
                   step, step % 63 + 1, step % 64);
    if (step == STEPS / 2) at += snprintf(at, STEP_SIZE, LARGE_STEP);
    if (step % 16) continue;
    at += snprintf(at, STEP_SIZE,
                   "  if (common & 4) { t[l] = b; barrier(CLK_LOCAL_MEM_FENCE); a += t[63 - l];\n"
                   "    barrier(CLK_LOCAL_MEM_FENCE); }\n");
  }
  snprintf(at, STEP_SIZE, "  out[get_global_id(0)] = a ^ b ^ common;\n}\n");
  return source;
}

static uint expect_large_step(uint a, uint b, uint n) {
  static uint big[1 << 18];
  for (uint j = 0; j < n; j++) big[a * j >> 14] = b ^ j;
  for (uint j = 0; j < n; j++) b += big[a * j >> 14];
  return b;
}

static void expect_step(uint step, uint n, uint *a, uint *b, uint *common) {
  uint t[LANES];
  for (uint l = 0; l < LANES; l++) t[l] = a[l] + step;
  for (uint l = 0; l < LANES; l++) b[l] += a[l] ^= t[l ^ (step % 63 + 1)] * *common;
  *common = *common * 5 + t[step % LANES];
  if (step == STEPS / 2) {
    for (uint l = 0; l < LANES; l++) b[l] = expect_large_step(a[l], b[l], n);
  }
  if (step % 16 || !(*common & 4)) return;
  for (uint l = 0; l < LANES; l++) a[l] += b[LANES - 1 - l];
}

static void expect_group(const uint *in, uint n, uint *out) {
  uint a[LANES], b[LANES], common = n;
  for (uint l = 0; l < LANES; l++) {
    a[l] = in[l];
    b[l] = n;
  }
  for (uint step = 0; step < STEPS; step++) expect_step(step, n, a, b, &common);
  for (uint l = 0; l < LANES; l++) out[l] = a[l] ^ b[l] ^ common;
}

/* Small kernels are not divided, and pieces are named after their kernel. */
static void expect_pieces(cl_kernel kernel) {
  cl_program program;
  size_t size;
  ASSERT_CL(clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof(cl_program), &program, NULL));
  ASSERT_CL(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, NULL));
  unsigned char *binary = malloc(size);
  assert_non_null(binary);
  ASSERT_CL(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(unsigned char *), &binary, NULL));
  const bool found = memmem(binary, size, "many.piece.", strlen("many.piece."));
  free(binary);
  assert_true(found);
}

static void *launch(void *kernel) {
  const size_t range = ITEMS, lanes = LANES;
  cl_event event;
  cl_int status = clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &range, &lanes, 0, NULL, &event);
  if (status) return NULL;
  clWaitForEvents(1, &event);
  clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL);
  clReleaseEvent(event);
  return status == CL_COMPLETE ? kernel : NULL;
}

/* On a thread whose stack does not hold the kernel's private memory. */
static void launch_on_small_stack(cl_kernel kernel) {
  pthread_t thread;
  pthread_attr_t attributes;
  void *completed;
  pthread_attr_init(&attributes);
  assert_int_equal(pthread_attr_setstacksize(&attributes, (size_t)512 << 10), 0);
  assert_int_equal(pthread_create(&thread, &attributes, launch, kernel), 0);
  pthread_join(thread, &completed);
  pthread_attr_destroy(&attributes);
  assert_non_null(completed);
}

static void run_with(cl_kernel kernel, const uint *in, uint n, uint *out) {
  cl_mem buffers[] = {test_buffer(ITEMS * sizeof(uint), in), test_buffer(ITEMS * sizeof(uint), in)};
  for (cl_uint i = 0; i < 2; i++) ASSERT_CL(clSetKernelArg(kernel, i, sizeof(cl_mem), &buffers[i]));
  ASSERT_CL(clSetKernelArg(kernel, 2, sizeof(n), &n));
  launch_on_small_stack(kernel);
  test_read(buffers[1], ITEMS * sizeof(uint), out);
  for (int i = 0; i < 2; i++) ASSERT_CL(clReleaseMemObject(buffers[i]));
}

static void run_divided(void **state) {
  static uint in[ITEMS], expected[ITEMS], actual[ITEMS];
  char *source = write_source();
  for (uint i = 0; i < ITEMS; i++) in[i] = i * 2654435761u >> 9;
  cl_kernel kernel = test_kernel(source, *state, "many");
  free(source);
  expect_pieces(kernel);
  for (uint n = 1; n <= 7; n += 2) {
    run_with(kernel, in, n, actual);
    for (size_t first = 0; first < ITEMS; first += LANES) expect_group(in + first, n, expected + first);
    assert_memory_equal(actual, expected, sizeof(actual));
  }
  ASSERT_CL(clReleaseKernel(kernel));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test_prestate(run_divided, "")};
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
