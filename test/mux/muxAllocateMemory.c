/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * muxAllocateMemory and muxFreeMemory. */
#include "support.h"

enum { host_visible = mux_memory_property_host_visible, coherent = host_visible | mux_memory_property_host_coherent };

static mux_result_t allocate(size_t size, uint32_t heap, uint32_t properties, mux_allocation_type_e type,
                             uint32_t alignment, mux_memory_t *out_memory) {
  return muxAllocateMemory(test.device, size, heap, properties, type, alignment, test.allocator, out_memory);
}

TEST(describes_what_it_gives) {
  mux_memory_t memory = NULL;
  ASSERT_SUCCESS(allocate(100, 1, coherent, mux_allocation_type_alloc_host, 0, &memory));
  assert_int_equal(memory->size, 100);
  assert_true((memory->properties & coherent) == coherent);
  test_memory_destroy(memory);
}

TEST(aligns_as_asked) {
  for (uint32_t alignment = 1; alignment <= 1u << 16; alignment <<= 1) {
    mux_memory_t memory = NULL;
    void *data = NULL;
    ASSERT_SUCCESS(allocate(10, 1, coherent, mux_allocation_type_alloc_device, alignment, &memory));
    ASSERT_SUCCESS(muxMapMemory(test.device, memory, 0, 10, &data));
    assert_int_equal((uintptr_t)data % alignment, 0);
    ASSERT_SUCCESS(muxUnmapMemory(test.device, memory));
    test_memory_destroy(memory);
  }
}

TEST(gives_memory_of_any_size) {
  for (size_t size = 1; size <= (size_t)8 << 20; size = size * 7 + 1) {
    test_buffer_t buffer = test_buffer_create(size);
    assert_int_equal(buffer.memory->size, size);
    memset(buffer.bytes, 0xff, size);
    test_buffer_destroy(&buffer);
  }
}

TEST(needs_no_host_access) {
  mux_memory_t memory = NULL;
  ASSERT_SUCCESS(allocate(64, 1, mux_memory_property_device_local, mux_allocation_type_alloc_device, 0, &memory));
  test_memory_destroy(memory);
  ASSERT_SUCCESS(allocate(64, 1, 0, mux_allocation_type_alloc_device, 0, &memory));
  test_memory_destroy(memory);
}

TEST(reports_a_lack_of_memory) {
  mux_memory_t memory = NULL;
  ASSERT_SURVIVES_NO_MEMORY(allocate(64, 1, coherent, mux_allocation_type_alloc_host, 0, &memory));
  test_memory_destroy(memory);
  const uint64_t limit = test.info->allocation_size;
  ASSERT_RESULT(mux_error_out_of_memory, allocate(limit + 1, 1, 0, mux_allocation_type_alloc_device, 0, &memory));
  ASSERT_RESULT(mux_error_out_of_memory, allocate(SIZE_MAX, 1, 0, mux_allocation_type_alloc_device, 0, &memory));
}

TEST(needs_the_capability) {
  mux_memory_t memory;
  ASSERT_UNSUPPORTED_WITH(allocation_capabilities, mux_allocation_capabilities_alloc_device,
                          allocate(64, 1, host_visible, mux_allocation_type_alloc_host, 0, &memory));
  ASSERT_UNSUPPORTED_WITH(allocation_capabilities, mux_allocation_capabilities_coherent_host,
                          allocate(64, 1, 0, mux_allocation_type_alloc_device, 0, &memory));
}

TEST(refuses_bad_arguments) {
  const mux_allocation_type_e type = mux_allocation_type_alloc_host;
  mux_memory_t memory;
  ASSERT_REFUSES_BAD(mux_device_t, device, muxAllocateMemory(bad, 64, 1, coherent, type, 0, test.allocator, &memory));
  ASSERT_INVALID(allocate(0, 1, coherent, type, 0, &memory));
  ASSERT_INVALID(allocate(64, 0, coherent, type, 0, &memory));
  ASSERT_INVALID(allocate(64, 3, coherent, type, 0, &memory));
  ASSERT_INVALID(allocate(64, 1u << 31, coherent, type, 0, &memory));
  ASSERT_INVALID(allocate(64, 1, 1, type, 0, &memory));
  ASSERT_INVALID(allocate(64, 1, 32, type, 0, &memory));
  ASSERT_INVALID(allocate(64, 1, mux_memory_property_host_coherent, type, 0, &memory));
  ASSERT_INVALID(allocate(64, 1, mux_memory_property_host_cached, type, 0, &memory));
  ASSERT_INVALID(allocate(64, 1, coherent, 0, 0, &memory));
  ASSERT_INVALID(allocate(64, 1, coherent, 3, 0, &memory));
  ASSERT_INVALID(allocate(64, 1, coherent, type, 48, &memory));
  ASSERT_NULL_OUTPUT(allocate(64, 1, coherent, type, 0, NULL));
  ASSERT_REFUSES_CALLBACKS(muxAllocateMemory(test.device, 64, 1, coherent, type, 0, allocator, &memory));
}

TEST(ignores_freeing_what_is_no_memory) {
  for (unsigned i = 0; i < TEST_BAD_HANDLE_COUNT; i++)
    muxFreeMemory(test.device, test_bad_handle(i, mux_object_id_memory), test.allocator);
  mux_memory_t memory = test_memory_create(64);
  muxFreeMemory(NULL, memory, test.allocator);
  test_memory_destroy(memory);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(describes_what_it_gives),  cmocka_unit_test(aligns_as_asked),
    cmocka_unit_test(gives_memory_of_any_size), cmocka_unit_test(needs_no_host_access),
    cmocka_unit_test(reports_a_lack_of_memory), cmocka_unit_test(needs_the_capability),
    cmocka_unit_test(refuses_bad_arguments),    cmocka_unit_test(ignores_freeing_what_is_no_memory),
};

TEST_MAIN(tests)
