/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Keeping freed blocks: an array by age, small enough to be searched. What is to be unmapped is taken out under the
 * lock, and unmapped behind it. */
#include "host/runtime/memory/block_cache.h"

#include <assert.h>
#include <string.h>
#include <sys/mman.h>

#include "base/clock.h"
#include "base/memory.h"

/* Without this one (Linux before 4.5) nothing is kept. */
#ifndef MADV_FREE
#define MADV_FREE 8
#endif

void host_block_cache_init(host_block_cache_t *cache, uint64_t limit) {
  pthread_mutex_init(&cache->mutex, NULL);
  cache->limit = limit;
  cache->bytes = 0;
  cache->count = 0;
}

void host_block_cache_destroy(host_block_cache_t *cache) {
  host_block_cache_drop(cache, NULL);
  pthread_mutex_destroy(&cache->mutex);
}

void host_block_cache_lock(host_block_cache_t *cache) { pthread_mutex_lock(&cache->mutex); }
void host_block_cache_unlock(host_block_cache_t *cache) { pthread_mutex_unlock(&cache->mutex); }

/* ---------------------------------------------------------------- entries, locked */

static host_block_t entry_remove(host_block_cache_t *cache, uint32_t at) {
  const host_block_t block = cache->blocks[at].block;
  assert(cache->bytes >= block.capacity && "bytes are the sum of the blocks'");
  --cache->count;
  memmove(&cache->blocks[at], &cache->blocks[at + 1], (cache->count - at) * sizeof *cache->blocks);
  cache->bytes -= block.capacity;
  return block;
}

static void entry_append(host_block_cache_t *cache, const host_block_t *block, uint64_t now) {
  assert(cache->count < HOST_KEPT_BLOCKS && "there is room");
  cache->blocks[cache->count++] = (host_kept_block_t){*block, now};
  cache->bytes += block->capacity;
}

static bool units_are_same(host_units_t a, host_units_t b) { return a.first == b.first && a.count == b.count; }

static bool block_fits(const host_block_t *block, uint64_t size, uint64_t alignment, host_units_t units) {
  return block->capacity >= size && block->capacity - size <= block->capacity / 4 &&
         !((uintptr_t)block->data & (alignment - 1)) && units_are_same(block->units, units);
}

/* The number of blocks when none fits. */
static uint32_t best_find(const host_block_cache_t *cache, uint64_t size, uint64_t alignment, host_units_t units) {
  uint32_t best = cache->count;
  for (uint32_t i = cache->count; i-- > 0;) {
    const host_block_t *block = &cache->blocks[i].block;
    if (!block_fits(block, size, alignment, units)) continue;
    if (best == cache->count || block->capacity < cache->blocks[best].block.capacity) best = i;
  }
  return best;
}

static bool oldest_is_surplus(const host_block_cache_t *cache, uint64_t now, uint64_t incoming) {
  return cache->bytes + incoming > cache->limit || cache->count + (incoming > 0) > HOST_KEPT_BLOCKS ||
         now - cache->blocks[0].since >= HOST_KEPT_TIME;
}

/* Takes out what has been kept for too long, and what has no place beside `incoming` bytes; says how many blocks. */
static uint32_t surplus_remove(host_block_cache_t *cache, uint64_t now, uint64_t incoming, host_block_t *out_surplus) {
  uint32_t count = 0;
  while (cache->count && oldest_is_surplus(cache, now, incoming)) out_surplus[count++] = entry_remove(cache, 0);
  return count;
}

/* ---------------------------------------------------------------- blocks */

static void blocks_unmap(const host_block_t *blocks, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) munmap(blocks[i].data, blocks[i].capacity);
}

bool host_block_cache_take(host_block_cache_t *cache, uint64_t size, uint64_t alignment, host_units_t units,
                           host_block_t *out_block) {
  host_block_t surplus[HOST_KEPT_BLOCKS];
  assert(is_power_of_two(alignment));
  if (!cache->limit) return false;
  pthread_mutex_lock(&cache->mutex);
  const uint32_t best = best_find(cache, size, alignment, units);
  const bool found = best < cache->count;
  if (found) *out_block = entry_remove(cache, best);
  const uint32_t count = surplus_remove(cache, clock_now_ns(), 0, surplus);
  pthread_mutex_unlock(&cache->mutex);
  blocks_unmap(surplus, count);
  return found;
}

void host_block_cache_keep(host_block_cache_t *cache, const host_block_t *block) {
  host_block_t surplus[HOST_KEPT_BLOCKS];
  if (block->capacity > cache->limit || madvise(block->data, block->capacity, MADV_FREE)) {
    blocks_unmap(block, 1);
    return;
  }
  pthread_mutex_lock(&cache->mutex);
  const uint64_t now = clock_now_ns();
  const uint32_t count = surplus_remove(cache, now, block->capacity, surplus);
  entry_append(cache, block, now);
  pthread_mutex_unlock(&cache->mutex);
  blocks_unmap(surplus, count);
}

bool host_block_cache_drop(host_block_cache_t *cache, const host_units_t *units) {
  host_block_t dropped[HOST_KEPT_BLOCKS];
  uint32_t count = 0;
  pthread_mutex_lock(&cache->mutex);
  for (uint32_t i = cache->count; i-- > 0;)
    if (!units || units_are_same(cache->blocks[i].block.units, *units)) dropped[count++] = entry_remove(cache, i);
  pthread_mutex_unlock(&cache->mutex);
  blocks_unmap(dropped, count);
  return count > 0;
}
