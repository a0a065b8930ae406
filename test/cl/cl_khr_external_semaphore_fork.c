/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Semaphores with a shared payload in a child of fork(), which has none of the parent's threads. */
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CL/cl_ext.h>

#include "test_extension.h"

enum { OPAQUE = CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR };

#define FUNCTIONS(X)                    \
  X(clCreateSemaphoreWithPropertiesKHR) \
  X(clReleaseSemaphoreKHR)              \
  X(clGetSemaphoreHandleForTypeKHR)     \
  X(clEnqueueWaitSemaphoresKHR)
TEST_EXTENSION_FUNCTIONS(sema, FUNCTIONS)

static int open_device(void **state) {
  return test_device_open(state) || !test_has_extension("cl_khr_external_semaphore") || !sema_load();
}

/** Waits for a signal that comes later, from the descriptor; false when it does not work. */
static bool wait_and_signal(cl_semaphore_khr semaphore, int handle) {
  cl_event event = NULL;
  return !sema.clEnqueueWaitSemaphoresKHR(dut.queue, 1, &semaphore, NULL, 0, NULL, &event) && !clFlush(dut.queue) &&
         !eventfd_write(handle, 1) && !clWaitForEvents(1, &event) && !clReleaseEvent(event);
}

static void a_forked_child_waits_too(void **state) {
  (void)state;
  const cl_semaphore_properties_khr properties[] = {
      CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, OPAQUE, 0, 0};
  int status, handle = -1;
  cl_int error;
  cl_semaphore_khr semaphore = sema.clCreateSemaphoreWithPropertiesKHR(dut.context, properties, &error);
  ASSERT_CL(error);
  ASSERT_CL(sema.clGetSemaphoreHandleForTypeKHR(semaphore, dut.device, OPAQUE, sizeof(handle), &handle, NULL));
  /* So that the parent has its thread. */
  assert_true(wait_and_signal(semaphore, handle));
  ASSERT_CL(clFinish(dut.queue));
  pid_t child = fork();
  if (child == 0) {
    alarm(60);
    _exit(!wait_and_signal(semaphore, handle));
  }
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  assert_true(wait_and_signal(semaphore, handle));
  close(handle);
  ASSERT_CL(sema.clReleaseSemaphoreKHR(semaphore));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_forked_child_waits_too)};
  return cmocka_run_group_tests(tests, open_device, test_device_close);
}
