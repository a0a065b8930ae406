/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Kernels with much private memory, waited for by threads whose stacks would not hold it. */
#include <pthread.h>

#include "test_device.h"

enum { items = 256, rounds = 20, turns = 50 };

/** A megabyte. */
static const char source[] =
    "kernel void k(global int *out, int n) {\n"
    "  int a[1 << 18]; uint s = get_global_id(0); int t = 0;\n"
    "  for (int i = 0; i < n; i++) { s = s * 1664525u + 1013904223u; a[s % (1 << 18)] = i; }\n"
    "  s = get_global_id(0);\n"
    "  for (int i = 0; i < n; i++) { s = s * 1664525u + 1013904223u; t += a[s % (1 << 18)]; }\n"
    "  out[get_global_id(0)] = t;\n"
    "}\n";

/** What a thread did, and what came of it; checks are for the test's own thread. */
typedef struct run_t {
  cl_kernel kernel;
  int failed;
} run_t;

static bool launch(cl_kernel kernel) {
  const size_t global = items, local = 32;
  cl_event event;
  cl_int error, status = CL_QUEUED;
  cl_command_queue queue = clCreateCommandQueueWithProperties(dut.context, dut.device, NULL, &error);
  if (error) return false;
  error = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, &event);
  if (!error) {
    clFinish(queue);
    clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
    clReleaseEvent(event);
  }
  clReleaseCommandQueue(queue);
  return !error && status == CL_COMPLETE;
}

static void *launch_all(void *data) {
  run_t *run = data;
  for (int i = 0; i < rounds; i++) run->failed += !launch(run->kernel);
  return NULL;
}

static void kernels_may_need_more_than_who_waits_has(void **state) {
  (void)state;
  pthread_t thread;
  pthread_attr_t attributes;
  cl_int n = turns, out[items] = {0};
  run_t run = {.kernel = test_kernel(source, NULL, "k")};
  cl_mem buffer = test_buffer(sizeof out, out);
  ASSERT_CL(clSetKernelArg(run.kernel, 0, sizeof buffer, &buffer));
  ASSERT_CL(clSetKernelArg(run.kernel, 1, sizeof n, &n));
  pthread_attr_init(&attributes);
  assert_int_equal(pthread_attr_setstacksize(&attributes, (size_t)512 << 10), 0);
  assert_int_equal(pthread_create(&thread, &attributes, launch_all, &run), 0);
  pthread_join(thread, NULL);
  pthread_attr_destroy(&attributes);
  assert_int_equal(run.failed, 0);
  test_read(buffer, sizeof out, out);
  /* The generator's low bits repeat only after many more turns: all places are different. */
  for (int i = 0; i < items; i++) assert_int_equal(out[i], turns * (turns - 1) / 2);
  ASSERT_CL(clReleaseMemObject(buffer));
  ASSERT_CL(clReleaseKernel(run.kernel));
}

/* 48 regions between barriers, each with an array of 16 KiB for each work-item. */
static void many_arrays_between_barriers_fit(void **state) {
  (void)state;
  static const char regions[] =
      "#define REGION { \\\n"
      "    int a[4096]; uint x = s; int t = 0; \\\n"
      "    for (int i = 0; i < n; i++) { x = x * 1664525u + 1013904223u; a[x & 4095] = i; } \\\n"
      "    x = s; \\\n"
      "    for (int i = 0; i < n; i++) { x = x * 1664525u + 1013904223u; t += a[x & 4095]; } \\\n"
      "    sums[get_local_id(0)] = t; \\\n"
      "  } \\\n"
      "  barrier(CLK_LOCAL_MEM_FENCE); sum += sums[get_local_id(0) ^ 1]; barrier(CLK_LOCAL_MEM_FENCE);\n"
      "#define FOUR REGION REGION REGION REGION\n"
      "kernel void k(global int *out, int n) {\n"
      "  local int sums[32]; uint s = get_global_id(0); int sum = 0;\n"
      "  FOUR FOUR FOUR FOUR FOUR FOUR FOUR FOUR FOUR FOUR FOUR FOUR\n"
      "  out[get_global_id(0)] = sum;\n"
      "}\n";
  const cl_int n = turns;
  cl_int out[items] = {0};
  cl_kernel kernel = test_kernel(regions, NULL, "k");
  cl_mem buffer = test_buffer(sizeof out, out);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(cl_mem), &buffer));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof n, &n));
  assert_true(launch(kernel));
  test_read(buffer, sizeof out, out);
  for (int i = 0; i < items; i++) assert_int_equal(out[i], 48 * turns * (turns - 1) / 2);
  ASSERT_CL(clReleaseMemObject(buffer));
  ASSERT_CL(clReleaseKernel(kernel));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kernels_may_need_more_than_who_waits_has),
      cmocka_unit_test(many_arrays_between_barriers_fit),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
