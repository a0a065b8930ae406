/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The OpenCL backend: finds platforms and devices, counts native devices. */
#include <stdlib.h>

#include "base/log.h"
#include "interop/opencl/opencl.h"

quern_result_t opencl_fail(const char *function, cl_int error) {
  return interop_fail(quern_error_backend_failure, "%s: %s (%d)", function, opencl_error_name(error), error);
}

/* ------------------------------------------------------------ devices */

/* The platform's devices, malloc'ed; none when the driver gives none or fails: one bad driver must not take away the
 * others. False when out of memory. */
static bool find_devices(const struct quern_platform_s *platform, cl_device_id **out_devices, cl_uint *out_count) {
  const opencl_api_t *api = opencl_api_of(platform->state);
  cl_uint count = 0;
  *out_devices = NULL;
  *out_count = 0;
  cl_int error = api->GetDeviceIDs(platform->native, CL_DEVICE_TYPE_ALL, 0, NULL, &count);
  if (error == CL_SUCCESS && count) {
    *out_devices = calloc(count, sizeof(**out_devices));
    if (!*out_devices) return false;
    error = api->GetDeviceIDs(platform->native, CL_DEVICE_TYPE_ALL, count, *out_devices, NULL);
  }
  if (error == CL_SUCCESS) {
    *out_count = count;
  } else if (error != CL_DEVICE_NOT_FOUND) {
    log_write(log_error, "interop: clGetDeviceIDs of platform %s: %s (%d)",
              platform->info.name ? platform->info.name : "without a name", opencl_error_name(error), error);
  }
  return true;
}

static quern_result_t add_device(quern_platform_t platform, cl_device_id native) {
  quern_device_t device = interop_device_create(platform, native);
  if (!device) return interop_fail_memory();
  quern_result_t result = opencl_device_read(device);
  if (result == quern_success && !interop_platform_add_device(platform, device)) result = interop_fail_memory();
  if (result != quern_success) interop_device_destroy(device);
  return result;
}

static quern_result_t add_devices(quern_platform_t platform) {
  cl_device_id *devices;
  cl_uint count;
  if (!find_devices(platform, &devices, &count)) return interop_fail_memory();
  quern_result_t result = quern_success;
  for (cl_uint i = 0; i < count && result == quern_success; i++) result = add_device(platform, devices[i]);
  free(devices);
  return result;
}

/* ------------------------------------------------------------ platforms */

static quern_result_t add_platform(interop_backend_state_t *state, cl_platform_id native) {
  quern_platform_t platform = interop_platform_create(state, native);
  if (!platform) return interop_fail_memory();
  quern_result_t result = opencl_platform_read(platform);
  if (result == quern_success) result = add_devices(platform);
  if (result == quern_success) result = opencl_find_usm(platform);
  if (result == quern_success && !interop_backend_add_platform(state, platform)) result = interop_fail_memory();
  if (result != quern_success) interop_platform_destroy(platform);
  return result;
}

static quern_result_t find_platforms(const opencl_api_t *api, cl_platform_id **out_platforms, cl_uint *out_count) {
  cl_uint count = 0;
  cl_platform_id *platforms = NULL;
  cl_int error = api->GetPlatformIDs(0, NULL, &count);
  if (error == CL_SUCCESS && count) {
    platforms = calloc(count, sizeof(cl_platform_id));
    if (!platforms) return interop_fail_memory();
    error = api->GetPlatformIDs(count, platforms, NULL);
  }
  if (error != CL_SUCCESS || !count) {
    free(platforms);
    if (error == CL_PLATFORM_NOT_FOUND_KHR || error == CL_SUCCESS) {
      return interop_fail(quern_error_backend_not_available, "%s finds no OpenCL platform", interop_opencl_library());
    }
    return interop_fail(quern_error_backend_not_available, "clGetPlatformIDs: %s (%d)", opencl_error_name(error),
                        error);
  }
  *out_platforms = platforms;
  *out_count = count;
  return quern_success;
}

static quern_result_t open_opencl(interop_backend_state_t *state) {
  opencl_api_t *api;
  cl_platform_id *platforms = NULL;
  cl_uint count = 0;
  quern_result_t result = opencl_api_open(interop_opencl_library(), &api);
  if (result != quern_success) return result;
  result = find_platforms(api, &platforms, &count);
  if (result != quern_success) goto free_api;
  state->data = api;
  for (cl_uint i = 0; i < count && result == quern_success; i++) result = add_platform(state, platforms[i]);
  free(platforms);
  if (result == quern_success) return quern_success;

free_api:
  state->data = NULL;
  free(api);
  return result;
}

/* ------------------------------------------------------------ native devices */

static quern_result_t retain_device(interop_backend_state_t *state, void *native) {
  cl_int error = opencl_api_of(state)->RetainDevice(native);
  return error == CL_SUCCESS ? quern_success : opencl_fail("clRetainDevice", error);
}

static void release_device(interop_backend_state_t *state, void *native) {
  cl_int error = opencl_api_of(state)->ReleaseDevice(native);
  if (error != CL_SUCCESS) {
    log_write(log_error, "interop: clReleaseDevice: %s (%d)", opencl_error_name(error), error);
  }
}

static quern_result_t find_platform(interop_backend_state_t *state, void *native, void **out_platform) {
  cl_platform_id platform = NULL;
  cl_int error =
      opencl_api_of(state)->GetDeviceInfo(native, CL_DEVICE_PLATFORM, sizeof(cl_platform_id), (void *)&platform, NULL);
  if (error != CL_SUCCESS) return opencl_fail("clGetDeviceInfo", error);
  *out_platform = platform;
  return quern_success;
}

const interop_runtime_t opencl_runtime = {
    .retain = opencl_retain,
    .release = opencl_release,
    .open_context = opencl_open_context,
    .read_context = opencl_read_context,
    .open_queue = opencl_open_queue,
    .read_queue = opencl_read_queue,
    .flush = opencl_flush,
    .find_context = opencl_find_context,
    .create_memory = opencl_create_memory,
    .create_part = opencl_create_part,
    .hold_storage = opencl_hold_storage,
    .allocate = opencl_allocate,
    .deallocate = opencl_deallocate,
    .read_memory = opencl_read_memory,
    .move = opencl_move,
    .map = opencl_map,
    .unmap = opencl_unmap,
    .dispatch = opencl_dispatch,
    .watch = opencl_watch,
    .poll = opencl_poll,
    .wait = opencl_wait,
    .has_started = opencl_has_started,
    .profile = opencl_profile,
    .create_event = opencl_create_event,
    .complete_event = opencl_complete_event,
    .create_program = opencl_create_program,
    .create_sampler = opencl_create_sampler,
    .create_kernel = opencl_create_kernel,
};

const interop_backend_t interop_backend_opencl = {
    .open = open_opencl,
    .has_native =
        {
#define HAS(name) [quern_object_##name] = true,
            QUERN_OBJECT_LIST(HAS)
#undef HAS
        },
    .retain_device = retain_device,
    .release_device = release_device,
    .find_platform = find_platform,
    .read_device = opencl_device_read,
    .runtime = &opencl_runtime,
};
