/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Commands: validation of what all clEnqueue* calls share, recording, commit, abort.
 *
 * Locks, in the order in which they may be taken:
 *   1. a queue's mutex: its pending (open) batches, their notes, recording. Held from enqueue_begin to the end of the
 *      command, and while flushing. Never two at once.
 *   2. the mutex of the context's graph: states, edges and blockers of batches, lists of flushed batches, user events,
 *      lists of event callbacks.
 *   3. a batch pool's mutex; the context's mutex (destructor callbacks): nothing of ours is locked under them.
 * No lock is held in muxDispatch and in waits (a target may execute there and then), nor in completion functions, event
 * callbacks and the context's notify function. Mux objects have no lock that is held while it calls us. */
#include "cl/queueing/enqueue.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/thread.h"
#include "cl/object/mux_error.h"
#include "cl/queueing/choice.h"
#include "cl/queueing/event.h"
#include "cl/queueing/refuse.h"

cl_int enqueue_validate(const enqueue_t *enqueue) {
  REQUIRE(queue_is_valid(enqueue->queue), __func__, NULL, CL_INVALID_COMMAND_QUEUE,
          "command_queue is not a command queue");
  cl_context context = enqueue->queue->context;
  REQUIRE(!atomic_load_explicit(&context->graph.is_terminated, memory_order_relaxed), __func__, context,
          CL_CONTEXT_TERMINATED_KHR, "the context was terminated");
  REQUIRE(!enqueue->wait_list == !enqueue->wait_count, __func__, context, CL_INVALID_EVENT_WAIT_LIST,
          "event_wait_list is null and num_events_in_wait_list is not 0, or the other way round");
  for (cl_uint i = 0; i < enqueue->wait_count; i++) {
    REQUIRE(event_is_valid(enqueue->wait_list[i]), __func__, context, CL_INVALID_EVENT_WAIT_LIST,
            "event_wait_list[%u] is not an event", i);
  }
  for (cl_uint i = 0; i < enqueue->wait_count; i++) {
    REQUIRE(enqueue->wait_list[i]->context == context, __func__, context, CL_INVALID_CONTEXT,
            "event_wait_list[%u] is of another context than command_queue", i);
  }
  return CL_SUCCESS;
}

/* ------------------------------------------------------------ recording */

typedef struct running_calls_t {
  size_t count;
  /** Held. */
  cl_event events[];
} running_calls_t;

static void *call_running(void *data) {
  running_calls_t *calls = data;
  for (size_t i = 0; i < calls->count; i++) {
    event_call_back(calls->events[i], CL_RUNNING);
    object_drop(OBJECT(calls->events[i]));
  }
  free(calls);
  return NULL;
}

static running_calls_t *collect_running(const batch_t *batch) {
  running_calls_t *calls = malloc(sizeof *calls + batch->note_count * sizeof(cl_event));
  if (!calls) return NULL;
  calls->count = 0;
  for (size_t i = 0; i < batch->note_count; i++) {
    cl_event event = batch->notes[i].data;
    if (batch->notes[i].function != event_note || !atomic_load(&event->callbacks)) continue;
    object_hold(OBJECT(event));
    calls->events[calls->count++] = event;
  }
  return calls;
}

/* On a thread of its own: the commands that they may wait for go on meanwhile on this one. Should it come late, they
 * are called with those for CL_COMPLETE. */
static void start_running_calls(const batch_t *batch) {
  running_calls_t *calls = collect_running(batch);
  if (!calls) return;
  if (!calls->count || !thread_start_detached(call_running, calls, "quern-running")) (void)call_running(calls);
}

/* First command of every batch: the batch has begun. */
static void on_batch_start(mux_queue_t mux_queue, mux_command_buffer_t commands, void *user_data) {
  (void)mux_queue, (void)commands;
  batch_t *batch = user_data;
  atomic_store(&batch->running, true);
  if (atomic_load(&batch->early_callbacks)) start_running_calls(batch);
}

