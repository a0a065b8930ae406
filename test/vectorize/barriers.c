/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Work-items that meet at barriers: what they keep until then, what loops around barriers carry, and trees in local
 * memory. */
#include "test_device.h"

typedef unsigned int uint;

enum { GROUPS = 3, LARGEST = 128, TURNS = 4, ELEMENTS = 4096 };

/* Every kernel works on `in` and `out`; the part of `out` for a group begins at 1024 times its number. */
#define FRAME                                                                                                  \
  "#define KERNEL(name) kernel void name(global const uint *in, global uint *out, local uint *tile, uint n)\n" \
  "#define PLACE \\\n"                                                                                         \
  "  const uint lane = get_local_id(0), lanes = get_local_size(0), count = 2 * lanes; \\\n"                    \
  "  const size_t group = 1024 * get_group_id(0)\n"

static const char meeting[] = FRAME
    /* An index with a long uniform part. */
    "KERNEL(pairs) {\n"
    "  PLACE;\n"
    "  const size_t start = group + (get_group_id(0) ^ n) % 5 * count;\n"
    "  tile[2 * lane] = in[start + 2 * lane];\n"
    "  tile[2 * lane + 1] = in[start + 2 * lane + 1];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  out[start + 2 * lane] = tile[count - 1 - 2 * lane];\n"
    "  out[start + 2 * lane + 1] = tile[count - 2 - 2 * lane];\n"
    "}\n"
    /* The uniform part changes from turn to turn, and is another one behind the barrier. */
    "KERNEL(turns) {\n"
    "  PLACE;\n"
    "  size_t first = group + n;\n"
    "  for (uint turn = 0; turn < 4; turn++) {\n"
    "    const size_t place = first + lane;\n"
    "    tile[lane] = in[place] + turn;\n"
    "    first += lanes + in[first] % 8;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    out[place] += tile[lanes - 1 - lane] * (uint)(first - place);\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  }\n"
    "}\n"
    /* Each work-item leaves a loop with an index of its own, made from what was the same for those in the loop. */
    "KERNEL(leaving) {\n"
    "  PLACE;\n"
    "  size_t place = 0;\n"
    "  for (uint step = 1; place < in[lane] % 100 + n; step++) place = lane + (size_t)step * step * (n + 1);\n"
    "  tile[lane] = in[place];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  out[group + lane] = tile[lanes - 1 - lane] + (uint)place;\n"
    "}\n"
    /* Sums by a tree, up and down: neighbours are 1, 2, 4... apart. */
    "KERNEL(tree) {\n"
    "  PLACE;\n"
    "  uint stride = 1;\n"
    "  tile[2 * lane] = in[group + 2 * lane];\n"
    "  tile[2 * lane + 1] = in[group + 2 * lane + 1];\n"
    "  for (uint active = lanes; active > 0; active /= 2, stride *= 2) {\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (lane < active) tile[stride * (2 * lane + 2) - 1] += tile[stride * (2 * lane + 1) - 1];\n"
    "  }\n"
    "  for (uint active = 1; active <= lanes; active *= 2) {\n"
    "    stride /= 2;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (lane < active) {\n"
    "      const uint low = stride * (2 * lane + 1) - 1, high = stride * (2 * lane + 2) - 1, sum = tile[low];\n"
    "      tile[low] = tile[high];\n"
    "      tile[high] = 3 * tile[high] + sum + n;\n"
    "    }\n"
    "  }\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  out[group + 2 * lane] = tile[2 * lane];\n"
    "  out[group + 2 * lane + 1] = tile[2 * lane + 1];\n"
    "}\n"
    /* Vectors of which nothing but one component is set when the barrier comes. */
    "KERNEL(parts) {\n"
    "  PLACE;\n"
    "  const ushort16 alike = (ushort16)((ushort)(lane * 3 + n));\n"
    "  uchar4 last = (uchar4)((uchar)(lane * 5));\n"
    "  tile[lane] = 0;\n"
    "  for (uint step = 0; step < n; step++) tile[lane] += in[group + step];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  const uint2 two = convert_uint2(alike.scb);\n"
    "  out[group + lane] = tile[lanes - 1 - lane] + two.x + 2 * two.y + last.w;\n"
    "}\n"
    /* Elements of others between those that a work-item loads and stores, some of which it stores by another way. */
    "KERNEL(between) {\n"
    "  PLACE;\n"
    "  local ushort *part = (local ushort *)tile, *other = part + n / 3;\n"
    "  for (uint i = 0; i < 4; i++) part[4 * lane + i] = in[group + 4 * lane + i];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  const ushort first = part[4 * lane], third = part[4 * lane + 2];\n"
    "  part[4 * lane + 1] = first + third;\n"
    "  part[4 * lane] = third - n;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  const ushort second = part[4 * lane + 1], fourth = part[4 * lane + 3];\n"
    "  other[4 * lane] = second ^ fourth;\n"
    "  part[4 * lane + 3] = second + part[4 * lane + 1];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  if (lane % 3 == n % 2) {\n"
    "    part[4 * lane] += part[4 * lane + 3];\n"
    "    part[4 * lane + 2] = 5 * part[4 * lane + 3] - part[4 * lane + 1];\n"
    "  }\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  out[group + 2 * lane + 1] = tile[2 * lane + 1];\n"
    "  out[group + 2 * lane] = tile[2 * lane];\n"
    "}\n"
    /* The same distances as powers of two, and several of them that do not lie in rows. */
    "KERNEL(powers) {\n"
    "  PLACE;\n"
    "  tile[lane] = in[group + lane];\n"
    "  for (uint stage = 0; lanes >> stage > 0; stage++) {\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (lane < lanes >> stage) tile[lane << stage] = 3 * tile[lane << stage] + stage + n;\n"
    "  }\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  out[group + lane] = tile[lanes - 1 - lane];\n"
    "}\n";

