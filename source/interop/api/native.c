/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Native objects of platforms and devices, both ways, for any backend that has them. */
#include "quern/native.h"

#include "interop/object/registry.h"
#include "interop/object/task.h"

static quern_result_t check_has_native(quern_backend_t backend, quern_object_t object) {
  if (quern_backend_has_native(backend, object)) return quern_success;
  return interop_fail(quern_error_feature_not_supported, "backend %s has no native objects of this kind",
                      quern_backend_name(backend));
}

/* ------------------------------------------------------------ from a handle */

static quern_result_t check_get(quern_platform_t platform, quern_backend_t backend, quern_object_t object,
                                void *const *out_native) {
  if (!out_native) return interop_fail(quern_error_invalid_argument, "null pointer for the native object");
  quern_result_t result = interop_backend_check(backend);
  if (result != quern_success) return result;
  if (platform->state->id != backend) {
    return interop_fail(quern_error_backend_mismatch, "the object is of backend %s, not %s",
                        quern_backend_name(platform->state->id), quern_backend_name(backend));
  }
  return check_has_native(backend, object);
}

quern_result_t quern_platform_get_native(quern_platform_t platform, quern_backend_t backend, void **out_native) {
  quern_result_t result = interop_platform_check(platform);
  if (result == quern_success) result = check_get(platform, backend, quern_object_platform, out_native);
  if (result == quern_success) *out_native = platform->native;
  return result;
}

quern_result_t quern_device_get_native(quern_device_t device, quern_backend_t backend, void **out_native) {
  quern_result_t result = interop_device_check(device);
  if (result == quern_success) result = check_get(device->platform, backend, quern_object_device, out_native);
  if (result != quern_success) return result;
  interop_backend_state_t *state = device->platform->state;
  result = state->backend->retain_device(state, device->native);
  if (result == quern_success) *out_native = device->native;
  return result;
}

/* ------------------------------------------------------------ to a handle */

static quern_result_t check_make(quern_backend_t backend, quern_object_t object, const void *native,
                                 const void *out_handle, interop_backend_state_t **out_state) {
  if (!native) return interop_fail(quern_error_invalid_argument, "the native object is null");
  if (!out_handle) return interop_fail(quern_error_invalid_argument, "null pointer for the handle");
  quern_result_t result = interop_backend_require(backend, out_state);
  return result == quern_success ? check_has_native(backend, object) : result;
}

static quern_platform_t find_platform(const interop_backend_state_t *state, const void *native) {
  for (size_t i = 0; i < state->platform_count; i++) {
    if (state->platforms[i]->native == native) return state->platforms[i];
  }
  return NULL;
}

static quern_result_t fail_unlisted(const interop_backend_state_t *state) {
  return interop_fail(quern_error_invalid_argument, "backend %s lists no such platform", quern_backend_name(state->id));
}

quern_result_t quern_platform_make_from_native(quern_backend_t backend, void *native, quern_platform_t *out_platform) {
  interop_backend_state_t *state;
  quern_result_t result = check_make(backend, quern_object_platform, native, out_platform, &state);
  if (result != quern_success) return result;
  quern_platform_t platform = find_platform(state, native);
  if (!platform) return fail_unlisted(state);
  *out_platform = platform;
  return quern_success;
}

static quern_device_t find_root_device(const struct quern_platform_s *platform, const void *native) {
  for (size_t i = 0; i < platform->device_count; i++) {
    if (platform->devices[i]->native == native) return platform->devices[i];
  }
  return NULL;
}

static quern_device_t find_sub_device(const struct quern_platform_s *platform, const void *native) {
  LIST_FOR_EACH(node, &platform->sub_devices) {
    quern_device_t device = LIST_ENTRY(node, struct quern_device_s, node);
    if (device->native == native) return device;
  }
  return NULL;
}

/* A handle with one native reference, in no list. */
static quern_result_t create_sub_device(quern_platform_t platform, void *native, quern_device_t *out_device) {
  interop_backend_state_t *state = platform->state;
  quern_device_t device = interop_device_create(platform, native);
  if (!device) return interop_fail_memory();
  quern_result_t result = state->backend->read_device(device);
  if (result == quern_success) result = state->backend->retain_device(state, native);
  if (result == quern_success) {
    *out_device = device;
  } else {
    interop_device_destroy(device);
  }
  return result;
}

/* The handle of a sub-device, with one reference more. Native functions run under the lock: of two threads that bring
 * the same new sub-device, one makes the handle and the other finds it. */
static quern_result_t acquire_sub_device(quern_platform_t platform, void *native, quern_device_t *out_device) {
  quern_result_t result = quern_success;
  pthread_mutex_lock(&platform->sub_device_lock);
  quern_device_t device = find_sub_device(platform, native);
  if (!device) {
    result = create_sub_device(platform, native, &device);
    if (result != quern_success) goto unlock;
    list_append(&platform->sub_devices, &device->node);
  }
  device->references++;
  *out_device = device;
unlock:
  pthread_mutex_unlock(&platform->sub_device_lock);
  return result;
}

static quern_result_t check_ownership(quern_ownership_t ownership) {
  if (ownership == quern_ownership_retain || ownership == quern_ownership_transfer) return quern_success;
  return interop_fail(quern_error_invalid_argument, "%d is not a kind of ownership", (int)ownership);
}

quern_result_t quern_device_make_from_native(quern_backend_t backend, void *native, quern_ownership_t ownership,
                                             quern_device_t *out_device) {
  interop_backend_state_t *state;
  void *native_platform;
  quern_result_t result = interop_task_check_make();
  if (result == quern_success) result = check_ownership(ownership);
  if (result == quern_success) result = check_make(backend, quern_object_device, native, out_device, &state);
  if (result == quern_success) result = state->backend->find_platform(state, native, &native_platform);
  if (result != quern_success) return result;
  quern_platform_t platform = find_platform(state, native_platform);
  if (!platform) return fail_unlisted(state);

  quern_device_t device = find_root_device(platform, native);
  if (!device) result = acquire_sub_device(platform, native, &device);
  if (result != quern_success) return result;
  /* The handle has a reference of its own, so one that was handed over is one too many. */
  if (ownership == quern_ownership_transfer) state->backend->release_device(state, native);
  *out_device = device;
  return quern_success;
}
