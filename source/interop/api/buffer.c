/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Public functions on memory objects: making, asking, releasing with the write-back. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "interop/object/addresses.h"
#include "interop/object/known.h"
#include "interop/object/lock.h"
#include "interop/object/make.h"
#include "interop/object/runtime.h"
#include "interop/object/task.h"

enum { all_flags = quern_memory_copy_host | quern_memory_separate | quern_memory_unified };

/* ------------------------------------------------------------ making */

static quern_result_t check_options(const quern_memory_options_t *options, const void *host_memory) {
  if (!options) return quern_success;
  if (options->size != sizeof(*options)) {
    return interop_fail(quern_error_invalid_argument, "options of memory objects have %zu bytes, not %zu",
                        sizeof(*options), options->size);
  }
  if (options->flags & ~(quern_memory_flags_t)all_flags) {
    return interop_fail(quern_error_invalid_argument, "0x%x are no flags of memory objects", options->flags);
  }
  if ((options->flags & quern_memory_copy_host) && !host_memory) {
    return interop_fail(quern_error_invalid_argument, "no host memory to copy");
  }
  if ((options->flags & quern_memory_unified) && !options->bound_context) {
    return interop_fail(quern_error_invalid_argument, "unified storage is that of a context to be bound to");
  }
  return options->bound_context ? interop_context_check(options->bound_context) : quern_success;
}

static quern_result_t check_create(size_t size, const void *host_memory, const quern_memory_options_t *options,
                                   const void *out_memory) {
  quern_result_t result = interop_task_check_make();
  if (result != quern_success) return result;
  if (!out_memory) return interop_fail(quern_error_invalid_argument, "null pointer for the memory object");
  if (!size) return interop_fail(quern_error_invalid_argument, "a memory object of no bytes");
  return check_options(options, host_memory);
}

quern_result_t interop_memory_settle(quern_memory_t memory, quern_context_t context, void *native) {
  interop_graph_lock();
  size_t location = interop_memory_locate(memory, context);
  bool fits = location != SIZE_MAX && interop_segment_add_place(&memory->segments.items[0], location, NULL);
  if (fits && native) memory->copies[location - 1]->native = native;
  interop_graph_unlock();
  if (fits && native) interop_known_add(memory->copies[location - 1]);
  return fits ? quern_success : interop_fail_memory();
}

/* The native object lies over the unified storage, and gets its contents from the context's own queue. */
static quern_result_t create_unified(quern_memory_t memory, void *host_memory, void **out_native) {
  quern_context_t context = memory->bound;
  const interop_runtime_t *runtime = interop_runtime_of(context);
  quern_result_t result = runtime->create_memory(memory, context, memory->storage->bytes, false, out_native);
  if (result != quern_success) return result;
  result = interop_storage_share(memory, context, *out_native);
  if (result != quern_success || !host_memory) return result;
  result = interop_queue_open(context->transfers);
  if (result == quern_success) {
    result = runtime->move(context->transfers, memory, *out_native, interop_from_host, 0, memory->size, host_memory);
  }
  if (result != quern_success) runtime->release(context->state, quern_object_buffer, *out_native);
  return result;
}

/* Bound to a context with native objects: the only storage is there, from the beginning. */
static quern_result_t settle_bound(quern_memory_t memory, void *host_memory) {
  void *native;
  quern_context_t context = memory->bound;
  quern_result_t result = memory->storage ? create_unified(memory, host_memory, &native)
                                          : interop_runtime_of(context)->create_memory(memory, context, host_memory,
                                                                                       host_memory != NULL, &native);
  if (result != quern_success) return result;
  result = interop_memory_settle(memory, context, native);
  if (result != quern_success) interop_runtime_of(context)->release(context->state, quern_object_buffer, native);
  return result;
}

static quern_result_t allocate_unified(quern_memory_t memory) {
  quern_result_t result =
      interop_storage_allocate(memory->bound, NULL, interop_kind_bound, memory->size, 0, &memory->storage);
  if (result != quern_success) return result;
  memory->host = memory->storage->bytes;
  return interop_addresses_add(memory);
}

