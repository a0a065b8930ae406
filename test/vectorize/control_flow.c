/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Vectorized control flow: what lanes do that part and meet again. */
#include "item.h"

/* A switch into the middle of a loop. */
ITEM(into_a_loop, {
  uint c = (in[g] & 7) + 1, i = 0, s = 0, turns = (c + 3) / 4;
  switch (c & 3) {
    case 0: do { s = s * 3 + in[(i++ + g) & 63];
        case 3: s ^= in[i++ & 63];
        case 2: s += in[i++ & 63];
        case 1: s *= 5; i++;
      } while (--turns > 0);
  }
  out[g] = s + i;
})

ITEM(irreducible, {
  uint s = in[g] & 255, t = 0;
  if (s & 1) goto second;
first:
  s = s * 7 + 1;
  if (++t > 20) goto end;
  if (s & 4) goto third;
second:
  s = s ^ (s >> 3) ^ g;
  if (++t > 25) goto end;
  if (s & 8) goto first;
third:
  s += in[t];
  if (s & 16) goto second;
  if (++t < 30) goto first;
end:
  out[g] = s + t;
})

/* One block in a cycle leads to both of its entries. */
ITEM(both_entries, {
  uint s = in[g] & 1023, t = n & 3;
  if (s & 1) goto inside;
outside:
  s = s * 5 + in[t & 63];
  if (s & 64) goto middle;
inside:
  if (++t > 40) goto end;
  for (uint k = 0; k < (s & 3); k++) s += s * 7 + in[k];
middle:
  s += in[++t & 63];
  if (s & 256) {
    goto outside;
  } else {
    goto inside;
  }
end:
  out[g] = s + t;
})

ITEM(switch_with_ways_out, {
  uint s = in[g] & 255, t = 0;
  for (;;) {
    if (t++ > 15) break;
    switch ((s ^ t) & 7) {
      case 0: s += 3;
      case 1: s *= 5; break;
      case 2:
      case 5:
        s ^= g;
        if (s & 2) goto one;
        break;
      case 3:
        for (uint i = 0; i < (s & 3); i++) {
          s += i;
          if (s & 64) goto two;
        }
        continue;
      default: s -= 9;
    }
    s ^= t;
    if (t > 100) goto one;
    t++;
  }
  s += 1;
one:
  s += 7;
  out[g] = s;
  return;
two:
  out[g] = s * 3 + t;
})

ITEM(early_returns, {
  uint s = 0;
  for (uint i = 0; i < 20; i++) {
    for (uint j = 0; j <= i; j++) {
      s = s * 3 + in[(g + j) & 63];
      if ((s & 31) == 7) {
        out[g] = s;
        return;
      }
      if ((s & 15) == 3) break;
      if ((s & 31) == 11) goto next;
    }
    if (s & 64) continue;
    s += i;
  next:
    s ^= 5;
    if ((s & 127) == 9) break;
  }
  out[g] = s + 1;
})

ITEM(two_loops_left_at_once, {
  uint s = g;
  for (uint i = 0; i < (in[g] & 7); i++) {
    uint a[5];
    for (uint j = 0; j < 5; j++) a[j] = in[(s + j) & 63];
    for (uint j = i; j < 10; j += (g & 1) + 1) {
      if ((s & 7) == 1) continue;
      for (uint k = 0; k < j; k++) {
        s = s * 3 + a[(k + g) % 5];
        if ((s & 63) == 5) goto next;
        if (s & 128) break;
      }
      if ((s & 15) == 6) break;
      a[j % 5] = s;
    }
  next:
    s += i;
    if ((s & 255) == 77) return;
  }
  out[g] = s;
})

/* The switch is on what a loop leaves behind whose exit all work-items take together, though the way there shows it
 * only to who looks closely. */
ITEM(switch_behind_a_tangled_loop, {
  uint i, s = g;
  for (i = 0; i < 9; i++) {
    s = s * 5 + in[(i + g) & 63];
    if (in[i] & 1) {
      if ((in[i + 1] & 7) == n) goto check;
      out[g] = s;
    } else {
      if ((in[i + 2] & 3) == 1) goto check;
      out[g] = i;
    }
    s ^= i;
    continue;
  check:
    s += in[i + g];
    out[g] += 1;
    if (in[i + n] & 2) break;
  }
  switch (i) {
    case 0:
      s += 5;
      out[g + 200] = 1;
      break;
    case 2:
      s *= 3;
      out[g + 200] = 2;
      break;
    case 4:
      s ^= in[g];
      out[g + 400] = s;
      break;
    case 6: s += in[g]; out[g + 400] = s;
    case 7: s *= 4; break;
    default: s--;
  }
  out[g] += s;
})

