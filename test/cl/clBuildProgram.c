/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * clBuildProgram and clGetProgramBuildInfo. */
#include <stdlib.h>

#include "test_device.h"

static const char *const good = "kernel void one(global int *p) { *p = 1; }\n";
static const char *const broken =
    "kernel void one(global int *p) {\n"
    "  int x = 1;\n"
    "  p[0] = undeclared + x;\n"
    "}\n";

static cl_program create(cl_context context, const char *source) {
  cl_int error;
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
  ASSERT_CL(error);
  return program;
}

static cl_int build(cl_program program, const char *options) {
  return clBuildProgram(program, 1, &dut.device, options, NULL, NULL);
}

static void success_is_recorded_with_the_options(void **state) {
  (void)state;
  char options[64] = "";
  cl_program program = create(dut.context, good);
  ASSERT_CL(build(program, "-DX=1 -cl-mad-enable"));
  cl_build_status status = CL_BUILD_NONE;
  ASSERT_CL(clGetProgramBuildInfo(program, dut.device, CL_PROGRAM_BUILD_STATUS, sizeof(status), &status, NULL));
  assert_int_equal(status, CL_BUILD_SUCCESS);
  ASSERT_CL(clGetProgramBuildInfo(program, dut.device, CL_PROGRAM_BUILD_OPTIONS, sizeof(options), options, NULL));
  assert_string_equal(options, "-DX=1 -cl-mad-enable");
  cl_program_binary_type type = 0;
  ASSERT_CL(clGetProgramBuildInfo(program, dut.device, CL_PROGRAM_BINARY_TYPE, sizeof(type), &type, NULL));
  assert_int_equal(type, CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
  ASSERT_CL(clReleaseProgram(program));
}

static void status_is_none_before_any_build(void **state) {
  (void)state;
  cl_program program = create(dut.context, good);
  cl_build_status status = CL_BUILD_SUCCESS;
  cl_program_binary_type type = CL_PROGRAM_BINARY_TYPE_LIBRARY;
  ASSERT_CL(clGetProgramBuildInfo(program, dut.device, CL_PROGRAM_BUILD_STATUS, sizeof(status), &status, NULL));
  assert_int_equal(status, CL_BUILD_NONE);
  ASSERT_CL(clGetProgramBuildInfo(program, dut.device, CL_PROGRAM_BINARY_TYPE, sizeof(type), &type, NULL));
  assert_int_equal(type, CL_PROGRAM_BINARY_TYPE_NONE);
  char *log = test_build_log(program);
  assert_string_equal(log, "");
  free(log);
  ASSERT_CL(clReleaseProgram(program));
}

/** As clang prints it: file, line, column, severity, then the line with a caret below the offending token. */
static void log_of_broken_source_has_line_column_and_caret(void **state) {
  (void)state;
  cl_program program = create(dut.context, broken);
  ASSERT_CL_ERROR(build(program, NULL), CL_BUILD_PROGRAM_FAILURE);
  cl_build_status status = CL_BUILD_NONE;
  ASSERT_CL(clGetProgramBuildInfo(program, dut.device, CL_PROGRAM_BUILD_STATUS, sizeof(status), &status, NULL));
  assert_int_equal(status, CL_BUILD_ERROR);
  char *log = test_build_log(program);
  assert_non_null(strstr(log, ":3:10: error: use of undeclared identifier 'undeclared'"));
  if (test_is_quern()) {
    assert_non_null(strstr(log, "  p[0] = undeclared + x;\n"));
    const char *caret_line = strchr(strstr(log, "  p[0] = undeclared + x;"), '\n') + 1;
    assert_non_null(strchr(caret_line, '^'));
    assert_null(strstr(log, "\033["));
  }
  free(log);
  ASSERT_CL(clReleaseProgram(program));
}

static void warnings_are_logged_and_do_not_fail(void **state) {
  (void)state;
  cl_program program = create(dut.context, "#warning look here\nkernel void one(global int *p) { *p = 1; }\n");
  ASSERT_CL(build(program, NULL));
  char *log = test_build_log(program);
  assert_non_null(strstr(log, ":1:2: warning: look here"));
  free(log);
  ASSERT_CL(build(program, "-w"));
  log = test_build_log(program);
  assert_null(strstr(log, "warning"));
  free(log);
  ASSERT_CL_ERROR(build(program, "-Werror"), CL_BUILD_PROGRAM_FAILURE);
  ASSERT_CL(clReleaseProgram(program));
}

typedef struct notice_t {
  int calls;
  char text[4096];
} notice_t;

static void CL_CALLBACK context_notice(const char *text, const void *data, size_t size, void *user) {
  notice_t *notice = user;
  notice->calls++;
  /* The driver has no private information to give. */
  if (data || size) notice->calls = -1000;
  strncat(notice->text, text, sizeof(notice->text) - strlen(notice->text) - 1);
}

static void log_also_reaches_the_contexts_callback(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  cl_int error;
  notice_t notice = {0};
  cl_context context = clCreateContext(NULL, 1, &dut.device, context_notice, &notice, &error);
  ASSERT_CL(error);
  cl_program program = create(context, broken);
  ASSERT_CL_ERROR(build(program, NULL), CL_BUILD_PROGRAM_FAILURE);
  assert_true(notice.calls > 0);
  assert_non_null(strstr(notice.text, ":3:10: error: use of undeclared identifier 'undeclared'"));
  ASSERT_CL(clReleaseProgram(program));
  ASSERT_CL(clReleaseContext(context));
}

typedef struct completion_t {
  volatile int calls;
  cl_program program;
} completion_t;

static void CL_CALLBACK build_done(cl_program program, void *user) {
  completion_t *completion = user;
  completion->program = program;
  __atomic_add_fetch(&completion->calls, 1, __ATOMIC_RELEASE);
}

static void wait_for_call(completion_t *completion) {
  while (__atomic_load_n(&completion->calls, __ATOMIC_ACQUIRE) == 0) {
  }
}

static void callback_comes_once_after_success_and_failure(void **state) {
  (void)state;
  completion_t completion = {0};
  cl_program program = create(dut.context, good);
  ASSERT_CL(clBuildProgram(program, 1, &dut.device, NULL, build_done, &completion));
  wait_for_call(&completion);
  assert_ptr_equal(completion.program, program);
  cl_build_status status = CL_BUILD_NONE;
  ASSERT_CL(clGetProgramBuildInfo(program, dut.device, CL_PROGRAM_BUILD_STATUS, sizeof(status), &status, NULL));
  assert_int_equal(status, CL_BUILD_SUCCESS);
  ASSERT_CL(clReleaseProgram(program));

  completion = (completion_t){0};
  program = create(dut.context, broken);
  cl_int error = clBuildProgram(program, 1, &dut.device, NULL, build_done, &completion);
  assert_true(error == CL_SUCCESS || error == CL_BUILD_PROGRAM_FAILURE);
  wait_for_call(&completion);
  ASSERT_CL(clGetProgramBuildInfo(program, dut.device, CL_PROGRAM_BUILD_STATUS, sizeof(status), &status, NULL));
  assert_int_equal(status, CL_BUILD_ERROR);
  assert_int_equal(completion.calls, 1);
  ASSERT_CL(clReleaseProgram(program));
}

static void a_program_may_be_built_again_with_other_options(void **state) {
  (void)state;
  cl_int read = 0, error;
  cl_mem buffer = test_buffer(sizeof(read), NULL);
  cl_program program = create(dut.context, "kernel void set(global int *p) { *p = N; }");
  for (int n = 1; n <= 2; n++) {
    const size_t one = 1;
    ASSERT_CL(build(program, n == 1 ? "-DN=1" : "-DN=2"));
    cl_kernel kernel = clCreateKernel(program, "set", &error);
    ASSERT_CL(error);
    ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
    ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    test_read(buffer, sizeof(read), &read);
    assert_int_equal(read, n);
    ASSERT_CL(clReleaseKernel(kernel));
  }
  ASSERT_CL(clReleaseProgram(program));
  ASSERT_CL(clReleaseMemObject(buffer));
}

static void a_failed_build_leaves_no_executable(void **state) {
  (void)state;
  cl_int error;
  cl_program program = create(dut.context, broken);
  ASSERT_CL_ERROR(build(program, NULL), CL_BUILD_PROGRAM_FAILURE);
  ASSERT_CL_REFUSED(clCreateKernel(program, "one", &error), error, CL_INVALID_PROGRAM_EXECUTABLE);
  ASSERT_CL(clReleaseProgram(program));
}

static void refuses_to_build_while_kernels_exist(void **state) {
  (void)state;
  cl_int error;
  cl_program program = test_program(good, NULL);
  cl_kernel kernel = clCreateKernel(program, "one", &error);
  ASSERT_CL(error);
  ASSERT_CL_ERROR(build(program, NULL), CL_INVALID_OPERATION);
  ASSERT_CL(clReleaseKernel(kernel));
  ASSERT_CL(build(program, NULL));
  ASSERT_CL(clReleaseProgram(program));
}

static void refuses_device_lists_that_do_not_match_the_count(void **state) {
  (void)state;
  cl_program program = create(dut.context, good);
  ASSERT_CL_ERROR(clBuildProgram(program, 1, NULL, NULL, NULL, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(clBuildProgram(program, 0, &dut.device, NULL, NULL, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(clBuildProgram(program, 0, NULL, NULL, NULL, &program), CL_INVALID_VALUE);
  ASSERT_CL(clReleaseProgram(program));
}

static void refuses_invalid_programs_devices_and_options(void **state) {
  (void)state;
  const cl_device_id null_device = NULL;
  cl_program program = create(dut.context, good);
  ASSERT_CL_ERROR(clBuildProgram(NULL, 0, NULL, NULL, NULL, NULL), CL_INVALID_PROGRAM);
  ASSERT_CL_ERROR(clBuildProgram(program, 1, &null_device, NULL, NULL, NULL), CL_INVALID_DEVICE);
  ASSERT_CL_ERROR(build(program, "-no-such-option"), CL_INVALID_BUILD_OPTIONS);
  ASSERT_CL_ERROR(build(program, "-cl-std=CL9.9"), CL_INVALID_BUILD_OPTIONS);
  ASSERT_CL(clReleaseProgram(program));
}

static void build_info_obeys_the_rules(void **state) {
  (void)state;
  size_t size;
  char byte[1];
  cl_program program = test_program(good, NULL);
  ASSERT_CL_ERROR(clGetProgramBuildInfo(NULL, dut.device, CL_PROGRAM_BUILD_STATUS, 0, NULL, &size), CL_INVALID_PROGRAM);
  ASSERT_CL_ERROR(clGetProgramBuildInfo(program, NULL, CL_PROGRAM_BUILD_STATUS, 0, NULL, &size), CL_INVALID_DEVICE);
  ASSERT_CL_ERROR(clGetProgramBuildInfo(program, dut.device, 0x7FFF, 0, NULL, &size), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(clGetProgramBuildInfo(program, dut.device, CL_PROGRAM_BUILD_STATUS, 1, byte, NULL), CL_INVALID_VALUE);
  ASSERT_CL(clReleaseProgram(program));
}

static void the_compiler_may_be_unloaded_between_builds(void **state) {
  (void)state;
  ASSERT_CL(clUnloadPlatformCompiler(dut.platform));
  cl_program program = test_program(good, NULL);
  ASSERT_CL(clUnloadPlatformCompiler(dut.platform));
  ASSERT_CL(clUnloadCompiler());
  ASSERT_CL(clReleaseProgram(program));
  program = test_program(good, "-DAGAIN");
  ASSERT_CL(clReleaseProgram(program));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(success_is_recorded_with_the_options),
      cmocka_unit_test(status_is_none_before_any_build),
      cmocka_unit_test(log_of_broken_source_has_line_column_and_caret),
      cmocka_unit_test(warnings_are_logged_and_do_not_fail),
      cmocka_unit_test(log_also_reaches_the_contexts_callback),
      cmocka_unit_test(callback_comes_once_after_success_and_failure),
      cmocka_unit_test(a_program_may_be_built_again_with_other_options),
      cmocka_unit_test(a_failed_build_leaves_no_executable),
      cmocka_unit_test(refuses_to_build_while_kernels_exist),
      cmocka_unit_test(refuses_device_lists_that_do_not_match_the_count),
      cmocka_unit_test(refuses_invalid_programs_devices_and_options),
      cmocka_unit_test(build_info_obeys_the_rules),
      cmocka_unit_test(the_compiler_may_be_unloaded_between_builds),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
