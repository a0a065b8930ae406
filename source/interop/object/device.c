/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * References to devices. */
#include "interop/object/registry.h"

/* Under the platform's lock rather than atomic: a handle whose count falls to zero must leave the platform's list
 * before somebody finds it there again. */
void interop_device_hold(quern_device_t device) {
  pthread_mutex_lock(&device->platform->sub_device_lock);
  if (device->references) device->references++;
  pthread_mutex_unlock(&device->platform->sub_device_lock);
}

void interop_device_drop(quern_device_t device) {
  quern_platform_t platform = device->platform;
  pthread_mutex_lock(&platform->sub_device_lock);
  bool is_last = device->references && --device->references == 0;
  if (is_last) list_remove(&device->node);
  pthread_mutex_unlock(&platform->sub_device_lock);
  if (!is_last) return;
  platform->state->backend->release_device(platform->state, device->native);
  interop_device_destroy(device);
}
