/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Finding extension functions by name. */
#include "cl/api/extension.h"

#include <string.h>

#include "cl/api/entry.h"
#include "cl/api/external_memory.h"
#include "cl/api/global_variable.h"
#include "cl/api/terminate.h"
#include "cl/api/usm.h"
#include "cl/command_buffer/entry.h"
#include "cl/icd/dispatch.h"
#include "cl/semaphore/entry.h"

/* Function pointers become object pointers by way of an integer, as POSIX has it. */
void *extension_function_find(const char *name) {
#define EXTENSION_FUNCTION(string, function) \
  if (!strcmp(name, string)) return (void *)(uintptr_t)&function;
#include "cl/icd/extension_functions.def"
#undef EXTENSION_FUNCTION
  return NULL;
}

CL_ENTRY void *CL_API_CALL clGetExtensionFunctionAddressForPlatform(cl_platform_id platform,
                                                                    const char *function_name) {
  return object_is(platform, object_kind_platform) && function_name ? extension_function_find(function_name) : NULL;
}

CL_ENTRY void *CL_API_CALL clGetExtensionFunctionAddress(const char *function_name) {
  return function_name ? extension_function_find(function_name) : NULL;
}
