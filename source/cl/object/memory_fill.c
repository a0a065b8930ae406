/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The first content of a buffer: through its host mapping, or by a command of its own where the host sees no memory of
 * the device (no queue of the application takes part in creating a buffer). */
#include "cl/object/memory_fill.h"

#include <string.h>

#include "cl/object/mux_error.h"

static mux_result_t fill_mapped(cl_mem memory, const void *source) {
  if (source) memcpy(memory->host_base, source, memory->size);
  if (memory_is_coherent(memory)) return mux_success;
  return muxFlushMappedMemoryToDevice(memory->context->mux_device, memory->memory, 0, memory->size);
}

static mux_result_t dispatch_and_wait(mux_device_t device, mux_command_buffer_t command_buffer) {
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

static mux_result_t fill_by_command(cl_mem memory, const void *source) {
  mux_device_t device = memory->context->mux_device;
  mux_command_buffer_t command_buffer;
  mux_result_t result = muxCreateCommandBuffer(device, NULL, mux_allocator(), &command_buffer);
  if (result != mux_success) return result;
  result = muxCommandWriteBuffer(command_buffer, memory->buffer, 0, source, memory->size, 0, NULL, NULL);
  if (result == mux_success) result = muxFinalizeCommandBuffer(command_buffer);
  if (result == mux_success) result = dispatch_and_wait(device, command_buffer);
  muxDestroyCommandBuffer(device, command_buffer, mux_allocator());
  return result;
}

cl_int memory_fill_from_host(cl_mem memory, const void *source) {
  mux_result_t result = memory->host_base ? fill_mapped(memory, source) : fill_by_command(memory, source);
  return error_from_mux(result, CL_OUT_OF_RESOURCES);
}
