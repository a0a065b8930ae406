/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What the files that enqueue commands share. */
#ifndef INTEROP_OPENCL_DISPATCH_H
#define INTEROP_OPENCL_DISPATCH_H

#include "interop/opencl/opencl.h"

/** Where a command goes and what it waits for. */
typedef struct opencl_target_t {
  const opencl_api_t *api;
  cl_command_queue queue;
  cl_uint wait_count;
  const cl_event *waits;
  cl_event event;
} opencl_target_t;

#define OPENCL_WAITS(target) (target)->wait_count, (target)->waits, &(target)->event

static inline quern_result_t opencl_check(const char *function, cl_int error) {
  return error == CL_SUCCESS ? quern_success : opencl_fail(function, error);
}

/** A command that does nothing, behind what is waited for. */
QUERN_MUST_CHECK quern_result_t opencl_enqueue_marker(opencl_target_t *target);

/* ------------------------------------------------------------ unified.c */

/** Functions of cl_intel_unified_shared_memory of a platform. */
typedef struct opencl_usm_t {
  clHostMemAllocINTEL_fn HostMemAlloc;
  clDeviceMemAllocINTEL_fn DeviceMemAlloc;
  clSharedMemAllocINTEL_fn SharedMemAlloc;
  clMemFreeINTEL_fn MemFree;
  clSetKernelArgMemPointerINTEL_fn SetKernelArgMemPointer;
  clEnqueueMemFillINTEL_fn EnqueueMemFill;
  clEnqueueMemcpyINTEL_fn EnqueueMemcpy;
  clEnqueueMigrateMemINTEL_fn EnqueueMigrateMem;
  clEnqueueMemAdviseINTEL_fn EnqueueMemAdvise;
} opencl_usm_t;

/** Those of the platform if all its devices have the extension; null otherwise, and shared virtual memory is used. */
static inline const opencl_usm_t *opencl_usm_of(const struct quern_context_s *context) {
  return context->platform->backend_data;
}

/** Sets an address as an argument of a kernel, under the kernel's lock. */
QUERN_MUST_CHECK cl_int opencl_set_pointer(const opencl_api_t *api, quern_kernel_t kernel, uint32_t index,
                                           const void *pointer);
/** Tells the kernel of the memory that the node requires by address and does not give as an argument, since kernels use
 * no other memory indirectly (OpenCL 3.0, section 5.9.2, clSetKernelExecInfo). The kernel keeps what it was told of.
 * Under the kernel's lock; `out_old` is what it kept before, for opencl_drop_indirect without the lock. */
QUERN_MUST_CHECK quern_result_t opencl_tell_indirect(const opencl_api_t *api, const interop_node_t *node,
                                                     interop_indirect_t *out_old);
void opencl_drop_indirect(interop_indirect_t *indirect);

/** Enqueues an action on addresses of the context. */
QUERN_MUST_CHECK quern_result_t opencl_enqueue_usm(opencl_target_t *target, const struct quern_context_s *context,
                                                   const interop_node_t *node);

#endif