static const char networks[] = FRAME
    /* A network: pairs are as far apart as blocks are long, of 1, 2, 4... work-items. */
    "KERNEL(network) {\n"
    "  PLACE;\n"
    "  tile[lane] = in[group + lane];\n"
    "  tile[lane + lanes] = in[group + lane + lanes];\n"
    "  for (uint size = 2; size <= count; size *= 2) {\n"
    "    for (uint stride = size / 2; stride > 0; stride /= 2) {\n"
    "      barrier(CLK_LOCAL_MEM_FENCE);\n"
    "      const uint low = 2 * lane - (lane & (stride - 1)), high = low + stride;\n"
    "      if (high >= count) continue;\n"
    "      const uint a = tile[low], b = tile[high];\n"
    "      const bool ascending = (low & size) == n;\n"
    "      tile[low] = ascending ? min(a, b) : max(a, b);\n"
    "      tile[high] = ascending ? max(a, b) : min(a, b);\n"
    "    }\n"
    "  }\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  out[group + lane] = tile[lane];\n"
    "  out[group + lane + lanes] = tile[lane + lanes];\n"
    "}\n"
    /* A loop in a loop is left for the next turn, and for two places behind both. */
    "KERNEL(ways) {\n"
    "  PLACE;\n"
    "  const int size = lanes, number = get_group_id(0), m = n + 5;\n"
    "  int kept = m, other = number;\n"
    "  for (int i = 0; i < (3 & (min(other, 1) - other)) + 1; i++) {\n"
    "    if ((kept & number) / 15) goto end;\n"
    "    for (int j = 0; j < (3 & ((m ? size : other) ? number : m < other)) + 1; j++) {\n"
    "      if ((3 & m) == 1) {\n"
    "        switch (3 & (kept ? size : kept) / 7) {\n"
    "          case 0: other = 255;\n"
    "          case 1: barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        }\n"
    "      }\n"
    "      if ((3 & (size / 15 >> (number < other))) != 1) continue;\n"
    "      tile[lane] = lane;\n"
    "      barrier(CLK_LOCAL_MEM_FENCE);\n"
    "      kept = tile[(uint)kept % lanes];\n"
    "      barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    }\n"
    "  }\n"
    "end:\n"
    "  out[group + lane] = kept + lane;\n"
    "}\n"
    /* Behind the barrier work-items go on in the loop's body, or at its end: whether it ends is told in a cycle, where
     * nobody asks for it. */
    "__attribute__((noinline)) int apart(int x, int y) { return x < y; }\n"
    "KERNEL(ends) {\n"
    "  PLACE;\n"
    "  const int size = lanes, m = n;\n"
    "  int kept = in[lane], other = m, sum = lane;\n"
    "  if (kept) {\n"
    "    switch (3 & size) {\n"
    "      case 0: kept = kept + 123;\n"
    "      case 1:\n"
    "      case 2: sum = sum + 123 + min(size == -1, m < 5) % 49u;\n"
    "    }\n"
    "  }\n"
    "  if ((m & 3) == 0) {\n"
    "    for (int i = 0; i < (3 & size) + 1; i++) {\n"
    "      if (apart(m, size)) {\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        if (m) continue;\n"
    "      }\n"
    "      other = in[3];\n"
    "    }\n"
    "  }\n"
    "  out[group + lane] = other + kept * 3 + sum * 5;\n"
    "}\n"
    /* Masks of all kinds, on numbers that go up and down. */
    "KERNEL(masks) {\n"
    "  PLACE;\n"
    "  tile[lane] = in[group + lane];\n"
    "  tile[lane + lanes] = in[group + lane + lanes];\n"
    "  for (uint turn = 0; turn < 12; turn++) {\n"
    "    const uint mask = turn < 9 ? (1u << turn) - 1 : in[turn] << n | (turn & 1 ? 15 : 16);\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    uint sum = tile[lane & mask] + 3 * tile[(lane + lanes) & mask] + 5 * tile[(lanes - 1 - lane) & mask];\n"
    "    sum ^= tile[(2 * lane & (mask ^ n)) + (lane & (uchar)mask & 1)] + (lane & mask);\n"
    "    sum += tile[((ulong)lane & ~(ulong)mask) % count];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    tile[lane + (mask & lanes)] = sum;\n"
    "  }\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  out[group + lane] = tile[lane];\n"
    "  out[group + lane + lanes] = tile[lane + lanes];\n"
    "}\n";

