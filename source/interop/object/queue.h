/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Queues: native queues, and which nodes are in them. */
#ifndef INTEROP_OBJECT_QUEUE_H
#define INTEROP_OBJECT_QUEUE_H

#include "interop/object/context.h"
#include "quern/queue.h"

struct quern_event_s;

struct quern_queue_s {
  interop_object_t object;
  /** Holds it, but the context's own queue of transfers does not. */
  quern_context_t context;
  quern_device_t device;
  quern_queue_flags_t flags;
  quern_async_handler_t handler;
  void *handler_data;
  bool is_transfers;
  /** For traces. */
  unsigned number;

  /** The native queue; made at the first use for transfers. */
  pthread_mutex_t open_lock;
  atomic_bool is_open;
  void *native;
  /** Commands enqueued and not flushed. */
  atomic_uint unflushed;

  /* Guarded by the graph's lock: */
  /** Nodes submitted and not complete, in that order. */
  list_t members;
  /** The last node, in order, and the last exclusive one, out of order; held; null when complete. */
  struct quern_event_s *last, *barrier;
  uint64_t sequence;
  /** Nodes given to the device or a worker, and not complete. */
  size_t active;
  /** Threads that wait until the queue is empty. */
  size_t waiters;
  /** Nodes whose completion the device will tell, and one for the thread that is being told. */
  size_t watched;
  /** Some node that came here to be tried again has the queue for itself; others that are ready are parked. */
  bool is_reserved;
  list_t parked;
};

QUERN_MUST_CHECK quern_result_t interop_queue_check(quern_queue_t queue);
void interop_queue_hold(quern_queue_t queue);
void interop_queue_drop(quern_queue_t queue);

/** The queue that the context's transfers go to; null when out of memory. */
quern_queue_t interop_queue_create_transfers(quern_context_t context);
/** Frees such a queue. */
void interop_queue_destroy_transfers(quern_queue_t queue);

/** Makes the native queue if it is not there yet. */
QUERN_MUST_CHECK quern_result_t interop_queue_open(quern_queue_t queue);

/** Sends to the device what was enqueued, if anything. */
void interop_queue_flush(quern_queue_t queue);

static inline bool interop_queue_is_in_order(const struct quern_queue_s *queue) {
  return !(queue->flags & quern_queue_out_of_order);
}

#endif
