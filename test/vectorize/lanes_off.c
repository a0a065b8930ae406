/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Vectorized code under masks: what a lane that is off would do must not be seen. */
#include "item.h"

/* The difference wraps for the first lanes, which are off; those behind must not be addressed from there. */
ITEM(first_lane_is_off, {
  if (g >= n) out[g] = in[g - n] + 1;
})

ITEM(first_lane_is_off_in_a_loop, {
  uint s = 0;
  for (uint j = 0; j < 5; j++) {
    uint k = n * j + in[j] % 3;
    if (g >= k) s += in[g - k];
  }
  out[g] = s;
})

ITEM(one_side_is_undefined, {
  uint x;
  bool c = in[g] & 1;
  if (c) {
    x = in[n + 7] * 3;
  } else {
    for (uint i = 0; i < (g & 7); i++) out[g] += in[i] * i;
  }
  uint s = 0;
  for (uint i = 0; i < (in[g] & 15); i++) s += in[i + n] ^ s;
  out[g] += s;
  if (c) out[g] += x;
})

/* Indices that lead nowhere, and divisors that are zero, on lanes that are off; uniform ones too. */
ITEM(guarded_accesses_and_divisions, {
  uint i = in[g], s = 0, z = n - 5;
  if (i < 4096) s = in[i];
  bool ok = i < 4000 && in[i] > 5 && in[in[i] & 1023] != 7;
  if (ok) s ^= in[i + 1];
  if (i > 0 && i < 5000 && g % 5) {
    uint q = 4095 / i;
    s += in[q & 4095];
    if (q > 3 && q < 100) s ^= q * 7;
  }
  global const uint *u = n ? in : 0;
  if (g & 1) {
    if (u) s += u[n];
  }
  if (g & 2) {
    if (z) s += 1000 / z;
  }
  out[g] = s;
})

ITEM(divisions_of_all_widths, {
  uint b = in[g] & 8, r = 0;
  int a = (int)(in[g] >> 1), c = (int)(in[g + 1] & 7) - 4;
  if (c) r = (uint)(a / c) + (uint)(a % c) * 3;
  if (b) {
    r += (uint)a / b;
    r += (uint)((ulong)in[g] * in[g] / b);
    r += (uint)((short)a % (short)b) + (uint)((ushort)a / (ushort)b) + (uint)((char)(a & 63) / (char)b);
  }
  if (n) r += (uint)a / n;
  if (n && (g & 1)) r += (uint)a % n;
  out[g] = r;
})

DEFINE_RUN_ITEM

int main(void) {
  const struct CMUnitTest tests[] = {
      ITEM_TEST(first_lane_is_off),       ITEM_TEST(first_lane_is_off_in_a_loop),
      ITEM_TEST(one_side_is_undefined),   ITEM_TEST(guarded_accesses_and_divisions),
      ITEM_TEST(divisions_of_all_widths),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
