/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Instances: recording them when the command buffer has changed, and their way between idle and enqueued. */
#include "cl/command_buffer/instance.h"

#include <stdlib.h>

#include "base/memory.h"
#include "cl/object/mux_error.h"

mux_command_buffer_t instance_commands(instance_t *instance) { return instance->user.commands; }

cl_int instance_hold(instance_t *instance, object_t *object) {
  if (!array_reserve(&instance->held, &instance->held_capacity, instance->held_count + 1, sizeof(object_t *))) {
    return CL_OUT_OF_HOST_MEMORY;
  }
  object_hold(object);
  instance->held[instance->held_count++] = object;
  return CL_SUCCESS;
}

cl_int instance_add_stream(instance_t *instance, printf_stream_t *stream) {
  if (!array_reserve(&instance->streams, &instance->stream_capacity, instance->stream_count + 1,
                     sizeof(printf_stream_t *))) {
    return CL_OUT_OF_HOST_MEMORY;
  }
  instance->streams[instance->stream_count++] = stream;
  return CL_SUCCESS;
}

static void drop_held(instance_t *instance) {
  for (size_t i = 0; i < instance->held_count; i++) object_drop(instance->held[i]);
  instance->held_count = instance->stream_count = 0;
}

void instance_destroy(instance_t *instance) {
  drop_held(instance);
  if (instance->user.commands) {
    muxDestroyCommandBuffer(instance->user.commands->device, instance->user.commands, mux_allocator());
  }
  free(instance->held);
  free(instance->streams);
  free(instance);
}

/* A fault in a kernel: the target says it while the instance runs, so that its batch and queue live. */
static void report_diagnostic(void *user_data, const char *message, const void *data, size_t size) {
  const instance_t *instance = user_data;
  context_notify(queue_context(instance->user.batch->queue), message, data, size);
}

static cl_int instance_create(cl_command_buffer_khr command_buffer, instance_t **out_instance) {
  instance_t *instance = calloc(1, sizeof *instance);
  if (!instance) return CL_OUT_OF_HOST_MEMORY;
  instance->command_buffer = command_buffer;
  instance->version = UINT64_MAX;
  instance->diagnostics = (struct mux_callback_info_s){.callback = report_diagnostic, .user_data = instance};
  list_init(&instance->link);
  mux_result_t result = muxCreateCommandBuffer(queue_device(command_buffer->queue)->mux_device, &instance->diagnostics,
                                               mux_allocator(), &instance->user.commands);
  if (result != mux_success) {
    instance_destroy(instance);
    return error_from_mux(result, CL_OUT_OF_RESOURCES);
  }
  *out_instance = instance;
  return CL_SUCCESS;
}

static cl_int record_commands(instance_t *instance) {
  TRY(user_commands_begin(&instance->user));
  LIST_FOR_EACH(node, &instance->command_buffer->commands) {
    cl_mutable_command_khr command = LIST_ENTRY(node, struct _cl_mutable_command_khr, link);
    if (command->kind->record) TRY(command->kind->record(command, instance));
  }
  TRY(user_commands_end(&instance->user));
  return error_from_mux(muxFinalizeCommandBuffer(instance->user.commands), CL_OUT_OF_RESOURCES);
}

/** Brings the instance up to date. Under the command buffer's mutex. */
static cl_int record(instance_t *instance) {
  if (instance->version == instance->command_buffer->version) return CL_SUCCESS;
  instance->version = UINT64_MAX;
  TRY(error_from_mux(muxResetCommandBuffer(instance->user.commands), CL_OUT_OF_RESOURCES));
  drop_held(instance);
  TRY(record_commands(instance));
  instance->version = instance->command_buffer->version;
  return CL_SUCCESS;
}

/** One that is up to date, if there is one. Under the mutex. */
static instance_t *take_idle(cl_command_buffer_khr command_buffer) {
  list_t *found = list_first(&command_buffer->idle);
  LIST_FOR_EACH(node, &command_buffer->idle) {
    if (LIST_ENTRY(node, instance_t, link)->version != command_buffer->version) continue;
    found = node;
    break;
  }
  if (!found) return NULL;
  list_remove(found);
  return LIST_ENTRY(found, instance_t, link);
}

cl_int instance_take(cl_command_buffer_khr command_buffer, instance_t **out_instance) {
  pthread_mutex_lock(&command_buffer->mutex);
  instance_t *instance = take_idle(command_buffer);
  cl_int error = instance ? CL_SUCCESS : instance_create(command_buffer, &instance);
  if (error == CL_SUCCESS) error = record(instance);
  pthread_mutex_unlock(&command_buffer->mutex);
  if (error != CL_SUCCESS) {
    if (instance) instance_destroy(instance);
    return error;
  }
  object_hold(OBJECT(command_buffer));
  *out_instance = instance;
  return CL_SUCCESS;
}

void instance_give_back(instance_t *instance) {
  cl_command_buffer_khr command_buffer = instance->command_buffer;
  pthread_mutex_lock(&command_buffer->mutex);
  list_prepend(&command_buffer->idle, &instance->link);
  pthread_mutex_unlock(&command_buffer->mutex);
  object_drop(OBJECT(command_buffer));
}

void instance_completed(void *data, cl_int status) {
  (void)status;
  instance_t *instance = data;
  for (size_t i = 0; i < instance->stream_count; i++) printf_stream_drain(instance->streams[i]);
  instance_give_back(instance);
}
