/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * cl_intel_create_buffer_with_properties and cl_ext_buffer_device_address: buffers with properties, and their
 * addresses. */
#include <CL/cl_ext.h>

#include "cl/api/device_address.h"
#include "test_extension.h"

typedef cl_int(CL_API_CALL *set_device_pointer_fn)(cl_kernel kernel, cl_uint index, cl_ulong address);
#define FUNCTIONS(X)                                                         \
  X(clCreateBufferWithPropertiesINTEL, clCreateBufferWithPropertiesINTEL_fn) \
  X(clSetKernelArgDevicePointerEXT, set_device_pointer_fn)
TEST_EXTENSION_FUNCTIONS_OF(ext, FUNCTIONS)

static int open_device(void **state) {
  return test_device_open(state) || !test_has_extension("cl_intel_create_buffer_with_properties") ||
         !test_has_extension("cl_ext_buffer_device_address") || !ext_load();
}

static const cl_mem_properties fixed[] = {CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_TRUE, 0};

static cl_mem with_address(size_t size, void *host_pointer) {
  cl_int error;
  cl_mem buffer = clCreateBufferWithProperties(dut.context, fixed, host_pointer ? CL_MEM_USE_HOST_PTR : 0, size,
                                               host_pointer, &error);
  ASSERT_CL(error);
  return buffer;
}

static cl_ulong address_of(cl_mem buffer) {
  cl_ulong address = 0;
  size_t size = 0;
  ASSERT_CL(clGetMemObjectInfo(buffer, CL_MEM_DEVICE_ADDRESS_EXT, sizeof(address), &address, &size));
  assert_int_equal(size, sizeof(address));
  assert_true(address != 0);
  return address;
}

static void intel_creates_buffers(void **state) {
  (void)state;
  cl_int error;
  const cl_mem_properties_intel none[] = {0}, unknown[] = {0x7FFF, 1, 0};
  const cl_int value = 17;
  cl_int read = 0;
  cl_mem buffer = ext.clCreateBufferWithPropertiesINTEL(dut.context, none, CL_MEM_COPY_HOST_PTR, sizeof(value),
                                                        (void *)(uintptr_t)&value, &error);
  ASSERT_CL(error);
  test_read(buffer, sizeof(read), &read);
  assert_int_equal(read, 17);
  ASSERT_CL(clReleaseMemObject(buffer));
  ASSERT_CL_REFUSED(ext.clCreateBufferWithPropertiesINTEL(NULL, NULL, 0, 4, NULL, &error), error, CL_INVALID_CONTEXT);
  ASSERT_CL_REFUSED(ext.clCreateBufferWithPropertiesINTEL(dut.context, unknown, 0, 4, NULL, &error), error,
                    CL_INVALID_VALUE);
  ASSERT_CL_REFUSED(ext.clCreateBufferWithPropertiesINTEL(dut.context, NULL, 1 << 30, 4, NULL, &error), error,
                    CL_INVALID_VALUE);
  ASSERT_CL_REFUSED(ext.clCreateBufferWithPropertiesINTEL(dut.context, NULL, 0, 0, NULL, &error), error,
                    CL_INVALID_BUFFER_SIZE);
  ASSERT_CL_REFUSED(ext.clCreateBufferWithPropertiesINTEL(dut.context, NULL, CL_MEM_USE_HOST_PTR, 4, NULL, &error),
                    error, CL_INVALID_HOST_PTR);
}

