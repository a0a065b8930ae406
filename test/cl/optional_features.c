/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Entry points of features that OpenCL 3.0 leaves optional: each says so where the device has not got the feature. */
#include "test_device.h"

static void images(void **state) {
  (void)state;
  if (test_device_number(CL_DEVICE_IMAGE_SUPPORT) != CL_FALSE) skip();
  cl_int error;
  cl_uint count = 77;
  const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
  const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
  ASSERT_CL_REFUSED(clCreateImage(dut.context, 0, &format, &desc, NULL, &error), error, CL_INVALID_OPERATION);
  ASSERT_CL_REFUSED(clCreateImageWithProperties(dut.context, NULL, 0, &format, &desc, NULL, &error), error,
                    CL_INVALID_OPERATION);
  ASSERT_CL_REFUSED(clCreateImage2D(dut.context, 0, &format, 4, 4, 0, NULL, &error), error, CL_INVALID_OPERATION);
  ASSERT_CL_REFUSED(clCreateImage3D(dut.context, 0, &format, 4, 4, 4, 0, 0, NULL, &error), error, CL_INVALID_OPERATION);
  ASSERT_CL_REFUSED(clCreateSampler(dut.context, CL_FALSE, CL_ADDRESS_NONE, CL_FILTER_NEAREST, &error), error,
                    CL_INVALID_OPERATION);
  ASSERT_CL_REFUSED(clCreateSamplerWithProperties(dut.context, NULL, &error), error, CL_INVALID_OPERATION);
  ASSERT_CL(clGetSupportedImageFormats(dut.context, CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D, 0, NULL, &count));
  assert_int_equal(count, 0);
}

/** Without images the operation is what is invalid, with images it is the object. */
static void image_commands_refuse_buffers(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  const size_t origin[3] = {0, 0, 0}, region[3] = {1, 1, 1};
  char host[64] = {0};
  const cl_int expected =
      test_device_number(CL_DEVICE_IMAGE_SUPPORT) != CL_FALSE ? CL_INVALID_MEM_OBJECT : CL_INVALID_OPERATION;
  const cl_uint4 colour = {.s = {0}};
  cl_mem buffer = test_buffer(64, NULL);
  ASSERT_CL_ERROR(clEnqueueReadImage(dut.queue, buffer, CL_TRUE, origin, region, 0, 0, host, 0, NULL, NULL), expected);
  ASSERT_CL_ERROR(clEnqueueWriteImage(dut.queue, buffer, CL_TRUE, origin, region, 0, 0, host, 0, NULL, NULL), expected);
  ASSERT_CL_ERROR(clEnqueueFillImage(dut.queue, buffer, &colour, origin, region, 0, NULL, NULL), expected);
  ASSERT_CL_ERROR(clEnqueueCopyImage(dut.queue, buffer, buffer, origin, origin, region, 0, NULL, NULL), expected);
  ASSERT_CL_ERROR(clEnqueueCopyImageToBuffer(dut.queue, buffer, buffer, origin, region, 0, 0, NULL, NULL), expected);
  ASSERT_CL_ERROR(clEnqueueCopyBufferToImage(dut.queue, buffer, buffer, 0, origin, region, 0, NULL, NULL), expected);
  ASSERT_CL(clReleaseMemObject(buffer));
}

