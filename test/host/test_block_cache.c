/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Which freed blocks are used again, and which are unmapped: by a system whose calls about pages, and whose clock, are
 * this program's. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "fixture.h"
#include "host/runtime/device.h"

#define MIB ((size_t)1 << 20)
#define SECOND ((uint64_t)1000000000)

/* ---------------------------------------------------------------- the system */

void *__real_mmap(void *address, size_t size, int protection, int flags, int file, long offset);
int __real_munmap(void *address, size_t size);
int __real_madvise(void *address, size_t size, int advice);
uint64_t __real_clock_now_ns(void);
void *__wrap_mmap(void *address, size_t size, int protection, int flags, int file, long offset);
int __wrap_munmap(void *address, size_t size);
int __wrap_madvise(void *address, size_t size, int advice);
uint64_t __wrap_clock_now_ns(void);

/* Bytes that are mapped beyond those of the start; how many more may be; how much later it is. */
static atomic_llong mapped, room = INT64_MAX;
static atomic_ullong later;
static atomic_bool refuses_advice;

void *__wrap_mmap(void *address, size_t size, int protection, int flags, int file, long offset) {
  if (atomic_load(&mapped) + (long long)size > atomic_load(&room)) return MAP_FAILED;
  void *pages = __real_mmap(address, size, protection, flags, file, offset);
  if (pages != MAP_FAILED) atomic_fetch_add(&mapped, (long long)size);
  return pages;
}

int __wrap_munmap(void *address, size_t size) {
  atomic_fetch_sub(&mapped, (long long)size);
  return __real_munmap(address, size);
}

int __wrap_madvise(void *address, size_t size, int advice) {
  return atomic_load(&refuses_advice) && advice == MADV_FREE ? -1 : __real_madvise(address, size, advice);
}

uint64_t __wrap_clock_now_ns(void) { return __real_clock_now_ns() + atomic_load(&later); }

/* ---------------------------------------------------------------- short forms */

static mux_result_t try_allocate(mux_device_t device, size_t size, uint32_t alignment, mux_memory_t *out_memory) {
  return muxAllocateMemory(device, size, 1, mux_memory_property_host_visible, mux_allocation_type_alloc_device,
                           alignment, allocator, out_memory);
}

/* Where it lies is all that is wanted of it. */
static void *address_of(mux_device_t device, mux_memory_t memory) {
  void *data = NULL;
  if (muxMapMemory(device, memory, 0, memory->size, &data) || muxUnmapMemory(device, memory)) return NULL;
  return data;
}

static mux_memory_t allocate_from(mux_device_t device, size_t size, void **out_data) {
  mux_memory_t memory = NULL;
  assert_int_equal(try_allocate(device, size, 64, &memory), mux_success);
  *out_data = address_of(device, memory);
  assert_non_null(*out_data);
  return memory;
}

static mux_memory_t allocate(size_t size, void **out_data) { return allocate_from(test.device, size, out_data); }
static void release(mux_memory_t memory) { muxFreeMemory(test.device, memory, allocator); }

/** Where a block of the device lay that is free again. */
static void *block_leave(size_t size) {
  void *data;
  release(allocate(size, &data));
  return data;
}

static size_t mapped_mib(void) { return (size_t)atomic_load(&mapped) / MIB; }

static host_block_cache_t *cache(void) { return &host_device(test.device)->block_cache; }

static int begin_with(uint64_t mebibytes) {
  atomic_store(&room, INT64_MAX);
  atomic_store(&later, 0);
  begin(NULL);
  cache()->limit = mebibytes * MIB;
  atomic_store(&mapped, 0);
  return 0;
}

static int begin_with_64(void **state) {
  (void)state;
  return begin_with(64);
}

static int begin_without(void **state) {
  (void)state;
  return begin_with(0);
}

/* ---------------------------------------------------------------- use */

static void a_freed_block_is_used_again(void **state) {
  (void)state;
  void *again, *first = block_leave(8 * MIB - 1);
  mux_memory_t memory = allocate(8 * MIB - 1, &again);
  assert_ptr_equal(again, first);
  memset(again, 1, 8 * MIB - 1);
  assert_int_equal(mapped_mib(), 8);
  release(memory);
}

