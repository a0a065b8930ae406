/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * muxDispatch: order by semaphores, order at the end, failures. */
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "support.h"

/* What happened, in which order. */
typedef struct record_t {
  pthread_mutex_t lock;
  int events[16];
  int length;
  mux_result_t result;
  mux_fence_t fence;
} record_t;

static void append(record_t *record, int event) {
  pthread_mutex_lock(&record->lock);
  if (record->length < 16) record->events[record->length++] = event;
  pthread_mutex_unlock(&record->lock);
}

typedef struct step_t {
  record_t *record;
  int event;
  mux_command_buffer_t command_buffer;
} step_t;

static void run_step(mux_queue_t queue, mux_command_buffer_t command_buffer, void *user_data) {
  (void)queue, (void)command_buffer;
  const step_t *step = user_data;
  append(step->record, step->event);
}

static void create_step(step_t *step, record_t *record, int event) {
  *step = (step_t){.record = record, .event = event, .command_buffer = test_command_buffer_create()};
  ASSERT_SUCCESS(muxCommandUserCallback(step->command_buffer, run_step, step, NO_SYNC));
  ASSERT_SUCCESS(muxFinalizeCommandBuffer(step->command_buffer));
}

static void create_semaphores(mux_semaphore_t *semaphores, int count) {
  for (int i = 0; i < count; i++) ASSERT_SUCCESS(muxCreateSemaphore(test.device, test.allocator, &semaphores[i]));
}

static void destroy_semaphores(mux_semaphore_t *semaphores, int count) {
  for (int i = 0; i < count; i++) muxDestroySemaphore(test.device, semaphores[i], test.allocator);
}

static mux_result_t dispatch(mux_command_buffer_t command_buffer, const mux_semaphore_t *waits, uint32_t wait_count,
                             const mux_semaphore_t *signals, uint32_t signal_count) {
  return muxDispatch(test.queue, command_buffer, NULL, waits, wait_count, signals, signal_count, NULL, NULL);
}

/* Dispatched from the last to the first: only the semaphores can put them right. */
TEST(runs_a_chain_in_order) {
  enum { length = 8 };
  record_t record = {.lock = PTHREAD_MUTEX_INITIALIZER};
  step_t steps[length];
  mux_semaphore_t semaphores[length];
  create_semaphores(semaphores, length);
  for (int i = 0; i < length; i++) create_step(&steps[i], &record, i);
  for (int i = length - 1; i >= 0; i--)
    ASSERT_SUCCESS(dispatch(steps[i].command_buffer, i ? &semaphores[i - 1] : NULL, i ? 1 : 0, &semaphores[i], 1));
  ASSERT_SUCCESS(muxWaitAll(test.queue));
  assert_int_equal(record.length, length);
  for (int i = 0; i < length; i++) assert_int_equal(record.events[i], i);
  for (int i = 0; i < length; i++) test_command_buffer_destroy(steps[i].command_buffer);
  destroy_semaphores(semaphores, length);
}

TEST(waits_for_all_semaphores) {
  record_t record = {.lock = PTHREAD_MUTEX_INITIALIZER};
  step_t last, sources[3];
  mux_semaphore_t semaphores[3];
  create_semaphores(semaphores, 3);
  create_step(&last, &record, 3);
  for (int i = 0; i < 3; i++) create_step(&sources[i], &record, i);
  ASSERT_SUCCESS(dispatch(last.command_buffer, semaphores, 3, NULL, 0));
  for (int i = 0; i < 3; i++) ASSERT_SUCCESS(dispatch(sources[i].command_buffer, NULL, 0, &semaphores[i], 1));
  ASSERT_SUCCESS(muxWaitAll(test.queue));
  assert_int_equal(record.length, 4);
  assert_int_equal(record.events[3], 3);
  test_command_buffer_destroy(last.command_buffer);
  for (int i = 0; i < 3; i++) test_command_buffer_destroy(sources[i].command_buffer);
  destroy_semaphores(semaphores, 3);
}