static void shared_virtual_memory(void **state) {
  (void)state;
  if (test_device_number(CL_DEVICE_SVM_CAPABILITIES) != 0) skip();
  int host = 0;
  void *pointer = &host;
  cl_kernel kernel = test_kernel("kernel void k(global int *p) { *p = 1; }", NULL, "k");
  assert_null(clSVMAlloc(dut.context, CL_MEM_READ_WRITE, 64, 0));
  clSVMFree(dut.context, NULL);
  ASSERT_CL_ERROR(clSetKernelArgSVMPointer(kernel, 0, &host), CL_INVALID_OPERATION);
  ASSERT_CL_ERROR(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof(pointer), &pointer),
                  CL_INVALID_OPERATION);
  ASSERT_CL_ERROR(clEnqueueSVMMemcpy(dut.queue, CL_TRUE, &host, &host, 4, 0, NULL, NULL), CL_INVALID_OPERATION);
  ASSERT_CL_ERROR(clEnqueueSVMMemFill(dut.queue, &host, &host, 4, 4, 0, NULL, NULL), CL_INVALID_OPERATION);
  ASSERT_CL_ERROR(clEnqueueSVMMap(dut.queue, CL_TRUE, CL_MAP_READ, &host, 4, 0, NULL, NULL), CL_INVALID_OPERATION);
  ASSERT_CL_ERROR(clEnqueueSVMUnmap(dut.queue, &host, 0, NULL, NULL), CL_INVALID_OPERATION);
  ASSERT_CL_ERROR(clEnqueueSVMFree(dut.queue, 1, &pointer, NULL, NULL, 0, NULL, NULL), CL_INVALID_OPERATION);
  ASSERT_CL_ERROR(clEnqueueSVMMigrateMem(dut.queue, 1, (const void **)&pointer, NULL, 0, 0, NULL, NULL),
                  CL_INVALID_OPERATION);
  ASSERT_CL(clReleaseKernel(kernel));
}

static void pipes(void **state) {
  (void)state;
  if (test_device_number(CL_DEVICE_PIPE_SUPPORT) != CL_FALSE) skip();
  cl_int error;
  size_t size;
  cl_mem buffer = test_buffer(64, NULL);
  ASSERT_CL_REFUSED(clCreatePipe(dut.context, 0, 4, 4, NULL, &error), error, CL_INVALID_OPERATION);
  ASSERT_CL_ERROR(clGetPipeInfo(buffer, CL_PIPE_PACKET_SIZE, 0, NULL, &size), CL_INVALID_MEM_OBJECT);
  ASSERT_CL(clReleaseMemObject(buffer));
}

static void device_side_enqueue(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  if (test_device_number(CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES) != 0) skip();
  ASSERT_CL_ERROR(clSetDefaultDeviceCommandQueue(dut.context, dut.device, dut.queue), CL_INVALID_OPERATION);
}

static void sub_groups(void **state) {
  (void)state;
  if (test_device_number(CL_DEVICE_MAX_NUM_SUB_GROUPS) != 0) skip();
  size_t value = 0;
  const size_t local[1] = {8};
  cl_kernel kernel = test_kernel("kernel void k(global int *p) { *p = 1; }", NULL, "k");
  ASSERT_CL_ERROR(clGetKernelSubGroupInfo(kernel, dut.device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, sizeof(local),
                                          local, sizeof(value), &value, NULL),
                  CL_INVALID_OPERATION);
  ASSERT_CL(clReleaseKernel(kernel));
}

