/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Platform entry points. */
#include "cl/api/platform.h"

#include "base/options.h"
#include "cl/api/entry.h"
#include "cl/api/fork.h"
#include "cl/device/capability.h"
#include "cl/device/device.h"
#include "cl/device/external_memory.h"
#include "cl/device/identity.h"
#include "cl/queueing/refuse.h"

cl_platform_id platform_open(void) {
  cl_platform_id platform = platform_get();
  if (platform) fork_handlers_install();
  return platform;
}

CL_ENTRY cl_int CL_API_CALL clGetPlatformIDs(cl_uint num_entries, cl_platform_id *platforms, cl_uint *num_platforms) {
  REQUIRE(!platforms || num_entries, __func__, NULL, CL_INVALID_VALUE, "room for platforms, but num_entries is 0");
  REQUIRE(platforms || num_platforms, __func__, NULL, CL_INVALID_VALUE, "platforms and num_platforms are both null");
  cl_platform_id platform = platform_open();
  REQUIRE(platform, __func__, NULL, CL_OUT_OF_HOST_MEMORY, "the platform cannot be made");
  if (platforms) platforms[0] = platform;
  if (num_platforms) *num_platforms = 1;
  return CL_SUCCESS;
}

/* The loader finds the driver's platforms by this name (cl_khr_icd). */
CL_ENTRY cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint num_entries, cl_platform_id *platforms,
                                                   cl_uint *num_platforms) {
  return clGetPlatformIDs(num_entries, platforms, num_platforms);
}

/* The user may choose another one: some applications compare names where they should ask for extensions. */
static const char *shown_name(void) {
  const char *chosen = options_get()->platform_name;
  return *chosen ? chosen : PLATFORM_NAME;
}

static cl_int answer(cl_platform_id platform, cl_platform_info name, size_t capacity, void *out_value,
                     size_t *out_size) {
  /* All devices are of one kind, so that the platform has the extensions of its first; none, no extension. */
  static const struct mux_device_info_s nothing;
  mux_device_info_t info = platform->device_count ? platform->devices[0]->info : &nothing;
  const cl_version version = CL_MAKE_VERSION(3, 0, 0);
  const cl_ulong resolution = 1;
  const cl_semaphore_type_khr semaphore_type = CL_SEMAPHORE_TYPE_BINARY_KHR;
  /* The first one can be exported too. */
  const cl_external_semaphore_handle_type_khr imported_semaphores[] = {CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR,
                                                                       CL_SEMAPHORE_HANDLE_SYNC_FD_KHR};
  switch (name) {
    case CL_PLATFORM_PROFILE: return info_answer_string(capacity, out_value, out_size, PLATFORM_PROFILE);
    case CL_PLATFORM_VERSION: return info_answer_string(capacity, out_value, out_size, PLATFORM_VERSION);
    case CL_PLATFORM_NAME: return info_answer_string(capacity, out_value, out_size, shown_name());
    case CL_PLATFORM_ICD_SUFFIX_KHR: return info_answer_string(capacity, out_value, out_size, PLATFORM_ICD_SUFFIX);
    case CL_PLATFORM_VENDOR: return info_answer_string(capacity, out_value, out_size, PLATFORM_VENDOR);
    case CL_PLATFORM_EXTENSIONS: return extension_names_answer(info, capacity, out_value, out_size);
    case CL_PLATFORM_EXTENSIONS_WITH_VERSION: return extension_versions_answer(info, capacity, out_value, out_size);
    case CL_PLATFORM_NUMERIC_VERSION: return info_answer(capacity, out_value, out_size, &version, sizeof version);
    case CL_PLATFORM_HOST_TIMER_RESOLUTION:
      return info_answer(capacity, out_value, out_size, &resolution, sizeof resolution);
    case CL_PLATFORM_SEMAPHORE_TYPES_KHR:
      return info_answer(capacity, out_value, out_size, &semaphore_type, sizeof semaphore_type);
    case CL_PLATFORM_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR:
      return info_answer(capacity, out_value, out_size, imported_semaphores, sizeof imported_semaphores);
    case CL_PLATFORM_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR:
      return info_answer(capacity, out_value, out_size, imported_semaphores, sizeof *imported_semaphores);
    case CL_PLATFORM_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR:
      return external_memory_types_answer(info, capacity, out_value, out_size);
    default: return CL_INVALID_VALUE;
  }
}

CL_ENTRY cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id platform, cl_platform_info param_name,
                                              size_t param_value_size, void *param_value,
                                              size_t *param_value_size_ret) {
  /* Null is left to the implementation (section 4.1): there is only one platform that it can mean. */
  if (!platform) {
    platform = platform_open();
    REQUIRE(platform, __func__, NULL, CL_OUT_OF_HOST_MEMORY, "the platform cannot be made");
  }
  REQUIRE(object_is(platform, object_kind_platform), __func__, NULL, CL_INVALID_PLATFORM, "platform is not a platform");
  cl_int error = answer(platform, param_name, param_value_size, param_value, param_value_size_ret);
  REQUIRE(!error, __func__, NULL, error, "query 0x%x is unknown, or its answer needs more than %zu bytes", param_name,
          param_value_size);
  return CL_SUCCESS;
}

/* The compiler is one library for all contexts, and cheap to keep: unloading is a hint, and there is nothing to do. */
CL_ENTRY cl_int CL_API_CALL clUnloadPlatformCompiler(cl_platform_id platform) {
  REQUIRE(object_is(platform, object_kind_platform), __func__, NULL, CL_INVALID_PLATFORM, "platform is not a platform");
  return CL_SUCCESS;
}

CL_ENTRY cl_int CL_API_CALL clUnloadCompiler(void) { return CL_SUCCESS; }