static void a_used_block_is_nobody_elses(void **state) {
  (void)state;
  void *data[3];
  mux_memory_t memories[3];
  block_leave(4 * MIB);
  for (int i = 0; i < 3; ++i) memories[i] = allocate(4 * MIB, &data[i]);
  assert_ptr_not_equal(data[0], data[1]);
  assert_ptr_not_equal(data[0], data[2]);
  assert_ptr_not_equal(data[1], data[2]);
  for (int i = 0; i < 3; ++i) release(memories[i]);
}

/* Of 16 MiB 4 may be left. */
static void no_more_than_a_quarter_is_wasted(void **state) {
  (void)state;
  void *data, *kept = block_leave(16 * MIB);
  mux_memory_t small = allocate(12 * MIB - 1, &data);
  assert_ptr_not_equal(data, kept);
  mux_memory_t larger = allocate(16 * MIB + 1, &data);
  assert_ptr_not_equal(data, kept);
  mux_memory_t fitting = allocate(12 * MIB, &data);
  assert_ptr_equal(data, kept);
  release(small), release(larger), release(fitting);
}

static void the_best_block_is_taken(void **state) {
  (void)state;
  const size_t sizes[] = {10, 8, 9};
  void *data[3], *taken;
  mux_memory_t memories[3];
  for (int i = 0; i < 3; ++i) memories[i] = allocate(sizes[i] * MIB, &data[i]);
  for (int i = 0; i < 3; ++i) release(memories[i]);
  mux_memory_t memory = allocate(8 * MIB - 1, &taken);
  assert_ptr_equal(taken, data[1]);
  release(memory);
}

static void alignment_is_respected(void **state) {
  (void)state;
  const uint32_t alignment = 32 * MIB;
  mux_memory_t memories[2], aligned;
  void *data[2];
  /* Beside each other: one of both is not aligned. */
  for (int i = 0; i < 2; ++i) memories[i] = allocate(4 * MIB, &data[i]);
  for (int i = 0; i < 2; ++i) release(memories[i]);
  assert_true((uintptr_t)data[0] % alignment || (uintptr_t)data[1] % alignment);
  for (int i = 0; i < 3; ++i) {
    assert_int_equal(try_allocate(test.device, 4 * MIB, alignment, &aligned), mux_success);
    assert_int_equal((uintptr_t)address_of(test.device, aligned) % alignment, 0);
    release(aligned);
  }
}

/* 8,294,400 bytes are four huge pages less 23 small ones; of 5 MiB, a sixth of a third one would be wasted. */
static void the_last_huge_page_is_a_whole_one(void **state) {
  (void)state;
  void *data;
  mux_memory_t memory = allocate(8294400, &data);
  assert_true(atomic_load(&mapped) == (long long)(8 * MIB));
  release(memory);
  host_block_cache_drop(cache(), NULL);
  memory = allocate(5 * MIB, &data);
  assert_true(atomic_load(&mapped) == (long long)(5 * MIB));
  release(memory);
}

/* ---------------------------------------------------------------- limits */

static void the_oldest_are_unmapped_beyond_the_limit(void **state) {
  (void)state;
  enum { blocks = 5 };
  mux_memory_t memories[blocks];
  void *data[blocks], *taken;
  for (int i = 0; i < blocks; ++i) memories[i] = allocate(16 * MIB, &data[i]);
  for (int i = 0; i < blocks; ++i) release(memories[i]);
  assert_int_equal(mapped_mib(), 64);
  for (int i = blocks - 1; i > 0; --i) {
    memories[i] = allocate(16 * MIB, &taken);
    assert_ptr_equal(taken, data[i]);
  }
  assert_int_equal(mapped_mib(), 64);
  for (int i = 1; i < blocks; ++i) release(memories[i]);
}

static void what_exceeds_the_limit_is_not_kept(void **state) {
  (void)state;
  block_leave(4 * MIB);
  block_leave(65 * MIB);
  assert_int_equal(mapped_mib(), 4);
  block_leave(64 * MIB);
  assert_int_equal(mapped_mib(), 64);
}

