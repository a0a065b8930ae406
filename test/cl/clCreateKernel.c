/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * clCreateKernel, clCreateKernelsInProgram, clCloneKernel and clGetKernelInfo. */
#include "test_device.h"

static const char *const source =
    "kernel void one(global int *p, int v, local float *l) { *p = v; }\n"
    "void helper(global int *p) { *p = 3; }\n"
    "kernel void two(global int *p) { helper(p); }\n"
    "kernel void none(void) {}\n";

static cl_program program;

static int build(void **state) {
  (void)state;
  program = test_program(source, NULL);
  return 0;
}

static int release(void **state) {
  (void)state;
  return clReleaseProgram(program);
}

static cl_kernel create(const char *name) {
  cl_int error;
  cl_kernel kernel = clCreateKernel(program, name, &error);
  ASSERT_CL(error);
  assert_non_null(kernel);
  return kernel;
}

static void knows_name_arguments_program_and_context(void **state) {
  (void)state;
  char text[64] = "";
  size_t size = 0;
  cl_kernel kernel = create("one");
  ASSERT_CL(clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof(text), text, &size));
  assert_string_equal(text, "one");
  assert_int_equal(size, 4);
  ASSERT_INFO(clGetKernelInfo, kernel, CL_KERNEL_NUM_ARGS, cl_uint, 3);
  ASSERT_INFO(clGetKernelInfo, kernel, CL_KERNEL_REFERENCE_COUNT, cl_uint, 1);
  ASSERT_INFO(clGetKernelInfo, kernel, CL_KERNEL_CONTEXT, cl_context, dut.context);
  ASSERT_INFO(clGetKernelInfo, kernel, CL_KERNEL_PROGRAM, cl_program, program);
  ASSERT_CL(clReleaseKernel(kernel));
}

static void a_kernel_may_have_no_arguments(void **state) {
  (void)state;
  const size_t one = 1;
  cl_kernel kernel = create("none");
  ASSERT_INFO(clGetKernelInfo, kernel, CL_KERNEL_NUM_ARGS, cl_uint, 0);
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
  ASSERT_CL(clFinish(dut.queue));
  ASSERT_CL(clReleaseKernel(kernel));
}

static void attributes_are_words_of_the_source(void **state) {
  (void)state;
  char text[128] = "";
  cl_kernel kernel = test_kernel(
      "kernel __attribute__((reqd_work_group_size(4, 2, 1))) void fixed(global int *p) { *p = 1; }", NULL, "fixed");
  ASSERT_CL(clGetKernelInfo(kernel, CL_KERNEL_ATTRIBUTES, sizeof(text), text, NULL));
  assert_non_null(strstr(text, "reqd_work_group_size(4"));
  ASSERT_CL(clReleaseKernel(kernel));
  kernel = create("none");
  ASSERT_CL(clGetKernelInfo(kernel, CL_KERNEL_ATTRIBUTES, sizeof(text), text, NULL));
  assert_string_equal(text, "");
  ASSERT_CL(clReleaseKernel(kernel));
}

