/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Sums that a kernel keeps in global memory, with buffers that overlap and others that do not: the code for distinct
 * buffers keeps them in registers. */
#include "test_device.h"

enum { ROWS = 37, COLUMNS = 24, ELEMENTS = ROWS * COLUMNS, SLACK = 72 };

/* A work-item owns a row of `in`. Element `n / 2` of its row of `out` is the sum, and is read on the p where the two
 * are the same memory. */
static const char source[] =
    "kernel void sum(global const uint *in, global uint *out, uint n) {\n"
    "  const size_t row = get_global_id(0) * n;\n"
    "  for (uint j = 0; j < n; j++) out[row + n / 2] += in[row + j] * 3u;\n"
    "}\n"
    /* The inner loop's store leaves that loop alone. */
    "kernel void sums(global const uint *in, global uint *out, uint n) {\n"
    "  const size_t row = get_global_id(0) * n;\n"
    "  for (uint i = 0; i < n; i++)\n"
    "    for (uint j = 0; j < n; j++) out[row + i] += in[row + j] * (i + 1u);\n"
    "}\n"
    "kernel void barriers(global const uint *in, global uint *out, uint n) {\n"
    "  local uint seen[64];\n"
    "  const size_t row = get_global_id(0) * n;\n"
    "  for (uint i = 0; i < 3; i++) {\n"
    "    seen[get_local_id(0)] = out[row + n / 2];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (uint j = 0; j < n; j++) out[row + n / 2] += in[row + j] + seen[get_local_id(0)];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  }\n"
    "}\n";

typedef void expect_t(const cl_uint *in, cl_uint *out, cl_uint n);

static void expect_sum(const cl_uint *in, cl_uint *out, cl_uint n) {
  for (cl_uint j = 0; j < n; j++) out[n / 2] += in[j] * 3;
}

static void expect_sums(const cl_uint *in, cl_uint *out, cl_uint n) {
  for (cl_uint i = 0; i < n; i++)
    for (cl_uint j = 0; j < n; j++) out[i] += in[j] * (i + 1);
}

static void expect_barriers(const cl_uint *in, cl_uint *out, cl_uint n) {
  for (cl_uint i = 0; i < 3; i++) {
    const cl_uint seen = out[n / 2];
    for (cl_uint j = 0; j < n; j++) out[n / 2] += in[j] + seen;
  }
}

typedef struct case_t {
  const char *name;
  expect_t *expect;
} case_t;

/* One memory for both; `out` begins so many elements behind `in`. */
static cl_uint given[2 * (ELEMENTS + SLACK)], expected[2 * (ELEMENTS + SLACK)];

static void expect(const case_t *one, size_t distance) {
  for (size_t i = 0; i < sizeof(given) / sizeof(given[0]); i++)
    expected[i] = given[i] = (cl_uint)(i * 2654435761u >> 7);
  /* Rows that overlap those of other work-items would race; whole rows or none do. */
  for (size_t row = 0; row < ROWS; row++)
    one->expect(expected + row * COLUMNS, expected + distance + row * COLUMNS, COLUMNS);
}

static void launch(cl_kernel kernel, size_t local) {
  const size_t items = ROWS;
  const cl_uint n = COLUMNS;
  ASSERT_CL(clSetKernelArg(kernel, 2, sizeof(n), &n));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &items, &local, 0, NULL, NULL));
}

static void check(const cl_uint *result, const char *what, const case_t *one) {
  for (size_t i = 0; i < sizeof(given) / sizeof(given[0]); i++) {
    if (result[i] != expected[i])
      fail_msg("%s, %s: element %zu is %u, not %u", one->name, what, i, result[i], expected[i]);
  }
}

