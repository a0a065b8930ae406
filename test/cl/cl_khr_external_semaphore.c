/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * cl_khr_external_semaphore with its descriptors: semaphores that contexts and processes share, fences, and every
 * error. An eventfd stands for a sync file: both can be waited for in the same way, and nobody but a driver of the
 * kernel can make a sync file. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CL/cl_ext.h>

#include "test_extension.h"
#include "test_process.h"

enum { EXPORTABLE = 0x2054, DEVICE_LIST = 0x2053 };
enum { OPAQUE = CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, SYNC = CL_SEMAPHORE_HANDLE_SYNC_FD_KHR };

typedef cl_int(CL_API_CALL *reimport_fn)(cl_semaphore_khr semaphore, cl_properties *properties, int descriptor);

#define FUNCTIONS(X)                                                           \
  X(clCreateSemaphoreWithPropertiesKHR, clCreateSemaphoreWithPropertiesKHR_fn) \
  X(clReleaseSemaphoreKHR, clReleaseSemaphoreKHR_fn)                           \
  X(clGetSemaphoreInfoKHR, clGetSemaphoreInfoKHR_fn)                           \
  X(clGetSemaphoreHandleForTypeKHR, clGetSemaphoreHandleForTypeKHR_fn)         \
  X(clReImportSemaphoreSyncFdKHR, reimport_fn)                                 \
  X(clEnqueueWaitSemaphoresKHR, clEnqueueWaitSemaphoresKHR_fn)                 \
  X(clEnqueueSignalSemaphoresKHR, clEnqueueSignalSemaphoresKHR_fn)
TEST_EXTENSION_FUNCTIONS_OF(sema, FUNCTIONS)

static const cl_semaphore_properties_khr exportable[] = {
    CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, OPAQUE, 0, 0};

static cl_context other_context;
static cl_command_queue other;

static int open_device(void **state) {
  bool listed = !test_device_open(state) && test_has_extension("cl_khr_external_semaphore") &&
                test_has_extension("cl_khr_external_semaphore_opaque_fd") &&
                test_has_extension("cl_khr_external_semaphore_sync_fd");
  if (!listed || !sema_load()) return 1;
  other_context = test_other_context();
  other = test_other_queue(other_context);
  return 0;
}

static int close_device(void **state) {
  return clReleaseCommandQueue(other) || clReleaseContext(other_context) || test_device_close(state);
}

static cl_semaphore_khr create_in(cl_context context, const cl_semaphore_properties_khr *properties) {
  cl_int error;
  cl_semaphore_khr semaphore = sema.clCreateSemaphoreWithPropertiesKHR(context, properties, &error);
  ASSERT_CL(error);
  return semaphore;
}

static cl_semaphore_khr create(void) { return create_in(dut.context, exportable); }

static int export_handle(cl_semaphore_khr semaphore) {
  int descriptor = -1;
  size_t size = 0;
  ASSERT_CL(sema.clGetSemaphoreHandleForTypeKHR(semaphore, dut.device, OPAQUE, sizeof(descriptor), &descriptor, &size));
  assert_int_equal(size, sizeof(int));
  assert_true(descriptor >= 0);
  return descriptor;
}

static cl_semaphore_khr import_into(cl_context context, cl_semaphore_properties_khr type, int descriptor) {
  const cl_semaphore_properties_khr properties[] = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, type,
                                                    (cl_semaphore_properties_khr)descriptor, 0};
  return create_in(context, properties);
}

static cl_int wait_for(cl_command_queue queue, cl_semaphore_khr semaphore, cl_event *event) {
  return sema.clEnqueueWaitSemaphoresKHR(queue, 1, &semaphore, NULL, 0, NULL, event);
}

static cl_int raise_it(cl_command_queue queue, cl_semaphore_khr semaphore, cl_event *event) {
  return sema.clEnqueueSignalSemaphoresKHR(queue, 1, &semaphore, NULL, 0, NULL, event);
}

