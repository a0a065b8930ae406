/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Instances of command buffers: each can be under way once at a time, so that a command buffer which is enqueued again
 * before it is complete has several. */
#ifndef CL_COMMAND_BUFFER_INSTANCE_H
#define CL_COMMAND_BUFFER_INSTANCE_H

#include "cl/command_buffer/command_buffer.h"
#include "cl/printf/printf_stream.h"

typedef struct instance_t {
  user_commands_t user;
  /** In the `idle` list of the command buffer. */
  list_t link;
  /** Held while the instance is enqueued. */
  cl_command_buffer_khr command_buffer;
  /** That of the command buffer when it was recorded; UINT64_MAX before. */
  uint64_t version;
  struct mux_callback_info_s diagnostics;
  /** What the recorded commands need. */
  object_t **held;
  size_t held_count, held_capacity;
  /** Where its kernels print; their executables are held. */
  printf_stream_t **streams;
  size_t stream_count, stream_capacity;
} instance_t;

/** An instance that is ready to be enqueued, taken from those that are idle or made. */
cl_int instance_take(cl_command_buffer_khr command_buffer, instance_t **out_instance);
/** Completion function: `data` is the instance, which becomes idle. */
void instance_completed(void *data, cl_int status);
/** Gives back an instance that was not enqueued. */
void instance_give_back(instance_t *instance);
void instance_destroy(instance_t *instance);

/* For the `record` functions of commands. */

mux_command_buffer_t instance_commands(instance_t *instance);
/** Keeps the object until the instance is recorded anew or destroyed. */
cl_int instance_hold(instance_t *instance, object_t *object);
/** The stream is printed whenever the instance completes. */
cl_int instance_add_stream(instance_t *instance, printf_stream_t *stream);

#endif
