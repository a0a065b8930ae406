/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * clCreateProgramWithBinary, and CL_PROGRAM_BINARIES. */
#include <stdlib.h>

#include "test_device.h"

typedef struct binary_t {
  size_t size;
  unsigned char *bytes;
} binary_t;

static binary_t binary_of(cl_program program) {
  binary_t binary = {0};
  ASSERT_CL(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(binary.size), &binary.size, NULL));
  assert_true(binary.size > 0);
  binary.bytes = malloc(binary.size);
  assert_non_null(binary.bytes);
  ASSERT_CL(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(binary.bytes), &binary.bytes, NULL));
  return binary;
}

static binary_t built_binary(const char *source) {
  cl_program program = test_program(source, "-cl-kernel-arg-info");
  binary_t binary = binary_of(program);
  ASSERT_CL(clReleaseProgram(program));
  return binary;
}

static cl_program load(const binary_t *binary, cl_int *status, cl_int *error) {
  const unsigned char *bytes = binary->bytes;
  return clCreateProgramWithBinary(dut.context, 1, &dut.device, &binary->size, &bytes, status, error);
}

static const char *const source =
    "constant int table[4] = {3, 1, 4, 1};\n"
    "kernel void pick(global int *out, int add) {\n"
    "  size_t i = get_global_id(0);\n"
    "  out[i] = table[i % 4] + add;\n"
    "}\n";

static void runs_what_was_built_before(void **state) {
  (void)state;
  cl_int error, status = 1, out[8], add = 10;
  const cl_int expected[8] = {13, 11, 14, 11, 13, 11, 14, 11};
  const size_t items = 8;
  binary_t binary = built_binary(source);
  cl_program program = load(&binary, &status, &error);
  ASSERT_CL(error);
  ASSERT_CL(status);
  free(binary.bytes);
  ASSERT_CL(clBuildProgram(program, 1, &dut.device, NULL, NULL, NULL));
  cl_kernel kernel = clCreateKernel(program, "pick", &error);
  ASSERT_CL(error);
  cl_mem buffer = test_buffer(sizeof(out), NULL);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof(add), &add));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  test_read(buffer, sizeof(out), out);
  assert_memory_equal(out, expected, sizeof(out));
  ASSERT_CL(clReleaseMemObject(buffer));
  ASSERT_CL(clReleaseKernel(kernel));
  ASSERT_CL(clReleaseProgram(program));
}