static cl_semaphore_payload_khr payload(cl_semaphore_khr semaphore) {
  cl_semaphore_payload_khr value = 9;
  ASSERT_CL(sema.clGetSemaphoreInfoKHR(semaphore, CL_SEMAPHORE_PAYLOAD_KHR, sizeof(value), &value, NULL));
  return value;
}

static cl_int status_of(cl_event event) {
  cl_int status;
  ASSERT_CL(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL));
  return status;
}

static void release(cl_semaphore_khr semaphore) { ASSERT_CL(sema.clReleaseSemaphoreKHR(semaphore)); }

/** Many descriptors must not stay behind. */
static int next_descriptor(void) {
  int descriptor = dup(0);
  close(descriptor);
  return descriptor;
}

/* ---------------------------------------------------------------- shared payloads */

static void semaphores_of_one_payload_are_one_semaphore(void **state) {
  (void)state;
  int before = next_descriptor();
  cl_semaphore_khr first = create(), second = import_into(other_context, OPAQUE, export_handle(first));
  cl_semaphore_khr third = import_into(dut.context, OPAQUE, export_handle(first));
  for (int i = 0; i < 20; i++) {
    ASSERT_CL(raise_it(dut.queue, first, NULL));
    ASSERT_CL(clFinish(dut.queue));
    assert_int_equal(payload(second), 1);
    assert_int_equal(payload(third), 1);
    ASSERT_CL(wait_for(other, second, NULL));
    ASSERT_CL(clFinish(other));
    assert_int_equal(payload(first), 0);
    assert_int_equal(payload(third), 0);
    ASSERT_CL(raise_it(other, second, NULL));
    ASSERT_CL(clFlush(other));
    ASSERT_CL(wait_for(dut.queue, third, NULL));
    ASSERT_CL(clFinish(dut.queue));
  }
  release(first);
  release(second);
  release(third);
  /* One for the thread that waits for all of them. */
  assert_true(next_descriptor() <= before + 1);
}

static void a_wait_may_come_before_its_signal(void **state) {
  (void)state;
  cl_semaphore_khr first = create(), second = import_into(other_context, OPAQUE, export_handle(first));
  cl_event waits[3];
  for (int i = 0; i < 3; i++) ASSERT_CL(wait_for(other, second, &waits[i]));
  ASSERT_CL(clFlush(other));
  usleep(1000);
  for (int i = 0; i < 3; i++) assert_true(status_of(waits[i]) > CL_COMPLETE);
  for (int i = 0; i < 3; i++) {
    ASSERT_CL(raise_it(dut.queue, first, NULL));
    ASSERT_CL(clFinish(dut.queue));
    ASSERT_CL(clWaitForEvents(1, &waits[i]));
    if (i < 2) assert_true(status_of(waits[i + 1]) > CL_COMPLETE);
  }
  assert_int_equal(payload(first), 0);
  for (int i = 0; i < 3; i++) ASSERT_CL(clReleaseEvent(waits[i]));
  release(first);
  release(second);
}

static void one_object_orders_queues_that_nobody_flushes(void **state) {
  (void)state;
  cl_semaphore_khr semaphore = create();
  cl_command_queue second = test_other_queue(dut.context);
  for (int i = 0; i < 100; i++) {
    ASSERT_CL(raise_it(dut.queue, semaphore, NULL));
    ASSERT_CL(wait_for(second, semaphore, NULL));
    ASSERT_CL(clFinish(second));
  }
  assert_int_equal(payload(semaphore), 0);
  release(semaphore);
  ASSERT_CL(clReleaseCommandQueue(second));
}

static void a_terminated_signal_terminates_its_wait(void **state) {
  (void)state;
  cl_int error;
  cl_semaphore_khr semaphore = create();
  cl_event gate = clCreateUserEvent(dut.context, &error), wait;
  ASSERT_CL(error);
  ASSERT_CL(sema.clEnqueueSignalSemaphoresKHR(dut.queue, 1, &semaphore, NULL, 1, &gate, NULL));
  ASSERT_CL(wait_for(dut.queue, semaphore, &wait));
  ASSERT_CL(clSetUserEventStatus(gate, -7));
  ASSERT_CL(clFinish(dut.queue));
  assert_int_equal(status_of(wait), -7);
  assert_int_equal(payload(semaphore), 0);
  /* The next pair is as good as new. */
  ASSERT_CL(raise_it(dut.queue, semaphore, NULL));
  ASSERT_CL(wait_for(dut.queue, semaphore, NULL));
  ASSERT_CL(clFinish(dut.queue));
  assert_int_equal(payload(semaphore), 0);
  ASSERT_CL(clReleaseEvent(wait));
  ASSERT_CL(clReleaseEvent(gate));
  release(semaphore);
}

