/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Command buffers of the application (cl_khr_command_buffer): a list of commands, and instances of it as
 * Mux command buffers. */
#ifndef CL_COMMAND_BUFFER_COMMAND_BUFFER_H
#define CL_COMMAND_BUFFER_COMMAND_BUFFER_H

#include <pthread.h>

#include "base/list.h"
#include "cl/api/command_buffer_declarations.h"
#include "cl/queueing/queue.h"

struct instance_t;

struct _cl_command_buffer_khr {
  object_t object;
  /** What it is recorded for, and is enqueued on unless the application names another one. Held. */
  cl_command_queue queue;
  cl_command_buffer_flags_khr flags;
  /** Zero-terminated copy of what the application gave; null when it gave none. `property_count` includes the zero. */
  cl_command_buffer_properties_khr *properties;
  size_t property_count;

  /** Guards all that follows. Nothing but Mux is called under it. */
  pthread_mutex_t mutex;
  bool is_finalized;
  /** Finalized, and no argument is missing. */
  bool is_executable;
  /** In the order of recording, by `link`. */
  list_t commands;
  /** Sync points are 1 to this. */
  cl_uint command_count;
  /** Changes with every update: instances of another version are recorded anew before they are used. */
  uint64_t version;
  /** Instances that are not enqueued. */
  list_t idle;
};

/** What differs between commands. */
typedef struct command_kind_t {
  cl_command_type type;
  /** Records into the instance, which holds what the command needs from then on. Under the command buffer's mutex. */
  cl_int (*record)(cl_mutable_command_khr command, struct instance_t *instance);
  /** False while arguments are missing (the state *finalized* of cl_khr_command_buffer_mutable_dispatch). */
  bool (*is_complete)(cl_mutable_command_khr command);
  /** Frees what the command has besides itself. */
  void (*release)(cl_mutable_command_khr command);
} command_kind_t;

/** A recorded command; the head of a struct of its kind. It lives as long as its command buffer. */
struct _cl_mutable_command_khr {
  object_t object;
  list_t link;
  const command_kind_t *kind;
  cl_command_buffer_khr command_buffer;
  quern_command_properties *properties;
  size_t property_count;
};

/** What all recording functions take; `function` for messages. */
typedef struct recording_t {
  const char *function;
  cl_command_buffer_khr command_buffer;
  cl_command_queue queue;
  const quern_command_properties *properties;
  cl_uint sync_point_count;
  const cl_sync_point_khr *sync_points;
  cl_sync_point_khr *out_sync_point;
} recording_t;
#define RECORDING(name) \
  {(name), command_buffer, command_queue, properties, num_sync_points_in_wait_list, sync_point_wait_list, sync_point}

bool command_buffer_is_valid(cl_command_buffer_khr command_buffer);
/** Null when out of memory. `properties` may be null. */
cl_command_buffer_khr command_buffer_create(cl_command_queue queue, cl_command_buffer_flags_khr flags,
                                            const cl_command_buffer_properties_khr *properties);

/** CL_INVALID_COMMAND_BUFFER_KHR. CL_INVALID_COMMAND_QUEUE: a queue is named. CL_INVALID_OPERATION: finalized.
 * CL_INVALID_SYNC_POINT_WAIT_LIST_KHR. */
cl_int recording_validate(const recording_t *recording);
/** For commands without properties and handles: CL_INVALID_VALUE when there are some. */
cl_int recording_validate_plain(const recording_t *recording, const cl_mutable_command_khr *out_handle);

/** A command of `size` bytes, which begins with its head; null when out of memory. */
void *command_allocate(const recording_t *recording, size_t size, const command_kind_t *kind);
/** Frees a command that was not appended, or whose command buffer goes. */
void command_free(cl_mutable_command_khr command);
/** Appends the command, or frees it. CL_INVALID_OPERATION: finalized meanwhile. */
cl_int command_append(const recording_t *recording, cl_mutable_command_khr command);

/** Finds out anew whether it is executable. Under the mutex. */
void command_buffer_settle(cl_command_buffer_khr command_buffer);
bool command_buffer_is_finalized(cl_command_buffer_khr command_buffer);
bool command_buffer_is_executable(cl_command_buffer_khr command_buffer);

/** Enqueues an instance on the enqueue's queue, of the same device as the command buffer's. The command buffer is
 * executable. */
cl_int command_buffer_enqueue(cl_command_buffer_khr command_buffer, const enqueue_t *enqueue);

#endif