static void their_number_is_limited(void **state) {
  (void)state;
  enum { blocks = HOST_KEPT_BLOCKS + 3 };
  static mux_memory_t memories[blocks];
  void *data;
  cache()->limit = 1024 * MIB;
  for (int i = 0; i < blocks; ++i) memories[i] = allocate(2 * MIB, &data);
  for (int i = 0; i < blocks; ++i) release(memories[i]);
  assert_int_equal(mapped_mib(), 2 * HOST_KEPT_BLOCKS);
}

static void unwanted_blocks_are_dropped(void **state) {
  (void)state;
  block_leave(32 * MIB);
  atomic_store(&later, SECOND / 2);
  block_leave(4 * MIB);
  assert_int_equal(mapped_mib(), 36);
  atomic_store(&later, SECOND + SECOND / 4);
  block_leave(8 * MIB);
  assert_int_equal(mapped_mib(), 12);
  atomic_store(&later, 3 * SECOND);
  void *data;
  /* An allocation too, which takes the one that fits, however old. */
  mux_memory_t memory = allocate(4 * MIB, &data);
  assert_int_equal(mapped_mib(), 4);
  release(memory);
}

static void freed_blocks_do_not_count(void **state) {
  (void)state;
  block_leave(8 * MIB);
  assert_true(host_device_allocated(test.device) == 0);
  void *data;
  mux_memory_t memory = allocate(8 * MIB - 5, &data);
  assert_true(host_device_allocated(test.device) == 8 * MIB - 5);
  release(memory);
}

static void without_a_limit_blocks_are_unmapped(void **state) {
  (void)state;
  block_leave(8 * MIB);
  assert_int_equal(mapped_mib(), 0);
}

static void what_the_system_cannot_take_back_is_not_kept(void **state) {
  (void)state;
  atomic_store(&refuses_advice, true);
  block_leave(8 * MIB);
  atomic_store(&refuses_advice, false);
  assert_int_equal(mapped_mib(), 0);
}

/* The mapping has room for the alignment, for a moment. */
static void kept_blocks_make_room(void **state) {
  (void)state;
  void *data;
  mux_memory_t memory = NULL;
  block_leave(32 * MIB);
  atomic_store(&room, (long long)(40 * MIB));
  memory = allocate(16 * MIB, &data);
  assert_int_equal(mapped_mib(), 16);
  mux_memory_t more;
  assert_int_equal(try_allocate(test.device, 32 * MIB, 64, &more), mux_error_out_of_memory);
  assert_true(host_device_allocated(test.device) == 16 * MIB);
  release(memory);
}

/* ---------------------------------------------------------------- devices */

static void the_option_is_a_limit(void **state) {
  (void)state;
  const uint64_t most = test.info->memory_size / 16;
  assert_true(cache()->limit == (most < 48 * MIB ? most : 48 * MIB));
}

static void a_sub_device_has_blocks_of_its_own(void **state) {
  (void)state;
  mux_device_t part;
  void *of_part, *data;
  if (test.info->compute_units < 2) skip();
  assert_int_equal(muxCreateSubDevice(test.device, 0, 1, allocator, &part), mux_success);
  void *of_root = block_leave(8 * MIB);
  mux_memory_t memory = allocate_from(part, 8 * MIB, &of_part);
  assert_ptr_not_equal(of_part, of_root);
  /* By whichever device of the family it is freed. */
  release(memory);
  memory = allocate(8 * MIB, &data);
  assert_ptr_equal(data, of_root);
  release(memory);
  memory = allocate_from(part, 8 * MIB, &data);
  assert_ptr_equal(data, of_part);
  muxFreeMemory(part, memory, allocator);
  assert_int_equal(mapped_mib(), 16);
  muxDestroyDevice(part, allocator);
  assert_int_equal(mapped_mib(), 8);
}

