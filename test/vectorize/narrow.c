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

/* Components of four bytes, converted: products that are truncated, and numbers that are stored as they were loaded. */
ITEM(components, {
  global const uchar *from = (global const uchar *)(in + g);
  global uchar *to = (global uchar *)(out + g);
  const float red = from[0];
  const float green = from[1];
  const float blue = from[2];
  to[0] = (uchar)(red * 0.25f + green * 0.5f);
  to[1] = (uchar)(from[1] * from[2] + n);
  to[2] = (uchar)(blue * 0.75f);
  to[3] = from[3];
})

ITEM(signed_components, {
  global const char *from = (global const char *)in + 4 * (ulong)g + n % 3;
  global const short *pair = (global const short *)(in + g + n);
  global short *to = (global short *)(out + 2 * (ulong)g);
  to[0] = (short)(from[0] * from[3] + pair[1]);
  to[1] = (short)(from[1] * (int)n - from[3]);
  to[2] = (short)(pair[0] * pair[1] >> 15);
  to[3] = (short)(from[0] * 3.0f);
})

/* One byte of four, and elements far from each other. */
ITEM(one_component, {
  const uchar second = ((global const uchar *)(in + g))[1];
  const uchar far = ((global const uchar *)in)[g * 11 + 3];
  const ushort farther = ((global const ushort *)in)[g * n + 1];
  ((global ushort *)out)[7 * (ulong)g] = (ushort)(second * 3 + far * 5 + farther);
  ((global uchar *)out)[14 * (ulong)g + 5] = far;
})

DEFINE_RUN_ITEM

int main(void) {
  const struct CMUnitTest tests[] = {
      ITEM_TEST(bytes),
      ITEM_TEST(words),
      ITEM_TEST(bytes_to_words),
      ITEM_TEST(words_to_integers),
      ITEM_TEST(bounded),
      ITEM_TEST(border),
      ITEM_TEST(odd_ones),
      ITEM_TEST(wraps),
      ITEM_TEST(pairs),
      ITEM_TEST(first_of_three),
      ITEM_TEST(window),
      ITEM_TEST(own_bytes),
      ITEM_TEST(sorted),
      ITEM_TEST(components),
      ITEM_TEST(signed_components),
      ITEM_TEST(one_component),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
