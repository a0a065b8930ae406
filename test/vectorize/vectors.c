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
    NULL,
};

/* Vectors of 16 bytes, wherever they lie, in all lanes and in some. */
static void sixteen_bytes_item(const uint *in, uint *out, uint n, uint g) {
  const uint place = g * 3 % 140, four = in[g] % 900, two = in[g + 9] % 900;
  const ulong *wide = (const ulong *)in;
  for (uint i = 0; i < 4; i++) {
    const uint one = in[4 * four + i], turned = in[4 * (four ^ 1) + 3 - i];
    const ulong half = wide[2 * two + i % 2];
    out[4 * place + i] = one * 5 + (turned ^ n) + (uint)(half >> 3);
    if (g % 3 != n % 3) out[1000 + 4 * place + i] = in[4 * (two / 2) + i] + i;
  }
  for (uint i = 0; i < 2; i++) {
    const ulong sum = wide[2 * two + i] * 3 + g;
    if (g % 5 != n % 5) memcpy(out + 2000 + 4 * place + 2 * i, &sum, sizeof(sum));
  }
}

static const item_t sixteen_bytes = {
    "sixteen_bytes",
    "kernel void sixteen_bytes(global const uint *in, global uint *out, uint n) {\n"
    "  const uint g = get_global_id(0), place = g * 3 % 140, four = in[g] % 900, two = in[g + 9] % 900;\n"
    "  global const uint4 *fours = (global const uint4 *)in;\n"
    "  const uint2 part = convert_uint2(((global const ulong2 *)in)[two] >> 3);\n"
    "  ((global uint4 *)out)[place] = fours[four] * 5 + (fours[four ^ 1].wzyx ^ n) + part.xyxy;\n"
    "  if (g % 3 != n % 3) ((global uint4 *)(out + 1000))[place] = fours[two / 2] + (uint4)(0, 1, 2, 3);\n"
    "  const ulong2 sum = ((global const ulong2 *)in)[two] * 3 + g;\n"
    "  if (g % 5 != n % 5) ((global ulong2 *)(out + 2000))[place] = sum;\n"
    "}\n",
    sixteen_bytes_item,
    NULL,
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
    NULL,
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
    ITEM_CLANG_CONVERTS_WRONG,
};

/* Vectors at places that have nothing to do with each other: their elements move several at once. */
static void places_item(const uint *in, uint *out, uint n, uint g) {
  const uint from = (g * 37 + n) % 101, to = (g * 29 + n) % 140, sizes[] = {2, 3, 4, 8},
             starts[] = {0, 500, 1000, 1570};
  const uchar *bytes = (const uchar *)in;
  const ushort *shorts = (const ushort *)in;
  ulong wide[2];
  for (uint i = 0; i < 4; i++) {
    for (uint j = 0; j < sizes[i]; j++) {
      uint sum = bytes[sizes[i] * from + j] + shorts[sizes[i] * from + j] * 3u + in[sizes[i] * from + j] * 5;
      if (from & 1) out[starts[i] + to * sizes[i] + j] = sum;
    }
  }
  memcpy(wide, in + from * 4, 16);
  uchar *narrow = (uchar *)(out + 2700);
  for (uint j = 0; j < 4; j++) narrow[to * 4 + j] = (uchar)(bytes[from * 4 + j] + (uchar)wide[j & 1]);
  for (uint j = 0; j < 2; j++) {
    ushort low = (ushort)(wide[j] >> 16), high = (ushort)(wide[j] >> 40);
    memcpy((uchar *)(out + 2900) + (to * 2 + j) * 2, &low, 2);
    memcpy((uchar *)(out + 3100) + (to * 4 + j) * 2, &low, 2);
    memcpy((uchar *)(out + 3100) + (to * 4 + j + 2) * 2, &high, 2);
  }
}

static const item_t places = {
    "places",
    "#define SUM(N, AT) \\\n"
    "  uint##N s##N = convert_uint##N(vload##N(from, (global const uchar *)in)) + \\\n"
    "                 convert_uint##N(vload##N(from, (global const ushort *)in)) * 3 + vload##N(from, in) * 5; \\\n"
    "  if (from & 1) vstore##N(s##N, to, out + AT);\n"
    "kernel void places(global const uint *in, global uint *out, uint n) {\n"
    "  uint g = get_global_id(0), from = (g * 37 + n) % 101, to = (g * 29 + n) % 140;\n"
    "  SUM(2, 0) SUM(3, 500) SUM(4, 1000) SUM(8, 1570)\n"
    "  ulong2 wide = as_ulong2(vload4(from, in));\n"
    "  vstore4(vload4(from, (global const uchar *)in) + convert_uchar4(wide.xyxy), to, (global uchar *)(out + 2700));\n"
    "  ushort2 low = convert_ushort2(wide >> 16);\n"
    "  vstore2(low, to, (global ushort *)(out + 2900));\n"
    "  vstore4((ushort4)(low, convert_ushort2(wide >> 40)), to, (global ushort *)(out + 3100));\n"
    "}\n",
    places_item,
    ITEM_CLANG_CONVERTS_WRONG,
};

