/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The functions of runtime.h over those of a registered backend. */
#include <stdlib.h>

#include "interop/execution/watch.h"
#include "interop/vendor/vendor.h"

static const vendor_t *vendor_in(const struct quern_context_s *context) { return vendor_of(context->state); }

static quern_result_t fail_without(const char *what) {
  return interop_fail(quern_error_feature_not_supported, "the backend has no %s", what);
}

/* ------------------------------------------------------------ objects */

static quern_result_t retain(interop_backend_state_t *state, quern_object_t object, void *native) {
  return VENDOR_CALL(vendor_of(state), retain, object, native);
}

static void release(interop_backend_state_t *state, quern_object_t object, void *native) {
  const vendor_t *vendor = vendor_of(state);
  vendor->functions.release(vendor->data, object, native);
}

static quern_result_t open_context(quern_context_t context) {
  void **devices = calloc(context->device_count, sizeof(void *));
  if (!devices) return interop_fail_memory();
  for (size_t i = 0; i < context->device_count; i++) devices[i] = context->devices[i]->native;
  quern_result_t result = VENDOR_CALL(vendor_in(context), create_context, context->platform->native,
                                      context->device_count, devices, &context->native);
  free((void *)devices);
  return result;
}

static quern_result_t read_context(interop_backend_state_t *state, void *native, void **out_platform,
                                   void ***out_devices, size_t *out_count) {
  const vendor_t *vendor = vendor_of(state);
  size_t count = 0, filled;
  quern_result_t result = VENDOR_CALL(vendor, list_context_devices, native, 0, NULL, &count);
  if (result != quern_success) return result;
  void **devices = count ? calloc(count, sizeof(void *)) : NULL;
  if (!devices) {
    return count ? interop_fail_memory() : interop_fail(quern_error_backend_failure, "a context without devices");
  }
  result = VENDOR_CALL(vendor, list_context_devices, native, count, devices, &filled);
  if (result == quern_success) result = VENDOR_CALL(vendor, find_platform, devices[0], out_platform);
  if (result != quern_success) {
    free((void *)devices);
    return result;
  }
  *out_devices = devices;
  *out_count = count;
  return quern_success;
}

static quern_result_t open_queue(quern_queue_t queue) {
  return VENDOR_CALL(vendor_in(queue->context), create_queue, queue->context->native, queue->device->native,
                     queue->flags, &queue->native);
}

static quern_result_t read_queue(interop_backend_state_t *state, void *native, void **out_context, void **out_device,
                                 quern_queue_flags_t *out_flags) {
  return VENDOR_CALL(vendor_of(state), read_queue, native, out_context, out_device, out_flags);
}

static void flush(quern_queue_t queue) {
  const vendor_t *vendor = vendor_in(queue->context);
  if (vendor->functions.flush) vendor->functions.flush(vendor->data, queue->native);
}

static quern_result_t find_context(interop_backend_state_t *state, quern_object_t object, void *native,
                                   void **out_context) {
  return VENDOR_CALL(vendor_of(state), find_context, object, native, out_context);
}

static quern_result_t create_program(quern_context_t context, const char *source, const char *options,
                                     void **out_native) {
  const vendor_t *vendor = vendor_in(context);
  if (!vendor->functions.create_program) return fail_without("programs");
  return VENDOR_CALL(vendor, create_program, context->native, source, options, out_native);
}

static quern_result_t create_kernel(quern_program_t program, const char *name, void **out_native) {
  return VENDOR_CALL(vendor_in(program->context), create_kernel, program->native, name, out_native);
}

static quern_result_t create_sampler(quern_context_t context, const quern_sampler_description_t *description,
                                     void **out_native) {
  const vendor_t *vendor = vendor_in(context);
  if (!vendor->functions.create_sampler) return fail_without("samplers");
  return VENDOR_CALL(vendor, create_sampler, context->native, description, out_native);
}

/* ------------------------------------------------------------ memory */

static quern_result_t create_memory(const struct quern_memory_s *memory, quern_context_t context, void *host,
                                    bool is_initial, void **out_native) {
  if (memory->is_image) return fail_without("images");
  return VENDOR_CALL(vendor_in(context), create_buffer, context->native, memory->size, host, host && !is_initial,
                     out_native);
}

static quern_result_t create_part(quern_context_t context, void *whole, size_t offset, size_t size, void **out_native) {
  const vendor_t *vendor = vendor_in(context);
  if (!vendor->functions.create_part) return fail_without("parts of buffers");
  return VENDOR_CALL(vendor, create_part, whole, offset, size, out_native);
}

static void drop_storage(void *storage) { interop_storage_drop(storage); }

static quern_result_t hold_storage(interop_backend_state_t *state, void *native, interop_storage_t *storage) {
  const vendor_t *vendor = vendor_of(state);
  if (!vendor->functions.on_destroy) return fail_without("buffers over memory of the host");
  return VENDOR_CALL(vendor, on_destroy, native, drop_storage, storage);
}

static quern_result_t allocate(quern_context_t context, quern_device_t device, int kind, size_t size, size_t alignment,
                               void **out_pointer) {
  const vendor_t *vendor = vendor_in(context);
  if (!vendor->functions.allocate) return fail_without("unified memory");
  quern_usm_kind_t usm = kind == interop_kind_bound ? quern_usm_shared : (quern_usm_kind_t)kind;
  return VENDOR_CALL(vendor, allocate, context->native, device ? device->native : NULL, usm, size, alignment,
                     out_pointer);
}

