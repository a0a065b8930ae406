/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * clEnqueueNDRangeKernel and clEnqueueTask. */
#include "test_device.h"

enum { ITEMS = 64 };

static cl_kernel kernel;
static cl_mem buffer;

static const char *const source =
    "kernel void mark(global uint *p) { p[get_global_id(0)] = 1; }\n"
    "kernel __attribute__((reqd_work_group_size(8, 1, 1))) void fixed(global uint *p) { p[get_global_id(0)] = 2; }\n";

static int create(void **state) {
  (void)state;
  static const cl_uint zeros[ITEMS];
  kernel = test_kernel(source, NULL, "mark");
  buffer = test_buffer(sizeof(zeros), zeros);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
  return 0;
}

static int release(void **state) {
  (void)state;
  cl_int first = clReleaseKernel(kernel), second = clReleaseMemObject(buffer);
  return first != CL_SUCCESS || second != CL_SUCCESS;
}

static cl_int launch(cl_uint dimensions, const size_t *offset, const size_t *global, const size_t *local) {
  return clEnqueueNDRangeKernel(dut.queue, kernel, dimensions, offset, global, local, 0, NULL, NULL);
}

static void assert_marked(size_t from, size_t to, cl_uint mark) {
  cl_uint read[ITEMS];
  test_read(buffer, sizeof(read), read);
  for (size_t i = 0; i < ITEMS; i++) assert_int_equal(read[i], i >= from && i < to ? mark : 0);
}

static void runs_every_work_item_once(void **state) {
  (void)state;
  const size_t global = 50, local = 10;
  ASSERT_CL(launch(1, NULL, &global, &local));
  assert_marked(0, 50, 1);
}

static void offset_moves_the_range(void **state) {
  (void)state;
  const size_t global = 8, offset = 40;
  ASSERT_CL(launch(1, &offset, &global, NULL));
  assert_marked(40, 48, 1);
}

static void a_range_of_size_zero_runs_nothing(void **state) {
  (void)state;
  const size_t sizes[3] = {4, 0, 4};
  ASSERT_CL(launch(3, NULL, sizes, NULL));
  ASSERT_CL(launch(1, NULL, &sizes[1], NULL));
  assert_marked(0, 0, 1);
}

static void task_is_a_single_work_item(void **state) {
  (void)state;
  ASSERT_CL(clEnqueueTask(dut.queue, kernel, 0, NULL, NULL));
  assert_marked(0, 1, 1);
}

static void refuses_dimensions_out_of_range(void **state) {
  (void)state;
  const size_t sizes[4] = {1, 1, 1, 1};
  ASSERT_CL_ERROR(launch(0, NULL, sizes, NULL), CL_INVALID_WORK_DIMENSION);
  ASSERT_CL_ERROR(launch(4, NULL, sizes, NULL), CL_INVALID_WORK_DIMENSION);
}

static void refuses_offsets_that_overflow(void **state) {
  (void)state;
  const size_t global = 8, offset = SIZE_MAX - 3;
  ASSERT_CL_ERROR(launch(1, &offset, &global, NULL), CL_INVALID_GLOBAL_OFFSET);
}

static void refuses_local_sizes_of_zero_and_beyond_the_largest(void **state) {
  (void)state;
  const size_t zero = 0, global = 64;
  ASSERT_CL_ERROR(launch(1, NULL, &global, &zero), CL_INVALID_WORK_GROUP_SIZE);
  size_t item_sizes[3], group = (size_t)test_device_number(CL_DEVICE_MAX_WORK_GROUP_SIZE);
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof(item_sizes), item_sizes, NULL));
  const size_t too_many = group * 2, too_long = item_sizes[0] * 2;
  if (too_many <= item_sizes[0]) {
    ASSERT_CL_ERROR(launch(1, NULL, &too_many, &too_many), CL_INVALID_WORK_GROUP_SIZE);
  }
  cl_int error = launch(1, NULL, &too_long, &too_long);
  assert_true(error == CL_INVALID_WORK_ITEM_SIZE || error == CL_INVALID_WORK_GROUP_SIZE);
  const size_t square[2] = {group, 2};
  ASSERT_CL_ERROR(launch(2, NULL, square, square), CL_INVALID_WORK_GROUP_SIZE);
}

