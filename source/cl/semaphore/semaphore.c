/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Pairing waits with signals. */
#include "cl/semaphore/semaphore.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "cl/queueing/queue.h"

/* ------------------------------------------------------------ queues of events */

static bool queue_has_room(event_queue_t *queue) {
  return array_reserve(&queue->events, &queue->capacity, queue->count + 1, sizeof(cl_event));
}

/** Takes the caller's reference; there is room. */
static void queue_append(event_queue_t *queue, cl_event event) { queue->events[queue->count++] = event; }

static void queue_prepend(event_queue_t *queue, cl_event event) {
  memmove(queue->events + 1, queue->events, queue->count * sizeof(cl_event));
  queue->events[0] = event;
  queue->count++;
}

/** Null when empty; gives the reference to the caller. */
static cl_event queue_take_first(event_queue_t *queue) {
  if (!queue->count) return NULL;
  cl_event first = queue->events[0];
  memmove(queue->events, queue->events + 1, --queue->count * sizeof(cl_event));
  return first;
}

static bool queue_remove(event_queue_t *queue, cl_event event) {
  for (size_t i = 0; i < queue->count; i++) {
    if (queue->events[i] != event) continue;
    memmove(queue->events + i, queue->events + i + 1, (--queue->count - i) * sizeof(cl_event));
    return true;
  }
  return false;
}

static void queue_destroy(event_queue_t *queue) {
  for (size_t i = 0; i < queue->count; i++) object_drop(OBJECT(queue->events[i]));
  free(queue->events);
}

/* ------------------------------------------------------------ semaphores */

bool semaphore_is_valid(cl_semaphore_khr semaphore) { return object_is(semaphore, object_kind_semaphore); }

static void release_payload(cl_semaphore_khr semaphore) {
  if (semaphore->payload >= 0) close(semaphore->payload);
  if (semaphore->last_signal) object_drop(OBJECT(semaphore->last_signal));
  if (semaphore->fence) fence_release(semaphore->fence, true);
}

static void destroy(object_t *object) {
  cl_semaphore_khr semaphore = (cl_semaphore_khr)(void *)object;
  release_payload(semaphore);
  queue_destroy(&semaphore->signals);
  queue_destroy(&semaphore->waits);
  pthread_mutex_destroy(&semaphore->mutex);
  free(semaphore->properties);
  object_drop(OBJECT(semaphore->context));
  object_free(OBJECT(semaphore), object_kind_semaphore);
}

static cl_semaphore_khr allocate(cl_context context, const semaphore_properties_t *properties) {
  cl_semaphore_khr semaphore = calloc(1, sizeof *semaphore);
  cl_semaphore_properties_khr *copy = malloc(properties->count * sizeof *copy);
  if (!semaphore || !copy) {
    free(semaphore);
    free(copy);
    return NULL;
  }
  memcpy(copy, properties->list, properties->count * sizeof *copy);
  object_init(OBJECT(semaphore), object_kind_semaphore, destroy);
  object_hold(OBJECT(context));
  semaphore->context = context;
  semaphore->device = properties->device;
  semaphore->properties = copy;
  semaphore->property_count = properties->count;
  semaphore->imported = properties->imported;
  semaphore->exported = properties->exported;
  semaphore->payload = -1;
  pthread_mutex_init(&semaphore->mutex, NULL);
  return semaphore;
}

static void payload_ready(void *data);

static void set_payload(cl_semaphore_khr semaphore, int descriptor) {
  semaphore->payload = descriptor;
  semaphore->watch = (watch_t){.descriptor = descriptor, .ready = payload_ready, .data = semaphore};
}

static cl_int open_payload(cl_semaphore_khr semaphore, const semaphore_properties_t *properties) {
  if (properties->imported == CL_SEMAPHORE_HANDLE_SYNC_FD_KHR) {
    return semaphore_import_fence(semaphore, properties->descriptor);
  }
  if (properties->imported) {
    set_payload(semaphore, properties->descriptor);
  } else if (properties->exported) {
    set_payload(semaphore, payload_create());
    if (semaphore->payload < 0) return CL_OUT_OF_RESOURCES;
  }
  return CL_SUCCESS;
}

