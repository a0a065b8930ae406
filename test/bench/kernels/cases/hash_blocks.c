/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The compression of SHA-256 over many blocks. */
#include "case.h"

#define TURN(x, by) ((x) >> (by) | (x) << (32 - (by)))

static const unsigned constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

/** Words are 32 bits of each block in turn, as the digests are. */
static inline void block_hash(const unsigned *restrict block, unsigned *restrict digest, size_t count) {
  static const unsigned initial[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  unsigned words[16], s[8];
  for (size_t i = 0; i < 16; i++) words[i] = block[i * count];
  for (size_t i = 0; i < 8; i++) s[i] = initial[i];
  for (size_t i = 0; i < 64; i++) {
    if (i >= 16) {
      const unsigned early = words[(i + 1) % 16], late = words[(i + 14) % 16];
      words[i % 16] += words[(i + 9) % 16] + (TURN(early, 7) ^ TURN(early, 18) ^ early >> 3) +
                       (TURN(late, 17) ^ TURN(late, 19) ^ late >> 10);
    }
    const unsigned mixed = TURN(s[4], 6) ^ TURN(s[4], 11) ^ TURN(s[4], 25), chosen = (s[4] & s[5]) ^ (~s[4] & s[6]);
    const unsigned first = s[7] + mixed + chosen + constants[i] + words[i % 16];
    const unsigned turned = TURN(s[0], 2) ^ TURN(s[0], 13) ^ TURN(s[0], 22);
    const unsigned second = turned + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
    for (int j = 7; j > 0; j--) s[j] = s[j - 1];
    s[4] += first;
    s[0] = first + second;
  }
  for (size_t i = 0; i < 8; i++) digest[i * count] = initial[i] + s[i];
}

BENCH_WORK(hash_blocks) {
  const unsigned *restrict blocks = arguments[0];
  unsigned *restrict digests = arguments[1];
  const size_t count = BENCH_UINT(2);
  BENCH_PARALLEL_SIMD()
  for (size_t i = 0; i < count; i++) block_hash(blocks + i, digests + i, count);
}

#ifdef BENCH_DEFINES_CASE
static void set_up(bench_data_t *data, size_t size) {
  bench_fill_uints(bench_add_input(data, BENCH_U32, 16 * size), 16 * size, 0xFFFFFFFF);
  bench_add_output(data, BENCH_U32, 8 * size);
  bench_add_uint(data, size);
  bench_set_range(data, size, 0);
}

BENCH_CASE(hash_blocks, .class = CLASS_HASHING, .size = 50000, .check_size = 500);
#endif
