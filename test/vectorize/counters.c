/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Loops that count in several numbers: pointers that are moved on, products that grow, counts that go down. */
#include "item.h"

/* As an optimiser leaves a loop over every third element. */
ITEM(pointer_and_count, {
  const global uint *at = in + g;
  uint sum = 0;
  for (uint left = n + 3; left > 0; left--) {
    sum = sum * 3 + *at;
    at += 3;
  }
  out[g] = sum;
})

/* A pointer each, by which the loop ends. */
ITEM(pointer_is_the_end, {
  const global uint *at = in + g;
  const global uint *end = at + n * 2;
  uint sum = 0;
  uint i = 5;
  for (; at != end; at += 2) sum += *at * i++;
  out[g] = sum + i;
})

/* Steps of which one is, and one is not, a multiple of the other. */
ITEM(multiples, {
  uint sum = 0;
  uint twice = g;
  uint by_five = 1;
  uint by_six = 7;
  for (uint i = g; i < g + 4 * n + 4; i += 4) {
    sum += in[twice] ^ (by_five * i) ^ by_six;
    twice += 8;
    by_five += 5;
    by_six -= 4;
  }
  out[g] = sum + twice + by_six;
})

/* The step is known when the kernel runs only. */
ITEM(steps_of_n, {
  uint sum = 0;
  uint product = g * 7;
  uint odd = 9;
  for (uint i = 0; i < 40; i += n + 1) {
    sum = sum * 5 + in[product];
    product += (n + 1) * 4;
    odd += n;
  }
  out[g] = sum + odd + product;
})

/* Narrow numbers wrap while the wide one goes on, and the other way round. */
ITEM(widths, {
  uchar narrow = (uchar)in[g];
  ushort middle = (ushort)(g * 99);
  ulong wide = g;
  uint sum = 0;
  for (uint i = 0; i < n * 60; i++) {
    narrow += 7;
    middle -= 1031;
    wide += 0x100000003ul;
    sum += narrow ^ middle ^ (uint)(wide >> 16);
  }
  out[g] = sum;
})

ITEM(narrow_end, {
  uint sum = 0;
  ulong wide = in[g];
  const global uint *at = in + g % 9;
  for (uchar i = (uchar)(g & 7); i != 31; i += 3) {
    if (i > 240 + n) break;
    wide = wide + 3;
    at += 1;
    sum += (uint)wide * *at;
  }
  out[g] = sum;
})

/* Values behind the loop: of the turn that was left early, of the next one. */
ITEM(behind, {
  uint at = g * 2;
  uint down = 900;
  uint i = 0;
  for (; i < 50; i++) {
    if (in[at] % 11 == n) break;
    at += 6;
    down -= 2;
  }
  out[g] = at * 3 + down * 5 + i * 7 + (at - down);
})

/* Down in several numbers, and one that goes up. */
ITEM(down, {
  uint sum = 0;
  uint up = 3;
  for (int i = (int)(n + 9), low = 500; i >= 0; i--, low -= 4) sum = sum * 3 + in[low + i] * up++;
  const global uint *at = in + 64;
  for (ulong left = n + 1; left; left--) {
    at--;
    sum ^= at[0] + at[g];
  }
  out[g] = sum;
})

/* A number that is the other one of the turn before. */
ITEM(one_late, {
  uint before = 0;
  uint sum = 0;
  for (uint i = 1; i <= n + 5; i++) {
    sum += in[before + g] * i;
    before = i;
  }
  out[g] = sum + before;
})

/* The one before, and the one before that, declared in both orders. */
#define TWO_LATE(RESULT, ...)            \
  {                                      \
    __VA_ARGS__;                         \
    uint sum = 0;                        \
    for (ulong i = 6; i != n + 9; i++) { \
      sum = sum * 3 + in[before2 + g];   \
      before2 = before;                  \
      before = i;                        \
    }                                    \
    out[g] = RESULT;                     \
  }
ITEM(two_late, TWO_LATE(sum + (uint)before, ulong before2 = 4, before = 5))
ITEM(two_late_turned, TWO_LATE(sum, ulong before = 5, before2 = 4))

/* The same where the loop counts down, by steps that are known when the kernel runs only. */
#define DOWN_AND_LATE(...)                    \
  {                                           \
    __VA_ARGS__;                              \
    uint sum = 0;                             \
    for (ulong left = 60; left; left--) {     \
      sum = sum * 3 + in[before + n] + in[j]; \
      before = j;                             \
      j += n;                                 \
    }                                         \
    out[g] = sum;                             \
  }
