/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Results so large that they are stored past the caches. */
#include "item.h"

/* Bytes of the result, beyond those from which on it counts as large; neither a multiple of a vector. */
enum { RESULT_BYTES = (36 << 20) + 12 };

static const char source[] =
    "kernel void words(global const uint *in, global uint *out, uint n) {\n"
    "  size_t i = get_global_id(0);\n"
    "  if (i < n) out[i] = in[i & 1023] + (uint)i;\n"
    "}\n"
    "kernel void pairs(global const uint *in, global uint2 *out, uint n) {\n"
    "  size_t i = get_global_id(0);\n"
    "  if (i < n) out[i] = (uint2)(in[i & 1023] + 2 * (uint)i, in[2 * i & 1023] + 2 * (uint)i + 1);\n"
    "}\n"
    "kernel void bytes(global const uint *in, global uchar *out, uint n) {\n"
    "  size_t i = get_global_id(0);\n"
    "  if (i < n) out[i] = (uchar)(in[i & 1023] + i);\n"
    "}\n"
    "kernel void two(global const uint *in, global uint *out, uint n) {\n"
    "  size_t i = get_global_id(0);\n"
    "  global uint *other = out + (n + 1) / 2;\n"
    "  if (i < n / 2) {\n"
    "    out[i] = in[i & 1023] + (uint)i;\n"
    "    other[i] = in[(i + (n + 1) / 2) & 1023] + (uint)(i + (n + 1) / 2);\n"
    "  }\n"
    "}\n";

static uint in[1024];

static uint expected_word(size_t i) { return in[i & 1023] + (uint)i; }
static uint expected_pair(size_t i) { return (i & 1 ? in[(i - 1) & 1023] : in[i / 2 & 1023]) + (uint)i; }

static uint word_at(const uchar *bytes, size_t i) {
  uint word;
  memcpy(&word, bytes + 4 * i, 4);
  return word;
}

static void check(size_t i, uint actual, uint expected) {
  if (actual != expected) fail_msg("element %zu is %#x, should be %#x", i, actual, expected);
}

/* A result that begins `skip` elements into the range, in groups of `local` work-items, 0 for any. */
static void run(const char *name, size_t count, size_t skip, size_t local, uchar *result) {
  cl_kernel kernel = test_kernel(source, "-cl-std=CL3.0", name);
  const uint n = (uint)count;
  const size_t items = (count + 255) / 256 * 256;
  memset(result, 0x55, RESULT_BYTES);
  cl_mem buffers[] = {test_buffer(sizeof(in), in), test_buffer(RESULT_BYTES, result)};
  for (cl_uint i = 0; i < 2; i++) ASSERT_CL(clSetKernelArg(kernel, i, sizeof(buffers[i]), &buffers[i]));
  ASSERT_CL(clSetKernelArg(kernel, 2, sizeof(n), &n));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, &skip, &items, local ? &local : NULL, 0, NULL, NULL));
  test_read(buffers[1], RESULT_BYTES, result);
  for (int i = 0; i < 2; i++) ASSERT_CL(clReleaseMemObject(buffers[i]));
  ASSERT_CL(clReleaseKernel(kernel));
}

static void results_are_whole(void **state) {
  (void)state;
  static const struct {
    size_t skip, local;
  } shapes[] = {{0, 0}, {3, 256}};
  uchar *result = malloc(RESULT_BYTES);
  assert_non_null(result);
  for (size_t i = 0; i < 1024; i++) in[i] = (uint)(i * 2654435761u);
  for (size_t s = 0; s < sizeof(shapes) / sizeof(shapes[0]); s++) {
    const size_t words = RESULT_BYTES / 4, skip = shapes[s].skip, local = shapes[s].local;
    run("words", words, skip, local, result);
    for (size_t i = 0; i < words; i++) check(i, word_at(result, i), i < skip ? 0x55555555 : expected_word(i));
    run("pairs", words / 2, skip, local, result);
    for (size_t i = 2 * skip; i < words / 2 * 2; i++) check(i, word_at(result, i), expected_pair(i));
    run("bytes", RESULT_BYTES, skip, local, result);
    for (size_t i = skip; i < RESULT_BYTES; i++) check(i, result[i], (uchar)(in[i & 1023] + i));
    run("two", words, skip, local, result);
    for (size_t i = skip; i < words / 2; i++) check(i, word_at(result, i), expected_word(i));
    for (size_t i = skip + (words + 1) / 2; i < words / 2 + (words + 1) / 2; i++)
      check(i, word_at(result, i), expected_word(i));
  }
  free(result);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(results_are_whole)};
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
