/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What is left of a thread's share of a region, in one atomic word: its owner takes from the front, thieves from the
 * back. A word of an earlier region stands for the whole share, so that nobody has to write shares before a region
 * begins. */
#ifndef HOST_RUNTIME_SCHEDULING_SHARE_H
#define HOST_RUNTIME_SCHEDULING_SHARE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/** Units that a region has at most: their numbers have 16 bits. */
#define HOST_SHARE_UNITS 65535u
/** Regions are numbered from 1 to this, then from 1 again. */
#define HOST_SHARE_LAST_TAG 0x3fffffffu

/** The thread of the share takes part, and the owner of the region waits for it. */
#define HOST_SHARE_JOINED ((uint64_t)1 << 32)
/** It may not any more. */
#define HOST_SHARE_SEALED ((uint64_t)1 << 33)

/** How a region is divided; the same for all who look at it. */
typedef struct host_division_t {
  uint32_t tag, shares, units;
} host_division_t;

/** Units `next` to `end - 1` of region `tag`. */
static inline uint64_t host_share_word(uint32_t tag, uint64_t flags, uint32_t next, uint32_t end) {
  return (uint64_t)tag << 34 | flags | (uint64_t)next << 16 | end;
}
static inline uint32_t host_share_tag(uint64_t word) { return (uint32_t)(word >> 34); }
static inline uint64_t host_share_flags(uint64_t word) { return word & (HOST_SHARE_JOINED | HOST_SHARE_SEALED); }
static inline uint32_t host_share_next(uint64_t word) { return (uint32_t)(word >> 16) & 0xffff; }
static inline uint32_t host_share_end(uint64_t word) { return (uint32_t)word & 0xffff; }
static inline uint32_t host_share_left(uint64_t word) { return host_share_end(word) - host_share_next(word); }

/** What `word`, read from the share `rank`, says of the region. */
static inline uint64_t host_share_interpret(const host_division_t *division, uint32_t rank, uint64_t word) {
  if (host_share_tag(word) == division->tag) return word;
  uint32_t first = (uint32_t)((uint64_t)division->units * rank / division->shares);
  uint32_t end = (uint32_t)((uint64_t)division->units * (rank + 1) / division->shares);
  return host_share_word(division->tag, 0, first, end);
}

/** A run of units. */
typedef struct host_run_t {
  uint32_t first, count;
} host_run_t;

/** Units of the next run when `left` are left: an eighth, so that uneven work still balances, but no fewer than
 * `least`, and all when hardly more would remain. */
static inline uint32_t host_share_run_length(uint32_t left, uint32_t least) {
  uint32_t length = left / 8;
  if (length < least) length = least;
  return left < length + length / 2 ? left : length;
}

/** Takes a run from the front of the own share; false when nothing is left. */
static inline bool host_share_claim(_Atomic uint64_t *share, uint32_t least, host_run_t *run) {
  uint64_t word = atomic_load_explicit(share, memory_order_relaxed);
  for (uint32_t left; (left = host_share_left(word));) {
    run->first = host_share_next(word);
    run->count = host_share_run_length(left, least);
    if (atomic_compare_exchange_weak_explicit(share, &word, word + ((uint64_t)run->count << 16), memory_order_acq_rel,
                                              memory_order_relaxed))
      return true;
  }
  return false;
}

/** Takes half of what is left of another share from its back, all of it when that is not more than two short runs.
 * False when nothing is left. */
static inline bool host_share_steal(_Atomic uint64_t *share, const host_division_t *division, uint32_t rank,
                                    uint32_t least, host_run_t *run) {
  uint64_t raw = atomic_load_explicit(share, memory_order_relaxed);
  for (;;) {
    uint64_t word = host_share_interpret(division, rank, raw);
    uint32_t left = host_share_left(word);
    if (!left) return false;
    run->count = left <= 2 * least ? left : left - left / 2;
    run->first = host_share_end(word) - run->count;
    if (atomic_compare_exchange_weak_explicit(share, &raw, word - run->count, memory_order_acq_rel,
                                              memory_order_relaxed))
      return true;
  }
}

/** Seals a share that nobody has joined and of which nothing is left; false when that has changed. */
static inline bool host_share_seal(_Atomic uint64_t *share, uint64_t word) {
  return atomic_compare_exchange_strong_explicit(share, &word, word | HOST_SHARE_SEALED, memory_order_acq_rel,
                                                 memory_order_relaxed);
}

#endif
