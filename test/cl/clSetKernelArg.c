/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * clSetKernelArg. */
#include "test_device.h"

static const char *const source =
    "typedef struct pair { int a; float b; } pair_t;\n"
    "kernel void sum(global int *out, int value, local int *scratch, pair_t pair, float3 vector, constant int *table) "
    "{\n"
    "  *out += value + pair.a + (int)vector.z + table[0];\n"
    "}\n"
    "kernel void is_null(global int *out, global int *maybe) { *out = maybe == 0; }\n";

static cl_kernel kernel;
static cl_mem buffer, table;

static int create(void **state) {
  (void)state;
  static const cl_int zeros[16], hundred = 100;
  kernel = test_kernel(source, NULL, "sum");
  buffer = test_buffer(sizeof(zeros), zeros);
  table = test_buffer(sizeof(hundred), &hundred);
  return 0;
}

static int release(void **state) {
  (void)state;
  cl_int first = clReleaseKernel(kernel), second = clReleaseMemObject(buffer), third = clReleaseMemObject(table);
  return first != CL_SUCCESS || second != CL_SUCCESS || third != CL_SUCCESS;
}

typedef struct pair_t {
  cl_int a;
  cl_float b;
} pair_t;

static void set_all(cl_int value, cl_int a, cl_float z) {
  pair_t pair = {a, 0};
  cl_float3 vector = {.s = {0, 0, z}};
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof(value), &value));
  ASSERT_CL(clSetKernelArg(kernel, 2, 64, NULL));
  ASSERT_CL(clSetKernelArg(kernel, 3, sizeof(pair), &pair));
  ASSERT_CL(clSetKernelArg(kernel, 4, sizeof(vector), &vector));
  ASSERT_CL(clSetKernelArg(kernel, 5, sizeof(table), &table));
}

static cl_int run(void) {
  cl_int result = 0;
  const size_t one = 1;
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
  test_read(buffer, sizeof(result), &result);
  return result;
}

static void values_of_every_kind_arrive(void **state) {
  (void)state;
  set_all(1, 20, 3.0f);
  assert_int_equal(run(), 124);
}

static void values_stay_until_they_are_set_again(void **state) {
  (void)state;
  set_all(1, 0, 0);
  assert_int_equal(run(), 101);
  assert_int_equal(run(), 202);
  const cl_int value = 1000;
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof(value), &value));
  assert_int_equal(run(), 1302);
}

/** Each launch has the values that were set when it was enqueued. */
static void setting_again_does_not_touch_enqueued_launches(void **state) {
  (void)state;
  const size_t one = 1;
  set_all(0, 0, 0);
  for (cl_int value = 1; value <= 50; value++) {
    ASSERT_CL(clSetKernelArg(kernel, 1, sizeof(value), &value));
    ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
  }
  const cl_int last = 0;
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof(last), &last));
  assert_int_equal(run(), 51 * 100 + 50 * 51 / 2);
}

static void a_buffer_may_be_null(void **state) {
  (void)state;
  const cl_mem none = NULL;
  cl_int result = 0;
  const size_t one = 1;
  cl_kernel null_kernel = test_kernel(source, NULL, "is_null");
  for (int i = 0; i < 3; i++) {
    ASSERT_CL(clSetKernelArg(null_kernel, 0, sizeof(buffer), &buffer));
    ASSERT_CL(clSetKernelArg(null_kernel, 1, sizeof(cl_mem), i == 0 ? NULL : i == 1 ? &none : &buffer));
    ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, null_kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    test_read(buffer, sizeof(result), &result);
    assert_int_equal(result, i < 2);
  }
  ASSERT_CL(clReleaseKernel(null_kernel));
}

static void refuses_indices_out_of_range(void **state) {
  (void)state;
  const cl_int value = 0;
  ASSERT_CL_ERROR(clSetKernelArg(kernel, 6, sizeof(value), &value), CL_INVALID_ARG_INDEX);
  ASSERT_CL_ERROR(clSetKernelArg(kernel, 0xFFFFFFFF, sizeof(value), &value), CL_INVALID_ARG_INDEX);
}

