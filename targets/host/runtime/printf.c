/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Appending to the printf buffer, from all threads that run work-groups. */
#include "compiler/printf.h"

#include <sched.h>
#include <string.h>

#include "host/abi.h"
#include "host/runtime/futex.h"

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

void host_printf(void *printf_buffer, const void *record, uint64_t size) {
  printf_buffer_t *buffer = printf_buffer;
  if (!buffer) return;
  buffer_lock(buffer);
  if (!record_fits(buffer, size) && buffer->drain) buffer->drain(buffer);
  if (record_fits(buffer, size)) {
    memcpy((char *)(buffer + 1) + buffer->used, record, size);
    buffer->used += size;
  } else {
    ++buffer->lost;
  }
  buffer_unlock(buffer);
}