static void a_terminated_wait_leaves_the_signal(void **state) {
  (void)state;
  cl_int error;
  cl_semaphore_khr semaphore = create();
  for (int signalled_first = 0; signalled_first < 2; signalled_first++) {
    cl_event gate = clCreateUserEvent(dut.context, &error), wait;
    ASSERT_CL(error);
    if (signalled_first) ASSERT_CL(raise_it(dut.queue, semaphore, NULL));
    ASSERT_CL(clFinish(dut.queue));
    ASSERT_CL(sema.clEnqueueWaitSemaphoresKHR(dut.queue, 1, &semaphore, NULL, 1, &gate, &wait));
    ASSERT_CL(clSetUserEventStatus(gate, -7));
    ASSERT_CL(clFinish(dut.queue));
    assert_int_equal(status_of(wait), -7);
    assert_int_equal(payload(semaphore), signalled_first);
    ASSERT_CL(clReleaseEvent(wait));
    ASSERT_CL(clReleaseEvent(gate));
  }
  release(semaphore);
}

static void may_be_released_while_in_use(void **state) {
  (void)state;
  cl_semaphore_khr first = create(), second = import_into(other_context, OPAQUE, export_handle(first));
  ASSERT_CL(wait_for(other, second, NULL));
  ASSERT_CL(clFlush(other));
  release(second);
  ASSERT_CL(raise_it(dut.queue, first, NULL));
  release(first);
  ASSERT_CL(clFinish(dut.queue));
  ASSERT_CL(clFinish(other));
}

/* ---------------------------------------------------------------- two processes */

enum { ROUNDS = 50 };

/** Counts in shared memory: the parent adds 1, this process doubles, in turn. */
static int other_process(const char *role) {
  void *state = NULL;
  int memory, to_child, to_parent;
  if (sscanf(role, "%d,%d,%d", &memory, &to_child, &to_parent) != 3 || open_device(&state)) return 2;
  volatile cl_uint *number = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
  cl_semaphore_khr wait = import_into(dut.context, OPAQUE, to_child);
  cl_semaphore_khr answer = import_into(dut.context, OPAQUE, to_parent);
  for (int i = 0; i < ROUNDS; i++) {
    ASSERT_CL(wait_for(dut.queue, wait, NULL));
    ASSERT_CL(clFinish(dut.queue));
    *number = *number * 2 % 1000003;
    ASSERT_CL(raise_it(dut.queue, answer, NULL));
    ASSERT_CL(clFinish(dut.queue));
  }
  release(wait);
  release(answer);
  return close_device(&state);
}

static int inheritable(int descriptor) {
  int copy = dup(descriptor);
  close(descriptor);
  return copy;
}

static pid_t start_other(int memory, int to_child, int to_parent) {
  char role[64], program[4096] = "";
  snprintf(role, sizeof(role), "%d,%d,%d", memory, to_child, to_parent);
  assert_true(readlink("/proc/self/exe", program, sizeof(program) - 1) > 0);
  pid_t child = fork();
  if (child == 0) {
    execl(program, program, role, (char *)NULL);
    _exit(127);
  }
  assert_true(child > 0);
  return child;
}