static void all_kernels_of_a_program_at_once(void **state) {
  (void)state;
  cl_uint count = 0;
  cl_kernel kernels[3] = {NULL};
  unsigned found = 0;
  ASSERT_CL(clCreateKernelsInProgram(program, 0, NULL, &count));
  assert_int_equal(count, 3);
  ASSERT_CL(clCreateKernelsInProgram(program, 3, kernels, NULL));
  for (int i = 0; i < 3; i++) {
    char name[16] = "";
    ASSERT_CL(clGetKernelInfo(kernels[i], CL_KERNEL_FUNCTION_NAME, sizeof(name), name, NULL));
    found |= strcmp(name, "one") == 0 ? 1 : strcmp(name, "two") == 0 ? 2 : strcmp(name, "none") == 0 ? 4 : 0;
    ASSERT_CL(clReleaseKernel(kernels[i]));
  }
  assert_int_equal(found, 7);
  ASSERT_CL_ERROR(clCreateKernelsInProgram(program, 2, kernels, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(clCreateKernelsInProgram(NULL, 3, kernels, NULL), CL_INVALID_PROGRAM);
}

static void refuses_names_that_are_no_kernel(void **state) {
  (void)state;
  cl_int error;
  ASSERT_CL_REFUSED(clCreateKernel(program, "missing", &error), error, CL_INVALID_KERNEL_NAME);
  ASSERT_CL_REFUSED(clCreateKernel(program, "helper", &error), error, CL_INVALID_KERNEL_NAME);
  ASSERT_CL_REFUSED(clCreateKernel(program, "", &error), error, CL_INVALID_KERNEL_NAME);
  ASSERT_CL_REFUSED(clCreateKernel(program, NULL, &error), error, CL_INVALID_VALUE);
}

static void refuses_programs_that_are_not_built(void **state) {
  (void)state;
  cl_int error;
  cl_uint count;
  const char *text = source;
  cl_program unbuilt = clCreateProgramWithSource(dut.context, 1, &text, NULL, &error);
  ASSERT_CL(error);
  ASSERT_CL_REFUSED(clCreateKernel(unbuilt, "one", &error), error, CL_INVALID_PROGRAM_EXECUTABLE);
  ASSERT_CL_ERROR(clCreateKernelsInProgram(unbuilt, 0, NULL, &count), CL_INVALID_PROGRAM_EXECUTABLE);
  ASSERT_CL(clReleaseProgram(unbuilt));
  ASSERT_CL_REFUSED(clCreateKernel(NULL, "one", &error), error, CL_INVALID_PROGRAM);
}

static cl_int run(cl_kernel kernel, cl_mem buffer) {
  cl_int result = 0;
  const size_t one = 1;
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
  test_read(buffer, sizeof(result), &result);
  return result;
}

static void a_clone_copies_the_arguments_and_then_goes_its_own_way(void **state) {
  (void)state;
  cl_int error, value = 5;
  cl_mem buffer = test_buffer(sizeof(value), NULL);
  cl_kernel kernel = create("one");
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof(value), &value));
  ASSERT_CL(clSetKernelArg(kernel, 2, 16, NULL));
  cl_kernel clone = clCloneKernel(kernel, &error);
  ASSERT_CL(error);
  value = 6;
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof(value), &value));
  assert_int_equal(run(clone, buffer), 5);
  assert_int_equal(run(kernel, buffer), 6);
  ASSERT_CL(clReleaseKernel(kernel));
  assert_int_equal(run(clone, buffer), 5);
  ASSERT_CL(clReleaseKernel(clone));
  ASSERT_CL(clReleaseMemObject(buffer));
  ASSERT_CL_REFUSED(clCloneKernel(NULL, &error), error, CL_INVALID_KERNEL);
}

/* Kernels hold none of their arguments, so one may be gone; AddressSanitizer sees who looks at it. */
static void a_clone_takes_arguments_that_are_released(void **state) {
  (void)state;
  cl_int error, value = 5;
  cl_mem gone = test_buffer(sizeof(value), NULL), buffer = test_buffer(sizeof(value), NULL);
  cl_kernel kernel = create("one");
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(gone), &gone));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof(value), &value));
  ASSERT_CL(clSetKernelArg(kernel, 2, 16, NULL));
  ASSERT_CL(clReleaseMemObject(gone));
  cl_kernel clone = clCloneKernel(kernel, &error);
  ASSERT_CL(error);
  ASSERT_CL(clSetKernelArg(clone, 0, sizeof(buffer), &buffer));
  assert_int_equal(run(clone, buffer), 5);
  ASSERT_CL(clReleaseKernel(kernel));
  ASSERT_CL(clReleaseKernel(clone));
  ASSERT_CL(clReleaseMemObject(buffer));
}

