/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The smallest whole OpenCL program: adds two vectors on the first device and checks the sums. */
#include <stdio.h>
#include <stdlib.h>

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

enum { COUNT = 1 << 20 };

static const char *const source =
    "kernel void add(global const float *a, global const float *b, global float *sum) {\n"
    "  size_t i = get_global_id(0);\n"
    "  sum[i] = a[i] + b[i];\n"
    "}\n";

static float a[COUNT], b[COUNT], sum[COUNT];

/* Most calls return an error code; those that create an object store it in a variable. */
static void check(cl_int error, const char *what) {
  if (error == CL_SUCCESS) return;
  fprintf(stderr, "%s failed with error %d\n", what, (int)error);
  exit(EXIT_FAILURE);
}

int main(void) {
  cl_int error;
  for (int i = 0; i < COUNT; i++) {
    a[i] = (float)i;
    b[i] = 2.0f * (float)i;
  }

  /* A device, a context to hold its objects, and a queue to give it work. */
  cl_platform_id platform;
  check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
  cl_device_id device;
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_DEFAULT, 1, &device, NULL), "clGetDeviceIDs");
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  check(error, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
  check(error, "clCreateCommandQueueWithProperties");

  /* The kernel, compiled here and now for this machine. */
  const char *text = source;
  cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
  check(error, "clCreateProgramWithSource");
  check(clBuildProgram(program, 1, &device, NULL, NULL, NULL), "clBuildProgram");
  cl_kernel kernel = clCreateKernel(program, "add", &error);
  check(error, "clCreateKernel");

  /* Buffers: two that start with our data, one for the result. On a CPU, USE_HOST_PTR means that nothing is copied. */
  cl_mem a_buffer = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, sizeof(a), a, &error);
  check(error, "clCreateBuffer");
  cl_mem b_buffer = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, sizeof(b), b, &error);
  check(error, "clCreateBuffer");
  cl_mem sum_buffer = clCreateBuffer(context, CL_MEM_WRITE_ONLY, sizeof(sum), NULL, &error);
  check(error, "clCreateBuffer");

  /* Run one work-item per element, then read the result; the read waits until it is there. */
  check(clSetKernelArg(kernel, 0, sizeof(a_buffer), &a_buffer), "clSetKernelArg");
  check(clSetKernelArg(kernel, 1, sizeof(b_buffer), &b_buffer), "clSetKernelArg");
  check(clSetKernelArg(kernel, 2, sizeof(sum_buffer), &sum_buffer), "clSetKernelArg");
  const size_t work_items = COUNT;
  check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &work_items, NULL, 0, NULL, NULL), "clEnqueueNDRangeKernel");
  check(clEnqueueReadBuffer(queue, sum_buffer, CL_TRUE, 0, sizeof(sum), sum, 0, NULL, NULL), "clEnqueueReadBuffer");

  int wrong = 0;
  for (int i = 0; i < COUNT; i++) wrong += sum[i] != a[i] + b[i];
  printf("%d sums, %d wrong\n", COUNT, wrong);

  clReleaseMemObject(sum_buffer);
  clReleaseMemObject(b_buffer);
  clReleaseMemObject(a_buffer);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
