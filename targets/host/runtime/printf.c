/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Appending to the printf buffer, from all threads that run work-groups. */
#include "compiler/printf.h"

#include <sched.h>
#include <string.h>

#include "host/abi.h"
#include "host/runtime/futex.h"
#include "host/runtime/guard.h"

#define SPINS_BEFORE_YIELD 64

/* Records are short and draining is rare: a spin lock, which also suits a buffer shared with other code. */
static void buffer_lock(printf_buffer_t *buffer) {
  for (int spins = 0; __atomic_exchange_n(&buffer->lock, 1u, __ATOMIC_ACQUIRE); ++spins) {
    if (spins < SPINS_BEFORE_YIELD)
      host_cpu_pause();
    else
      sched_yield();
  }
}

static void buffer_unlock(printf_buffer_t *buffer) { __atomic_store_n(&buffer->lock, 0u, __ATOMIC_RELEASE); }

static int record_fits(const printf_buffer_t *buffer, uint64_t size) {
  return buffer->used <= buffer->capacity && size <= buffer->capacity - buffer->used;
}

/* Draining is the host's code, with locks of the C library: a fault in it is none of the kernel's. */
static void buffer_drain(printf_buffer_t *buffer) {
  host_guard_t *guard = host_guard_current;
  host_guard_current = NULL;
  buffer->drain(buffer);
  host_guard_current = guard;
}

/* Should the kernel fault in here, having spoilt the buffer, the guard gives the lock back. */
static void guard_note(printf_buffer_t *locked) {
  if (host_guard_current) host_guard_current->printf_buffer = locked;
}

void host_printf(void *printf_buffer, const void *record, uint64_t size) {
  printf_buffer_t *buffer = printf_buffer;
  if (!buffer) return;
  buffer_lock(buffer);
  guard_note(buffer);
  if (!record_fits(buffer, size) && buffer->drain) buffer_drain(buffer);
  if (record_fits(buffer, size)) {
    memcpy((char *)(buffer + 1) + buffer->used, record, size);
    buffer->used += size;
  } else {
    ++buffer->lost;
  }
  guard_note(NULL);
  buffer_unlock(buffer);
}
