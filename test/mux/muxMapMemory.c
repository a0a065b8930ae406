/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * muxMapMemory, muxUnmapMemory and the two flushes. */
#include "support.h"

TEST(gives_the_bytes_from_the_offset_on) {
  mux_memory_t memory = test_memory_create(256);
  void *whole = NULL, *part = NULL;
  ASSERT_SUCCESS(muxMapMemory(test.device, memory, 0, 256, &whole));
  for (int i = 0; i < 256; i++) ((uint8_t *)whole)[i] = (uint8_t)i;
  ASSERT_SUCCESS(muxFlushMappedMemoryToDevice(test.device, memory, 0, 256));
  ASSERT_SUCCESS(muxUnmapMemory(test.device, memory));
  ASSERT_SUCCESS(muxMapMemory(test.device, memory, 200, 56, &part));
  ASSERT_SUCCESS(muxFlushMappedMemoryFromDevice(test.device, memory, 200, 56));
  for (int i = 0; i < 56; i++) assert_int_equal(((uint8_t *)part)[i], 200 + i);
  ASSERT_SUCCESS(muxUnmapMemory(test.device, memory));
  test_memory_destroy(memory);
}

TEST(allows_one_mapping_at_a_time) {
  mux_memory_t memory = test_memory_create(64);
  void *data = NULL;
  ASSERT_INVALID(muxUnmapMemory(test.device, memory));
  ASSERT_SUCCESS(muxMapMemory(test.device, memory, 0, 64, &data));
  ASSERT_INVALID(muxMapMemory(test.device, memory, 0, 1, &data));
  ASSERT_SUCCESS(muxUnmapMemory(test.device, memory));
  ASSERT_INVALID(muxUnmapMemory(test.device, memory));
  ASSERT_SUCCESS(muxMapMemory(test.device, memory, 63, 1, &data));
  ASSERT_SUCCESS(muxUnmapMemory(test.device, memory));
  test_memory_destroy(memory);
}

TEST(flushes_only_what_is_mapped) {
  mux_memory_t memory = test_memory_create(64);
  void *data = NULL;
  ASSERT_INVALID(muxFlushMappedMemoryToDevice(test.device, memory, 0, 64));
  ASSERT_INVALID(muxFlushMappedMemoryFromDevice(test.device, memory, 0, 64));
  ASSERT_SUCCESS(muxMapMemory(test.device, memory, 0, 64, &data));
  ASSERT_SUCCESS(muxFlushMappedMemoryToDevice(test.device, memory, 32, 32));
  ASSERT_SUCCESS(muxFlushMappedMemoryFromDevice(test.device, memory, 32, 32));
  ASSERT_SUCCESS(muxUnmapMemory(test.device, memory));
  test_memory_destroy(memory);
}

/* What the host cannot see, too. */
TEST(refuses_bad_ranges_and_memory) {
  mux_memory_t memory = test_memory_create(64), hidden = NULL;
  ASSERT_SUCCESS(muxAllocateMemory(test.device, 64, 1, mux_memory_property_device_local,
                                   mux_allocation_type_alloc_device, 0, test.allocator, &hidden));
  const struct {
    mux_memory_t memory;
    uint64_t offset, size;
  } bad[] = {{memory, 0, 0},          {memory, 0, 65},         {memory, 64, 1}, {memory, 1, 64},
             {memory, UINT64_MAX, 2}, {memory, 2, UINT64_MAX}, {hidden, 0, 64}};
  void *data = NULL;
  for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
    ASSERT_INVALID(muxMapMemory(test.device, bad[i].memory, bad[i].offset, bad[i].size, &data));
    ASSERT_INVALID(muxFlushMappedMemoryToDevice(test.device, bad[i].memory, bad[i].offset, bad[i].size));
    ASSERT_INVALID(muxFlushMappedMemoryFromDevice(test.device, bad[i].memory, bad[i].offset, bad[i].size));
  }
  assert_null(data);
  test_memory_destroy(hidden);
  test_memory_destroy(memory);
}

TEST(refuses_bad_arguments) {
  mux_memory_t memory = test_memory_create(64);
  void *data;
  ASSERT_REFUSES_BAD(mux_device_t, device, muxMapMemory(bad, memory, 0, 64, &data));
  ASSERT_REFUSES_BAD(mux_device_t, device, muxUnmapMemory(bad, memory));
  ASSERT_REFUSES_BAD(mux_device_t, device, muxFlushMappedMemoryToDevice(bad, memory, 0, 64));
  ASSERT_REFUSES_BAD(mux_device_t, device, muxFlushMappedMemoryFromDevice(bad, memory, 0, 64));
  ASSERT_REFUSES_BAD(mux_memory_t, memory, muxMapMemory(test.device, bad, 0, 64, &data));
  ASSERT_REFUSES_BAD(mux_memory_t, memory, muxUnmapMemory(test.device, bad));
  ASSERT_REFUSES_BAD(mux_memory_t, memory, muxFlushMappedMemoryToDevice(test.device, bad, 0, 64));
  ASSERT_REFUSES_BAD(mux_memory_t, memory, muxFlushMappedMemoryFromDevice(test.device, bad, 0, 64));
  ASSERT_NULL_OUTPUT(muxMapMemory(test.device, memory, 0, 64, NULL));
  test_memory_destroy(memory);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(gives_the_bytes_from_the_offset_on),
    cmocka_unit_test(allows_one_mapping_at_a_time),
    cmocka_unit_test(flushes_only_what_is_mapped),
    cmocka_unit_test(refuses_bad_ranges_and_memory),
    cmocka_unit_test(refuses_bad_arguments),
};

TEST_MAIN(tests)
