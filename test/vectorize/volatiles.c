/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Volatile loads and stores: of contiguous elements, and of others, for all work-items and for some. */
#include "item.h"

ITEM(copy, {
  global const volatile uint *from = in;
  global volatile uint *to = out;
  to[g] = from[g] + n;
})

ITEM(some_lanes, {
  global const volatile uint *from = in;
  global volatile uint *to = out;
  if (in[g] & 1) to[g] = from[g + n] * 3;
})

ITEM(bounded, {
  global const volatile uint *from = in;
  global volatile uint *to = out;
  if (g < n * 11) to[g] = from[g + 1] + from[g];
})

ITEM(bytes, {
  global const volatile uchar *from = (global const volatile uchar *)in;
  global volatile uchar *to = (global volatile uchar *)out;
  to[g] = (uchar)(from[g] + n);
})

ITEM(every_other, {
  global const volatile uint *from = in;
  global volatile uint *to = out;
  to[2 * g + 1] = from[3 * g + 2];
})

ITEM(one_address, {
  global const volatile uint *from = in;
  out[g] = from[n] + from[g];
})

ITEM(read_twice, {
  global const volatile uint *from = in;
  global volatile uint *to = out;
  to[g] = 1;
  to[g] = from[g] ^ from[g] ^ (from[g] + n);
})

ITEM(rows, {
  global const volatile uint *from = in;
  global volatile uint *to = out;
  const ulong step = 140;
  uint i = g;
  for (uint k = 0; k < 4; k++) {
    to[i] = from[i] + k;
    i += step;
  }
})

ITEM(until_found, {
  global const volatile uint *from = in;
  uint i = 0;
  while (i < 40 && from[g + i] % 5 != n % 5) i++;
  out[g] = i;
})

/* Some lanes are behind 2^32. */
ITEM(wraps, {
  global volatile uint *to = out;
  const uint i = g - 9;
  if (i < 4000) to[i] = in[g];
})

DEFINE_RUN_ITEM

int main(void) {
  const struct CMUnitTest tests[] = {
      ITEM_TEST(copy),        ITEM_TEST(some_lanes), ITEM_TEST(bounded), ITEM_TEST(bytes),       ITEM_TEST(every_other),
      ITEM_TEST(one_address), ITEM_TEST(read_twice), ITEM_TEST(rows),    ITEM_TEST(until_found), ITEM_TEST(wraps),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