static void deallocate(quern_context_t context, void *pointer) {
  const vendor_t *vendor = vendor_in(context);
  vendor->functions.deallocate(vendor->data, context->native, pointer);
}

static quern_result_t read_memory(interop_backend_state_t *state, void *native, quern_memory_t memory) {
  return VENDOR_CALL(vendor_of(state), get_buffer_size, native, &memory->size);
}

static quern_result_t move(quern_queue_t queue, const struct quern_memory_s *memory, void *native,
                           interop_direction_t direction, size_t offset, size_t size, void *host) {
  const vendor_t *vendor = vendor_in(queue->context);
  bool reads = direction == interop_to_host;
  void *event = NULL;
  const char *message = NULL;
  (void)memory;
  const quern_vendor_command_t command = {.size = sizeof(command),
                                          .action = reads ? quern_vendor_read : quern_vendor_write,
                                          .queue = queue->native,
                                          .from = reads ? native : NULL,
                                          .to = reads ? NULL : native,
                                          .from_offset = reads ? offset : 0,
                                          .to_offset = reads ? 0 : offset,
                                          .bytes = size,
                                          .host = reads ? host : NULL,
                                          .source = reads ? NULL : host};
  quern_result_t result = VENDOR_CALL(vendor, enqueue, &command, &event);
  if (result != quern_success) return result;
  flush(queue);
  vendor->functions.wait(vendor->data, event);
  if (vendor->functions.get_status(vendor->data, event, &message) != quern_vendor_complete) {
    result = interop_fail(quern_error_backend_failure, "%s", message ? message : "a transfer failed");
  }
  vendor->functions.release(vendor->data, quern_object_event, event);
  return result;
}

static quern_result_t map(quern_queue_t queue, void *native, quern_access_t access, size_t offset, size_t size,
                          void **out_pointer) {
  return VENDOR_CALL(vendor_in(queue->context), map, queue->native, native, access, offset, size, out_pointer);
}

static quern_result_t unmap(quern_queue_t queue, void *native, void *pointer) {
  return VENDOR_CALL(vendor_in(queue->context), unmap, queue->native, native, pointer);
}

/* ------------------------------------------------------------ events */

static void notify_watch(void *node) { interop_watch_notify(node); }

static bool watch(interop_node_t *node) {
  const vendor_t *vendor = vendor_in(node->context);
  return vendor->functions.notify &&
         vendor->functions.notify(vendor->data, node->native, notify_watch, node) == quern_success;
}

static interop_outcome_t poll(interop_backend_state_t *state, void *event) {
  const vendor_t *vendor = vendor_of(state);
  const char *message = NULL;
  switch (vendor->functions.get_status(vendor->data, event, &message)) {
    case quern_vendor_complete: return interop_outcome_success;
    case quern_vendor_failed: quern_vendor_set_message(message ? message : "a command failed"); break;
    default: return interop_outcome_running;
  }
  return interop_outcome_failure;
}

static void wait(interop_backend_state_t *state, void *event) {
  const vendor_t *vendor = vendor_of(state);
  vendor->functions.wait(vendor->data, event);
}

static bool has_started(interop_backend_state_t *state, void *event) {
  const vendor_t *vendor = vendor_of(state);
  const char *message;
  return vendor->functions.get_status(vendor->data, event, &message) != quern_vendor_waiting;
}

static void profile(interop_backend_state_t *state, void *event, uint64_t submitted, uint64_t *out_started,
                    uint64_t *out_ended) {
  const vendor_t *vendor = vendor_of(state);
  uint64_t enqueued, began, ended;
  if (!vendor->functions.get_times ||
      vendor->functions.get_times(vendor->data, event, &enqueued, &began, &ended) != quern_success) {
    return;
  }
  *out_started = submitted + (began - enqueued);
  *out_ended = submitted + (ended - enqueued);
}

static quern_result_t create_event(quern_context_t context, void **out_event) {
  const vendor_t *vendor = vendor_in(context);
  if (!vendor->functions.create_event) return fail_without("events of the host");
  return VENDOR_CALL(vendor, create_event, context->native, out_event);
}

static void complete_event(interop_backend_state_t *state, void *event, bool success) {
  const vendor_t *vendor = vendor_of(state);
  vendor->functions.complete_event(vendor->data, event, success);
}

const interop_runtime_t vendor_runtime = {
    .retain = retain,
    .release = release,
    .open_context = open_context,
    .read_context = read_context,
    .open_queue = open_queue,
    .read_queue = read_queue,
    .flush = flush,
    .find_context = find_context,
    .create_memory = create_memory,
    .create_part = create_part,
    .hold_storage = hold_storage,
    .allocate = allocate,
    .deallocate = deallocate,
    .read_memory = read_memory,
    .move = move,
    .map = map,
    .unmap = unmap,
    .dispatch = vendor_dispatch,
    .watch = watch,
    .poll = poll,
    .wait = wait,
    .has_started = has_started,
    .profile = profile,
    .create_event = create_event,
    .complete_event = complete_event,
    .create_program = create_program,
    .create_sampler = create_sampler,
    .create_kernel = create_kernel,
};
