/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Contexts. */
#include "cl/queueing/context.h"

#include <stdlib.h>
#include <string.h>

#include "cl/queueing/context_fork.h"
#include "cl/queueing/queue.h"
#include "cl/queueing/sub_device.h"

/** A destructor callback; the list has the one registered last first, which is the order of the calls. */
typedef struct context_destructor_t {
  struct context_destructor_t *next;
  void(CL_CALLBACK *function)(cl_context context, void *user_data);
  void *user_data;
} context_destructor_t;

static void call_destructors(cl_context context) {
  while (context->destructors) {
    context_destructor_t *destructor = context->destructors;
    context->destructors = destructor->next;
    destructor->function(context, destructor->user_data);
    free(destructor);
  }
}

/* Held besides: an application that releases once too often then has an invalid handle, and nothing worse. */
static void retain_devices(cl_context context) {
  for (cl_uint i = 0; i < context->device_count; i++) {
    device_hold(context->devices[i]);
    if (context->devices[i]->parent) (void)object_retain_external(OBJECT(context->devices[i]));
  }
}

static void release_devices(cl_context context) {
  for (cl_uint i = 0; i < context->device_count; i++) {
    if (context->devices[i]->parent) (void)object_release_external(OBJECT(context->devices[i]));
    device_drop(context->devices[i]);
  }
  sub_devices_collect();
}

static void destroy(object_t *object) {
  cl_context context = (cl_context)object;
  call_destructors(context);
  context_unregister(context);
  shared_memory_table_destroy(&context->shared_memory, context->mux_device);
  release_devices(context);
  graph_destroy(&context->graph);
  pthread_mutex_destroy(&context->mutex);
  free(context->devices);
  free(context->properties);
  object_free(OBJECT(context), object_kind_context);
}

static bool copy_properties(cl_context context, const cl_context_properties *properties) {
  if (!properties) return true;
  size_t count = 1;
  for (const cl_context_properties *p = properties; *p; p += 2) count += 2;
  context->properties = malloc(count * sizeof *properties);
  if (!context->properties) return false;
  memcpy(context->properties, properties, count * sizeof *properties);
  context->property_count = count;
  return true;
}

static bool copy_devices(cl_context context, cl_uint count, const cl_device_id *devices) {
  context->devices = malloc(count * sizeof *devices);
  if (!context->devices) return false;
  memcpy(context->devices, devices, count * sizeof *devices);
  context->device_count = count;
  context->mux_device = devices[0]->mux_root;
  context->memory_device = count == 1 ? devices[0]->mux_device : context->mux_device;
  return true;
}

/** Properties are pairs of integers: a function is one too. */
static void read_printf_sink(cl_context context) {
  const cl_context_properties *p = context->properties;
  for (; p && p[0]; p += 2) {
    if (p[0] != CL_PRINTF_CALLBACK_ARM || !p[1]) continue;
    memcpy(&context->printf_sink.function, &p[1], sizeof p[1]);
    context->printf_sink.user_data = context->notify_data;
  }
}

cl_context context_create(cl_uint device_count, const cl_device_id *devices, const cl_context_properties *properties,
                          void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *notify_data) {
  cl_context context = calloc(1, sizeof *context);
  if (!context) return NULL;
  if (!copy_devices(context, device_count, devices) || !copy_properties(context, properties)) goto err_copy;
  object_init(OBJECT(context), object_kind_context, destroy);
  context->notify = notify;
  context->notify_data = notify_data;
  read_printf_sink(context);
  pthread_mutex_init(&context->mutex, NULL);
  graph_init(&context->graph);
  shared_memory_table_init(&context->shared_memory);
  list_init(&context->queues);
  retain_devices(context);
  context_register(context);
  return context;

err_copy:
  free(context->devices);
  free(context);
  return NULL;
}

cl_int context_add_destructor(cl_context context, void(CL_CALLBACK *function)(cl_context, void *), void *data) {
  context_destructor_t *destructor = malloc(sizeof *destructor);
  if (!destructor) return CL_OUT_OF_HOST_MEMORY;
  *destructor = (context_destructor_t){.function = function, .user_data = data};
  pthread_mutex_lock(&context->mutex);
  destructor->next = context->destructors;
  context->destructors = destructor;
  pthread_mutex_unlock(&context->mutex);
  return CL_SUCCESS;
}

/** The first queue that was made before `sequence` and is still alive, held. Those being destroyed are passed over. */
static cl_command_queue hold_queue_before(cl_context context, uint64_t *sequence) {
  cl_command_queue found = NULL;
  pthread_mutex_lock(&context->mutex);
  LIST_FOR_EACH(node, &context->queues) {
    cl_command_queue queue = LIST_ENTRY(node, struct _cl_command_queue, context_link);
    if (queue->number >= *sequence || !object_try_hold(OBJECT(queue))) continue;
    found = queue;
    *sequence = queue->number;
    break;
  }
  pthread_mutex_unlock(&context->mutex);
  return found;
}

void context_for_each_queue(cl_context context, void (*function)(cl_command_queue queue)) {
  uint64_t sequence = UINT64_MAX;
  for (cl_command_queue queue; (queue = hold_queue_before(context, &sequence));) {
    function(queue);
    object_drop(OBJECT(queue));
  }
}

void context_finish(cl_context context) { context_for_each_queue(context, queue_finish); }

bool context_is_valid(cl_context context) { return object_is(context, object_kind_context); }

bool context_has_device(cl_context context, cl_device_id device) {
  for (cl_uint i = 0; i < context->device_count; i++) {
    if (context->devices[i] == device) return true;
  }
  return false;
}

void context_notify(cl_context context, const char *message, const void *data, size_t size) {
  if (context->notify) context->notify(message, data, size, context->notify_data);
}
