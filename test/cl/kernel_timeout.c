/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * QUERN_KERNEL_TIMEOUT: kernels that never end. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "endless_kernels.h"
#include "test_process.h"

static atomic_int notes;

static void CL_CALLBACK note(const char *message, const void *data, size_t size, void *user_data) {
  (void)data, (void)size, (void)user_data;
  if (strstr(message, "QUERN_KERNEL_TIMEOUT")) atomic_fetch_add(&notes, 1);
}

static void assert_goes_on(const endless_t *endless, cl_command_queue queue) {
  const cl_int seven = 7;
  cl_int value = 0;
  ASSERT_CL(clEnqueueFillBuffer(queue, endless->out, &seven, sizeof seven, 0, 4096, 0, NULL, NULL));
  ASSERT_CL(clEnqueueReadBuffer(queue, endless->out, CL_TRUE, 4092, sizeof value, &value, 0, NULL, NULL));
  assert_int_equal(value, 7);
}

/** Of one work-group, and of more than there are threads. */
static void a_kernel_that_does_not_end_is_ended(void **state) {
  (void)state;
  cl_int error, status;
  char errors[4096], expected[64];
  cl_context context = clCreateContext(NULL, 1, &dut.device, note, NULL, &error);
  ASSERT_CL(error);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, dut.device, NULL, &error);
  ASSERT_CL(error);
  endless_t endless = endless_create(context);
  for (int i = 0; i < 2 * ENDLESS_KERNELS; i++) {
    const char *name = endless_names[i / 2];
    cl_event event;
    test_capture_t capture;
    atomic_store(&notes, 0);
    test_capture_begin(&capture, 2);
    endless_enqueue(&endless, queue, name, i % 2 ? 500 : 1, &event);
    error = clWaitForEvents(1, &event);
    test_capture_end(&capture, errors, sizeof errors);
    assert_int_equal(error, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    ASSERT_CL(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    assert_true(status < 0);
    snprintf(expected, sizeof expected, "kernel '%s', work-group (", name);
    if (!strstr(errors, expected) || !strstr(errors, "QUERN_KERNEL_TIMEOUT")) fail_msg("printed: %s", errors);
    assert_int_equal(atomic_load(&notes), 1);
    ASSERT_CL(clReleaseEvent(event));
    assert_goes_on(&endless, queue);
  }
  endless_release(&endless);
  ASSERT_CL(clReleaseCommandQueue(queue));
  ASSERT_CL(clReleaseContext(context));
}

/** Together they take longer than the limit, each alone does not. */
static void kernels_that_end_are_left_alone(void **state) {
  (void)state;
  static const char source[] =
      "kernel void work(global uint *out, uint turns) {\n"
      "  uint x = get_global_id(0) + 1;\n"
      "  for (uint i = 0; i < turns; i++) { x ^= x << 13; x ^= x >> 17; x ^= x << 5; }\n"
      "  out[get_global_id(0)] = x;\n"
      "}\n";
  const size_t items = 64;
  cl_uint turns = 1 << 16;
  cl_kernel kernel = test_kernel(source, NULL, "work");
  cl_mem out = test_buffer(items * sizeof(cl_uint), NULL);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof out, &out));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof turns, &turns));
  const double begin = test_seconds();
  while (test_seconds() - begin < 1) {
    for (int i = 0; i < 200; i++)
      ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    cl_event event;
    ASSERT_CL(clEnqueueMarkerWithWaitList(dut.queue, 0, NULL, &event));
    ASSERT_CL(clWaitForEvents(1, &event));
    ASSERT_CL(clReleaseEvent(event));
  }
  ASSERT_CL(clReleaseMemObject(out));
  ASSERT_CL(clReleaseKernel(kernel));
}

/** In the child, where the thread that looks after the limit is not: no assertions of cmocka, its exit code tells. */
static int end_in_the_child(const endless_t *endless, cl_command_queue queue) {
  cl_event event = NULL;
  cl_int status = CL_COMPLETE;
  alarm(20);
  endless_enqueue(endless, queue, endless_names[0], 1, &event);
  if (clWaitForEvents(1, &event) != CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST) return 1;
  if (clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL)) return 2;
  return status < 0 ? 0 : 3;
}

static void a_kernel_of_a_child_is_ended_too(void **state) {
  (void)state;
  endless_t endless = endless_create(dut.context);
  cl_event event = NULL;
  /* The parent has looked after one. */
  endless_enqueue(&endless, dut.queue, endless_names[0], 1, &event);
  assert_int_equal(clWaitForEvents(1, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  ASSERT_CL(clReleaseEvent(event));
  ASSERT_CL(clFinish(dut.queue));
  int status = 0;
  pid_t child = fork();
  if (!child) _exit(end_in_the_child(&endless, dut.queue));
  assert_true(child > 0);
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 0);
  assert_goes_on(&endless, dut.queue);
  endless_release(&endless);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_kernel_that_does_not_end_is_ended),
      cmocka_unit_test(kernels_that_end_are_left_alone),
      cmocka_unit_test(a_kernel_of_a_child_is_ended_too),
  };
  alarm(100);
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
