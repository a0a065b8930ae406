/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Random numbers (SplitMix64): the same ones for a seed everywhere. */
#ifndef OPENCL_C_RANDOM_H
#define OPENCL_C_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct random_t {
  uint64_t state;
} random_t;

static inline uint64_t random_next(random_t *random) {
  uint64_t z = random->state += UINT64_C(0x9E3779B97F4A7C15);
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return z ^ (z >> 31);
}

/** Less than `bound`; 0 for a bound of 0. */
static inline size_t random_below(random_t *random, size_t bound) { return bound ? random_next(random) % bound : 0; }

/** True once in `times`. */
static inline bool random_once_in(random_t *random, size_t times) { return random_below(random, times) == 0; }

#endif
