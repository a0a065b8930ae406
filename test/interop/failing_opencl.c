/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The ICD loader's functions, with writes to buffers that fail on demand and counted transfers: an interposed
 * library. */
#include "failing_opencl.h"

#include <dlfcn.h>

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

atomic_bool failing_writes;
atomic_int transfer_count, blocking_transfer_count;

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