static const char carrying[] = FRAME
    /* What is carried from turn to turn: a sum that is still asked for when the next one is there, values that change
     * places, and one that comes from two sides with barriers. */
    "KERNEL(several) {\n"
    "  PLACE;\n"
    "  uint older = in[group + lane], sum = lane, newer = n + lane * 7, side = 1;\n"
    "  for (uint turn = 0; turn < 4; turn++) {\n"
    "    tile[lane] = sum + newer;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    uint next = sum * 3 + tile[lanes - 1 - lane];\n"
    "    tile[lanes + lane] = next;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    const uint oldest = older;\n"
    "    older = newer;\n"
    "    newer = oldest + sum * tile[count - 1 - lane];\n"
    "    if ((turn + n) & 1) {\n"
    "      side = side * 5 + lane;\n"
    "      tile[lane] = side;\n"
    "      barrier(CLK_LOCAL_MEM_FENCE);\n"
    "      next += tile[lanes - 1 - lane];\n"
    "      barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    } else {\n"
    "      next ^= side;\n"
    "    }\n"
    "    sum = next;\n"
    "  }\n"
    "  out[group + lane] = sum + 3 * older + 5 * newer + 7 * side;\n"
    "}\n"
    /* A sum that nobody asks for any more when the next one is there, but behind the loop. */
    "KERNEL(summed) {\n"
    "  PLACE;\n"
    "  uint sum = in[group + lane], before = 0;\n"
    "  for (uint turn = 0; turn < 4; turn++) {\n"
    "    tile[lane] = in[group + turn + lane];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    before = sum;\n"
    "    for (uint k = 0; k < n; k++) sum = sum * 3 + tile[(lane + k) % lanes];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  }\n"
    "  out[group + lane] = sum;\n"
    "  out[group + lanes + lane] = sum - before;\n"
    "}\n";

