/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What a backend with native objects implements so that command groups run on it. */
#ifndef INTEROP_OBJECT_RUNTIME_H
#define INTEROP_OBJECT_RUNTIME_H

#include "interop/object/context.h"
#include "interop/object/memory.h"
#include "interop/object/node.h"
#include "interop/object/program.h"
#include "interop/object/queue.h"
#include "interop/object/sampler.h"

/** What unified memory is for, beside the application's kinds: the storage of a bound buffer, which the host uses as it
 * uses that of every other one. */
enum { interop_kind_bound = quern_usm_total };

/** How a native event stands. */
typedef enum interop_outcome_e {
  interop_outcome_running,
  interop_outcome_success,
  interop_outcome_failure
} interop_outcome_t;

/** Functions set the calling thread's message when they fail. None is called with a lock of the library held, but for
 * those of memory.c under the memory object's lock. Native objects are counted; "gives" is with a reference. */
typedef struct interop_runtime_s {
  /** Takes and gives back a reference; `object` says the kind. */
  quern_result_t (*retain)(interop_backend_state_t *state, quern_object_t object, void *native);
  void (*release)(interop_backend_state_t *state, quern_object_t object, void *native);

  /** Makes the native context of the context's devices. */
  quern_result_t (*open_context)(quern_context_t context);
  /** Finds platform and devices of a native context: `out_devices` is malloc'ed, of native devices. */
  quern_result_t (*read_context)(interop_backend_state_t *state, void *native, void **out_platform, void ***out_devices,
                                 size_t *out_count);
  /** Makes the queue's native queue. */
  quern_result_t (*open_queue)(quern_queue_t queue);
  /** What a native queue is: its native context, its device, its flags. */
  quern_result_t (*read_queue)(interop_backend_state_t *state, void *native, void **out_context, void **out_device,
                               quern_queue_flags_t *out_flags);
  /** Sends what was enqueued to the device. */
  void (*flush)(quern_queue_t queue);

  /** The native context that a native object belongs to: event, buffer, image, program, kernel or sampler. */
  quern_result_t (*find_context)(interop_backend_state_t *state, quern_object_t object, void *native,
                                 void **out_context);

  /** Gives a native memory object for the copy. `host`: memory that it shares, or with `is_initial` starts with;
   * may be null. */
  quern_result_t (*create_memory)(const struct quern_memory_s *memory, quern_context_t context, void *host,
                                  bool is_initial, void **out_native);
  /** Gives a native memory object that is a range of another one. */
  quern_result_t (*create_part)(quern_context_t context, void *whole, size_t offset, size_t size, void **out_native);
  /** Has interop_storage_drop(storage) called, once, when the native memory object is gone for everybody. */
  quern_result_t (*hold_storage)(interop_backend_state_t *state, void *native, interop_storage_t *storage);
  /** Gives unified memory of a kind, for one device of the context, or null for all; alignment 0: any. Null: the
   * backend has none. And its end. */
  quern_result_t (*allocate)(quern_context_t context, quern_device_t device, int kind, size_t size, size_t alignment,
                             void **out_pointer);
  void (*deallocate)(quern_context_t context, void *pointer);
  /** Fills in size, kind and layout of a native memory object. */
  quern_result_t (*read_memory)(interop_backend_state_t *state, void *native, quern_memory_t memory);
  /** Copies between a range of a native memory object and host memory, and waits. */
  quern_result_t (*move)(quern_queue_t queue, const struct quern_memory_s *memory, void *native,
                         interop_direction_t direction, size_t offset, size_t size, void *host);
  /** Maps a range of a native buffer, and waits; and the reverse. */
  quern_result_t (*map)(quern_queue_t queue, void *native, quern_access_t access, size_t offset, size_t size,
                        void **out_pointer);
  quern_result_t (*unmap)(quern_queue_t queue, void *native, void *pointer);

  /** Enqueues the node's action on `queue`, after the events that the node waits for. Gives the event in
   * node->native; leaves null there when there was nothing to do. */
  quern_result_t (*dispatch)(interop_node_t *node, quern_queue_t queue);
  /** Has interop_watch_notify(node) called, once, when the node's native event completes. False: it cannot. */
  bool (*watch)(interop_node_t *node);
  /** Asks; on failure the message tells. */
  interop_outcome_t (*poll)(interop_backend_state_t *state, void *event);
  /** Waits for it, flushing its queue. */
  void (*wait)(interop_backend_state_t *state, void *event);
  /** Whether the device has begun with it. */
  bool (*has_started)(interop_backend_state_t *state, void *event);
  /** When the device began and ended with it, for an event that was enqueued at `submitted` or little later by the
   * host's clock, in nanoseconds of that. Where that is not known, both stay as they are. */
  void (*profile)(interop_backend_state_t *state, void *event, uint64_t submitted, uint64_t *out_started,
                  uint64_t *out_ended);
  /** Gives an event that stands for a node, and completes it. */
  quern_result_t (*create_event)(quern_context_t context, void **out_event);
  void (*complete_event)(interop_backend_state_t *state, void *event, bool success);

  quern_result_t (*create_program)(quern_context_t context, const char *source, const char *options, void **out_native);
  quern_result_t (*create_sampler)(quern_context_t context, const quern_sampler_description_t *description,
                                   void **out_native);
  quern_result_t (*create_kernel)(quern_program_t program, const char *name, void **out_native);
} interop_runtime_t;

static inline const interop_runtime_t *interop_runtime_of(const struct quern_context_s *context) {
  return context->state->backend->runtime;
}

#endif
