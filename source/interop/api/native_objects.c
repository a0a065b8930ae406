/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Native objects of what belongs to a context, both ways. */
#include <stdlib.h>

#include "interop/execution/progress.h"
#include "interop/object/known.h"
#include "interop/object/make.h"
#include "interop/object/runtime.h"
#include "interop/object/task.h"
#include "quern/native.h"

/* ------------------------------------------------------------ from a handle */

static quern_result_t check_get(const struct quern_context_s *context, quern_backend_t backend, quern_object_t object,
                                void *const *out_native) {
  if (!out_native) return interop_fail(quern_error_invalid_argument, "null pointer for the native object");
  quern_result_t result = interop_backend_check(backend);
  if (result != quern_success) return result;
  if (context->state->id != backend) {
    return interop_fail(quern_error_backend_mismatch, "the object is of backend %s, not %s",
                        quern_backend_name(context->state->id), quern_backend_name(backend));
  }
  if (quern_backend_has_native(backend, object)) return quern_success;
  return interop_fail(quern_error_feature_not_supported, "backend %s has no native objects of this kind",
                      quern_backend_name(backend));
}

static quern_result_t give(const struct quern_context_s *context, quern_object_t object, void *native,
                           void **out_native) {
  quern_result_t result = interop_runtime_of(context)->retain(context->state, object, native);
  if (result == quern_success) *out_native = native;
  return result;
}

quern_result_t quern_context_get_native(quern_context_t context, quern_backend_t backend, void **out_native) {
  quern_result_t result = interop_context_check(context);
  if (result == quern_success) result = check_get(context, backend, quern_object_context, out_native);
  return result == quern_success ? give(context, quern_object_context, context->native, out_native) : result;
}

quern_result_t quern_queue_get_native(quern_queue_t queue, quern_backend_t backend, void **out_native) {
  quern_result_t result = interop_queue_check(queue);
  if (result == quern_success) result = check_get(queue->context, backend, quern_object_queue, out_native);
  if (result == quern_success) result = interop_queue_open(queue);
  return result == quern_success ? give(queue->context, quern_object_queue, queue->native, out_native) : result;
}

quern_result_t quern_program_get_native(quern_program_t program, quern_backend_t backend, void **out_native) {
  quern_result_t result = interop_program_check(program);
  if (result == quern_success) result = check_get(program->context, backend, quern_object_program, out_native);
  return result == quern_success ? give(program->context, quern_object_program, program->native, out_native) : result;
}

quern_result_t quern_kernel_get_native(quern_kernel_t kernel, quern_backend_t backend, void **out_native) {
  quern_result_t result = interop_kernel_check(kernel);
  if (result == quern_success) result = check_get(kernel->context, backend, quern_object_kernel, out_native);
  if (result == quern_success) atomic_store(&kernel->is_shared, true);
  return result == quern_success ? give(kernel->context, quern_object_kernel, kernel->native, out_native) : result;
}

quern_result_t quern_sampler_get_native(quern_sampler_t sampler, quern_backend_t backend, void **out_native) {
  quern_result_t result = interop_sampler_check(sampler);
  if (result == quern_success) result = check_get(sampler->context, backend, quern_object_sampler, out_native);
  return result == quern_success ? give(sampler->context, quern_object_sampler, sampler->native, out_native) : result;
}

/* ------------------------------------------------------------ events */

/* That of a group which may be tried again is not yet the one that counts. Under the lock. */
static bool has_native_event(const interop_node_t *node) {
  if (!node->native) return false;
  return node->state == interop_state_complete ||
         (node->state == interop_state_dispatched && interop_node_shows_native(node));
}

/* The event that is there, or one to stand in for it; `made` is used when there is none. Returns whether the node was
 * complete, so that nobody will complete the stand-in. */
static bool choose_event(interop_node_t *node, void *made, void **out_event) {
  interop_graph_lock();
  bool has_native = has_native_event(node);
  if (!has_native && !node->stand_in) node->stand_in = made;
  *out_event = has_native ? node->native : node->stand_in;
  bool is_complete = node->state == interop_state_complete;
  interop_graph_unlock();
  return is_complete;
}