static quern_result_t settle_on_host(quern_memory_t memory, void *host_memory, bool is_copied) {
  void *host;
  if (!host_memory) return quern_success;
  if (is_copied || memory->storage) {
    quern_result_t result = interop_memory_host(memory, &host);
    if (result != quern_success) return result;
    memcpy(host, host_memory, memory->size);
  } else {
    memory->host = host_memory;
  }
  interop_graph_lock();
  bool fits = interop_segment_add_place(&memory->segments.items[0], 0, NULL);
  interop_graph_unlock();
  return fits ? quern_success : interop_fail_memory();
}

static quern_result_t settle(quern_memory_t memory, void *host_memory, const quern_memory_options_t *options) {
  quern_memory_flags_t flags = options ? options->flags : 0;
  bool is_copied = (flags & quern_memory_copy_host) != 0;
  memory->is_separate = (flags & quern_memory_separate) != 0;
  if (options && options->bound_context) {
    memory->bound = options->bound_context;
    interop_context_hold(memory->bound);
  }
  memory->write_back = is_copied ? NULL : host_memory;
  quern_result_t result = flags & quern_memory_unified ? allocate_unified(memory) : quern_success;
  if (result != quern_success) return result;
  if (memory->bound && !interop_context_is_host(memory->bound)) return settle_bound(memory, host_memory);
  memory->user_memory = is_copied || memory->storage ? NULL : host_memory;
  return settle_on_host(memory, host_memory, is_copied);
}

static quern_result_t finish_create(quern_memory_t memory, void *host_memory, const quern_memory_options_t *options,
                                    quern_memory_t *out_memory) {
  quern_result_t result = settle(memory, host_memory, options);
  if (result == quern_success) {
    *out_memory = memory;
  } else {
    interop_memory_drop(memory);
  }
  return result;
}

quern_result_t quern_buffer_create(size_t size, void *host_memory, const quern_memory_options_t *options,
                                   quern_memory_t *out_buffer) {
  quern_result_t result = check_create(size, host_memory, options, (const void *)out_buffer);
  if (result != quern_success) return result;
  quern_memory_t memory = interop_memory_create(size);
  if (!memory) return interop_fail_memory();
  return finish_create(memory, host_memory, options, out_buffer);
}

static quern_result_t check_part(quern_memory_t buffer, size_t offset, size_t *size, const void *out_part) {
  quern_result_t result = interop_task_check_make();
  if (result == quern_success) result = interop_memory_check(buffer);
  if (result != quern_success) return result;
  if (!out_part) return interop_fail(quern_error_invalid_argument, "null pointer for the part");
  if (buffer->is_image) return interop_fail(quern_error_invalid_argument, "an image has no parts");
  return interop_memory_range(buffer, offset, size);
}

quern_result_t quern_buffer_create_part(quern_memory_t buffer, size_t offset, size_t size, quern_memory_t *out_part) {
  quern_result_t result = check_part(buffer, offset, &size, (const void *)out_part);
  if (result != quern_success) return result;
  quern_memory_t part = interop_memory_create(size);
  if (!part) return interop_fail_memory();
  part->whole = interop_memory_whole(buffer);
  part->whole_offset = buffer->whole_offset + offset;
  part->bound = part->whole->bound;
  if (part->bound) interop_context_hold(part->bound);
  interop_memory_hold(part->whole);
  atomic_fetch_add_explicit(&part->whole->application_references, 1, memory_order_relaxed);
  *out_part = part;
  return quern_success;
}

