/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Private arrays and structures of several lanes, side by side or interleaved. */
#include "item.h"

ITEM(many_dimensions, {
  uint a[2][2][2][2][2][2][2][2][2];
  for (uint i = 0; i < 512; i++) {
    a[i >> 8][i >> 7 & 1][i >> 6 & 1][i >> 5 & 1][i >> 4 & 1][i >> 3 & 1][i >> 2 & 1][i >> 1 & 1][i & 1] = i * g;
  }
  a[in[n] & 1][in[n + 1] & 1][in[n + 2] & 1][in[n + 3] & 1][in[n + 4] & 1][in[n + 5] & 1][in[n + 6] & 1][in[n + 7] & 1]
   [in[n + 8] & 1] = g * 5;
  out[g] = a[n & 1][in[n + 1] & 1][in[n + 2] & 1][in[n + 3] & 1][in[n + 4] & 1][in[n + 5] & 1][in[n + 6] & 1]
            [in[n + 7] & 1][in[n + 9] & 1];
})

ITEM(structures, {
  struct part {
    uint a[8];
    float f;
    uchar c[3];
  } s[3];
  for (uint i = 0; i < 3; i++) {
    for (uint j = 0; j < 8; j++) s[i].a[j] = in[(g + j * i) & 63];
    s[i].f = (float)(i + g);
    s[i].c[g % 3] = (uchar)g;
    s[i].c[(g + 1) % 3] = 1;
    s[i].c[(g + 2) % 3] = 2;
  }
  struct part *p = g & 1 ? &s[0] : &s[n & 1];
  struct part t = s[in[g] & 1];
  s[2] = t;
  p->a[g & 7] += 5;
  t.c[n % 3]++;
  out[g] = s[2].a[n & 7] + s[in[n] & 1].a[g & 7] + (uint)p->f + t.c[g % 3] + s[0].c[n % 3];
})

ITEM(pointers_to_one_of_several, {
  uint a[4];
  uint b[6];
  for (uint i = 0; i < 4; i++) a[i] = g * i + n;
  for (uint i = 0; i < 6; i++) b[i] = g + i * 7;
  uint *p = in[g] & 1 ? a : b + 1;
  uint *q = n ? a + 1 : b;
  p[g & 3] = 11;
  q[in[g] & 1] += 3;
  p = p + (in[g] >> 3 & 1);
  *p = 4;
  uint s = 0;
  for (uint i = 0; i < 4; i++) s = s * 3 + a[i];
  for (uint i = 0; i < 6; i++) s = s * 3 + b[i];
  out[g] = s;
})

/* Made from the variable's address outside of what is vectorized, where it is the same for all work-items. */
ITEM(addresses_as_integers, {
  uint a[4];
  for (uint i = 0; i < 4; i++) a[i] = g + i;
  ulong x = (ulong)a;
  uint *p = (uint *)(x + 4 * (n & 3));
  uint *q = (uint *)(x + 4 * (g & 3));
  *p = g * 5;
  *q += 7;
  out[g] = a[n & 3] + a[2] + a[in[g] & 3];
})

ITEM(elements_seen_in_several_sizes, {
  union {
    uint i[8];
    ushort s[16];
    uchar c[32];
    ulong l[4];
  } u;
  for (uint i = 0; i < 8; i++) u.i[i] = in[(g + i) & 63];
  u.c[g & 31] = 7;
  u.s[n & 15] ^= 5;
  u.l[g & 3] += 3;
  out[g] = u.i[(g + 1) & 7] + u.s[g & 15] + (uint)u.l[n & 3];
})

ITEM(volatile_variables, {
  volatile uint x = g;
  if (g & 1) {
    x = x + 1;
    out[g] = x;
    x += out[g];
  } else {
    out[g] = x;
  }
  out[g] += x;
})

ITEM(addresses_that_leave_a_loop, {
  uint a[8];
  uint b[8];
  for (uint i = 0; i < 8; i++) a[i] = g + i, b[i] = g * i;
  uint k = g, s = 0, i = 0;
  while (true) {
    uint *p = &a[in[k & 63] & 7];
    *p += k;
    if ((in[(k + 1) & 63] & 3) == 0 || ++i == 20) {
      s = *p * 3;
      break;
    }
    k = k * 5 + *p;
  }
  while (true) {
    uint *p = &b[in[(n + i) & 63] & 7];
    *p += g;
    if (++i > n) {
      s += *p;
      break;
    }
  }
  for (uint j = 0; j < 8; j++) s = s * 3 + a[j] + b[j];
  out[g] = s;
})

/* The loop is entered in its midst, so that nothing moves the address out of it. */
ITEM(addresses_that_leave_an_irreducible_loop, {
  uint a[8];
  for (uint i = 0; i < 8; i++) a[i] = g * i + 1;
  uint rounds = 3, s = 0;
  uint *p;
  switch (in[g] & 3) {
    default: do { s += n;
        case 1:
        case 2:
          p = &a[in[n & 63] & 7];
          if (in[(g + rounds) & 63] & 1) s ^= *p;
          out[g] = s;
      } while (--rounds > 0);
  }
  out[g] += *p + s;
})

/* By some of the work-items, of which the others keep what they have. */
ITEM(arrays_that_are_filled_and_copied, {
  uint a[24] = {0};
  uint b[100];
  ushort c[7] = {1, 2, 3, 4, 5, 6, 7};
  for (uint i = 0; i < 100; i++) b[i] = 0x5a5a5a5a;
  for (uint round = 0; round < 6; round++) {
    a[in[(g + round) & 63] % 24] += g;
    b[in[(n + round) & 63] % 100] += round;
    c[in[(g * 3 + round) & 63] % 7] += (ushort)n;
    if ((in[(g + round * 5) & 63] & 3) == 1)
      for (uint i = 0; i < 24; i++) a[i] = 0;
    if ((in[(g + round * 7) & 63] & 3) == 2)
      for (uint i = 0; i < 100; i++) b[i] = 0;
    if ((in[(g + round * 11) & 63] & 3) == 3)
      for (uint i = 0; i < 24; i++) b[50 + i] = a[i];
  }
  uint s = 0;
  for (uint i = 0; i < 24; i++) s = s * 3 + a[i];
  for (uint i = 0; i < 100; i++) s = s * 5 + b[i];
  for (uint i = 0; i < 7; i++) s = s * 7 + c[i];
  out[g] = s;
})

DEFINE_RUN_ITEM

int main(void) {
  const struct CMUnitTest tests[] = {
      ITEM_TEST(many_dimensions),
      ITEM_TEST(structures),
      ITEM_TEST(pointers_to_one_of_several),
      ITEM_TEST(addresses_as_integers),
      ITEM_TEST(elements_seen_in_several_sizes),
      ITEM_TEST(volatile_variables),
      ITEM_TEST(addresses_that_leave_a_loop),
      ITEM_TEST(addresses_that_leave_an_irreducible_loop),
      ITEM_TEST(arrays_that_are_filled_and_copied),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
