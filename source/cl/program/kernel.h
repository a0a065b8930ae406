/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Kernel objects and their arguments. */
#ifndef CL_PROGRAM_KERNEL_H
#define CL_PROGRAM_KERNEL_H

#include "cl/memory/memory.h"
#include "cl/program/local_size.h"
#include "cl/program/program.h"

/** A kernel for one of the devices that its program is built for. */
typedef struct kernel_device_t {
  cl_device_id device;
  /** Held. */
  executable_t *executable;
  /** Owned by the executable. */
  mux_kernel_t mux_kernel;
  /** Null unless the kernel prints. Owned by the executable. */
  printf_stream_t *printf_stream;
  /** Kernels made from this one for certain images and samplers; null where there are to be none. Owned by the
   * executable. */
  variants_t *variants;
  /** For launches without a local size. */
  local_size_limits_t limits;
} kernel_device_t;

typedef struct kernel_argument_t {
  bool is_set;
  /** What a buffer or image argument was set to. Not held: "Implementations shall not allow cl_kernel objects to hold
   * reference counts to cl_kernel arguments" (clSetKernelArg); commands hold it. */
  cl_mem memory;
  /** Where a value is kept. */
  void *value;
} kernel_argument_t;

/** Arguments are set by one thread at a time, as OpenCL demands; launches may come from any number of threads. */
struct _cl_kernel {
  object_t object;
  /** Held. */
  cl_program program;
  /** In the executable of the first device; the same for all. */
  const program_kernel_info_t *info;
  cl_uint device_count;
  kernel_device_t *devices;
  /** One per argument, ready for a launch, and one more for a kernel that prints. */
  mux_descriptor_info_t *descriptors;
  kernel_argument_t *arguments;
  uint32_t unset_count;
  /** Bytes of all local arguments that are set. */
  size_t local_argument_size;
};

bool kernel_is_valid(cl_kernel kernel);

/** Creates the kernel `name` of a program. CL_INVALID_PROGRAM_EXECUTABLE, CL_INVALID_KERNEL_NAME,
 * CL_INVALID_KERNEL_DEFINITION, CL_OUT_OF_HOST_MEMORY, CL_OUT_OF_RESOURCES. */
cl_int kernel_create(cl_program program, const char *name, cl_kernel *out_kernel);
/** True when all executables of the program, one for each device that it is built for, define the kernel `info` of one
 * of them alike, so that it can be created. The caller has locked the program. */
bool kernel_is_common(cl_program program, const program_kernel_info_t *info);
/** A kernel with the same arguments. */
cl_int kernel_clone(cl_kernel source, cl_kernel *out_kernel);

/** Null when the kernel's program is not built for `device`. */
const kernel_device_t *kernel_find_device(cl_kernel kernel, cl_device_id device);
/** The same for queries, where a null device may stand for the only one. */
const kernel_device_t *kernel_queried_device(cl_kernel kernel, cl_device_id device);

/** Sets an argument of the kind that each takes; the caller has checked it. `memory` may be null. */
void kernel_set_buffer(cl_kernel kernel, cl_uint index, cl_mem memory);
/** An address, on devices that share the host's memory; may be null. */
void kernel_set_pointer(cl_kernel kernel, cl_uint index, const void *pointer);
void kernel_set_image(cl_kernel kernel, cl_uint index, cl_mem image);
void kernel_set_sampler(cl_kernel kernel, cl_uint index, mux_sampler_t sampler);
void kernel_set_local(cl_kernel kernel, cl_uint index, size_t size);
void kernel_set_value(cl_kernel kernel, cl_uint index, const void *value);

/** Bytes of local memory of a launch with the arguments as they are; SIZE_MAX when more than a size_t holds. */
size_t kernel_local_memory_size(cl_kernel kernel);

#endif