static void on_command_start(mux_queue_t mux_queue, mux_command_buffer_t commands, void *event) {
  (void)mux_queue, (void)commands;
  ((cl_event)event)->started = clock_now_ns();
}

static void on_command_end(mux_queue_t mux_queue, mux_command_buffer_t commands, void *event) {
  (void)mux_queue, (void)commands;
  ((cl_event)event)->ended = clock_now_ns();
}

static cl_int record_callback(mux_command_buffer_t commands, mux_command_user_callback_t function, void *data) {
  return error_from_mux(muxCommandUserCallback(commands, function, data, 0, NULL, NULL), CL_OUT_OF_RESOURCES);
}

static void on_user_start(mux_queue_t mux_queue, mux_command_buffer_t commands, void *user_data) {
  const user_commands_t *user = user_data;
  on_batch_start(mux_queue, commands, user->batch);
  if (user->event) on_command_start(mux_queue, commands, user->event);
}

static void on_user_end(mux_queue_t mux_queue, mux_command_buffer_t commands, void *user_data) {
  const user_commands_t *user = user_data;
  if (user->event) on_command_end(mux_queue, commands, user->event);
}

cl_int user_commands_begin(user_commands_t *user) { return record_callback(user->commands, on_user_start, user); }
cl_int user_commands_end(user_commands_t *user) { return record_callback(user->commands, on_user_end, user); }

static void use_commands(const command_t *command, user_commands_t *user) {
  command->batch->user = user;
  user->batch = command->batch;
  user->event = command->event && command->event->profiled ? command->event : NULL;
}

static cl_int record_start(const command_t *command) {
  batch_t *batch = command->batch;
  if (command->fresh) TRY(record_callback(batch->commands, on_batch_start, batch));
  if (!command->event || !command->event->profiled) return CL_SUCCESS;
  return record_callback(batch->commands, on_command_start, command->event);
}

/* Two notes are always spare: one to add, one for the command's event at commit. */
enum { spare_notes = 2 };

static cl_int command_begin(command_t *command, const enqueue_t *enqueue, user_commands_t *user) {
  TRY(choose_batch(enqueue, &command->batch, &command->fresh));
  batch_t *batch = command->batch;
  command->first_note = batch->note_count;
  if (command->event) command->event->batch = batch;
  if (!batch_reserve_notes(batch, spare_notes)) return CL_OUT_OF_HOST_MEMORY;
  if (!user) return record_start(command);
  use_commands(command, user);
  return CL_SUCCESS;
}

cl_int enqueue_begin(const enqueue_t *enqueue, command_t **out_command) {
  return enqueue_begin_user(enqueue, NULL, out_command);
}

cl_int enqueue_begin_user(const enqueue_t *enqueue, user_commands_t *user, command_t **out_command) {
  cl_command_queue queue = enqueue->queue;
  cl_event event = enqueue->out_event ? event_create(queue, enqueue->type) : NULL;
  if (enqueue->out_event && !event) return CL_OUT_OF_HOST_MEMORY;
  pthread_mutex_lock(&queue->mutex);
  command_t *command = &queue->command;
  *command = (command_t){.queue = queue, .event = event, .out_event = enqueue->out_event};
  cl_int error = command_begin(command, enqueue, user);
  if (error) return enqueue_abort(command, error);
  *out_command = command;
  return CL_SUCCESS;
}

mux_command_buffer_t enqueue_command_buffer(command_t *command) { return command->batch->commands; }

atomic_bool *command_entered(const command_t *command) { return &command->batch->entered; }

cl_event command_event(const command_t *command) { return command->event; }

cl_int command_on_completion(command_t *command, void (*function)(void *data, cl_int status), void *data) {
  if (!batch_reserve_notes(command->batch, spare_notes)) return CL_OUT_OF_HOST_MEMORY;
  batch_add_note(command->batch, function, data);
  return CL_SUCCESS;
}

static void drop_note(void *data, cl_int status) {
  (void)status;
  object_drop(data);
}

cl_int command_hold(command_t *command, object_t *object) {
  TRY(command_on_completion(command, drop_note, object));
  object_hold(object);
  return CL_SUCCESS;
}

