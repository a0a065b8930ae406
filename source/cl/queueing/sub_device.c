/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Sub-devices. The last reference to one may go on a thread of its own, in a callback, which is no place to end that
 * thread: such a device is put aside, and freed by whoever comes next. */
#include "cl/queueing/sub_device.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "cl/object/mux_error.h"
#include "cl/queueing/batch.h"

static struct {
  pthread_mutex_t mutex;
  /** Devices without references (_cl_device_id.link). */
  list_t devices;
} unheld = {.mutex = PTHREAD_MUTEX_INITIALIZER, .devices = {&unheld.devices, &unheld.devices}};

static void destroy(object_t *object) {
  pthread_mutex_lock(&unheld.mutex);
  list_append(&unheld.devices, &((cl_device_id)object)->link);
  pthread_mutex_unlock(&unheld.mutex);
}

static void destroy_now(cl_device_id device) {
  mux_device_t mux_device = device->mux_device;
  cl_device_id parent = device->parent;
  batch_pool_destroy(device);
  device_free(device);
  muxDestroyDevice(mux_device, mux_allocator());
  device_drop(parent);
}

/* All batches of an unheld device are in its pool; when Mux is through with them, nothing runs on it. */
static cl_device_id take_idle(void) {
  cl_device_id idle = NULL;
  pthread_mutex_lock(&unheld.mutex);
  LIST_FOR_EACH_SAFE(node, &unheld.devices) {
    cl_device_id device = LIST_ENTRY(node, struct _cl_device_id, link);
    if (idle || !batch_pool_is_idle(device)) continue;
    list_remove(node);
    idle = device;
  }
  pthread_mutex_unlock(&unheld.mutex);
  return idle;
}

void sub_devices_lock(void) { pthread_mutex_lock(&unheld.mutex); }
void sub_devices_unlock(void) { pthread_mutex_unlock(&unheld.mutex); }

void sub_devices_collect(void) {
  for (cl_device_id device; (device = take_idle());) destroy_now(device);
}

/* ------------------------------------------------------------ creation */

static bool copy_type(cl_device_id device, const partition_t *partition) {
  size_t size = partition->type_length * sizeof *partition->type;
  device->partition_type = malloc(size);
  if (!device->partition_type) return false;
  memcpy(device->partition_type, partition->type, size);
  device->partition_type_length = partition->type_length;
  return true;
}

static cl_int create(cl_device_id parent, uint32_t first_unit, uint32_t unit_count, const partition_t *partition,
                     cl_device_id *out_device) {
  mux_device_t mux_device;
  mux_result_t error = muxCreateSubDevice(parent->mux_device, first_unit, unit_count, mux_allocator(), &mux_device);
  if (error) return error_from_mux(error, CL_OUT_OF_RESOURCES);
  cl_device_id device = device_create(parent->platform, mux_device, parent, destroy);
  if (!device) {
    muxDestroyDevice(mux_device, mux_allocator());
    return CL_OUT_OF_HOST_MEMORY;
  }
  *out_device = device;
  if (copy_type(device, partition)) return CL_SUCCESS;
  object_release_external(OBJECT(device));
  return CL_OUT_OF_HOST_MEMORY;
}

cl_int sub_devices_create(cl_device_id parent, const partition_t *partition, cl_device_id *out_devices) {
  uint32_t first_unit = 0;
  for (cl_uint i = 0; i < partition->count; i++) {
    cl_int error = create(parent, first_unit, partition->units[i], partition, &out_devices[i]);
    if (error) {
      while (i) object_release_external(OBJECT(out_devices[--i]));
      sub_devices_collect();
      return error;
    }
    first_unit += partition->units[i];
  }
  return CL_SUCCESS;
}
