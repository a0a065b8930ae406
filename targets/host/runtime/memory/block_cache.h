/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Freed blocks of a device that are kept for its next allocations: pages of new ones cost a fault and are cleared.
 *
 * The system may take the pages of a kept block back when it needs memory (MADV_FREE), until they are written again;
 * the block keeps its addresses. Over whole huge pages that costs microseconds. It is also what answers for a process
 * whose OpenCL work has ended: its workers sleep without a limit, as an idle driver wakes nobody, so that nobody looks.
 * While there is work, each allocation that looks here, and each block that comes, drops what has been kept for a
 * second: a block that is needed less often than that costs next to nothing when it is new.
 *
 * Contents are what the last owner left, or zero. A block goes to the same compute units again, as its pages lie on the
 * memory nodes of these. */
#ifndef HOST_RUNTIME_MEMORY_BLOCK_CACHE_H
#define HOST_RUNTIME_MEMORY_BLOCK_CACHE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/** Blocks that are kept at most, of whatever size. */
#define HOST_KEPT_BLOCKS 128u
/** Nanoseconds after which a block that nobody wanted is dropped. */
#define HOST_KEPT_TIME ((uint64_t)1000000000)

/** Compute units of a root device, which tell it from its sub-devices. */
typedef struct host_units_t {
  uint32_t first, count;
} host_units_t;

/** A mapping of the system's. */
typedef struct host_block_t {
  char *data;
  /** Bytes, whole pages. */
  uint64_t capacity;
  /** Of the device that it was allocated from. */
  host_units_t units;
} host_block_t;

typedef struct host_kept_block_t {
  host_block_t block;
  /** Since when, in nanoseconds of clock_now_ns. */
  uint64_t since;
} host_kept_block_t;

typedef struct host_block_cache_t {
  /** Guards all below but `limit`. Nothing is locked, and no memory mapped or unmapped, under it. */
  pthread_mutex_t mutex;
  /** Bytes that are kept at most; 0: none, and nothing is locked. Constant. */
  uint64_t limit;
  uint64_t bytes;
  uint32_t count;
  /** The oldest first. */
  host_kept_block_t blocks[HOST_KEPT_BLOCKS];
} host_block_cache_t;

/** An empty cache for `limit` bytes. */
void host_block_cache_init(host_block_cache_t *cache, uint64_t limit);

/** Unmaps all that is kept. Nobody uses the cache any more. */
void host_block_cache_destroy(host_block_cache_t *cache);

/** Gives the smallest kept block of `units` for `size` bytes that leaves no more than a quarter of itself unused, the
 * youngest of several; it is the caller's. `alignment` is a power of two. False when there is none. Thread safe. */
__attribute__((warn_unused_result)) bool host_block_cache_take(host_block_cache_t *cache, uint64_t size,
                                                               uint64_t alignment, host_units_t units,
                                                               host_block_t *out_block);

/** Keeps the caller's block, and unmaps the oldest ones beyond the limits; unmaps it itself where it is larger than the
 * limit, or the system could not take its pages back. Thread safe. */
void host_block_cache_keep(host_block_cache_t *cache, const host_block_t *block);

/** Unmaps what is kept of `units`, of all where that is null. False when there was nothing. Thread safe. */
bool host_block_cache_drop(host_block_cache_t *cache, const host_units_t *units);

/** For fork(), which must find the cache whole. */
void host_block_cache_lock(host_block_cache_t *cache);
void host_block_cache_unlock(host_block_cache_t *cache);

#endif
