/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Platform and device objects. They live as long as the process. */
#ifndef CL_OBJECT_DEVICE_H
#define CL_OBJECT_DEVICE_H

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
  mux_device_t mux_device;
  mux_device_info_t info;
  /** What programs for this device are compiled for; extension and feature lists are the ones that the device
   * queries answer. */
  compiler_target_t target;
  /** The compute queues behind the OpenCL queues of the device (statement M8), shared when there are more of those. */
  device_queue_t *mux_queues;
  uint32_t mux_queue_count;
  /** Command buffers, semaphores and fences between uses: they may outlive the queue and context that used them. */
  struct batch_pool_t *batches;
};

struct _cl_platform_id {
  object_t object;
  cl_uint device_count;
  cl_device_id *devices;
};

/** The one platform, made at the first call with its devices. Null when out of memory. Thread safe. */
cl_platform_id platform_get(void);

/** True when the compiler library is where it would be loaded from. Looks for the file, does not open it. */
bool device_has_compiler(void);

/** A Mux queue for one more OpenCL queue: one with the fewest users. device_leave_queue gives it back. Thread safe. */
device_queue_t *device_join_queue(cl_device_id device);
void device_leave_queue(device_queue_t *queue);

/** True when `device` is a device of this driver. */
bool device_is_valid(cl_device_id device);

#endif
