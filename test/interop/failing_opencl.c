/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The ICD loader's functions, with writes to buffers that fail on demand, counted transfers, and threads that are slow
 * to see what failed: an interposed library. */
#include "failing_opencl.h"

#include <dlfcn.h>
#include <unistd.h>

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

atomic_bool failing_writes;
atomic_int transfer_count, blocking_transfer_count;
_Thread_local bool is_slow_and_watched;
atomic_int asked_of_released;

static void count(cl_bool is_blocking) {
  atomic_fetch_add(&transfer_count, 1);
  if (is_blocking) atomic_fetch_add(&blocking_transfer_count, 1);
}

__attribute__((visibility("default"))) cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer,
                                                                   cl_bool is_blocking, size_t offset, size_t size,
                                                                   const void *host, cl_uint wait_count,
                                                                   const cl_event *waits, cl_event *out_event) {
  cl_int (*next)(cl_command_queue, cl_mem, cl_bool, size_t, size_t, const void *, cl_uint, const cl_event *,
                 cl_event *);
  count(is_blocking);
  if (atomic_load(&failing_writes)) return CL_OUT_OF_RESOURCES;
  *(void **)&next = dlsym(RTLD_NEXT, "clEnqueueWriteBuffer");
  return next(queue, buffer, is_blocking, offset, size, host, wait_count, waits, out_event);
}

__attribute__((visibility("default"))) cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer,
                                                                  cl_bool is_blocking, size_t offset, size_t size,
                                                                  void *host, cl_uint wait_count, const cl_event *waits,
                                                                  cl_event *out_event) {
  cl_int (*next)(cl_command_queue, cl_mem, cl_bool, size_t, size_t, void *, cl_uint, const cl_event *, cl_event *);
  count(is_blocking);
  *(void **)&next = dlsym(RTLD_NEXT, "clEnqueueReadBuffer");
  return next(queue, buffer, is_blocking, offset, size, host, wait_count, waits, out_event);
}

/* The last events of which the last reference was given back. It is kept here, so that no new event is at the address
 * of one of them. */
enum { released_capacity = 256, moment_us = 100000 };
static _Atomic(cl_event) released[released_capacity];
static atomic_uint released_count;

static cl_int next_event_info(cl_event event, cl_event_info name, size_t size, void *value, size_t *out_size) {
  cl_int (*next)(cl_event, cl_event_info, size_t, void *, size_t *);
  *(void **)&next = dlsym(RTLD_NEXT, "clGetEventInfo");
  return next(event, name, size, value, out_size);
}

static cl_int next_release(cl_event event) {
  cl_int (*next)(cl_event);
  *(void **)&next = dlsym(RTLD_NEXT, "clReleaseEvent");
  return next(event);
}

static void put_released(unsigned index, cl_event event) {
  cl_event before = atomic_exchange(&released[index % released_capacity], event);
  if (before) next_release(before);
}

void forget_released(void) {
  for (unsigned i = 0; i < released_capacity; i++) put_released(i, NULL);
}

static bool is_released(cl_event event) {
  for (unsigned i = 0; i < released_capacity; i++) {
    if (atomic_load(&released[i]) == event) return true;
  }
  return false;
}

__attribute__((visibility("default"))) cl_int clReleaseEvent(cl_event event) {
  cl_uint references = 0;
  cl_int error = next_event_info(event, CL_EVENT_REFERENCE_COUNT, sizeof(references), &references, NULL);
  if (error != CL_SUCCESS || references != 1) return next_release(event);
  put_released(atomic_fetch_add(&released_count, 1), event);
  return CL_SUCCESS;
}

__attribute__((visibility("default"))) cl_int clGetEventInfo(cl_event event, cl_event_info param_name,
                                                             size_t param_value_size, void *param_value,
                                                             size_t *param_value_size_ret) {
  if (is_slow_and_watched && is_released(event)) {
    atomic_fetch_add(&asked_of_released, 1);
    return CL_INVALID_EVENT;
  }
  cl_int error = next_event_info(event, param_name, param_value_size, param_value, param_value_size_ret);
  bool has_failed = error == CL_SUCCESS && param_name == CL_EVENT_COMMAND_EXECUTION_STATUS && param_value &&
                    *(cl_int *)param_value < 0;
  if (is_slow_and_watched && has_failed) usleep(moment_us);
  return error;
}
