/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The platform and its devices, made at the first call and kept until the process ends. */
#include "cl/device/device.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "cl/device/capability.h"
#include "cl/object/mux_error.h"

enum { device_limit = 16 };

static struct {
  pthread_mutex_t mutex;
  _Atomic(cl_platform_id) platform;
} singleton = {.mutex = PTHREAD_MUTEX_INITIALIZER};

/* External counts of both are never zero, and nobody releases them. */
static void destroy_never(object_t *object) { (void)object; }

void device_free(cl_device_id device) {
  free((char *)device->target.extensions);
  free((char *)device->target.features);
  free(device->partition_type);
  free(device->mux_queues);
  object_free(OBJECT(device), object_kind_device);
}

static char *text_take(text_t *text) {
  if (!text->failed && text->data) return text->data;
  text_free(text);
  return NULL;
}

static bool fill_target(cl_device_id device) {
  text_t extensions = {0}, features = {0};
  extension_names(device->info, true, &extensions);
  feature_names(device->info, &features);
  device->target =
      (compiler_target_t){.name = "host", .extensions = text_take(&extensions), .features = text_take(&features)};
  return device->target.extensions && device->target.features;
}

static bool add_queues(cl_device_id device) {
  uint32_t count = device->info->queue_types[mux_queue_type_compute];
  device->mux_queues = calloc(count, sizeof *device->mux_queues);
  if (!device->mux_queues) return false;
  for (uint32_t i = 0; i < count; i++) {
    if (muxGetQueue(device->mux_device, mux_queue_type_compute, i, &device->mux_queues[i].queue)) return false;
  }
  device->mux_queue_count = count;
  return count > 0;
}

cl_device_id device_create(cl_platform_id platform, mux_device_t mux_device, cl_device_id parent,
                           void (*destroy)(object_t *object)) {
  cl_device_id device = calloc(1, sizeof *device);
  if (!device) return NULL;
  object_init(OBJECT(device), object_kind_device, destroy);
  device->platform = platform;
  device->mux_device = mux_device;
  device->mux_root = parent ? parent->mux_root : mux_device;
  list_init(&device->link);
  device->info = mux_device->info;
  if (!fill_target(device) || !add_queues(device)) goto err_device;
  device->parent = parent;
  if (parent) device_hold(parent);
  return device;

err_device:
  device_free(device);
  return NULL;
}

static mux_result_t add_device(cl_platform_id platform, mux_device_info_t info) {
  mux_device_t mux_device;
  mux_result_t error = muxCreateDevices(1, &info, mux_allocator(), &mux_device);
  if (error) return error;
  cl_device_id device = device_create(platform, mux_device, NULL, destroy_never);
  if (!device) {
    muxDestroyDevice(mux_device, mux_allocator());
    return mux_error_out_of_memory;
  }
  platform->devices[platform->device_count++] = device;
  return mux_success;
}

/* A device that cannot be made is left out: the others are still of use. Memory, however, may be there at the next
 * call: false without it. */
static bool add_devices(cl_platform_id platform, const mux_device_info_t *infos, uint64_t count) {
  for (uint64_t i = 0; i < count; i++) {
    mux_result_t error = add_device(platform, infos[i]);
    if (error == mux_error_out_of_memory) return false;
    if (error) log_write(log_error, "device %s is not available: %s", infos[i]->device_name, muxResultName(error));
  }
  return true;
}

static void platform_free(cl_platform_id platform) {
  for (cl_uint i = 0; platform->devices && i < platform->device_count; i++) {
    mux_device_t mux_device = platform->devices[i]->mux_device;
    device_free(platform->devices[i]);
    muxDestroyDevice(mux_device, mux_allocator());
  }
  free(platform->devices);
  free(platform);
}

static cl_platform_id platform_create(void) {
  mux_device_info_t infos[device_limit];
  uint64_t count = 0;
  mux_result_t error = muxGetDeviceInfos(mux_device_type_cpu, device_limit, infos, &count);
  if (error) log_write(log_error, "no devices: %s", muxResultName(error));
  if (error) count = 0;
  if (count > device_limit) count = device_limit;

  cl_platform_id platform = calloc(1, sizeof *platform);
  if (!platform) return NULL;
  object_init(OBJECT(platform), object_kind_platform, destroy_never);
  platform->devices = calloc(device_limit, sizeof *platform->devices);
  if (platform->devices && add_devices(platform, infos, count)) return platform;
  platform_free(platform);
  return NULL;
}

void platform_lock(void) { pthread_mutex_lock(&singleton.mutex); }
void platform_unlock(void) { pthread_mutex_unlock(&singleton.mutex); }

cl_platform_id platform_get(void) {
  cl_platform_id platform = atomic_load_explicit(&singleton.platform, memory_order_acquire);
  if (platform) return platform;
  platform_lock();
  platform = atomic_load_explicit(&singleton.platform, memory_order_relaxed);
  if (!platform) {
    platform = platform_create();
    atomic_store_explicit(&singleton.platform, platform, memory_order_release);
  }
  platform_unlock();
  return platform;
}

device_queue_t *device_join_queue(cl_device_id device) {
  device_queue_t *best = &device->mux_queues[0];
  for (uint32_t i = 1; i < device->mux_queue_count; i++) {
    if (atomic_load(&device->mux_queues[i].users) < atomic_load(&best->users)) best = &device->mux_queues[i];
  }
  atomic_fetch_add(&best->users, 1);
  return best;
}

void device_leave_queue(device_queue_t *queue) { atomic_fetch_sub(&queue->users, 1); }

bool device_is_valid(cl_device_id device) { return object_is(device, object_kind_device); }