static quern_result_t read_layout(const quern_image_layout_t *layout, size_t *out_pixel_size, size_t *out_size) {
  if (!layout) return interop_fail(quern_error_invalid_argument, "null pointer for the layout");
  bool is_flat = layout->dimensions < 3 && layout->depth != 1;
  bool is_thin = layout->dimensions < 2 && layout->height != 1;
  if (layout->dimensions < 1 || layout->dimensions > 3 || is_flat || is_thin) {
    return interop_fail(quern_error_invalid_argument, "%u dimensions with sizes %zu, %zu, %zu", layout->dimensions,
                        layout->width, layout->height, layout->depth);
  }
  *out_pixel_size = interop_pixel_size(layout->channel_order, layout->channel_type);
  if (!*out_pixel_size) {
    return interop_fail(quern_error_feature_not_supported, "channel order 0x%x with type 0x%x", layout->channel_order,
                        layout->channel_type);
  }
  if (!size_multiply(layout->width, *out_pixel_size, out_size) || !size_multiply(*out_size, layout->height, out_size) ||
      !size_multiply(*out_size, layout->depth, out_size)) {
    return interop_fail(quern_error_invalid_argument, "the image is larger than memory can be");
  }
  return quern_success;
}

quern_result_t quern_image_create(const quern_image_layout_t *layout, void *host_memory,
                                  const quern_memory_options_t *options, quern_memory_t *out_image) {
  size_t pixel_size = 0, size = 0;
  quern_result_t result = read_layout(layout, &pixel_size, &size);
  if (result == quern_success) result = check_create(size, host_memory, options, (const void *)out_image);
  if (result != quern_success) return result;
  if (options && (options->flags & quern_memory_unified)) {
    return interop_fail(quern_error_invalid_argument, "an image has no unified storage");
  }
  quern_memory_t memory = interop_memory_create(size);
  if (!memory) return interop_fail_memory();
  memory->is_image = true;
  memory->layout = *layout;
  memory->pixel_size = pixel_size;
  return finish_create(memory, host_memory, options, out_image);
}

/* ------------------------------------------------------------ releasing */

quern_result_t quern_memory_retain(quern_memory_t memory) {
  quern_result_t result = interop_memory_check(memory);
  if (result == quern_success) atomic_fetch_add_explicit(&memory->application_references, 1, memory_order_relaxed);
  return result;
}

quern_result_t quern_memory_set_write_back(quern_memory_t memory, void *destination) {
  quern_result_t result = interop_memory_check(memory);
  if (result != quern_success) return result;
  if (memory->whole) return interop_fail(quern_error_invalid_operation, "a part of a buffer is not written back");
  memory->write_back = destination;
  return quern_success;
}

/* Reads the contents where they are wanted, behind all groups that use them. */
static quern_result_t write_back(quern_memory_t memory) {
  quern_host_access_t access;
  void *contents;
  quern_result_t result = quern_host_access_begin(memory, quern_access_read, 0, 0, &contents, &access);
  if (result != quern_success) return result;
  if (memory->write_back && memory->write_back != contents) memcpy(memory->write_back, contents, memory->size);
  return quern_host_access_end(access);
}

/* Nobody may go on using memory of the caller. An access to write waits for readers, too; contents are kept. */
static quern_result_t wait_for_users(quern_memory_t memory) {
  quern_host_access_t access;
  void *contents;
  quern_result_t result = quern_host_access_begin(memory, quern_access_discard_write, 0, 0, &contents, &access);
  return result == quern_success ? quern_host_access_end(access) : result;
}

static quern_result_t end_use(quern_memory_t memory) {
  quern_result_t result = quern_success;
  interop_graph_lock();
  bool was_written = memory->was_written;
  interop_graph_unlock();
  /* Without changes, only a chosen place differs from what the caller has. */
  bool is_wanted = memory->write_back && (was_written || memory->write_back != memory->user_memory);
  if (is_wanted) result = write_back(memory);
  if (memory->user_memory) {
    quern_result_t waited = wait_for_users(memory);
    if (result == quern_success) result = waited;
  }
  return result;
}

/* One of the application's references less; `out_is_last`: it was the last. */
static quern_result_t give_back(quern_memory_t memory, bool *out_is_last) {
  quern_result_t result = quern_success;
  bool may_wait = memory->write_back || memory->user_memory;
  unsigned count = atomic_load(&memory->application_references);
  do {
    if (may_wait && count == 1) result = interop_task_check_wait();
    if (result != quern_success) return result;
  } while (!atomic_compare_exchange_weak(&memory->application_references, &count, count - 1));
  *out_is_last = count == 1;
  return quern_success;
}

