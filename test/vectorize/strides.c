/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Indices that grow from lane to lane until they wrap. */
#include "item.h"

ITEM(narrow_indices_wrap, {
  uint k = g * 0x01000001u + in[n], s = 0;
  ushort h = (ushort)(g * 1111 + n);
  uchar c = (uchar)(g * 3 - 100);
  s = in[c + 5];
  for (uint j = 0; j < 4; j++) {
    uint m = g + j * 0x40000000u + 0xffffffe0u, t = g - 20;
    s += in[(uchar)(g + j * 77)];
    s ^= in[(ushort)(g + 65500 + j * 20) & 4095u];
    if (m < 4000) s += in[m];
    if (t < 100u) s += in[t + j];
    s += in[(g + j - 10) & 255];
    s += in[(g * 2 + j - 10) & 255];
  }
  out[g] = s + (k >> 20) + h;
})

/* As most kernels have them. */
ITEM(signed_ids, {
  int i = (int)g;
  uint s = in[i] + in[2 * i + 1] * 3;
  if (i > 3) s ^= in[i - 3];
  for (int j = 0; j < (int)n; j++) s += in[i * 4 + j] ^ in[j * 16 + i];
  out[i] = s;
  out[1000 + i * 2] = s + 1;
})

/* Sums, products and differences that are extended from 32 bits, as InstCombine writes them: shifted up and down. */
ITEM(extended_sums, {
  int x = (int)g;
  uint s = in[x + 1] + in[x + 7] * 3;
  if (x > 0) s ^= in[x - 1] * 5;
  if (x < 1000) s += in[x * 3] * 7 ^ in[x * 3 + 2] ^ in[1000 - 1 - x] * 11;
  out[g] = s;
})

/* Differences of unsigned indices, behind conditions that exclude wrapping, and where they wrap. */
ITEM(unsigned_differences, {
  uint s = 1, last = 0;
  if (g > 0) s = in[g - 1];
  if (g >= n) s += in[g - n] * 3;
  if (g > 4)
    s ^= in[g - 5] * 7;
  else
    s += (uint)((ulong)(g - 5) >> 3);
  if (g - 9u < 700u) s += in[g - 9] * 5;
  if (g >= 3 && g - 3 >= (n & 31)) last = g - 3 - (n & 31);
  out[g] = s + in[last] * 11;
})

/* The sum of work-item 32 is negative. */
ITEM(extended_sums_wrap, {
  long sum = (long)(int)(g + 0x7fffffe0u);
  long place = sum < 0 ? sum + 0x80000020L : sum - 0x7fffffe0L;
  out[g] = in[place + 1] * 3 + in[(long)(int)(g * 3u + 0x7fffff80u) < 0 ? 5 : 9];
})

ITEM(stores_wrap, {
  for (uint j = 0; j < 3; j++) {
    uchar to = (uchar)(g + 200 + j * in[3] % 5);
    if (j == in[0] % 3) out[to] = g;
  }
})

/* Indices kept within bounds, which some vectors reach at one end, some at the other, and most not; of both signs, from
 * one side alone, running down, and wrapping on the way. */
ITEM(kept_within_bounds, {
  int last = (int)((n & 31) + 90);
  uint s = 0;
  for (int x = -2; x <= 2; x++) {
    int i = (int)g + x;
    i = i < 0 ? 0 : i > last ? last : i;
    int down = 100 - (int)g * 2 + x;
    down = down < 3 ? 3 : down > 80 ? 80 : down;
    s = s * 3 + in[i] + in[down] * 5;
  }
  uint u = g + 0xffffffc0u;
  u = u > 50 ? 50 : u;
  int w = (int)(g * 0x01000000u + 0x70000000u);
  w = w < 0 ? 0 : w;
  int v = (int)(g * 0x02000000u);
  v = v > (int)n ? (int)n : v;
  ushort h = (ushort)(g * 600u);
  h = h > 4000 ? 4000 : h;
  out[g] = s ^ in[u] * 7 ^ in[w >> 20] * 11 ^ in[(v >> 25) + 64] * 13 ^ in[h];
})

ITEM(stored_within_bounds, {
  int i = (int)g - 20;
  int kept = i < -20 ? -20 : i > 4000 ? 4000 : i;
  out[kept + 20] = in[g] + 1;
  uint top = n + 2000;
  uint j = g * 3;
  j = j > top ? top : j;
  if (g < 100) out[1000 + j] = g;
})

