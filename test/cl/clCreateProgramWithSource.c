/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * clCreateProgramWithSource and clGetProgramInfo. */
#include "test_device.h"

static const char *const two_kernels =
    "kernel void first(global int *p) { *p = 1; }\n"
    "kernel void second(global int *p) { *p = 2; }\n";

static cl_program create(cl_uint count, const char **strings, const size_t *lengths) {
  cl_int error;
  cl_program program = clCreateProgramWithSource(dut.context, count, strings, lengths, &error);
  ASSERT_CL(error);
  return program;
}

static void assert_source(cl_program program, const char *expected) {
  char source[256] = "";
  size_t size = 0;
  ASSERT_CL(clGetProgramInfo(program, CL_PROGRAM_SOURCE, sizeof(source), source, &size));
  assert_string_equal(source, expected);
  assert_int_equal(size, strlen(expected) + 1);
}

static void keeps_the_strings_joined(void **state) {
  (void)state;
  const char *strings[3] = {"kernel void ", "a(", ") {}\n"};
  cl_program program = create(3, strings, NULL);
  assert_source(program, "kernel void a() {}\n");
  ASSERT_CL(clReleaseProgram(program));
}

static void lengths_cut_strings_and_zero_means_terminated(void **state) {
  (void)state;
  const char *strings[3] = {"kernel XXX", " void a", "() {}garbage"};
  const size_t lengths[3] = {6, 0, 5};
  cl_program program = create(3, strings, lengths);
  assert_source(program, "kernel void a() {}");
  ASSERT_CL(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
  ASSERT_CL(clReleaseProgram(program));
}

static void knows_context_devices_and_reference_count(void **state) {
  (void)state;
  const char *source = two_kernels;
  cl_program program = create(1, &source, NULL);
  ASSERT_INFO(clGetProgramInfo, program, CL_PROGRAM_CONTEXT, cl_context, dut.context);
  ASSERT_INFO(clGetProgramInfo, program, CL_PROGRAM_NUM_DEVICES, cl_uint, 1);
  ASSERT_INFO(clGetProgramInfo, program, CL_PROGRAM_DEVICES, cl_device_id, dut.device);
  ASSERT_INFO(clGetProgramInfo, program, CL_PROGRAM_REFERENCE_COUNT, cl_uint, 1);
  ASSERT_CL(clReleaseProgram(program));
}

static void names_its_kernels_once_built(void **state) {
  (void)state;
  char names[64] = "";
  cl_program program = test_program(two_kernels, NULL);
  ASSERT_INFO(clGetProgramInfo, program, CL_PROGRAM_NUM_KERNELS, size_t, 2);
  ASSERT_CL(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof(names), names, NULL));
  assert_true(strcmp(names, "first;second") == 0 || strcmp(names, "second;first") == 0);
  ASSERT_CL(clReleaseProgram(program));
}

static void kernels_are_unknown_before_the_build(void **state) {
  (void)state;
  size_t size;
  const char *source = two_kernels;
  cl_program program = create(1, &source, NULL);
  ASSERT_CL_ERROR(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, 0, NULL, &size), CL_INVALID_PROGRAM_EXECUTABLE);
  ASSERT_CL_ERROR(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, 0, NULL, &size), CL_INVALID_PROGRAM_EXECUTABLE);
  ASSERT_CL(clReleaseProgram(program));
}

static void refuses_missing_strings(void **state) {
  (void)state;
  cl_int error;
  const char *strings[2] = {two_kernels, NULL};
  ASSERT_CL_REFUSED(clCreateProgramWithSource(dut.context, 0, strings, NULL, &error), error, CL_INVALID_VALUE);
  ASSERT_CL_REFUSED(clCreateProgramWithSource(dut.context, 1, NULL, NULL, &error), error, CL_INVALID_VALUE);
  ASSERT_CL_REFUSED(clCreateProgramWithSource(dut.context, 2, strings, NULL, &error), error, CL_INVALID_VALUE);
}

static void refuses_invalid_contexts(void **state) {
  (void)state;
  cl_int error;
  const char *source = two_kernels;
  ASSERT_CL_REFUSED(clCreateProgramWithSource(NULL, 1, &source, NULL, &error), error, CL_INVALID_CONTEXT);
  SKIP_UNLESS_QUERN();
  cl_context foreign = (cl_context)(void *)dut.queue;
  ASSERT_CL_REFUSED(clCreateProgramWithSource(foreign, 1, &source, NULL, &error), error, CL_INVALID_CONTEXT);
}

static void built_in_kernels_must_exist(void **state) {
  (void)state;
  cl_int error;
  ASSERT_CL_REFUSED(clCreateProgramWithBuiltInKernels(dut.context, 1, &dut.device, "no_such_kernel", &error), error,
                    CL_INVALID_VALUE);
  cl_device_id none = NULL;
  ASSERT_CL_REFUSED(clCreateProgramWithBuiltInKernels(dut.context, 1, &none, "kernel", &error), error,
                    CL_INVALID_DEVICE);
  ASSERT_CL_REFUSED(clCreateProgramWithBuiltInKernels(dut.context, 0, &dut.device, "kernel", &error), error,
                    CL_INVALID_VALUE);
  ASSERT_CL_REFUSED(clCreateProgramWithBuiltInKernels(dut.context, 1, NULL, "kernel", &error), error, CL_INVALID_VALUE);
  ASSERT_CL_REFUSED(clCreateProgramWithBuiltInKernels(dut.context, 1, &dut.device, NULL, &error), error,
                    CL_INVALID_VALUE);
  ASSERT_CL_REFUSED(clCreateProgramWithBuiltInKernels(NULL, 1, &dut.device, "kernel", &error), error,
                    CL_INVALID_CONTEXT);
}

static void a_program_from_source_has_no_intermediate_language(void **state) {
  (void)state;
  size_t size = 77;
  const char *source = two_kernels;
  cl_program program = create(1, &source, NULL);
  ASSERT_CL(clGetProgramInfo(program, CL_PROGRAM_IL, 0, NULL, &size));
  assert_int_equal(size, 0);
  ASSERT_CL(clReleaseProgram(program));
}

static void info_obeys_the_common_rules(void **state) {
  (void)state;
  size_t size;
  const char *source = two_kernels;
  cl_program program = create(1, &source, NULL);
  ASSERT_INFO_RULES(clGetProgramInfo, program, CL_PROGRAM_SOURCE);
  ASSERT_CL_ERROR(clGetProgramInfo(NULL, CL_PROGRAM_SOURCE, 0, NULL, &size), CL_INVALID_PROGRAM);
  ASSERT_CL(clReleaseProgram(program));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(keeps_the_strings_joined),
      cmocka_unit_test(lengths_cut_strings_and_zero_means_terminated),
      cmocka_unit_test(knows_context_devices_and_reference_count),
      cmocka_unit_test(names_its_kernels_once_built),
      cmocka_unit_test(kernels_are_unknown_before_the_build),
      cmocka_unit_test(refuses_missing_strings),
      cmocka_unit_test(refuses_invalid_contexts),
      cmocka_unit_test(built_in_kernels_must_exist),
      cmocka_unit_test(a_program_from_source_has_no_intermediate_language),
      cmocka_unit_test(info_obeys_the_common_rules),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