static const char steps[] = FRAME
    /* Each step has half the work-items of the last one. */
    "KERNEL(halving) {\n"
    "  PLACE;\n"
    "  tile[lane] = in[group + lane];\n"
    "  for (uint active = lanes / 2; active > 0; active /= 2) {\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (lane < active) tile[lane] = 3 * tile[lane] + tile[lane + active] + n;\n"
    "  }\n"
    "  if (lane == 0) out[group] = tile[0];\n"
    "}\n"
    /* A scan: the first work-items have nothing to add, and keep what they carry. */
    "KERNEL(doubling) {\n"
    "  PLACE;\n"
    "  uint sum = in[group + lane];\n"
    "  tile[lane] = sum;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  for (uint distance = 1; distance < lanes; distance *= 2) {\n"
    "    if (lane >= distance) sum = 3 * sum + tile[lane - distance] + n;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    tile[lane] = sum;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  }\n"
    "  out[group + lane] = sum;\n"
    "}\n"
    /* Two values carried that change places under a guard, and one that all take from it. */
    "KERNEL(changing) {\n"
    "  PLACE;\n"
    "  uint one = in[group + lane], other = lane;\n"
    "  for (uint turn = 0; turn < 4; turn++) {\n"
    "    tile[lane] = one;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (lane > turn) {\n"
    "      const uint before = one;\n"
    "      one = other + n;\n"
    "      other = before + tile[lane - turn - 1];\n"
    "    }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  }\n"
    "  out[group + lane] = one;\n"
    "  out[group + lanes + lane] = other;\n"
    "}\n"
    /* Guards with a lower bound, which may be below 0, with both, and such that name one work-item, or none. */
    "KERNEL(inside) {\n"
    "  PLACE;\n"
    "  const int first = (int)n - 3;\n"
    "  tile[lane] = in[group + lane];\n"
    "  tile[lanes + lane] = 0;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  if ((int)lane > first && lane + 2 <= lanes && (tile[lane] & 1)) tile[lanes + lane] = tile[lane + 1] + 1;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  if (lane == lanes - 1) tile[lanes] += tile[lane];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  if (lane == n) tile[lanes + lane] += 5;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  if (lane != 0) out[group + lane] = tile[lanes + lane] + tile[lane - 1];\n"
    "  if ((int)lane >= first) out[group + lanes + lane] = tile[lanes + lane];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  if (get_local_id(0) > n * 0x5555555555555555ul) out[group + lanes + lane] += lane;\n"
    "}\n";

/** What a work-group does: reads `in`, changes its part of `out`. */
typedef void expect_t(size_t group, uint lanes, uint n, uint *out);

static uint in[ELEMENTS];

static void expect_pairs(size_t group, uint lanes, uint n, uint *out) {
  const uint start = group * 1024 + (group ^ n) % 5 * 2 * lanes;
  for (uint i = 0; i < 2 * lanes; i++) out[start + i] = in[start + 2 * lanes - 1 - i];
}

static void expect_turns(size_t group, uint lanes, uint n, uint *out) {
  uint first = group * 1024 + n;
  for (uint turn = 0; turn < TURNS; turn++) {
    const uint next = first + lanes + in[first] % 8;
    for (uint i = 0; i < lanes; i++) out[first + i] += (in[first + lanes - 1 - i] + turn) * (next - first - i);
    first = next;
  }
}

static uint left_with(uint lane, uint n) {
  uint place = 0;
  for (uint step = 1; place < in[lane] % 100 + n; step++) place = lane + step * step * (n + 1);
  return place;
}

static void expect_leaving(size_t group, uint lanes, uint n, uint *out) {
  for (uint i = 0; i < lanes; i++) out[group * 1024 + i] = in[left_with(lanes - 1 - i, n)] + left_with(i, n);
}

static void exchange(uint *low, uint *high, bool ascending) {
  const uint a = *low, b = *high;
  *low = (a < b) == ascending ? a : b;
  *high = (a < b) == ascending ? b : a;
}