static cl_mem part_of(cl_mem buffer, size_t begin, size_t count) {
  const cl_buffer_region region = {begin * sizeof(cl_uint), count * sizeof(cl_uint)};
  cl_int error;
  cl_mem part = clCreateSubBuffer(buffer, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
  ASSERT_CL(error);
  return part;
}

/* The same buffer for both, parts of it that overlap wholly and in no byte, and again the same one. */
static void with_buffers(const case_t *one, cl_kernel kernel, size_t local) {
  static cl_uint result[sizeof(given) / sizeof(given[0])];
  static const struct {
    const char *what;
    size_t distance, count;
  } pairs[] = {
      {"one part", 0, ELEMENTS}, {"two parts", ELEMENTS + SLACK, ELEMENTS}, {"one part again", 0, ELEMENTS + SLACK}};
  for (size_t p = 0; p < sizeof(pairs) / sizeof(pairs[0]); p++) {
    expect(one, pairs[p].distance);
    cl_mem all = test_buffer(sizeof(given), given);
    cl_mem in = part_of(all, 0, pairs[p].count), out = part_of(all, pairs[p].distance, pairs[p].count);
    ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(in), &in));
    ASSERT_CL(clSetKernelArg(kernel, 1, sizeof(out), &out));
    launch(kernel, local);
    test_read(all, sizeof(result), result);
    check(result, pairs[p].what, one);
    ASSERT_CL(clReleaseMemObject(in));
    ASSERT_CL(clReleaseMemObject(out));
    ASSERT_CL(clReleaseMemObject(all));
  }
}

/* Two pointers into one allocation. */
static void with_pointers(const case_t *one, cl_kernel kernel, size_t local) {
  cl_uint *memory = clSVMAlloc(dut.context, CL_MEM_READ_WRITE, sizeof(given), 0);
  assert_non_null(memory);
  for (size_t p = 0; p < 2; p++) {
    const size_t distance = p ? ELEMENTS + SLACK : 0;
    expect(one, distance);
    ASSERT_CL(clEnqueueSVMMemcpy(dut.queue, CL_TRUE, memory, given, sizeof(given), 0, NULL, NULL));
    ASSERT_CL(clSetKernelArgSVMPointer(kernel, 0, memory));
    ASSERT_CL(clSetKernelArgSVMPointer(kernel, 1, memory + distance));
    launch(kernel, local);
    static cl_uint result[sizeof(given) / sizeof(given[0])];
    ASSERT_CL(clEnqueueSVMMemcpy(dut.queue, CL_TRUE, result, memory, sizeof(result), 0, NULL, NULL));
    check(result, distance ? "two places" : "one place", one);
  }
  clSVMFree(dut.context, memory);
}

/* Two allocations, with pointers to their middles. */
static void with_allocations(const case_t *one, cl_kernel kernel, size_t local) {
  static cl_uint result[sizeof(given) / sizeof(given[0])];
  const size_t half = sizeof(given) / 2, middle = ELEMENTS + SLACK;
  cl_uint *in = clSVMAlloc(dut.context, CL_MEM_READ_WRITE, sizeof(given), 0);
  cl_uint *out = clSVMAlloc(dut.context, CL_MEM_READ_WRITE, sizeof(given), 0);
  assert_non_null(in);
  assert_non_null(out);
  expect(one, middle);
  ASSERT_CL(clEnqueueSVMMemcpy(dut.queue, CL_TRUE, in + middle, given, half, 0, NULL, NULL));
  ASSERT_CL(clEnqueueSVMMemcpy(dut.queue, CL_TRUE, out + middle, given + middle, half, 0, NULL, NULL));
  ASSERT_CL(clSetKernelArgSVMPointer(kernel, 0, in + middle));
  ASSERT_CL(clSetKernelArgSVMPointer(kernel, 1, out + middle));
  launch(kernel, local);
  ASSERT_CL(clEnqueueSVMMemcpy(dut.queue, CL_TRUE, result, in + middle, half, 0, NULL, NULL));
  ASSERT_CL(clEnqueueSVMMemcpy(dut.queue, CL_TRUE, result + middle, out + middle, half, 0, NULL, NULL));
  check(result, "two allocations", one);
  clSVMFree(dut.context, in);
  clSVMFree(dut.context, out);
}

static void run_case(void **state) {
  const case_t *one = *state;
  cl_kernel kernel = test_kernel(source, "-cl-std=CL3.0", one->name);
  static const size_t locals[] = {ROWS, 16, 1};
  for (size_t i = 0; i < sizeof(locals) / sizeof(locals[0]); i++) {
    with_buffers(one, kernel, locals[i]);
    with_pointers(one, kernel, locals[i]);
    with_allocations(one, kernel, locals[i]);
  }
  ASSERT_CL(clReleaseKernel(kernel));
}

#define CASE(NAME)                                                          \
  {                                                                         \
    #NAME, run_case, NULL, NULL, (void *)&(case_t) { #NAME, expect_##NAME } \
  }

int main(void) {
  const struct CMUnitTest tests[] = {CASE(sum), CASE(sums), CASE(barriers)};
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