/* A later dispatch that waits for nothing overtakes one that waits. */
TEST(orders_nothing_without_semaphores) {
  record_t record = {.lock = PTHREAD_MUTEX_INITIALIZER};
  step_t held, free_step;
  test_gate_t gate = test_gate_create();
  mux_fence_t fence = NULL;
  create_step(&held, &record, 1);
  create_step(&free_step, &record, 2);
  ASSERT_SUCCESS(muxCreateFence(test.device, test.allocator, &fence));
  ASSERT_SUCCESS(dispatch(held.command_buffer, &gate.semaphore, 1, NULL, 0));
  ASSERT_SUCCESS(muxDispatch(test.queue, free_step.command_buffer, fence, NULL, 0, NULL, 0, NULL, NULL));
  ASSERT_SUCCESS(muxWait(test.queue, fence));
  test_gate_open(&gate);
  ASSERT_SUCCESS(muxWaitAll(test.queue));
  assert_true(record.length == 2 && record.events[0] == 2 && record.events[1] == 1);
  muxDestroyFence(test.device, fence, test.allocator);
  test_command_buffer_destroy(free_step.command_buffer);
  test_command_buffer_destroy(held.command_buffer);
  test_gate_destroy(&gate);
}

TEST(copies_the_lists) {
  record_t record = {.lock = PTHREAD_MUTEX_INITIALIZER};
  step_t step;
  test_gate_t gate = test_gate_create();
  mux_semaphore_t list[16];
  create_step(&step, &record, 1);
  for (int i = 0; i < 16; i++) list[i] = gate.semaphore;
  ASSERT_SUCCESS(dispatch(step.command_buffer, list, 16, NULL, 0));
  memset(list, 0, sizeof(list));
  test_gate_open(&gate);
  ASSERT_SUCCESS(muxWaitAll(test.queue));
  assert_int_equal(record.length, 1);
  test_command_buffer_destroy(step.command_buffer);
  test_gate_destroy(&gate);
}

/* ------------------------------------------------------------ the end */

static void complete(mux_command_buffer_t command_buffer, mux_result_t error, void *user_data) {
  (void)command_buffer;
  record_t *record = user_data;
  record->result = error;
  const struct timespec time = {.tv_nsec = 2000000};
  nanosleep(&time, NULL); /* A signal that is too early has the time to be seen. */
  if (record->fence && muxTryWait(test.queue, 0, record->fence) == mux_fence_not_ready) append(record, 10);
}

/* Event 0: commands; 10: callback, the fence being not signalled; 1: what waited for the semaphore. */
TEST(calls_back_before_it_signals) {
  record_t record = {.lock = PTHREAD_MUTEX_INITIALIZER, .result = mux_error_internal};
  step_t first, second;
  mux_semaphore_t semaphore;
  create_semaphores(&semaphore, 1);
  create_step(&first, &record, 0);
  create_step(&second, &record, 1);
  ASSERT_SUCCESS(muxCreateFence(test.device, test.allocator, &record.fence));
  ASSERT_SUCCESS(dispatch(second.command_buffer, &semaphore, 1, NULL, 0));
  ASSERT_SUCCESS(
      muxDispatch(test.queue, first.command_buffer, record.fence, NULL, 0, &semaphore, 1, complete, &record));
  ASSERT_SUCCESS(muxWait(test.queue, record.fence));
  ASSERT_SUCCESS(muxWaitAll(test.queue));
  ASSERT_SUCCESS(record.result);
  assert_int_equal(record.length, 3);
  assert_true(record.events[0] == 0 && record.events[1] == 10 && record.events[2] == 1);
  muxDestroyFence(test.device, record.fence, test.allocator);
  test_command_buffer_destroy(second.command_buffer);
  test_command_buffer_destroy(first.command_buffer);
  destroy_semaphores(&semaphore, 1);
}

typedef struct reuse_t {
  mux_semaphore_t semaphore;
  mux_result_t result;
  bool destroys;
} reuse_t;

static void reuse_wait_semaphore(mux_command_buffer_t command_buffer, mux_result_t error, void *user_data) {
  (void)command_buffer, (void)error;
  reuse_t *reuse = user_data;
  reuse->result = muxResetSemaphore(reuse->semaphore);
  if (reuse->destroys) muxDestroySemaphore(test.device, reuse->semaphore, test.allocator);
}