static void expect_network(size_t group, uint lanes, uint n, uint *out) {
  uint *tile = out + group * 1024;
  const uint count = 2 * lanes;
  memcpy(tile, in + group * 1024, count * sizeof(uint));
  for (uint size = 2; size <= count; size *= 2) {
    for (uint stride = size / 2; stride > 0; stride /= 2) {
      for (uint i = 0; i < lanes; i++) {
        const uint low = 2 * i - (i & (stride - 1)), high = low + stride;
        if (high < count) exchange(&tile[low], &tile[high], (low & size) == n);
      }
    }
  }
}

static void expect_ways(size_t group, uint lanes, uint n, uint *out) {
  const int size = (int)lanes, number = (int)group, m = (int)n + 5;
  int kept = m, other = number;
  for (int i = 0; i < (3 & ((other < 1 ? other : 1) - other)) + 1 && (kept & number) / 15 == 0; i++) {
    for (int j = 0; j < (3 & ((m ? size : other) ? number : m < other)) + 1; j++) {
      if ((3 & m) == 1 && (3 & (kept ? size : kept) / 7) == 0) other = 255;
      if ((3 & (size / 15 >> (number < other))) == 1) kept = (int)((uint)kept % lanes);
    }
  }
  for (uint i = 0; i < lanes; i++) out[group * 1024 + i] = (uint)kept + i;
}

static void expect_ends(size_t group, uint lanes, uint n, uint *out) {
  const bool reads = (n & 3) == 0 && (n >= lanes || n == 0);
  for (uint i = 0; i < lanes; i++) {
    const bool adds = in[i] != 0 && (3 & lanes) != 3;
    const uint kept = in[i] + (adds && (3 & lanes) == 0 ? 123 : 0), sum = i + (adds ? 123 : 0);
    out[group * 1024 + i] = (reads ? in[3] : n) + kept * 3 + sum * 5;
  }
}

static uint masked_sum(const uint *tile, uint i, uint lanes, uint mask, uint n) {
  uint sum = tile[i & mask] + 3 * tile[(i + lanes) & mask] + 5 * tile[(lanes - 1 - i) & mask];
  sum ^= tile[((2 * i) & (mask ^ n)) + (i & mask & 1)] + (i & mask);
  return sum + tile[(i & ~mask) % (2 * lanes)];
}

static void expect_masks(size_t group, uint lanes, uint n, uint *out) {
  uint *tile = out + group * 1024, sums[LARGEST];
  memcpy(tile, in + group * 1024, 2 * lanes * sizeof(uint));
  for (uint turn = 0; turn < 12; turn++) {
    const uint mask = turn < 9 ? (1u << turn) - 1 : in[turn] << n | (turn & 1 ? 15 : 16);
    for (uint i = 0; i < lanes; i++) sums[i] = masked_sum(tile, i, lanes, mask, n);
    for (uint i = 0; i < lanes; i++) tile[i + (mask & lanes)] = sums[i];
  }
}

static void expect_tree(size_t group, uint lanes, uint n, uint *out) {
  uint stride = 1, *tile = out + group * 1024;
  for (uint i = 0; i < 2 * lanes; i++) tile[i] = in[group * 1024 + i];
  for (uint active = lanes; active > 0; active /= 2, stride *= 2) {
    for (uint i = 0; i < active; i++) tile[stride * (2 * i + 2) - 1] += tile[stride * (2 * i + 1) - 1];
  }
  for (uint active = 1; active <= lanes; active *= 2) {
    stride /= 2;
    for (uint i = 0; i < active; i++) {
      const uint low = stride * (2 * i + 1) - 1, high = stride * (2 * i + 2) - 1, sum = tile[low];
      tile[low] = tile[high];
      tile[high] = 3 * tile[high] + sum + n;
    }
  }
}

static void expect_between(size_t group, uint lanes, uint n, uint *out) {
  for (uint i = 0; i < lanes; i++) {
    unsigned short part[4];
    for (uint k = 0; k < 4; k++) part[k] = (unsigned short)in[group * 1024 + 4 * i + k];
    const unsigned short first = part[0], third = part[2];
    part[1] = (unsigned short)(first + third);
    part[0] = (unsigned short)(third - n);
    const unsigned short second = part[1], fourth = part[3];
    part[n / 3] = second ^ fourth;
    part[3] = (unsigned short)(second + part[1]);
    if (i % 3 == n % 2) {
      part[0] = (unsigned short)(part[0] + part[3]);
      part[2] = (unsigned short)(5 * part[3] - part[1]);
    }
    memcpy(&out[group * 1024 + 2 * i], part, sizeof(part));
  }
}

