/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Command buffers: creation, recording, enqueuing. Commands run in the order of recording, which satisfies every sync
 * point: those are only checked. */
#include "cl/command_buffer/command_buffer.h"

#include <stdlib.h>
#include <string.h>

#include "cl/api/validate.h"
#include "cl/command_buffer/instance.h"
#include "cl/queueing/refuse.h"

bool command_buffer_is_valid(cl_command_buffer_khr command_buffer) {
  return object_is(command_buffer, object_kind_command_buffer);
}

static void destroy(object_t *object) {
  cl_command_buffer_khr command_buffer = (cl_command_buffer_khr)(void *)object;
  LIST_FOR_EACH_SAFE(node, &command_buffer->idle) instance_destroy(LIST_ENTRY(node, instance_t, link));
  LIST_FOR_EACH_SAFE(node, &command_buffer->commands) {
    command_free(LIST_ENTRY(node, struct _cl_mutable_command_khr, link));
  }
  pthread_mutex_destroy(&command_buffer->mutex);
  free(command_buffer->properties);
  object_drop(OBJECT(command_buffer->queue));
  object_free(OBJECT(command_buffer), object_kind_command_buffer);
}

/** A copy of a zero-terminated list of pairs; `*out_count` includes the zero. False when out of memory. */
static bool copy_list(const cl_properties *list, cl_properties **out_copy, size_t *out_count) {
  *out_copy = NULL;
  *out_count = 0;
  if (!list) return true;
  size_t count = 1;
  for (const cl_properties *p = list; *p; p += 2) count += 2;
  *out_copy = malloc(count * sizeof *list);
  if (!*out_copy) return false;
  memcpy(*out_copy, list, count * sizeof *list);
  *out_count = count;
  return true;
}

cl_command_buffer_khr command_buffer_create(cl_command_queue queue, cl_command_buffer_flags_khr flags,
                                            const cl_command_buffer_properties_khr *properties) {
  cl_command_buffer_khr command_buffer = calloc(1, sizeof *command_buffer);
  if (!command_buffer) return NULL;
  if (!copy_list(properties, &command_buffer->properties, &command_buffer->property_count)) {
    free(command_buffer);
    return NULL;
  }
  object_init(OBJECT(command_buffer), object_kind_command_buffer, destroy);
  object_hold(OBJECT(queue));
  command_buffer->queue = queue;
  command_buffer->flags = flags;
  pthread_mutex_init(&command_buffer->mutex, NULL);
  list_init(&command_buffer->commands);
  list_init(&command_buffer->idle);
  return command_buffer;
}

/* ------------------------------------------------------------ recording */

static bool sync_points_are_valid(const recording_t *recording, cl_uint command_count) {
  if (!recording->sync_points != !recording->sync_point_count) return false;
  for (cl_uint i = 0; i < recording->sync_point_count; i++) {
    if (recording->sync_points[i] == 0 || recording->sync_points[i] > command_count) return false;
  }
  return true;
}

cl_int recording_validate(const recording_t *recording) {
  cl_command_buffer_khr command_buffer = recording->command_buffer;
  REQUIRE(command_buffer_is_valid(command_buffer), recording->function, NULL, CL_INVALID_COMMAND_BUFFER_KHR,
          "not a command buffer");
  cl_context context = queue_context(command_buffer->queue);
  REQUIRE(!recording->queue, recording->function, context, CL_INVALID_COMMAND_QUEUE,
          "command_queue is not null, as it must be without cl_khr_command_buffer_multi_device");
  pthread_mutex_lock(&command_buffer->mutex);
  bool is_finalized = command_buffer->is_finalized;
  cl_uint command_count = command_buffer->command_count;
  pthread_mutex_unlock(&command_buffer->mutex);
  REQUIRE(!is_finalized, recording->function, context, CL_INVALID_OPERATION, "the command buffer is finalized");
  REQUIRE(sync_points_are_valid(recording, command_count), recording->function, context,
          CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, "sync points and their number do not agree, or one does not exist");
  return CL_SUCCESS;
}

