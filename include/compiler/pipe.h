/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Pipes as kernels see them: the memory behind a pipe argument. Shared by the runtime, which makes it, and the built-in
 * functions: C and OpenCL C.
 *
 * The memory is a header, a slot for each packet, and the packets, which are a ring. Positions in it are counted from
 * the pipe's beginning and never wrap; position p is slot p % capacity in turn p / capacity. A slot's state is twice
 * the turn while a writer may have it, one more when its packet is there. So whoever reserves slots looks at their
 * states and moves one counter on, whoever commits sets states, in any order, and nobody ever waits for anybody: work-
 * items of one work-group run one after the other, and one that waited might wait for ever. */
#ifndef COMPILER_PIPE_H
#define COMPILER_PIPE_H

#ifdef __OPENCL_C_VERSION__
#define PIPE_MEMORY global
#define PIPE_COUNTER atomic_ulong
#define PIPE_STATE atomic_uint
typedef uint pipe_uint_t;
typedef ulong pipe_ulong_t;
#else
#include <stdint.h>
#define PIPE_MEMORY
#define PIPE_COUNTER uint64_t
#define PIPE_STATE uint32_t
typedef uint32_t pipe_uint_t;
typedef uint64_t pipe_ulong_t;
#endif

typedef struct pipe_header_t {
  /** Bytes. */
  pipe_uint_t packet_size;
  /** Packets. */
  pipe_uint_t capacity;
  /** Bytes from the header to the first packet. */
  pipe_ulong_t first_packet;
  /** Where the next reservation begins, and how many packets were committed by writers: writers' and readers' counters
   * in cache lines of their own. */
  PIPE_COUNTER next_write __attribute__((aligned(64)));
  PIPE_COUNTER written;
  PIPE_COUNTER next_read __attribute__((aligned(64)));
} __attribute__((aligned(64))) pipe_header_t;

typedef struct pipe_slot_t {
  PIPE_STATE state;
  /** Of the first slot of a reservation: how many it has. */
  pipe_uint_t count;
} pipe_slot_t;

/** Packets begin at a multiple of this. */
enum { pipe_packet_alignment = 128 };

/** The header, with everything behind it zero, is an empty pipe. */
static inline pipe_ulong_t pipe_first_packet(pipe_uint_t capacity) {
  pipe_ulong_t end = sizeof(pipe_header_t) + (pipe_ulong_t)capacity * sizeof(pipe_slot_t);
  return (end + pipe_packet_alignment - 1) & ~(pipe_ulong_t)(pipe_packet_alignment - 1);
}

static inline pipe_ulong_t pipe_memory_size(pipe_uint_t packet_size, pipe_uint_t capacity) {
  pipe_ulong_t packets = (pipe_ulong_t)packet_size * capacity, first = pipe_first_packet(capacity);
  return packets > ~(pipe_ulong_t)0 - first ? ~(pipe_ulong_t)0 : first + packets;
}

#endif
