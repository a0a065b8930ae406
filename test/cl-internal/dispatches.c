/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The stand-in for muxDispatch. */
#include "dispatches.h"

#include <pthread.h>
#include <stdlib.h>

dispatch_t dispatches[DISPATCH_LIMIT];
size_t dispatch_count;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void dispatches_forget(void) {
  pthread_mutex_lock(&mutex);
  dispatch_count = 0;
  pthread_mutex_unlock(&mutex);
}

const dispatch_t *dispatches_find(mux_command_buffer_t commands) {
  const dispatch_t *found = NULL;
  pthread_mutex_lock(&mutex);
  for (size_t i = 0; i < dispatch_count; i++) {
    if (dispatches[i].commands == commands) found = &dispatches[i];
  }
  pthread_mutex_unlock(&mutex);
  return found;
}

/* Names that the linker gives: the first stands in for muxDispatch, the second is muxDispatch. */
mux_result_t __wrap_muxDispatch(mux_queue_t queue, mux_command_buffer_t commands, mux_fence_t fence,
                                const mux_semaphore_t *waits, uint32_t wait_count, const mux_semaphore_t *signals,
                                uint32_t signal_count, mux_dispatch_callback_t function, void *user_data);
mux_result_t __real_muxDispatch(mux_queue_t queue, mux_command_buffer_t commands, mux_fence_t fence,
                                const mux_semaphore_t *waits, uint32_t wait_count, const mux_semaphore_t *signals,
                                uint32_t signal_count, mux_dispatch_callback_t function, void *user_data);

/* More than there is room for is more than any test makes. */
mux_result_t __wrap_muxDispatch(mux_queue_t queue, mux_command_buffer_t commands, mux_fence_t fence,
                                const mux_semaphore_t *waits, uint32_t wait_count, const mux_semaphore_t *signals,
                                uint32_t signal_count, mux_dispatch_callback_t function, void *user_data) {
  pthread_mutex_lock(&mutex);
  if (dispatch_count == DISPATCH_LIMIT || wait_count > DISPATCH_WAIT_LIMIT || signal_count != 1) abort();
  dispatch_t *dispatch = &dispatches[dispatch_count++];
  *dispatch = (dispatch_t){
      .commands = commands, .wait_count = wait_count, .signal = signals[0], .length = commands->command_count};
  for (uint32_t i = 0; i < wait_count; i++) dispatch->waits[i] = waits[i];
  pthread_mutex_unlock(&mutex);
  return __real_muxDispatch(queue, commands, fence, waits, wait_count, signals, signal_count, function, user_data);
}
