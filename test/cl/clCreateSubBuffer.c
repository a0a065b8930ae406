/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * clCreateSubBuffer. */
#include "test_device.h"

static size_t alignment(void) { return (size_t)test_device_number(CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8; }

static cl_mem sub_buffer(cl_mem parent, cl_mem_flags flags, size_t origin, size_t size, cl_int *error) {
  const cl_buffer_region region = {origin, size};
  return clCreateSubBuffer(parent, flags, CL_BUFFER_CREATE_TYPE_REGION, &region, error);
}

static cl_mem parent_with(cl_mem_flags flags) {
  cl_int error;
  cl_mem parent = clCreateBuffer(dut.context, flags, 4 * alignment(), NULL, &error);
  ASSERT_CL(error);
  return parent;
}

static void knows_its_parent_and_place(void **state) {
  (void)state;
  cl_int error;
  cl_mem parent = parent_with(CL_MEM_READ_WRITE);
  cl_mem sub = sub_buffer(parent, CL_MEM_READ_ONLY, alignment(), 24, &error);
  ASSERT_CL(error);
  ASSERT_INFO(clGetMemObjectInfo, sub, CL_MEM_TYPE, cl_mem_object_type, CL_MEM_OBJECT_BUFFER);
  ASSERT_INFO(clGetMemObjectInfo, sub, CL_MEM_ASSOCIATED_MEMOBJECT, cl_mem, parent);
  ASSERT_INFO(clGetMemObjectInfo, sub, CL_MEM_OFFSET, size_t, alignment());
  ASSERT_INFO(clGetMemObjectInfo, sub, CL_MEM_SIZE, size_t, 24);
  ASSERT_INFO(clGetMemObjectInfo, sub, CL_MEM_FLAGS, cl_mem_flags, CL_MEM_READ_ONLY);
  ASSERT_CL(clReleaseMemObject(sub));
  ASSERT_CL(clReleaseMemObject(parent));
}

static void inherits_the_flags_that_are_left_out(void **state) {
  (void)state;
  cl_int error;
  cl_mem parent = parent_with(CL_MEM_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_ALLOC_HOST_PTR);
  cl_mem sub = sub_buffer(parent, 0, 0, 16, &error);
  ASSERT_CL(error);
  ASSERT_INFO(clGetMemObjectInfo, sub, CL_MEM_FLAGS, cl_mem_flags,
              CL_MEM_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_ALLOC_HOST_PTR);
  ASSERT_CL(clReleaseMemObject(sub));
  ASSERT_CL(clReleaseMemObject(parent));
}

static void host_pointer_is_the_parents_plus_the_origin(void **state) {
  (void)state;
  cl_int error;
  static char host[4096];
  assert_true(4 * alignment() <= sizeof(host));
  cl_mem parent = clCreateBuffer(dut.context, CL_MEM_USE_HOST_PTR, sizeof(host), host, &error);
  ASSERT_CL(error);
  cl_mem sub = sub_buffer(parent, 0, alignment(), 16, &error);
  ASSERT_CL(error);
  ASSERT_INFO(clGetMemObjectInfo, sub, CL_MEM_HOST_PTR, void *, host + alignment());
  ASSERT_CL(clReleaseMemObject(sub));
  ASSERT_CL(clReleaseMemObject(parent));
}

static void shares_the_parents_memory_with_host_and_kernel(void **state) {
  (void)state;
  cl_int error;
  const size_t step = alignment(), words = step / sizeof(cl_uint);
  const cl_uint fill = 5;
  cl_uint seen[2] = {0};
  cl_mem parent = parent_with(CL_MEM_READ_WRITE);
  cl_mem sub = sub_buffer(parent, 0, 2 * step, step, &error);
  ASSERT_CL(error);
  cl_kernel kernel = test_kernel("kernel void add(global uint *p) { p[get_global_id(0)] += 10; }", NULL, "add");
  ASSERT_CL(clEnqueueFillBuffer(dut.queue, parent, &fill, sizeof(fill), 0, 4 * step, 0, NULL, NULL));
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(sub), &sub));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &words, NULL, 0, NULL, NULL));
  ASSERT_CL(clEnqueueReadBuffer(dut.queue, parent, CL_TRUE, 2 * step - 4, sizeof(seen), seen, 0, NULL, NULL));
  assert_int_equal(seen[0], 5);
  assert_int_equal(seen[1], 15);
  ASSERT_CL(clEnqueueReadBuffer(dut.queue, sub, CL_TRUE, step - 4, 4, seen, 0, NULL, NULL));
  assert_int_equal(seen[0], 15);
  ASSERT_CL(clReleaseKernel(kernel));
  ASSERT_CL(clReleaseMemObject(sub));
  ASSERT_CL(clReleaseMemObject(parent));
}

