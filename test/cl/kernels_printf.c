/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * OpenCL C: printf, as it arrives on the process's stdout. */
#include <stdio.h>

#include "kernel_case.h"
#include "test_process.h"

static char output[1 << 20];

/** Runs kernel `print` over `items` work-items and leaves what it printed in `output`. */
static void print(const char *source, size_t items, size_t local) {
  test_capture_t capture;
  cl_kernel kernel = test_kernel(source, "-cl-std=CL3.0", "print");
  test_capture_begin(&capture, 1);
  cl_int error = clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &items, local != 0 ? &local : NULL, 0, NULL, NULL);
  if (error == CL_SUCCESS) error = clFinish(dut.queue);
  test_capture_end(&capture, output, sizeof(output));
  ASSERT_CL(error);
  ASSERT_CL(clReleaseKernel(kernel));
}

#define ASSERT_PRINTS(statement, expected)                    \
  do {                                                        \
    print("kernel void print(void) { " statement " }", 1, 0); \
    assert_string_equal(output, expected);                    \
  } while (0)

static void integers_of_every_width(void **state) {
  (void)state;
  ASSERT_PRINTS("printf(\"%d %i %u\\n\", -5, 7, 9u);", "-5 7 9\n");
  ASSERT_PRINTS("printf(\"%x %X %o %#x\\n\", 255, 255, 8, 16);", "ff FF 10 0x10\n");
  ASSERT_PRINTS("printf(\"%ld %lu\\n\", -5000000000l, 18446744073709551615ul);", "-5000000000 18446744073709551615\n");
  ASSERT_PRINTS("printf(\"%hd %hhd %hu\\n\", (short)-3, (char)-4, (ushort)65535);", "-3 -4 65535\n");
  ASSERT_PRINTS("printf(\"%c%c\\n\", 'o', 'k');", "ok\n");
}

static void widths_precisions_and_flags(void **state) {
  (void)state;
  ASSERT_PRINTS("printf(\"[%5d][%-5d][%05d][%+d][% d]\\n\", 42, 42, 42, 42, 42);", "[   42][42   ][00042][+42][ 42]\n");
  ASSERT_PRINTS("printf(\"[%8.3f][%-8.2f][%.0f]\\n\", 3.14159f, 2.5f, 7.0f);", "[   3.142][2.50    ][7]\n");
}

static void floats_in_every_notation(void **state) {
  (void)state;
  ASSERT_PRINTS("printf(\"%f %.2e %g\\n\", 1.5f, 12345.678f, 0.0001f);", "1.500000 1.23e+04 0.0001\n");
  ASSERT_PRINTS("printf(\"%a\\n\", 1.0f);", "0x1p+0\n");
  ASSERT_PRINTS("printf(\"%f %f %F\\n\", INFINITY, -INFINITY, INFINITY);", "inf -inf INF\n");
}

static void doubles(void **state) {
  (void)state;
  if (!test_device_has_feature("__opencl_c_fp64")) skip();
  ASSERT_PRINTS("printf(\"%.12f\\n\", 3.141592653589793);", "3.141592653590\n");
}

static void strings_and_percent_signs(void **state) {
  (void)state;
  ASSERT_PRINTS("printf(\"100%% %s|%6s|%-6s|%.2s\\n\", \"done\", \"abc\", \"abc\", \"abc\");",
                "100% done|   abc|abc   |ab\n");
  ASSERT_PRINTS("printf(\"plain\\n\");", "plain\n");
  ASSERT_PRINTS("printf(\"tab\\tquote\\\"\\n\");", "tab\tquote\"\n");
}

static void vectors(void **state) {
  (void)state;
  ASSERT_PRINTS("printf(\"%v4hlf\\n\", (float4)(1.0f, 2.0f, 3.0f, 4.5f));", "1.000000,2.000000,3.000000,4.500000\n");
  ASSERT_PRINTS("printf(\"%2.2v4hlf\\n\", (float4)(1.0f, 2.0f, 3.0f, 4.0f));", "1.00,2.00,3.00,4.00\n");
  ASSERT_PRINTS("printf(\"%v2hld %v3hd\\n\", (int2)(-1, 2), (short3)(1, 2, 3));", "-1,2 1,2,3\n");
  ASSERT_PRINTS("printf(\"%v4hhx\\n\", (uchar4)(1, 16, 255, 0));", "1,10,ff,0\n");
  ASSERT_PRINTS("printf(\"%v2ld|\\n\", (long2)(-1, 5000000000));", "-1,5000000000|\n");
}