cl_int recording_validate_plain(const recording_t *recording, const cl_mutable_command_khr *out_handle) {
  TRY(recording_validate(recording));
  cl_context context = queue_context(recording->command_buffer->queue);
  REQUIRE(!recording->properties || !recording->properties[0], recording->function, context, CL_INVALID_VALUE,
          "the command has no property 0x%llx", (unsigned long long)recording->properties[0]);
  REQUIRE(!out_handle, recording->function, context, CL_INVALID_VALUE, "mutable_handle is not null");
  return CL_SUCCESS;
}

void *command_allocate(const recording_t *recording, size_t size, const command_kind_t *kind) {
  cl_mutable_command_khr command = calloc(1, size);
  if (!command) return NULL;
  if (!copy_list(recording->properties, &command->properties, &command->property_count)) {
    free(command);
    return NULL;
  }
  /* Never counted: the command buffer frees it. */
  object_init(OBJECT(command), object_kind_command, NULL);
  list_init(&command->link);
  command->kind = kind;
  command->command_buffer = recording->command_buffer;
  return command;
}

void command_free(cl_mutable_command_khr command) {
  atomic_store(&OBJECT(command)->kind, object_kind_dead);
  if (command->kind->release) command->kind->release(command);
  free(command->properties);
  free(command);
}

cl_int command_append(const recording_t *recording, cl_mutable_command_khr command) {
  cl_command_buffer_khr command_buffer = recording->command_buffer;
  pthread_mutex_lock(&command_buffer->mutex);
  bool is_finalized = command_buffer->is_finalized;
  if (!is_finalized) {
    list_append(&command_buffer->commands, &command->link);
    command_buffer->command_count++;
    if (recording->out_sync_point) *recording->out_sync_point = command_buffer->command_count;
  }
  pthread_mutex_unlock(&command_buffer->mutex);
  if (!is_finalized) return CL_SUCCESS;
  command_free(command);
  REFUSE(recording->function, queue_context(command_buffer->queue), CL_INVALID_OPERATION,
         "the command buffer is finalized");
}

static bool has_all_arguments(cl_command_buffer_khr command_buffer) {
  LIST_FOR_EACH(node, &command_buffer->commands) {
    cl_mutable_command_khr command = LIST_ENTRY(node, struct _cl_mutable_command_khr, link);
    if (command->kind->is_complete && !command->kind->is_complete(command)) return false;
  }
  return true;
}

void command_buffer_settle(cl_command_buffer_khr command_buffer) {
  command_buffer->is_executable = command_buffer->is_finalized && has_all_arguments(command_buffer);
}

bool command_buffer_is_finalized(cl_command_buffer_khr command_buffer) {
  pthread_mutex_lock(&command_buffer->mutex);
  bool is_finalized = command_buffer->is_finalized;
  pthread_mutex_unlock(&command_buffer->mutex);
  return is_finalized;
}

bool command_buffer_is_executable(cl_command_buffer_khr command_buffer) {
  pthread_mutex_lock(&command_buffer->mutex);
  bool is_executable = command_buffer->is_executable;
  pthread_mutex_unlock(&command_buffer->mutex);
  return is_executable;
}

/* ------------------------------------------------------------ enqueuing */

cl_int command_buffer_enqueue(cl_command_buffer_khr command_buffer, const enqueue_t *enqueue) {
  instance_t *instance;
  command_t *command;
  TRY(instance_take(command_buffer, &instance));
  cl_int error = enqueue_begin_user(enqueue, &instance->user, &command);
  if (error == CL_SUCCESS) {
    error = command_on_completion(command, instance_completed, instance);
    if (error == CL_SUCCESS) return enqueue_commit(command, CL_FALSE);
    error = enqueue_abort(command, error);
  }
  instance_give_back(instance);
  return error;
}
