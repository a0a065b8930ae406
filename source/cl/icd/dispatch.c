/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The dispatch table of loaders that know version 1 of cl_khr_icd only, and what newer ones, which have tables of their
 * own, ask for instead. Slots of extensions that this driver does not have (GL, EGL, Direct3D, device fission) are
 * null. */
#include "cl/icd/dispatch.h"

#include <string.h>

#include "cl/api/extension.h"
#include "cl/device/device.h"
#include "cl/queueing/refuse.h"

/* "OPENCL31": not an address that could be called. */
#define ICD_TAG ((intptr_t)0x4F50454E434C3331)

const struct _cl_icd_dispatch icd_dispatch = {
#define ICD_FUNCTION(name) .name = name,
#define ICD_TAGGED(name) .name = (cl_api_##name)ICD_TAG,
#include "cl/icd/functions.def"
#undef ICD_FUNCTION
#undef ICD_TAGGED
};

/* Function pointers become object pointers by way of an integer, as POSIX has it. */
static void *find_core_function(const char *name) {
#define ICD_FUNCTION(function) \
  if (!strcmp(name, #function)) return (void *)(uintptr_t)&function;
#define ICD_TAGGED(function) ICD_FUNCTION(function)
#include "cl/icd/functions.def"
#undef ICD_FUNCTION
#undef ICD_TAGGED
  return NULL;
}

void *CL_API_CALL icd_get_function_address_for_platform_khr(cl_platform_id platform, const char *func_name) {
  if (!object_is(platform, object_kind_platform) || !func_name) return NULL;
  void *function = find_core_function(func_name);
  return function ? function : extension_function_find(func_name);
}

cl_int CL_API_CALL icd_set_platform_dispatch_data_khr(cl_platform_id platform, void *dispatch_data) {
  if (!object_is(platform, object_kind_platform)) {
    return refuse(NULL, "clIcdSetPlatformDispatchDataKHR", CL_INVALID_PLATFORM, "not a platform");
  }
  object_set_dispatch_data(dispatch_data);
  object_adopt_dispatch_data(OBJECT(platform));
  for (cl_uint i = 0; i < platform->device_count; i++) object_adopt_dispatch_data(OBJECT(platform->devices[i]));
  return CL_SUCCESS;
}