static void pointers_print_something(void **state) {
  (void)state;
  print("kernel void print(void) { local int l; l = 1; printf(\"[%p]\\n\", &l); }", 1, 0);
  assert_true(strlen(output) > 3 && output[0] == '[');
}

/** Strings that are no literals, which the language does not promise, are what they are when printf is called. */
static void strings_of_a_work_item_are_printed_as_they_are(void **state) {
  (void)state;
  char expected[1024] = "";
  print(
      "kernel void print(void) {\n"
      "  char text[12] = \"item  says \";\n"
      "  for (int i = 0; i < 3; i++) {\n"
      "    text[5] = 'a' + get_global_id(0);\n"
      "    text[10] = '0' + i;\n"
      "    printf(\"<%s|%5.4s>\\n\", text, text);\n"
      "    text[5] = text[10] = '!';\n"
      "  }\n"
      "}",
      8, 8);
  for (int item = 0; item < 8; item++) {
    for (int i = 0; i < 3; i++) {
      snprintf(expected, sizeof expected, "<item %csays%d| item>\n", 'a' + item, i);
      if (!strstr(output, expected)) fail_msg("no %s in %s", expected, output);
    }
  }
  assert_int_equal(strlen(output), 8 * 3 * strlen(expected));
}

static void strings_need_not_end_behind_their_precision(void **state) {
  (void)state;
  print(
      "kernel void print(void) {\n"
      "  char text[4] = {'a', 'b', 'c', 'd'}, more[4] = {'x', 'x', 'x', 0};\n"
      "  printf(\"<%.4s|%.2s|%.0s|%.s>%s\\n\", text, text, text, text, more);\n"
      "}",
      1, 0);
  assert_string_equal(output, "<abcd|ab||>xxx\n");
}

static void strings_in_buffers_are_printed(void **state) {
  (void)state;
  cl_int error;
  test_capture_t capture;
  static char text[3 << 20], expected[sizeof output];
  const size_t one = 1;
  memset(text, 'x', sizeof text - 1);
  cl_mem buffer = clCreateBuffer(dut.context, CL_MEM_USE_HOST_PTR, sizeof text, text, &error);
  ASSERT_CL(error);
  cl_kernel kernel = test_kernel(
      "kernel void print(global char *text, int length) {\n"
      "  text[length] = 0; printf(\"%s.\\n\", text); text[0] = '!'; printf(\"%.9s,%s\\n\", text, text + length);\n"
      "}",
      "-cl-std=CL3.0", "print");
  for (cl_int length = 1000; length < 900000; length *= 30) {
    memset(text, 'x', sizeof text - 1);
    ASSERT_CL(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    ASSERT_CL(clSetKernelArg(kernel, 1, sizeof length, &length));
    test_capture_begin(&capture, 1);
    error = clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL);
    if (error == CL_SUCCESS) error = clFinish(dut.queue);
    test_capture_end(&capture, output, sizeof output);
    ASSERT_CL(error);
    memset(expected, 'x', sizeof expected);
    strcpy(expected + length, ".\n!xxxxxxxx,\n");
    assert_string_equal(output, expected);
  }
  ASSERT_CL(clReleaseKernel(kernel));
  ASSERT_CL(clReleaseMemObject(buffer));
}

static void each_work_item_prints_once(void **state) {
  (void)state;
  enum { ITEMS = 300 };
  static int seen[ITEMS];
  int id, count = 0;
  print("kernel void print(void) { if (get_global_id(0) % 2 == 0) printf(\"item %d.\\n\", (int)get_global_id(0)); }",
        ITEMS, 10);
  memset(seen, 0, sizeof(seen));
  for (char *line = strtok(output, "\n"); line != NULL; line = strtok(NULL, "\n"), count++) {
    assert_int_equal(sscanf(line, "item %d.", &id), 1);
    assert_in_range(id, 0, ITEMS - 1);
    seen[id]++;
  }
  assert_int_equal(count, ITEMS / 2);
  for (int i = 0; i < ITEMS; i++) assert_int_equal(seen[i], i % 2 == 0);
}