/* Places in blocks: whole ones, those that vectors part, and masks that are none of blocks. */
ITEM(places_in_blocks, {
  uint m = (1u << n) - 1;
  uint s = in[g & m] + 3 * in[(g + 3) & m] + 5 * in[(g * 2 + 1) & m] + 7 * in[(4000 - g) & m];
  s ^= in[(g + 16) & (m ^ 64)] * 11 + in[(uchar)(g & (n | 48))] * 13;
  ulong w = ((ulong)g << 32 | g) & ((ulong)m << 33 | 31);
  ushort h = (ushort)(g * 500) & (ushort)(m << 2 | 3);
  s += in[w >> 33] * 17 + in[w & 31] * 19 + in[h] * 23;
  for (uint j = 0; j < 4; j++) s = s * 3 + in[(g + j * 9) & (m >> j)];
  out[(g & m) + (g & ~m)] = s + (g & m);
})

/* What a test lets through, of rows whose length is a power of two: LLVM makes their sums of bits, which are sums for
 * work-items that pass only. */
ITEM(rows_within_bounds, {
  uint s = 0, row = n & 7;
  if (g < 64 && row < 6) s = in[row * 64 + g] + in[row * 64 + g + 64];
  for (int j = -1; j <= 1; j++) {
    int x = (int)g + j, y = (int)row + j;
    if (x >= 0 && x < 128 && y >= 0 && y < 8) s = s * 3 + in[y * 128 + x];
    if (x > 0 && y > 0 && x < 127 && y < 7) s ^= in[(y - 1) * 128 + x] + in[(y + 1) * 128 + x] * 5;
  }
  if (g >= 32 && g < 128) out[row * 128 + g + 1000] = s;
  out[g] = s;
})

/* Rows that begin again where they end, and numbers of blocks above places that have more bits than that. */
ITEM(rows_as_rings, {
  uint s = in[((int)g - 1) & 127] + 3 * in[((int)g + 1) & 127] + 5 * in[((int)g * 2 - 3) & 255];
  for (int j = -20; j <= 20; j += 20) s = s * 7 + in[(((n & 7) + j) & 7) * 128 + (((int)g + j) & 127)];
  s ^= in[(g & ~7u) + (7 - (g & 7))] * 11 + in[(g + n) & 3];
  s += in[((n & 15) << 4 | g) & 4095] * 13 + in[((n & 3) << 6 | (g + 5)) & 1023] * 17;
  s ^= in[((n << 5) | (200 - g)) & 4095];
  out[((g + 40) & 127) + (g & ~127u)] = s;
  if (g < 64) out[1000 + ((n & 3) << 6 | g)] = s;
})

/* Elements side by side, of lanes whose parts of memory lie anywhere. */
ITEM(side_by_side, {
  uint p = g * 3 % 140;
  uint k = in[p] % 900;
  uint s = in[4 * k] + in[4 * k + 1] * 3 + in[4 * k + 2] * 5 + in[4 * k + 3] * 7;
  const ulong *w = (const ulong *)in;
  uint m = in[p + 7] % 500;
  ulong first = w[m];
  ulong second = w[m + 1];
  if (k % 5 < n) {
    uint q = in[p + 1] % 200;
    uint a = in[q + 9];
    uint b = in[q + 10];
    uint c = in[q + 11];
    uint d = in[q + 12];
    uint e = in[q + 13];
    s ^= a + b * 9 + c * 11 + d * 13 + e;
  }
  out[4 * p] = s;
  out[4 * p + 1] = (uint)(first >> 9) + g;
  out[4 * p + 2] = (uint)(second >> 3) ^ s;
  out[4 * p + 3] = k;
  if (g % 3 == n % 3) {
    out[4 * p + 1000] = s + 1;
    out[4 * p + 1001] = s + 2;
    out[4 * p + 1002] = s + 3;
    out[4 * p + 1003] = s + 4;
  }
})

/* What one of four elements side by side does not alias, another one may. */
static void restricted_item(const uint *in, uint *out, uint n, uint g) {
  (void)in;
  uint *e = out + 4 * (g * 3 % 140);
  for (uint k = 0; k < n; k++) {
    e[0] = e[1] + 1;
    e[1] = k + 3;
    e[2] = k;
    e[3] = k + 1;
  }
}

