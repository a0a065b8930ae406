/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Memory of recorded commands: chunks that grow geometrically, emptied as a whole and then used again. */
#ifndef HOST_RUNTIME_COMMANDS_COMMAND_ARENA_H
#define HOST_RUNTIME_COMMANDS_COMMAND_ARENA_H

#include <stddef.h>

#include "mux/mux.h"

typedef struct host_arena_chunk_t {
  struct host_arena_chunk_t *next;
  /** Bytes, this head included. */
  size_t size;
} host_arena_chunk_t;

/** Not thread safe: belongs to one command buffer. */
typedef struct host_arena_t {
  mux_allocator_info_t allocator;
  host_arena_chunk_t *first, *current;
  /** Free bytes of `current`. */
  char *cursor, *end;
} host_arena_t;

void host_arena_init(host_arena_t *arena, mux_allocator_info_t allocator);
void host_arena_destroy(host_arena_t *arena);

/** Empties it and keeps the chunks. Everything that it gave becomes invalid. */
void host_arena_reset(host_arena_t *arena);

/** `size` bytes whose byte `offset` lies at a multiple of `alignment` (a power of two, at most 128); null when out of
 * memory. Valid until the reset. */
void *host_arena_allocate(host_arena_t *arena, size_t size, size_t alignment, size_t offset);

#endif