quern_result_t quern_event_get_native(quern_event_t event, quern_backend_t backend, void **out_native) {
  void *native = NULL, *made = NULL;
  quern_result_t result = interop_event_check(event);
  if (result == quern_success) result = check_get(event->context, backend, quern_object_event, out_native);
  if (result != quern_success) return result;
  interop_backend_state_t *state = event->context->state;
  const interop_runtime_t *runtime = interop_runtime_of(event->context);
  bool is_complete = choose_event(event, NULL, &native);
  if (!native) {
    result = runtime->create_event(event->context, &made);
    if (result != quern_success) return result;
    is_complete = choose_event(event, made, &native);
  }
  result = give(event->context, quern_object_event, native, out_native);
  if (made && native != made) runtime->release(state, quern_object_event, made);
  if (made && native == made && is_complete) runtime->complete_event(state, made, event->result == quern_success);
  return result;
}

/* ------------------------------------------------------------ memory objects */

static quern_result_t bring_contents(quern_memory_t memory, quern_context_t context) {
  quern_queue_t queue;
  quern_group_t group;
  quern_event_t event;
  quern_result_t result =
      quern_queue_create(context, context->devices[0], quern_queue_out_of_order, NULL, NULL, &queue);
  if (result != quern_success) return result;
  result = quern_group_create(queue, &group);
  if (result != quern_success) goto release_queue;
  result = quern_group_access(group, memory, quern_access_read, 0, 0, NULL);
  if (result == quern_success) result = quern_group_submit(group, &event);
  if (result != quern_success) {
    quern_group_discard(group);
    goto release_queue;
  }
  result = quern_event_wait(event);
  quern_event_release(event);
release_queue:
  quern_queue_release(queue);
  return result;
}

quern_result_t quern_memory_get_native(quern_memory_t memory, quern_context_t context, void **out_native) {
  void *native;
  quern_result_t result = interop_task_check_wait();
  if (result == quern_success) result = interop_memory_check(memory);
  if (result == quern_success) result = interop_context_check(context);
  if (result != quern_success) return result;
  result = check_get(context, context->state->id, quern_object_buffer, out_native);
  if (result == quern_success) result = bring_contents(memory, context);
  if (result != quern_success) return result;
  interop_copy_t *copy = interop_memory_copy(memory, context);
  if (!copy) return interop_fail_memory();
  result = interop_copy_native(memory, copy, &native, NULL);
  return result == quern_success ? give(context, quern_object_buffer, native, out_native) : result;
}

/* ------------------------------------------------------------ to a handle */

static quern_result_t check_ownership(quern_ownership_t ownership) {
  if (ownership == quern_ownership_retain || ownership == quern_ownership_transfer) return quern_success;
  return interop_fail(quern_error_invalid_argument, "%d is not a kind of ownership", (int)ownership);
}

static quern_result_t check_pointers(const void *native, const void *out_handle) {
  if (!native) return interop_fail(quern_error_invalid_argument, "the native object is null");
  if (!out_handle) return interop_fail(quern_error_invalid_argument, "null pointer for the handle");
  return quern_success;
}

/* Checks what is made of a native object in `context`; then the library has a reference: its own, or the caller's. */
static quern_result_t adopt(quern_context_t context, quern_object_t object, void *native, quern_ownership_t ownership,
                            const void *out_handle) {
  void *owner = NULL;
  quern_result_t result = interop_task_check_make();
  if (result == quern_success) result = interop_context_check(context);
  if (result == quern_success) result = check_ownership(ownership);
  if (result == quern_success) result = check_pointers(native, out_handle);
  if (result != quern_success) return result;
  if (!quern_backend_has_native(context->state->id, object)) {
    return interop_fail(quern_error_feature_not_supported, "backend %s has no native objects of this kind",
                        quern_backend_name(context->state->id));
  }
  result = interop_runtime_of(context)->find_context(context->state, object, native, &owner);
  if (result != quern_success) return result;
  if (owner != context->native) {
    return interop_fail(quern_error_wrong_context, "the native object is of another native context");
  }
  if (ownership == quern_ownership_transfer) return quern_success;
  return interop_runtime_of(context)->retain(context->state, object, native);
}

/* After a failure: the caller's reference stays the caller's. */
static void reject(quern_context_t context, quern_object_t object, void *native, quern_ownership_t ownership) {
  if (ownership == quern_ownership_retain) interop_runtime_of(context)->release(context->state, object, native);
}

static quern_result_t fail_to_make(quern_context_t context, quern_object_t object, void *native,
                                   quern_ownership_t ownership) {
  reject(context, object, native, ownership);
  return interop_fail_memory();
}

