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

/* Offsets that flags keep from wrapping only where the work-items run that use them. */
ITEM(offsets_behind_a_bound, {
  uint s = 0;
  int i = (int)(g % 70);
  for (int t = 0; t < 4; t++) {
    int low = (int)(in[t] % 7 + n);
    if (i > low) {
      int k = i - low - 1;
      s += in[k];
      for (int j = 0; j < 3; j++) {
        s += in[k * 2 + j] ^ in[k + j * low];
        if (i - j > low + 2) s -= in[i - j - low - 3];
      }
    }
  }
  uint u = g;
  for (uint j = 0; j < 6; j++) {
    uint q = u * 4 + j;
    if (q >= 17 + n) {
      s += in[q - 17 - n];
      if (q - 17 >= 23) s ^= in[q - 17 - 23];
    }
    if (u >= 5) s += in[(u - 5) * 3 + j] + in[(ulong)(u - 5) + 3];
  }
  out[g] = s;
})

/* The same with numbers at the edge of what an int holds. */
ITEM(offsets_at_the_lowest_int, {
  int i = (int)g;
  int t = (-2147483647 - 1) + (int)n + i;
  out[g] = 0;
  if (i >= 3) out[g] = in[(long)(t - 3) + 2147483648L];
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

/* The places that are accessed are multiples of 64 bytes; that of the first lane, which is off, is not. */
static void alignment_of_lanes_that_are_on_item(const uint *in, uint *out, uint n, uint g) {
  uint s = n;
  if ((g & 63) == 21) {
    out[g + 43] = in[g] + 1;
    s += in[g + 43] * 3;
  }
  out[1000 + g] = s;
}

static const item_t alignment_of_lanes_that_are_on = {
    "alignment_of_lanes_that_are_on",
    "typedef uint __attribute__((aligned(64))) line;\n"
    "kernel void alignment_of_lanes_that_are_on(global const uint *in, global uint *out, uint n) {\n"
    "  const size_t g = get_global_id(0);\n"
    "  uint s = n;\n"
    "  if ((g & 63) == 21) {\n"
    "    *(global line *)(out + g + 43) = in[g] + 1;\n"
    "    s += *(global const line *)(in + g + 43) * 3;\n"
    "  }\n"
    "  out[1000 + g] = s;\n"
    "}\n",
    alignment_of_lanes_that_are_on_item,
    NULL,
};

/* What was loaded is put together with other lanes' values behind a store to the same place. */
ITEM(loaded_before_store, {
  uint a[4];
  for (uint i = 0; i < 4; i++) a[i] = g * i + 5;
  uint loaded = 1;
  if (in[g] & 1) {
    loaded = a[n & 3];
    a[in[0] * n & 3] = in[g + 1];
  }
  out[g] = loaded + 3 * a[1];
})

DEFINE_RUN_ITEM

int main(void) {
  const struct CMUnitTest tests[] = {
      ITEM_TEST(first_lane_is_off),       ITEM_TEST(first_lane_is_off_in_a_loop),
      ITEM_TEST(offsets_behind_a_bound),  ITEM_TEST(offsets_at_the_lowest_int),
      ITEM_TEST(one_side_is_undefined),   ITEM_TEST(guarded_accesses_and_divisions),
      ITEM_TEST(divisions_of_all_widths), ITEM_TEST(alignment_of_lanes_that_are_on),
      ITEM_TEST(loaded_before_store),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