static void timers(void **state) {
  (void)state;
  cl_ulong resolution = 77, host = 0, device = 0;
  ASSERT_CL(clGetPlatformInfo(dut.platform, CL_PLATFORM_HOST_TIMER_RESOLUTION, sizeof(resolution), &resolution, NULL));
  if (resolution == 0) {
    ASSERT_CL_ERROR(clGetHostTimer(dut.device, &host), CL_INVALID_OPERATION);
    ASSERT_CL_ERROR(clGetDeviceAndHostTimer(dut.device, &device, &host), CL_INVALID_OPERATION);
    return;
  }
  ASSERT_CL(clGetHostTimer(dut.device, &host));
  cl_ulong before = host;
  ASSERT_CL(clGetDeviceAndHostTimer(dut.device, &device, &host));
  assert_true(host >= before && device > 0);
  ASSERT_CL_ERROR(clGetHostTimer(dut.device, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(clGetDeviceAndHostTimer(dut.device, NULL, &host), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(clGetDeviceAndHostTimer(dut.device, &device, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(clGetDeviceAndHostTimer(NULL, &device, &host), CL_INVALID_DEVICE);
  ASSERT_CL_ERROR(clGetHostTimer(NULL, &host), CL_INVALID_DEVICE);
}

static void CL_CALLBACK ignore_release(cl_program program, void *user) { (void)program, (void)user; }

static void program_callbacks_and_specialization_constants(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  const cl_int value = 1;
  cl_program program = test_program("kernel void k(global int *p) { *p = 1; }", NULL);
  /* Withdrawn in 3.0: it may only say that no global destructors exist. */
  ASSERT_CL_ERROR(clSetProgramReleaseCallback(program, ignore_release, NULL), CL_INVALID_OPERATION);
  ASSERT_CL_ERROR(clSetProgramReleaseCallback(NULL, ignore_release, NULL), CL_INVALID_PROGRAM);
  ASSERT_CL_ERROR(clSetProgramReleaseCallback(program, NULL, NULL), CL_INVALID_VALUE);
  cl_int error = clSetProgramSpecializationConstant(program, 0, sizeof(value), &value);
  assert_true(error == CL_INVALID_OPERATION || error == CL_INVALID_PROGRAM);
  ASSERT_CL(clReleaseProgram(program));
}

/** Partitioning is refused in words the specification has, or gives sub-devices that know their parent. */
static void partitions(void **state) {
  (void)state;
  const cl_device_partition_property unknown[] = {0x7FFF, 1, 0};
  const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  cl_uint count = 0;
  cl_device_id parts[1024] = {NULL};
  ASSERT_CL_ERROR(clCreateSubDevices(NULL, equally, 0, NULL, &count), CL_INVALID_DEVICE);
  ASSERT_CL_ERROR(clCreateSubDevices(dut.device, unknown, 0, NULL, &count), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(clCreateSubDevices(dut.device, NULL, 0, NULL, &count), CL_INVALID_VALUE);
  if (test_device_number(CL_DEVICE_PARTITION_MAX_SUB_DEVICES) < 2) {
    cl_int error = clCreateSubDevices(dut.device, equally, 0, NULL, &count);
    assert_true(error == CL_INVALID_VALUE || error == CL_DEVICE_PARTITION_FAILED);
    return;
  }
  ASSERT_CL(clCreateSubDevices(dut.device, equally, 1024, parts, &count));
  for (cl_uint i = 0; i < count; i++) {
    ASSERT_INFO(clGetDeviceInfo, parts[i], CL_DEVICE_PARENT_DEVICE, cl_device_id, dut.device);
    ASSERT_CL(clReleaseDevice(parts[i]));
  }
}

static void CL_CALLBACK do_nothing(void *arguments) { (void)arguments; }

static void native_kernels(void **state) {
  (void)state;
  cl_device_exec_capabilities capabilities = 0;
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_EXECUTION_CAPABILITIES, sizeof(capabilities), &capabilities, NULL));
  assert_true((capabilities & CL_EXEC_KERNEL) != 0);
  if ((capabilities & CL_EXEC_NATIVE_KERNEL) != 0) skip();
  int argument = 0;
  ASSERT_CL_ERROR(
      clEnqueueNativeKernel(dut.queue, do_nothing, &argument, sizeof(argument), 0, NULL, NULL, 0, NULL, NULL),
      CL_INVALID_OPERATION);
}

static void extension_functions_are_found_or_null(void **state) {
  (void)state;
  assert_null(clGetExtensionFunctionAddressForPlatform(dut.platform, "clNoSuchFunctionKHR"));
  assert_null(clGetExtensionFunctionAddressForPlatform(dut.platform, "clNoSuchFunction"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(images),
      cmocka_unit_test(image_commands_refuse_buffers),
      cmocka_unit_test(shared_virtual_memory),
      cmocka_unit_test(pipes),
      cmocka_unit_test(device_side_enqueue),
      cmocka_unit_test(sub_groups),
      cmocka_unit_test(timers),
      cmocka_unit_test(program_callbacks_and_specialization_constants),
      cmocka_unit_test(partitions),
      cmocka_unit_test(native_kernels),
      cmocka_unit_test(extension_functions_are_found_or_null),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
