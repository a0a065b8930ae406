/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A bump allocator over a list of chunks. */
#include "host/runtime/commands/command_arena.h"

#include "base/memory.h"

#define CHUNK_ALIGNMENT 128u
#define FIRST_CHUNK ((size_t)4 << 10)
#define LARGEST_STEP ((size_t)1 << 20)

void host_arena_init(host_arena_t *arena, mux_allocator_info_t allocator) {
  *arena = (host_arena_t){.allocator = allocator};
}

void host_arena_destroy(host_arena_t *arena) {
  for (host_arena_chunk_t *chunk = arena->first, *next; chunk; chunk = next) {
    next = chunk->next;
    arena->allocator.free(arena->allocator.user_data, chunk);
  }
  host_arena_init(arena, arena->allocator);
}

static void chunk_enter(host_arena_t *arena, host_arena_chunk_t *chunk) {
  arena->current = chunk;
  arena->cursor = (char *)(chunk + 1);
  arena->end = (char *)chunk + chunk->size;
}

void host_arena_reset(host_arena_t *arena) {
  if (arena->first) chunk_enter(arena, arena->first);
}

static host_arena_chunk_t *chunk_create(host_arena_t *arena, size_t needed) {
  size_t size = arena->current ? arena->current->size * 2 : FIRST_CHUNK;
  if (size > LARGEST_STEP) size = LARGEST_STEP;
  if (size < needed) size = align_up(needed, CHUNK_ALIGNMENT);
  host_arena_chunk_t *chunk = arena->allocator.alloc(arena->allocator.user_data, size, CHUNK_ALIGNMENT);
  if (chunk) *chunk = (host_arena_chunk_t){.size = size};
  return chunk;
}

/* Goes on to the next chunk that is large enough: kept ones first, then a new one. */
static bool arena_advance(host_arena_t *arena, size_t needed) {
  for (host_arena_chunk_t *chunk = arena->current ? arena->current->next : NULL; chunk; chunk = chunk->next) {
    if (chunk->size < needed) continue;
    chunk_enter(arena, chunk);
    return true;
  }
  host_arena_chunk_t *chunk = chunk_create(arena, needed);
  if (!chunk) return false;
  if (arena->current) {
    chunk->next = arena->current->next;
    arena->current->next = chunk;
  } else {
    arena->first = chunk;
  }
  chunk_enter(arena, chunk);
  return true;
}

static char *aligned_at(const host_arena_t *arena, size_t alignment, size_t offset) {
  return (char *)(align_up((uintptr_t)arena->cursor + offset, alignment) - offset);
}

void *host_arena_allocate(host_arena_t *arena, size_t size, size_t alignment, size_t offset) {
  char *at = aligned_at(arena, alignment, offset);
  if (!arena->current || at > arena->end || (size_t)(arena->end - at) < size) {
    size_t needed;
    if (!size_add(size, sizeof(host_arena_chunk_t) + alignment + CHUNK_ALIGNMENT, &needed)) return NULL;
    if (!arena_advance(arena, needed)) return NULL;
    at = aligned_at(arena, alignment, offset);
  }
  arena->cursor = at + size;
  return at;
}
