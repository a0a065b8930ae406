/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The device under test, and checks that name OpenCL's error codes. */
#include "test_device.h"

#include <stdlib.h>
#include <string.h>

test_device_t dut;

#define ERROR_CODES(X)                                                                                                 \
  X(CL_SUCCESS)                                                                                                        \
  X(CL_DEVICE_NOT_FOUND)                                                                                               \
  X(CL_DEVICE_NOT_AVAILABLE) X(CL_COMPILER_NOT_AVAILABLE) X(CL_MEM_OBJECT_ALLOCATION_FAILURE) X(CL_OUT_OF_RESOURCES)   \
      X(CL_OUT_OF_HOST_MEMORY) X(CL_PROFILING_INFO_NOT_AVAILABLE) X(CL_MEM_COPY_OVERLAP) X(                            \
          CL_IMAGE_FORMAT_MISMATCH) X(CL_IMAGE_FORMAT_NOT_SUPPORTED) X(CL_BUILD_PROGRAM_FAILURE) X(CL_MAP_FAILURE)     \
          X(CL_MISALIGNED_SUB_BUFFER_OFFSET) X(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST) X(                        \
              CL_COMPILE_PROGRAM_FAILURE) X(CL_LINKER_NOT_AVAILABLE) X(CL_LINK_PROGRAM_FAILURE)                        \
              X(CL_DEVICE_PARTITION_FAILED) X(CL_KERNEL_ARG_INFO_NOT_AVAILABLE) X(CL_INVALID_VALUE) X(                 \
                  CL_INVALID_DEVICE_TYPE) X(CL_INVALID_PLATFORM) X(CL_INVALID_DEVICE) X(CL_INVALID_CONTEXT)            \
                  X(CL_INVALID_QUEUE_PROPERTIES) X(CL_INVALID_COMMAND_QUEUE) X(CL_INVALID_HOST_PTR) X(                 \
                      CL_INVALID_MEM_OBJECT) X(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR) X(CL_INVALID_IMAGE_SIZE)            \
                      X(CL_INVALID_SAMPLER) X(CL_INVALID_BINARY) X(CL_INVALID_BUILD_OPTIONS) X(CL_INVALID_PROGRAM) X(  \
                          CL_INVALID_PROGRAM_EXECUTABLE) X(CL_INVALID_KERNEL_NAME) X(CL_INVALID_KERNEL_DEFINITION)     \
                          X(CL_INVALID_KERNEL) X(CL_INVALID_ARG_INDEX) X(CL_INVALID_ARG_VALUE) X(CL_INVALID_ARG_SIZE)  \
                              X(CL_INVALID_KERNEL_ARGS) X(CL_INVALID_WORK_DIMENSION) X(CL_INVALID_WORK_GROUP_SIZE)     \
                                  X(CL_INVALID_WORK_ITEM_SIZE) X(CL_INVALID_GLOBAL_OFFSET)                             \
                                      X(CL_INVALID_EVENT_WAIT_LIST) X(CL_INVALID_EVENT) X(CL_INVALID_OPERATION)        \
                                          X(CL_INVALID_GL_OBJECT) X(CL_INVALID_BUFFER_SIZE) X(CL_INVALID_MIP_LEVEL)    \
                                              X(CL_INVALID_GLOBAL_WORK_SIZE) X(CL_INVALID_PROPERTY)                    \
                                                  X(CL_INVALID_IMAGE_DESCRIPTOR) X(CL_INVALID_COMPILER_OPTIONS)        \
                                                      X(CL_INVALID_LINKER_OPTIONS)                                     \
                                                          X(CL_INVALID_DEVICE_PARTITION_COUNT) X(CL_INVALID_PIPE_SIZE) \
                                                              X(CL_INVALID_DEVICE_QUEUE) X(CL_INVALID_SPEC_ID)         \
                                                                  X(CL_MAX_SIZE_RESTRICTION_EXCEEDED)

const char *test_error_name(cl_int error) {
  switch (error) {
#define NAME(code) \
  case code: return #code;
    ERROR_CODES(NAME)
#undef NAME
    default: return "unknown error";
  }
}

void test_check_code(cl_int actual, cl_int expected, const char *expression, const char *file, int line) {
  if (actual == expected) return;
  print_error("%s gave %s (%d), not %s\n", expression, test_error_name(actual), (int)actual, test_error_name(expected));
  _fail(file, line);
}

