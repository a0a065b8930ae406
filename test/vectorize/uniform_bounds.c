/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Inner loops with bounds that are cut at the border, where lanes differ, and that all other lanes share. */
#include "item.h"

/* The window of a filter, as it reads a signal of 140 elements backwards. */
ITEM(filter, {
  int begin = (int)(g + n) >= 140 ? (int)(g + n) + 1 - 140 : 0;
  int end = (int)g - (int)n < 0 ? (int)(g + n) + 1 : 2 * (int)n + 1;
  uint sum = 0;
  for (int k = begin; k < end; k++) sum += in[k] * in[2000 + (int)(g + n) - k];
  out[g] = sum;
})

ITEM(nested, {
  int begin = g + n >= 140 ? (int)(g + n) + 1 - 140 : 0;
  int end = g < n ? (int)(g + n) + 1 : 2 * (int)n + 1;
  uint sum = 0;
  for (int k = begin; k < end; k++) {
    for (int j = begin; j < end; j += 2) sum = sum * 3 + in[k * 20 + j] + in[2000 + (int)(g + n) - k];
  }
  out[g] = sum;
})

/* Counters that IndVarSimplify widens, and differences that saturate. */
ITEM(centered, {
  int radius = (int)n + 2;
  int begin = -radius > -(int)g ? -radius : -(int)g;
  int end = radius < 139 - (int)g ? radius : 139 - (int)g;
  uint sum = 0;
  for (int k = begin; k <= end; k++) sum += in[k + radius] * in[2000 + (int)g + k];
  out[g] = sum;
})

ITEM(saturating, {
  uint begin = g < n + 3 ? n + 3 - g : 0;
  uint sum = 0;
  for (uint k = begin; k < 2 * n + 7; k++) sum = sum * 3 + in[k] * in[2000 + g + k];
  out[g] = sum;
})

/* Only one of the bounds differs. */
ITEM(end_alone, {
  uint end = g / 4 > 30 ? 140 - g : 20 + n;
  uint sum = g;
  for (uint k = 0; k < end; k++) sum = sum * 5 + in[g + k];
  out[g] = sum;
})

ITEM(start_alone, {
  ulong start = g < 10 ? 10ul - g : n;
  uint sum = g;
  for (ulong k = start; k != 40; k++) sum = sum * 5 + in[g * 3ul + k];
  out[g] = sum;
})

ITEM(downwards, {
  int start = g > 100 ? (int)g - 90 : (int)n + 5;
  uint sum = 0;
  for (int k = start; k >= 0; k--) sum = sum * 7 + in[g + k];
  out[g] = sum;
})

/* Lanes that do not run the loop may have any bounds. */
ITEM(behind_condition, {
  uint sum = 3;
  if (in[g] % 3 != 0) {
    uint begin = g % 50 < 20 ? g % 50 : n;
    for (uint k = begin; k < 30 + n; k++) sum = sum * 5 + in[g + k];
  }
  out[g] = sum;
})

ITEM(in_divergent_loop, {
  uint sum = 3;
  for (uint j = 0; j < in[g] % 5; j++) {
    uint begin = g + j < 20 ? g + j : 6 + n;
    for (uint k = begin; k < 30 + n; k++) sum = sum * 5 + in[g + k + j];
  }
  out[g] = sum;
})

/* The loop has another exit, and values that are used behind it. */
ITEM(search, {
  uint end = g > 120 ? 140 - g : 30 + n, k = g < 10 ? 10 - g : n / 2, last = 0;
  for (; k < end; k++) {
    last = in[g + k];
    if (last % 11 == n % 11) break;
  }
  out[g] = k * 1000 + last % 1000;
})

ITEM(stores, {
  uint begin = g > 130 ? g - 130 : n % 8;
  for (uint k = begin; k < 16; k++) out[g * 16 + k] = in[g + k] + n;
})

ITEM(one_after_the_other, {
  uint end = g < 9 ? g : 9, sum = 1;
  for (uint k = end; k < 20; k++) sum = sum * 3 + in[g + k];
  for (uint k = end; k < 9 + n; k++) sum = sum * 5 + in[g + k];
  out[g] = sum;
})

DEFINE_RUN_ITEM

int main(void) {
  const struct CMUnitTest tests[] = {
      ITEM_TEST(filter),     ITEM_TEST(nested),           ITEM_TEST(centered),
      ITEM_TEST(saturating), ITEM_TEST(end_alone),        ITEM_TEST(start_alone),
      ITEM_TEST(downwards),  ITEM_TEST(behind_condition), ITEM_TEST(in_divergent_loop),
      ITEM_TEST(search),     ITEM_TEST(stores),           ITEM_TEST(one_after_the_other),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
