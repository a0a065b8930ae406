/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * muxCloneCommandBuffer. */
#include "support.h"

#define NEEDS_CLONING TEST_NEEDS(test.info->can_clone_command_buffers, "a device that clones command buffers")

TEST(copies_every_command) {
  NEEDS_CLONING;
  test_buffer_t buffer = test_buffer_create(1024);
  mux_command_buffer_t original = test_command_buffer_create(), clone = NULL;
  const uint8_t source[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  uint8_t target[8] = {0}, pattern = 9;
  const mux_buffer_region_info_t region = {{2, 2, 1}, {0, 0, 0}, {0, 0, 0}, {4, 8}, {2, 4}};
  ASSERT_SUCCESS(muxCommandWriteBuffer(original, buffer.buffer, 0, source, 8, NO_SYNC));
  ASSERT_SUCCESS(muxCommandCopyBuffer(original, buffer.buffer, 0, buffer.buffer, 100, 8, NO_SYNC));
  ASSERT_SUCCESS(muxCommandFillBuffer(original, buffer.buffer, 104, 1, &pattern, 1, NO_SYNC));
  ASSERT_SUCCESS(muxCommandReadBuffer(original, buffer.buffer, 104, target, 2, NO_SYNC));
  ASSERT_SUCCESS(muxCommandReadBufferRegions(original, buffer.buffer, target + 4, &region, 1, NO_SYNC));
  ASSERT_SUCCESS(muxFinalizeCommandBuffer(original));
  ASSERT_SUCCESS(muxCloneCommandBuffer(test.device, test.allocator, original, &clone));
  test_command_buffer_destroy(original);
  pattern = 0;

  ASSERT_SUCCESS(test_command_buffer_run_again(clone));
  static const uint8_t expected[8] = {9, 6, 0, 0, 1, 2, 5, 6};
  assert_memory_equal(target, expected, sizeof(expected));
  test_command_buffer_destroy(clone);
  test_buffer_destroy(&buffer);
}

TEST(is_independent_of_the_original) {
  NEEDS_CLONING;
  TEST_NEEDS(test.info->descriptors_updatable, "a device that updates descriptors");
  test_kernel_t kernel = test_kernel_create();
  test_buffer_t buffer = test_buffer_create(64);
  mux_command_buffer_t original = test_command_buffer_create(), clone = NULL;
  test_launch_t launch;
  test_launch_fill(&launch, buffer.buffer, 5, 8);
  ASSERT_SUCCESS(muxCommandNDRange(original, kernel.kernel, launch.options, NO_SYNC));
  ASSERT_SUCCESS(muxFinalizeCommandBuffer(original));
  ASSERT_SUCCESS(muxCloneCommandBuffer(test.device, test.allocator, original, &clone));

  const uint64_t index = 1;
  launch.first = 100;
  ASSERT_SUCCESS(muxUpdateDescriptors(clone, 0, 1, &index, &launch.descriptors[1]));
  ASSERT_SUCCESS(test_command_buffer_run_again(original));
  test_launch_check(buffer.bytes, 5, 8);
  ASSERT_SUCCESS(test_command_buffer_run_again(clone));
  test_launch_check(buffer.bytes, 100, 8);

  test_command_buffer_destroy(clone);
  test_command_buffer_destroy(original);
  test_buffer_destroy(&buffer);
  test_kernel_destroy(&kernel);
}

TEST(survives_a_lack_of_memory) {
  NEEDS_CLONING;
  test_buffer_t buffer = test_buffer_create(64);
  mux_command_buffer_t original = test_command_buffer_create(), clone = NULL;
  const uint8_t pattern = 1;
  for (int i = 0; i < 500; i++)
    ASSERT_SUCCESS(muxCommandFillBuffer(original, buffer.buffer, 0, 64, &pattern, 1, NO_SYNC));
  ASSERT_SUCCESS(muxFinalizeCommandBuffer(original));
  ASSERT_SURVIVES_NO_MEMORY(muxCloneCommandBuffer(test.device, test.allocator, original, &clone));
  test_command_buffer_destroy(clone);
  test_command_buffer_destroy(original);
  test_buffer_destroy(&buffer);
}

TEST(refuses_bad_arguments) {
  NEEDS_CLONING;
  mux_command_buffer_t original = test_command_buffer_create(), clone;
  mux_device_t other = NULL;
  ASSERT_INVALID(muxCloneCommandBuffer(test.device, test.allocator, original, &clone)); /* It is recording. */
  ASSERT_SUCCESS(muxFinalizeCommandBuffer(original));
  ASSERT_REFUSES_BAD(mux_device_t, device, muxCloneCommandBuffer(bad, test.allocator, original, &clone));
  ASSERT_REFUSES_BAD(mux_command_buffer_t, command_buffer,
                     muxCloneCommandBuffer(test.device, test.allocator, bad, &clone));
  ASSERT_NULL_OUTPUT(muxCloneCommandBuffer(test.device, test.allocator, original, NULL));
  ASSERT_REFUSES_CALLBACKS(muxCloneCommandBuffer(test.device, allocator, original, &clone));
  ASSERT_UNSUPPORTED_WITH(can_clone_command_buffers, false,
                          muxCloneCommandBuffer(test.device, test.allocator, original, &clone));
  ASSERT_SUCCESS(muxCreateDevices(1, &test.info, test.allocator, &other));
  ASSERT_INVALID(muxCloneCommandBuffer(other, test.allocator, original, &clone));
  muxDestroyDevice(other, test.allocator);
  test_command_buffer_destroy(original);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(copies_every_command),
    cmocka_unit_test(is_independent_of_the_original),
    cmocka_unit_test(survives_a_lack_of_memory),
    cmocka_unit_test(refuses_bad_arguments),
};

TEST_MAIN(tests)
