/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Vectors of OpenCL C in vectorized code: their elements are apart, and each is widened. */
#include "item.h"

static int element(const uint *in, uint g, uint i) { return (int)in[g * 4 + i]; }

/* Comparisons give vectors of booleans; a divergent and a uniform index pick an element. */
static void selections_item(const uint *in, uint *out, uint n, uint g) {
  bool all = true, any = false;
  uint picked[8];
  for (uint i = 0; i < 4; i++) {
    int a = element(in, g, i), b = element(in, g + 1, i);
    bool m = a < b || (a & 1) == 0;
    all &= m;
    any |= a == b || m;
    out[1000 + g * 4 + i] = (uint)(m ? b : (int)((uint)a + g));
    picked[i] = (uint)a;
    picked[i + 4] = (uint)b;
  }
  out[g] = g % 3 && any ? (all ? 3 : 1) : 9;
  out[200 + g] = picked[g & 7] ^ picked[n & 7];
  picked[g & 7] = 5;
  out[400 + g] = picked[0] + picked[3] * 7 + picked[7];
}

static const item_t selections = {
    "selections",
    "kernel void selections(global const uint *in, global uint *out, uint n) {\n"
    "  uint g = get_global_id(0);\n"
    "  int4 a = as_int4(vload4(g, in)), b = as_int4(vload4(g + 1, in)), m = (a < b) | ((a & 1) == 0);\n"
    "  if (any(m | (a == b)) && g % 3) out[g] = all(m) * 2 + 1; else out[g] = 9;\n"
    "  vstore4(as_uint4(select(as_int4(as_uint4(a) + g), b, m)), g, out + 1000);\n"
    "  uint8 q = as_uint8((int8)(a, b));\n"
    "  out[200 + g] = q[g & 7] ^ q[n & 7];\n"
    "  q[g & 7] = 5;\n"
    "  out[400 + g] = q.s0 + q.s3 * 7 + q.s7;\n"
    "}\n",
    selections_item,
};

/* Three elements lie in the room of four, of which the last is left alone; or close together. */
static void threes_item(const uint *in, uint *out, uint n, uint g) {
  for (uint i = 0; i < 3; i++) {
    uint close = in[g * 3 + i];
    if (g & 1) out[g * 3 + i] = in[g * 3 + 2 - i] + in[g * 4 + i];
    out[1000 + g * 3 + i] = (uint)((int)close > 1000 ? 1000 : (int)close < -9 ? (uint)-9 : close) + n;
  }
}

static const item_t threes = {
    "threes",
    "kernel void threes(global const uint *in, global uint *out, uint n) {\n"
    "  uint g = get_global_id(0);\n"
    "  uint3 v = vload3(g, in);\n"
    "  if (g & 1) vstore3(v.zyx + ((global const uint3 *)in)[g], g, out);\n"
    "  vstore3(as_uint3(clamp(as_int3(v), -9, 1000)) + n, g, out + 1000);\n"
    "}\n",
    threes_item,
};

/* Swizzles, conversions and other views of the same bits, in elements of several sizes. */
static void conversions_item(const uint *in, uint *out, uint n, uint g) {
  const uchar *bytes = (const uchar *)in + g * 16;
  static const uchar swizzle[] = {0, 1, 2, 3, 15, 14, 13, 12, 4, 5, 6, 7, 8, 11, 10, 9};
  uchar moved[16];
  for (uint i = 0; i < 16; i++) moved[i] = bytes[swizzle[i]];
  memcpy(out + g * 4, moved, 16);
  for (uint i = 0; i < 2; i++) {
    ulong w;
    memcpy(&w, bytes + 8 * i, 8);
    out[1000 + g * 2 + i] = (uint)(w >> (g & 31)) + n;
  }
  for (uint i = 0; i < 4; i++) {
    int x = element(in, g, i);
    short narrow = (short)(x > 32767 ? 32767 : x < -32768 ? -32768 : x);
    memcpy((uchar *)(out + 2000) + g * 8 + i * 2, &narrow, 2);
  }
}

static const item_t conversions = {
    "conversions",
    "kernel void conversions(global const uint *in, global uint *out, uint n) {\n"
    "  uint g = get_global_id(0);\n"
    "  uchar16 c = vload16(g, (global const uchar *)in);\n"
    "  vstore16(c.s0123fedc45678ba9, g, (global uchar *)out);\n"
    "  vstore2(convert_uint2(as_ulong2(c) >> (ulong)(g & 31)) + n, g, out + 1000);\n"
    "  vstore4(convert_short4_sat(as_int4(vload4(g, in))), g, (global short *)(out + 2000));\n"
    "}\n",
    conversions_item,
};

DEFINE_RUN_ITEM

int main(void) {
  const struct CMUnitTest tests[] = {ITEM_TEST(selections), ITEM_TEST(threes), ITEM_TEST(conversions)};
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
