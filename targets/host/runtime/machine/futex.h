/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Sleeping on a 32-bit word until another thread of this process changes it. */
#ifndef HOST_RUNTIME_MACHINE_FUTEX_H
#define HOST_RUNTIME_MACHINE_FUTEX_H

#include <linux/futex.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/** A deadline that never comes. */
#define HOST_NO_DEADLINE UINT64_MAX

/** Sleeps while `*word` is `expected`, until woken or until `deadline` (CLOCK_MONOTONIC, ns). May return early. */
static inline void host_futex_wait(_Atomic uint32_t *word, uint32_t expected, uint64_t deadline) {
  struct timespec time = {.tv_sec = (time_t)(deadline / 1000000000u), .tv_nsec = (long)(deadline % 1000000000u)};
  syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, expected, deadline == HOST_NO_DEADLINE ? NULL : &time, NULL,
          FUTEX_BITSET_MATCH_ANY);
}

/** Wakes one sleeper. The word may be gone by now: a stale address wakes nobody, or somebody who looks again. */
static inline void host_futex_wake(_Atomic uint32_t *word) { syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1); }

/** Tells the core that this is a spin loop. */
static inline void host_cpu_pause(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/** One turn of a spin loop, from turn 0 on: pauses at first, then lets other threads of this core run, as what is
 * waited for may need the core. */
static inline void host_spin_turn(unsigned turn) {
  if (turn >= 16)
    sched_yield();
  else
    host_cpu_pause();
}

/** About as many ticks as a microsecond has, of 0.4 ns each. */
#define HOST_MICROSECOND_TICKS 2500u

/** Cheap monotonic ticks, of a fraction of a nanosecond to some nanoseconds each: only for rough comparisons. */
static inline uint64_t host_ticks(void) {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#else
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
#endif
}

#endif
