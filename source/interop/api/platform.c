/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Public functions on platforms. */
#include "quern/platform.h"

#include "interop/object/registry.h"

/* ------------------------------------------------------------ finding */

/* Appends the state's platforms to what is in the caller's array, and counts those that have no place, too. */
static void append_platforms(const interop_backend_state_t *state, size_t capacity, quern_platform_t *out_platforms,
                             size_t *count) {
  for (size_t i = 0; i < state->platform_count; i++, ++*count) {
    if (*count < capacity) out_platforms[*count] = state->platforms[i];
  }
}

quern_result_t quern_platform_list(size_t capacity, quern_platform_t *out_platforms, size_t *out_count) {
  quern_result_t result = interop_output_check(out_platforms, capacity, out_count);
  if (result != quern_success) return result;
  /* Those that are registered meanwhile come into the next list. */
  unsigned backends = interop_backend_count();
  /* First whether all can be told, so that nothing is written on error. */
  for (unsigned backend = 0; backend < backends; backend++) {
    result = interop_backend_tolerate(interop_backend_open((quern_backend_t)backend));
    if (result != quern_success) return result;
  }
  size_t count = 0;
  for (unsigned backend = 0; backend < backends; backend++) {
    append_platforms(interop_backend_open((quern_backend_t)backend), capacity, out_platforms, &count);
  }
  if (out_count) *out_count = count;
  return quern_success;
}

quern_result_t quern_platform_list_of_backend(quern_backend_t backend, size_t capacity, quern_platform_t *out_platforms,
                                              size_t *out_count) {
  interop_backend_state_t *state;
  quern_result_t result = interop_output_check(out_platforms, capacity, out_count);
  if (result == quern_success) result = interop_backend_require(backend, &state);
  if (result != quern_success) return result;
  size_t count = 0;
  append_platforms(state, capacity, out_platforms, &count);
  if (out_count) *out_count = count;
  return quern_success;
}

quern_result_t quern_platform_make(quern_backend_t backend, quern_platform_t *out_platform) {
  interop_backend_state_t *state;
  if (!out_platform) return interop_fail(quern_error_invalid_argument, "null pointer for the platform");
  quern_result_t result = interop_backend_require(backend, &state);
  if (result == quern_success) *out_platform = state->platforms[0];
  return result;
}

/* ------------------------------------------------------------ asking */

quern_result_t quern_platform_get_backend(quern_platform_t platform, quern_backend_t *out_backend) {
  quern_result_t result = interop_platform_check(platform);
  if (result != quern_success) return result;
  if (!out_backend) return interop_fail(quern_error_invalid_argument, "null pointer for the backend");
  *out_backend = platform->state->id;
  return quern_success;
}

static quern_result_t check_types(quern_device_type_t types) {
  if (types && !(types & ~(quern_device_type_t)quern_device_type_all)) return quern_success;
  return interop_fail(quern_error_invalid_argument, "%#x is not a set of device types", (unsigned)types);
}

quern_result_t quern_platform_get_devices(quern_platform_t platform, quern_device_type_t types, size_t capacity,
                                          quern_device_t *out_devices, size_t *out_count) {
  quern_result_t result = interop_platform_check(platform);
  if (result == quern_success) result = interop_output_check(out_devices, capacity, out_count);
  if (result == quern_success) result = check_types(types);
  if (result != quern_success) return result;
  size_t count = 0;
  for (size_t i = 0; i < platform->device_count; i++) {
    if (!(platform->devices[i]->info.type & types)) continue;
    if (count < capacity) out_devices[count] = platform->devices[i];
    count++;
  }
  if (out_count) *out_count = count;
  return quern_success;
}

quern_result_t quern_platform_get_info(quern_platform_t platform, quern_platform_info_t info, size_t size,
                                       void *out_value) {
  quern_result_t result = interop_platform_check(platform);
  if (result != quern_success) return result;
  return interop_info_read(&interop_platform_info_table, &platform->info, (unsigned)info, size, out_value);
}

quern_result_t quern_platform_has_extension(quern_platform_t platform, const char *extension, bool *out_has) {
  quern_result_t result = interop_platform_check(platform);
  if (result != quern_success) return result;
  return interop_extensions_have(platform->info.extensions, extension, out_has);
}
