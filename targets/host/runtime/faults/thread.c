/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Per-thread state: a thread-local struct whose memory a pthread key's destructor frees. */
#include "host/runtime/faults/thread.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/memory.h"
#include "host/runtime/faults/signals.h"

#define MINIMUM_CAPACITY 4096u

static _Thread_local host_thread_t current;
static _Thread_local bool current_registered;
static pthread_key_t key;
static bool has_key;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;

static void thread_release(void *pointer) {
  host_thread_t *thread = pointer;
  host_stop_thread_end(&thread->guard);
  host_fault_release(&thread->guard.fault);
  free(thread->memory.local);
  free(thread->memory.scratch);
  host_signal_stack_destroy(thread->signal_stack);
  *thread = (host_thread_t){0};
  /* Another destructor of this thread may still execute commands: it then registers anew. */
  current_registered = false;
}

static void key_create(void) { has_key = !pthread_key_create(&key, thread_release); }

host_thread_t *host_thread_get(void) { return &current; }

static void thread_register(host_thread_t *thread) {
  host_guard_install();
  thread->signal_stack = host_signal_stack_create();
  pthread_once(&key_once, key_create);
  /* Where the application has taken all keys, and without memory for the slot, the blocks leak when the thread ends,
   * its kernels cannot be stopped, and nothing worse. */
  if (has_key && !pthread_setspecific(key, thread)) host_stop_thread_begin(&thread->guard);
  current_registered = true;
}

/* Of the two sizes that are powers of two, the larger is a multiple of the other. */
static bool block_reserve(void **block, uint64_t *capacity, uint64_t size, uint64_t alignment) {
  if (!size || (size <= *capacity && !((uintptr_t)*block & (alignment - 1)))) return true;
  uint64_t unit = alignment > MINIMUM_CAPACITY ? alignment : MINIMUM_CAPACITY;
  if (size > SIZE_MAX - unit) return false;
  size_t grown = align_up(size > *capacity ? size : *capacity, unit);
  void *fresh = aligned_alloc(alignment > HOST_LOCAL_ALIGNMENT ? alignment : HOST_LOCAL_ALIGNMENT, grown);
  if (!fresh) return false;
  free(*block);
  *block = fresh;
  *capacity = grown;
  return true;
}

void host_thread_prepare(host_thread_t *thread) {
  if (!current_registered) thread_register(thread);
}

bool host_thread_memory_reserve(host_thread_t *thread, uint64_t local_size, uint64_t scratch_size, uint64_t alignment) {
  host_thread_prepare(thread);
  return block_reserve(&thread->memory.local, &thread->memory.local_size, local_size, alignment) &&
         block_reserve(&thread->memory.scratch, &thread->memory.scratch_size, scratch_size, alignment);
}