static void a_loaded_binary_is_itself_a_binary(void **state) {
  (void)state;
  cl_int error;
  binary_t binary = built_binary(source);
  cl_program program = load(&binary, NULL, &error);
  ASSERT_CL(error);
  ASSERT_CL(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
  binary_t again = binary_of(program);
  ASSERT_CL(clReleaseProgram(program));
  program = load(&again, NULL, &error);
  ASSERT_CL(error);
  ASSERT_CL(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
  ASSERT_INFO(clGetProgramInfo, program, CL_PROGRAM_NUM_KERNELS, size_t, 1);
  ASSERT_CL(clReleaseProgram(program));
  free(binary.bytes);
  free(again.bytes);
}

static void has_no_source_and_cannot_be_compiled(void **state) {
  (void)state;
  cl_int error;
  char text[4] = "x";
  size_t size = 77;
  binary_t binary = built_binary(source);
  cl_program program = load(&binary, NULL, &error);
  ASSERT_CL(error);
  ASSERT_CL(clGetProgramInfo(program, CL_PROGRAM_SOURCE, sizeof(text), text, &size));
  assert_true(size == 0 || (size == 1 && text[0] == '\0'));
  ASSERT_CL_ERROR(clCompileProgram(program, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL), CL_INVALID_OPERATION);
  ASSERT_CL(clReleaseProgram(program));
  free(binary.bytes);
}

static void needs_a_build_before_kernels(void **state) {
  (void)state;
  cl_int error;
  binary_t binary = built_binary(source);
  cl_program program = load(&binary, NULL, &error);
  ASSERT_CL(error);
  ASSERT_CL_REFUSED(clCreateKernel(program, "pick", &error), error, CL_INVALID_PROGRAM_EXECUTABLE);
  ASSERT_CL(clReleaseProgram(program));
  free(binary.bytes);
}

static void compiled_objects_travel_as_binaries_too(void **state) {
  (void)state;
  cl_int error;
  const char *text = "int twice(int x) { return 2 * x; }\nkernel void run(global int *p) { *p = twice(*p); }\n";
  cl_program object = clCreateProgramWithSource(dut.context, 1, &text, NULL, &error);
  ASSERT_CL(error);
  ASSERT_CL(clCompileProgram(object, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
  binary_t binary = binary_of(object);
  ASSERT_CL(clReleaseProgram(object));
  cl_program loaded = load(&binary, NULL, &error);
  ASSERT_CL(error);
  /* It is no executable, and cannot be built into one. */
  ASSERT_CL_ERROR(clBuildProgram(loaded, 0, NULL, NULL, NULL, NULL), CL_INVALID_BINARY);
  ASSERT_CL_ERROR(clBuildProgram(loaded, 1, &dut.device, NULL, NULL, NULL), CL_INVALID_BINARY);
  cl_program linked = clLinkProgram(dut.context, 0, NULL, NULL, 1, &loaded, NULL, NULL, &error);
  ASSERT_CL(error);
  cl_kernel kernel = clCreateKernel(linked, "run", &error);
  ASSERT_CL(error);
  ASSERT_CL(clReleaseKernel(kernel));
  ASSERT_CL(clReleaseProgram(linked));
  ASSERT_CL(clReleaseProgram(loaded));
  free(binary.bytes);
}

static void refuses_garbage_and_says_for_which_device(void **state) {
  (void)state;
  cl_int error, status = 0;
  unsigned char garbage[64];
  memset(garbage, 0xAB, sizeof(garbage));
  const binary_t binary = {sizeof(garbage), garbage};
  ASSERT_CL_REFUSED(load(&binary, &status, &error), error, CL_INVALID_BINARY);
  assert_int_equal(status, CL_INVALID_BINARY);
}

/** A damaged binary is refused at loading or at building, or still builds; it never crashes. Every prefix length of the
 * first kilobyte, and then longer and longer ones, must be refused by then. */
static void truncated_binaries_are_refused(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  binary_t binary = built_binary(source);
  for (size_t size = 1; size < binary.size; size += size < 1024 ? 1 : size / 16) {
    cl_int error;
    const binary_t cut = {size, binary.bytes};
    cl_program program = load(&cut, NULL, &error);
    if (error == CL_SUCCESS) {
      error = clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
      ASSERT_CL(clReleaseProgram(program));
    }
    assert_int_not_equal(error, CL_SUCCESS);
  }
  free(binary.bytes);
}

static void damaged_binaries_never_crash(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  binary_t binary = built_binary(source);
  unsigned refused = 0;
  for (size_t i = 0; i < binary.size; i += 1 + i / 64) {
    cl_int error;
    binary.bytes[i] ^= 0xFF;
    cl_program program = load(&binary, NULL, &error);
    if (error == CL_SUCCESS) {
      error = clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
      ASSERT_CL(clReleaseProgram(program));
    }
    refused += error != CL_SUCCESS;
    binary.bytes[i] ^= 0xFF;
  }
  assert_true(refused > 0);
  free(binary.bytes);
}

static void refuses_missing_arguments(void **state) {
  (void)state;
  cl_int error;
  binary_t binary = built_binary(source);
  const unsigned char *bytes = binary.bytes, *null_bytes = NULL;
  const size_t zero = 0;
  const cl_device_id null_device = NULL;
#define LOAD(context, count, devices, sizes, data) \
  clCreateProgramWithBinary(context, count, devices, sizes, data, NULL, &error)
  ASSERT_CL_REFUSED(LOAD(NULL, 1, &dut.device, &binary.size, &bytes), error, CL_INVALID_CONTEXT);
  ASSERT_CL_REFUSED(LOAD(dut.context, 0, &dut.device, &binary.size, &bytes), error, CL_INVALID_VALUE);
  ASSERT_CL_REFUSED(LOAD(dut.context, 1, NULL, &binary.size, &bytes), error, CL_INVALID_VALUE);
  ASSERT_CL_REFUSED(LOAD(dut.context, 1, &null_device, &binary.size, &bytes), error, CL_INVALID_DEVICE);
  ASSERT_CL_REFUSED(LOAD(dut.context, 1, &dut.device, NULL, &bytes), error, CL_INVALID_VALUE);
  ASSERT_CL_REFUSED(LOAD(dut.context, 1, &dut.device, &binary.size, NULL), error, CL_INVALID_VALUE);
  ASSERT_CL_REFUSED(LOAD(dut.context, 1, &dut.device, &zero, &bytes), error, CL_INVALID_VALUE);
  ASSERT_CL_REFUSED(LOAD(dut.context, 1, &dut.device, &binary.size, &null_bytes), error, CL_INVALID_VALUE);
#undef LOAD
  free(binary.bytes);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(runs_what_was_built_before),
      cmocka_unit_test(a_loaded_binary_is_itself_a_binary),
      cmocka_unit_test(has_no_source_and_cannot_be_compiled),
      cmocka_unit_test(needs_a_build_before_kernels),
      cmocka_unit_test(compiled_objects_travel_as_binaries_too),
      cmocka_unit_test(refuses_garbage_and_says_for_which_device),
      cmocka_unit_test(truncated_binaries_are_refused),
      cmocka_unit_test(damaged_binaries_never_crash),
      cmocka_unit_test(refuses_missing_arguments),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
