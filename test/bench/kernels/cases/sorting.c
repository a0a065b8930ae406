/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Sorts blocks of an array, each by a bitonic network. */
#include <string.h>

#include "case.h"

enum { LANES = 256, BLOCK = 2 * LANES };

static inline void pairs_order(unsigned *low, unsigned *high, size_t count, bool ascending) {
  BENCH_SIMD()
  for (size_t i = 0; i < count; i++) {
    const unsigned a = low[i], b = high[i], smaller = a < b ? a : b, larger = a < b ? b : a;
    low[i] = ascending ? smaller : larger;
    high[i] = ascending ? larger : smaller;
  }
}

static void block_sort(unsigned *block) {
  for (size_t size = 2; size <= BLOCK; size *= 2) {
    for (size_t stride = size / 2; stride > 0; stride /= 2) {
      for (size_t i = 0; i < BLOCK; i += 2 * stride) {
        pairs_order(block + i, block + i + stride, stride, (i & size) == 0);
      }
    }
  }
}

BENCH_WORK(sorting) {
  const unsigned *restrict in = arguments[0];
  unsigned *restrict out = arguments[1];
  const size_t blocks = BENCH_UINT(3);
  BENCH_PARALLEL()
  for (size_t b = 0; b < blocks; b++) {
    memcpy(out + b * BLOCK, in + b * BLOCK, BLOCK * sizeof(*out));
    block_sort(out + b * BLOCK);
  }
}

#ifdef BENCH_DEFINES_CASE
static void set_up(bench_data_t *data, size_t size) {
  bench_fill_uints(bench_add_input(data, BENCH_U32, size * BLOCK), size * BLOCK, 0xFFFFFFFF);
  bench_add_output(data, BENCH_U32, size * BLOCK);
  bench_add_local(data, BLOCK * sizeof(unsigned));
  bench_add_uint(data, size);
  bench_set_range(data, size * LANES, LANES);
}

BENCH_CASE(sorting, .class = CLASS_NETWORK, .size = 512, .check_size = 5);
#endif