ITEM(down_and_late, DOWN_AND_LATE(ulong j = g, before = g - (ulong)n))
ITEM(down_and_late_turned, DOWN_AND_LATE(ulong before = g - (ulong)n, j = g))

/* What one of two equal counts comes to is overwritten. */
ITEM(unused, {
  ulong unused = in[g], used = 5;
  uint sum = 0;
  for (ulong i = 0; i != 100; i += 2) {
    uint value = in[used + g];
    if (value % 11 == 3) break;
    sum = sum * 3 + value;
    unused += 4 * (ulong)n;
    used += 4 * (ulong)n;
  }
  out[g] = (uint)unused;
  out[g] = sum;
})

/* A count that has no value, and is not looked at, when n is 0. */
ITEM(undefined_count, {
  ulong i;
  uint k = 3;
  uint sum = g;
  if (n) i = in[g] % 9;
  for (uint turn = 0; turn < 40; turn++) {
    if (n && i == 30) break;
    sum = sum * 3 + in[k + g + sum % 5];
    if (sum % 17 == 1) break;
    if (n) {
      i++;
      k++;
    }
  }
  out[g] = sum + k;
})

/* Loops within loops that go on with the same numbers. */
ITEM(within, {
  const global uint *at = in;
  uint sum = g;
  uint offset = 0;
  for (uint row = 0; row < n; row++) {
    const global uint *cell = at + g;
    for (uint left = 5; left; left--) {
      sum = sum * 3 + *cell + offset;
      cell += 2;
      offset += 9;
    }
    at += 10;
  }
  out[g] = sum ^ (uint)(at - in);
})

/* All elements of a private array move on by one, up and down: short enough for registers. */
ITEM(moved_on, {
  uint window[8];
  for (uint i = 0; i < 8; i++) window[i] = in[g + i];
  for (uint turn = 0; turn < n + 3; turn++) {
    const uint next = window[0] * 5 + window[3] + window[7];
    if (next & 1) {
      for (uint i = 7; i > 0; i--) window[i] = window[i - 1];
      window[0] = next;
    } else {
      for (uint i = 0; i < 7; i++) window[i] = window[i + 1];
      window[7] = next;
    }
  }
  uint sum = 0;
  for (uint i = 0; i < 8; i++) sum = sum * 31 + window[i];
  out[g] = sum;
})

/* Members of several sizes, and vectors' worth of them, of which some are moved at once. */
ITEM(moved_structs, {
  struct entry {
    ulong key;
    uint a, b;
    ushort c[4];
  } entries[4];
  for (uint i = 0; i < 4; i++) {
    entries[i].key = in[g + i];
    entries[i].a = in[g] + i;
    entries[i].b = in[g + 1] ^ i;
    for (uint j = 0; j < 4; j++) entries[i].c[j] = (ushort)(in[g + j] + i);
  }
  for (uint turn = 0; turn < n + 2; turn++) {
    entries[0] = entries[1];
    entries[1] = entries[3];
    entries[3] = entries[2];
    entries[2].key += entries[0].a * 0x10001ul;
    entries[2].a ^= entries[1].b + entries[3].c[turn & 3];
    entries[2].c[1] += (ushort)turn;
  }
  uint sum = 0;
  for (uint i = 0; i < 4; i++) {
    sum = sum * 31 + (uint)(entries[i].key >> 3) + entries[i].a * 3 + entries[i].b * 5;
    for (uint j = 0; j < 4; j++) sum = sum * 7 + entries[i].c[j];
  }
  out[g] = sum;
})

DEFINE_RUN_ITEM

int main(void) {
  const struct CMUnitTest tests[] = {
      ITEM_TEST(pointer_and_count),
      ITEM_TEST(pointer_is_the_end),
      ITEM_TEST(multiples),
      ITEM_TEST(steps_of_n),
      ITEM_TEST(widths),
      ITEM_TEST(narrow_end),
      ITEM_TEST(behind),
      ITEM_TEST(down),
      ITEM_TEST(one_late),
      ITEM_TEST(two_late),
      ITEM_TEST(two_late_turned),
      ITEM_TEST(down_and_late),
      ITEM_TEST(down_and_late_turned),
      ITEM_TEST(unused),
      ITEM_TEST(undefined_count),
      ITEM_TEST(within),
      ITEM_TEST(moved_on),
      ITEM_TEST(moved_structs),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
