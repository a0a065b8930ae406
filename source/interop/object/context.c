/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Contexts: devices of one platform, and where their transfers go. */
#include "interop/object/context.h"

#include <stdlib.h>
#include <string.h>

#include "interop/object/make.h"
#include "interop/object/runtime.h"

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
  for (size_t i = 0; i < count; i++) interop_device_hold(devices[i]);
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
  for (size_t i = 0; i < context->device_count; i++) interop_device_drop(context->devices[i]);
  free((void *)context->devices);
  context->object.tag = interop_tag_none;
  free(context);
}

void interop_context_drop(quern_context_t context) {
  if (interop_object_drop(&context->object)) context_destroy(context);
}
