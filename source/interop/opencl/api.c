/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Opens the OpenCL library and finds its functions. */
#include "interop/opencl/api.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "interop/object/error.h"

/* Where each function goes, as memcpy writes it: ISO C has no cast from an object pointer to a function pointer. */
typedef struct function_t {
  const char *name;
  size_t offset;
} function_t;

#define FUNCTION(name) {"cl" #name, offsetof(opencl_api_t, name)},
static const function_t functions[] = {OPENCL_FUNCTION_LIST(FUNCTION)};
static const function_t runtime_functions[] = {OPENCL_RUNTIME_FUNCTION_LIST(FUNCTION)};
static const function_t optional_functions[] = {OPENCL_OPTIONAL_FUNCTION_LIST(FUNCTION)};
#undef FUNCTION

/* The first name that the library lacks; null when it has all. */
static const char *find_functions(void *handle, opencl_api_t *api, const function_t *list, size_t count) {
  const char *missing = NULL;
  for (size_t i = 0; i < count; i++) {
    void *address = dlsym(handle, list[i].name);
    if (!address && !missing) missing = list[i].name;
    memcpy((char *)api + list[i].offset, &address, sizeof(address));
  }
  return missing;
}

static quern_result_t find_all(void *handle, const char *library, opencl_api_t *api) {
  const char *missing = find_functions(handle, api, functions, sizeof(functions) / sizeof(functions[0]));
  if (missing) return interop_fail(quern_error_backend_not_available, "%s has no function %s", library, missing);
  api->missing =
      find_functions(handle, api, runtime_functions, sizeof(runtime_functions) / sizeof(runtime_functions[0]));
  (void)find_functions(handle, api, optional_functions, sizeof(optional_functions) / sizeof(optional_functions[0]));
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
  result = find_all(handle, library, api);
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
    ERROR(CL_COMPILER_NOT_AVAILABLE)
    ERROR(CL_MEM_OBJECT_ALLOCATION_FAILURE)
    ERROR(CL_OUT_OF_RESOURCES)
    ERROR(CL_OUT_OF_HOST_MEMORY)
    ERROR(CL_PROFILING_INFO_NOT_AVAILABLE)
    ERROR(CL_MEM_COPY_OVERLAP)
    ERROR(CL_IMAGE_FORMAT_MISMATCH)
    ERROR(CL_IMAGE_FORMAT_NOT_SUPPORTED)
    ERROR(CL_BUILD_PROGRAM_FAILURE)
    ERROR(CL_MAP_FAILURE)
    ERROR(CL_MISALIGNED_SUB_BUFFER_OFFSET)
    ERROR(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
    ERROR(CL_INVALID_VALUE)
    ERROR(CL_INVALID_DEVICE_TYPE)
    ERROR(CL_INVALID_PLATFORM)
    ERROR(CL_INVALID_DEVICE)
    ERROR(CL_INVALID_CONTEXT)
    ERROR(CL_INVALID_QUEUE_PROPERTIES)
    ERROR(CL_INVALID_COMMAND_QUEUE)
    ERROR(CL_INVALID_HOST_PTR)
    ERROR(CL_INVALID_MEM_OBJECT)
    ERROR(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR)
    ERROR(CL_INVALID_IMAGE_SIZE)
    ERROR(CL_INVALID_BINARY)
    ERROR(CL_INVALID_BUILD_OPTIONS)
    ERROR(CL_INVALID_PROGRAM)
    ERROR(CL_INVALID_PROGRAM_EXECUTABLE)
    ERROR(CL_INVALID_KERNEL_NAME)
    ERROR(CL_INVALID_KERNEL)
    ERROR(CL_INVALID_ARG_INDEX)
    ERROR(CL_INVALID_ARG_VALUE)
    ERROR(CL_INVALID_ARG_SIZE)
    ERROR(CL_INVALID_KERNEL_ARGS)
    ERROR(CL_INVALID_WORK_DIMENSION)
    ERROR(CL_INVALID_WORK_GROUP_SIZE)
    ERROR(CL_INVALID_WORK_ITEM_SIZE)
    ERROR(CL_INVALID_GLOBAL_OFFSET)
    ERROR(CL_INVALID_EVENT_WAIT_LIST)
    ERROR(CL_INVALID_EVENT)
    ERROR(CL_INVALID_OPERATION)
    ERROR(CL_INVALID_BUFFER_SIZE)
    ERROR(CL_INVALID_GLOBAL_WORK_SIZE)
    ERROR(CL_INVALID_IMAGE_DESCRIPTOR)
#undef ERROR
    default: return "an unknown error";
  }
}
