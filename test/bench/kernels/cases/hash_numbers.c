/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Mixes the bits of each number many times: integer multiplications, shifts and rotations. */
#include "case.h"

BENCH_WORK(hash_numbers) {
  const unsigned *restrict in = arguments[0];
  unsigned *restrict out = arguments[1];
  const size_t count = BENCH_UINT(2);
  const unsigned rounds = (unsigned)BENCH_UINT(3);
  BENCH_PARALLEL_SIMD()
  for (size_t i = 0; i < count; i++) {
    unsigned x = in[i];
    for (unsigned round = 0; round < rounds; round++) {
      x ^= x >> 16;
      x *= 0x85EBCA6B;
      x ^= x >> 13;
      x *= 0xC2B2AE35;
      x ^= round;
      x = x << 15 | x >> 17;
    }
    out[i] = x;
  }
}

#ifdef BENCH_DEFINES_CASE
static void set_up(bench_data_t *data, size_t size) {
  bench_fill_uints(bench_add_input(data, BENCH_U32, size), size, 0xFFFFFFFF);
  bench_add_output(data, BENCH_U32, size);
  bench_add_uint(data, size);
  bench_add_uint(data, 64);
  bench_set_range(data, size, 0);
}

BENCH_CASE(hash_numbers, .class = CLASS_HASHING, .size = 100000, .check_size = 3000);
#endif
