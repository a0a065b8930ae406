/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What a test of one device has: the device, a context and a queue. One file of a test includes it. */
#ifndef CL_INTERNAL_DEVICE_FIXTURE_H
#define CL_INTERNAL_DEVICE_FIXTURE_H

#include <CL/cl.h>

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;

/** Makes them. What a set-up of CMocka returns. */
static inline int device_fixture_open(void) {
  cl_platform_id platform;
  cl_int error;
  if (clGetPlatformIDs(1, &platform, NULL) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL)) return -1;
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  if (!error) queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
  return error;
}

/** Releases them. What a tear-down of CMocka returns. */
static inline int device_fixture_close(void) { return clReleaseCommandQueue(queue) || clReleaseContext(context); }

#endif