static const item_t restricted = {
    "restricted",
    "void first(global uint *restrict a, global const uint *b) { a[0] = b[0] + 1; }\n"
    "kernel void restricted(global const uint *in, global uint *out, uint n) {\n"
    "  const uint one = 1 + (n >> 8);\n"
    "  global uint *base = out + 4 * (get_global_id(0) * 3 % 140);\n"
    "  for (uint k = 0; k < n; k++) {\n"
    "    global uint *e = base + (in[k] & n >> 8);\n"
    "    first(e, base + one);\n"
    "    e[1] = k + 3;\n"
    "    e[2] = k;\n"
    "    e[3] = k + 1;\n"
    "  }\n"
    "}\n",
    restricted_item,
    NULL,
};

/* The whole range of the index is passed through within one vector. */
static void range_within_a_vector_item(const uint *in, uint *out, uint n, uint g) {
  const uchar *p = (const uchar *)in;
  out[g] = 0;
  for (uint j = 0; j < 3; j++) {
    uchar k = (uchar)(g * 8 + in[j + n]);
    out[g] += p[k] + p[k + 3] * 5u + p[k + 7] * 9u;
  }
}

static const item_t range_within_a_vector = {
    "range_within_a_vector",
    "kernel void range_within_a_vector(global const uint *in, global uint *out, uint n) {\n"
    "  global const uchar *p = (global const uchar *)in;\n"
    "  uint8 s = 0;\n"
    "  for (uint j = 0; j < 3; j++) {\n"
    "    uchar k = (uchar)(get_global_id(0) * 8 + in[j + n]);\n"
    "    s += convert_uint8(vload8(0, p + k));\n"
    "  }\n"
    "  out[get_global_id(0)] = s.s0 + s.s3 * 5 + s.s7 * 9;\n"
    "}\n",
    range_within_a_vector_item,
    ITEM_CLANG_CONVERTS_WRONG,
};

/* Products of 128 bits: numbers of 64 bits that wrap from lane to lane are extended, and such that a loop counts. */
__extension__ typedef unsigned __int128 uint128;

static ulong high_half(ulong a, ulong b) { return (ulong)((uint128)a * b >> 64); }

static void high_halves_item(const uint *in, uint *out, uint n, uint g) {
  const ulong c = (ulong)in[n] << 32 | in[n + 1];
  ulong j = g;
  ulong s = high_half((ulong)g - 5, c) ^ high_half(3 - (ulong)g, c);
  for (uint i = 0; i < 20; i++, j += 1000) s += high_half(j, 0xCCCCCCCCCCCCCCCC) >> 3;
  out[g] = (uint)(s ^ s >> 32);
}

static const item_t high_halves = {
    "high_halves",
    "kernel void high_halves(global const uint *in, global uint *out, uint n) {\n"
    "  const ulong g = get_global_id(0), c = (ulong)in[n] << 32 | in[n + 1];\n"
    "  ulong j = g, s = mul_hi(g - 5, c) ^ mul_hi(3 - g, c);\n"
    "  for (uint i = 0; i < 20; i++, j += 1000) s += mul_hi(j, 0xCCCCCCCCCCCCCCCCul) >> 3;\n"
    "  out[g] = (uint)(s ^ s >> 32);\n"
    "}\n",
    high_halves_item,
    NULL,
};

/* The range starts so high that its numbers, as ints, become negative within a work-group. */
static void ids_wrap(void **state) {
  (void)state;
  static const char source[] =
      "kernel void ids_wrap(global const uint *in, global uint *out) {\n"
      "  int i = get_global_id(0);\n"
      "  long at = i;\n"
      "  out[get_global_id(0) - 2147483600] = at < 0 ? in[at + 2147483696] : in[at - 2147483600];\n"
      "}\n";
  const size_t offset = 2147483600, count = ITEM_COUNT;
  uint in[ITEM_COUNT], out[ITEM_COUNT];
  for (uint i = 0; i < ITEM_COUNT; i++) in[i] = i * i + 1;
  cl_kernel kernel = test_kernel(source, "-cl-std=CL3.0", "ids_wrap");
  for (size_t local = 5; local <= 70; local *= local == 5 ? 7 : 2) {
    cl_mem buffers[] = {test_buffer(sizeof(in), in), test_buffer(sizeof(out), NULL)};
    for (cl_uint i = 0; i < 2; i++) ASSERT_CL(clSetKernelArg(kernel, i, sizeof(buffers[i]), &buffers[i]));
    ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, &offset, &count, &local, 0, NULL, NULL));
    test_read(buffers[1], sizeof(out), out);
    for (int i = 0; i < 2; i++) ASSERT_CL(clReleaseMemObject(buffers[i]));
    assert_memory_equal(out, in, sizeof(in));
  }
  ASSERT_CL(clReleaseKernel(kernel));
}

