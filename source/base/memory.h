/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Host-memory helpers: checked growth of arrays, checked arithmetic, alignment. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Makes room for `needed` elements of `element_size` bytes in the malloc'ed array `*data` of `*capacity` elements
 * (both may be zero). Grows by doubling. False when out of memory: the array is then unchanged. */
__attribute__((warn_unused_result)) bool array_reserve(void *data, size_t *capacity, size_t needed,
                                                       size_t element_size);

/** `*out = a + b` or `a * b`; false on overflow. */
#define size_add(a, b, out) (!__builtin_add_overflow((a), (b), (out)))
#define size_multiply(a, b, out) (!__builtin_mul_overflow((a), (b), (out)))

static inline bool is_power_of_two(uint64_t value) { return value && !(value & (value - 1)); }
/** Rounds up to a multiple of `alignment`, a power of two. */
static inline uint64_t align_up(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) & ~(alignment - 1);
}

#endif
