/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * cl_khr_semaphore: creation, queries, waiting and signalling. */
#include "cl/semaphore/entry.h"

#include <stdlib.h>
#include <string.h>

#include "cl/api/validate.h"
#include "cl/queueing/refuse.h"
#include "cl/queueing/terminate.h"
#include "cl/semaphore/semaphore.h"

/* ------------------------------------------------------------ creation */

/** Reads the device list at `*list` and moves on to its end. */
static cl_int read_devices(const char *function, cl_context context, const cl_semaphore_properties_khr **list,
                           semaphore_properties_t *properties) {
  REQUIRE(!properties->has_devices, function, context, CL_INVALID_PROPERTY, "two device lists");
  properties->has_devices = true;
  cl_uint count = 0;
  for (; **list != CL_SEMAPHORE_DEVICE_HANDLE_LIST_END_KHR; (*list)++, count++) {
    properties->device = (cl_device_id)(uintptr_t)**list;
    REQUIRE(count == 0 && device_is_valid(properties->device) && context_has_device(context, properties->device),
            function, context, CL_INVALID_DEVICE, "the device list is not one device of the context");
  }
  REQUIRE(count == 1, function, context, CL_INVALID_DEVICE, "the device list is empty");
  (*list)++;
  return CL_SUCCESS;
}

static cl_int read_type(const char *function, cl_context context, const cl_semaphore_properties_khr **list,
                        semaphore_properties_t *properties) {
  REQUIRE(!properties->has_type && **list == CL_SEMAPHORE_TYPE_BINARY_KHR, function, context, CL_INVALID_PROPERTY,
          "the type is given twice, or is not CL_SEMAPHORE_TYPE_BINARY_KHR");
  properties->has_type = true;
  (*list)++;
  return CL_SUCCESS;
}

/** One type at most (CL_INVALID_VALUE). */
static cl_int read_exported(const char *function, cl_context context, const cl_semaphore_properties_khr **list,
                            semaphore_properties_t *properties) {
  REQUIRE(!properties->exported, function, context, CL_INVALID_PROPERTY, "two lists of handle types to export");
  cl_uint count = 0;
  for (; **list != CL_SEMAPHORE_EXPORT_HANDLE_TYPES_LIST_END_KHR; (*list)++, count++) {
    REQUIRE(**list == CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, function, context, CL_INVALID_PROPERTY,
            "no handles of type 0x%llx can be exported", (unsigned long long)**list);
    properties->exported = CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR;
  }
  REQUIRE(count <= 1, function, context, CL_INVALID_VALUE, "more than one handle type to export");
  (*list)++;
  return CL_SUCCESS;
}

/** A descriptor travels in the low half of its property. */
static cl_int read_imported(const char *function, cl_context context, cl_external_semaphore_handle_type_khr type,
                            const cl_semaphore_properties_khr **list, semaphore_properties_t *properties) {
  REQUIRE(!properties->imported, function, context, CL_INVALID_PROPERTY, "two handles to import");
  int descriptor = (int)(uint32_t)*(*list)++;
  bool is_valid = type == CL_SEMAPHORE_HANDLE_SYNC_FD_KHR ? fence_is_valid(descriptor) : payload_adopt(descriptor);
  REQUIRE(is_valid, function, context, CL_INVALID_PROPERTY, "descriptor %d is nothing that can be imported",
          descriptor);
  properties->imported = type;
  properties->descriptor = descriptor;
  return CL_SUCCESS;
}

static cl_int read_property(const char *function, cl_context context, const cl_semaphore_properties_khr **list,
                            semaphore_properties_t *properties) {
  cl_semaphore_properties_khr name = *(*list)++;
  switch (name) {
    case CL_SEMAPHORE_TYPE_KHR: return read_type(function, context, list, properties);
    case CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR: return read_devices(function, context, list, properties);
    case CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR: return read_exported(function, context, list, properties);
    case CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR:
    case CL_SEMAPHORE_HANDLE_SYNC_FD_KHR:
      return read_imported(function, context, (cl_external_semaphore_handle_type_khr)name, list, properties);
    default: REFUSE(function, context, CL_INVALID_PROPERTY, "unknown property 0x%llx", (unsigned long long)name);
  }
}