static void refuses_sizes_that_differ_from_the_type(void **state) {
  (void)state;
  const cl_float4 value = {.s = {0}};
  ASSERT_CL_ERROR(clSetKernelArg(kernel, 0, sizeof(buffer) - 1, &buffer), CL_INVALID_ARG_SIZE);
  ASSERT_CL_ERROR(clSetKernelArg(kernel, 1, 2, &value), CL_INVALID_ARG_SIZE);
  ASSERT_CL_ERROR(clSetKernelArg(kernel, 1, 8, &value), CL_INVALID_ARG_SIZE);
  ASSERT_CL_ERROR(clSetKernelArg(kernel, 2, 0, NULL), CL_INVALID_ARG_SIZE);
  ASSERT_CL_ERROR(clSetKernelArg(kernel, 3, 4, &value), CL_INVALID_ARG_SIZE);
  ASSERT_CL_ERROR(clSetKernelArg(kernel, 4, 12, &value), CL_INVALID_ARG_SIZE);
}

static void refuses_missing_and_needless_values(void **state) {
  (void)state;
  const cl_int value = 0;
  ASSERT_CL_ERROR(clSetKernelArg(kernel, 1, sizeof(value), NULL), CL_INVALID_ARG_VALUE);
  ASSERT_CL_ERROR(clSetKernelArg(kernel, 2, 64, &value), CL_INVALID_ARG_VALUE);
}

static void refuses_objects_that_are_not_memory(void **state) {
  (void)state;
  ASSERT_CL_ERROR(clSetKernelArg(NULL, 0, sizeof(buffer), &buffer), CL_INVALID_KERNEL);
  SKIP_UNLESS_QUERN();
  ASSERT_CL_ERROR(clSetKernelArg(kernel, 0, sizeof(cl_mem), &dut.queue), CL_INVALID_MEM_OBJECT);
  ASSERT_CL_ERROR(clSetKernelArg((cl_kernel)(void *)buffer, 0, sizeof(buffer), &buffer), CL_INVALID_KERNEL);
}

static void a_refused_value_leaves_the_old_one_or_none(void **state) {
  (void)state;
  const cl_float4 wrong = {.s = {9, 9, 9, 9}};
  const size_t one = 1;
  set_all(5, 0, 0);
  ASSERT_CL_ERROR(clSetKernelArg(kernel, 1, sizeof(wrong), &wrong), CL_INVALID_ARG_SIZE);
  cl_int result = 0, error = clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL);
  if (error == CL_INVALID_KERNEL_ARGS) return;
  ASSERT_CL(error);
  test_read(buffer, sizeof(result), &result);
  assert_int_equal(result, 105);
}

/** The kernel does not own its buffers, but a launch that was enqueued keeps them. */
static void enqueued_launch_keeps_a_released_buffer(void **state) {
  (void)state;
  cl_int error;
  const size_t one = 1;
  cl_mem own = test_buffer(64, NULL);
  cl_event gate = clCreateUserEvent(dut.context, &error), done;
  ASSERT_CL(error);
  set_all(1, 2, 3);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(own), &own));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &one, NULL, 1, &gate, &done));
  ASSERT_CL(clFlush(dut.queue));
  ASSERT_CL(clReleaseMemObject(own));
  ASSERT_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  ASSERT_CL(clWaitForEvents(1, &done));
  ASSERT_CL(clReleaseEvent(done));
  ASSERT_CL(clReleaseEvent(gate));
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, create, release)
  const struct CMUnitTest tests[] = {
      CASE(values_of_every_kind_arrive),
      CASE(values_stay_until_they_are_set_again),
      CASE(setting_again_does_not_touch_enqueued_launches),
      CASE(a_buffer_may_be_null),
      CASE(refuses_indices_out_of_range),
      CASE(refuses_sizes_that_differ_from_the_type),
      CASE(refuses_missing_and_needless_values),
      CASE(refuses_objects_that_are_not_memory),
      CASE(a_refused_value_leaves_the_old_one_or_none),
      CASE(enqueued_launch_keeps_a_released_buffer),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