static void keeps_its_parent_alive(void **state) {
  (void)state;
  cl_int error;
  cl_uint value = 3, seen = 0;
  cl_mem parent = test_buffer(4 * alignment(), NULL);
  cl_mem sub = sub_buffer(parent, 0, alignment(), 4, &error);
  ASSERT_CL(error);
  ASSERT_CL(clReleaseMemObject(parent));
  ASSERT_CL(clEnqueueWriteBuffer(dut.queue, sub, CL_TRUE, 0, 4, &value, 0, NULL, NULL));
  test_read(sub, 4, &seen);
  assert_int_equal(seen, 3);
  ASSERT_CL(clReleaseMemObject(sub));
}

static void refuses_what_is_not_a_whole_buffer(void **state) {
  (void)state;
  cl_int error;
  cl_mem parent = parent_with(CL_MEM_READ_WRITE);
  cl_mem sub = sub_buffer(parent, 0, 0, 64, &error);
  ASSERT_CL(error);
  ASSERT_CL_REFUSED(sub_buffer(NULL, 0, 0, 16, &error), error, CL_INVALID_MEM_OBJECT);
  ASSERT_CL_REFUSED(sub_buffer(sub, 0, 0, 16, &error), error, CL_INVALID_MEM_OBJECT);
  ASSERT_CL(clReleaseMemObject(sub));
  ASSERT_CL(clReleaseMemObject(parent));
}

static void refuses_flags_that_contradict_the_parents(void **state) {
  (void)state;
  static const cl_mem_flags pairs[][2] = {
      {CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE},          {CL_MEM_WRITE_ONLY, CL_MEM_READ_ONLY},
      {CL_MEM_READ_ONLY, CL_MEM_READ_WRITE},           {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY},
      {CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY}, {CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY},
      {CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_READ_ONLY},  {CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_WRITE_ONLY},
      {CL_MEM_READ_WRITE, CL_MEM_USE_HOST_PTR},        {CL_MEM_READ_WRITE, CL_MEM_ALLOC_HOST_PTR},
      {CL_MEM_READ_WRITE, CL_MEM_COPY_HOST_PTR},
  };
  cl_int error;
  for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
    cl_mem parent = parent_with(pairs[i][0]);
    ASSERT_CL_REFUSED(sub_buffer(parent, pairs[i][1], 0, 16, &error), error, CL_INVALID_VALUE);
    ASSERT_CL(clReleaseMemObject(parent));
  }
}

static void refuses_bad_regions(void **state) {
  (void)state;
  cl_int error;
  const cl_buffer_region region = {0, 16};
  cl_mem parent = parent_with(CL_MEM_READ_WRITE);
  ASSERT_CL_REFUSED(clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, NULL, &error), error, CL_INVALID_VALUE);
  ASSERT_CL_REFUSED(clCreateSubBuffer(parent, 0, 0x7FFF, &region, &error), error, CL_INVALID_VALUE);
  ASSERT_CL_REFUSED(sub_buffer(parent, 0, 4 * alignment(), 16, &error), error, CL_INVALID_VALUE);
  ASSERT_CL_REFUSED(sub_buffer(parent, 0, alignment(), 3 * alignment() + 1, &error), error, CL_INVALID_VALUE);
  ASSERT_CL_REFUSED(sub_buffer(parent, 0, alignment(), SIZE_MAX, &error), error, CL_INVALID_VALUE);
  ASSERT_CL_REFUSED(sub_buffer(parent, 0, 0, 0, &error), error, CL_INVALID_BUFFER_SIZE);
  ASSERT_CL_REFUSED(sub_buffer(parent, 0, 1, 16, &error), error, CL_MISALIGNED_SUB_BUFFER_OFFSET);
  ASSERT_CL(clReleaseMemObject(parent));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(knows_its_parent_and_place),
      cmocka_unit_test(inherits_the_flags_that_are_left_out),
      cmocka_unit_test(host_pointer_is_the_parents_plus_the_origin),
      cmocka_unit_test(shares_the_parents_memory_with_host_and_kernel),
      cmocka_unit_test(keeps_its_parent_alive),
      cmocka_unit_test(refuses_what_is_not_a_whole_buffer),
      cmocka_unit_test(refuses_flags_that_contradict_the_parents),
      cmocka_unit_test(refuses_bad_regions),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