TEST(is_done_with_wait_semaphores_at_the_callback) {
  for (int i = 0; i < 2; i++) {
    mux_command_buffer_t first = test_command_buffer_create(), second = test_command_buffer_create();
    reuse_t reuse = {.result = mux_error_internal, .destroys = i};
    create_semaphores(&reuse.semaphore, 1);
    ASSERT_SUCCESS(muxFinalizeCommandBuffer(first));
    ASSERT_SUCCESS(muxFinalizeCommandBuffer(second));
    ASSERT_SUCCESS(dispatch(first, NULL, 0, &reuse.semaphore, 1));
    ASSERT_SUCCESS(muxWaitAll(test.queue));
    ASSERT_SUCCESS(muxDispatch(test.queue, second, NULL, &reuse.semaphore, 1, NULL, 0, reuse_wait_semaphore, &reuse));
    ASSERT_SUCCESS(muxWaitAll(test.queue));
    ASSERT_SUCCESS(reuse.result);
    if (!reuse.destroys) destroy_semaphores(&reuse.semaphore, 1);
    test_command_buffer_destroy(second);
    test_command_buffer_destroy(first);
  }
}

typedef struct repeat_t {
  atomic_int left;
  _Atomic mux_result_t result;
} repeat_t;

static void dispatch_again(mux_command_buffer_t command_buffer, mux_result_t error, void *user_data) {
  (void)error;
  repeat_t *repeat = user_data;
  if (!atomic_fetch_sub(&repeat->left, 1)) return;
  repeat->result = muxDispatch(test.queue, command_buffer, NULL, NULL, 0, NULL, 0, dispatch_again, repeat);
}

/* A hundred thousand of them, so that recursion would not survive. */
TEST(may_be_called_from_its_callback) {
  repeat_t repeat = {.left = 100000};
  mux_command_buffer_t command_buffer = test_command_buffer_create();
  ASSERT_SUCCESS(muxFinalizeCommandBuffer(command_buffer));
  ASSERT_SUCCESS(muxDispatch(test.queue, command_buffer, NULL, NULL, 0, NULL, 0, dispatch_again, &repeat));
  while (repeat.left >= 0 && !repeat.result) ASSERT_SUCCESS(muxWaitAll(test.queue));
  ASSERT_SUCCESS(muxWaitAll(test.queue));
  ASSERT_SUCCESS(repeat.result);
  test_command_buffer_destroy(command_buffer);
}

/* ------------------------------------------------------------ failures */

static void take_message(void *user_data, const char *message, const void *data, size_t data_size) {
  (void)data, (void)data_size;
  if (message && *message) ++*(int *)user_data;
}

