/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The floating-point modes in which kernels run: rounding to nearest, no traps, denormals as the kernel wants them,
 * whatever the application has set for a thread of its own or for those that it created. */
#ifndef HOST_RUNTIME_MACHINE_FLOAT_MODE_H
#define HOST_RUNTIME_MACHINE_FLOAT_MODE_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

/** A thread's modes, and the flags of what has happened. */
typedef struct host_float_mode_t {
#if defined(__x86_64__)
  uint32_t register_bits;
#else
  uint64_t control, status;
#endif
} host_float_mode_t;

static inline host_float_mode_t host_float_mode_get(void) {
  host_float_mode_t mode = {0};
#if defined(__x86_64__)
  mode.register_bits = _mm_getcsr();
#elif defined(__aarch64__)
  __asm__ volatile("mrs %0, fpcr" : "=r"(mode.control));
  __asm__ volatile("mrs %0, fpsr" : "=r"(mode.status));
#endif
  return mode;
}

static inline void host_float_mode_set(host_float_mode_t mode) {
#if defined(__x86_64__)
  _mm_setcsr(mode.register_bits);
#elif defined(__aarch64__)
  __asm__ volatile("msr fpcr, %0" : : "r"(mode.control) : "memory");
  __asm__ volatile("msr fpsr, %0" : : "r"(mode.status) : "memory");
#else
  (void)mode;
#endif
}

static inline bool host_float_mode_is(host_float_mode_t a, host_float_mode_t b) {
#if defined(__x86_64__)
  return a.register_bits == b.register_bits;
#else
  return a.control == b.control && a.status == b.status;
#endif
}

/** The modes for a kernel, with the flags that `mode` has. */
static inline host_float_mode_t host_float_mode_for(host_float_mode_t mode, bool flushes) {
#if defined(__x86_64__)
  enum { flags = 0x3F, all_masked = 0x1F80, flush_to_zero = 0x8000, denormals_are_zero = 0x40 };
  mode.register_bits = (mode.register_bits & flags) | all_masked | (flushes ? flush_to_zero | denormals_are_zero : 0);
#else
  enum { flush_to_zero_bit = 24 };
  mode.control = (uint64_t)flushes << flush_to_zero_bit;
#endif
  return mode;
}

/** Sets the calling thread's modes for a kernel, whose denormal operands and results are zero when it `flushes`.
 * Returns what host_float_mode_leave is to bring back. Both write the register only if they must: it is what costs. */
static inline host_float_mode_t host_float_mode_enter(bool flushes) {
  host_float_mode_t old = host_float_mode_get(), wanted = host_float_mode_for(old, flushes);
  if (!host_float_mode_is(old, wanted)) host_float_mode_set(wanted);
  return old;
}

/** Modes and flags are again what they were: what a kernel rounds is not the application's affair. */
static inline void host_float_mode_leave(host_float_mode_t old) {
  if (!host_float_mode_is(old, host_float_mode_get())) host_float_mode_set(old);
}

#endif
