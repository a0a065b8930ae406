/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A process that goes on building, launching and releasing does not grow. */
#include <stdio.h>

#include "test_device.h"
#include "test_process.h"

/** Repeats `step` to warm up, then `count` times more; the process may grow by `allowed` bytes over the latter. */
static void assert_no_growth(void (*step)(int round), int count, size_t allowed) {
  const int warm_up = count / 4;
  for (int round = 0; round < warm_up; round++) step(round);
  const size_t before = test_resident_bytes();
  for (int round = 0; round < count; round++) step(warm_up + round);
  const size_t after = test_resident_bytes();
  if (after <= before + allowed) return;
  fail_msg("%d rounds grew the process by %zu kB, allowed are %zu kB", count, (after - before) >> 10, allowed >> 10);
}

static void build_and_release(int round) {
  char source[128];
  snprintf(source, sizeof(source), "kernel void k(global float *p) { p[get_global_id(0)] = sin(p[%d]); }", round);
  ASSERT_CL(clReleaseKernel(test_kernel(source, NULL, "k")));
}

static void fail_to_build_and_release(int round) {
  cl_int error;
  char text[128];
  const char *source = text;
  snprintf(text, sizeof(text), "kernel void k(global float *p) { p[%d] = nothing; }", round);
  cl_program program = clCreateProgramWithSource(dut.context, 1, &source, NULL, &error);
  ASSERT_CL(error);
  ASSERT_CL_ERROR(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
  ASSERT_CL(clReleaseProgram(program));
}

static cl_kernel kernel;

static void launch_and_wait(int round) {
  cl_event event;
  const size_t items = 64;
  cl_mem buffer = test_buffer(1 << 16, NULL);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &items, NULL, 0, NULL, &event));
  ASSERT_CL(round % 2 == 0 ? clWaitForEvents(1, &event) : clFinish(dut.queue));
  ASSERT_CL(clReleaseEvent(event));
  ASSERT_CL(clReleaseMemObject(buffer));
}

static void create_and_release_everything(int round) {
  (void)round;
  cl_context context = test_other_context();
  cl_command_queue queue = test_other_queue(context);
  ASSERT_CL(clEnqueueMarkerWithWaitList(queue, 0, NULL, NULL));
  ASSERT_CL(clFinish(queue));
  ASSERT_CL(clReleaseCommandQueue(queue));
  ASSERT_CL(clReleaseContext(context));
}

static void builds(void **state) {
  (void)state;
  assert_no_growth(build_and_release, 200, 8 << 20);
}

static void failed_builds(void **state) {
  (void)state;
  assert_no_growth(fail_to_build_and_release, 200, 8 << 20);
}

static void launches(void **state) {
  (void)state;
  kernel = test_kernel("kernel void k(global int *p) { p[get_global_id(0)] = 1; }", NULL, "k");
  assert_no_growth(launch_and_wait, 20000, 4 << 20);
  ASSERT_CL(clReleaseKernel(kernel));
}

static void contexts_and_queues(void **state) {
  (void)state;
  assert_no_growth(create_and_release_everything, 10000, 4 << 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(builds),
      cmocka_unit_test(failed_builds),
      cmocka_unit_test(launches),
      cmocka_unit_test(contexts_and_queues),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