static uint rotated(uint value, uint by) { return value << by | value >> (32 - by); }

/* Vectors as large as registers stay whole. Work-items are interleaved, as the loop waits for its own results; the last
 * ones are left over, and those beyond the bound do nothing. */
static void wholes_item(const uint *in, uint *out, uint n, uint g) {
  if (g >= 187) return;
  for (uint i = 0; i < 16; i++) {
    uint a = in[g * 16 + i], b = a + 3;
    for (uint k = 0; k < n % 37; k++) {
      a = rotated(a, 7) + b;
      b = rotated(b, 11) ^ (a + g);
    }
    out[g * 16 + i] = a + b;
  }
}

static const item_t wholes = {
    "wholes",
    "kernel void wholes(global const uint *in, global uint *out, uint n) {\n"
    "  uint g = get_global_id(0);\n"
    "  if (g >= 187) return;\n"
    "  uint16 a = vload16(g, in), b = a + 3;\n"
    "  for (uint k = 0; k < n % 37; k++) { a = rotate(a, (uint16)(7)) + b; b = rotate(b, (uint16)(11)) ^ (a + g); }\n"
    "  vstore16(a + b, g, out);\n"
    "}\n",
    wholes_item,
    NULL,
};

/* Packed vectors of three: pieces of two elements and one, of all sizes of elements. */
#define PACKED(NAME, TYPE, ADDED)                                                        \
  static void NAME##_item(const uint *in, uint *out, uint n, uint g) {                   \
    const TYPE *from = (const TYPE *)in;                                                 \
    TYPE *to = (TYPE *)out;                                                              \
    for (uint i = 0; i < 3; i++) {                                                       \
      const TYPE sum = (TYPE)(from[g * 3 + i] + from[450 + g * 3 + i]);                  \
      to[g * 3 + i] = (TYPE)(sum + (TYPE)ADDED);                                         \
      to[450 + g * 3 + i] = (TYPE)(from[g * 3 + 2 - i] * from[450 + g * 3 + i]);         \
      if (g % 3 != n % 3) to[900 + g * 3 + i] = (TYPE)(from[g * 3 + i] * (TYPE)(i + 2)); \
      to[1350 + g * 3 + i] = i == 1 ? (TYPE)n : from[g * 3 + i];                         \
    }                                                                                    \
  }                                                                                      \
  static const item_t NAME = {                                                           \
      #NAME,                                                                             \
      "kernel void " #NAME                                                               \
      "(global const uint *in, global uint *out, uint n) {\n"                            \
      "  const uint g = get_global_id(0);\n"                                             \
      "  global const " #TYPE " *from = (global const " #TYPE                            \
      " *)in;\n"                                                                         \
      "  global " #TYPE " *to = (global " #TYPE                                          \
      " *)out;\n"                                                                        \
      "  const " #TYPE                                                                   \
      "3 a = vload3(g, from), b = vload3(g + 150, from);\n"                              \
      "  vstore3(a + b + (" #TYPE ")" #ADDED                                             \
      ", g, to);\n"                                                                      \
      "  vstore3(a.zyx * b, g + 150, to);\n"                                             \
      "  if (g % 3 != n % 3) vstore3(vload3(g, from) * (" #TYPE                          \
      "3)(2, 3, 4), g + 300, to);\n"                                                     \
      "  vstore3((" #TYPE                                                                \
      "3)(a.x, n, a.z), g + 450, to);\n"                                                 \
      "}\n",                                                                             \
      NAME##_item,                                                                       \
      NULL,                                                                              \
  };

PACKED(packed_bytes, uchar, 7)
PACKED(packed_shorts, ushort, 7)
PACKED(packed_ints, uint, 7)
PACKED(packed_longs, ulong, g)

/* Floating-point numbers, in structures with vectors: numbers are small, so that their sums are exact. */
typedef struct pair_t {
  float a[2], b;
} pair_t;

static void structures_item(const uint *in, uint *out, uint n, uint g) {
  pair_t one, *pairs = (pair_t *)(out + 1000);
  for (uint i = 0; i < 2; i++) one.a[i] = (float)(in[g * 3 + i] % 999);
  one.b = (float)(in[g * 3 + 2] % 999);
  memcpy(out + (size_t)g * 4, in + (size_t)g * 4, 16);
  out[g * 4 + 1] += n;
  out[g * 4 + 3] = g;
  for (uint k = 0; k < n; k++) {
    const float first = one.a[0];
    one.a[0] = one.a[1] + 1;
    one.a[1] = one.b * 2;
    one.b = first + (float)k;
    pairs[g] = one;
  }
  for (uint i = 0; i < 8; i++) out[2000 + g * 8 + i] = i < 6 ? in[g * 8 + i] + i : in[g * 8 + i];
}