quern_result_t quern_program_make_from_native(quern_context_t context, void *native, quern_ownership_t ownership,
                                              quern_program_t *out_program) {
  quern_result_t result = adopt(context, quern_object_program, native, ownership, (const void *)out_program);
  if (result != quern_success) return result;
  quern_program_t program = interop_program_create(context, native);
  if (!program) return fail_to_make(context, quern_object_program, native, ownership);
  *out_program = program;
  return quern_success;
}

quern_result_t quern_kernel_make_from_native(quern_context_t context, void *native, quern_ownership_t ownership,
                                             quern_kernel_t *out_kernel) {
  quern_result_t result = adopt(context, quern_object_kernel, native, ownership, (const void *)out_kernel);
  if (result != quern_success) return result;
  quern_kernel_t kernel = interop_kernel_create(context, native);
  if (!kernel) return fail_to_make(context, quern_object_kernel, native, ownership);
  atomic_store(&kernel->is_shared, true);
  *out_kernel = kernel;
  return quern_success;
}

quern_result_t quern_sampler_make_from_native(quern_context_t context, void *native, quern_ownership_t ownership,
                                              quern_sampler_t *out_sampler) {
  quern_result_t result = adopt(context, quern_object_sampler, native, ownership, (const void *)out_sampler);
  if (result != quern_success) return result;
  quern_sampler_t sampler = interop_sampler_create(context, native);
  if (!sampler) return fail_to_make(context, quern_object_sampler, native, ownership);
  *out_sampler = sampler;
  return quern_success;
}

/* A node that the device has already. */
static void start_native_event(interop_node_t *node, void *native) {
  interop_work_t work;
  interop_work_init(&work);
  node->object.tag = interop_tag_event;
  node->is_native = true;
  node->native = native;
  interop_graph_lock();
  interop_graph_begin(node);
  interop_graph_dispatched(&work, node);
  interop_graph_unlock();
  interop_work_do(&work);
}

quern_result_t quern_event_make_from_native(quern_context_t context, void *native, quern_ownership_t ownership,
                                            quern_event_t *out_event) {
  quern_result_t result = adopt(context, quern_object_event, native, ownership, (const void *)out_event);
  if (result != quern_success) return result;
  interop_node_t *node = interop_node_create(context->transfers, interop_action_native_event);
  if (!node) return fail_to_make(context, quern_object_event, native, ownership);
  interop_node_hold(node);
  start_native_event(node, native);
  *out_event = node;
  return quern_success;
}

static quern_device_t find_device(const struct quern_context_s *context, const void *native) {
  for (size_t i = 0; i < context->device_count; i++) {
    if (context->devices[i]->native == native) return context->devices[i];
  }
  return NULL;
}

quern_result_t quern_queue_make_from_native(quern_context_t context, void *native, quern_ownership_t ownership,
                                            quern_queue_t *out_queue) {
  void *native_context = NULL, *native_device = NULL;
  quern_queue_flags_t flags = 0;
  quern_result_t result = adopt(context, quern_object_queue, native, ownership, (const void *)out_queue);
  if (result != quern_success) return result;
  result = interop_runtime_of(context)->read_queue(context->state, native, &native_context, &native_device, &flags);
  quern_device_t device = result == quern_success ? find_device(context, native_device) : NULL;
  quern_queue_t queue = device ? interop_queue_create(context, device, flags) : NULL;
  if (!queue) {
    reject(context, quern_object_queue, native, ownership);
    if (result != quern_success) return result;
    if (device) return interop_fail_memory();
    return interop_fail(quern_error_wrong_context, "the native queue's device is not one of the context");
  }
  queue->native = native;
  atomic_store(&queue->is_open, true);
  *out_queue = queue;
  return quern_success;
}

static quern_result_t make_memory(quern_context_t context, void *native, bool is_bound, quern_memory_t *out_memory) {
  quern_memory_t memory = interop_memory_create(1);
  if (!memory) return interop_fail_memory();
  quern_result_t result = interop_runtime_of(context)->read_memory(context->state, native, memory);
  if (result == quern_success) {
    memory->segments.items[0].end = memory->size;
    /* Before it is known. */
    if (is_bound) {
      memory->bound = context;
      interop_context_hold(context);
    }
    result = interop_memory_settle(memory, context, native);
  }
  if (result == quern_success) {
    *out_memory = memory;
  } else {
    interop_memory_drop(memory);
  }
  return result;
}

