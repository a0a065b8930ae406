/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Public functions on devices. */
#include "quern/device.h"

#include "interop/registry.h"

quern_result_t quern_device_get_info(quern_device_t device, quern_device_info_t info, size_t size, void *out_value) {
  quern_result_t result = interop_device_check(device);
  if (result != quern_success) return result;
  return interop_info_read(&interop_device_info_table, &device->info, (unsigned)info, size, out_value);
}

quern_result_t quern_device_has_extension(quern_device_t device, const char *extension, bool *out_has) {
  quern_result_t result = interop_device_check(device);
  if (result != quern_success) return result;
  return interop_extensions_have(device->info.extensions, extension, out_has);
}

quern_result_t quern_device_get_platform(quern_device_t device, quern_platform_t *out_platform) {
  quern_result_t result = interop_device_check(device);
  if (result != quern_success) return result;
  if (!out_platform) return interop_fail(quern_error_invalid_argument, "null pointer for the platform");
  *out_platform = device->platform;
  return quern_success;
}

/* ------------------------------------------------------------ references
 * Under the platform's lock rather than atomic: a handle whose count falls to zero must leave the platform's list
 * before somebody finds it there again. */

quern_result_t quern_device_retain(quern_device_t device) {
  quern_result_t result = interop_device_check(device);
  if (result != quern_success) return result;
  pthread_mutex_lock(&device->platform->sub_device_lock);
  if (device->references) device->references++;
  pthread_mutex_unlock(&device->platform->sub_device_lock);
  return quern_success;
}

quern_result_t quern_device_release(quern_device_t device) {
  quern_result_t result = interop_device_check(device);
  if (result != quern_success) return result;
  quern_platform_t platform = device->platform;
  pthread_mutex_lock(&platform->sub_device_lock);
  bool is_last = device->references && --device->references == 0;
  if (is_last) list_remove(&device->node);
  pthread_mutex_unlock(&platform->sub_device_lock);
  if (!is_last) return quern_success;
  platform->state->backend->release_device(platform->state, device->native);
  interop_device_destroy(device);
  return quern_success;
}