static cl_int read_properties(const char *function, cl_context context, semaphore_properties_t *properties) {
  const cl_semaphore_properties_khr *at = properties->list;
  while (*at) TRY(read_property(function, context, &at, properties));
  properties->count = (size_t)(at - properties->list) + 1;
  return CL_SUCCESS;
}

static cl_int create(const char *function, cl_context context, const cl_semaphore_properties_khr *list,
                     cl_semaphore_khr *out_semaphore) {
  semaphore_properties_t properties = {.list = list, .descriptor = -1};
  TRY(context_validate(function, context));
  REQUIRE(list, function, context, CL_INVALID_VALUE, "sema_props is null");
  TRY(read_properties(function, context, &properties));
  REQUIRE(properties.has_type, function, context, CL_INVALID_VALUE, "CL_SEMAPHORE_TYPE_KHR is missing");
  REQUIRE(!properties.imported || !properties.exported, function, context, CL_INVALID_OPERATION,
          "what is imported cannot be exported");
  REQUIRE(properties.has_devices || context->device_count == 1, function, context, CL_INVALID_PROPERTY,
          "the context has several devices: CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR is missing");
  cl_int error = semaphore_create(context, &properties, out_semaphore);
  REQUIRE(error == CL_SUCCESS, function, context, error, "the semaphore could not be made");
  return CL_SUCCESS;
}

cl_semaphore_khr CL_API_CALL create_semaphore_with_properties_khr(cl_context context,
                                                                  const cl_semaphore_properties_khr *sema_props,
                                                                  cl_int *errcode_ret) {
  cl_semaphore_khr semaphore = NULL;
  error_answer(errcode_ret, create("clCreateSemaphoreWithPropertiesKHR", context, sema_props, &semaphore));
  return semaphore;
}

cl_int CL_API_CALL retain_semaphore_khr(cl_semaphore_khr sema_object) {
  REQUIRE(semaphore_is_valid(sema_object) && object_retain_external(OBJECT(sema_object)), "clRetainSemaphoreKHR", NULL,
          CL_INVALID_SEMAPHORE_KHR, "not a semaphore");
  return CL_SUCCESS;
}

cl_int CL_API_CALL release_semaphore_khr(cl_semaphore_khr sema_object) {
  REQUIRE(semaphore_is_valid(sema_object) && object_release_external(OBJECT(sema_object)), "clReleaseSemaphoreKHR",
          NULL, CL_INVALID_SEMAPHORE_KHR, "not a semaphore");
  return CL_SUCCESS;
}

static cl_int answer(cl_semaphore_khr semaphore, cl_semaphore_info_khr name, size_t capacity, void *out_value,
                     size_t *out_size) {
#define ANSWER(type, expression)                                               \
  do {                                                                         \
    type answer_ = (expression);                                               \
    return info_answer(capacity, out_value, out_size, &answer_, sizeof(type)); \
  } while (0)
  switch (name) {
    case CL_SEMAPHORE_CONTEXT_KHR: ANSWER(cl_context, semaphore->context);
    case CL_SEMAPHORE_REFERENCE_COUNT_KHR: ANSWER(cl_uint, OBJECT(semaphore)->external_count);
    case CL_SEMAPHORE_TYPE_KHR: ANSWER(cl_semaphore_type_khr, CL_SEMAPHORE_TYPE_BINARY_KHR);
    case CL_SEMAPHORE_PAYLOAD_KHR: ANSWER(cl_semaphore_payload_khr, semaphore_is_signalled(semaphore));
    case CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR:
      ANSWER(cl_device_id, semaphore->device ? semaphore->device : semaphore->context->devices[0]);
    case CL_SEMAPHORE_EXPORTABLE_KHR: ANSWER(cl_bool, semaphore->exported != 0);
    case CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR:
      return info_answer(capacity, out_value, out_size, &semaphore->exported,
                         semaphore->exported ? sizeof semaphore->exported : 0);
    case CL_SEMAPHORE_PROPERTIES_KHR:
      return info_answer(capacity, out_value, out_size, semaphore->properties,
                         semaphore->property_count * sizeof *semaphore->properties);
    default: return CL_INVALID_VALUE;
  }
#undef ANSWER
}

