/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * muxCreateMemoryFromHost. */
#include "support.h"

static _Alignas(128) uint8_t storage[256];

TEST(uses_the_storage_itself) {
  mux_memory_t memory = NULL;
  mux_buffer_t buffer = NULL;
  void *data = NULL;
  memset(storage, 0, sizeof(storage));
  ASSERT_SUCCESS(muxCreateMemoryFromHost(test.device, sizeof(storage), storage, test.allocator, &memory));
  assert_int_equal(memory->size, sizeof(storage));
  assert_true(memory->properties & mux_memory_property_host_visible);
  ASSERT_SUCCESS(muxMapMemory(test.device, memory, 16, 16, &data));
  assert_ptr_equal(data, storage + 16);
  ASSERT_SUCCESS(muxUnmapMemory(test.device, memory));

  ASSERT_SUCCESS(muxCreateBuffer(test.device, sizeof(storage), test.allocator, &buffer));
  ASSERT_SUCCESS(muxBindBufferMemory(test.device, memory, buffer, 0));
  mux_command_buffer_t command_buffer = test_command_buffer_create();
  const uint8_t pattern = 7;
  ASSERT_SUCCESS(muxCommandFillBuffer(command_buffer, buffer, 10, 20, &pattern, 1, NO_SYNC));
  ASSERT_SUCCESS(test_command_buffer_run(command_buffer));
  for (size_t i = 0; i < sizeof(storage); i++) assert_int_equal(storage[i], i >= 10 && i < 30 ? 7 : 0);

  test_command_buffer_destroy(command_buffer);
  muxDestroyBuffer(test.device, buffer, test.allocator);
  test_memory_destroy(memory);
  assert_int_equal(storage[10], 7);
}

TEST(takes_any_address) {
  mux_memory_t memory = NULL;
  ASSERT_SUCCESS(muxCreateMemoryFromHost(test.device, 3, storage + 1, test.allocator, &memory));
  test_memory_destroy(memory);
}

TEST(survives_a_lack_of_memory) {
  mux_memory_t memory = NULL;
  ASSERT_SURVIVES_NO_MEMORY(muxCreateMemoryFromHost(test.device, sizeof(storage), storage, test.allocator, &memory));
  test_memory_destroy(memory);
}

TEST(refuses_bad_arguments) {
  mux_memory_t memory;
  ASSERT_REFUSES_BAD(mux_device_t, device, muxCreateMemoryFromHost(bad, 64, storage, test.allocator, &memory));
  ASSERT_INVALID(muxCreateMemoryFromHost(test.device, 0, storage, test.allocator, &memory));
  ASSERT_INVALID(muxCreateMemoryFromHost(test.device, 64, NULL, test.allocator, &memory));
  ASSERT_NULL_OUTPUT(muxCreateMemoryFromHost(test.device, 64, storage, test.allocator, NULL));
  ASSERT_REFUSES_CALLBACKS(muxCreateMemoryFromHost(test.device, 64, storage, allocator, &memory));
  ASSERT_UNSUPPORTED_WITH(allocation_capabilities, mux_allocation_capabilities_alloc_device,
                          muxCreateMemoryFromHost(test.device, 64, storage, test.allocator, &memory));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(uses_the_storage_itself),
    cmocka_unit_test(takes_any_address),
    cmocka_unit_test(survives_a_lack_of_memory),
    cmocka_unit_test(refuses_bad_arguments),
};

TEST_MAIN(tests)
