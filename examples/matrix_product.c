/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Multiplies two matrices in tiles kept in local memory, and compares result and speed with a plain C loop. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

enum { N = 768, TILE = 16, RUNS = 5 };

/* A work-group computes one tile of c. It walks along a row of tiles of a and a column of tiles of b: its work-items
 * bring both tiles into local memory together, wait for each other at the barrier, and use every value TILE times. */
static const char *const source =
    "kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))\n"
    "void multiply(global const float *a, global const float *b, global float *c, int n) {\n"
    "  local float a_tile[TILE][TILE], b_tile[TILE][TILE];\n"
    "  int column = get_global_id(0), row = get_global_id(1), x = get_local_id(0), y = get_local_id(1);\n"
    "  float sum = 0.0f;\n"
    "  for (int t = 0; t < n; t += TILE) {\n"
    "    a_tile[y][x] = a[row * n + t + x];\n"
    "    b_tile[y][x] = b[(t + y) * n + column];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (int k = 0; k < TILE; k++) sum += a_tile[y][k] * b_tile[k][x];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  }\n"
    "  c[row * n + column] = sum;\n"
    "}\n";

static float a[N * N], b[N * N], c[N * N], expected[N * N];

static void check(cl_int error, const char *what) {
  if (error == CL_SUCCESS) return;
  fprintf(stderr, "%s failed with error %d\n", what, (int)error);
  exit(EXIT_FAILURE);
}

static double seconds(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void multiply_plainly(void) {
  for (int row = 0; row < N; row++) {
    for (int column = 0; column < N; column++) {
      float sum = 0.0f;
      for (int k = 0; k < N; k++) sum += a[row * N + k] * b[k * N + column];
      expected[row * N + column] = sum;
    }
  }
}

/* Runs the kernel a few times and gives the shortest time. */
static double multiply_on_device(cl_command_queue queue, cl_kernel kernel) {
  const size_t range[2] = {N, N}, tile[2] = {TILE, TILE};
  double best = INFINITY;
  for (int run = 0; run < RUNS; run++) {
    const double begin = seconds();
    check(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, range, tile, 0, NULL, NULL), "clEnqueueNDRangeKernel");
    check(clFinish(queue), "clFinish");
    best = fmin(best, seconds() - begin);
  }
  return best;
}

static cl_mem buffer_of(cl_context context, cl_mem_flags flags, float *data) {
  cl_int error;
  cl_mem buffer = clCreateBuffer(context, flags, sizeof(a), data, &error);
  check(error, "clCreateBuffer");
  return buffer;
}

int main(void) {
  cl_int error;
  for (int i = 0; i < N * N; i++) {
    a[i] = (float)(i * 7 % 13) - 6.0f;
    b[i] = (float)(i * 5 % 17) - 8.0f;
  }

  cl_platform_id platform;
  cl_device_id device;
  check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_DEFAULT, 1, &device, NULL), "clGetDeviceIDs");
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  check(error, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
  check(error, "clCreateCommandQueueWithProperties");

  /* The tile's size reaches the kernel as a macro. */
  char options[32];
  snprintf(options, sizeof(options), "-DTILE=%d", TILE);
  const char *text = source;
  cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
  check(error, "clCreateProgramWithSource");
  check(clBuildProgram(program, 1, &device, options, NULL, NULL), "clBuildProgram");
  cl_kernel kernel = clCreateKernel(program, "multiply", &error);
  check(error, "clCreateKernel");

  cl_mem a_buffer = buffer_of(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, a);
  cl_mem b_buffer = buffer_of(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, b);
  cl_mem c_buffer = buffer_of(context, CL_MEM_WRITE_ONLY, NULL);
  const cl_int n = N;
  check(clSetKernelArg(kernel, 0, sizeof(a_buffer), &a_buffer), "clSetKernelArg");
  check(clSetKernelArg(kernel, 1, sizeof(b_buffer), &b_buffer), "clSetKernelArg");
  check(clSetKernelArg(kernel, 2, sizeof(c_buffer), &c_buffer), "clSetKernelArg");
  check(clSetKernelArg(kernel, 3, sizeof(n), &n), "clSetKernelArg");
  const double device_seconds = multiply_on_device(queue, kernel);
  check(clEnqueueReadBuffer(queue, c_buffer, CL_TRUE, 0, sizeof(c), c, 0, NULL, NULL), "clEnqueueReadBuffer");

  const double begin = seconds();
  multiply_plainly();
  const double plain_seconds = seconds() - begin;

  /* All values are small whole numbers, so that the sums are exact in any order. */
  int wrong = 0;
  for (int i = 0; i < N * N; i++) wrong += c[i] != expected[i];
  const double operations = 2.0 * N * N * N * 1e-9;
  printf("%d x %d matrices, %d values wrong\n", N, N, wrong);
  printf("OpenCL kernel: %7.2f GFLOP/s\n", operations / device_seconds);
  printf("plain C loop:  %7.2f GFLOP/s (one thread)\n", operations / plain_seconds);

  clReleaseMemObject(c_buffer);
  clReleaseMemObject(b_buffer);
  clReleaseMemObject(a_buffer);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