/* The last reference to a part gives back one to its whole. Should that have to wait where nobody may, both stay. */
static quern_result_t release_part(quern_memory_t part) {
  bool is_last_of_whole = false;
  quern_memory_t whole = part->whole;
  unsigned count = atomic_load(&part->application_references);
  while (count > 1) {
    if (atomic_compare_exchange_weak(&part->application_references, &count, count - 1)) return quern_success;
  }
  quern_result_t result = give_back(whole, &is_last_of_whole);
  if (result != quern_success) return result;
  if (is_last_of_whole) {
    result = end_use(whole);
    interop_memory_drop(whole);
  }
  interop_memory_drop(part);
  return result;
}

quern_result_t quern_memory_release(quern_memory_t memory) {
  bool is_last = false;
  quern_result_t result = interop_memory_check(memory);
  if (result != quern_success) return result;
  if (memory->whole) return release_part(memory);
  result = give_back(memory, &is_last);
  if (result != quern_success || !is_last) return result;
  result = end_use(memory);
  interop_memory_drop(memory);
  return result;
}

/* ------------------------------------------------------------ asking */

quern_result_t quern_memory_get_size(quern_memory_t memory, size_t *out_size) {
  quern_result_t result = interop_memory_check(memory);
  if (result != quern_success) return result;
  if (!out_size) return interop_fail(quern_error_invalid_argument, "null pointer for the size");
  *out_size = memory->size;
  return quern_success;
}

quern_result_t quern_memory_get_bound_context(quern_memory_t memory, quern_context_t *out_context) {
  quern_result_t result = interop_memory_check(memory);
  if (result != quern_success) return result;
  if (!out_context) return interop_fail(quern_error_invalid_argument, "null pointer for the context");
  *out_context = memory->bound;
  return quern_success;
}

quern_result_t quern_image_get_layout(quern_memory_t image, quern_image_layout_t *out_layout) {
  quern_result_t result = interop_memory_check(image);
  if (result != quern_success) return result;
  if (!out_layout) return interop_fail(quern_error_invalid_argument, "null pointer for the layout");
  if (!image->is_image) return interop_fail(quern_error_invalid_operation, "a buffer has no layout");
  *out_layout = image->layout;
  return quern_success;
}

quern_result_t quern_memory_get_statistics(quern_memory_t memory, quern_memory_statistics_t *out_statistics) {
  quern_result_t result = interop_memory_check(memory);
  if (result != quern_success) return result;
  if (!out_statistics) return interop_fail(quern_error_invalid_argument, "null pointer for the statistics");
  memory = interop_memory_whole(memory);
  out_statistics->copies = atomic_load(&memory->copy_total);
  out_statistics->copied_bytes = atomic_load(&memory->copied_bytes);
  out_statistics->maps = atomic_load(&memory->map_total);
  return quern_success;
}

quern_result_t quern_memory_get_whole(quern_memory_t memory, quern_memory_t *out_whole, size_t *out_offset) {
  quern_result_t result = interop_memory_check(memory);
  if (result != quern_success) return result;
  if (!out_whole && !out_offset) return interop_fail(quern_error_invalid_argument, "null pointers for both answers");
  if (out_whole) *out_whole = memory->whole;
  if (out_offset) *out_offset = memory->whole_offset;
  return quern_success;
}

quern_result_t quern_memory_get_contexts(quern_memory_t memory, size_t capacity, quern_context_t *out_contexts,
                                         size_t *out_count) {
  size_t count = 0;
  quern_result_t result = interop_memory_check(memory);
  if (result == quern_success) result = interop_output_check((const void *)out_contexts, capacity, out_count);
  if (result != quern_success) return result;
  interop_graph_lock();
  for (size_t i = 0; i < memory->copy_count; i++) {
    if (!atomic_load(&memory->copies[i]->native)) continue;
    if (count < capacity) out_contexts[count] = memory->copies[i]->context;
    count++;
  }
  interop_graph_unlock();
  if (out_count) *out_count = count;
  return quern_success;
}