static void two_processes_take_turns(void **state) {
  (void)state;
  int memory = memfd_create("turns", 0), status;
  assert_int_equal(ftruncate(memory, 4096), 0);
  volatile cl_uint *number = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
  assert_true(number != MAP_FAILED);
  cl_semaphore_khr to_child = create(), to_parent = create();
  int handles[2] = {inheritable(export_handle(to_child)), inheritable(export_handle(to_parent))};
  pid_t child = start_other(memory, handles[0], handles[1]);
  cl_uint expected = 0;
  for (int i = 0; i < ROUNDS; i++) {
    *number += 1;
    expected = (expected + 1) * 2 % 1000003;
    ASSERT_CL(raise_it(dut.queue, to_child, NULL));
    ASSERT_CL(wait_for(dut.queue, to_parent, NULL));
    ASSERT_CL(clFinish(dut.queue));
    assert_int_equal(*number, expected);
  }
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  for (int i = 0; i < 2; i++) close(handles[i]);
  close(memory);
  munmap((void *)(uintptr_t)number, 4096);
  release(to_child);
  release(to_parent);
}

/* ---------------------------------------------------------------- fences */

static void minus_one_is_a_signalled_fence(void **state) {
  (void)state;
  cl_semaphore_khr semaphore = import_into(dut.context, SYNC, -1);
  assert_int_equal(payload(semaphore), 1);
  ASSERT_CL(wait_for(dut.queue, semaphore, NULL));
  ASSERT_CL(clFinish(dut.queue));
  assert_int_equal(payload(semaphore), 0);
  /* Then it is a semaphore of its own. */
  ASSERT_CL(raise_it(dut.queue, semaphore, NULL));
  ASSERT_CL(wait_for(dut.queue, semaphore, NULL));
  ASSERT_CL(clFinish(dut.queue));
  ASSERT_CL(sema.clReImportSemaphoreSyncFdKHR(semaphore, NULL, -1));
  assert_int_equal(payload(semaphore), 1);
  release(semaphore);
}

static void a_wait_takes_until_the_fence(void **state) {
  (void)state;
  int fence = eventfd(0, EFD_CLOEXEC), own = dup(fence), before = next_descriptor();
  cl_semaphore_khr semaphore = import_into(dut.context, SYNC, fence);
  cl_event event;
  assert_int_equal(payload(semaphore), 0);
  ASSERT_CL(wait_for(dut.queue, semaphore, &event));
  ASSERT_CL(clFlush(dut.queue));
  usleep(1000);
  assert_true(status_of(event) > CL_COMPLETE);
  assert_int_equal(eventfd_write(own, 1), 0);
  ASSERT_CL(clWaitForEvents(1, &event));
  assert_int_equal(status_of(event), CL_COMPLETE);
  ASSERT_CL(clReleaseEvent(event));
  release(semaphore);
  close(own);
  assert_true(next_descriptor() <= before);
}

static void importing_again_replaces_what_was_there(void **state) {
  (void)state;
  int first = eventfd(0, EFD_CLOEXEC), second = eventfd(0, EFD_CLOEXEC), own = dup(second);
  cl_semaphore_khr semaphore = import_into(dut.context, SYNC, first);
  ASSERT_CL(sema.clReImportSemaphoreSyncFdKHR(semaphore, NULL, second));
  assert_true(fcntl(first, F_GETFD) < 0);
  ASSERT_CL(wait_for(dut.queue, semaphore, NULL));
  ASSERT_CL(clFlush(dut.queue));
  assert_int_equal(eventfd_write(own, 1), 0);
  ASSERT_CL(clFinish(dut.queue));
  release(semaphore);
  close(own);
}

static void a_fence_that_nobody_waits_for_is_closed(void **state) {
  (void)state;
  int fence = eventfd(0, EFD_CLOEXEC);
  release(import_into(dut.context, SYNC, fence));
  assert_true(fcntl(fence, F_GETFD) < 0);
}

/* ---------------------------------------------------------------- queries, errors */

