/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Appending to the printf buffer, from all threads that run work-groups. */
#include "compiler/printf.h"

#include <sched.h>
#include <stdbool.h>
#include <string.h>

#include "base/memory.h"
#include "host/abi.h"
#include "host/runtime/faults/guard.h"
#include "host/runtime/machine/futex.h"

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

/* ---------------------------------------------------------------- records */

/* The part of the buffer that is being written; counted as used when the record is whole. */
typedef struct room_t {
  char *at;
  uint64_t left;
} room_t;

/* What a size in a record can tell. */
static const uint64_t largest_record = UINT32_MAX & ~UINT64_C(7);

static bool room_put(room_t *room, const void *data, uint64_t size) {
  if (size > room->left) return false;
  memcpy(room->at, data, size);
  room->at += size;
  room->left -= size;
  return true;
}

/* A string as far as it is printed: it may be anywhere, end nowhere, and change meanwhile. */
static bool room_put_string(room_t *room, const char *string, uint64_t limit) {
  printf_arg_t arg = {.kind = printf_arg_string_bytes, .element_size = 1, .element_count = 1};
  if (room->left < sizeof arg) return false;
  const uint64_t left = room->left - sizeof arg, length = strnlen(string, limit < left ? limit : left);
  const uint64_t size = align_up(length + 1, 8);
  if (size > left) return false;
  arg.data_size = (uint32_t)size;
  (void)room_put(room, &arg, sizeof arg);
  memset(room->at + size - 8, 0, 8);
  memcpy(room->at, string, length);
  room->at += size;
  room->left -= size;
  return true;
}

/* An argument of a record. */
static bool room_put_argument(room_t *room, const char *argument, const printf_arg_t *head) {
  uint64_t string[2];
  if (head->kind == printf_arg_string_pointer) {
    memcpy(string, argument + sizeof *head, sizeof string);
    if (string[0]) return room_put_string(room, (const char *)(uintptr_t)string[0], string[1]);
  }
  return room_put(room, argument, sizeof *head + head->data_size);
}

/* Like the record, with strings in place of pointers to them. */
static bool room_put_record(room_t *room, const char *record) {
  printf_record_t head;
  memcpy(&head, record, sizeof head);
  char *start = room->at;
  bool fits = room_put(room, &head, sizeof head);
  record += sizeof head;
  for (uint32_t i = 0; fits && i < head.arg_count; ++i) {
    printf_arg_t arg;
    memcpy(&arg, record, sizeof arg);
    fits = room_put_argument(room, record, &arg);
    record += sizeof arg + arg.data_size;
  }
  if (!fits) return false;
  head.size = (uint32_t)(room->at - start);
  head.string_pointer_count = 0;
  memcpy(start, &head, sizeof head);
  return true;
}

static bool has_string_pointers(const void *record, uint64_t size) {
  printf_record_t head;
  if (size < sizeof head) return false;
  memcpy(&head, record, sizeof head);
  return head.string_pointer_count != 0;
}

/* False when the record does not fit. */
static bool record_append(printf_buffer_t *buffer, const void *record, uint64_t size) {
  if (buffer->used > buffer->capacity) return false;
  const uint64_t left = buffer->capacity - buffer->used;
  room_t room = {(char *)(buffer + 1) + buffer->used, left < largest_record ? left : largest_record};
  if (!(has_string_pointers(record, size) ? room_put_record(&room, record) : room_put(&room, record, size)))
    return false;
  buffer->used = (uint64_t)(room.at - (char *)(buffer + 1));
  return true;
}

/* ---------------------------------------------------------------- the buffer */

/* Draining is the host's code, with locks of the C library: a fault in it is none of the kernel's. */
static void buffer_drain(printf_buffer_t *buffer) {
  host_guard_t *guard = host_guard_current;
  host_guard_current = NULL;
  buffer->drain(buffer);
  host_guard_current = guard;
}

/* Should the kernel fault in here, having spoilt the buffer or for a string that is nowhere, the guard gives the lock
 * back. */
static void guard_note(printf_buffer_t *locked) {
  if (host_guard_current) host_guard_current->printf_buffer = locked;
}

void host_printf(void *printf_buffer, const void *record, uint64_t size) {
  printf_buffer_t *buffer = printf_buffer;
  if (!buffer) return;
  buffer_lock(buffer);
  guard_note(buffer);
  bool done = record_append(buffer, record, size);
  if (!done && buffer->drain) {
    buffer_drain(buffer);
    done = record_append(buffer, record, size);
  }
  if (!done) ++buffer->lost;
  guard_note(NULL);
  buffer_unlock(buffer);
}