ITEM(jumps_between_nested_loops, {
  uint s = g;
  for (uint i = 0; i < 6; i++) {
    uint k = in[(g + i) & 63];
    do {
      s = s * 3 + k;
      for (uint j = 0;; j++) {
        s ^= j;
        if (((s + j) & 31) == 3) goto turn;
        if (j > 5) break;
        switch ((s >> 2) & 7) {
          case 1: continue;
          case 2: goto third;
          case 5: s += 2;
          case 6: goto second;
          default: break;
        }
        s += in[(s + j) & 63];
      }
      s++;
    second:
      k >>= 1;
      if (k & 1) continue;
      s += 5;
    third:
      k >>= 2;
    } while (k > 0);
    s += i;
  turn:
    s -= g;
    if ((s & 511) == 17) return;
  }
  out[g] = s;
})

/* What is uniform there is so only for those that have come. */
ITEM(uniform_loops_within_branches, {
  uint s = g;
  if (g % 3) {
    for (uint i = 0; i < n; i++) {
      uint u = in[i];
      if (u & 1) {
        s += in[u & 63];
        for (uint j = 0; j < (u & 3); j++) {
          s = s * 5 + in[j + i];
          if (u & 16) break;
        }
      } else if (in[u & 63] & 4) {
        if (g & 1) {
          s ^= in[i + g];
        } else {
          uint w = in[i * 2];
          if (w & 8) continue;
          s += w;
        }
      }
      if (in[i + 1] == 77) break;
      s++;
    }
  } else {
    uint i = 0;
    while (i < n && in[i] != 99) {
      s += in[i] * (g & 3);
      i += 2;
    }
    s += i;
  }
  out[g] = s;
})

ITEM(one_loop_with_many_ways_out, {
  uint s = in[g], r = 0;
  for (uint t = 0; t < 40; t++) {
    s = s * 1664525u + 1013904223u;
    uint h = s >> 24;
    if (h < 6) {
      r = 1;
      goto one;
    }
    if (h < 12) {
      r = 2 + t;
      goto two;
    }
    if (h < 18) {
      r = s;
      goto three;
    }
    if (h < 24) return;
    r ^= h;
  }
  r += 100;
one:
  r *= 3;
two:
  r += 7;
  out[g + 300] = r;
three:
  out[g] = r;
})

/* Exits that differ in what they say only, of which all lead to one place. */
ITEM(exits_to_one_place, {
  uint x = in[g];
  uint i = 0;
  uint r = 0;
  for (;;) {
    if (x == 1) {
      r = 0xff;
      break;
    }
    if (i == n + 20) {
      r = 0x10 + n;
      break;
    }
    if (x % 7 == 3) {
      r = i < 5;
      break;
    }
    if (x % 11 == n) {
      r = x * i;
      break;
    }
    x = x & 1 ? x * 3 + 1 : x / 2;
    i++;
  }
  out[g] = r;
})

/* What is told of the turn behind the loop is told on the way out of it, within a loop that others leave earlier. */
ITEM(exits_of_loops_in_loops, {
  uint s = 0;
  for (uint j = 0; j < (in[g] & 7); j++) {
    ulong i = 0;
    while (i < 9 && in[g + i] % (j + 3)) i++;
    s = s * 3 + (i == 9) + (uint)(i & 0xff);
    if (s > 2000) break;
    for (i = 0; i < n; i++) {
      if (in[i] == in[g]) goto found;
    }
  }
  s ^= 0x55;
found:
  out[g] = s;
})

/* Nothing wider than a byte in vectors, but where it may stay a number of each lane. */
ITEM(bytes, {
  global const uchar *text = (global const uchar *)in;
  global uchar *to = (global uchar *)out;
  uint same = 0;
  while (same < n && text[g + same] == text[same + 64]) same++;
  to[g] = same == n;
  uchar sum = (uchar)(g + 3);
  for (uint i = 0; i < n; i++) sum += text[g + i];
  if (sum & 4) to[g + 256] = sum;
  if (text[g] > 100) to[g * 3 + 512] = text[g * 2] - sum;
})

ITEM(shorts, {
  global const ushort *from = (global const ushort *)in;
  global ushort *to = (global ushort *)out;
  ushort x = from[g];
  for (uint i = 0; i < n && x != 7; i++) x = x & 1 ? x ^ from[i] : x >> 1;
  if (x != 9) to[g] = x;
})

DEFINE_RUN_ITEM

int main(void) {
  const struct CMUnitTest tests[] = {
      ITEM_TEST(into_a_loop),
      ITEM_TEST(irreducible),
      ITEM_TEST(both_entries),
      ITEM_TEST(switch_with_ways_out),
      ITEM_TEST(early_returns),
      ITEM_TEST(two_loops_left_at_once),
      ITEM_TEST(switch_behind_a_tangled_loop),
      ITEM_TEST(jumps_between_nested_loops),
      ITEM_TEST(uniform_loops_within_branches),
      ITEM_TEST(one_loop_with_many_ways_out),
      ITEM_TEST(exits_to_one_place),
      ITEM_TEST(exits_of_loops_in_loops),
      ITEM_TEST(bytes),
      ITEM_TEST(shorts),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