static void the_largest_work_group_runs(void **state) {
  (void)state;
  const size_t group = (size_t)test_device_number(CL_DEVICE_MAX_WORK_GROUP_SIZE);
  cl_mem large = test_buffer(group * sizeof(cl_uint), NULL);
  cl_uint last = 0;
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(large), &large));
  ASSERT_CL(launch(1, NULL, &group, &group));
  ASSERT_CL(
      clEnqueueReadBuffer(dut.queue, large, CL_TRUE, (group - 1) * sizeof(last), sizeof(last), &last, 0, NULL, NULL));
  assert_int_equal(last, 1);
  ASSERT_CL(clReleaseMemObject(large));
}

/** Without -cl-std=CL2.0 or newer, work-groups are uniform. */
static void refuses_local_sizes_that_do_not_divide_in_older_languages(void **state) {
  (void)state;
  const size_t global = 50, local = 16;
  static const char *const options[] = {"-cl-std=CL1.2", "-cl-std=CL3.0 -cl-uniform-work-group-size"};
  for (int i = 0; i < 2; i++) {
    cl_kernel uniform = test_kernel(source, options[i], "mark");
    ASSERT_CL(clSetKernelArg(uniform, 0, sizeof(buffer), &buffer));
    ASSERT_CL_ERROR(clEnqueueNDRangeKernel(dut.queue, uniform, 1, NULL, &global, &local, 0, NULL, NULL),
                    CL_INVALID_WORK_GROUP_SIZE);
    ASSERT_CL(clReleaseKernel(uniform));
  }
}

static void local_sizes_need_not_divide_in_newer_languages(void **state) {
  (void)state;
  if (test_device_number(CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT) == CL_FALSE) skip();
  const size_t global = 50, local = 16;
  cl_kernel uneven = test_kernel(source, "-cl-std=CL3.0", "mark");
  ASSERT_CL(clSetKernelArg(uneven, 0, sizeof(buffer), &buffer));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, uneven, 1, NULL, &global, &local, 0, NULL, NULL));
  assert_marked(0, 50, 1);
  ASSERT_CL(clReleaseKernel(uneven));
}

static void a_required_size_must_be_met(void **state) {
  (void)state;
  const size_t global = 16, right = 8, wrong = 4;
  cl_kernel mark = kernel;
  kernel = test_kernel(source, NULL, "fixed");
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
  ASSERT_CL_ERROR(launch(1, NULL, &global, &wrong), CL_INVALID_WORK_GROUP_SIZE);
  ASSERT_CL_ERROR(clEnqueueTask(dut.queue, kernel, 0, NULL, NULL), CL_INVALID_WORK_GROUP_SIZE);
  ASSERT_CL(launch(1, NULL, &global, &right));
  assert_marked(0, 16, 2);
  ASSERT_CL(launch(1, NULL, &global, NULL));
  assert_marked(0, 16, 2);
  ASSERT_CL(clReleaseKernel(kernel));
  kernel = mark;
}

static void refuses_kernels_with_unset_arguments(void **state) {
  (void)state;
  const size_t global = 8;
  cl_kernel unset = test_kernel(source, NULL, "mark");
  ASSERT_CL_ERROR(clEnqueueNDRangeKernel(dut.queue, unset, 1, NULL, &global, NULL, 0, NULL, NULL),
                  CL_INVALID_KERNEL_ARGS);
  ASSERT_CL_ERROR(clEnqueueTask(dut.queue, unset, 0, NULL, NULL), CL_INVALID_KERNEL_ARGS);
  ASSERT_CL(clReleaseKernel(unset));
}

static void refuses_queues_of_another_context(void **state) {
  (void)state;
  const size_t global = 8;
  cl_context context = test_other_context();
  cl_command_queue queue = test_other_queue(context);
  ASSERT_CL_ERROR(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL), CL_INVALID_CONTEXT);
  ASSERT_CL_ERROR(clEnqueueTask(queue, kernel, 0, NULL, NULL), CL_INVALID_CONTEXT);
  ASSERT_CL(clReleaseCommandQueue(queue));
  ASSERT_CL(clReleaseContext(context));
}

