/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * muxCreateSemaphore, muxResetSemaphore and muxDestroySemaphore. */
#include "support.h"

static void append_value(mux_queue_t queue, mux_command_buffer_t command_buffer, void *user_data) {
  (void)queue, (void)command_buffer;
  int *count = user_data;
  ++*count;
}

typedef struct chain_t {
  mux_command_buffer_t first, second;
  mux_semaphore_t semaphore;
  int count;
} chain_t;

static void create_chain(chain_t *chain) {
  *chain = (chain_t){.first = test_command_buffer_create(), .second = test_command_buffer_create()};
  ASSERT_SUCCESS(muxCreateSemaphore(test.device, test.allocator, &chain->semaphore));
  ASSERT_SUCCESS(muxCommandUserCallback(chain->second, append_value, &chain->count, NO_SYNC));
  ASSERT_SUCCESS(muxFinalizeCommandBuffer(chain->first));
  ASSERT_SUCCESS(muxFinalizeCommandBuffer(chain->second));
}

static void destroy_chain(chain_t *chain) {
  muxDestroySemaphore(test.device, chain->semaphore, test.allocator);
  test_command_buffer_destroy(chain->second);
  test_command_buffer_destroy(chain->first);
}

/* The waiting one is dispatched first, so that only the semaphore can hold it back. */
TEST(orders_dispatches_again_after_a_reset) {
  chain_t chain;
  create_chain(&chain);
  for (int i = 0; i < 3; i++) {
    mux_fence_t fence = NULL;
    ASSERT_SUCCESS(muxCreateFence(test.device, test.allocator, &fence));
    ASSERT_SUCCESS(muxDispatch(test.queue, chain.second, fence, &chain.semaphore, 1, NULL, 0, NULL, NULL));
    ASSERT_RESULT(mux_fence_not_ready, muxTryWait(test.queue, 1000000, fence));
    ASSERT_SUCCESS(muxDispatch(test.queue, chain.first, NULL, NULL, 0, &chain.semaphore, 1, NULL, NULL));
    ASSERT_SUCCESS(muxWait(test.queue, fence));
    assert_int_equal(chain.count, i + 1);
    ASSERT_SUCCESS(muxWaitAll(test.queue));
    ASSERT_SUCCESS(muxResetSemaphore(chain.semaphore));
    muxDestroyFence(test.device, fence, test.allocator);
  }
  destroy_chain(&chain);
}

TEST(stays_signalled_for_all_that_wait) {
  chain_t chain;
  create_chain(&chain);
  ASSERT_SUCCESS(muxDispatch(test.queue, chain.first, NULL, NULL, 0, &chain.semaphore, 1, NULL, NULL));
  for (int i = 0; i < 3; i++) {
    ASSERT_SUCCESS(muxDispatch(test.queue, chain.second, NULL, &chain.semaphore, 1, NULL, 0, NULL, NULL));
    ASSERT_SUCCESS(muxWaitAll(test.queue));
    assert_int_equal(chain.count, i + 1);
  }
  destroy_chain(&chain);
}

TEST(refuses_bad_arguments) {
  mux_semaphore_t semaphore;
  ASSERT_REFUSES_BAD(mux_device_t, device, muxCreateSemaphore(bad, test.allocator, &semaphore));
  ASSERT_NULL_OUTPUT(muxCreateSemaphore(test.device, test.allocator, NULL));
  ASSERT_REFUSES_CALLBACKS(muxCreateSemaphore(test.device, allocator, &semaphore));
  ASSERT_REFUSES_BAD(mux_semaphore_t, semaphore, muxResetSemaphore(bad));
  ASSERT_SURVIVES_NO_MEMORY(muxCreateSemaphore(test.device, test.allocator, &semaphore));
  for (unsigned i = 0; i < TEST_BAD_HANDLE_COUNT; i++)
    muxDestroySemaphore(test.device, test_bad_handle(i, mux_object_id_semaphore), test.allocator);
  muxDestroySemaphore(NULL, semaphore, test.allocator);
  muxDestroySemaphore(test.device, semaphore, test.allocator);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(orders_dispatches_again_after_a_reset),
    cmocka_unit_test(stays_signalled_for_all_that_wait),
    cmocka_unit_test(refuses_bad_arguments),
};

TEST_MAIN(tests)