/* ------------------------------------------------------------ commit and abort */

static cl_int wait_blocking(cl_command_queue queue, batch_t *batch) {
  graph_wait(&queue->context->graph, batch);
  cl_int status = batch->doom < 0 ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : batch->status;
  batch_unref(batch);
  return status;
}

/* A call that failed gives no event out, which nobody would release. */
static void give_event(cl_event event, cl_int status, cl_event *out_event) {
  if (status < 0)
    object_release_external(OBJECT(event));
  else
    *out_event = event;
}

/* What tells, should the batch fail, whether this command had been completed before. */
static void end_notes(const command_t *command) {
  batch_t *batch = command->batch;
  mux_command_id_t end = (batch->user ? batch->user->commands : batch->commands)->command_count;
  for (size_t i = command->first_note; i < batch->note_count; i++) batch->notes[i].end = end;
}

cl_int enqueue_commit(command_t *command, cl_bool blocking) {
  cl_command_queue queue = command->queue;
  batch_t *batch = command->batch;
  if (command->event) {
    /* Should this fail, the event's end is its batch's. */
    if (command->event->profiled && !batch->user)
      (void)record_callback(batch->commands, on_command_end, command->event);
    object_hold(OBJECT(command->event));
    batch_add_note(batch, event_note, command->event);
  }
  end_notes(command);
  cl_event event = command->event, *out_event = command->out_event;
  if (!blocking) {
    if (event) *out_event = event;
    bool begins = implicit_flush_begins(&queue->implicit_flush);
    pthread_mutex_unlock(&queue->mutex);
    if (begins) implicit_flush_watch(queue);
    return CL_SUCCESS;
  }
  queue_flush_t flush;
  object_hold(OBJECT(queue)); /* as in queue_flush */
  batch_ref(batch);
  queue_seal(queue, &flush);
  pthread_mutex_unlock(&queue->mutex);
  queue_flush_finish_awaited(queue, &flush, batch->sequence);
  cl_int status = wait_blocking(queue, batch);
  object_drop(OBJECT(queue));
  if (event) give_event(event, status, out_event);
  return status;
}

/* The callbacks that time the command refer to its event. Where there is no room for a note, none was recorded. */
static void keep_event(command_t *command) {
  batch_t *batch = command->batch;
  if (!command->event || batch->note_count == batch->note_capacity) return;
  object_hold(OBJECT(command->event));
  batch_add_note(batch, drop_note, command->event);
}

/* What was recorded may still be executed with its batch: the notes keep what it needs until then. */
static void defer_notes(command_t *command, cl_int error) {
  batch_t *batch = command->batch;
  for (size_t i = command->first_note; i < batch->note_count; i++) batch->notes[i].status = error;
}

/* Takes the notes of a command whose batch was made for it: with the command buffer emptied, nothing refers to what
 * they hold. They are few. */
static size_t take_notes(command_t *command, note_t *out_notes, size_t capacity) {
  batch_t *batch = command->batch;
  size_t count = batch->note_count - command->first_note;
  if (!command->fresh || count > capacity || muxResetCommandBuffer(batch->commands)) return 0;
  /* Others may join the batch. Without this callback it would go from CL_SUBMITTED to CL_COMPLETE: no harm. */
  (void)record_callback(batch->commands, on_batch_start, batch);
  for (size_t i = 0; i < count; i++) out_notes[i] = batch->notes[command->first_note + i];
  batch->note_count = command->first_note;
  return count;
}

cl_int enqueue_abort(command_t *command, cl_int error) {
  note_t notes[32];
  size_t count = 0;
  cl_event event = command->event;
  if (command->batch) {
    command->batch->user = NULL;
    keep_event(command);
    count = take_notes(command, notes, sizeof notes / sizeof *notes);
    defer_notes(command, error);
  }
  pthread_mutex_unlock(&command->queue->mutex);
  for (size_t i = 0; i < count; i++) notes[i].function(notes[i].data, error);
  if (event) object_release_external(OBJECT(event));
  return error;
}
