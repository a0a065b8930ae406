/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * cl_arm_printf: what kernels print goes to a function of the application. */
#include <stdio.h>
#include <stdlib.h>

#include "test_extension.h"

enum { CALLBACK_PROPERTY = 0x40B0, SIZE_PROPERTY = 0x40B1, LIMIT = 4 << 20 };

typedef struct output_t {
  char *text;
  size_t length;
  unsigned calls;
} output_t;

static int open_device(void **state) { return test_device_open(state) || !test_has_extension("cl_arm_printf"); }

static void CL_CALLBACK take(const char *buffer, size_t length, size_t complete, void *user_data) {
  (void)complete;
  output_t *output = user_data;
  assert_true(output->length + length <= LIMIT);
  memcpy(output->text + output->length, buffer, length);
  output->length += length;
  output->calls++;
}

/** Runs a kernel in a context with the callback. */
static void run(const char *source, size_t items, output_t *output) {
  const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
                                              (cl_context_properties)dut.platform,
                                              CALLBACK_PROPERTY,
                                              (cl_context_properties)take,
                                              SIZE_PROPERTY,
                                              1 << 16,
                                              0};
  cl_int error;
  output->text = malloc(LIMIT + 1);
  cl_context context = clCreateContext(properties, 1, &dut.device, NULL, output, &error);
  ASSERT_CL(error);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, dut.device, NULL, &error);
  ASSERT_CL(error);
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
  ASSERT_CL(error);
  ASSERT_CL(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
  cl_kernel kernel = clCreateKernel(program, "k", &error);
  ASSERT_CL(error);
  ASSERT_CL(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  ASSERT_CL(clFinish(queue));
  output->text[output->length] = 0;
  ASSERT_CL(clReleaseKernel(kernel));
  ASSERT_CL(clReleaseProgram(program));
  ASSERT_CL(clReleaseCommandQueue(queue));
  ASSERT_CL(clReleaseContext(context));
}

static void gets_what_a_kernel_prints(void **state) {
  (void)state;
  output_t output = {0};
  run("kernel void k() { printf(\"%d and %s\\n\", 42, \"more\"); }", 1, &output);
  assert_string_equal(output.text, "42 and more\n");
  assert_int_equal(output.calls, 1);
  free(output.text);
}

static void gets_more_than_a_buffer_holds(void **state) {
  (void)state;
  const size_t items = 40000;
  output_t output = {0};
  run("kernel void k() { printf(\"%8d %s\\n\", (int)get_global_id(0), \"0123456789012345678901234567890123456789\"); }",
      items, &output);
  assert_int_equal(output.length, items * 50);
  long long sum = 0;
  for (const char *line = output.text; *line; line = strchr(line, '\n') + 1) sum += atoi(line);
  assert_true(sum == (long long)items * (long long)(items - 1) / 2);
  free(output.text);
}

static void is_not_called_when_nothing_is_printed(void **state) {
  (void)state;
  output_t output = {0};
  run("kernel void k(void) { if (get_global_size(0) == 0) printf(\"never\\n\"); }", 16, &output);
  assert_int_equal(output.calls, 0);
  free(output.text);
}

static void user_data_still_needs_a_function(void **state) {
  (void)state;
  cl_int error;
  int data;
  ASSERT_CL_REFUSED(clCreateContext(NULL, 1, &dut.device, NULL, &data, &error), error, CL_INVALID_VALUE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gets_what_a_kernel_prints),
      cmocka_unit_test(gets_more_than_a_buffer_holds),
      cmocka_unit_test(is_not_called_when_nothing_is_printed),
      cmocka_unit_test(user_data_still_needs_a_function),
  };
  return cmocka_run_group_tests(tests, open_device, test_device_close);
}
