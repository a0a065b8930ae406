/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Context objects. */
#ifndef CL_QUEUEING_CONTEXT_H
#define CL_QUEUEING_CONTEXT_H

#include <pthread.h>

#include "cl/device/device.h"
#include "cl/printf/printf_stream.h"
#include "cl/queueing/graph.h"
#include "cl/queueing/shared_memory.h"

struct _cl_context {
  object_t object;
  /** Among all contexts (context_fork.h). */
  list_t link;
  cl_uint device_count;
  /** Sub-devices are held, and retained, so that they may be asked for when the application has released its own. */
  cl_device_id *devices;
  /** The Mux device behind all devices of the context, that of their root. Memory is allocated from the other one,
   * which is the same unless a sub-device has the context for itself: it may have memory that is nearer. */
  mux_device_t mux_device, memory_device;
  /** Zero-terminated copy of what the application gave; null when it gave none. `property_count` includes the zero. */
  cl_context_properties *properties;
  size_t property_count;
  void(CL_CALLBACK *notify)(const char *error_info, const void *private_info, size_t cb, void *user_data);
  void *notify_data;
  /** Where kernels print (cl_arm_printf). */
  printf_sink_t printf_sink;
  pthread_mutex_t mutex;
  /** Destructor callbacks (clSetContextDestructorCallback), last registered first; under `mutex`. */
  struct context_destructor_t *destructors;
  /** Dependencies between the commands of the context's queues. */
  graph_t graph;
  /** What clSVMAlloc and its like gave out. */
  shared_memory_table_t shared_memory;
  /** All queues of the context, the youngest first, and how many were ever made; under `mutex`. */
  list_t queues;
  uint64_t queue_count;
};

/** Makes a context of `device_count` (at least 1) distinct devices; null when out of memory. */
cl_context context_create(cl_uint device_count, const cl_device_id *devices, const cl_context_properties *properties,
                          void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *notify_data);
/** Registers a destructor callback; CL_OUT_OF_HOST_MEMORY when it cannot. */
cl_int context_add_destructor(cl_context context, void(CL_CALLBACK *function)(cl_context, void *), void *data);

/** Calls `function` for each queue that exists and is not being destroyed. No lock may be held. */
void context_for_each_queue(cl_context context, void (*function)(cl_command_queue queue));
/** Waits until all commands that are enqueued on the context's queues are complete. Flushes them. */
void context_finish(cl_context context);

bool context_is_valid(cl_context context);
bool context_has_device(cl_context context, cl_device_id device);
/** Calls the context's notify function, if it has one. No lock may be held. */
void context_notify(cl_context context, const char *message, const void *data, size_t size);

#endif
