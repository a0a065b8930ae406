/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Making, checking and freeing platforms and devices. */
#include "interop/object/object.h"

#include <stdlib.h>

#include "base/memory.h"
#include "interop/object/error.h"

quern_platform_t interop_platform_create(struct interop_backend_state_s *state, void *native) {
  quern_platform_t platform = calloc(1, sizeof(*platform));
  if (!platform) return NULL;
  platform->tag = interop_tag_platform;
  platform->state = state;
  platform->native = native;
  pthread_mutex_init(&platform->sub_device_lock, NULL);
  list_init(&platform->sub_devices);
  return platform;
}

void interop_platform_destroy(quern_platform_t platform) {
  if (!platform) return;
  for (size_t i = 0; i < platform->device_count; i++) interop_device_destroy(platform->devices[i]);
  free(platform->devices);
  interop_info_free(&interop_platform_info_table, &platform->info);
  free(platform->backend_data);
  pthread_mutex_destroy(&platform->sub_device_lock);
  platform->tag = interop_tag_none;
  free(platform);
}

bool interop_platform_add_device(quern_platform_t platform, quern_device_t device) {
  size_t needed = platform->device_count + 1;
  if (!array_reserve(&platform->devices, &platform->device_capacity, needed, sizeof(quern_device_t))) return false;
  platform->devices[platform->device_count++] = device;
  return true;
}

quern_device_t interop_device_create(quern_platform_t platform, void *native) {
  quern_device_t device = calloc(1, sizeof(*device));
  if (!device) return NULL;
  device->tag = interop_tag_device;
  device->platform = platform;
  device->native = native;
  list_init(&device->node);
  return device;
}

void interop_device_destroy(quern_device_t device) {
  if (!device) return;
  interop_info_free(&interop_device_info_table, &device->info);
  device->tag = interop_tag_none;
  free(device);
}

quern_result_t interop_object_check(const void *object, interop_tag_t tag, const char *kind) {
  if (object && *(const interop_tag_t *)object == tag) return quern_success;
  return object ? interop_fail(quern_error_invalid_object, "this is not a %s", kind)
                : interop_fail(quern_error_invalid_object, "the %s is null", kind);
}

quern_result_t interop_platform_check(quern_platform_t platform) {
  return interop_object_check(platform, interop_tag_platform, "platform");
}

quern_result_t interop_device_check(quern_device_t device) {
  return interop_object_check(device, interop_tag_device, "device");
}

quern_result_t interop_output_check(const void *out_items, size_t capacity, const size_t *out_count) {
  if (!out_items && capacity) {
    return interop_fail(quern_error_invalid_argument, "null pointer for a list of %zu", capacity);
  }
  if (!out_items && !out_count) {
    return interop_fail(quern_error_invalid_argument, "null pointers for both the list and its length");
  }
  return quern_success;
}