/** A program that is built differently for each of two devices. */
static cl_program build_for_two(cl_context context, const cl_device_id devices[2]) {
  static const char text[] =
      "kernel void same(global int *p) { *p = 1; }\n"
      "kernel void differs(global ARG *p) { *p = 1; }\n"
      "#ifdef MORE\nkernel void more(global int *p) { *p = 1; }\n#endif\n";
  const char *lines = text;
  cl_int error;
  cl_program both = clCreateProgramWithSource(context, 1, &lines, NULL, &error);
  ASSERT_CL(error);
  ASSERT_CL(clBuildProgram(both, 1, &devices[0], "-DARG=int -DMORE", NULL, NULL));
  ASSERT_CL(clBuildProgram(both, 1, &devices[1], "-DARG=float", NULL, NULL));
  return both;
}

static void refuses_what_devices_define_differently(void **state) {
  (void)state;
  cl_device_id devices[2];
  cl_int error;
  cl_kernel kernel;
  cl_uint count = 0;
  if (!test_divide_device(devices)) skip();
  cl_context context = clCreateContext(NULL, 2, devices, NULL, NULL, &error);
  ASSERT_CL(error);
  cl_program both = build_for_two(context, devices);
  ASSERT_CL_REFUSED(clCreateKernel(both, "differs", &error), error, CL_INVALID_KERNEL_DEFINITION);
  ASSERT_CL_REFUSED(clCreateKernel(both, "more", &error), error, CL_INVALID_KERNEL_DEFINITION);
  char names[16] = "";
  ASSERT_INFO(clGetProgramInfo, both, CL_PROGRAM_NUM_KERNELS, size_t, 1);
  ASSERT_CL(clGetProgramInfo(both, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, NULL));
  assert_string_equal(names, "same");
  ASSERT_CL(clCreateKernelsInProgram(both, 1, &kernel, &count));
  assert_int_equal(count, 1);
  ASSERT_CL(clReleaseKernel(kernel));
  kernel = clCreateKernel(both, "same", &error);
  ASSERT_CL(error);
  /* With two devices, a query must say of which. */
  ASSERT_CL_ERROR(clGetKernelWorkGroupInfo(kernel, NULL, CL_KERNEL_WORK_GROUP_SIZE, 0, NULL, NULL), CL_INVALID_DEVICE);
  ASSERT_CL(clGetKernelWorkGroupInfo(kernel, devices[1], CL_KERNEL_WORK_GROUP_SIZE, 0, NULL, NULL));
  ASSERT_CL(clReleaseKernel(kernel));
  ASSERT_CL(clReleaseProgram(both));
  ASSERT_CL(clReleaseContext(context));
  for (int i = 0; i < 2; i++) ASSERT_CL(clReleaseDevice(devices[i]));
}

static void outlives_its_program(void **state) {
  (void)state;
  cl_mem buffer = test_buffer(sizeof(cl_int), NULL);
  cl_kernel kernel = test_kernel(source, NULL, "two");
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
  assert_int_equal(run(kernel, buffer), 3);
  ASSERT_CL(clReleaseKernel(kernel));
  ASSERT_CL(clReleaseMemObject(buffer));
}

static void info_obeys_the_common_rules(void **state) {
  (void)state;
  size_t size;
  cl_kernel kernel = create("one");
  ASSERT_INFO_RULES(clGetKernelInfo, kernel, CL_KERNEL_FUNCTION_NAME);
  ASSERT_CL_ERROR(clGetKernelInfo(NULL, CL_KERNEL_NUM_ARGS, 0, NULL, &size), CL_INVALID_KERNEL);
  ASSERT_CL(clReleaseKernel(kernel));
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, build, release)
  const struct CMUnitTest tests[] = {
      CASE(knows_name_arguments_program_and_context),
      CASE(a_kernel_may_have_no_arguments),
      CASE(attributes_are_words_of_the_source),
      CASE(all_kernels_of_a_program_at_once),
      CASE(refuses_names_that_are_no_kernel),
      CASE(refuses_programs_that_are_not_built),
      CASE(a_clone_copies_the_arguments_and_then_goes_its_own_way),
      CASE(a_clone_takes_arguments_that_are_released),
      CASE(refuses_what_devices_define_differently),
      CASE(outlives_its_program),
      CASE(info_obeys_the_common_rules),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
