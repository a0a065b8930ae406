/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * clCreatePipe, clGetPipeInfo, and pipes as kernel arguments: every error code. */
#include "test_device.h"

static int open_device(void **state) {
  int failed = test_device_open(state);
  return failed ? failed : !test_device_number(CL_DEVICE_PIPE_SUPPORT);
}

static cl_mem make(cl_mem_flags flags, cl_uint size, cl_uint count) {
  cl_int error;
  cl_mem pipe = clCreatePipe(dut.context, flags, size, count, NULL, &error);
  ASSERT_CL(error);
  assert_non_null(pipe);
  return pipe;
}

static void the_device_says_what_it_has(void **state) {
  (void)state;
  assert_true(test_device_number(CL_DEVICE_MAX_PIPE_ARGS) >= 16);
  assert_true(test_device_number(CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS) >= 1);
  assert_true(test_device_number(CL_DEVICE_PIPE_MAX_PACKET_SIZE) >= 1024);
}

static void a_pipe_knows_what_it_was_made_with(void **state) {
  (void)state;
  const cl_mem_flags flags[] = {0, CL_MEM_READ_WRITE, CL_MEM_HOST_NO_ACCESS, CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS};
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
    cl_mem pipe = make(flags[i], 12, 1000);
    ASSERT_INFO(clGetPipeInfo, pipe, CL_PIPE_PACKET_SIZE, cl_uint, 12);
    ASSERT_INFO(clGetPipeInfo, pipe, CL_PIPE_MAX_PACKETS, cl_uint, 1000);
    ASSERT_INFO_RULES(clGetPipeInfo, pipe, CL_PIPE_MAX_PACKETS);
    ASSERT_INFO(clGetMemObjectInfo, pipe, CL_MEM_TYPE, cl_mem_object_type, CL_MEM_OBJECT_PIPE);
    ASSERT_INFO(clGetMemObjectInfo, pipe, CL_MEM_FLAGS, cl_mem_flags,
                flags[i] ? flags[i] : CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS);
    ASSERT_INFO(clGetMemObjectInfo, pipe, CL_MEM_CONTEXT, cl_context, dut.context);
    size_t size = 7;
    ASSERT_CL(clGetPipeInfo(pipe, CL_PIPE_PROPERTIES, 0, NULL, &size));
    assert_int_equal(size, 0);
    ASSERT_CL(clReleaseMemObject(pipe));
  }
}

static void creation_is_refused(void **state) {
  (void)state;
  cl_int error;
  const cl_pipe_properties none[] = {0};
  const cl_uint limit = (cl_uint)test_device_number(CL_DEVICE_PIPE_MAX_PACKET_SIZE);
  const cl_mem_flags wrong[] = {CL_MEM_READ_ONLY,     CL_MEM_WRITE_ONLY,     CL_MEM_COPY_HOST_PTR,
                                CL_MEM_USE_HOST_PTR,  CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY,
                                CL_MEM_ALLOC_HOST_PTR};
  ASSERT_CL_REFUSED(clCreatePipe(NULL, 0, 4, 4, NULL, &error), error, CL_INVALID_CONTEXT);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    ASSERT_CL_REFUSED(clCreatePipe(dut.context, wrong[i], 4, 4, NULL, &error), error, CL_INVALID_VALUE);
  }
  ASSERT_CL_REFUSED(clCreatePipe(dut.context, 0, 4, 4, none, &error), error, CL_INVALID_VALUE);
  ASSERT_CL_REFUSED(clCreatePipe(dut.context, 0, 0, 4, NULL, &error), error, CL_INVALID_PIPE_SIZE);
  ASSERT_CL_REFUSED(clCreatePipe(dut.context, 0, 4, 0, NULL, &error), error, CL_INVALID_PIPE_SIZE);
  ASSERT_CL_REFUSED(clCreatePipe(dut.context, 0, limit + 1, 4, NULL, &error), error, CL_INVALID_PIPE_SIZE);
  ASSERT_CL_REFUSED(clCreatePipe(dut.context, 0, limit, UINT32_MAX, NULL, &error), error,
                    CL_MEM_OBJECT_ALLOCATION_FAILURE);
  ASSERT_CL(clReleaseMemObject(clCreatePipe(dut.context, 0, limit, 1, NULL, NULL)));
}