/* From the first work-item to the last these grow by as much as if they grew by one each, as the inner mask's blocks
 * are as far apart as the outer's; in between they wrap. */
static void masks_of_masks(void **state) {
  (void)state;
  static const char source[] =
      "#define INDEX(MASK) const size_t g = get_global_id(0), place = 20 * (g & (MASK)), index = 21 * g - place + "
      "start;\n"
      "kernel void constant_mask(global const uint *in, global uint *out, uint start) {\n"
      "  INDEX(15)\n"
      "  out[g] = in[(index << 2) & 0x3fc] + (uint)(place >> 1);\n"
      "}\n"
      "kernel void variable_mask(global const uint *in, global uint *out, uint start) {\n"
      "  INDEX((size_t)(start ? 15 : 7))\n"
      "  out[g] = in[(index << 2) & 0x3fc] + (uint)(place >> 1);\n"
      "}\n"
      "kernel void sign(global const uint *in, global uint *out, uint start) {\n"
      "  INDEX(15)\n"
      "  out[g] = in[600 + (((long)(index << 56)) >> 54)] + (uint)(place >> 1);\n"
      "}\n";
  static const char *const names[] = {"constant_mask", "variable_mask", "sign"};
  static const uint starts[] = {1, 1, 129};
  enum { items = 65, elements = 1200 };
  const size_t count = items;
  uint in[elements], out[items];
  for (uint i = 0; i < elements; i++) in[i] = i;
  for (int kind = 0; kind < 3; kind++) {
    cl_kernel kernel = test_kernel(source, "-cl-std=CL3.0", names[kind]);
    cl_mem buffers[] = {test_buffer(sizeof(in), in), test_buffer(sizeof(out), NULL)};
    for (cl_uint i = 0; i < 2; i++) ASSERT_CL(clSetKernelArg(kernel, i, sizeof(buffers[i]), &buffers[i]));
    ASSERT_CL(clSetKernelArg(kernel, 2, sizeof(uint), &starts[kind]));
    ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &count, &count, 0, NULL, NULL));
    test_read(buffers[1], sizeof(out), out);
    for (uint g = 0; g < items; g++) {
      const uint place = 20 * (g & 15), index = 21 * g - place + starts[kind];
      const uint from = kind < 2 ? index << 2 & 0x3fc : (uint)(600 + (signed char)index * 4);
      assert_int_equal(out[g], from + (place >> 1));
    }
    for (int i = 0; i < 2; i++) ASSERT_CL(clReleaseMemObject(buffers[i]));
    ASSERT_CL(clReleaseKernel(kernel));
  }
}

/* A block's number that is extended from 31 bits. */
ITEM(blocks_extended, {
  const ulong block = n + (g >> 3);
  out[g] = in[(ulong)((long)(block << 33) >> 32)];
})

/* An argument says which index moves with the work-items. */
ITEM(along_axes, {
  uint sum = 0;
  for (uint k = 0; k < 4; k++) {
    const uint x = n == 0 ? k : g;
    const uint y = n == 0 ? g : n == 5 ? k : 3;
    sum = sum * 3 + in[x + 2 * y];
  }
  out[n == 10 ? g : g + 3] = sum;
})

ITEM(along_cases, {
  uint x = 0;
  switch (n) {
    case 0: x = g; break;
    case 5: x = 17; break;
    default: x = 2 * g + 1;
  }
  if (x < 300) out[g] = in[x] + n;
})

DEFINE_RUN_ITEM

int main(void) {
  const struct CMUnitTest tests[] = {
      ITEM_TEST(narrow_indices_wrap),   ITEM_TEST(signed_ids),           ITEM_TEST(extended_sums),
      ITEM_TEST(extended_sums_wrap),    ITEM_TEST(stores_wrap),          ITEM_TEST(range_within_a_vector),
      cmocka_unit_test(ids_wrap),       ITEM_TEST(kept_within_bounds),   ITEM_TEST(places_in_blocks),
      ITEM_TEST(side_by_side),          ITEM_TEST(restricted),           ITEM_TEST(stored_within_bounds),
      ITEM_TEST(high_halves),           ITEM_TEST(rows_within_bounds),   ITEM_TEST(rows_as_rings),
      cmocka_unit_test(masks_of_masks), ITEM_TEST(unsigned_differences), ITEM_TEST(along_axes),
      ITEM_TEST(along_cases),           ITEM_TEST(blocks_extended),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
