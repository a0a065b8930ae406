/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Quotients and remainders of ids by powers of two in indices: the lanes of a vector may be in one aligned block or in
 * several, and ids may be negative or wrap. */
#include <stdio.h>

#include "test_device.h"

enum { ITEMS = 300, MIDDLE = 1024, SIZE = 2 * MIDDLE };

/* What the work-item `i` reads, beside the middle of the input, and what it writes. */
typedef struct quotients_case_t {
  const char *type, *read, *written;
  cl_long (*find_read)(cl_long id), (*find_written)(cl_long id);
} quotients_case_t;

/* Both index expressions once for the host and once for the kernel. */
#define CASE(NAME, C_TYPE, READ, WRITTEN)     \
  static cl_long NAME##_read(cl_long id) {    \
    const C_TYPE i = (C_TYPE)id;              \
    return (cl_long)(READ);                   \
  }                                           \
  static cl_long NAME##_written(cl_long id) { \
    const C_TYPE i = (C_TYPE)id;              \
    return (cl_long)(WRITTEN);                \
  }                                           \
  static const quotients_case_t NAME = {      \
      .type = #C_TYPE, .read = #READ, .written = #WRITTEN, .find_read = NAME##_read, .find_written = NAME##_written};

CASE(padded_blocks, cl_int, i / 16 * 20 + i % 16, i / 16 * 16 + i % 16)
CASE(blocks, cl_int, i / 16, i / 8 * 8 + i % 8)
CASE(long_blocks, cl_int, i % 64 * 3 + i / 64, i)
CASE(shifted, cl_int, (i >> 4) * 20 + (i & 15), (i >> 3 << 3) + (i & 7))
CASE(starts, cl_int, (i & ~31) + (i & 31) / 4, (i & ~3) | (i & 3))
CASE(nested, cl_int, (i & 63) / 16 * 5 + i % 4, (i & ~63) + (i & 63) / 8 * 8 + i % 8)
CASE(reversed, cl_int, i / 16 * 16 + (15 - i % 16), (i & ~3) + (3 - (i & 3)))
CASE(strides, cl_int, (3 * i + 1) / 64 + (2 * i) % 32, i)
CASE(unsigned_blocks, cl_uint, i % 64u * 2 + (i >> 4) % 8u, i % 512u)
/* InstCombine clears the low bits that are zero anyway: & 62. */
CASE(pairs, cl_uint, (2u * i >> 6) % 8u * 80u + 2u * i % 64u, (i >> 5) % 16u * 64u + (2u * i + 1u) % 64u)
CASE(quads, cl_int, i / 8 * 4 + (4 * i) % 32 + (4 * i + 3) % 32, i)
CASE(wide_blocks, cl_ulong, i % 256 / 16 * 20 + i % 16, i % 512)
CASE(wide_signed, cl_long, i / 32 * 40 + i % 32, i / 16 * 16 + i % 16)

static const char frame[] =
    "typedef int cl_int; typedef uint cl_uint; typedef long cl_long; typedef ulong cl_ulong;\n"
    "kernel void k(global const int *in, global int *out, int shift) {\n"
    "  const %s i = get_global_id(0) + shift;\n"
    "  int value = in[%d + (long)(%s)];\n"
    "  if (value %% 3) value += in[%d + (long)(%s) + 1];\n"
    "  out[%d + (long)(%s)] = value;\n"
    "}\n"
    "kernel void l(global const int *in, global int *out, int shift) {\n"
    "  const %s i = (int)get_local_id(0) + shift;\n"
    "  const long group = get_group_id(0) * get_enqueued_local_size(0);\n"
    "  int value = in[%d + (long)(%s)];\n"
    "  if (value %% 3) value += in[%d + (long)(%s) + 1];\n"
    "  if (group == 0) out[%d + (long)(%s)] = value;\n"
    "}\n";

static void expect(const quotients_case_t *test, const cl_int *in, cl_int *out, cl_long first, size_t count) {
  for (size_t n = 0; n < count; n++) {
    const cl_long id = first + (cl_long)n, from = MIDDLE + test->find_read(id);
    out[MIDDLE + test->find_written(id)] = in[from] % 3 ? in[from] + in[from + 1] : in[from];
  }
}

/* `is_local`: of the ids in a work-group, whose first one keeps its results. */
static void run(cl_kernel kernel, const quotients_case_t *test, size_t offset, size_t local, cl_int shift,
                bool is_local) {
  static cl_int in[SIZE], expected[SIZE], out[SIZE];
  const size_t items = ITEMS, counted = is_local && local ? local : ITEMS;
  for (int i = 0; i < SIZE; i++) in[i] = (i * 7919) % 1009;
  memset(expected, 0x55, sizeof expected);
  memset(out, 0x55, sizeof out);
  expect(test, in, expected, (cl_long)(is_local ? 0 : offset) + shift, counted);
  cl_mem buffers[] = {test_buffer(sizeof in, in), test_buffer(sizeof out, out)};
  for (cl_uint i = 0; i < 2; i++) ASSERT_CL(clSetKernelArg(kernel, i, sizeof(cl_mem), &buffers[i]));
  ASSERT_CL(clSetKernelArg(kernel, 2, sizeof shift, &shift));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, &offset, &items, local ? &local : NULL, 0, NULL, NULL));
  test_read(buffers[1], sizeof out, out);
  for (int i = 0; i < 2; i++) ASSERT_CL(clReleaseMemObject(buffers[i]));
  assert_memory_equal(out, expected, sizeof out);
}

static void all_places(void **state) {
  static const size_t offsets[] = {0, 16, 5}, locals[] = {ITEMS, 64, 16, 24, 7, 1};
  static const cl_int shifts[] = {0, 32, -7, -128};
  const quotients_case_t *test = *state;
  char source[2048];
  snprintf(source, sizeof source, frame, test->type, MIDDLE, test->read, MIDDLE, test->read, MIDDLE, test->written,
           test->type, MIDDLE, test->read, MIDDLE, test->read, MIDDLE, test->written);
  cl_kernel by_global = test_kernel(source, "-cl-std=CL3.0", "k"), by_local = test_kernel(source, "-cl-std=CL3.0", "l");
  for (size_t s = 0; s < sizeof shifts / sizeof *shifts; s++) {
    for (size_t l = 0; l < sizeof locals / sizeof *locals; l++) {
      for (size_t o = 0; o < sizeof offsets / sizeof *offsets; o++) {
        run(by_global, test, offsets[o], locals[l], shifts[s], false);
      }
      run(by_local, test, 0, locals[l], shifts[s], true);
    }
    run(by_global, test, 0, 0, shifts[s], false);
  }
  ASSERT_CL(clReleaseKernel(by_global));
  ASSERT_CL(clReleaseKernel(by_local));
}

#define TEST(NAME) {#NAME, all_places, NULL, NULL, (void *)(uintptr_t)&NAME}

int main(void) {
  const struct CMUnitTest tests[] = {TEST(padded_blocks),   TEST(blocks), TEST(long_blocks), TEST(shifted),
                                     TEST(starts),          TEST(nested), TEST(reversed),    TEST(strides),
                                     TEST(unsigned_blocks), TEST(pairs),  TEST(quads),       TEST(wide_blocks),
                                     TEST(wide_signed)};
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
