/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The way of what kernels print. A full buffer is drained by the kernel that finds it full, so that output has no
 * limit; the rest when a command completes, before its event does. */
#include "cl/printf/printf_stream.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/log.h"
#include "cl/object/mux_error.h"
#include "cl/printf/printf.h"
#include "compiler/printf.h"

enum { stream_capacity = 1 << 20 };

struct printf_stream_t {
  mux_device_t device;
  const program_info_t *info;
  mux_memory_t memory;
  mux_buffer_t buffer;
  printf_sink_t sink;
  /** For a sink: what could not be given to it yet. Under the buffer's lock. */
  text_t pending;
  /** Mapped as long as the stream lives. */
  printf_buffer_t *head;
};

/** What kernels contend for too; they hold it for as long as it takes to copy a record. */
static void lock_buffer(printf_buffer_t *head) {
  while (__atomic_exchange_n(&head->lock, 1, __ATOMIC_ACQUIRE)) sched_yield();
}

static void unlock_buffer(printf_buffer_t *head) { __atomic_store_n(&head->lock, 0, __ATOMIC_RELEASE); }

static void write_text(printf_stream_t *stream, text_t *text) {
  if (stream->sink.function) {
    text_append_bytes(&stream->pending, text_string(text), text->length);
    return;
  }
  fwrite(text_string(text), 1, text->length, stdout);
  fflush(stdout);
}

/** The caller holds the buffer's lock, so that the application's function cannot be called here. */
static void print_buffer(printf_buffer_t *head) {
  printf_stream_t *stream = head->user_data;
  size_t used = head->used < stream_capacity ? head->used : stream_capacity;
  text_t text = {0};
  if (!printf_format_records(&text, stream->info, head + 1, used)) {
    log_write(log_error, "printf: a kernel left a malformed record; the rest of its output is lost");
  }
  if (head->lost) log_write(log_error, "printf: %u records did not fit into the buffer and are lost", head->lost);
  write_text(stream, &text);
  text_free(&text);
  head->used = 0;
  head->lost = 0;
}

void printf_stream_drain(printf_stream_t *stream) {
  lock_buffer(stream->head);
  if (stream->head->used || stream->head->lost) print_buffer(stream->head);
  text_t text = stream->pending;
  stream->pending = (text_t){0};
  unlock_buffer(stream->head);
  if (text.length) stream->sink.function(text_string(&text), text.length, 1, stream->sink.user_data);
  text_free(&text);
}

static mux_result_t create_memory(printf_stream_t *stream, size_t size) {
  const uint32_t properties = mux_memory_property_host_visible | mux_memory_property_host_coherent;
  mux_result_t result = muxCreateBuffer(stream->device, size, mux_allocator(), &stream->buffer);
  if (result != mux_success) return result;
  const mux_memory_requirements_s *required = &stream->buffer->memory_requirements;
  uint32_t heap = required->supported_heaps & -required->supported_heaps;
  result = muxAllocateMemory(stream->device, required->size, heap, properties, mux_allocation_type_alloc_host,
                             required->alignment, mux_allocator(), &stream->memory);
  if (result != mux_success) return result;
  result = muxBindBufferMemory(stream->device, stream->memory, stream->buffer, 0);
  if (result != mux_success) return result;
  void *address = NULL;
  result = muxMapMemory(stream->device, stream->memory, 0, required->size, &address);
  stream->head = address;
  return result;
}

cl_int printf_stream_create(mux_device_t device, const program_info_t *info, const printf_sink_t *sink,
                            printf_stream_t **out_stream) {
  printf_stream_t *stream = calloc(1, sizeof *stream);
  if (!stream) return CL_OUT_OF_HOST_MEMORY;
  stream->device = device;
  stream->info = info;
  stream->sink = *sink;
  mux_result_t result = create_memory(stream, sizeof(printf_buffer_t) + stream_capacity);
  if (result != mux_success) {
    printf_stream_destroy(stream);
    return error_from_mux(result, CL_OUT_OF_RESOURCES);
  }
  *stream->head = (printf_buffer_t){.capacity = stream_capacity, .drain = print_buffer, .user_data = stream};
  *out_stream = stream;
  return CL_SUCCESS;
}

static void unmap(const printf_stream_t *stream) {
  if (stream->head && muxUnmapMemory(stream->device, stream->memory) != mux_success) {
    log_write(log_error, "the printf buffer could not be unmapped");
  }
}

void printf_stream_destroy(printf_stream_t *stream) {
  if (!stream) return;
  unmap(stream);
  text_free(&stream->pending);
  if (stream->buffer) muxDestroyBuffer(stream->device, stream->buffer, mux_allocator());
  if (stream->memory) muxFreeMemory(stream->device, stream->memory, mux_allocator());
  free(stream);
}

mux_descriptor_info_t printf_stream_descriptor(const printf_stream_t *stream) {
  return (mux_descriptor_info_t){.type = mux_descriptor_info_type_buffer,
                                 .buffer_descriptor = {.buffer = stream->buffer, .offset = 0}};
}
