/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Pairing waits with signals. */
#include "cl/semaphore/semaphore.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

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

static void destroy(object_t *object) {
  cl_semaphore_khr semaphore = (cl_semaphore_khr)(void *)object;
  queue_destroy(&semaphore->signals);
  queue_destroy(&semaphore->waits);
  pthread_mutex_destroy(&semaphore->mutex);
  free(semaphore->properties);
  object_drop(OBJECT(semaphore->context));
  free(semaphore);
}

cl_semaphore_khr semaphore_create(cl_context context, cl_device_id device,
                                  const cl_semaphore_properties_khr *properties, size_t count) {
  cl_semaphore_khr semaphore = calloc(1, sizeof *semaphore);
  cl_semaphore_properties_khr *copy = malloc(count * sizeof *copy);
  if (!semaphore || !copy) {
    free(semaphore);
    free(copy);
    return NULL;
  }
  memcpy(copy, properties, count * sizeof *copy);
  object_init(OBJECT(semaphore), object_kind_semaphore, destroy);
  object_hold(OBJECT(context));
  semaphore->context = context;
  semaphore->device = device;
  semaphore->properties = copy;
  semaphore->property_count = count;
  pthread_mutex_init(&semaphore->mutex, NULL);
  return semaphore;
}

bool semaphore_is_signalled(cl_semaphore_khr semaphore) {
  pthread_mutex_lock(&semaphore->mutex);
  bool is_signalled = semaphore->signals.count && event_is_final(semaphore->signals.events[0]);
  pthread_mutex_unlock(&semaphore->mutex);
  return is_signalled;
}

/** Under the mutex: a place for the signal that is yet to come. */
static cl_event add_wait(cl_semaphore_khr semaphore) {
  if (!queue_has_room(&semaphore->waits)) return NULL;
  cl_event event = event_create_user(semaphore->context);
  if (!event) return NULL;
  /* The application never sees it: one reference of ours for the caller, one for the queue. */
  object_hold(OBJECT(event));
  object_hold(OBJECT(event));
  (void)object_release_external(OBJECT(event));
  queue_append(&semaphore->waits, event);
  return event;
}

cl_int semaphore_take_wait(cl_semaphore_khr semaphore, cl_event *out_event) {
  pthread_mutex_lock(&semaphore->mutex);
  cl_event event = queue_take_first(&semaphore->signals);
  if (!event) event = add_wait(semaphore);
  pthread_mutex_unlock(&semaphore->mutex);
  *out_event = event;
  return event ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

void semaphore_return_wait(cl_semaphore_khr semaphore, cl_event event) {
  bool is_signal = event->queue != NULL, was_waiting = false;
  pthread_mutex_lock(&semaphore->mutex);
  if (is_signal && queue_has_room(&semaphore->signals)) {
    object_hold(OBJECT(event));
    queue_prepend(&semaphore->signals, event);
  }
  if (!is_signal) was_waiting = queue_remove(&semaphore->waits, event);
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
  pthread_mutex_lock(&semaphore->mutex);
  cl_event wait = queue_take_first(&semaphore->waits);
  if (!wait && queue_has_room(&semaphore->signals)) {
    object_hold(OBJECT(event));
    queue_append(&semaphore->signals, event);
  } else if (!wait) {
    error = CL_OUT_OF_HOST_MEMORY;
  }
  pthread_mutex_unlock(&semaphore->mutex);
  if (wait && !event_add_callback(event, CL_COMPLETE, end_wait, wait)) {
    end_wait(event, CL_OUT_OF_HOST_MEMORY, wait);
    error = CL_OUT_OF_HOST_MEMORY;
  }
  return error;
}
