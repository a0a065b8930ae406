/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Indices of 32 bits to which numbers of 64 bits are added in a loop, as get_global_size() is: the compiler computes in
 * 64 bits, and masks the sums. */
#include "item.h"

ITEM(unsigned_index, {
  const ulong step = (ulong)n + 64;
  uint i = g;
  uint sum = 0;
  for (uint k = 0; k < 5; k++) {
    sum += in[i] * (k + 1);
    i += step;
  }
  out[g] = sum;
})

ITEM(signed_index, {
  const ulong step = (ulong)n + 64;
  int i = (int)g;
  uint sum = 0;
  for (uint k = 0; k < 5; k++) {
    sum += in[i] * (k + 1);
    i += step;
  }
  out[g] = sum;
})

ITEM(descending, {
  const ulong step = (ulong)n + 3;
  int i = (int)g + 1000;
  uint sum = 0;
  for (uint k = 0; k < n % 7 + 1; k++) {
    sum = sum * 3 + in[i];
    i -= step;
  }
  out[g] = sum;
})

/* In one of the iterations some lanes are behind 2^32, and others are not. */
ITEM(wraps_between_lanes, {
  const ulong step = (ulong)n % 3 + 16;
  uint i = g - 41;
  uint sum = 0;
  for (uint k = 0; k < 9; k++) {
    if (i < 1024) sum += in[i];
    i += step;
  }
  out[g] = sum;
})

ITEM(wraps_in_all_lanes, {
  const ulong step = 0x40000000ul + n;
  uint i = g;
  uint sum = 0;
  for (uint k = 0; k < 8; k++) {
    sum += in[i & 1023] + (i >> 20);
    i += step;
  }
  out[g] = sum;
})

ITEM(negative, {
  const ulong step = 0xfffffffful;
  int i = (int)g - 8;
  uint sum = 0;
  for (uint k = 0; k < 12; k++) {
    sum += i < 0 ? 7u : in[i];
    i += step;
  }
  out[g] = sum;
})

/* The scaled index, and the index itself behind the loop. */
ITEM(used_twice, {
  const ulong step = (ulong)n + 1;
  int i = (int)g;
  uint sum = 0;
  while (i < 500) {
    sum += in[2 * i + 1] ^ in[i];
    i += step;
  }
  out[g] = sum + (uint)i;
})

ITEM(step_of_lane, {
  const ulong step = (ulong)(g & 3) + 1;
  uint i = g;
  uint sum = 0;
  for (uint k = 0; k < 6; k++) {
    sum += in[i];
    i += step;
  }
  out[g] = sum;
})

DEFINE_RUN_ITEM

int main(void) {
  const struct CMUnitTest tests[] = {
      ITEM_TEST(unsigned_index), ITEM_TEST(signed_index),       ITEM_TEST(descending), ITEM_TEST(wraps_between_lanes),
      ITEM_TEST(negative),       ITEM_TEST(wraps_in_all_lanes), ITEM_TEST(used_twice), ITEM_TEST(step_of_lane),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
