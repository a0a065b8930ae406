/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Links the installed driver itself: names the device, builds a kernel and runs it. */
#define CL_TARGET_OPENCL_VERSION 300
#include <mux/mux.h>
#include <stdio.h>
#include <stdlib.h>

#include <CL/cl.h>

static const char *const source = "kernel void twice(global int *a) { a[get_global_id(0)] *= 2; }";

static void check(cl_int error, const char *what) {
  if (error == CL_SUCCESS) return;
  fprintf(stderr, "%s: error %d\n", what, error);
  exit(EXIT_FAILURE);
}

static cl_kernel build(cl_context context, cl_device_id device) {
  cl_int error;
  cl_program program = clCreateProgramWithSource(context, 1, (const char **)&source, NULL, &error);
  check(error, "clCreateProgramWithSource");
  check(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
  cl_kernel kernel = clCreateKernel(program, "twice", &error);
  check(error, "clCreateKernel");
  clReleaseProgram(program);
  return kernel;
}

static int run(cl_context context, cl_device_id device, cl_kernel kernel) {
  cl_int error, data[4] = {1, 2, 3, 4};
  const size_t size = 4;
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
  check(error, "clCreateCommandQueueWithProperties");
  cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(data), data, &error);
  check(error, "clCreateBuffer");
  check(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer), "clSetKernelArg");
  check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, NULL, 0, NULL, NULL), "clEnqueueNDRangeKernel");
  check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL), "clEnqueueReadBuffer");
  clReleaseMemObject(buffer);
  clReleaseCommandQueue(queue);
  return data[0] == 2 && data[1] == 4 && data[2] == 6 && data[3] == 8;
}

int main(void) {
  cl_platform_id platform;
  cl_device_id device;
  cl_int error;
  char name[256];
  check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
  check(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof(name), name, NULL), "clGetDeviceInfo");
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  check(error, "clCreateContext");
  cl_kernel kernel = build(context, device);
  int good = run(context, device, kernel);
  clReleaseKernel(kernel);
  clReleaseContext(context);
  printf("%s: the kernel is %s\n", name, good ? "right" : "wrong");
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
