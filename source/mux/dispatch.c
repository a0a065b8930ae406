/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Dispatching and waiting. */
#include "mux/validate.h"

static bool semaphores_are_valid(mux_id_t queue_id, const mux_semaphore_t *list, uint32_t length) {
  if (!length || !list) return !length && !list;
  for (uint32_t i = 0; i < length; i++) {
    if (!mux_handle_is_peer(list[i], mux_object_id_semaphore, queue_id)) return false;
  }
  return true;
}

/* A dispatch that waits for what itself signals would never start. The lists are short: a few entries at most. */
static bool share_entry(const mux_semaphore_t *a, uint32_t a_length, const mux_semaphore_t *b, uint32_t b_length) {
  for (uint32_t i = 0; i < a_length; i++) {
    for (uint32_t j = 0; j < b_length; j++) {
      if (a[i] == b[j]) return true;
    }
  }
  return false;
}

mux_result_t muxDispatch(mux_queue_t queue, mux_command_buffer_t command_buffer, mux_fence_t fence,
                         const mux_semaphore_t *wait_semaphores, uint32_t wait_semaphores_length,
                         const mux_semaphore_t *signal_semaphores, uint32_t signal_semaphores_length,
                         mux_dispatch_callback_t user_function, void *user_data) {
  MUX_REQUIRE_HANDLE(queue, queue);
  MUX_REQUIRE_PEER(command_buffer, command_buffer, queue);
  MUX_REQUIRE(command_buffer->device == queue->device, "queue and command_buffer are of different devices");
  if (fence) MUX_REQUIRE_PEER(fence, fence, queue);
  MUX_REQUIRE(semaphores_are_valid(queue->id, wait_semaphores, wait_semaphores_length),
              "wait_semaphores does not fit its length or has an invalid entry");
  MUX_REQUIRE(semaphores_are_valid(queue->id, signal_semaphores, signal_semaphores_length),
              "signal_semaphores does not fit its length or has an invalid entry");
  MUX_REQUIRE(!share_entry(wait_semaphores, wait_semaphores_length, signal_semaphores, signal_semaphores_length),
              "a semaphore is in both lists");
  return mux_target_find(queue->id)->dispatch(queue, command_buffer, fence, wait_semaphores, wait_semaphores_length,
                                              signal_semaphores, signal_semaphores_length, user_function, user_data);
}

mux_result_t muxAnnounceWait(mux_queue_t queue) {
  MUX_REQUIRE_HANDLE(queue, queue);
  const mux_target_t *target = mux_target_find(queue->id);
  return target->announce_wait ? target->announce_wait(queue) : mux_error_feature_unsupported;
}

mux_result_t muxCancelDispatch(mux_queue_t queue, mux_fence_t fence) {
  MUX_REQUIRE_HANDLE(queue, queue);
  MUX_REQUIRE_PEER(fence, fence, queue);
  const mux_target_t *target = mux_target_find(queue->id);
  return target->cancel_dispatch ? target->cancel_dispatch(queue, fence) : mux_error_feature_unsupported;
}

mux_result_t muxSignalDispatch(mux_queue_t queue, mux_fence_t fence) {
  MUX_REQUIRE_HANDLE(queue, queue);
  MUX_REQUIRE_PEER(fence, fence, queue);
  const mux_target_t *target = mux_target_find(queue->id);
  return target->signal_dispatch ? target->signal_dispatch(queue, fence) : mux_error_feature_unsupported;
}

mux_result_t muxTryWait(mux_queue_t queue, uint64_t timeout, mux_fence_t fence) {
  MUX_REQUIRE_HANDLE(queue, queue);
  MUX_REQUIRE_PEER(fence, fence, queue);
  return mux_target_find(queue->id)->try_wait(queue, timeout, fence);
}

mux_result_t muxWait(mux_queue_t queue, mux_fence_t fence) {
  MUX_REQUIRE_HANDLE(queue, queue);
  MUX_REQUIRE_PEER(fence, fence, queue);
  return mux_target_find(queue->id)->wait(queue, fence);
}

mux_result_t muxWaitAll(mux_queue_t queue) {
  MUX_REQUIRE_HANDLE(queue, queue);
  return mux_target_find(queue->id)->wait_all(queue);
}
