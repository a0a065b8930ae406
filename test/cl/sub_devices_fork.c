/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Sub-devices in a child process. */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test_device.h"

/** A child process goes on with a sub-device whose threads are gone. */
static void child_uses_it(void **state) {
  (void)state;
  const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 4, 0};
  cl_int error;
  SKIP_UNLESS_QUERN();
  const cl_int pattern = 5;
  cl_int data[64] = {0};
  cl_device_id parts[2];
  ASSERT_CL(clCreateSubDevices(dut.device, equally, 2, parts, NULL));
  cl_context context = clCreateContext(NULL, 2, parts, NULL, NULL, &error);
  ASSERT_CL(error);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, parts[1], NULL, &error);
  ASSERT_CL(error);
  cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(data), NULL, &error);
  ASSERT_CL(error);
  ASSERT_CL(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL));
  pid_t child = fork();
  if (child == 0) {
    alarm(20);
    error = clEnqueueFillBuffer(queue, buffer, &pattern, sizeof(pattern), 0, sizeof(data), 0, NULL, NULL);
    if (!error) error = clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL);
    _exit(error || data[63] != pattern);
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 0);
  ASSERT_CL(clReleaseMemObject(buffer));
  ASSERT_CL(clReleaseCommandQueue(queue));
  ASSERT_CL(clReleaseContext(context));
  for (int i = 0; i < 2; i++) ASSERT_CL(clReleaseDevice(parts[i]));
}

int main(void) {
  setenv("QUERN_NUM_THREADS", "8", 1);
  const struct CMUnitTest tests[] = {cmocka_unit_test(child_uses_it)};
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
