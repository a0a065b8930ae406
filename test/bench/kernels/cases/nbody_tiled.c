/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Gravity between all pairs of bodies, tile by tile: in C, tiles of the other bodies that stay in the cache. */
#include <math.h>

#include "case.h"

enum { TILE = 128 };

static inline void tile_add(const float *tile, const float *me, float softening, float *sum) {
  float x = 0, y = 0, z = 0;
  BENCH_SIMD(reduction(+ : x, y, z))
  for (size_t j = 0; j < TILE; j++) {
    const float *other = tile + 4 * j;
    const float dx = other[0] - me[0], dy = other[1] - me[1], dz = other[2] - me[2];
    const float inverse = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + softening);
    const float force = other[3] * inverse * inverse * inverse;
    x += dx * force;
    y += dy * force;
    z += dz * force;
  }
  sum[0] += x;
  sum[1] += y;
  sum[2] += z;
}

BENCH_WORK(nbody_tiled) {
  const float *restrict bodies = arguments[0];
  float *restrict accelerations = arguments[1];
  const size_t count = BENCH_UINT(3);
  const float softening = BENCH_FLOAT(4);
  BENCH_PARALLEL()
  for (size_t block = 0; block < count; block += TILE) {
    for (size_t i = 4 * block; i < 4 * (block + TILE); i++) accelerations[i] = 0;
    for (size_t start = 0; start < count; start += TILE) {
      for (size_t i = block; i < block + TILE; i++) {
        tile_add(bodies + 4 * start, bodies + 4 * i, softening, accelerations + 4 * i);
      }
    }
  }
}

#ifdef BENCH_DEFINES_CASE
static void set_up(bench_data_t *data, size_t size) {
  bench_fill_floats(bench_add_input(data, BENCH_F32, 4 * size), 4 * size, 0, 1);
  bench_add_output(data, BENCH_F32, 4 * size);
  bench_add_local(data, TILE * 4 * sizeof(float));
  bench_add_uint(data, size);
  bench_add_float(data, 0.01f);
  bench_set_range(data, size, TILE);
}

/* The sums have many terms of both signs. */
BENCH_CASE(nbody_tiled, .class = CLASS_PAIRS, .size = 4096, .check_size = 256, .relative = 1e-3, .absolute = 1);
#endif
