/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Batches: a Mux command buffer with what its dispatch needs, the commands' notes, and its place in the graph. */
#ifndef CL_QUEUEING_BATCH_H
#define CL_QUEUEING_BATCH_H

#include <pthread.h>

#include "base/list.h"
#include "cl/device/device.h"

typedef struct batch_t batch_t;

/** What is to be done when the batch has completed: drop an object, call a completion function, complete an event. */
typedef struct note_t {
  void (*function)(void *data, cl_int status);
  void *data;
  /** What to call the function with when not CL_COMPLETE: the command was given up though its batch goes on. */
  cl_int status;
  /** Commands of the command buffer when the note's command was enqueued, it included: the note's command is complete
   * when that many are. */
  mux_command_id_t end;
} note_t;

typedef enum batch_state_e {
  /** Commands are being recorded: a pending dispatch in the words of docs/opencl-on-mux.md. */
  batch_open,
  /** Flushed; waits for its blockers. */
  batch_sealed,
  /** Being given to the device. */
  batch_launching,
  /** Given to the device. */
  batch_dispatched,
  batch_complete,
} batch_state_e;

/** "`from` starts after `on` has completed." Lives in `from`, linked into the list of what it waits for. */
typedef struct edge_t {
  list_t link;
  batch_t *from;
  /** Held; null when the edge waits for a user event. */
  batch_t *on;
  /** A failure of `on` terminates `from`. Otherwise the edge only orders. */
  bool by_event;
  /** `on` is not dispatched, or `from` could not be dispatched and has to wait until `on` is complete, or the user
   * event is not set: one of `from`'s blockers. */
  bool blocks;
  /** `from` was dispatched with the semaphore of `on` to wait for. */
  bool signals;
} edge_t;

/** A command buffer that is executed in place of a batch's own: one of the application's. */
typedef struct user_commands_t {
  mux_command_buffer_t commands;
  /** The batch that it was enqueued with last, and the event of that command, if it is timed. */
  batch_t *batch;
  cl_event event;
} user_commands_t;

struct batch_t {
  cl_device_id device;
  mux_command_buffer_t commands;
  /** Null unless the batch was made for a command buffer of the application. No command joins it, and nothing is
   * recorded into `commands`, which is executed only if the batch is terminated. */
  user_commands_t *user;
  /** Where it is, or was last, dispatched. */
  device_queue_t *mux_queue;
  /** Signalled at the end of the batch; reset when the batch is used again. */
  mux_semaphore_t semaphore;
  mux_fence_t fence;
  struct mux_callback_info_s diagnostics;
  /** One for the way from acquisition to completion, one per edge on this batch, and whoever else looks at it. */
  _Atomic uint32_t references;

  /** Held from acquisition to completion. */
  cl_command_queue queue;
  /** In the queue's `pending` (under its mutex), then in its `outstanding` (under the graph's), then in the pool. */
  list_t link;
  uint64_t sequence;
  /** The queue's barrier count at creation. */
  uint32_t epoch;
  /** Out-of-order queues: commands without wait events may join. */
  bool lane;
  /** A user event decides whether it runs, so that no command may join that does not wait for one of its events. */
  bool conditional;
  /** An event of the batch has a callback for CL_SUBMITTED or CL_RUNNING. */
  atomic_bool early_callbacks;
  atomic_bool running;
  /** The device has called back for it, and so has it, whether the launching thread knows that yet or not. Set before
   * code of the application is called, which may fork. */
  atomic_bool entered;

  /* Under the graph's mutex. */
  batch_state_e state;
  uint32_t blockers;
  /** Mux took it: the fence tells when Mux is through with it. */
  bool launched;
  /** The thread that gives it to the device, in that state. */
  pthread_t launcher;
  /** Negative: what the batch waits for has failed; it runs empty and ends with this status. Read without the mutex by
   * whoever has seen the failure. */
  _Atomic cl_int doom;
  /** CL_COMPLETE or negative once complete. Negative before: it is dispatched and has failed, or will, as the device
   * ends what waits for a failed batch. */
  cl_int status;
  edge_t *edges;
  size_t edge_count, edge_capacity;
  mux_semaphore_t *semaphores;
  size_t semaphore_capacity;
  /** Edges of batches that wait for this one. */
  list_t dependents;
  list_t ready_link;
  batch_t *doom_next;

  /** Written while open, under the queue's mutex. */
  note_t *notes;
  size_t note_count, note_capacity;
  /** Profiling queues: time of the flush. */
  uint64_t submit_time;
};

/** True when nobody refers to a batch of the device, and Mux is through with all of them. */
bool batch_pool_is_idle(cl_device_id device);
/** Destroys the pool of a device that nobody uses any more, and its batches; it is idle. */
void batch_pool_destroy(cl_device_id device);
/** Around fork: locks and unlocks all pools. */
void batch_pools_lock(void);
void batch_pools_unlock(void);

/** A batch of the device's pool, which the first one makes: empty, open, with one reference; null when out of memory.
 * Thread safe. */
batch_t *batch_acquire(cl_device_id device);
void batch_ref(batch_t *batch);
/** The last one gives the batch back to the pool. Thread safe; any lock may be held. */
void batch_unref(batch_t *batch);

/** Makes room for `count` more notes. */
bool batch_reserve_notes(batch_t *batch, size_t count);
/** Adds a note; room was made. */
void batch_add_note(batch_t *batch, void (*function)(void *data, cl_int status), void *data);
/** Makes room for `count` more edges; none may be linked yet. */
bool batch_reserve_edges(batch_t *batch, size_t count);

#endif