void test_check_refused(const void *object, cl_int actual, cl_int expected, const char *call, const char *file,
                        int line) {
  if (object != NULL) {
    print_error("%s gave an object, not %s\n", call, test_error_name(expected));
    _fail(file, line);
  }
  test_check_code(actual, expected, call, file, line);
}

int test_device_open(void **state) {
  (void)state;
  cl_int error = clGetPlatformIDs(1, &dut.platform, NULL);
  if (error == CL_SUCCESS) error = clGetDeviceIDs(dut.platform, CL_DEVICE_TYPE_ALL, 1, &dut.device, NULL);
  if (error == CL_SUCCESS) dut.context = clCreateContext(NULL, 1, &dut.device, NULL, NULL, &error);
  const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
  if (error == CL_SUCCESS) dut.queue = clCreateCommandQueueWithProperties(dut.context, dut.device, properties, &error);
  if (error != CL_SUCCESS) print_error("no device to test: %s (%d)\n", test_error_name(error), (int)error);
  return error == CL_SUCCESS ? 0 : -1;
}

int test_device_close(void **state) {
  (void)state;
  cl_int queue_error = clReleaseCommandQueue(dut.queue);
  cl_int context_error = clReleaseContext(dut.context);
  return queue_error == CL_SUCCESS && context_error == CL_SUCCESS ? 0 : -1;
}

bool test_is_quern(void) {
  char name[64] = "";
  clGetPlatformInfo(dut.platform, CL_PLATFORM_NAME, sizeof(name), name, NULL);
  return strcmp(name, "Quern") == 0;
}

cl_mem test_buffer(size_t size, const void *data) {
  cl_int error;
  cl_mem_flags flags = CL_MEM_READ_WRITE | (data != NULL ? CL_MEM_COPY_HOST_PTR : 0);
  union {
    const void *read;
    void *write;
  } host = {.read = data};
  cl_mem buffer = clCreateBuffer(dut.context, flags, size, host.write, &error);
  ASSERT_CL(error);
  assert_non_null(buffer);
  return buffer;
}

void test_read(cl_mem buffer, size_t size, void *data) {
  ASSERT_CL(clEnqueueReadBuffer(dut.queue, buffer, CL_TRUE, 0, size, data, 0, NULL, NULL));
}

char *test_build_log(cl_program program) {
  size_t size = 0;
  ASSERT_CL(clGetProgramBuildInfo(program, dut.device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size));
  char *log = calloc(1, size + 1);
  assert_non_null(log);
  ASSERT_CL(clGetProgramBuildInfo(program, dut.device, CL_PROGRAM_BUILD_LOG, size, log, NULL));
  return log;
}

cl_program test_program(const char *source, const char *options) {
  cl_int error;
  cl_program program = clCreateProgramWithSource(dut.context, 1, &source, NULL, &error);
  ASSERT_CL(error);
  error = clBuildProgram(program, 1, &dut.device, options, NULL, NULL);
  if (error != CL_SUCCESS) {
    char *log = test_build_log(program);
    print_error("%s\n", log);
    free(log);
  }
  ASSERT_CL(error);
  return program;
}

cl_kernel test_kernel(const char *source, const char *options, const char *name) {
  cl_int error;
  cl_program program = test_program(source, options);
  cl_kernel kernel = clCreateKernel(program, name, &error);
  ASSERT_CL(error);
  ASSERT_CL(clReleaseProgram(program));
  return kernel;
}

cl_context test_other_context(void) {
  cl_int error;
  cl_context context = clCreateContext(NULL, 1, &dut.device, NULL, NULL, &error);
  ASSERT_CL(error);
  return context;
}

cl_command_queue test_other_queue(cl_context context) {
  cl_int error;
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, dut.device, NULL, &error);
  ASSERT_CL(error);
  return queue;
}

cl_ulong test_device_number(cl_device_info parameter) {
  cl_ulong value = 0;
  ASSERT_CL(clGetDeviceInfo(dut.device, parameter, sizeof(value), &value, NULL));
  return value;
}

bool test_device_has_feature(const char *name) {
  size_t size = 0;
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_OPENCL_C_FEATURES, 0, NULL, &size));
  cl_name_version *features = malloc(size + 1);
  assert_non_null(features);
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_OPENCL_C_FEATURES, size, features, NULL));
  bool found = false;
  for (size_t i = 0; i < size / sizeof(*features); i++) found = found || strcmp(features[i].name, name) == 0;
  free(features);
  return found;
}
