/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Memory that a target has from the system and not through the caller's allocator: each call that fails for want of it
 * says so, has started nothing, keeps nothing, and works when there is memory again. */
#include <stdlib.h>

#include "allocations.h"
#include "support.h"

/** Makes every single allocation of `call` fail, one after the other; `undo` undoes its success. */
#define ASSERT_REPORTS_EACH_FAILURE(call, undo)                                                                     \
  do {                                                                                                              \
    bool each_failed = true;                                                                                        \
    for (long each = 1; each_failed; each++) {                                                                      \
      const long blocks = allocations_live_blocks();                                                                \
      allocations_arm(allocations_fail_one, each);                                                                  \
      const mux_result_t each_result = (call);                                                                      \
      each_failed = allocations_disarm();                                                                           \
      if (each_result) {                                                                                            \
        /* A device that gets no thread. */                                                                         \
        if (each_result != mux_error_device_entry_hook_failed) ASSERT_RESULT(mux_error_out_of_memory, each_result); \
        assert_true(each_failed);                                                                                   \
        assert_true(allocations_live_blocks() <= blocks);                                                           \
      } else {                                                                                                      \
        undo;                                                                                                       \
      }                                                                                                             \
    }                                                                                                               \
  } while (0)

TEST(memory_is_allocated) {
  const size_t sizes[] = {64, 1 << 16, 4 << 20};
  for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
    mux_memory_t memory;
    ASSERT_REPORTS_EACH_FAILURE(muxAllocateMemory(test.device, sizes[i], 1, mux_memory_property_host_visible,
                                                  mux_allocation_type_alloc_host, 0, test.allocator, &memory),
                                muxFreeMemory(test.device, memory, test.allocator));
  }
}

TEST(a_device_is_created) {
  mux_device_t device;
  ASSERT_REPORTS_EACH_FAILURE(muxCreateDevices(1, &test.info, test.allocator, &device),
                              muxDestroyDevice(device, test.allocator));
}

TEST(an_executable_is_loaded) {
  size_t size = 0;
  void *binary = test_binary_read(&size);
  TEST_NEEDS(binary, "an executable for this target");
  mux_executable_t executable;
  ASSERT_REPORTS_EACH_FAILURE(muxCreateExecutable(test.device, binary, size, test.allocator, &executable),
                              muxDestroyExecutable(test.device, executable, test.allocator));
  free(binary);
}

enum { waits = 64 };

/** So many that no record of an earlier dispatch is large enough. */
static mux_result_t dispatch(mux_command_buffer_t command_buffer, const mux_semaphore_t *semaphores, uint32_t count) {
  return muxDispatch(test.queue, command_buffer, NULL, semaphores, count, NULL, 0, NULL, NULL);
}

TEST(a_command_buffer_is_dispatched) {
  mux_semaphore_t semaphores[waits];
  mux_command_buffer_t command_buffer = test_command_buffer_create(), opener = test_command_buffer_create();
  uint32_t count = 5;
  ASSERT_SUCCESS(muxFinalizeCommandBuffer(command_buffer));
  ASSERT_SUCCESS(muxFinalizeCommandBuffer(opener));
  for (uint32_t i = 0; i < waits; i++) ASSERT_SUCCESS(muxCreateSemaphore(test.device, test.allocator, &semaphores[i]));
  ASSERT_SUCCESS(muxDispatch(test.queue, opener, NULL, NULL, 0, semaphores, waits, NULL, NULL));
  ASSERT_SUCCESS(muxWaitAll(test.queue));
  ASSERT_REPORTS_EACH_FAILURE(dispatch(command_buffer, semaphores, count), {
    ASSERT_SUCCESS(muxWaitAll(test.queue));
    count *= 2;
    assert_true(count <= waits);
  });
  for (uint32_t i = 0; i < waits; i++) muxDestroySemaphore(test.device, semaphores[i], test.allocator);
  test_command_buffer_destroy(opener);
  test_command_buffer_destroy(command_buffer);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(memory_is_allocated),
    cmocka_unit_test(a_device_is_created),
    cmocka_unit_test(an_executable_is_loaded),
    cmocka_unit_test(a_command_buffer_is_dispatched),
};

TEST_MAIN(tests)
