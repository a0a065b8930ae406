/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Elements narrower than 32 bits, for which a CPU may have no masked loads and stores: work-items that fill vectors,
 * and those that are left. */
#include "item.h"

ITEM(bytes, { ((global uchar *)out)[g] = (uchar)(((global const uchar *)in)[g] * 3 + n); })

ITEM(words, { ((global ushort *)out)[g] = (ushort)(((global const ushort *)in)[g] * 5 + n); })

ITEM(bytes_to_words, { ((global ushort *)out)[g + n] = (ushort)(((global const uchar *)in)[g + n] * 257); })

ITEM(words_to_integers, { out[g] = ((global const ushort *)in)[g] + 7 * n; })

/* The last work-items do nothing. */
ITEM(bounded, {
  if (g < n * 11) ((global uchar *)out)[g] = ((global const uchar *)in)[g + n] ^ (uchar)n;
})

/* Neither do the first, nor some between them. */
ITEM(border, {
  if (g > n && g < 130 - n)
    ((global uchar *)out)[g] = (uchar)(((global const uchar *)in)[g - 1] + ((global const uchar *)in)[g + 1]);
})

ITEM(odd_ones, {
  const uchar value = ((global const uchar *)in)[g];
  if (value & 1) ((global uchar *)out)[g] = (uchar)(value + n);
})

ITEM(wraps, { ((global uchar *)out)[(uchar)(g + 200)] = ((global const uchar *)in)[(uchar)(g + 100)]; })

ITEM(pairs, {
  global uchar *to = (global uchar *)out + 2 * g;
  global const uchar *from = (global const uchar *)in + 2 * g;
  to[0] = (uchar)(from[1] + n);
  to[1] = from[0];
})

ITEM(first_of_three, { ((global ushort *)out)[3 * g + 1] = ((global const ushort *)in)[3 * g + 2]; })

ITEM(window, {
  uint sum = 0;
  for (uint i = 0; i <= n % 5; i++) sum += ((global const uchar *)in)[g + i] * (i + 1);
  ((global ushort *)out)[g] = (ushort)sum;
})

ITEM(own_bytes, {
 private
  uchar count[8];
  for (uint i = 0; i < 8; i++) count[i] = (uchar)i;
  for (uint i = 0; i < n % 7 + 2; i++) count[((global const uchar *)in)[g + i] & 7]++;
  ((global uchar *)out)[g] = count[(g + n) & 7];
})

ITEM(sorted, {
  global const uchar *from = (global const uchar *)in;
  uchar a = from[g];
  uchar b = from[g + 16];
  uchar c = from[g + 32];
  uchar t = a < b ? a : b;
  b = a < b ? b : a;
  a = t;
  t = b < c ? b : c;
  ((global uchar *)out)[g] = a > t ? a : t;
})

DEFINE_RUN_ITEM

int main(void) {
  const struct CMUnitTest tests[] = {
      ITEM_TEST(bytes),   ITEM_TEST(words),          ITEM_TEST(bytes_to_words), ITEM_TEST(words_to_integers),
      ITEM_TEST(bounded), ITEM_TEST(border),         ITEM_TEST(odd_ones),       ITEM_TEST(wraps),
      ITEM_TEST(pairs),   ITEM_TEST(first_of_three), ITEM_TEST(window),         ITEM_TEST(own_bytes),
      ITEM_TEST(sorted),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
