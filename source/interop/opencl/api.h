/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * OpenCL's functions, found in a library that is opened at run time. */
#ifndef INTEROP_OPENCL_API_H
#define INTEROP_OPENCL_API_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
/* For devices and loaders of OpenCL 1.2. */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include "quern/result.h"

/** X(name without "cl"): the functions that looking at platforms and devices needs. These and those of contexts are in
 * OpenCL 1.2, which every loader has. */
#define OPENCL_FUNCTION_LIST(X) \
  X(GetPlatformIDs)             \
  X(GetPlatformInfo)            \
  X(GetDeviceIDs)               \
  X(GetDeviceInfo)              \
  X(RetainDevice)               \
  X(ReleaseDevice)

/** X(name without "cl"): the functions that contexts need. A library without them has platforms and devices only. */
#define OPENCL_RUNTIME_FUNCTION_LIST(X) \
  X(CreateContext)                      \
  X(RetainContext)                      \
  X(ReleaseContext)                     \
  X(GetContextInfo)                     \
  X(CreateCommandQueue)                 \
  X(RetainCommandQueue)                 \
  X(ReleaseCommandQueue)                \
  X(GetCommandQueueInfo)                \
  X(Flush)                              \
  X(CreateBuffer)                       \
  X(CreateSubBuffer)                    \
  X(CreateImage)                        \
  X(RetainMemObject)                    \
  X(ReleaseMemObject)                   \
  X(SetMemObjectDestructorCallback)     \
  X(GetMemObjectInfo)                   \
  X(GetImageInfo)                       \
  X(CreateProgramWithSource)            \
  X(BuildProgram)                       \
  X(GetProgramInfo)                     \
  X(GetProgramBuildInfo)                \
  X(RetainProgram)                      \
  X(ReleaseProgram)                     \
  X(CreateKernel)                       \
  X(RetainKernel)                       \
  X(ReleaseKernel)                      \
  X(GetKernelInfo)                      \
  X(SetKernelArg)                       \
  X(CreateSampler)                      \
  X(RetainSampler)                      \
  X(ReleaseSampler)                     \
  X(GetSamplerInfo)                     \
  X(CreateUserEvent)                    \
  X(SetUserEventStatus)                 \
  X(RetainEvent)                        \
  X(ReleaseEvent)                       \
  X(GetEventInfo)                       \
  X(GetEventProfilingInfo)              \
  X(SetEventCallback)                   \
  X(WaitForEvents)                      \
  X(EnqueueNDRangeKernel)               \
  X(EnqueueMarkerWithWaitList)          \
  X(EnqueueReadBuffer)                  \
  X(EnqueueWriteBuffer)                 \
  X(EnqueueCopyBuffer)                  \
  X(EnqueueFillBuffer)                  \
  X(EnqueueMapBuffer)                   \
  X(EnqueueUnmapMemObject)              \
  X(EnqueueReadImage)                   \
  X(EnqueueWriteImage)                  \
  X(EnqueueCopyImage)

/** X(name without "cl"): functions that are null where the library does not have them. */
#define OPENCL_OPTIONAL_FUNCTION_LIST(X)    \
  X(GetExtensionFunctionAddressForPlatform) \
  X(SVMAlloc)                               \
  X(SVMFree)                                \
  X(SetKernelArgSVMPointer)                 \
  X(SetKernelExecInfo)                      \
  X(EnqueueSVMMemcpy)                       \
  X(EnqueueSVMMemFill)                      \
  X(EnqueueSVMMigrateMem)

/** Members are named as the functions without "cl". Their types are those of the header's declarations, which are not
 * called. */
typedef struct opencl_api_t {
#define OPENCL_FUNCTION_MEMBER(name) __typeof__(cl##name) *name;
  OPENCL_FUNCTION_LIST(OPENCL_FUNCTION_MEMBER)
  OPENCL_RUNTIME_FUNCTION_LIST(OPENCL_FUNCTION_MEMBER)
  OPENCL_OPTIONAL_FUNCTION_LIST(OPENCL_FUNCTION_MEMBER)
  /** A function of the second list that the library lacks; null when it has them all. */
  const char *missing;
#undef OPENCL_FUNCTION_MEMBER
} opencl_api_t;

/** Opens `library`, as dlopen takes it, and fills in a malloc'ed table. The library stays open with the process.
 * quern_error_backend_not_available: there is none, or it lacks a function of the first list; the message tells. */
QUERN_MUST_CHECK quern_result_t opencl_api_open(const char *library, opencl_api_t **out_api);

/** The name of an OpenCL error, "CL_INVALID_DEVICE"; "an unknown error" for others. Never null. */
const char *opencl_error_name(cl_int error);

#endif
