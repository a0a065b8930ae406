/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The floating-point modes in which kernels run: rounding to nearest, no traps, denormals as the kernel wants them,
 * whatever the application has set for a thread of its own or for those that it created. */
#ifndef HOST_RUNTIME_FLOAT_MODE_H
#define HOST_RUNTIME_FLOAT_MODE_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

/** The control register's bits for such a kernel; flags of what has happened are left out. */
static inline uint64_t host_float_mode_bits(bool flushes) {
#if defined(__x86_64__)
  enum { all_masked = 0x1F80, flush_to_zero = 0x8000, denormals_are_zero = 0x40 };
  return all_masked | (flushes ? flush_to_zero | denormals_are_zero : 0);
#else
  enum { flush_to_zero_bit = 24 };
  return (uint64_t)flushes << flush_to_zero_bit;
#endif
}

/** Reads the thread's control register, without flags. */
static inline uint64_t host_float_mode_get(void) {
#if defined(__x86_64__)
  enum { flags = 0x3F };
  return _mm_getcsr() & ~(uint32_t)flags;
#elif defined(__aarch64__)
  uint64_t bits;
  __asm__ volatile("mrs %0, fpcr" : "=r"(bits));
  return bits;
#else
  return 0;
#endif
}

static inline void host_float_mode_set(uint64_t bits) {
#if defined(__x86_64__)
  _mm_setcsr((uint32_t)bits);
#elif defined(__aarch64__)
  __asm__ volatile("msr fpcr, %0" : : "r"(bits) : "memory");
#else
  (void)bits;
#endif
}

/** Sets the calling thread's modes for a kernel, whose denormal operands and results are zero when it `flushes`.
 * Returns what host_float_mode_leave is to bring back. Writes the register only if it must: that is what costs. */
static inline uint64_t host_float_mode_enter(bool flushes) {
  uint64_t old = host_float_mode_get(), wanted = host_float_mode_bits(flushes);
  if (old != wanted) host_float_mode_set(wanted);
  return old;
}

static inline void host_float_mode_leave(uint64_t old, bool flushes) {
  if (old != host_float_mode_bits(flushes)) host_float_mode_set(old);
}

#endif
