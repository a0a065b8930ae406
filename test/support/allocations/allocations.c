/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Allocation functions that fail when told to. */
#include "allocations.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>

static atomic_int armed; /* 0, or the mode and 1 */
static atomic_long count, number;
static atomic_bool failed;
static atomic_long live_blocks, live_bytes;

void allocations_arm(allocations_mode_e mode, long first) {
  atomic_store(&count, 0);
  atomic_store(&number, first);
  atomic_store(&failed, false);
  atomic_store(&armed, (int)mode + 1);
}

bool allocations_disarm(void) {
  atomic_store(&armed, 0);
  return atomic_load(&failed);
}

long allocations_live_blocks(void) { return atomic_load(&live_blocks); }
long allocations_live_pages(void) { return atomic_load(&live_bytes) / 4096; }

static bool must_fail(void) {
  int mode = atomic_load(&armed) - 1;
  if (mode < 0 || mode == allocations_fail_threads) return false;
  long current = atomic_fetch_add(&count, 1) + 1, first = atomic_load(&number);
  bool fails = mode == allocations_fail_one ? current == first : current >= first;
  if (fails) {
    atomic_store(&failed, true);
    errno = ENOMEM;
  }
  return fails;
}

static void *counted(void *block) {
  if (block) atomic_fetch_add(&live_blocks, 1);
  return block;
}

/* ---------------------------------------------------------------- names that the linker gives: __wrap_X for X */

void *__real_malloc(size_t size);
void *__real_calloc(size_t number_of, size_t size);
void *__real_realloc(void *block, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
int __real_posix_memalign(void **block, size_t alignment, size_t size);
char *__real_strdup(const char *text);
void __real_free(void *block);
void *__real_mmap(void *address, size_t size, int protection, int flags, int file, long offset);
int __real_munmap(void *address, size_t size);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *), void *data);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t number_of, size_t size);
void *__wrap_realloc(void *block, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
int __wrap_posix_memalign(void **block, size_t alignment, size_t size);
char *__wrap_strdup(const char *text);
void __wrap_free(void *block);
void *__wrap_mmap(void *address, size_t size, int protection, int flags, int file, long offset);
int __wrap_munmap(void *address, size_t size);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *), void *data);

void *__wrap_malloc(size_t size) { return must_fail() ? NULL : counted(__real_malloc(size)); }

void *__wrap_calloc(size_t number_of, size_t size) {
  return must_fail() ? NULL : counted(__real_calloc(number_of, size));
}

void *__wrap_realloc(void *block, size_t size) {
  if (must_fail()) return NULL;
  bool is_new = !block;
  void *grown = __real_realloc(block, size);
  return is_new ? counted(grown) : grown;
}

void *__wrap_aligned_alloc(size_t alignment, size_t size) {
  return must_fail() ? NULL : counted(__real_aligned_alloc(alignment, size));
}

int __wrap_posix_memalign(void **block, size_t alignment, size_t size) {
  if (must_fail()) return ENOMEM;
  int error = __real_posix_memalign(block, alignment, size);
  if (!error) counted(*block);
  return error;
}

char *__wrap_strdup(const char *text) { return must_fail() ? NULL : counted(__real_strdup(text)); }

void __wrap_free(void *block) {
  if (block) atomic_fetch_sub(&live_blocks, 1);
  __real_free(block);
}

void *__wrap_mmap(void *address, size_t size, int protection, int flags, int file, long offset) {
  if (must_fail()) return MAP_FAILED;
  void *mapping = __real_mmap(address, size, protection, flags, file, offset);
  if (mapping != MAP_FAILED) atomic_fetch_add(&live_bytes, (long)((size + 4095) & ~(size_t)4095));
  return mapping;
}

int __wrap_munmap(void *address, size_t size) {
  atomic_fetch_sub(&live_bytes, (long)((size + 4095) & ~(size_t)4095));
  return __real_munmap(address, size);
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *), void *data) {
  bool refused = atomic_load(&armed) - 1 == allocations_fail_threads;
  return refused || must_fail() ? EAGAIN : __real_pthread_create(thread, attributes, function, data);
}
