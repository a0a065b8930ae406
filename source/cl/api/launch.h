/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Kernel launches as values: checked once, recorded into the command buffer of a queue or into one of the
 * application's. */
#ifndef CL_API_LAUNCH_H
#define CL_API_LAUNCH_H

#include "cl/program/kernel.h"

/** A launch once it is found valid. */
typedef struct launch_t {
  cl_context context;
  cl_kernel kernel;
  const kernel_device_t *on;
  /** What runs, once chosen: the kernel of `on`, or one made from it for such arguments. */
  variant_code_t code;
  cl_uint dimensions;
  /** Unused dimensions: 0, 1, 1. */
  size_t offset[3], global[3], local[3];
  /** A global size of zero: nothing to run. */
  bool is_empty;
  /** It runs once, with the allocations that there are now: pointers are recorded with theirs. */
  bool is_enqueued;
} launch_t;

/** The errors of clEnqueueNDRangeKernel about kernel and sizes, for a launch on `device`; fills `launch` in, of which
 * `context`, `kernel` and `dimensions` are set. `offset`, `global` and `local` may be null. */
cl_int launch_validate(const char *function, cl_device_id device, const size_t *offset, const size_t *global,
                       const size_t *local, launch_t *launch);
/** The errors about arguments, for a launch that is otherwise valid. */
cl_int launch_validate_arguments(const char *function, const launch_t *launch);

/** Chooses what runs, for a launch that is found valid and now gets its arguments: `code`. */
void launch_choose_code(launch_t *launch);

/** Calls `function` for each object that must live until the launch is complete; stops at the first error. */
cl_int launch_for_each_object(const launch_t *launch, cl_int (*function)(void *data, object_t *object), void *data);

/** Records the launch, with the arguments that the kernel has now; nothing when it is empty. */
cl_int launch_record(mux_command_buffer_t command_buffer, const launch_t *launch);

#endif