static void answers_queries(void **state) {
  (void)state;
  const cl_external_semaphore_handle_type_khr types[] = {OPAQUE, SYNC};
  cl_external_semaphore_handle_type_khr answer[4];
  const cl_semaphore_properties_khr plain[] = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, 0};
  cl_semaphore_properties_khr properties[8];
  size_t size;
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR, sizeof(answer), answer, &size));
  assert_int_equal(size, sizeof(types));
  assert_memory_equal(answer, types, size);
  ASSERT_CL(
      clGetPlatformInfo(dut.platform, CL_PLATFORM_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR, sizeof(answer), answer, &size));
  assert_int_equal(size, sizeof(types));
  ASSERT_INFO(clGetDeviceInfo, dut.device, CL_DEVICE_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR,
              cl_external_semaphore_handle_type_khr, OPAQUE);
  ASSERT_INFO(clGetPlatformInfo, dut.platform, CL_PLATFORM_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR,
              cl_external_semaphore_handle_type_khr, OPAQUE);
  cl_semaphore_khr semaphore = create(), closed = create_in(dut.context, plain);
  ASSERT_INFO(sema.clGetSemaphoreInfoKHR, semaphore, EXPORTABLE, cl_bool, CL_TRUE);
  ASSERT_INFO(sema.clGetSemaphoreInfoKHR, semaphore, CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR,
              cl_external_semaphore_handle_type_khr, OPAQUE);
  ASSERT_CL(sema.clGetSemaphoreInfoKHR(semaphore, CL_SEMAPHORE_PROPERTIES_KHR, sizeof(properties), properties, &size));
  assert_int_equal(size, sizeof(exportable));
  assert_memory_equal(properties, exportable, size);
  ASSERT_INFO(sema.clGetSemaphoreInfoKHR, closed, EXPORTABLE, cl_bool, CL_FALSE);
  ASSERT_CL(sema.clGetSemaphoreInfoKHR(closed, CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, 0, NULL, &size));
  assert_int_equal(size, 0);
  release(semaphore);
  release(closed);
}

static void assert_refused(const cl_semaphore_properties_khr *properties, cl_int expected) {
  cl_int error;
  ASSERT_CL_REFUSED(sema.clCreateSemaphoreWithPropertiesKHR(dut.context, properties, &error), error, expected);
}

static void creation_refuses_bad_arguments(void **state) {
  (void)state;
  enum { TYPE = CL_SEMAPHORE_TYPE_KHR, BINARY = CL_SEMAPHORE_TYPE_BINARY_KHR };
  enum { EXPORT = CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR };
  cl_semaphore_khr semaphore = create();
  int handle = export_handle(semaphore), file = memfd_create("no-semaphore", MFD_CLOEXEC);
  const cl_semaphore_properties_khr fd = (cl_semaphore_properties_khr)handle;
  typedef cl_semaphore_properties_khr list_t[];
  assert_refused((const list_t){TYPE, BINARY, OPAQUE, fd, EXPORT, OPAQUE, 0, 0}, CL_INVALID_OPERATION);
  assert_refused((const list_t){TYPE, BINARY, OPAQUE, fd, OPAQUE, fd, 0}, CL_INVALID_PROPERTY);
  assert_refused((const list_t){TYPE, BINARY, OPAQUE, fd, SYNC, fd, 0}, CL_INVALID_PROPERTY);
  assert_refused((const list_t){TYPE, BINARY, EXPORT, OPAQUE, OPAQUE, 0, 0}, CL_INVALID_VALUE);
  assert_refused((const list_t){TYPE, BINARY, EXPORT, OPAQUE, 0, EXPORT, OPAQUE, 0, 0}, CL_INVALID_PROPERTY);
  assert_refused((const list_t){TYPE, BINARY, EXPORT, SYNC, 0, 0}, CL_INVALID_PROPERTY);
  assert_refused((const list_t){TYPE, BINARY, OPAQUE, (cl_semaphore_properties_khr)-1, 0}, CL_INVALID_PROPERTY);
  assert_refused((const list_t){TYPE, BINARY, OPAQUE, (cl_semaphore_properties_khr)file, 0}, CL_INVALID_PROPERTY);
  assert_refused((const list_t){TYPE, BINARY, SYNC, 123456, 0}, CL_INVALID_PROPERTY);
  assert_refused((const list_t){OPAQUE, fd, 0}, CL_INVALID_VALUE);
  assert_true(fcntl(handle, F_GETFD) >= 0);
  close(handle);
  close(file);
  release(semaphore);
}

