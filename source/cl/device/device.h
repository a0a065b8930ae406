/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Platform and device objects. They live as long as the process, and sub-devices (sub_device.h) as long as somebody
 * holds them. */
#ifndef CL_DEVICE_DEVICE_H
#define CL_DEVICE_DEVICE_H

#include "base/list.h"
#include "cl/object/object.h"
#include "compiler/compiler.h"
#include "mux/mux.h"

/** A Mux queue of a device. */
typedef struct device_queue_t {
  mux_queue_t queue;
  /** OpenCL queues on it. */
  _Atomic uint32_t users;
  /** Batches given to it and not complete. */
  _Atomic uint32_t in_flight;
} device_queue_t;

struct _cl_device_id {
  object_t object;
  cl_platform_id platform;
  /** Its queues and their command buffers are of this device. */
  mux_device_t mux_device;
  /** Memory, executables and kernels are of this one, for the device and all its sub-devices: that of the root. */
  mux_device_t mux_root;
  mux_device_info_t info;
  /** What programs for this device are compiled for; extension and feature lists are the ones that the device
   * queries answer. */
  compiler_target_t target;
  /** The compute queues behind the OpenCL queues of the device, shared when there are more of those. */
  device_queue_t *mux_queues;
  uint32_t mux_queue_count;
  /** Command buffers, semaphores and fences between uses: they may outlive the queue and context that used them. Null
   * until the first batch (batch.h). */
  _Atomic(struct batch_pool_t *) batches;

  /* Sub-devices. */

  /** Held; null when a root device. */
  cl_device_id parent;
  /** As clCreateSubDevices was told, with its final zero; null when a root device. */
  cl_device_partition_property *partition_type;
  size_t partition_type_length;
  /** Among those that nobody holds any more. */
  list_t link;
};

struct _cl_platform_id {
  object_t object;
  cl_uint device_count;
  cl_device_id *devices;
};

/** The one platform, made at the first call with its devices. Null when out of memory. Thread safe. */
cl_platform_id platform_get(void);

/** Around fork: locks and unlocks the making of the platform. */
void platform_lock(void);
void platform_unlock(void);

/** Makes a device over `mux_device`, which stays the caller's when this fails: null then. `parent` is null for a root
 * device, which lives for ever; a sub-device holds it, and `destroy` is what becomes of it when nobody holds it. */
cl_device_id device_create(cl_platform_id platform, mux_device_t mux_device, cl_device_id parent,
                           void (*destroy)(object_t *object));
/** Frees a sub-device that nobody holds, and whose pool of batches is gone; the Mux device stays. */
void device_free(cl_device_id device);

/** References of the driver. Root devices, which are never freed, are not counted. */
static inline void device_hold(cl_device_id device) {
  if (device->parent) object_hold(OBJECT(device));
}
static inline void device_drop(cl_device_id device) {
  if (device->parent) object_drop(OBJECT(device));
}

/** A Mux queue for one more OpenCL queue: one with the fewest users. device_leave_queue gives it back. Thread safe. */
device_queue_t *device_join_queue(cl_device_id device);
void device_leave_queue(device_queue_t *queue);

/** True when `device` is a device of this driver. */
bool device_is_valid(cl_device_id device);

#endif
