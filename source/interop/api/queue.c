/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Public functions on queues. */
#include "quern/queue.h"

#include "interop/execution/wait.h"
#include "interop/object/make.h"
#include "interop/object/task.h"

enum { all_flags = quern_queue_out_of_order | quern_queue_profiling };

static quern_result_t check_create(quern_context_t context, quern_device_t device, quern_queue_flags_t flags,
                                   const void *out_queue) {
  quern_result_t result = interop_task_check_make();
  if (result == quern_success) result = interop_context_check(context);
  if (result == quern_success) result = interop_device_check(device);
  if (result != quern_success) return result;
  if (flags & ~(quern_queue_flags_t)all_flags) {
    return interop_fail(quern_error_invalid_argument, "0x%x are no flags of queues", flags);
  }
  if (!out_queue) return interop_fail(quern_error_invalid_argument, "null pointer for the queue");
  for (size_t i = 0; i < context->device_count; i++) {
    if (context->devices[i] == device) return quern_success;
  }
  return interop_fail(quern_error_invalid_argument, "the device is not one of the context");
}

quern_result_t quern_queue_create(quern_context_t context, quern_device_t device, quern_queue_flags_t flags,
                                  quern_async_handler_t handler, void *data, quern_queue_t *out_queue) {
  quern_result_t result = check_create(context, device, flags, (const void *)out_queue);
  if (result != quern_success) return result;
  quern_queue_t queue = interop_queue_create(context, device, flags);
  if (!queue) return interop_fail_memory();
  queue->handler = handler;
  queue->handler_data = data;
  result = interop_queue_open(queue);
  if (result == quern_success) {
    *out_queue = queue;
  } else {
    interop_queue_drop(queue);
  }
  return result;
}

quern_result_t quern_queue_retain(quern_queue_t queue) {
  quern_result_t result = interop_queue_check(queue);
  if (result == quern_success) interop_queue_hold(queue);
  return result;
}

quern_result_t quern_queue_release(quern_queue_t queue) {
  quern_result_t result = interop_queue_check(queue);
  if (result == quern_success) interop_queue_drop(queue);
  return result;
}

quern_result_t quern_queue_set_handler(quern_queue_t queue, quern_async_handler_t handler, void *data) {
  quern_result_t result = interop_queue_check(queue);
  if (result != quern_success) return result;
  interop_graph_lock();
  queue->handler = handler;
  queue->handler_data = data;
  interop_graph_unlock();
  return quern_success;
}

#define GETTER(type, name)                                                                             \
  quern_result_t quern_queue_get_##name(quern_queue_t queue, type *out_##name) {                       \
    quern_result_t result = interop_queue_check(queue);                                                \
    if (result != quern_success) return result;                                                        \
    if (!out_##name) return interop_fail(quern_error_invalid_argument, "null pointer for the " #name); \
    *out_##name = queue->name;                                                                         \
    return quern_success;                                                                              \
  }
GETTER(quern_context_t, context)
GETTER(quern_device_t, device)
GETTER(quern_queue_flags_t, flags)
#undef GETTER

quern_result_t quern_queue_wait_for(quern_queue_t queue, uint64_t nanoseconds) {
  quern_result_t result = interop_queue_check(queue);
  if (result == quern_success) result = interop_task_check_wait();
  if (result != quern_success) return result;
  if (interop_graph_wait_queue_until(queue, interop_graph_deadline(nanoseconds))) return quern_success;
  return interop_fail(quern_error_timed_out, "some group of the queue is not complete");
}

quern_result_t quern_queue_wait(quern_queue_t queue) {
  quern_result_t result = interop_queue_check(queue);
  if (result == quern_success) result = interop_task_check_wait();
  if (result == quern_success) interop_graph_wait_queue(queue);
  return result;
}