static void pipes_are_not_buffers(void **state) {
  (void)state;
  cl_int error, number = 0;
  size_t size;
  cl_mem pipe = make(0, 4, 4), buffer = test_buffer(64, NULL);
  ASSERT_CL_ERROR(clGetPipeInfo(buffer, CL_PIPE_PACKET_SIZE, 0, NULL, &size), CL_INVALID_MEM_OBJECT);
  ASSERT_CL_ERROR(clGetPipeInfo(NULL, CL_PIPE_PACKET_SIZE, 0, NULL, &size), CL_INVALID_MEM_OBJECT);
  ASSERT_CL_ERROR(clEnqueueReadBuffer(dut.queue, pipe, CL_TRUE, 0, 4, &number, 0, NULL, NULL), CL_INVALID_MEM_OBJECT);
  ASSERT_CL_ERROR(clEnqueueWriteBuffer(dut.queue, pipe, CL_TRUE, 0, 4, &number, 0, NULL, NULL), CL_INVALID_MEM_OBJECT);
  const cl_buffer_region region = {0, 4};
  ASSERT_CL_REFUSED(clCreateSubBuffer(pipe, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error), error,
                    CL_INVALID_MEM_OBJECT);
  ASSERT_CL_ERROR(clEnqueueUnmapMemObject(dut.queue, pipe, &number, 0, NULL, NULL), CL_INVALID_MEM_OBJECT);
  ASSERT_CL_ERROR(clGetImageInfo(pipe, CL_IMAGE_WIDTH, 0, NULL, &size), CL_INVALID_MEM_OBJECT);
  ASSERT_CL(clReleaseMemObject(buffer));
  ASSERT_CL(clReleaseMemObject(pipe));
}

static const char source[] =
    "kernel void k(write_only pipe int to, read_only pipe int from, global int *left) {\n"
    "  int x;\n"
    "  if (read_pipe(from, &x) == 0) write_pipe(to, &x);\n"
    "  *left = get_pipe_num_packets(from);\n"
    "}\n";

static void arguments_are_checked(void **state) {
  (void)state;
  cl_kernel kernel = test_kernel(source, "-cl-std=CL3.0", "k");
  cl_mem pipe = make(0, 4, 4), buffer = test_buffer(64, NULL), none = NULL;
  cl_context other = test_other_context();
  cl_int error;
  cl_mem foreign = clCreatePipe(other, 0, 4, 4, NULL, &error);
  ASSERT_CL(error);
  ASSERT_CL_ERROR(clSetKernelArg(kernel, 0, sizeof(cl_mem), &buffer), CL_INVALID_MEM_OBJECT);
  ASSERT_CL_ERROR(clSetKernelArg(kernel, 0, sizeof(cl_mem), &none), CL_INVALID_MEM_OBJECT);
  ASSERT_CL_ERROR(clSetKernelArg(kernel, 0, sizeof(cl_mem), NULL), CL_INVALID_MEM_OBJECT);
  ASSERT_CL_ERROR(clSetKernelArg(kernel, 0, 4, &pipe), CL_INVALID_ARG_SIZE);
  ASSERT_CL_ERROR(clSetKernelArg(kernel, 0, sizeof(cl_mem), &foreign), CL_INVALID_CONTEXT);
  ASSERT_CL_ERROR(clSetKernelArg(kernel, 2, sizeof(cl_mem), &pipe), CL_INVALID_MEM_OBJECT);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(cl_mem), &pipe));
  ASSERT_CL(clReleaseMemObject(foreign));
  ASSERT_CL(clReleaseContext(other));
  ASSERT_CL(clReleaseMemObject(buffer));
  ASSERT_CL(clReleaseMemObject(pipe));
  ASSERT_CL(clReleaseKernel(kernel));
}

static void arguments_are_described(void **state) {
  (void)state;
  cl_kernel kernel = test_kernel(source, "-cl-std=CL3.0 -cl-kernel-arg-info", "k");
  cl_kernel_arg_type_qualifier qualifier = 0;
  cl_kernel_arg_access_qualifier access[2] = {0};
  cl_kernel_arg_address_qualifier space = 0;
  char name[16] = "";
  ASSERT_CL(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifier, &qualifier, NULL));
  assert_int_equal(qualifier, CL_KERNEL_ARG_TYPE_PIPE);
  for (cl_uint i = 0; i < 2; i++) {
    ASSERT_CL(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof *access, &access[i], NULL));
  }
  assert_int_equal(access[0], CL_KERNEL_ARG_ACCESS_WRITE_ONLY);
  assert_int_equal(access[1], CL_KERNEL_ARG_ACCESS_READ_ONLY);
  ASSERT_CL(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, NULL));
  assert_int_equal(space, CL_KERNEL_ARG_ADDRESS_GLOBAL);
  ASSERT_CL(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_TYPE_NAME, sizeof name, name, NULL));
  assert_string_equal(name, "int");
  ASSERT_CL(clReleaseKernel(kernel));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_device_says_what_it_has), cmocka_unit_test(a_pipe_knows_what_it_was_made_with),
      cmocka_unit_test(creation_is_refused),         cmocka_unit_test(pipes_are_not_buffers),
      cmocka_unit_test(arguments_are_checked),       cmocka_unit_test(arguments_are_described),
  };
  return cmocka_run_group_tests(tests, open_device, test_device_close);
}
