/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The device under test, and checks that name OpenCL's error codes. */
#include "test_device.h"

#include <stdlib.h>
#include <string.h>

#include "test_il.h"

test_device_t dut;

const char *test_error_name(cl_int error) {
  switch (error) {
#define ERROR_CODE(name) \
  case name: return #name;
#include "test_errors.def"
#undef ERROR_CODE
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

static cl_program create_program(const char *source, const char *options) {
  cl_int error;
  if (!test_uses_il()) {
    cl_program program = clCreateProgramWithSource(dut.context, 1, &source, NULL, &error);
    ASSERT_CL(error);
    return program;
  }
  size_t size = 0;
  void *il = test_compile_il(source, options, getenv("OPENCL_TEST_IL"), &size);
  cl_program program = test_create_with_il(il, size);
  free(il);
  return program;
}

void test_build(cl_program program, const char *options) {
  cl_int error = clBuildProgram(program, 1, &dut.device, options, NULL, NULL);
  if (error != CL_SUCCESS) {
    char *log = test_build_log(program);
    print_error("%s\n", log);
    free(log);
  }
  ASSERT_CL(error);
}

cl_program test_program(const char *source, const char *options) {
  cl_program program = create_program(source, options);
  test_build(program, options);
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

bool test_divide_device(cl_device_id out_parts[2]) {
  enum { most = 1024 };
  const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  cl_device_id parts[most];
  cl_uint count = 0;
  if (clCreateSubDevices(dut.device, equally, most, parts, &count) != CL_SUCCESS) count = 0;
  for (cl_uint i = count < 2 ? 0 : 2; i < count; i++) ASSERT_CL(clReleaseDevice(parts[i]));
  if (count < 2) {
    print_message("the device cannot be divided\n");
    return false;
  }
  out_parts[0] = parts[0];
  out_parts[1] = parts[1];
  return true;
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
