/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Runs kernel `fill` of a program binary with one buffer and one int, and checks that the buffer holds the int. */
#include <stdio.h>
#include <stdlib.h>

#include <CL/cl.h>

enum { items = 100, value = 42 };

#define CHECK(call)                                         \
  do {                                                      \
    cl_int check_error_ = (call);                           \
    if (check_error_ != CL_SUCCESS) {                       \
      fprintf(stderr, "%s gave %d\n", #call, check_error_); \
      exit(EXIT_FAILURE);                                   \
    }                                                       \
  } while (0)

static size_t read_binary(const char *path, unsigned char *bytes, size_t capacity) {
  FILE *file = fopen(path, "rb");
  if (!file) return 0;
  size_t size = fread(bytes, 1, capacity, file);
  fclose(file);
  return size;
}

int main(int argc, char **argv) {
  static unsigned char bytes[1 << 20];
  const unsigned char *binary = bytes;
  size_t size = argc == 2 ? read_binary(argv[1], bytes, sizeof(bytes)) : 0;
  cl_platform_id platform;
  cl_device_id device;
  cl_int error = CL_SUCCESS, number = value, result[items] = {0};
  CHECK(clGetPlatformIDs(1, &platform, NULL));
  CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  CHECK(error);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
  CHECK(error);
  cl_program program = clCreateProgramWithBinary(context, 1, &device, &size, &binary, NULL, &error);
  CHECK(error);
  CHECK(clBuildProgram(program, 1, &device, NULL, NULL, NULL));
  cl_kernel kernel = clCreateKernel(program, "fill", &error);
  CHECK(error);
  cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(result), NULL, &error);
  CHECK(error);
  CHECK(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
  CHECK(clSetKernelArg(kernel, 1, sizeof(number), &number));
  const size_t global = items;
  CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
  CHECK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(result), result, 0, NULL, NULL));
  for (int i = 0; i < items; i++) {
    if (result[i] != value) return EXIT_FAILURE;
  }
  CHECK(clReleaseMemObject(buffer));
  CHECK(clReleaseKernel(kernel));
  CHECK(clReleaseProgram(program));
  CHECK(clReleaseCommandQueue(queue));
  CHECK(clReleaseContext(context));
  return EXIT_SUCCESS;
}
