/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Assertions that fail in kernels (cl_intel_devicelib_assert). */
#include <stdio.h>
#include <string.h>

#include "test_device.h"
#include "test_process.h"

enum { WIDTH = 96, HEIGHT = 8, LOCAL = 16, ITEMS = WIDTH * HEIGHT };

/** What the assert() of SYCL's headers comes to. */
static const char source[] =
    "void __devicelib_assert_fail(const generic char *expr, const generic char *file, int line,\n"
    "                             const generic char *func, ulong g0, ulong g1, ulong g2, ulong l0, ulong l1, ulong "
    "l2);\n"
    "global const char expr[] = \"in[i] != bad && \\\"no 100%s\\\"\", file[] = \"dir/kernel.cpp\", func[] = "
    "\"f(int)\";\n"
    "void check(bool holds) {\n"
    "  if (!holds)\n"
    "    __devicelib_assert_fail(expr, file, 42, func, get_global_id(0), get_global_id(1), get_global_id(2),\n"
    "                            get_local_id(0), get_local_id(1), get_local_id(2));\n"
    "}\n"
    "kernel void asserts(global const int *in, global int *out, int bad) {\n"
    "  size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);\n"
    "  check(in[i] != bad);\n"
    "  out[i] = in[i] + 1;\n"
    "}\n"
    "kernel void asserts_late(global const int *in, global int *out, int bad) {\n"
    "  local int row[96];\n"
    "  size_t x = get_local_id(0), i = get_global_id(1) * get_global_size(0) + get_global_id(0);\n"
    "  row[x] = in[i];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  for (int k = 0; k < 4; k++) check(row[x] + k != bad + 3);\n"
    "  out[i] = row[x] + 1;\n"
    "}\n"
    "kernel void asserts_nothing(global const int *in, global int *out, int bad) {\n"
    "  size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);\n"
    "  if (in[i] == bad) __devicelib_assert_fail((global char *)(size_t)(bad - in[i] + 64), 0, 1, 0, 0, 0, 0, 0, 0, "
    "0);\n"
    "  out[i] = in[i] + 1;\n"
    "}\n";

typedef struct fixture_t {
  cl_program program;
  cl_mem in, out;
} fixture_t;
static fixture_t fixture;

static int set_up(void **state) {
  cl_int values[ITEMS];
  if (test_device_open(state)) return -1;
  for (int i = 0; i < ITEMS; i++) values[i] = i;
  fixture.program = test_program(source, "-cl-std=CL3.0");
  fixture.in = test_buffer(sizeof values, values);
  fixture.out = test_buffer(sizeof values, NULL);
  return 0;
}

static int tear_down(void **state) {
  ASSERT_CL(clReleaseMemObject(fixture.in));
  ASSERT_CL(clReleaseMemObject(fixture.out));
  ASSERT_CL(clReleaseProgram(fixture.program));
  return test_device_close(state);
}

/** Runs the kernel; what went to stderr is in `errors`. Returns the command's status. */
static cl_int run(const char *name, cl_int bad, char *errors, size_t size) {
  const size_t global[] = {WIDTH, HEIGHT}, local[] = {LOCAL, 1};
  test_capture_t capture;
  cl_event event;
  cl_int error, status = CL_QUEUED;
  cl_kernel kernel = clCreateKernel(fixture.program, name, &error);
  ASSERT_CL(error);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(cl_mem), &fixture.in));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof(cl_mem), &fixture.out));
  ASSERT_CL(clSetKernelArg(kernel, 2, sizeof bad, &bad));
  test_capture_begin(&capture, 2);
  error = clEnqueueNDRangeKernel(dut.queue, kernel, 2, NULL, global, local, 0, NULL, &event);
  cl_int finished = error ? error : clFinish(dut.queue);
  test_capture_end(&capture, errors, size);
  ASSERT_CL(finished);
  ASSERT_CL(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  ASSERT_CL(clReleaseEvent(event));
  ASSERT_CL(clReleaseKernel(kernel));
  return status;
}