cl_int CL_API_CALL get_semaphore_info_khr(cl_semaphore_khr sema_object, cl_semaphore_info_khr param_name,
                                          size_t param_value_size, void *param_value, size_t *param_value_size_ret) {
  static const char function[] = "clGetSemaphoreInfoKHR";
  REQUIRE(semaphore_is_valid(sema_object), function, NULL, CL_INVALID_SEMAPHORE_KHR, "not a semaphore");
  cl_int error = answer(sema_object, param_name, param_value_size, param_value, param_value_size_ret);
  REQUIRE(error == CL_SUCCESS, function, sema_object->context, error,
          "query 0x%x is unknown, or its answer needs more than %zu bytes", param_name, param_value_size);
  return CL_SUCCESS;
}

/* ------------------------------------------------------------ handles */

static cl_int export_payload(cl_semaphore_khr semaphore, void *out_handle) {
  int descriptor = payload_duplicate(semaphore->payload);
  if (descriptor < 0) return CL_OUT_OF_RESOURCES;
  memcpy(out_handle, &descriptor, sizeof descriptor);
  return CL_SUCCESS;
}

cl_int CL_API_CALL get_semaphore_handle_for_type_khr(cl_semaphore_khr sema_object, cl_device_id device,
                                                     cl_external_semaphore_handle_type_khr handle_type,
                                                     size_t handle_size, void *handle_ptr, size_t *handle_size_ret) {
  static const char function[] = "clGetSemaphoreHandleForTypeKHR";
  REQUIRE(semaphore_is_valid(sema_object), function, NULL, CL_INVALID_SEMAPHORE_KHR, "not a semaphore");
  cl_context context = sema_object->context;
  REQUIRE(device_is_valid(device) && context_has_device(context, device), function, context, CL_INVALID_DEVICE,
          "not a device of the semaphore's context");
  REQUIRE(!sema_object->device || sema_object->device == device, function, context, CL_INVALID_DEVICE,
          "the semaphore is for another device");
  REQUIRE(handle_type && handle_type == sema_object->exported, function, context, CL_INVALID_VALUE,
          "the semaphore was not created for handles of type 0x%x", handle_type);
  REQUIRE(!handle_ptr || handle_size >= sizeof(int), function, context, CL_INVALID_VALUE,
          "a handle has %zu bytes, not %zu", sizeof(int), handle_size);
  if (handle_ptr) {
    cl_int error = export_payload(sema_object, handle_ptr);
    REQUIRE(error == CL_SUCCESS, function, context, error, "the system gives no descriptor");
  }
  if (handle_size_ret) *handle_size_ret = sizeof(int);
  return CL_SUCCESS;
}

cl_int CL_API_CALL reimport_semaphore_sync_fd_khr(cl_semaphore_khr sema_object,
                                                  cl_semaphore_reimport_properties_khr *reimport_props, int fd) {
  static const char function[] = "clReImportSemaphoreSyncFdKHR";
  REQUIRE(semaphore_is_valid(sema_object), function, NULL, CL_INVALID_SEMAPHORE_KHR, "not a semaphore");
  cl_context context = sema_object->context;
  REQUIRE(sema_object->imported == CL_SEMAPHORE_HANDLE_SYNC_FD_KHR, function, context, CL_INVALID_SEMAPHORE_KHR,
          "the semaphore was not made of a sync file");
  REQUIRE(!reimport_props || !*reimport_props, function, context, CL_INVALID_VALUE, "there are no such properties");
  REQUIRE(fence_is_valid(fd), function, context, CL_INVALID_VALUE, "%d is no sync file", fd);
  cl_int error = semaphore_import_fence(sema_object, fd);
  REQUIRE(error == CL_SUCCESS, function, context, error, "out of memory");
  return CL_SUCCESS;
}

