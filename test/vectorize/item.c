/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Running a work-item's text as a kernel and as C. */
#include "item.h"

static void fill_input(uint *in) {
  for (uint i = 0; i < ITEM_ELEMENTS; i++) in[i] = i < 256 ? (i * 2654435761u) >> ((i % 4) * 8) : i;
}

static void compare(const item_t *item, size_t local, uint n, const uint *expected, const uint *actual) {
  for (size_t i = 0; i < ITEM_ELEMENTS; i++) {
    if (expected[i] == actual[i]) continue;
    print_error("%s, local size %zu, n = %u: out[%zu] is %#x, should be %#x\n", item->name, local, n, i, actual[i],
                expected[i]);
    fail();
  }
}

static void run_once(const item_t *item, cl_kernel kernel, size_t local, uint n) {
  static uint in[ITEM_ELEMENTS], expected[ITEM_ELEMENTS], actual[ITEM_ELEMENTS];
  const size_t count = ITEM_COUNT;
  fill_input(in);
  memset(expected, 0x55, sizeof(expected));
  cl_mem buffers[] = {test_buffer(sizeof(in), in), test_buffer(sizeof(expected), expected)};
  for (uint g = 0; g < ITEM_COUNT; g++) item->function(in, expected, n, g);
  for (cl_uint i = 0; i < 2; i++) ASSERT_CL(clSetKernelArg(kernel, i, sizeof(buffers[i]), &buffers[i]));
  ASSERT_CL(clSetKernelArg(kernel, 2, sizeof(n), &n));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &count, &local, 0, NULL, NULL));
  test_read(buffers[1], sizeof(actual), actual);
  for (int i = 0; i < 2; i++) ASSERT_CL(clReleaseMemObject(buffers[i]));
  compare(item, local, n, expected, actual);
}

void item_run(const item_t *item) {
  static const size_t locals[] = {70, 35, 20, 5, 1, 64, 37};
  if (item->not_il) SKIP_WITH_IL(item->not_il);
  bool any_size = test_device_number(CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT) != CL_FALSE;
  cl_kernel kernel = test_kernel(item->source, "-cl-std=CL3.0", item->name);
  for (size_t i = 0; i < sizeof(locals) / sizeof(locals[0]); i++) {
    if (ITEM_COUNT % locals[i] && !any_size) continue;
    for (uint n = 0; n <= 10; n += 5) run_once(item, kernel, locals[i], n);
  }
  ASSERT_CL(clReleaseKernel(kernel));
}
