/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Memory made for the host has its pages when the application gets it; memory made for the device is left to the
 * threads that come to it. */
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "fixture.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

enum { PAGE = 4096 };

static bool system_populates(void) {
  void *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_ptr_not_equal(page, MAP_FAILED);
  bool does = madvise(page, PAGE, MADV_POPULATE_WRITE) == 0;
  munmap(page, PAGE);
  return does;
}

/** How many of the pages are there. */
static size_t count_present(size_t size, mux_allocation_type_e type) {
  static unsigned char present[(256 << 20) / PAGE];
  size_t count = 0;
  void *data;
  mux_memory_t memory;
  assert_int_equal(
      muxAllocateMemory(test.device, size, 1, mux_memory_property_host_visible, type, 0, allocator, &memory),
      mux_success);
  assert_int_equal(muxMapMemory(test.device, memory, 0, size, &data), mux_success);
  assert_int_equal(mincore(data, size, present), 0);
  for (size_t i = 0; i < size / PAGE; i++) count += present[i] & 1;
  assert_int_equal(muxUnmapMemory(test.device, memory), mux_success);
  muxFreeMemory(test.device, memory, allocator);
  return count;
}

static void host_memory_is_present(void **state) {
  (void)state;
  if (!system_populates()) {
    print_message("skipped: this kernel has no MADV_POPULATE_WRITE (Linux 5.14)\n");
    skip();
  }
  assert_int_equal(count_present(64 << 10, mux_allocation_type_alloc_host), 16);
  assert_int_equal(count_present(4 << 20, mux_allocation_type_alloc_host), 1024);
  assert_int_equal(count_present(64 << 20, mux_allocation_type_alloc_host), 16384);
}

/* The C library may give a small block that was used before. */
static void device_memory_comes_with_its_use(void **state) {
  (void)state;
  assert_int_equal(count_present(4 << 20, mux_allocation_type_alloc_device), 0);
}

static void a_large_block_comes_with_its_use(void **state) {
  (void)state;
  assert_int_equal(count_present(128 << 20, mux_allocation_type_alloc_host), 0);
}

/* Blocks that are used again have their pages. */
int main(void) {
  setenv("QUERN_MEMORY_CACHE", "0", 1);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(host_memory_is_present),
      cmocka_unit_test(device_memory_comes_with_its_use),
      cmocka_unit_test(a_large_block_comes_with_its_use),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