static const item_t structures = {
    "structures",
    "typedef struct { uint2 a; float b; int c; } __attribute__((packed, aligned(4))) mixed_t;\n"
    "kernel void structures(global const uint *in, global uint *out, uint n) {\n"
    "  const uint g = get_global_id(0);\n"
    "  float3 one = convert_float3(vload3(g, in) % 999);\n"
    "  mixed_t mixed = ((global const mixed_t *)in)[g];\n"
    "  mixed.a.y += n;\n"
    "  mixed.c = (int)g;\n"
    "  ((global mixed_t *)out)[g] = mixed;\n"
    "  global float *pairs = (global float *)(out + 1000);\n"
    "  for (uint k = 0; k < n; k++) {\n"
    "    one = (float3)(one.y + 1, one.z * 2, one.x + k);\n"
    "    vstore3(one, g, pairs);\n"
    "  }\n"
    "  global const uint *words = in + g * 8;\n"
    "  global uint *to = out + 2000 + g * 8;\n"
    "  vstore4(vload4(0, words) + (uint4)(0, 1, 2, 3), 0, to);\n"
    "  vstore2(vload2(0, words + 4) + (uint2)(4, 5), 0, to + 4);\n"
    "  vstore2(vload2(0, words + 6), 0, to + 6);\n"
    "}\n",
    structures_item,
    NULL,
};

/* Loads of what was stored before, in the same lane, with pieces at the same places and at others. */
static void in_place_item(const uint *in, uint *out, uint n, uint g) {
  uint *all = out + (size_t)g * 5;
  for (uint i = 0; i < 3; i++) all[i] = in[g * 3 + i];
  all[4] = all[1] + n;
  for (uint k = 0; k < 2; k++) {
    const uint first = all[1], second = all[2];
    all[0] += first;
    all[1] = second * 3;
    all[2] ^= first;
    if (g & 1)
      all[3] = all[2] + all[0];
    else
      all[3] = 1;
  }
  double *numbers = (double *)(out + 1000) + (size_t)g * 3;
  for (uint i = 0; i < 3; i++) numbers[i] = in[g * 3 + i];
  for (uint i = 0; i < 3; i++) numbers[i] = numbers[i] * 2 - i;
}

static const item_t in_place = {
    "in_place",
    "kernel void in_place(global const uint *in, global uint *out, uint n) {\n"
    "  const uint g = get_global_id(0);\n"
    "  global uint *all = out + g * 5;\n"
    "  vstore3(vload3(g, in), 0, all);\n"
    "  all[4] = all[1] + n;\n"
    "  for (uint k = 0; k < 2; k++) {\n"
    "    const uint2 pair = vload2(0, all + 1);\n"
    "    const uint3 three = vload3(0, all);\n"
    "    vstore3((uint3)(three.x + pair.x, pair.y * 3, three.z ^ pair.x), 0, all);\n"
    "    all[3] = g & 1 ? all[2] + all[0] : 1;\n"
    "  }\n"
    "  global double *numbers = (global double *)(out + 1000);\n"
    "  vstore3(convert_double3(vload3(g, in)), g, numbers);\n"
    "  vstore3(vload3(g, numbers) * 2 - (double3)(0, 1, 2), g, numbers);\n"
    "}\n",
    in_place_item,
    NULL,
};

/* Local memory, where the gaps of a store are loaded before and stored back. */
static void own_item(const uint *in, uint *out, uint n, uint g) {
  uint kept[4];
  for (uint i = 0; i < 4; i++) kept[i] = in[g * 4 + i];
  for (uint i = 0; i < 2; i++) kept[i + 1] = kept[i + 1] * 5 + n;
  memcpy(out + (size_t)g * 4, kept, 16);
}

static const item_t own = {
    "own",
    "kernel void own(global const uint *in, global uint *out, uint n) {\n"
    "  const uint g = get_global_id(0);\n"
    "  local uint kept[4 * 140];\n"
    "  local uint *mine = kept + get_local_id(0) * 4;\n"
    "  vstore4(vload4(g, in), 0, mine);\n"
    "  const uint first = mine[0];\n"
    "  vstore2(vload2(0, mine + 1) * 5 + n, 0, mine + 1);\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  vstore3((uint3)(first, mine[1], mine[2]), 0, out + g * 4);\n"
    "  out[g * 4 + 3] = mine[3];\n"
    "}\n",
    own_item,
    NULL,
};

DEFINE_RUN_ITEM

int main(void) {
  const struct CMUnitTest tests[] = {ITEM_TEST(selections),   ITEM_TEST(threes),        ITEM_TEST(conversions),
                                     ITEM_TEST(places),       ITEM_TEST(sixteen_bytes), ITEM_TEST(wholes),
                                     ITEM_TEST(packed_bytes), ITEM_TEST(packed_shorts), ITEM_TEST(packed_ints),
                                     ITEM_TEST(packed_longs), ITEM_TEST(structures),    ITEM_TEST(in_place),
                                     ITEM_TEST(own)};
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
