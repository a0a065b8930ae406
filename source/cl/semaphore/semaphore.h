/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Semaphores of the application (cl_khr_semaphore). A wait is paired with a signal when the later of the two is
 * enqueued, and is from then on an event to wait for: nothing but the graph of batches orders commands. */
#ifndef CL_SEMAPHORE_SEMAPHORE_H
#define CL_SEMAPHORE_SEMAPHORE_H

#include <pthread.h>

#include "cl/object/event.h"

#ifndef CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR
#define CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR 0x2053
#define CL_SEMAPHORE_DEVICE_HANDLE_LIST_END_KHR 0
#endif

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
};

bool semaphore_is_valid(cl_semaphore_khr semaphore);
/** Null when out of memory. `count` properties. `device` may be null. */
cl_semaphore_khr semaphore_create(cl_context context, cl_device_id device,
                                  const cl_semaphore_properties_khr *properties, size_t count);

/** A signal has completed, and no wait is paired with it. */
bool semaphore_is_signalled(cl_semaphore_khr semaphore);

/** The event that a new wait command has to wait for: of the signal that it is paired with, or a user event in its
 * place. Held for the caller, who drops it. CL_OUT_OF_HOST_MEMORY. */
cl_int semaphore_take_wait(cl_semaphore_khr semaphore, cl_event *out_event);
/** The wait command could not be enqueued: as if semaphore_take_wait had not been. Drops the event. */
void semaphore_return_wait(cl_semaphore_khr semaphore, cl_event event);
/** A signal command was enqueued, with this event. CL_OUT_OF_HOST_MEMORY. */
cl_int semaphore_add_signal(cl_semaphore_khr semaphore, cl_event event);

#endif
