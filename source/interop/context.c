/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Contexts: devices of one platform, and where their transfers go. */
#include <stdlib.h>
#include <string.h>

#include "interop/make.h"
#include "interop/runtime.h"
#include "interop/task.h"

quern_result_t interop_context_check(quern_context_t context) {
  return interop_object_check(context, interop_tag_context, "context");
}

/* ------------------------------------------------------------ making */

static void read_sharing(quern_context_t context) {
  context->shares_host = true;
  context->alignment = sizeof(void *);
  for (size_t i = 0; i < context->device_count; i++) {
    const interop_device_info_t *info = &context->devices[i]->info;
    if (!info->has_host_unified_memory) context->shares_host = false;
    if (info->memory_base_address_alignment / 8 > context->alignment) {
      context->alignment = info->memory_base_address_alignment / 8;
    }
  }
}

quern_context_t interop_context_create(size_t count, const quern_device_t *devices, quern_async_handler_t handler,
                                       void *data) {
  quern_context_t context = calloc(1, sizeof(*context));
  if (!context) return NULL;
  context->object.tag = interop_tag_context;
  atomic_init(&context->object.references, 1);
  context->platform = devices[0]->platform;
  context->state = context->platform->state;
  context->handler = handler;
  context->handler_data = data;
  context->devices = calloc(count, sizeof(quern_device_t));
  if (!context->devices) goto free_context;
  memcpy((void *)context->devices, (const void *)devices, count * sizeof(quern_device_t));
  context->device_count = count;
  context->transfers = interop_queue_create_transfers(context);
  if (!context->transfers) goto free_devices;
  for (size_t i = 0; i < count; i++) (void)!quern_device_retain(devices[i]);
  read_sharing(context);
  return context;

free_devices:
  free((void *)context->devices);
free_context:
  free(context);
  return NULL;
}

static void context_destroy(quern_context_t context) {
  interop_queue_destroy_transfers(context->transfers);
  if (context->native) interop_runtime_of(context)->release(context->state, quern_object_context, context->native);
  for (size_t i = 0; i < context->device_count; i++) quern_device_release(context->devices[i]);
  free((void *)context->devices);
  context->object.tag = interop_tag_none;
  free(context);
}

void interop_context_drop(quern_context_t context) {
  if (interop_object_drop(&context->object)) context_destroy(context);
}

/* ------------------------------------------------------------ public */

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