/* The failing one, one that waits for it, one that waits for that; and the fence of the last. */
TEST(passes_failures_on) {
  test_failure_t failure = test_failure_create();
  record_t records[3], commands = {.lock = PTHREAD_MUTEX_INITIALIZER};
  mux_semaphore_t semaphores[3];
  step_t steps[2];
  mux_fence_t fence = NULL;
  mux_command_buffer_t failing = test_command_buffer_create();
  create_semaphores(semaphores, 3);
  for (int i = 0; i < 3; i++) records[i] = (record_t){.lock = PTHREAD_MUTEX_INITIALIZER};
  for (int i = 0; i < 2; i++) create_step(&steps[i], &commands, i);
  ASSERT_SUCCESS(muxCreateFence(test.device, test.allocator, &fence));
  test_failure_record(&failure, failing);
  step_t after = {.record = &commands, .event = 5};
  ASSERT_SUCCESS(muxCommandUserCallback(failing, run_step, &after, NO_SYNC));
  ASSERT_SUCCESS(muxFinalizeCommandBuffer(failing));

  ASSERT_SUCCESS(muxDispatch(test.queue, steps[1].command_buffer, fence, &semaphores[1], 1, &semaphores[2], 1, complete,
                             &records[2]));
  ASSERT_SUCCESS(muxDispatch(test.queue, steps[0].command_buffer, NULL, &semaphores[0], 1, &semaphores[1], 1, complete,
                             &records[1]));
  ASSERT_SUCCESS(muxDispatch(test.queue, failing, NULL, NULL, 0, &semaphores[0], 1, complete, &records[0]));
  ASSERT_RESULT(mux_error_fence_failure, muxWait(test.queue, fence));
  ASSERT_SUCCESS(muxWaitAll(test.queue));
  assert_true(records[0].result != mux_success);
  for (int i = 1; i < 3; i++) ASSERT_RESULT(records[0].result, records[i].result);
  assert_int_equal(commands.length, 0); /* Nothing ran after the failure. */

  /* The queue goes on, and a semaphore that is reset forgets. */
  for (int i = 0; i < 3; i++) ASSERT_SUCCESS(muxResetSemaphore(semaphores[i]));
  ASSERT_SUCCESS(dispatch(steps[0].command_buffer, NULL, 0, &semaphores[0], 1));
  ASSERT_SUCCESS(dispatch(steps[1].command_buffer, &semaphores[0], 1, NULL, 0));
  ASSERT_SUCCESS(muxWaitAll(test.queue));
  assert_int_equal(commands.length, 2);

  muxDestroyFence(test.device, fence, test.allocator);
  test_command_buffer_destroy(failing);
  for (int i = 0; i < 2; i++) test_command_buffer_destroy(steps[i].command_buffer);
  destroy_semaphores(semaphores, 3);
  test_failure_destroy(&failure);
}

static void note_completed(mux_command_buffer_t command_buffer, mux_result_t result, void *user_data) {
  (void)result;
  *(mux_command_id_t *)user_data = command_buffer->completed_count;
}

/* All, those before the one that failed, and none when the dispatch was not run. */
TEST(tells_how_many_commands_completed) {
  test_failure_t failure = test_failure_create();
  record_t record = {.lock = PTHREAD_MUTEX_INITIALIZER};
  mux_command_id_t completed[3] = {99, 99, 99};
  mux_semaphore_t semaphore;
  step_t step;
  mux_command_buffer_t failing = test_command_buffer_create();
  create_semaphores(&semaphore, 1);
  create_step(&step, &record, 0);
  step_t before = {.record = &record, .event = 1};
  for (int i = 0; i < 2; i++) ASSERT_SUCCESS(muxCommandUserCallback(failing, run_step, &before, NO_SYNC));
  assert_int_equal(failing->command_count, 2);
  test_failure_record(&failure, failing);
  ASSERT_SUCCESS(muxCommandUserCallback(failing, run_step, &before, NO_SYNC));
  ASSERT_SUCCESS(muxFinalizeCommandBuffer(failing));

  mux_command_buffer_t good = step.command_buffer;
  ASSERT_SUCCESS(muxDispatch(test.queue, good, NULL, NULL, 0, NULL, 0, note_completed, &completed[0]));
  ASSERT_SUCCESS(muxWaitAll(test.queue));
  ASSERT_SUCCESS(muxDispatch(test.queue, failing, NULL, NULL, 0, &semaphore, 1, note_completed, &completed[1]));
  ASSERT_SUCCESS(muxDispatch(test.queue, good, NULL, &semaphore, 1, NULL, 0, note_completed, &completed[2]));
  ASSERT_SUCCESS(muxWaitAll(test.queue));
  assert_int_equal(completed[0], good->command_count);
  assert_int_equal(completed[1], 2);
  assert_int_equal(completed[2], 0);

  ASSERT_SUCCESS(muxResetCommandBuffer(failing));
  assert_int_equal(failing->command_count, 0);
  test_command_buffer_destroy(failing);
  test_command_buffer_destroy(good);
  destroy_semaphores(&semaphore, 1);
  test_failure_destroy(&failure);
}

/* Only a target that has diagnostics sends them; then they are text. */
TEST(may_tell_why) {
  test_failure_t failure = test_failure_create();
  int messages = 0;
  struct mux_callback_info_s info = {.callback = take_message, .user_data = &messages};
  mux_command_buffer_t command_buffer = NULL;
  ASSERT_SUCCESS(muxCreateCommandBuffer(test.device, &info, test.allocator, &command_buffer));
  test_failure_record(&failure, command_buffer);
  assert_true(test_command_buffer_run(command_buffer) != mux_success);
  assert_in_range(messages, 0, 1);
  test_command_buffer_destroy(command_buffer);
  test_failure_destroy(&failure);
}