cl_int semaphore_create(cl_context context, const semaphore_properties_t *properties, cl_semaphore_khr *out_semaphore) {
  cl_semaphore_khr semaphore = allocate(context, properties);
  if (!semaphore) return CL_OUT_OF_HOST_MEMORY;
  cl_int error = open_payload(semaphore, properties);
  if (error != CL_SUCCESS) {
    (void)object_release_external(OBJECT(semaphore));
    return error;
  }
  *out_semaphore = semaphore;
  return CL_SUCCESS;
}

cl_int semaphore_import_fence(cl_semaphore_khr semaphore, int descriptor) {
  cl_event event = NULL;
  fence_t *fence = NULL;
  pthread_mutex_lock(&semaphore->mutex);
  if (queue_has_room(&semaphore->signals)) fence = fence_import(semaphore->context, descriptor, &event);
  fence_t *old = fence ? semaphore->fence : NULL;
  bool is_unused = fence && semaphore->signals.count;
  if (fence) {
    while (semaphore->signals.count) object_drop(OBJECT(queue_take_first(&semaphore->signals)));
    queue_append(&semaphore->signals, event);
    semaphore->fence = fence;
  }
  pthread_mutex_unlock(&semaphore->mutex);
  if (old) fence_release(old, is_unused);
  return fence ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

bool semaphore_is_signalled(cl_semaphore_khr semaphore) {
  if (semaphore->payload >= 0) return payload_is_signalled(semaphore->payload);
  pthread_mutex_lock(&semaphore->mutex);
  bool is_signalled = semaphore->signals.count && event_is_final(semaphore->signals.events[0]);
  pthread_mutex_unlock(&semaphore->mutex);
  return is_signalled;
}

/** A user event that the application never sees; null when out of memory. */
static cl_event create_event(cl_context context) {
  cl_event event = event_create_user(context);
  if (!event) return NULL;
  object_hold(OBJECT(event));
  (void)object_release_external(OBJECT(event));
  return event;
}

/** Under the mutex: a place for the signal that is yet to come. One reference for the caller, one for the queue. */
static cl_event add_wait(cl_semaphore_khr semaphore) {
  if (!queue_has_room(&semaphore->waits)) return NULL;
  cl_event event = create_event(semaphore->context);
  if (!event) return NULL;
  object_hold(OBJECT(event));
  queue_append(&semaphore->waits, event);
  return event;
}

/* ------------------------------------------------------------ shared payloads */

/** Under the mutex. An armed watch holds the semaphore. */
static bool arm(cl_semaphore_khr semaphore) {
  bool fresh;
  object_hold(OBJECT(semaphore));
  bool armed = watch_arm(&semaphore->watch, &fresh);
  if (!fresh) object_drop(OBJECT(semaphore));
  return armed;
}

/** The semaphore may have been signalled: on the watcher's thread, which has the watch's hold. */
static void payload_ready(void *data) {
  cl_semaphore_khr semaphore = data;
  event_queue_t waits = {0};
  pthread_mutex_lock(&semaphore->mutex);
  while (semaphore->waits.count && queue_has_room(&waits) && payload_take(semaphore->payload)) {
    queue_append(&waits, queue_take_first(&semaphore->waits));
  }
  if (semaphore->waits.count) (void)arm(semaphore);
  pthread_mutex_unlock(&semaphore->mutex);
  for (size_t i = 0; i < waits.count; i++) (void)event_set_user(waits.events[i], CL_COMPLETE);
  queue_destroy(&waits);
  object_drop(OBJECT(semaphore));
}

/** Under the mutex. */
static cl_event wait_for_payload(cl_semaphore_khr semaphore) {
  if (!semaphore->waits.count && payload_is_signalled(semaphore->payload)) {
    cl_event event = create_event(semaphore->context);
    if (event && payload_take(semaphore->payload)) {
      (void)event_set_user(event, CL_COMPLETE);
      return event;
    }
    if (event) object_drop(OBJECT(event));
  }
  cl_event event = add_wait(semaphore);
  if (!event || arm(semaphore)) return event;
  (void)queue_remove(&semaphore->waits, event);
  object_drop(OBJECT(event));
  object_drop(OBJECT(event));
  return NULL;
}

cl_event semaphore_last_signal(cl_semaphore_khr semaphore) {
  pthread_mutex_lock(&semaphore->mutex);
  cl_event event = semaphore->last_signal;
  if (event) object_hold(OBJECT(event));
  pthread_mutex_unlock(&semaphore->mutex);
  return event;
}

void semaphore_end_wait(cl_semaphore_khr semaphore, cl_event event, cl_int status) {
  if (status >= 0) return;
  pthread_mutex_lock(&semaphore->mutex);
  bool was_waiting = queue_remove(&semaphore->waits, event);
  bool disarmed = was_waiting && !semaphore->waits.count && watch_disarm(&semaphore->watch);
  pthread_mutex_unlock(&semaphore->mutex);
  if (was_waiting) {
    object_drop(OBJECT(event));
  } else {
    payload_signal(semaphore->payload);
  }
  if (disarmed) object_drop(OBJECT(semaphore));
}

static void remember_signal(cl_semaphore_khr semaphore, cl_event event) {
  object_hold(OBJECT(event));
  pthread_mutex_lock(&semaphore->mutex);
  cl_event before = semaphore->last_signal;
  semaphore->last_signal = event;
  pthread_mutex_unlock(&semaphore->mutex);
  if (before) object_drop(OBJECT(before));
}

/* ------------------------------------------------------------ waits and signals */

cl_int semaphore_take_wait(cl_semaphore_khr semaphore, cl_event *out_event) {
  pthread_mutex_lock(&semaphore->mutex);
  cl_event event = semaphore->payload >= 0 ? wait_for_payload(semaphore) : queue_take_first(&semaphore->signals);
  if (!event && semaphore->payload < 0) event = add_wait(semaphore);
  pthread_mutex_unlock(&semaphore->mutex);
  *out_event = event;
  return event ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

void semaphore_return_wait(cl_semaphore_khr semaphore, cl_event event) {
  if (semaphore->payload >= 0) {
    semaphore_end_wait(semaphore, event, CL_OUT_OF_HOST_MEMORY);
    object_drop(OBJECT(event));
    return;
  }
  pthread_mutex_lock(&semaphore->mutex);
  bool was_waiting = queue_remove(&semaphore->waits, event);
  if (!was_waiting && queue_has_room(&semaphore->signals)) {
    object_hold(OBJECT(event));
    queue_prepend(&semaphore->signals, event);
  }
  pthread_mutex_unlock(&semaphore->mutex);
  if (was_waiting) object_drop(OBJECT(event));
  object_drop(OBJECT(event));
}

/** The signal that a waiting user event was paired with has completed, or was terminated. */
static void CL_CALLBACK end_wait(cl_event signal, cl_int status, void *wait) {
  (void)signal;
  (void)event_set_user(wait, status);
  object_drop(wait);
}

cl_int semaphore_add_signal(cl_semaphore_khr semaphore, cl_event event) {
  cl_int error = CL_SUCCESS;
  if (semaphore->payload >= 0) {
    remember_signal(semaphore, event);
    return CL_SUCCESS;
  }
  pthread_mutex_lock(&semaphore->mutex);
  cl_event wait = queue_take_first(&semaphore->waits);
  if (!wait && queue_has_room(&semaphore->signals)) {
    object_hold(OBJECT(event));
    queue_append(&semaphore->signals, event);
  } else if (!wait) {
    error = CL_OUT_OF_HOST_MEMORY;
  }
  pthread_mutex_unlock(&semaphore->mutex);
  if (!wait) return error;
  if (!event_add_callback(event, CL_COMPLETE, end_wait, wait)) {
    end_wait(event, CL_OUT_OF_HOST_MEMORY, wait);
    error = CL_OUT_OF_HOST_MEMORY;
  }
  /* Who waits has been flushed perhaps, or is waited for: it cannot flush this queue any more. */
  queue_flush(event->queue);
  return error;
}