quern_result_t quern_memory_make_from_native(quern_context_t context, void *native, quern_ownership_t ownership,
                                             bool is_bound, quern_memory_t *out_memory) {
  /* Two threads with one native object: one makes the memory object, the other finds it. */
  static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;
  quern_result_t result = adopt(context, quern_object_buffer, native, ownership, (const void *)out_memory);
  if (result != quern_success) return result;
  bool has_other;
  pthread_mutex_lock(&making);
  quern_memory_t memory = interop_known_find(is_bound ? context : NULL, context->state, native, &has_other);
  if (!memory && has_other) {
    result =
        interop_fail(quern_error_invalid_operation, "the native object has a memory object that is bound otherwise");
  } else if (!memory) {
    result = make_memory(context, native, is_bound, out_memory);
  }
  pthread_mutex_unlock(&making);
  if (result != quern_success) {
    reject(context, quern_object_buffer, native, ownership);
  } else if (memory) {
    /* It has a native reference already. */
    interop_runtime_of(context)->release(context->state, quern_object_buffer, native);
    *out_memory = memory;
  }
  return result;
}

/* ------------------------------------------------------------ contexts */

static quern_platform_t find_platform(const interop_backend_state_t *state, const void *native) {
  for (size_t i = 0; i < state->platform_count; i++) {
    if (state->platforms[i]->native == native) return state->platforms[i];
  }
  return NULL;
}

/* Handles of all the devices, retained. */
static quern_result_t make_devices(quern_backend_t backend, void *const *natives, size_t count,
                                   quern_device_t *out_devices) {
  for (size_t i = 0; i < count; i++) {
    quern_result_t result = quern_device_make_from_native(backend, natives[i], quern_ownership_retain, &out_devices[i]);
    if (result == quern_success) continue;
    while (i-- > 0) quern_device_release(out_devices[i]);
    return result;
  }
  return quern_success;
}

/* Has a native reference of its own. */
static quern_result_t make_context(interop_backend_state_t *state, void *native, void *const *natives, size_t count,
                                   quern_context_t *out_context) {
  quern_device_t *devices = calloc(count, sizeof(quern_device_t));
  if (!devices) return interop_fail_memory();
  quern_result_t result = make_devices(state->id, natives, count, devices);
  if (result != quern_success) goto free_devices;
  result = state->backend->runtime->retain(state, quern_object_context, native);
  if (result != quern_success) goto release_devices;
  quern_context_t context = interop_context_create(count, devices, NULL, NULL);
  if (context) {
    context->native = native;
    *out_context = context;
  } else {
    state->backend->runtime->release(state, quern_object_context, native);
    result = interop_fail_memory();
  }
release_devices:
  for (size_t i = 0; i < count; i++) quern_device_release(devices[i]);
free_devices:
  free((void *)devices);
  return result;
}

quern_result_t quern_context_make_from_native(quern_backend_t backend, void *native, quern_ownership_t ownership,
                                              quern_async_handler_t handler, void *data, quern_context_t *out_context) {
  interop_backend_state_t *state;
  void *platform = NULL, **devices = NULL;
  size_t count = 0;
  quern_result_t result = interop_task_check_make();
  if (result == quern_success) result = check_ownership(ownership);
  if (result == quern_success) result = check_pointers(native, (const void *)out_context);
  if (result == quern_success) result = interop_backend_require(backend, &state);
  if (result != quern_success) return result;
  if (!quern_backend_has_native(backend, quern_object_context)) {
    return interop_fail(quern_error_feature_not_supported, "backend %s has no native contexts",
                        quern_backend_name(backend));
  }
  const interop_runtime_t *runtime = state->backend->runtime;
  result = runtime->read_context(state, native, &platform, &devices, &count);
  if (result != quern_success) return result;
  if (!find_platform(state, platform)) {
    result =
        interop_fail(quern_error_invalid_argument, "backend %s lists no such platform", quern_backend_name(backend));
  } else {
    result = make_context(state, native, devices, count, out_context);
  }
  free((void *)devices);
  if (result != quern_success) return result;
  (*out_context)->handler = handler;
  (*out_context)->handler_data = data;
  if (ownership == quern_ownership_transfer) runtime->release(state, quern_object_context, native);
  return quern_success;
}
