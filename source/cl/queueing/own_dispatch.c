/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Commands of the driver's own. */
#include "cl/queueing/own_dispatch.h"

#include "cl/object/mux_error.h"

mux_result_t own_dispatch_run(mux_device_t device, mux_command_buffer_t command_buffer) {
  mux_queue_t queue;
  mux_result_t result = muxGetQueue(device, mux_queue_type_compute, 0, &queue);
  if (result != mux_success) return result;
  mux_fence_t fence;
  result = muxCreateFence(device, mux_allocator(), &fence);
  if (result != mux_success) return result;
  result = muxDispatch(queue, command_buffer, fence, NULL, 0, NULL, 0, NULL, NULL);
  if (result == mux_success) result = muxWait(queue, fence);
  muxDestroyFence(device, fence, mux_allocator());
  return result;
}
