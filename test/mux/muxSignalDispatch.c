/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * muxSignalDispatch: completion callbacks that wait. */
#include "support.h"

/* Two dispatches, the second of which waits for the first. */
typedef struct chain_t {
  mux_command_buffer_t command_buffers[2];
  mux_fence_t fences[2];
  mux_semaphore_t semaphore;
  /** What the first one's callback got. */
  mux_result_t before, signalled, again, waited;
} chain_t;

static void chain_create(chain_t *chain) {
  *chain = (chain_t){.signalled = mux_error_feature_unsupported};
  for (int i = 0; i < 2; i++) {
    chain->command_buffers[i] = test_command_buffer_create();
    chain->fences[i] = test_fence_create();
    ASSERT_SUCCESS(muxFinalizeCommandBuffer(chain->command_buffers[i]));
  }
  ASSERT_SUCCESS(muxCreateSemaphore(test.device, test.allocator, &chain->semaphore));
}

static void chain_destroy(chain_t *chain) {
  ASSERT_SUCCESS(muxWaitAll(test.queue));
  for (int i = 0; i < 2; i++) {
    test_fence_destroy(chain->fences[i]);
    test_command_buffer_destroy(chain->command_buffers[i]);
  }
  muxDestroySemaphore(test.device, chain->semaphore, test.allocator);
}

static void wait_for_second(mux_command_buffer_t command_buffer, mux_result_t result, void *user_data) {
  chain_t *chain = user_data;
  (void)command_buffer, (void)result;
  chain->before = muxTryWait(test.queue, 0, chain->fences[0]);
  chain->signalled = muxSignalDispatch(test.queue, chain->fences[0]);
  if (chain->signalled) return;
  chain->again = muxSignalDispatch(test.queue, chain->fences[0]);
  chain->waited = muxWait(test.queue, chain->fences[1]);
}

static void chain_dispatch(chain_t *chain) {
  test_gate_t gate = test_gate_create();
  ASSERT_SUCCESS(muxDispatch(test.queue, chain->command_buffers[0], chain->fences[0], &gate.semaphore, 1,
                             &chain->semaphore, 1, wait_for_second, chain));
  ASSERT_SUCCESS(
      muxDispatch(test.queue, chain->command_buffers[1], chain->fences[1], &chain->semaphore, 1, NULL, 0, NULL, NULL));
  test_gate_open(&gate);
  ASSERT_SUCCESS(muxWaitAll(test.queue));
  test_gate_destroy(&gate);
}

TEST(a_callback_may_wait_for_what_waits_for_its_dispatch) {
  chain_t chain;
  chain_create(&chain);
  chain_dispatch(&chain);
  ASSERT_RESULT(mux_fence_not_ready, chain.before);
  if (chain.signalled == mux_error_feature_unsupported) {
    chain_destroy(&chain);
    print_message("skipped: the target signals after the callback only\n");
    skip();
  }
  ASSERT_SUCCESS(chain.signalled);
  ASSERT_INVALID(chain.again);
  ASSERT_SUCCESS(chain.waited);
  ASSERT_SUCCESS(muxWait(test.queue, chain.fences[0]));
  chain_destroy(&chain);
}

TEST(refuses_bad_handles) { test_refuses_bad_dispatches(muxSignalDispatch); }

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_callback_may_wait_for_what_waits_for_its_dispatch),
    cmocka_unit_test(refuses_bad_handles),
};
TEST_MAIN(tests)