/* ------------------------------------------------------------ commands */

static cl_int validate(const char *function, const enqueue_t *enqueue, cl_uint count,
                       const cl_semaphore_khr *semaphores) {
  TRY(enqueue_validate(enqueue));
  cl_command_queue queue = enqueue->queue;
  cl_context context = queue_context(queue);
  REQUIRE(count && semaphores, function, context, CL_INVALID_VALUE, "no semaphores are given");
  for (cl_uint i = 0; i < count; i++) {
    cl_semaphore_khr semaphore = semaphores[i];
    REQUIRE(semaphore_is_valid(semaphore), function, context, CL_INVALID_SEMAPHORE_KHR,
            "sema_objects[%u] is not a semaphore", i);
    REQUIRE(semaphore->context == context, function, context, CL_INVALID_CONTEXT,
            "sema_objects[%u] is of another context than the queue", i);
    REQUIRE(!semaphore->device || semaphore->device == queue_device(queue), function, context, CL_INVALID_COMMAND_QUEUE,
            "sema_objects[%u] is not for the queue's device", i);
  }
  for (cl_uint i = 0; i < enqueue->wait_count; i++) {
    REQUIRE(event_status(enqueue->wait_list[i]) >= 0, function, context, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
            "event_wait_list[%u] has failed", i);
  }
  return CL_SUCCESS;
}

/** What a command on one semaphore of shared payload has to do at its end. */
typedef struct share_t {
  /** Held. */
  cl_semaphore_khr semaphore;
  /** Of a wait, held; null of a signal. */
  cl_event wait;
} share_t;

static void share_end(void *data, cl_int status) {
  share_t *share = data;
  if (share->wait) {
    semaphore_end_wait(share->semaphore, share->wait, status);
    object_drop(OBJECT(share->wait));
  } else if (status == CL_COMPLETE) {
    payload_signal(share->semaphore->payload);
  }
  object_drop(OBJECT(share->semaphore));
  free(share);
}

static cl_int command_share(command_t *command, cl_semaphore_khr semaphore, cl_event wait) {
  if (semaphore->payload < 0) return command_hold(command, OBJECT(semaphore));
  share_t *share = malloc(sizeof *share);
  if (!share) return CL_OUT_OF_HOST_MEMORY;
  *share = (share_t){.semaphore = semaphore, .wait = wait};
  cl_int error = command_on_completion(command, share_end, share);
  if (error != CL_SUCCESS) {
    free(share);
    return error;
  }
  object_hold(OBJECT(semaphore));
  if (wait) object_hold(OBJECT(wait));
  return CL_SUCCESS;
}

/** `waits`: an event per semaphore for a wait command, null for a signal command. `out_shared` may be null: how many
 * semaphores the command has, which will be told how it ended. */
static cl_int enqueue_on(const enqueue_t *enqueue, cl_uint count, const cl_semaphore_khr *semaphores,
                         const cl_event *waits, cl_uint *out_shared) {
  command_t *command;
  TRY(enqueue_begin(enqueue, &command));
  cl_int error = CL_SUCCESS;
  for (cl_uint i = 0; i < count && error == CL_SUCCESS; i++) {
    error = command_share(command, semaphores[i], waits ? waits[i] : NULL);
    if (error == CL_SUCCESS && out_shared) *out_shared = i + 1;
  }
  return enqueue_end(command, error, CL_FALSE);
}

/** Puts the last signals of those whose payload is shared into `events`; returns how many. Held. */
static cl_uint collect_last_signals(cl_uint count, const cl_semaphore_khr *semaphores, cl_event *events) {
  cl_uint collected = 0;
  for (cl_uint i = 0; i < count; i++) {
    events[collected] = semaphore_last_signal(semaphores[i]);
    collected += events[collected] != NULL;
  }
  return collected;
}