/** A program of two devices that is built for one of them. */
static void refuses_devices_that_the_program_is_not_built_for(void **state) {
  (void)state;
  cl_device_id devices[2];
  cl_int error;
  const size_t one = 1;
  const char *text = "kernel void nothing(void) {}";
  if (!test_divide_device(devices)) skip();
  cl_context context = clCreateContext(NULL, 2, devices, NULL, NULL, &error);
  ASSERT_CL(error);
  cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
  ASSERT_CL(error);
  ASSERT_CL(clBuildProgram(program, 1, &devices[0], NULL, NULL, NULL));
  cl_kernel nothing = clCreateKernel(program, "nothing", &error);
  ASSERT_CL(error);
  for (int i = 0; i < 2; i++) {
    const cl_int expected = i ? CL_INVALID_PROGRAM_EXECUTABLE : CL_SUCCESS;
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, devices[i], NULL, &error);
    ASSERT_CL(error);
    ASSERT_CL_ERROR(clEnqueueNDRangeKernel(queue, nothing, 1, NULL, &one, NULL, 0, NULL, NULL), expected);
    ASSERT_CL_ERROR(clEnqueueTask(queue, nothing, 0, NULL, NULL), expected);
    ASSERT_CL(clReleaseCommandQueue(queue));
  }
  ASSERT_CL(clReleaseKernel(nothing));
  ASSERT_CL(clReleaseProgram(program));
  ASSERT_CL(clReleaseContext(context));
  for (int i = 0; i < 2; i++) ASSERT_CL(clReleaseDevice(devices[i]));
}

static void refuses_null_and_foreign_handles(void **state) {
  (void)state;
  const size_t global = 8;
  ASSERT_CL_ERROR(clEnqueueNDRangeKernel(NULL, kernel, 1, NULL, &global, NULL, 0, NULL, NULL),
                  CL_INVALID_COMMAND_QUEUE);
  ASSERT_CL_ERROR(clEnqueueNDRangeKernel(dut.queue, NULL, 1, NULL, &global, NULL, 0, NULL, NULL), CL_INVALID_KERNEL);
  ASSERT_CL_ERROR(clEnqueueTask(dut.queue, NULL, 0, NULL, NULL), CL_INVALID_KERNEL);
  SKIP_UNLESS_QUERN();
  cl_kernel foreign = (cl_kernel)(void *)buffer;
  ASSERT_CL_ERROR(clEnqueueNDRangeKernel(dut.queue, foreign, 1, NULL, &global, NULL, 0, NULL, NULL), CL_INVALID_KERNEL);
}

static void refuses_more_local_memory_than_there_is(void **state) {
  (void)state;
  const size_t one = 1, too_much = (size_t)test_device_number(CL_DEVICE_LOCAL_MEM_SIZE) + 1;
  cl_kernel hungry =
      test_kernel("kernel void hungry(local int *l, global int *p) { l[0] = *p; *p = l[0]; }", NULL, "hungry");
  ASSERT_CL(clSetKernelArg(hungry, 1, sizeof(buffer), &buffer));
  cl_int error = clSetKernelArg(hungry, 0, too_much, NULL);
  if (error == CL_SUCCESS) error = clEnqueueNDRangeKernel(dut.queue, hungry, 1, NULL, &one, NULL, 0, NULL, NULL);
  assert_true(error == CL_OUT_OF_RESOURCES || error == CL_MAX_SIZE_RESTRICTION_EXCEEDED ||
              error == CL_INVALID_ARG_SIZE);
  ASSERT_CL(clReleaseKernel(hungry));
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, create, release)
  const struct CMUnitTest tests[] = {
      CASE(runs_every_work_item_once),
      CASE(offset_moves_the_range),
      CASE(a_range_of_size_zero_runs_nothing),
      CASE(task_is_a_single_work_item),
      CASE(refuses_dimensions_out_of_range),
      CASE(refuses_offsets_that_overflow),
      CASE(refuses_local_sizes_of_zero_and_beyond_the_largest),
      CASE(the_largest_work_group_runs),
      CASE(refuses_local_sizes_that_do_not_divide_in_older_languages),
      CASE(local_sizes_need_not_divide_in_newer_languages),
      CASE(a_required_size_must_be_met),
      CASE(refuses_kernels_with_unset_arguments),
      CASE(refuses_queues_of_another_context),
      CASE(refuses_devices_that_the_program_is_not_built_for),
      CASE(refuses_null_and_foreign_handles),
      CASE(refuses_more_local_memory_than_there_is),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