static void assert_ends_the_command(const char *name) {
  static const cl_int places[] = {0, 7, 777, ITEMS / 2 + 5, ITEMS - 1};
  char errors[4096], expected[256];
  for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
    const int bad = places[i] < ITEMS ? places[i] : 0, x = bad % WIDTH, y = bad / WIDTH;
    snprintf(expected, sizeof expected,
             "dir/kernel.cpp:42: f(int): global id: [%d,%d,0], local id: [%d,0,0] "
             "Assertion `in[i] != bad && \"no 100%%s\"` failed.",
             x, y, x % LOCAL);
    assert_true(run(name, bad, errors, sizeof errors) < 0);
    if (!strstr(errors, expected)) fail_msg("%s printed: %s", name, errors);
  }
}

static void a_failed_assertion_ends_the_command_and_is_told(void **state) {
  (void)state;
  assert_ends_the_command("asserts");
  assert_ends_the_command("asserts_late");
}

static void assertions_that_hold_change_nothing(void **state) {
  (void)state;
  static const char *const names[] = {"asserts", "asserts_late"};
  cl_int values[ITEMS];
  char errors[256];
  for (int n = 0; n < 2; n++) {
    assert_int_equal(run(names[n], ITEMS + 100, errors, sizeof errors), CL_COMPLETE);
    assert_string_equal(errors, "");
    ASSERT_CL(clEnqueueReadBuffer(dut.queue, fixture.out, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
    for (int i = 0; i < ITEMS; i++) assert_int_equal(values[i], i + 1);
  }
}

static void one_of_many_is_told(void **state) {
  (void)state;
  const cl_int zeros[ITEMS] = {0};
  char errors[4096];
  cl_mem in = fixture.in;
  fixture.in = test_buffer(sizeof zeros, zeros);
  assert_true(run("asserts", 0, errors, sizeof errors) < 0);
  const char *first = strstr(errors, "Assertion `");
  assert_non_null(first);
  assert_null(strstr(first + 1, "Assertion `"));
  ASSERT_CL(clReleaseMemObject(fixture.in));
  fixture.in = in;
}

static void strings_that_are_nowhere_end_the_command_too(void **state) {
  (void)state;
  char errors[4096];
  assert_true(run("asserts_nothing", 5, errors, sizeof errors) < 0);
  assert_non_null(strstr(errors, "terminated"));
}

static void CL_CALLBACK note(const char *message, const void *data, size_t size, void *user_data) {
  /* There is no private information. */
  snprintf(user_data, 1024, "%s", data || size ? "with data" : message);
}

static void the_context_is_told(void **state) {
  (void)state;
  static char noted[1024];
  const cl_int value = 3;
  const size_t one = 1;
  const char *text = source;
  char errors[4096];
  cl_int error;
  test_capture_t capture;
  cl_context context = clCreateContext(NULL, 1, &dut.device, note, noted, &error);
  ASSERT_CL(error);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, dut.device, NULL, &error);
  ASSERT_CL(error);
  cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
  ASSERT_CL(error);
  ASSERT_CL(clBuildProgram(program, 1, &dut.device, "-cl-std=CL3.0", NULL, NULL));
  cl_kernel kernel = clCreateKernel(program, "asserts", &error);
  ASSERT_CL(error);
  cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof value, (void *)&value, &error);
  ASSERT_CL(error);
  for (cl_uint i = 0; i < 2; i++) ASSERT_CL(clSetKernelArg(kernel, i, sizeof buffer, &buffer));
  ASSERT_CL(clSetKernelArg(kernel, 2, sizeof value, &value));
  test_capture_begin(&capture, 2);
  error = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL);
  clFinish(queue);
  test_capture_end(&capture, errors, sizeof errors);
  ASSERT_CL(error);
  assert_string_equal(noted,
                      "dir/kernel.cpp:42: f(int): global id: [0,0,0], local id: [0,0,0] Assertion `in[i] != bad && "
                      "\"no 100%s\"` failed.");
  ASSERT_CL(clReleaseMemObject(buffer));
  ASSERT_CL(clReleaseKernel(kernel));
  ASSERT_CL(clReleaseProgram(program));
  ASSERT_CL(clReleaseCommandQueue(queue));
  ASSERT_CL(clReleaseContext(context));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_failed_assertion_ends_the_command_and_is_told),
      cmocka_unit_test(assertions_that_hold_change_nothing),
      cmocka_unit_test(one_of_many_is_told),
      cmocka_unit_test(strings_that_are_nowhere_end_the_command_too),
      cmocka_unit_test(the_context_is_told),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
