/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Nodes of the task graph: a command group from its making to its end, a transfer, or an access of the host. */
#ifndef INTEROP_OBJECT_NODE_H
#define INTEROP_OBJECT_NODE_H

#include "interop/object/memory.h"
#include "interop/object/program.h"
#include "interop/object/queue.h"
#include "interop/object/sampler.h"
#include "quern/group.h"

/** X(name, text for traces). */
#define INTEROP_ACTION_LIST(X)          \
  X(none, "empty")                      \
  X(kernel, "kernel")                   \
  X(host_kernel, "host kernel")         \
  X(copy, "copy")                       \
  X(read, "read")                       \
  X(write, "write")                     \
  X(fill, "fill")                       \
  X(usm_copy, "copy of unified memory") \
  X(usm_fill, "fill of unified memory") \
  X(prefetch, "prefetch")               \
  X(advise, "advice")                   \
  X(update_host, "update host")         \
  X(host_task, "host task")             \
  X(interop_task, "interop task")       \
  X(transfer, "transfer")               \
  X(host_access, "host access")         \
  X(native_event, "native event")

typedef enum interop_action_e {
#define INTEROP_ACTION_ENUM(name, text) interop_action_##name,
  INTEROP_ACTION_LIST(INTEROP_ACTION_ENUM)
#undef INTEROP_ACTION_ENUM
} interop_action_t;

/** States go one way, but for retries on a fallback queue, which stay in `running`. */
typedef enum interop_state_e {
  interop_state_building,
  /** Waits for other nodes. */
  interop_state_blocked,
  /** Some thread is giving it to the device, or to a worker. */
  interop_state_starting,
  /** The device has it: `native` is its event. */
  interop_state_dispatched,
  /** A function of the host runs, or the host has access, or the outcome is being told. */
  interop_state_running,
  interop_state_complete
} interop_state_t;

typedef struct interop_requirement_t {
  /** Of the memory object that has the contents. */
  quern_accessor_t accessor;
  /** The storage that the node uses; null on the host. Set when the node is submitted. */
  interop_copy_t *copy;
  /** When the accessor is of a part of a buffer: that, held, and its native object beside `copy`. */
  quern_memory_t part;
  interop_copy_t *part_copy;
  /** While a host function runs: the address of the object's first byte; and whether it is a mapping or a copy to be
   * undone. */
  void *host;
  bool is_mapped, is_staged;
} interop_requirement_t;

/** A kernel's argument. */
typedef struct interop_argument_t {
  uint32_t index;
  /** A memory object: that of this requirement. UINT32_MAX: it is none. */
  uint32_t requirement;
  bool is_sampler;
  /** The bytes are an address. */
  bool is_pointer;
  size_t size;
  /** Of the bytes in `argument_bytes`; SIZE_MAX: local memory. */
  size_t offset;
} interop_argument_t;

/** Somebody who wants to be told of a node's end. */
typedef struct interop_callback_s {
  quern_event_callback_t function;
  void *data;
  struct interop_callback_s *next;
} interop_callback_t;

/** Something that must have happened before: held. */
typedef struct interop_edge_t {
  interop_node_t *from;
  /** The failure of `from` is one of this node; otherwise only the order matters. */
  bool is_strict;
} interop_edge_t;

enum {
  interop_inline_requirements = 3,
  interop_inline_edges = 4,
  interop_inline_waiters = 2,
  interop_inline_arguments = 6,
  interop_inline_argument_bytes = 48,
  interop_inline_samplers = 1,
  interop_pattern_capacity = 128
};

/** An array that begins in the node, and moves to the heap when it grows. */
#define INTEROP_ARRAY(type, inline_count) \
  struct {                                \
    type *items;                          \
    size_t count, capacity;               \
    type inline_items[inline_count];      \
  }

struct quern_event_s {
  interop_object_t object;
  interop_action_t action;
  uint64_t id;
  /** Where it was submitted, and is tried again; held. */
  quern_queue_t queue, fallback;
  quern_context_t context;
  /** The action is given to the backend; otherwise the library runs it. */
  bool is_native;
  /** Accessors are satisfied for the host, not for the device. */
  bool on_host;
  /** Has the queue for itself. */
  bool is_exclusive;
  /** Nobody may wait for it natively: it may be tried again. */
  bool hides_native;
  /** Has a requirement in memory that the library does not know. */
  bool has_unknown;
  /** The fallback queue was tried, or is being tried. */
  bool was_retried;
  /** The device gave it up because of another one whose failure is none of this one's: it is enqueued again. */
  bool is_repeated;