static void a_device_takes_its_blocks_along(void **state) {
  (void)state;
  mux_device_t other;
  mux_memory_t memory;
  assert_int_equal(muxCreateDevices(1, &test.info, allocator, &other), mux_success);
  assert_int_equal(try_allocate(other, 8 * MIB, 64, &memory), mux_success);
  muxFreeMemory(other, memory, allocator);
  assert_int_equal(mapped_mib(), 8);
  muxDestroyDevice(other, allocator);
  assert_int_equal(mapped_mib(), 0);
}

/* ---------------------------------------------------------------- threads */

/* Each writes its own number. No assertions, which jump. */
static bool block_is_own(uint64_t number) {
  enum { step = 4096 / sizeof number };
  const size_t size = (2 + number % 3) * MIB;
  mux_memory_t memory;
  if (try_allocate(test.device, size, 64, &memory)) return false;
  uint64_t *words = address_of(test.device, memory);
  bool same = true;
  for (size_t i = 0; i < size / sizeof *words; i += step) words[i] = number;
  for (size_t i = 0; i < size / sizeof *words; i += step) same = same && words[i] == number;
  release(memory);
  return same;
}

static atomic_int others;
static atomic_bool over;

static void *blocks_use(void *unused) {
  (void)unused;
  const uint64_t own = (uint64_t)atomic_fetch_add(&others, 1) << 32;
  for (uint64_t i = 0; i < 200; ++i)
    if (!block_is_own(own + i)) return &others;
  return NULL;
}

static void threads_share_the_blocks(void **state) {
  (void)state;
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i) assert_int_equal(pthread_create(&threads[i], NULL, blocks_use, NULL), 0);
  for (int i = 0; i < 4; ++i) {
    void *failed;
    assert_int_equal(pthread_join(threads[i], &failed), 0);
    assert_null(failed);
  }
  assert_true(mapped_mib() <= 64);
  assert_true(host_device_allocated(test.device) == 0);
}

static void *cache_keep_busy(void *unused) {
  (void)unused;
  host_block_t block;
  bool found = false;
  while (!found && !atomic_load(&over))
    found = host_block_cache_take(cache(), 1024 * MIB, 4096, (host_units_t){0, 1}, &block);
  return NULL;
}

/* While a thread has the lock nearly always. */
static void a_child_can_use_the_blocks(void **state) {
  (void)state;
  enum { children = 40 };
  pthread_t thread;
  int failures = 0;
  void *kept = block_leave(4 * MIB);
  assert_int_equal(pthread_create(&thread, NULL, cache_keep_busy, NULL), 0);
  for (int i = 0; i < children && !failures; ++i) {
    const pid_t child = fork();
    if (!child) {
      mux_memory_t memory = NULL;
      alarm(20);
      _exit(try_allocate(test.device, 4 * MIB, 64, &memory) || address_of(test.device, memory) != kept);
    }
    int status = -1;
    if (waitpid(child, &status, 0) != child || status) ++failures;
  }
  atomic_store(&over, true);
  assert_int_equal(pthread_join(thread, NULL), 0);
  assert_int_equal(failures, 0);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, begin_with_64, end)

int main(void) {
  setenv("QUERN_MEMORY_CACHE", "48", 1);
  const struct CMUnitTest tests[] = {
      CASE(a_freed_block_is_used_again),
      CASE(a_used_block_is_nobody_elses),
      CASE(no_more_than_a_quarter_is_wasted),
      CASE(the_best_block_is_taken),
      CASE(alignment_is_respected),
      CASE(the_last_huge_page_is_a_whole_one),
      CASE(the_oldest_are_unmapped_beyond_the_limit),
      CASE(what_exceeds_the_limit_is_not_kept),
      CASE(their_number_is_limited),
      CASE(unwanted_blocks_are_dropped),
      CASE(freed_blocks_do_not_count),
      cmocka_unit_test_setup_teardown(without_a_limit_blocks_are_unmapped, begin_without, end),
      CASE(what_the_system_cannot_take_back_is_not_kept),
      CASE(kept_blocks_make_room),
      cmocka_unit_test_setup_teardown(the_option_is_a_limit, begin, end),
      CASE(a_sub_device_has_blocks_of_its_own),
      CASE(a_device_takes_its_blocks_along),
      CASE(threads_share_the_blocks),
      CASE(a_child_can_use_the_blocks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