static void expect_powers(size_t group, uint lanes, uint n, uint *out) {
  uint tile[LARGEST];
  for (uint i = 0; i < lanes; i++) tile[i] = in[group * 1024 + i];
  for (uint stage = 0; lanes >> stage > 0; stage++) {
    for (uint i = 0; i < lanes >> stage; i++) tile[i << stage] = 3 * tile[i << stage] + stage + n;
  }
  for (uint i = 0; i < lanes; i++) out[group * 1024 + i] = tile[lanes - 1 - i];
}

typedef struct carried_t {
  uint older, sum, newer, side, next;
} carried_t;

static void carry(uint turn, uint lanes, uint n, carried_t *values) {
  uint sums[LARGEST], next[LARGEST];
  for (uint i = 0; i < lanes; i++) sums[i] = values[i].sum + values[i].newer;
  for (uint i = 0; i < lanes; i++) next[i] = values[i].next = values[i].sum * 3 + sums[lanes - 1 - i];
  for (uint i = 0; i < lanes; i++) {
    carried_t *one = &values[i];
    const uint oldest = one->older;
    one->older = one->newer;
    one->newer = oldest + one->sum * next[lanes - 1 - i];
    if ((turn + n) & 1) one->side = one->side * 5 + i;
  }
  for (uint i = 0; i < lanes; i++) {
    carried_t *one = &values[i];
    one->sum = (turn + n) & 1 ? one->next + values[lanes - 1 - i].side : one->next ^ one->side;
  }
}

static void expect_several(size_t group, uint lanes, uint n, uint *out) {
  carried_t values[LARGEST];
  for (uint i = 0; i < lanes; i++) values[i] = (carried_t){in[group * 1024 + i], i, n + i * 7, 1, 0};
  for (uint turn = 0; turn < TURNS; turn++) carry(turn, lanes, n, values);
  for (uint i = 0; i < lanes; i++) {
    out[group * 1024 + i] = values[i].sum + 3 * values[i].older + 5 * values[i].newer + 7 * values[i].side;
  }
}

static void expect_parts(size_t group, uint lanes, uint n, uint *out) {
  uint sum = 0;
  for (uint step = 0; step < n; step++) sum += in[group * 1024 + step];
  for (uint i = 0; i < lanes; i++) out[group * 1024 + i] = sum + 3 * (i * 3 + n) + (i * 5 & 0xff);
}

static void expect_summed(size_t group, uint lanes, uint n, uint *out) {
  for (uint i = 0; i < lanes; i++) {
    uint sum = in[group * 1024 + i], before = 0;
    for (uint turn = 0; turn < TURNS; turn++) {
      before = sum;
      for (uint k = 0; k < n; k++) sum = sum * 3 + in[group * 1024 + turn + (i + k) % lanes];
    }
    out[group * 1024 + i] = sum;
    out[group * 1024 + lanes + i] = sum - before;
  }
}

static void expect_halving(size_t group, uint lanes, uint n, uint *out) {
  uint tile[LARGEST];
  memcpy(tile, in + group * 1024, lanes * sizeof(uint));
  for (uint active = lanes / 2; active > 0; active /= 2) {
    for (uint i = 0; i < active; i++) tile[i] = 3 * tile[i] + tile[i + active] + n;
  }
  out[group * 1024] = tile[0];
}

static void expect_doubling(size_t group, uint lanes, uint n, uint *out) {
  uint *sums = out + group * 1024;
  memcpy(sums, in + group * 1024, lanes * sizeof(uint));
  for (uint distance = 1; distance < lanes; distance *= 2) {
    for (uint i = lanes; i-- > distance;) sums[i] = 3 * sums[i] + sums[i - distance] + n;
  }
}