  /* Guarded by the graph's lock from submission on: */
  interop_state_t state;
  bool is_watched;
  quern_result_t result;
  /** Null: the text of `result`. Constant when complete. */
  char *message;
  /** The failure came over an edge. */
  bool is_dependent_failure;
  size_t unresolved;
  list_t member, ready, watch;
  INTEROP_ARRAY(interop_node_t *, interop_inline_waiters) waiters;
  /** An event made for those who asked for a native one before there was; and whether there was one when the node
   * completed. */
  void *stand_in;
  bool had_stand_in;
  /** Functions to call when it is complete; constant from then on. */
  struct interop_callback_s *callbacks;
  /** The node that was connected last: finds doubles. */
  uint64_t connected_id;
  /** Place in the order of its queue. */
  uint64_t sequence;
  /** Counts in its queue's `active`. */
  bool is_active;

  /* Constant from the moment on when nothing blocks the node: */
  INTEROP_ARRAY(interop_edge_t, interop_inline_edges) edges;
  /** Native events to wait for; they belong to nodes at edges. */
  INTEROP_ARRAY(void *, interop_inline_edges) waits;
  INTEROP_ARRAY(interop_requirement_t, interop_inline_requirements) requirements;

  /** The backend's event; set before the state is `dispatched`. Null again before a second try. */
  _Atomic(void *) native;
  /** Of a transfer by mapping: the event of the mapping, which fails when the contents could not be had, whatever
   * becomes of the unmapping behind it. Or null. */
  void *companion;
  /** The events of the first try. */
  void *failed_native, *failed_companion;
  uint64_t submitted_ns, started_ns, ended_ns;
  interop_node_t *mail_next;

  void (*destroy)(void *data);
  void *destroy_data;
  /** Of tasks and host kernels. */
  union {
    quern_task_t task;
    quern_host_kernel_t host_kernel;
  } function;
  void *data;
  quern_kernel_t kernel;
  quern_range_t range;
  INTEROP_ARRAY(interop_argument_t, interop_inline_arguments) arguments;
  INTEROP_ARRAY(unsigned char, interop_inline_argument_bytes) argument_bytes;
  INTEROP_ARRAY(quern_sampler_t, interop_inline_samplers) samplers;
  /** Of copy, read, write, fill, update: indices of requirements; host memory; the pattern, in argument_bytes. */
  size_t from, to;
  void *host_memory;
  const void *source_memory;
  /** Of actions on unified memory: to host_memory, from source_memory. */
  size_t usm_size;
  uint32_t advice;
  /** Of a transfer. */
  quern_memory_t memory;
  interop_copy_t *copy;
  interop_direction_t direction;
  size_t begin, end;
};

/** Makes room for one more item; false when out of memory. */
#define INTEROP_ARRAY_INIT(array)                              \
  ((array)->items = (array)->inline_items, (array)->count = 0, \
   (array)->capacity = sizeof((array)->inline_items) / sizeof((array)->inline_items[0]))
#define INTEROP_ARRAY_RESERVE(array, more)                                                                 \
  ((array)->count + (more) <= (array)->capacity ||                                                         \
   interop_array_grow((void **)&(array)->items, &(array)->capacity, (array)->inline_items, (array)->count, \
                      (array)->count + (more), sizeof((array)->items[0])))
#define INTEROP_ARRAY_FREE(array) ((array)->items != (array)->inline_items ? free((void *)(array)->items) : (void)0)

QUERN_MUST_CHECK bool interop_array_grow(void **items, size_t *capacity, const void *inline_items, size_t count,
                                         size_t needed, size_t item_size);

/** A node for `queue`, with one reference; null when out of memory. */
interop_node_t *interop_node_create(quern_queue_t queue, interop_action_t action);
static inline void interop_node_hold(interop_node_t *node) { interop_object_hold(&node->object); }
/** Not with a lock held: the last one frees native objects. */
void interop_node_drop(interop_node_t *node);
/** Drops what only the action needed: memory objects, kernel, the caller's data. */
void interop_node_finish(interop_node_t *node);

QUERN_MUST_CHECK quern_result_t interop_event_check(quern_event_t event);

/** The memory object as the application named it: what a task gets, or a kernel as an argument. */
static inline quern_memory_t interop_requirement_memory(const interop_requirement_t *requirement) {
  return requirement->part ? requirement->part : requirement->accessor.memory;
}
/** Its native object. */
QUERN_MUST_CHECK quern_result_t interop_requirement_native(const interop_requirement_t *requirement, void **out_native);

/** Whether the node uses the requirement's memory on the host. */
static inline bool interop_node_uses_on_host(const interop_node_t *node, const interop_requirement_t *requirement) {
  return node->on_host || requirement->accessor.target == quern_target_host;
}

/** Whether other nodes can wait natively for it, once it is dispatched, in the same context. */
static inline bool interop_node_shows_native(const interop_node_t *node) {
  return node->is_native && !node->hides_native;
}

#endif
