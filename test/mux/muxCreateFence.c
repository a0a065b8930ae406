/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * muxCreateFence, muxResetFence and muxDestroyFence. */
#include "support.h"

TEST(is_signalled_by_a_dispatch_until_it_is_reset) {
  mux_fence_t fence = NULL;
  mux_command_buffer_t command_buffer = test_command_buffer_create();
  ASSERT_SUCCESS(muxFinalizeCommandBuffer(command_buffer));
  ASSERT_SUCCESS(muxCreateFence(test.device, test.allocator, &fence));
  for (int i = 0; i < 3; i++) {
    ASSERT_RESULT(mux_fence_not_ready, muxTryWait(test.queue, 0, fence));
    ASSERT_SUCCESS(muxDispatch(test.queue, command_buffer, fence, NULL, 0, NULL, 0, NULL, NULL));
    ASSERT_SUCCESS(muxWait(test.queue, fence));
    ASSERT_SUCCESS(muxTryWait(test.queue, 0, fence));
    ASSERT_SUCCESS(muxResetFence(fence));
  }
  muxDestroyFence(test.device, fence, test.allocator);
  test_command_buffer_destroy(command_buffer);
}

TEST(forgets_a_failure_when_it_is_reset) {
  test_failure_t failure = test_failure_create();
  mux_command_buffer_t command_buffer = test_command_buffer_create(), good = test_command_buffer_create();
  mux_fence_t fence = NULL;
  ASSERT_SUCCESS(muxCreateFence(test.device, test.allocator, &fence));
  test_failure_record(&failure, command_buffer);
  ASSERT_SUCCESS(muxFinalizeCommandBuffer(command_buffer));
  ASSERT_SUCCESS(muxFinalizeCommandBuffer(good));
  ASSERT_SUCCESS(muxDispatch(test.queue, command_buffer, fence, NULL, 0, NULL, 0, NULL, NULL));
  ASSERT_RESULT(mux_error_fence_failure, muxWait(test.queue, fence));
  ASSERT_RESULT(mux_error_fence_failure, muxTryWait(test.queue, 0, fence));
  ASSERT_SUCCESS(muxResetFence(fence));
  ASSERT_SUCCESS(muxDispatch(test.queue, good, fence, NULL, 0, NULL, 0, NULL, NULL));
  ASSERT_SUCCESS(muxWait(test.queue, fence));
  muxDestroyFence(test.device, fence, test.allocator);
  test_command_buffer_destroy(good);
  test_command_buffer_destroy(command_buffer);
  test_failure_destroy(&failure);
}

TEST(refuses_bad_arguments) {
  mux_fence_t fence;
  ASSERT_REFUSES_BAD(mux_device_t, device, muxCreateFence(bad, test.allocator, &fence));
  ASSERT_NULL_OUTPUT(muxCreateFence(test.device, test.allocator, NULL));
  ASSERT_REFUSES_CALLBACKS(muxCreateFence(test.device, allocator, &fence));
  ASSERT_REFUSES_BAD(mux_fence_t, fence, muxResetFence(bad));
  ASSERT_SURVIVES_NO_MEMORY(muxCreateFence(test.device, test.allocator, &fence));
  for (unsigned i = 0; i < TEST_BAD_HANDLE_COUNT; i++)
    muxDestroyFence(test.device, test_bad_handle(i, mux_object_id_fence), test.allocator);
  muxDestroyFence(NULL, fence, test.allocator);
  muxDestroyFence(test.device, fence, test.allocator);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(is_signalled_by_a_dispatch_until_it_is_reset),
    cmocka_unit_test(forgets_a_failure_when_it_is_reset),
    cmocka_unit_test(refuses_bad_arguments),
};

TEST_MAIN(tests)
