/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * OpenCL's functions, found in a library that is opened at run time. */
#ifndef INTEROP_OPENCL_API_H
#define INTEROP_OPENCL_API_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include "quern/result.h"

/** X(name without "cl"): the functions this backend calls. All are in OpenCL 1.2, which every loader has. */
#define OPENCL_FUNCTION_LIST(X) \
  X(GetPlatformIDs)             \
  X(GetPlatformInfo)            \
  X(GetDeviceIDs)               \
  X(GetDeviceInfo)              \
  X(RetainDevice)               \
  X(ReleaseDevice)

/** Members are named as the functions without "cl". Their types are those of the header's declarations, which are not
 * called. */
typedef struct opencl_api_t {
#define OPENCL_FUNCTION_MEMBER(name) __typeof__(cl##name) *name;
  OPENCL_FUNCTION_LIST(OPENCL_FUNCTION_MEMBER)
#undef OPENCL_FUNCTION_MEMBER
} opencl_api_t;

/** Opens `library`, as dlopen takes it, and fills in a malloc'ed table. The library stays open with the process.
 * quern_error_backend_not_available: there is none, or it lacks a function; the message tells. */
QUERN_MUST_CHECK quern_result_t opencl_api_open(const char *library, opencl_api_t **out_api);

/** The name of an OpenCL error, "CL_INVALID_DEVICE"; "an unknown error" for others. Never null. */
const char *opencl_error_name(cl_int error);

#endif