static void expect_changing(size_t group, uint lanes, uint n, uint *out) {
  uint *one = out + group * 1024, *other = one + lanes;
  for (uint i = 0; i < lanes; i++) one[i] = in[group * 1024 + i], other[i] = i;
  for (uint turn = 0; turn < TURNS; turn++) {
    for (uint i = lanes; i-- > turn + 1;) {
      const uint before = one[i];
      one[i] = other[i] + n;
      other[i] = before + one[i - turn - 1];
    }
  }
}

static void expect_inside(size_t group, uint lanes, uint n, uint *out) {
  const uint *tile = in + group * 1024;
  uint made[LARGEST] = {0};
  for (uint i = 0; i + 2 <= lanes; i++) {
    if ((int)i > (int)n - 3 && (tile[i] & 1)) made[i] = tile[i + 1] + 1;
  }
  made[0] += tile[lanes - 1];
  if (n < lanes) made[n] += 5;
  for (uint i = 0; i < lanes; i++) {
    uint *first = out + group * 1024 + i, *second = first + lanes;
    if (i > 0) *first = made[i] + tile[i - 1];
    if ((int)i >= (int)n - 3) *second = made[i];
  }
  for (uint i = 0; i < lanes; i++) {
    if (n == 0 && i > 0) out[group * 1024 + lanes + i] += i;
  }
}

typedef struct case_t {
  const char *source, *name;
  expect_t *expect;
} case_t;

static void run_once(const case_t *one, cl_kernel kernel, size_t lanes, uint n) {
  static uint expected[ELEMENTS], actual[ELEMENTS];
  const size_t range = GROUPS * lanes;
  memset(expected, 0, sizeof(expected));
  cl_mem buffers[] = {test_buffer(sizeof(in), in), test_buffer(sizeof(expected), expected)};
  for (cl_uint i = 0; i < 2; i++) ASSERT_CL(clSetKernelArg(kernel, i, sizeof(buffers[i]), &buffers[i]));
  ASSERT_CL(clSetKernelArg(kernel, 2, 2 * lanes * sizeof(uint), NULL));
  ASSERT_CL(clSetKernelArg(kernel, 3, sizeof(n), &n));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &range, &lanes, 0, NULL, NULL));
  test_read(buffers[1], sizeof(actual), actual);
  for (int i = 0; i < 2; i++) ASSERT_CL(clReleaseMemObject(buffers[i]));
  for (size_t group = 0; group < GROUPS; group++) one->expect(group, (uint)lanes, n, expected);
  for (uint i = 0; i < ELEMENTS; i++) {
    if (actual[i] == expected[i]) continue;
    fail_msg("%s, n = %u, %zu work-items: element %u is %#x, should be %#x", one->name, n, lanes, i, actual[i],
             expected[i]);
  }
}

static void run_case(void **state) {
  const case_t *one = *state;
  static const size_t sizes[] = {1, 2, 7, 8, 16, 31, 64, LARGEST};
  for (uint i = 0; i < ELEMENTS; i++) in[i] = i * 2654435761u >> 9;
  cl_kernel kernel = test_kernel(one->source, "-cl-std=CL3.0", one->name);
  for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
    for (uint n = 0; n <= 6; n += 3) run_once(one, kernel, sizes[i], n);
  }
  ASSERT_CL(clReleaseKernel(kernel));
}

#define CASE(SOURCE, NAME)                                                          \
  {                                                                                 \
    #NAME, run_case, NULL, NULL, (void *)&(case_t) { SOURCE, #NAME, expect_##NAME } \
  }

int main(void) {
  const struct CMUnitTest tests[] = {
      CASE(meeting, pairs),   CASE(meeting, turns),    CASE(meeting, leaving), CASE(meeting, tree),
      CASE(meeting, between), CASE(meeting, powers),   CASE(meeting, parts),   CASE(carrying, several),
      CASE(carrying, summed), CASE(networks, network), CASE(networks, masks),  CASE(networks, ways),
      CASE(networks, ends),   CASE(steps, halving),    CASE(steps, doubling),  CASE(steps, changing),
      CASE(steps, inside),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
