/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Public functions on devices. */
#include "quern/device.h"

#include "interop/object/registry.h"

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

/* ------------------------------------------------------------ references */

quern_result_t quern_device_retain(quern_device_t device) {
  quern_result_t result = interop_device_check(device);
  if (result == quern_success) interop_device_hold(device);
  return result;
}

quern_result_t quern_device_release(quern_device_t device) {
  quern_result_t result = interop_device_check(device);
  if (result == quern_success) interop_device_drop(device);
  return result;
}
