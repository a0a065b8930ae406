/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Platforms and devices as every backend has them. */
#ifndef INTEROP_OBJECT_OBJECT_H
#define INTEROP_OBJECT_OBJECT_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/list.h"
#include "interop/object/info.h"

struct interop_backend_state_s;

/** First word of every object; tells a handle of another kind from a good one. Values that memory rarely has. */
typedef enum interop_tag_e {
  interop_tag_none = 0,
  interop_tag_platform = 0x51706c61,
  interop_tag_device = 0x51646576,
  interop_tag_context = 0x51637478,
  interop_tag_queue = 0x51717565,
  interop_tag_memory = 0x516d656d,
  interop_tag_program = 0x5170726f,
  interop_tag_kernel = 0x516b6572,
  interop_tag_group = 0x51677270,
  interop_tag_event = 0x51657674,
  interop_tag_host_access = 0x51686163,
  interop_tag_sampler = 0x51736d70
} interop_tag_t;

/** Begins every counted object. */
typedef struct interop_object_t {
  interop_tag_t tag;
  atomic_uint references;
} interop_object_t;

/** One reference more. */
static inline void interop_object_hold(interop_object_t *object) {
  atomic_fetch_add_explicit(&object->references, 1, memory_order_relaxed);
}

/** One less; true when it was the last: the caller then frees the object. */
QUERN_MUST_CHECK static inline bool interop_object_drop(interop_object_t *object) {
  return atomic_fetch_sub_explicit(&object->references, 1, memory_order_acq_rel) == 1;
}

/** Checks a handle: null, or another tag, is quern_error_invalid_object with a message that says `kind`. */
QUERN_MUST_CHECK quern_result_t interop_object_check(const void *object, interop_tag_t tag, const char *kind);

/** Lives in the registry. All but `sub_devices` is constant once the backend is open. */
struct quern_platform_s {
  interop_tag_t tag;
  struct interop_backend_state_s *state;
  /** The backend's own object; null where it has none. */
  void *native;
  interop_platform_info_t info;
  /** What else the backend knows of it; malloc'ed, or null. */
  void *backend_data;
  /** Root devices. */
  quern_device_t *devices;
  size_t device_count, device_capacity;
  /** Sub-devices that have a handle now, so that equal ones have equal handles. The lock guards the list and the
   * reference counts of its members. */
  pthread_mutex_t sub_device_lock;
  list_t sub_devices;
};

/** Constant once made, but for a sub-device's count. */
struct quern_device_s {
  interop_tag_t tag;
  quern_platform_t platform;
  void *native;
  interop_device_info_t info;
  /** 0: a root device, which is not counted. */
  size_t references;
  list_t node;
};

/** A platform without facts and devices, in no list; null when out of memory. */
quern_platform_t interop_platform_create(struct interop_backend_state_s *state, void *native);
/** Frees it with its root devices; it must have no sub-devices. Null is allowed. */
void interop_platform_destroy(quern_platform_t platform);
/** Makes `device` the platform's last root device. False when out of memory; the device is then still the caller's. */
QUERN_MUST_CHECK bool interop_platform_add_device(quern_platform_t platform, quern_device_t device);

/** A device without facts, in no list; null when out of memory. */
quern_device_t interop_device_create(quern_platform_t platform, void *native);
/** Frees the memory; native references are the caller's business. Null is allowed. */
void interop_device_destroy(quern_device_t device);

/** One reference more, or less. Root devices are not counted. */
void interop_device_hold(quern_device_t device);
void interop_device_drop(quern_device_t device);

/** Checks a handle, and sets the message when it is bad. */
QUERN_MUST_CHECK quern_result_t interop_platform_check(quern_platform_t platform);
QUERN_MUST_CHECK quern_result_t interop_device_check(quern_device_t device);

/* ------------------------------------------------------------ lists for the caller */

/** Checks where a list is to be written. */
QUERN_MUST_CHECK quern_result_t interop_output_check(const void *out_items, size_t capacity, const size_t *out_count);

#endif
