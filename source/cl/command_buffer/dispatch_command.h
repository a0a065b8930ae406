/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Recorded kernel launches, which can be updated (cl_khr_command_buffer_mutable_dispatch). */
#ifndef CL_COMMAND_BUFFER_DISPATCH_COMMAND_H
#define CL_COMMAND_BUFFER_DISPATCH_COMMAND_H

#include "cl/api/launch.h"
#include "cl/command_buffer/command_buffer.h"

/** One configuration of a recorded launch: with an update, another one takes its place. */
typedef struct dispatch_t {
  /** `kernel` is a copy of the application's with the arguments of this configuration, owned; so are the references to
   * its memory objects. */
  launch_t launch;
  /** As the application gave them; zeros where it gave none. */
  size_t given_offset[3], given_global[3], given_local[3];
  bool has_local;
} dispatch_t;

typedef struct dispatch_command_t {
  struct _cl_mutable_command_khr head;
  /** What the application recorded; held. */
  cl_kernel kernel;
  /** CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR. */
  cl_mutable_dispatch_fields_khr fields;
  /** Never changes. */
  cl_uint dimensions;
  /** Under the command buffer's mutex. */
  dispatch_t *dispatch;
} dispatch_command_t;

/** The command behind a handle of the application; null when it is none. */
dispatch_command_t *dispatch_command_find(cl_mutable_command_khr command);

/** A configuration with a copy of `kernel` and its arguments. CL_OUT_OF_HOST_MEMORY. */
cl_int dispatch_create(cl_kernel kernel, cl_uint dimensions, dispatch_t **out_dispatch);
/** A copy, to be changed. CL_OUT_OF_HOST_MEMORY. */
cl_int dispatch_clone(const dispatch_t *dispatch, dispatch_t **out_dispatch);
void dispatch_destroy(dispatch_t *dispatch);

/** To be called once the arguments of a new configuration are set: keeps them alive. */
void dispatch_hold_arguments(dispatch_t *dispatch);
/** To be called before dispatch_destroy when they were held. */
void dispatch_release_arguments(dispatch_t *dispatch);

/** Sets sizes where the pointers are not null, and checks the whole as clEnqueueNDRangeKernel does, arguments aside. */
cl_int dispatch_set_sizes(const char *function, cl_command_queue queue, const size_t *offset, const size_t *global,
                          const size_t *local, dispatch_t *dispatch);
/** No argument is missing. */
bool dispatch_is_complete(const dispatch_t *dispatch);

#endif
