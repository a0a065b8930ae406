/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Quern and PoCL, which carries another LLVM, in one process: both build and run programs in turn, with right
 * results. */
#include <stdio.h>

#include "test_device.h"

enum { QUERN, POCL, DRIVERS, ITEMS = 256, ROUNDS = 6 };

static const char *const names[DRIVERS] = {"Quern", "Portable Computing Language"};

static test_device_t drivers[DRIVERS];

static cl_platform_id find_platform(const char *wanted) {
  cl_platform_id platforms[8];
  cl_uint count = 0;
  ASSERT_CL(clGetPlatformIDs(8, platforms, &count));
  for (cl_uint i = 0; i < count && i < 8; i++) {
    char name[64] = "";
    ASSERT_CL(clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof(name), name, NULL));
    if (strcmp(name, wanted) == 0) return platforms[i];
  }
  return NULL;
}

static void open_driver(test_device_t *driver, const char *name) {
  cl_int error;
  driver->platform = find_platform(name);
  assert_non_null(driver->platform);
  ASSERT_CL(clGetDeviceIDs(driver->platform, CL_DEVICE_TYPE_ALL, 1, &driver->device, NULL));
  driver->context = clCreateContext(NULL, 1, &driver->device, NULL, NULL, &error);
  ASSERT_CL(error);
  driver->queue = clCreateCommandQueueWithProperties(driver->context, driver->device, NULL, &error);
  ASSERT_CL(error);
}

static int open_both(void **state) {
  (void)state;
  if (find_platform(names[POCL]) == NULL) return 0;
  for (int d = 0; d < DRIVERS; d++) open_driver(&drivers[d], names[d]);
  return 0;
}

static int close_both(void **state) {
  (void)state;
  for (int d = 0; d < DRIVERS && drivers[d].context != NULL; d++) {
    if (clReleaseCommandQueue(drivers[d].queue) != CL_SUCCESS) return -1;
    if (clReleaseContext(drivers[d].context) != CL_SUCCESS) return -1;
  }
  return 0;
}

static void skip_without_the_other_driver(void) {
  if (drivers[POCL].context == NULL) skip();
}

static cl_kernel build(const test_device_t *driver, const char *options) {
  static const char *source =
      "kernel void mix_up(global float *p, local float *l) {\n"
      "  int i = get_local_id(0), n = get_local_size(0);\n"
      "  l[i] = sqrt((float)(get_global_id(0) * get_global_id(0))) * FACTOR;\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  p[get_global_id(0)] = l[n - 1 - i];\n"
      "}\n";
  cl_int error;
  cl_program program = clCreateProgramWithSource(driver->context, 1, &source, NULL, &error);
  ASSERT_CL(error);
  ASSERT_CL(clBuildProgram(program, 1, &driver->device, options, NULL, NULL));
  cl_kernel kernel = clCreateKernel(program, "mix_up", &error);
  ASSERT_CL(error);
  ASSERT_CL(clReleaseProgram(program));
  return kernel;
}

static void run(const test_device_t *driver, cl_kernel kernel, int factor) {
  enum { GROUP = 16 };
  cl_int error;
  float result[ITEMS] = {0};
  const size_t items = ITEMS, group = GROUP;
  cl_mem buffer = clCreateBuffer(driver->context, 0, sizeof(result), NULL, &error);
  ASSERT_CL(error);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
  ASSERT_CL(clSetKernelArg(kernel, 1, GROUP * sizeof(float), NULL));
  ASSERT_CL(clEnqueueNDRangeKernel(driver->queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL));
  ASSERT_CL(clEnqueueReadBuffer(driver->queue, buffer, CL_TRUE, 0, sizeof(result), result, 0, NULL, NULL));
  for (int i = 0; i < ITEMS; i++) {
    int other = i / GROUP * GROUP + GROUP - 1 - i % GROUP;
    assert_int_equal((int)result[i], other * factor);
  }
  ASSERT_CL(clReleaseMemObject(buffer));
}

static void both_build_and_run_in_turn(void **state) {
  (void)state;
  skip_without_the_other_driver();
  for (int round = 0; round < ROUNDS; round++) {
    char options[32];
    snprintf(options, sizeof(options), "-DFACTOR=%d", round + 1);
    for (int turn = 0; turn < DRIVERS; turn++) {
      const test_device_t *driver = &drivers[(turn + round) % DRIVERS];
      cl_kernel kernel = build(driver, options);
      run(driver, kernel, round + 1);
      ASSERT_CL(clReleaseKernel(kernel));
    }
  }
}

static void kernels_built_earlier_keep_running(void **state) {
  (void)state;
  skip_without_the_other_driver();
  cl_kernel kernels[DRIVERS];
  for (int d = 0; d < DRIVERS; d++) kernels[d] = build(&drivers[d], "-DFACTOR=3");
  for (int i = 0; i < 4 * DRIVERS; i++) run(&drivers[i % DRIVERS], kernels[i % DRIVERS], 3);
  for (int d = 0; d < DRIVERS; d++) ASSERT_CL(clReleaseKernel(kernels[d]));
}

static void a_failed_build_of_one_leaves_the_other_working(void **state) {
  (void)state;
  skip_without_the_other_driver();
  static const char *broken = "kernel void broken(global int *p) { *p = }";
  for (int d = 0; d < DRIVERS; d++) {
    cl_int error;
    cl_program program = clCreateProgramWithSource(drivers[d].context, 1, &broken, NULL, &error);
    ASSERT_CL(error);
    ASSERT_CL_ERROR(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
    ASSERT_CL(clReleaseProgram(program));
    const test_device_t *other = &drivers[(d + 1) % DRIVERS];
    cl_kernel kernel = build(other, "-DFACTOR=7");
    run(other, kernel, 7);
    ASSERT_CL(clReleaseKernel(kernel));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(both_build_and_run_in_turn),
      cmocka_unit_test(kernels_built_earlier_keep_running),
      cmocka_unit_test(a_failed_build_of_one_leaves_the_other_working),
  };
  return cmocka_run_group_tests(tests, open_both, close_both);
}
