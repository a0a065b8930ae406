/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Random walks on a lattice, until each leaves a disc. */
#include "case.h"

static inline unsigned walk(unsigned seed, unsigned limit, int radius) {
  unsigned state = seed | 1, step = 0;
  int x = 0, y = 0;
  while (step < limit && x * x + y * y < radius * radius) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    const int by = (int)(state >> 30 & 1) * 2 - 1;
    if (state >> 31) {
      x += by;
    } else {
      y += by;
    }
    step++;
  }
  return step;
}

BENCH_WORK(walks) {
  const unsigned *restrict seeds = arguments[0];
  unsigned *restrict steps = arguments[1];
  const size_t count = BENCH_UINT(2);
  const unsigned limit = (unsigned)BENCH_UINT(3);
  const int radius = (int)BENCH_UINT(4);
  BENCH_PARALLEL(schedule(dynamic, 256))
  for (size_t i = 0; i < count; i++) steps[i] = walk(seeds[i], limit, radius);
}

#ifdef BENCH_DEFINES_CASE
static void set_up(bench_data_t *data, size_t size) {
  bench_fill_uints(bench_add_input(data, BENCH_U32, size), size, 0xFFFFFFFF);
  bench_add_output(data, BENCH_U32, size);
  bench_add_uint(data, size);
  bench_add_uint(data, 2000);
  bench_add_uint(data, 16);
  bench_set_range(data, size, 0);
}

BENCH_CASE(walks, .class = CLASS_WALK, .size = 20000, .check_size = 500);
#endif
