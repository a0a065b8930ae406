/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Opens the OpenCL library and finds its functions. */
#include "interop/opencl/api.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "interop/error.h"

/* Where each function goes, as memcpy writes it: ISO C has no cast from an object pointer to a function pointer. */
static const struct {
  const char *name;
  size_t offset;
} functions[] = {
#define FUNCTION(name) {"cl" #name, offsetof(opencl_api_t, name)},
    OPENCL_FUNCTION_LIST(FUNCTION)
#undef FUNCTION
};

static quern_result_t find_functions(void *handle, const char *library, opencl_api_t *api) {
  for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
    void *address = dlsym(handle, functions[i].name);
    if (!address) {
      return interop_fail(quern_error_backend_not_available, "%s has no function %s", library, functions[i].name);
    }
    memcpy((char *)api + functions[i].offset, &address, sizeof(address));
  }
  return quern_success;
}

quern_result_t opencl_api_open(const char *library, opencl_api_t **out_api) {
  quern_result_t result;
  opencl_api_t *api = calloc(1, sizeof(*api));
  if (!api) return interop_fail_memory();
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char *reason = dlerror();
    result = interop_fail(quern_error_backend_not_available, "no OpenCL library: %s", reason ? reason : library);
    goto free_api;
  }
  result = find_functions(handle, library, api);
  if (result != quern_success) goto close_library;
  *out_api = api;
  return quern_success;

close_library:
  dlclose(handle);
free_api:
  free(api);
  return result;
}

const char *opencl_error_name(cl_int error) {
  switch (error) {
#define ERROR(name) \
  case name: return #name;
    ERROR(CL_DEVICE_NOT_FOUND)
    ERROR(CL_DEVICE_NOT_AVAILABLE)
    ERROR(CL_OUT_OF_RESOURCES)
    ERROR(CL_OUT_OF_HOST_MEMORY)
    ERROR(CL_INVALID_VALUE)
    ERROR(CL_INVALID_DEVICE_TYPE)
    ERROR(CL_INVALID_PLATFORM)
    ERROR(CL_INVALID_DEVICE)
    ERROR(CL_INVALID_OPERATION)
#undef ERROR
    default: return "an unknown error";
  }
}
