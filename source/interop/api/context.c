/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Public functions on contexts. */
#include "quern/context.h"

#include "interop/object/make.h"
#include "interop/object/runtime.h"
#include "interop/object/task.h"

static quern_result_t check_devices(size_t count, const quern_device_t *devices) {
  if (!count || !devices) return interop_fail(quern_error_invalid_argument, "a context needs a device");
  for (size_t i = 0; i < count; i++) {
    quern_result_t result = interop_device_check(devices[i]);
    if (result != quern_success) return result;
    if (devices[i]->platform != devices[0]->platform) {
      return interop_fail(quern_error_invalid_argument, "the devices of a context are of one platform");
    }
  }
  return quern_success;
}

quern_result_t quern_context_create(size_t count, const quern_device_t *devices, quern_async_handler_t handler,
                                    void *data, quern_context_t *out_context) {
  quern_result_t result = interop_task_check_make();
  if (result == quern_success) result = check_devices(count, devices);
  if (result != quern_success) return result;
  if (!out_context) return interop_fail(quern_error_invalid_argument, "null pointer for the context");
  quern_context_t context = interop_context_create(count, devices, handler, data);
  if (!context) return interop_fail_memory();
  if (!interop_context_is_host(context)) result = interop_runtime_of(context)->open_context(context);
  if (result == quern_success) {
    *out_context = context;
  } else {
    interop_context_drop(context);
  }
  return result;
}

quern_result_t quern_context_retain(quern_context_t context) {
  quern_result_t result = interop_context_check(context);
  if (result == quern_success) interop_context_hold(context);
  return result;
}

quern_result_t quern_context_release(quern_context_t context) {
  quern_result_t result = interop_context_check(context);
  if (result == quern_success) interop_context_drop(context);
  return result;
}

quern_result_t quern_context_get_platform(quern_context_t context, quern_platform_t *out_platform) {
  quern_result_t result = interop_context_check(context);
  if (result != quern_success) return result;
  if (!out_platform) return interop_fail(quern_error_invalid_argument, "null pointer for the platform");
  *out_platform = context->platform;
  return quern_success;
}

quern_result_t quern_context_get_devices(quern_context_t context, size_t capacity, quern_device_t *out_devices,
                                         size_t *out_count) {
  quern_result_t result = interop_context_check(context);
  if (result == quern_success) result = interop_output_check((const void *)out_devices, capacity, out_count);
  if (result != quern_success) return result;
  for (size_t i = 0; i < capacity && i < context->device_count; i++) out_devices[i] = context->devices[i];
  if (out_count) *out_count = context->device_count;
  return quern_success;
}
