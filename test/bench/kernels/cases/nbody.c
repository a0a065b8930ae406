/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Gravity between all pairs of bodies, every other body read from global memory. */
#include <math.h>

#include "case.h"

BENCH_WORK(nbody) {
  const float *restrict bodies = arguments[0];
  float *restrict accelerations = arguments[1];
  const size_t count = BENCH_UINT(2);
  const float softening = BENCH_FLOAT(3);
  BENCH_PARALLEL()
  for (size_t i = 0; i < count; i++) {
    const float *me = bodies + 4 * i;
    float x = 0, y = 0, z = 0;
    BENCH_SIMD(reduction(+ : x, y, z))
    for (size_t j = 0; j < count; j++) {
      const float *other = bodies + 4 * j;
      const float dx = other[0] - me[0], dy = other[1] - me[1], dz = other[2] - me[2];
      const float inverse = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + softening);
      const float force = other[3] * inverse * inverse * inverse;
      x += dx * force;
      y += dy * force;
      z += dz * force;
    }
    accelerations[4 * i] = x;
    accelerations[4 * i + 1] = y;
    accelerations[4 * i + 2] = z;
    accelerations[4 * i + 3] = 0;
  }
}

#ifdef BENCH_DEFINES_CASE
static void set_up(bench_data_t *data, size_t size) {
  bench_fill_floats(bench_add_input(data, BENCH_F32, 4 * size), 4 * size, 0, 1);
  bench_add_output(data, BENCH_F32, 4 * size);
  bench_add_uint(data, size);
  bench_add_float(data, 0.01f);
  bench_set_range(data, size, 0);
}

/* The sums have many terms of both signs. */
BENCH_CASE(nbody, .class = CLASS_PAIRS, .size = 4096, .check_size = 256, .relative = 1e-3, .absolute = 1);
#endif
