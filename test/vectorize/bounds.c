/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Kernels of which only the first work-items do anything, as a number made from theirs tells. */
#include "item.h"

ITEM(multiple, {
  if (g * 4 < n * 41 + 2) out[g] = in[g] + n;
})

ITEM(odd_multiple, {
  if (g * 3 + 7 < n * 20) out[g] = in[g] * 5;
})

ITEM(last_of_four, {
  if (4 * g + 3 < n * 31) out[g] = in[4 * g + 3];
})

/* Below zero at first. */
ITEM(sign, {
  if ((int)g * 3 - 50 < (int)n * 9 - 20) out[g] = in[g] ^ n;
})

/* The first work-items are far above, and wrap. */
ITEM(difference, {
  if (g - 5 < n * 10) out[g] = in[g] - n;
})

ITEM(multiple_wraps, {
  if (g * 65536 + 0xfff80000u < (n + 1) * 0x80000u) out[g] = in[g] + 1;
})

ITEM(sign_changes, {
  if ((int)(g * 65536 + 0x7ff80000u) < (int)n * 100000) out[g] = in[g] + 2;
})

/* Wraps before it is extended: what is multiplied afterwards jumps back. */
ITEM(wraps_within, {
  if ((ulong)(uint)(g * 32768 + 0xfffc0000u) * 16 < (ulong)n * 0x100000u) out[g] = in[g] + 3;
})

ITEM(sign_within, {
  if ((long)(int)(g + 0x7fffffe0u) * 5 < (long)n * 1000) out[g] = in[g] + 4;
})

ITEM(wide, {
  if ((ulong)g * 12 + 5 < (ulong)n * 100) out[g] = in[g] + 5;
})

ITEM(wide_wraps, {
  if ((ulong)g * 4096 + 0xfffffffffffe0000ul < (ulong)n * 50000) out[g] = in[g] + 6;
})

ITEM(wide_sign_changes, {
  if ((long)((ulong)g * 4096 + 0x7ffffffffffe0000ul) < (long)n * 50000) out[g] = in[g] + 7;
})

/* The bound counts only where something else holds. */
ITEM(bound_behind_test, {
  if (n > 2 && g * 2 < 200 / n) out[g] = in[g] + 8;
})

/* The guard of a stencil: what all work-items share, an upper bound, and a lower one. */
ITEM(stencil, {
  int x = (int)g;
  int y = (int)n;
  int end = (int)(n & 3) * 16 + 70;
  if (x > 2 && y > 0 && x < end - 1 && y < 1000 && in[7] != 3) out[g] = in[x - 1] + in[x + 1] * 3;
})

/* The same, one group of conditions after the other, of which the first fails for some n. */
ITEM(stencil_of_some, {
  int x = (int)g;
  if (!((n & 1) != 0 || x >= (int)n * 7 || x == 20 || (n & 2) != 0)) out[g] = in[x] * 7;
})

ITEM(never, {
  if (g * 4 < 0 * n) out[g] = in[g];
})

ITEM(narrow, {
  if ((ushort)(g * 600) < n * 9000) out[g] = in[g] + 9;
})

/* A number of 8 bits wraps twice where one of 16 does once: both ends are as far apart as they would be without. Atomic
 * operations keep the loop scalar, which ends at the bound. */
static void wraps_cancel(void **state) {
  (void)state;
  enum { COUNT = 512 };
  static const char source[] =
      "kernel void count(global uint *out, int n, short d) {\n"
      "  if ((short)((char)get_local_id(0) * 128 + d) < n) atomic_add(&out[get_global_id(0) * 77 & 511], 1u);\n"
      "}\n";
  const cl_int n = 0;
  const cl_short d = -32768;
  const size_t count = COUNT;
  uint out[COUNT] = {0};
  cl_kernel kernel = test_kernel(source, "-cl-std=CL3.0", "count");
  cl_mem buffer = test_buffer(sizeof(out), out);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof(n), &n));
  ASSERT_CL(clSetKernelArg(kernel, 2, sizeof(d), &d));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &count, &count, 0, NULL, NULL));
  test_read(buffer, sizeof(out), out);
  for (int i = 0; i < COUNT; i++) {
    const short number = (short)((signed char)i * 128 + d);
    assert_int_equal(out[i * 77 & 511], number < n);
  }
  ASSERT_CL(clReleaseMemObject(buffer));
  ASSERT_CL(clReleaseKernel(kernel));
}

/* Numbers that no register has. */
static void more_bits(void **state) {
  (void)state;
  SKIP_WITH_IL("SPIR-V has no integers of 65 bits");
  static const char source[] =
      "kernel void wide(global uint *out, ulong n) {\n"
      "  unsigned _BitInt(65) number = get_global_id(0);\n"
      "  if (number * 4 < n) out[get_global_id(0)] = 3;\n"
      "}\n";
  ASSERT_CL(clReleaseKernel(test_kernel(source, "-cl-std=CL3.0", "wide")));
}

DEFINE_RUN_ITEM

int main(void) {
  const struct CMUnitTest tests[] = {
      ITEM_TEST(multiple),
      ITEM_TEST(odd_multiple),
      ITEM_TEST(last_of_four),
      ITEM_TEST(sign),
      ITEM_TEST(difference),
      ITEM_TEST(multiple_wraps),
      ITEM_TEST(sign_changes),
      ITEM_TEST(wraps_within),
      ITEM_TEST(sign_within),
      ITEM_TEST(wide),
      ITEM_TEST(wide_wraps),
      ITEM_TEST(wide_sign_changes),
      ITEM_TEST(stencil),
      ITEM_TEST(stencil_of_some),
      ITEM_TEST(bound_behind_test),
      ITEM_TEST(never),
      ITEM_TEST(narrow),
      cmocka_unit_test(wraps_cancel),
      cmocka_unit_test(more_bits),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
