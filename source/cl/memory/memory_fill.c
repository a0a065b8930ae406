/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The first content of a buffer or image: through its host mapping, or by a command of its own for images and where the
 * host sees no memory of the device (no queue of the application takes part in creating a memory object). */
#include "cl/memory/memory_fill.h"

#include <string.h>

#include "cl/memory/image.h"
#include "cl/object/mux_error.h"
#include "cl/queueing/own_dispatch.h"

static mux_result_t fill_mapped(cl_mem memory, const void *source) {
  if (source) memcpy(memory->host_base, source, memory->size);
  if (memory_is_coherent(memory)) return mux_success;
  return muxFlushMappedMemoryToDevice(memory->context->mux_device, memory->memory, 0, memory->size);
}

/** The application's pixels have the pitches of the image. */
static mux_result_t record_pixels(cl_mem image, mux_command_buffer_t command_buffer, const void *source) {
  size_t extent[3];
  image_extent(&image->desc, extent);
  const mux_extent_2d_t pitch = image_level_pitches(image->image);
  return muxCommandWriteImage(command_buffer, image->image, (mux_offset_3d_t){0, 0, 0},
                              (mux_extent_3d_t){extent[0], extent[1], extent[2]}, pitch.x, pitch.y, source, 0, NULL,
                              NULL);
}

static mux_result_t record_fill(cl_mem memory, mux_command_buffer_t command_buffer, const void *source) {
  if (memory->image) return record_pixels(memory, command_buffer, source);
  return muxCommandWriteBuffer(command_buffer, memory->buffer, 0, source, memory->size, 0, NULL, NULL);
}

static mux_result_t fill_by_command(cl_mem memory, const void *source) {
  mux_device_t device = memory->context->mux_device;
  mux_command_buffer_t command_buffer;
  mux_result_t result = muxCreateCommandBuffer(device, NULL, mux_allocator(), &command_buffer);
  if (result != mux_success) return result;
  result = record_fill(memory, command_buffer, source);
  if (result == mux_success) result = muxFinalizeCommandBuffer(command_buffer);
  if (result == mux_success) result = own_dispatch_run(device, command_buffer);
  muxDestroyCommandBuffer(device, command_buffer, mux_allocator());
  return result;
}

cl_int memory_fill_from_host(cl_mem memory, const void *source) {
  bool is_plain = memory->host_base && (!memory->image || !source);
  mux_result_t result = is_plain ? fill_mapped(memory, source) : fill_by_command(memory, source);
  return error_from_mux(result, CL_OUT_OF_RESOURCES);
}