static void kernels_use_addresses(void **state) {
  (void)state;
  const size_t one = 1;
  const cl_int zeros[64] = {0};
  cl_int read[64];
  cl_mem buffer = with_address(sizeof(zeros), NULL);
  cl_kernel kernel =
      test_kernel("kernel void set(global int *p, ulong q) { *p = 5; *(global int *)q = 6; }", NULL, "set");
  const cl_ulong address = address_of(buffer), inner = address + 10 * sizeof(cl_int);
  ASSERT_CL(clEnqueueWriteBuffer(dut.queue, buffer, CL_TRUE, 0, sizeof(zeros), zeros, 0, NULL, NULL));
  ASSERT_CL(ext.clSetKernelArgDevicePointerEXT(kernel, 0, address + 3 * sizeof(cl_int)));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof(inner), &inner));
  ASSERT_CL(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT, sizeof(address), &address));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
  test_read(buffer, sizeof(read), read);
  assert_int_equal(read[3], 5);
  assert_int_equal(read[10], 6);
  assert_true(address_of(buffer) == address);
  ASSERT_CL(clReleaseKernel(kernel));
  ASSERT_CL(clReleaseMemObject(buffer));
}

static void the_address_of_shared_memory_is_its_own(void **state) {
  (void)state;
  void *svm = clSVMAlloc(dut.context, CL_MEM_READ_WRITE, 256, 0);
  cl_mem buffer = with_address(256, svm);
  assert_true(address_of(buffer) == (cl_ulong)(uintptr_t)svm);
  ASSERT_CL(clReleaseMemObject(buffer));
  clSVMFree(dut.context, svm);
}

static void refuses_bad_arguments(void **state) {
  (void)state;
  cl_int error;
  cl_ulong address;
  static const cl_mem_properties odd[] = {CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, 7, 0};
  static const cl_mem_properties off[] = {CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_FALSE, 0};
  static const cl_mem_properties twice[] = {CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_TRUE,
                                            CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_TRUE, 0};
  cl_mem plain = test_buffer(64, NULL);
  cl_mem without = clCreateBufferWithProperties(dut.context, off, 0, 64, NULL, &error);
  ASSERT_CL(error);
  cl_kernel kernel = test_kernel(
      "kernel void k(global int *p, int v, local int *l, constant int *c) { *p = v + l[0] + c[0]; }", NULL, "k");
  ASSERT_CL_REFUSED(clCreateBufferWithProperties(dut.context, odd, 0, 64, NULL, &error), error, CL_INVALID_PROPERTY);
  ASSERT_CL_REFUSED(clCreateBufferWithProperties(dut.context, twice, 0, 64, NULL, &error), error, CL_INVALID_PROPERTY);
  ASSERT_CL_ERROR(clGetMemObjectInfo(plain, CL_MEM_DEVICE_ADDRESS_EXT, sizeof(address), &address, NULL),
                  CL_INVALID_OPERATION);
  ASSERT_CL_ERROR(clGetMemObjectInfo(without, CL_MEM_DEVICE_ADDRESS_EXT, sizeof(address), &address, NULL),
                  CL_INVALID_OPERATION);
  ASSERT_CL_ERROR(ext.clSetKernelArgDevicePointerEXT(NULL, 0, 0), CL_INVALID_KERNEL);
  ASSERT_CL_ERROR(ext.clSetKernelArgDevicePointerEXT(kernel, 1, 0), CL_INVALID_ARG_INDEX);
  ASSERT_CL_ERROR(ext.clSetKernelArgDevicePointerEXT(kernel, 2, 0), CL_INVALID_ARG_INDEX);
  ASSERT_CL_ERROR(ext.clSetKernelArgDevicePointerEXT(kernel, 3, 0), CL_INVALID_ARG_INDEX);
  ASSERT_CL_ERROR(ext.clSetKernelArgDevicePointerEXT(kernel, 4, 0), CL_INVALID_ARG_INDEX);
  ASSERT_CL(ext.clSetKernelArgDevicePointerEXT(kernel, 0, 0));
  ASSERT_CL(clReleaseKernel(kernel));
  ASSERT_CL(clReleaseMemObject(plain));
  ASSERT_CL(clReleaseMemObject(without));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(intel_creates_buffers),
      cmocka_unit_test(kernels_use_addresses),
      cmocka_unit_test(the_address_of_shared_memory_is_its_own),
      cmocka_unit_test(refuses_bad_arguments),
  };
  return cmocka_run_group_tests(tests, open_device, test_device_close);
}
