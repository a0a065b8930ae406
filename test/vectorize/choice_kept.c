/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Which form of a kernel is faster is found out by one process, and known to the next one from its first launch. */
#include <stdio.h>
#include <unistd.h>

#include "cache_folder.h"
#include "test_device.h"
#include "test_process.h"

enum { ITEMS = 1 << 14, LAUNCHES = 200, TEXT = 1 << 14 };

static const char source[] =
    "kernel void chase(global const uint *next, global uint *out) {\n"
    "  uint at = get_global_id(0), sum = 0;\n"
    "  for (uint i = 0; i < 64; i++) sum += at = next[at];\n"
    "  out[get_global_id(0)] = sum;\n"
    "}\n";

/* In a process of its own: prints how often the choice was made, and whether it was remembered. */
static int child(const char *role) {
  static cl_uint next[ITEMS];
  static char text[TEXT];
  void *state = NULL;
  const size_t count = ITEMS;
  cl_int error;
  if (test_device_open(&state) != 0) return 1;
  for (cl_uint i = 0; i < ITEMS; i++) next[i] = i * 2654435761u % ITEMS;
  test_capture_t capture;
  test_capture_begin(&capture, STDERR_FILENO);
  cl_program program = test_program(source, "-cl-std=CL3.0");
  cl_kernel kernel = clCreateKernel(program, "chase", &error);
  cl_mem in = test_buffer(sizeof next, next), out = test_buffer(sizeof next, NULL);
  ASSERT_CL(error);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(cl_mem), &in));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof(cl_mem), &out));
  bool is_chosen = false;
  for (int i = 0; i < LAUNCHES && !is_chosen; i++) {
    ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &count, NULL, 0, NULL, NULL));
    ASSERT_CL(clFinish(dut.queue));
    is_chosen = strstr(test_capture_text(&capture), "kernel 'chase' runs as") != NULL;
  }
  ASSERT_CL(clReleaseMemObject(in));
  ASSERT_CL(clReleaseMemObject(out));
  ASSERT_CL(clReleaseKernel(kernel));
  ASSERT_CL(clReleaseProgram(program));
  /* Another thread keeps it. */
  const double end = test_seconds() + 60;
  while (is_chosen && !strstr(test_capture_text(&capture), " 16 bytes") && test_seconds() < end) usleep(1000);
  test_capture_end(&capture, text, sizeof text);
  printf("%s: %s, %s", role, is_chosen ? "measured" : "not measured",
         strstr(text, "found what was measured of kernel 'chase'") ? "remembered" : "not remembered");
  return 0;
}

static void the_next_process_remembers(void **state) {
  (void)state;
  char output[256];
  assert_int_equal(test_run_self("first", output, sizeof output), 0);
  assert_string_equal(output, "first: measured, not remembered");
  assert_int_equal(test_run_self("second", output, sizeof output), 0);
  assert_string_equal(output, "second: not measured, remembered");
}

int main(int argc, char **argv) {
  if (argc > 1) return child(argv[1]);
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_next_process_remembers)};
  return cmocka_run_group_tests(tests, cache_folder_make, cache_folder_remove);
}
