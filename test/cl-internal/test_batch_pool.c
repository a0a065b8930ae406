/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Of many command buffers that were needed at once, a limited number is kept for later. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include "mux/mux.h"

/* KEPT is the pool's limit. */
enum { KEPT = 1024, QUEUES = KEPT + 200 };

static atomic_int living;

mux_result_t __real_muxCreateCommandBuffer(mux_device_t device, mux_callback_info_t callback_info,
                                           mux_allocator_info_t allocator_info, mux_command_buffer_t *out);
mux_result_t __wrap_muxCreateCommandBuffer(mux_device_t device, mux_callback_info_t callback_info,
                                           mux_allocator_info_t allocator_info, mux_command_buffer_t *out);
void __real_muxDestroyCommandBuffer(mux_device_t device, mux_command_buffer_t commands,
                                    mux_allocator_info_t allocator_info);
void __wrap_muxDestroyCommandBuffer(mux_device_t device, mux_command_buffer_t commands,
                                    mux_allocator_info_t allocator_info);

mux_result_t __wrap_muxCreateCommandBuffer(mux_device_t device, mux_callback_info_t callback_info,
                                           mux_allocator_info_t allocator_info, mux_command_buffer_t *out) {
  atomic_fetch_add(&living, 1);
  return __real_muxCreateCommandBuffer(device, callback_info, allocator_info, out);
}

void __wrap_muxDestroyCommandBuffer(mux_device_t device, mux_command_buffer_t commands,
                                    mux_allocator_info_t allocator_info) {
  atomic_fetch_sub(&living, 1);
  __real_muxDestroyCommandBuffer(device, commands, allocator_info);
}

static cl_device_id device;
static cl_context context;

/* A command in each of as many queues, all of which wait for one event: none may share a command buffer with another.
 * A queue keeps its last one. */
static void need_many_at_once(void) {
  cl_command_queue queues[QUEUES];
  cl_int error;
  cl_event gate = clCreateUserEvent(context, &error);
  assert_int_equal(error, CL_SUCCESS);
  for (int i = 0; i < QUEUES; i++) {
    queues[i] = clCreateCommandQueueWithProperties(context, device, NULL, &error);
    assert_int_equal(error, CL_SUCCESS);
    assert_int_equal(clEnqueueMarkerWithWaitList(queues[i], 1, &gate, NULL), CL_SUCCESS);
    assert_int_equal(clFlush(queues[i]), CL_SUCCESS);
  }
  assert_true(atomic_load(&living) >= QUEUES);
  assert_int_equal(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  for (int i = 0; i < QUEUES; i++) assert_int_equal(clFinish(queues[i]), CL_SUCCESS);
  for (int i = 0; i < QUEUES; i++) assert_int_equal(clReleaseCommandQueue(queues[i]), CL_SUCCESS);
  assert_int_equal(clReleaseEvent(gate), CL_SUCCESS);
}

/* One whose completion is told, but not signalled yet, stays for the time being: some of the first ones may. */
static void a_limited_number_is_kept(void **state) {
  (void)state;
  for (int round = 0; round < 3; round++) {
    need_many_at_once();
    for (int i = 0; i < 20000 && atomic_load(&living) > KEPT + 100; i++) usleep(100);
    assert_true(atomic_load(&living) <= KEPT + 100);
    assert_true(atomic_load(&living) >= KEPT);
  }
}

int main(void) {
  cl_platform_id platform;
  cl_int error;
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_limited_number_is_kept)};
  if (clGetPlatformIDs(1, &platform, NULL) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL)) return 1;
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  if (error) return 1;
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  clReleaseContext(context);
  return failed;
}