static void lines_of_one_item_stay_in_order(void **state) {
  (void)state;
  char expected[512] = "";
  for (int i = 0; i < 20; i++) sprintf(expected + strlen(expected), "line %d\n", i);
  print("kernel void print(void) { for (int i = 0; i < 20; i++) printf(\"line %d\\n\", i); }", 1, 0);
  assert_string_equal(output, expected);
}

/** Everything is out when clFinish returns, even right before a barrier and with several launches queued. */
static void several_launches_print_in_their_order(void **state) {
  (void)state;
  test_capture_t capture;
  char expected[256] = "";
  const size_t one = 1;
  cl_kernel kernel = test_kernel("kernel void print(int n) { printf(\"launch %d\\n\", n); }", NULL, "print");
  test_capture_begin(&capture, 1);
  cl_int error = CL_SUCCESS;
  for (cl_int n = 0; n < 10 && error == CL_SUCCESS; n++) {
    sprintf(expected + strlen(expected), "launch %d\n", (int)n);
    error = clSetKernelArg(kernel, 0, sizeof(n), &n);
    if (error == CL_SUCCESS) error = clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL);
  }
  if (error == CL_SUCCESS) error = clFinish(dut.queue);
  test_capture_end(&capture, output, sizeof(output));
  ASSERT_CL(error);
  assert_string_equal(output, expected);
  ASSERT_CL(clReleaseKernel(kernel));
}

static void printing_is_possible_between_barriers(void **state) {
  (void)state;
  print(
      "kernel void print(void) {\n"
      "  local int sum; int id = get_local_id(0);\n"
      "  if (id == 0) { sum = 0; printf(\"start\\n\"); }\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  atomic_add(&sum, id);\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  if (id == 3) printf(\"sum %d\\n\", sum);\n"
      "}\n",
      8, 8);
  assert_string_equal(output, "start\nsum 28\n");
}

/** printf gives 0, or -1 when it failed: more output than the buffer takes is cut, never a crash. */
static void output_beyond_the_buffer_is_cut_not_fatal(void **state) {
  (void)state;
  cl_int out[1] = {0};
  test_capture_t capture;
  const size_t items = 1;
  cl_mem buffer = test_buffer(sizeof(out), out);
  cl_kernel kernel = test_kernel(
      "kernel void print(global int *out) {\n"
      "  int bad = 0;\n"
      "  for (int i = 0; i < 200000; i++) {\n"
      "    int r = printf(\"0123456789012345678901234567890123456789 %d\\n\", i);\n"
      "    bad |= r != 0 && r != -1;\n"
      "  }\n"
      "  *out = bad + 5;\n"
      "}\n",
      NULL, "print");
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
  test_capture_begin(&capture, 1);
  cl_int error = clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL);
  if (error == CL_SUCCESS) error = clFinish(dut.queue);
  test_capture_end(&capture, output, sizeof(output));
  ASSERT_CL(error);
  test_read(buffer, sizeof(out), out);
  assert_int_equal(out[0], 5);
  assert_int_equal(strncmp(output, "0123456789012345678901234567890123456789 0\n", 43), 0);
  ASSERT_CL(clReleaseKernel(kernel));
  ASSERT_CL(clReleaseMemObject(buffer));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(integers_of_every_width),
      cmocka_unit_test(widths_precisions_and_flags),
      cmocka_unit_test(floats_in_every_notation),
      cmocka_unit_test(doubles),
      cmocka_unit_test(strings_and_percent_signs),
      cmocka_unit_test(vectors),
      cmocka_unit_test(pointers_print_something),
      cmocka_unit_test(strings_of_a_work_item_are_printed_as_they_are),
      cmocka_unit_test(strings_need_not_end_behind_their_precision),
      cmocka_unit_test(strings_in_buffers_are_printed),
      cmocka_unit_test(each_work_item_prints_once),
      cmocka_unit_test(lines_of_one_item_stay_in_order),
      cmocka_unit_test(several_launches_print_in_their_order),
      cmocka_unit_test(printing_is_possible_between_barriers),
      cmocka_unit_test(output_beyond_the_buffer_is_cut_not_fatal),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
