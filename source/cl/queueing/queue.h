/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Command queues: batches being recorded, batches under way. */
#ifndef CL_QUEUEING_QUEUE_H
#define CL_QUEUEING_QUEUE_H

#include "cl/queueing/batch.h"
#include "cl/queueing/context.h"
#include "cl/queueing/enqueue.h"
#include "cl/queueing/implicit_flush.h"

/** The command between enqueue_begin and enqueue_commit; a queue has at most one, as it is locked meanwhile. */
struct command_t {
  cl_command_queue queue;
  batch_t *batch;
  /** Null unless the application wants one. */
  cl_event event;
  cl_event *out_event;
  /** Notes of the batch before this command. */
  size_t first_note;
  /** The batch was made for this command. */
  bool fresh;
};

struct _cl_command_queue {
  object_t object;
  /** Held. */
  cl_context context;
  /** In the context's list, the youngest first, and how many were made before it; under the context's mutex. */
  list_t context_link;
  uint64_t number;
  cl_device_id device;
  device_queue_t *mux_queue;
  _Atomic cl_command_queue_properties properties;
  /** Zero-terminated copy of what the application gave; null when it gave none. */
  cl_queue_properties *property_list;
  size_t property_count;

  /** Held from enqueue_begin to enqueue_commit. */
  pthread_mutex_t mutex;
  /** Open batches, oldest first; under `mutex`. */
  list_t pending;
  uint32_t pending_count;
  uint64_t last_sequence;
  /** Out of order with many batches pending: the one that independent commands join, and how many did in a row. */
  batch_t *lane;
  uint32_t lane_run;
  /** Barriers so far. A command may join a batch of its own epoch only. */
  uint32_t epoch;
  /** Out of order: what every later command waits for. Held; null when there is none. */
  batch_t *barrier;
  /** Out of order: the last marker or barrier that waits for everything before it. Held; null when there is none. */
  batch_t *marker;
  /** In order: the batch before the next one. Held; null when there is none. */
  batch_t *last;
  command_t command;
  implicit_flush_t implicit_flush;

  /** Flushed batches that are not complete, oldest first; under the graph's mutex. */
  list_t outstanding;
  /** Among those that a user event's end flushes (event_set_user), held there; under the graph's mutex. */
  list_t resolved_link;
};

/** Makes a queue; null when out of memory. `property_list` may be null. */
cl_command_queue queue_create(cl_context context, cl_device_id device, cl_command_queue_properties properties,
                              const cl_queue_properties *property_list);

bool queue_is_valid(cl_command_queue queue);
cl_context queue_context(cl_command_queue queue);
cl_device_id queue_device(cl_command_queue queue);
bool queue_has(cl_command_queue queue, cl_command_queue_properties property);

/** What has to be done after queue_seal, once the queue is unlocked. */
typedef struct queue_flush_t {
  /** Batches to dispatch. */
  list_t ready;
  /** Events with callbacks for CL_SUBMITTED, held, linked by `early_next`. */
  cl_event early;
  /** Something waits for commands of another queue that are not flushed. */
  bool needs_others;
} queue_flush_t;

/** Flushes the queue, which is locked; queue_flush_finish does the rest after the queue is unlocked. */
void queue_seal(cl_command_queue queue, queue_flush_t *out_flush);
void queue_flush_finish(cl_command_queue queue, queue_flush_t *flush);

/** queue_flush_finish for a caller that waits for the batch with this number, or for all up to it, at once. */
void queue_flush_finish_awaited(cl_command_queue queue, queue_flush_t *flush, uint64_t sequence);

/** Gives all commands enqueued so far to the device, those of other queues that they wait for too. */
void queue_flush(cl_command_queue queue);
/** Flushes, and waits until all commands enqueued so far are complete and their callbacks have returned. */
void queue_finish(cl_command_queue queue);
/** Changes properties once the commands enqueued so far are complete; returns the old ones. */
cl_command_queue_properties queue_change_properties(cl_command_queue queue, cl_command_queue_properties properties,
                                                    bool enable);

#endif
