/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * muxCreateBuffer, muxDestroyBuffer and muxBindBufferMemory. */
#include "support.h"

TEST(says_what_memory_it_needs) {
  mux_buffer_t buffer = NULL;
  ASSERT_SUCCESS(muxCreateBuffer(test.device, 1000, test.allocator, &buffer));
  const mux_memory_requirements_s requirements = buffer->memory_requirements;
  assert_int_equal(requirements.size, 1000);
  assert_true(requirements.alignment && !(requirements.alignment & (requirements.alignment - 1)));
  assert_true(requirements.supported_heaps & 1);
  muxDestroyBuffer(test.device, buffer, test.allocator);
}

TEST(shares_memory_at_any_aligned_offset) {
  mux_buffer_t buffers[2] = {NULL};
  for (int i = 0; i < 2; i++) ASSERT_SUCCESS(muxCreateBuffer(test.device, 64, test.allocator, &buffers[i]));
  const uint32_t alignment = buffers[0]->memory_requirements.alignment;
  test_buffer_t whole = test_buffer_create((size_t)alignment + 64);
  ASSERT_SUCCESS(muxBindBufferMemory(test.device, whole.memory, buffers[0], 0));
  ASSERT_SUCCESS(muxBindBufferMemory(test.device, whole.memory, buffers[1], alignment));

  mux_command_buffer_t command_buffer = test_command_buffer_create();
  const uint8_t pattern[] = {1, 2};
  ASSERT_SUCCESS(muxCommandFillBuffer(command_buffer, buffers[0], 0, 1, &pattern[0], 1, NO_SYNC));
  ASSERT_SUCCESS(muxCommandFillBuffer(command_buffer, buffers[1], 63, 1, &pattern[1], 1, NO_SYNC));
  ASSERT_SUCCESS(test_command_buffer_run(command_buffer));
  assert_int_equal(whole.bytes[0], 1);
  assert_int_equal(whole.bytes[alignment + 63], 2);

  test_command_buffer_destroy(command_buffer);
  for (int i = 0; i < 2; i++) muxDestroyBuffer(test.device, buffers[i], test.allocator);
  test_buffer_destroy(&whole);
}

TEST(is_bound_once) {
  test_buffer_t buffer = test_buffer_create(64);
  ASSERT_INVALID(muxBindBufferMemory(test.device, buffer.memory, buffer.buffer, 0));
  test_buffer_destroy(&buffer);
}

TEST(refuses_memory_that_does_not_fit) {
  mux_buffer_t buffer = NULL;
  ASSERT_SUCCESS(muxCreateBuffer(test.device, 64, test.allocator, &buffer));
  const uint32_t alignment = buffer->memory_requirements.alignment;
  mux_memory_t memory = test_memory_create((size_t)alignment + 63);
  ASSERT_INVALID(muxBindBufferMemory(test.device, memory, buffer, alignment));
  ASSERT_INVALID(muxBindBufferMemory(test.device, memory, buffer, 0 - (uint64_t)alignment));
  if (alignment > 1) ASSERT_INVALID(muxBindBufferMemory(test.device, memory, buffer, alignment / 2));
  ASSERT_SUCCESS(muxBindBufferMemory(test.device, memory, buffer, 0));
  muxDestroyBuffer(test.device, buffer, test.allocator);
  test_memory_destroy(memory);
}

TEST(refuses_bad_arguments) {
  mux_buffer_t buffer;
  ASSERT_REFUSES_BAD(mux_device_t, device, muxCreateBuffer(bad, 64, test.allocator, &buffer));
  ASSERT_INVALID(muxCreateBuffer(test.device, 0, test.allocator, &buffer));
  ASSERT_NULL_OUTPUT(muxCreateBuffer(test.device, 64, test.allocator, NULL));
  ASSERT_REFUSES_CALLBACKS(muxCreateBuffer(test.device, 64, allocator, &buffer));
  ASSERT_SURVIVES_NO_MEMORY(muxCreateBuffer(test.device, 64, test.allocator, &buffer));

  mux_memory_t memory = test_memory_create(64);
  ASSERT_REFUSES_BAD(mux_device_t, device, muxBindBufferMemory(bad, memory, buffer, 0));
  ASSERT_REFUSES_BAD(mux_memory_t, memory, muxBindBufferMemory(test.device, bad, buffer, 0));
  ASSERT_REFUSES_BAD(mux_buffer_t, buffer, muxBindBufferMemory(test.device, memory, bad, 0));
  test_memory_destroy(memory);

  for (unsigned i = 0; i < TEST_BAD_HANDLE_COUNT; i++)
    muxDestroyBuffer(test.device, test_bad_handle(i, mux_object_id_buffer), test.allocator);
  muxDestroyBuffer(NULL, buffer, test.allocator);
  muxDestroyBuffer(test.device, buffer, test.allocator);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(says_what_memory_it_needs),
    cmocka_unit_test(shares_memory_at_any_aligned_offset),
    cmocka_unit_test(is_bound_once),
    cmocka_unit_test(refuses_memory_that_does_not_fit),
    cmocka_unit_test(refuses_bad_arguments),
};

TEST_MAIN(tests)