/* ------------------------------------------------------------ arguments */

TEST(refuses_bad_arguments) {
  mux_command_buffer_t command_buffer = test_command_buffer_create();
  mux_semaphore_t semaphores[2];
  mux_device_t other = NULL;
  mux_queue_t other_queue = NULL;
  create_semaphores(semaphores, 2);
  ASSERT_INVALID(dispatch(command_buffer, NULL, 0, NULL, 0)); /* It is recording. */
  ASSERT_SUCCESS(muxFinalizeCommandBuffer(command_buffer));
  ASSERT_REFUSES_BAD(mux_queue_t, queue, muxDispatch(bad, command_buffer, NULL, NULL, 0, NULL, 0, NULL, NULL));
  ASSERT_REFUSES_BAD(mux_command_buffer_t, command_buffer, dispatch(bad, NULL, 0, NULL, 0));
  for (unsigned i = 1; i < TEST_BAD_HANDLE_COUNT; i++) { /* No fence is allowed. */
    mux_fence_t bad = test_bad_handle(i, mux_object_id_fence);
    ASSERT_INVALID(muxDispatch(test.queue, command_buffer, bad, NULL, 0, NULL, 0, NULL, NULL));
  }
  ASSERT_REFUSES_BAD(mux_semaphore_t, semaphore, dispatch(command_buffer, &bad, 1, NULL, 0));
  ASSERT_REFUSES_BAD(mux_semaphore_t, semaphore, dispatch(command_buffer, NULL, 0, &bad, 1));
  ASSERT_INVALID(dispatch(command_buffer, semaphores, 0, NULL, 0));
  ASSERT_INVALID(dispatch(command_buffer, NULL, 1, NULL, 0));
  ASSERT_INVALID(dispatch(command_buffer, NULL, 0, semaphores, 0));
  ASSERT_INVALID(dispatch(command_buffer, NULL, 0, NULL, 1));
  ASSERT_INVALID(dispatch(command_buffer, semaphores, 2, &semaphores[1], 1));
  ASSERT_SUCCESS(muxCreateDevices(1, &test.info, test.allocator, &other));
  ASSERT_SUCCESS(muxGetQueue(other, mux_queue_type_compute, 0, &other_queue));
  ASSERT_INVALID(muxDispatch(other_queue, command_buffer, NULL, NULL, 0, NULL, 0, NULL, NULL));
  muxDestroyDevice(other, test.allocator);
  test_command_buffer_destroy(command_buffer);
  destroy_semaphores(semaphores, 2);
}

/* A target may take its records from elsewhere; when it does not, it reports and nothing was started. */
TEST(survives_a_lack_of_memory) {
  mux_command_buffer_t command_buffer = test_command_buffer_create();
  ASSERT_SUCCESS(muxFinalizeCommandBuffer(command_buffer));
  ASSERT_SURVIVES_NO_MEMORY(dispatch(command_buffer, NULL, 0, NULL, 0));
  ASSERT_SUCCESS(muxWaitAll(test.queue));
  test_command_buffer_destroy(command_buffer);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(runs_a_chain_in_order),
    cmocka_unit_test(waits_for_all_semaphores),
    cmocka_unit_test(orders_nothing_without_semaphores),
    cmocka_unit_test(copies_the_lists),
    cmocka_unit_test(calls_back_before_it_signals),
    cmocka_unit_test(is_done_with_wait_semaphores_at_the_callback),
    cmocka_unit_test(may_be_called_from_its_callback),
    cmocka_unit_test(passes_failures_on),
    cmocka_unit_test(tells_how_many_commands_completed),
    cmocka_unit_test(may_tell_why),
    cmocka_unit_test(refuses_bad_arguments),
    cmocka_unit_test(survives_a_lack_of_memory),
};

TEST_MAIN(tests)