static void exporting_refuses_bad_arguments(void **state) {
  (void)state;
  const cl_semaphore_properties_khr plain[] = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, 0};
  cl_semaphore_khr semaphore = create(), closed = create_in(dut.context, plain);
  cl_semaphore_khr imported = import_into(dut.context, OPAQUE, export_handle(semaphore));
  int handle;
  size_t size = 0;
  ASSERT_CL_ERROR(sema.clGetSemaphoreHandleForTypeKHR(NULL, dut.device, OPAQUE, 4, &handle, NULL),
                  CL_INVALID_SEMAPHORE_KHR);
  ASSERT_CL_ERROR(sema.clGetSemaphoreHandleForTypeKHR(semaphore, NULL, OPAQUE, 4, &handle, NULL), CL_INVALID_DEVICE);
  ASSERT_CL_ERROR(sema.clGetSemaphoreHandleForTypeKHR(semaphore, dut.device, SYNC, 4, &handle, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(sema.clGetSemaphoreHandleForTypeKHR(semaphore, dut.device, 0, 4, &handle, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(sema.clGetSemaphoreHandleForTypeKHR(semaphore, dut.device, OPAQUE, 3, &handle, NULL),
                  CL_INVALID_VALUE);
  ASSERT_CL_ERROR(sema.clGetSemaphoreHandleForTypeKHR(closed, dut.device, OPAQUE, 4, &handle, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(sema.clGetSemaphoreHandleForTypeKHR(imported, dut.device, OPAQUE, 4, &handle, NULL),
                  CL_INVALID_VALUE);
  ASSERT_CL(sema.clGetSemaphoreHandleForTypeKHR(semaphore, dut.device, OPAQUE, 0, NULL, &size));
  assert_int_equal(size, sizeof(int));
  release(semaphore);
  release(closed);
  release(imported);
}

static void importing_again_refuses_bad_arguments(void **state) {
  (void)state;
  cl_semaphore_khr semaphore = create(), fence = import_into(dut.context, SYNC, -1);
  cl_properties unknown[] = {1, 0, 0}, none[] = {0};
  ASSERT_CL_ERROR(sema.clReImportSemaphoreSyncFdKHR(NULL, NULL, -1), CL_INVALID_SEMAPHORE_KHR);
  ASSERT_CL_ERROR(sema.clReImportSemaphoreSyncFdKHR(semaphore, NULL, -1), CL_INVALID_SEMAPHORE_KHR);
  ASSERT_CL_ERROR(sema.clReImportSemaphoreSyncFdKHR(fence, NULL, 123456), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(sema.clReImportSemaphoreSyncFdKHR(fence, NULL, -2), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(sema.clReImportSemaphoreSyncFdKHR(fence, unknown, -1), CL_INVALID_VALUE);
  ASSERT_CL(sema.clReImportSemaphoreSyncFdKHR(fence, none, -1));
  release(semaphore);
  release(fence);
}

int main(int count, char **arguments) {
  if (count > 1) return other_process(arguments[1]);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(semaphores_of_one_payload_are_one_semaphore),
      cmocka_unit_test(a_wait_may_come_before_its_signal),
      cmocka_unit_test(one_object_orders_queues_that_nobody_flushes),
      cmocka_unit_test(a_terminated_signal_terminates_its_wait),
      cmocka_unit_test(a_terminated_wait_leaves_the_signal),
      cmocka_unit_test(may_be_released_while_in_use),
      cmocka_unit_test(two_processes_take_turns),
      cmocka_unit_test(minus_one_is_a_signalled_fence),
      cmocka_unit_test(a_wait_takes_until_the_fence),
      cmocka_unit_test(importing_again_replaces_what_was_there),
      cmocka_unit_test(a_fence_that_nobody_waits_for_is_closed),
      cmocka_unit_test(answers_queries),
      cmocka_unit_test(creation_refuses_bad_arguments),
      cmocka_unit_test(exporting_refuses_bad_arguments),
      cmocka_unit_test(importing_again_refuses_bad_arguments),
  };
  return cmocka_run_group_tests(tests, open_device, close_device);
}