/** Waits for the events of the list, one for each semaphore, and last signals. `events` has room for them. */
static cl_int enqueue_wait(const enqueue_t *enqueue, cl_uint count, const cl_semaphore_khr *semaphores,
                           cl_event *events) {
  cl_uint taken = 0;
  cl_int error = CL_SUCCESS;
  enqueue_t whole = *enqueue;
  cl_event *own = events + enqueue->wait_count, *last = own + count;
  if (enqueue->wait_count) memcpy(events, enqueue->wait_list, enqueue->wait_count * sizeof *events);
  cl_uint last_count = collect_last_signals(count, semaphores, last);
  while (taken < count && error == CL_SUCCESS) {
    error = semaphore_take_wait(semaphores[taken], &own[taken]);
    if (error == CL_SUCCESS) taken++;
  }
  whole.wait_list = events;
  whole.wait_count += count + last_count;
  cl_uint shared = 0;
  if (error == CL_SUCCESS) error = enqueue_on(&whole, count, semaphores, own, &shared);
  for (cl_uint i = taken; i--;) {
    /* The command itself gives back what it has of shared payloads. */
    if (error == CL_SUCCESS || (semaphores[i]->payload >= 0 && i < shared)) {
      object_drop(OBJECT(own[i]));
    } else {
      semaphore_return_wait(semaphores[i], own[i]);
    }
  }
  for (cl_uint i = 0; i < last_count; i++) object_drop(OBJECT(last[i]));
  return error;
}

cl_int CL_API_CALL enqueue_wait_semaphores_khr(cl_command_queue command_queue, cl_uint num_sema_objects,
                                               const cl_semaphore_khr *sema_objects,
                                               const cl_semaphore_payload_khr *sema_payload_list,
                                               cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                               cl_event *event) {
  static const char function[] = "clEnqueueWaitSemaphoresKHR";
  (void)sema_payload_list;
  const enqueue_t enqueue = {command_queue, CL_COMMAND_SEMAPHORE_WAIT_KHR, num_events_in_wait_list, event_wait_list,
                             event};
  TRY(validate(function, &enqueue, num_sema_objects, sema_objects));
  cl_event *events = calloc((size_t)num_events_in_wait_list + 2 * (size_t)num_sema_objects, sizeof *events);
  REQUIRE(events, function, queue_context(command_queue), CL_OUT_OF_HOST_MEMORY, "out of memory");
  cl_int error = enqueue_wait(&enqueue, num_sema_objects, sema_objects, events);
  free(events);
  return error;
}

cl_int CL_API_CALL enqueue_signal_semaphores_khr(cl_command_queue command_queue, cl_uint num_sema_objects,
                                                 const cl_semaphore_khr *sema_objects,
                                                 const cl_semaphore_payload_khr *sema_payload_list,
                                                 cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                                 cl_event *event) {
  static const char function[] = "clEnqueueSignalSemaphoresKHR";
  (void)sema_payload_list;
  cl_event signal = NULL;
  const enqueue_t enqueue = {command_queue, CL_COMMAND_SEMAPHORE_SIGNAL_KHR, num_events_in_wait_list, event_wait_list,
                             &signal};
  TRY(validate(function, &enqueue, num_sema_objects, sema_objects));
  TRY(enqueue_on(&enqueue, num_sema_objects, sema_objects, NULL, NULL));
  cl_int error = CL_SUCCESS;
  for (cl_uint i = 0; i < num_sema_objects; i++) {
    cl_int added = semaphore_add_signal(sema_objects[i], signal);
    if (error == CL_SUCCESS) error = added;
  }
  if (event && error == CL_SUCCESS) {
    *event = signal;
  } else {
    (void)object_release_external(OBJECT(signal));
  }
  REQUIRE(error == CL_SUCCESS, function, queue_context(command_queue), error, "out of memory");
  return CL_SUCCESS;
}
