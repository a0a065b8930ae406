/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Semaphores of the application (cl_khr_semaphore). A wait is paired with a signal when the later of the two is
 * enqueued, and is from then on an event to wait for: nothing but the graph of batches orders commands. One that other
 * contexts or processes share has its payload behind a descriptor instead: signal commands set it when they complete,
 * and each wait is a user event that completes when it has got a signal from there. */
#ifndef CL_SEMAPHORE_SEMAPHORE_H
#define CL_SEMAPHORE_SEMAPHORE_H

#include <pthread.h>

#include "cl/queueing/event.h"
#include "cl/semaphore/payload.h"

#ifndef CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR
#define CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR 0x2053
#define CL_SEMAPHORE_DEVICE_HANDLE_LIST_END_KHR 0
#endif

#ifndef CL_SEMAPHORE_EXPORTABLE_KHR
#define CL_SEMAPHORE_EXPORTABLE_KHR 0x2054
#endif

/** The properties of clCreateSemaphoreWithPropertiesKHR, read. */
typedef struct semaphore_properties_t {
  /** As given. `count` includes the zero. */
  const cl_semaphore_properties_khr *list;
  size_t count;
  /** Null without a list of devices. */
  cl_device_id device;
  bool has_type, has_devices;
  /** What it was imported from, and may be exported as; 0: nothing. */
  cl_external_semaphore_handle_type_khr imported, exported;
  /** Of `imported`; -1 is a fence that is signalled. */
  int descriptor;
} semaphore_properties_t;

/** Events, oldest first. */
typedef struct event_queue_t {
  cl_event *events;
  size_t count, capacity;
} event_queue_t;

struct _cl_semaphore_khr {
  object_t object;
  /** Held. */
  cl_context context;
  /** The only one that may use it; null: every device of the context. Alive as long as the context. */
  cl_device_id device;
  /** As given, the zero included. */
  cl_semaphore_properties_khr *properties;
  size_t property_count;
  pthread_mutex_t mutex;
  /** Under `mutex`; one of the two is empty. Events of signals that no wait is paired with, held. */
  event_queue_t signals;
  /** User events of waits that no signal is paired with, held. */
  event_queue_t waits;
  cl_external_semaphore_handle_type_khr imported, exported;
  /** Of a shared payload, owned; else -1. With one, `signals` is empty, `last_signal` is the event of the last signal
   * command of this object, held, and `watch` is armed while there are waits: it then holds the semaphore. */
  int payload;
  cl_event last_signal;
  watch_t watch;
  /** Of the fence that was imported last; its event is, or was, in `signals`. */
  fence_t *fence;
};

bool semaphore_is_valid(cl_semaphore_khr semaphore);
/** Makes a semaphore of valid properties; on success a descriptor among them is the semaphore's. CL_OUT_OF_HOST_MEMORY,
 * CL_OUT_OF_RESOURCES. */
cl_int semaphore_create(cl_context context, const semaphore_properties_t *properties, cl_semaphore_khr *out_semaphore);

/** As if created anew from a fence; consumes the descriptor on success. CL_OUT_OF_HOST_MEMORY. */
cl_int semaphore_import_fence(cl_semaphore_khr semaphore, int descriptor);

/** A signal has completed, and no wait is paired with it. */
bool semaphore_is_signalled(cl_semaphore_khr semaphore);

/** The event that a new wait command has to wait for: of the signal that it is paired with, or a user event in its
 * place. Held for the caller, who drops it. CL_OUT_OF_HOST_MEMORY. */
cl_int semaphore_take_wait(cl_semaphore_khr semaphore, cl_event *out_event);
/** The event of the last signal command, that waits of a shared payload also wait for, so that it gets flushed and its
 * failure is theirs; held for the caller. Null when there is none. */
cl_event semaphore_last_signal(cl_semaphore_khr semaphore);
/** The wait command could not be enqueued: as if semaphore_take_wait had not been. Drops the event. */
void semaphore_return_wait(cl_semaphore_khr semaphore, cl_event event);
/** The wait command has ended, or was terminated: then no signal is taken away. Of shared payloads only. */
void semaphore_end_wait(cl_semaphore_khr semaphore, cl_event event, cl_int status);
/** A signal command was enqueued, with this event; its queue is flushed when a wait was enqueued before it.
 * CL_OUT_OF_HOST_MEMORY. */
cl_int semaphore_add_signal(cl_semaphore_khr semaphore, cl_event event);

#endif
