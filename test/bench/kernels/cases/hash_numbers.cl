/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Mixes the bits of each number many times: integer multiplications, shifts and rotations. */
kernel void hash_numbers(global const uint *restrict in, global uint *restrict out, uint count, uint rounds) {
  const size_t i = get_global_id(0);
  if (i >= count) return;
  uint x = in[i];
  for (uint round = 0; round < rounds; round++) {
    x ^= x >> 16;
    x *= 0x85EBCA6B;
    x ^= x >> 13;
    x *= 0xC2B2AE35;
    x = rotate(x ^ round, 15u);
  }
  out[i] = x;
}
