/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Dispatches: semaphores, fences, completion callbacks, failures, concurrency. */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "fixture.h"

#define MILLISECOND 1000000u

/* ---------------------------------------------------------------- helpers */

static atomic_int step;

/* A command that notes when it ran. */
typedef struct note_t {
  atomic_int step;
  /* Waits until this is set, when there is one. */
  atomic_bool *gate;
} note_t;

static void note_take(mux_queue_t queue, mux_command_buffer_t command_buffer, void *user_data) {
  note_t *note = user_data;
  (void)queue, (void)command_buffer;
  while (note->gate && !atomic_load(note->gate)) usleep(100);
  atomic_store(&note->step, atomic_fetch_add(&step, 1) + 1);
}

static mux_command_buffer_t noting(note_t *note) {
  mux_command_buffer_t commands = command_buffer_create(&test);
  assert_int_equal(muxCommandUserCallback(commands, note_take, note, 0, NULL, NULL), mux_success);
  assert_int_equal(muxFinalizeCommandBuffer(commands), mux_success);
  return commands;
}

static mux_semaphore_t semaphore_create(void) {
  mux_semaphore_t semaphore = NULL;
  assert_int_equal(muxCreateSemaphore(test.device, allocator, &semaphore), mux_success);
  return semaphore;
}

static mux_fence_t fence_create(void) {
  mux_fence_t fence = NULL;
  assert_int_equal(muxCreateFence(test.device, allocator, &fence), mux_success);
  return fence;
}

/* A command buffer that fails: no thread has as much memory as its kernel asks for. */
static mux_command_buffer_t failing(mux_kernel_t *kernel) {
  *kernel = kernel_create(&test, "huge");
  mux_command_buffer_t commands = command_buffer_create(&test);
  assert_int_equal(launch_record(commands, *kernel, 1, 1, NULL, 0), mux_success);
  assert_int_equal(muxFinalizeCommandBuffer(commands), mux_success);
  return commands;
}

typedef struct completion_t {
  atomic_int step, error, calls;
} completion_t;

static void completion_note(mux_command_buffer_t command_buffer, mux_result_t error, void *user_data) {
  completion_t *completion = user_data;
  (void)command_buffer;
  atomic_store(&completion->error, (int)error);
  atomic_store(&completion->step, atomic_fetch_add(&step, 1) + 1);
  atomic_fetch_add(&completion->calls, 1);
}

/* ---------------------------------------------------------------- order */

static void chain_runs_in_order_and_its_semaphores_are_reused(void **state) {
  (void)state;
  enum { count = 20 };
  note_t notes[count];
  mux_command_buffer_t commands[count];
  mux_semaphore_t semaphores[count];
  memset(notes, 0, sizeof notes);
  for (int i = 0; i < count; ++i) commands[i] = noting(&notes[i]), semaphores[i] = semaphore_create();
  for (int round = 0; round < 50; ++round) {
    atomic_store(&step, 0);
    for (int i = 0; i < count; ++i)
      assert_int_equal(muxDispatch(test.queue, commands[i], NULL, i ? &semaphores[i - 1] : NULL, i ? 1 : 0,
                                   &semaphores[i], 1, NULL, NULL),
                       mux_success);
    assert_int_equal(muxWaitAll(test.queue), mux_success);
    for (int i = 0; i < count; ++i) assert_int_equal(atomic_load(&notes[i].step), i + 1);
    for (int i = 0; i < count; ++i) assert_int_equal(muxResetSemaphore(semaphores[i]), mux_success);
  }
  for (int i = 0; i < count; ++i) {
    command_buffer_destroy(&test, commands[i]);
    muxDestroySemaphore(test.device, semaphores[i], allocator);
  }
}

static void later_dispatch_may_signal_an_earlier_one(void **state) {
  (void)state;
  note_t notes[2] = {0};
  mux_command_buffer_t commands[] = {noting(&notes[0]), noting(&notes[1])};
  mux_semaphore_t semaphore = semaphore_create();
  mux_fence_t fence = fence_create();
  atomic_store(&step, 0);
  assert_int_equal(muxDispatch(test.queue, commands[0], fence, &semaphore, 1, NULL, 0, NULL, NULL), mux_success);
  assert_int_equal(muxTryWait(test.queue, MILLISECOND, fence), mux_fence_not_ready);
  assert_int_equal(atomic_load(&step), 0);
  assert_int_equal(muxDispatch(test.queue, commands[1], NULL, NULL, 0, &semaphore, 1, NULL, NULL), mux_success);
  assert_int_equal(muxWait(test.queue, fence), mux_success);
  assert_int_equal(atomic_load(&notes[1].step), 1);
  assert_int_equal(atomic_load(&notes[0].step), 2);
  for (int i = 0; i < 2; ++i) command_buffer_destroy(&test, commands[i]);
  muxDestroySemaphore(test.device, semaphore, allocator);
  muxDestroyFence(test.device, fence, allocator);
}

static void many_waits_and_many_signals(void **state) {
  (void)state;
  enum { count = 12 };
  note_t notes[2 * count + 1];
  mux_command_buffer_t commands[2 * count + 1];
  mux_semaphore_t before[count], after[count];
  memset(notes, 0, sizeof notes);
  for (int i = 0; i <= 2 * count; ++i) commands[i] = noting(&notes[i]);
  for (int i = 0; i < count; ++i) before[i] = semaphore_create(), after[i] = semaphore_create();
  atomic_store(&step, 0);
  /* The one in the middle waits for all of the first, and all of the last wait for it. */
  for (int i = 0; i < count; ++i)
    assert_int_equal(muxDispatch(test.queue, commands[count + 1 + i], NULL, &after[i], 1, NULL, 0, NULL, NULL),
                     mux_success);
  assert_int_equal(muxDispatch(test.queue, commands[count], NULL, before, count, after, count, NULL, NULL),
                   mux_success);
  for (int i = 0; i < count; ++i)
    assert_int_equal(muxDispatch(test.queue, commands[i], NULL, NULL, 0, &before[i], 1, NULL, NULL), mux_success);
  assert_int_equal(muxWaitAll(test.queue), mux_success);
  for (int i = 0; i < count; ++i) assert_true(atomic_load(&notes[i].step) <= count);
  assert_int_equal(atomic_load(&notes[count].step), count + 1);
  for (int i = 0; i <= 2 * count; ++i) command_buffer_destroy(&test, commands[i]);
  for (int i = 0; i < count; ++i) {
    muxDestroySemaphore(test.device, before[i], allocator);
    muxDestroySemaphore(test.device, after[i], allocator);
  }
}

static void signalled_semaphore_stays_so_until_reset(void **state) {
  (void)state;
  note_t notes[2] = {0};
  mux_command_buffer_t commands[] = {noting(&notes[0]), noting(&notes[1])};
  mux_semaphore_t semaphore = semaphore_create();
  mux_fence_t fence = fence_create();
  assert_int_equal(muxDispatch(test.queue, commands[0], NULL, NULL, 0, &semaphore, 1, NULL, NULL), mux_success);
  assert_int_equal(muxWaitAll(test.queue), mux_success);
  for (int i = 0; i < 2; ++i) {
    assert_int_equal(muxDispatch(test.queue, commands[1], fence, &semaphore, 1, NULL, 0, NULL, NULL), mux_success);
    assert_int_equal(muxWait(test.queue, fence), mux_success);
    assert_int_equal(muxResetFence(fence), mux_success);
  }
  assert_int_equal(muxResetSemaphore(semaphore), mux_success);
  assert_int_equal(muxDispatch(test.queue, commands[1], fence, &semaphore, 1, NULL, 0, NULL, NULL), mux_success);
  assert_int_equal(muxTryWait(test.queue, MILLISECOND, fence), mux_fence_not_ready);
  assert_int_equal(muxDispatch(test.queue, commands[0], NULL, NULL, 0, &semaphore, 1, NULL, NULL), mux_success);
  assert_int_equal(muxWaitAll(test.queue), mux_success);
  assert_int_equal(muxTryWait(test.queue, 0, fence), mux_success);
  for (int i = 0; i < 2; ++i) command_buffer_destroy(&test, commands[i]);
  muxDestroySemaphore(test.device, semaphore, allocator);
  muxDestroyFence(test.device, fence, allocator);
}

static void callback_comes_before_the_signals(void **state) {
  (void)state;
  completion_t first = {0};
  note_t note = {0}, second = {0};
  mux_semaphore_t semaphore = semaphore_create();
  mux_command_buffer_t commands[] = {noting(&note), noting(&second)};
  for (int round = 1; round <= 100; ++round) {
    atomic_store(&step, 0);
    assert_int_equal(muxDispatch(test.queue, commands[1], NULL, &semaphore, 1, NULL, 0, NULL, NULL), mux_success);
    assert_int_equal(muxDispatch(test.queue, commands[0], NULL, NULL, 0, &semaphore, 1, completion_note, &first),
                     mux_success);
    assert_int_equal(muxWaitAll(test.queue), mux_success);
    assert_int_equal(atomic_load(&note.step), 1);
    assert_int_equal(atomic_load(&first.step), 2);
    assert_int_equal(atomic_load(&second.step), 3);
    assert_int_equal(atomic_load(&first.calls), round);
    assert_int_equal(muxResetSemaphore(semaphore), mux_success);
  }
  for (int i = 0; i < 2; ++i) command_buffer_destroy(&test, commands[i]);
  muxDestroySemaphore(test.device, semaphore, allocator);
}

/* ---------------------------------------------------------------- fences */

static void fence_waits_at_most_as_long_as_asked(void **state) {
  (void)state;
  atomic_bool gate = false;
  note_t note = {.gate = &gate};
  mux_command_buffer_t commands = noting(&note);
  mux_fence_t fence = fence_create();
  assert_int_equal(muxTryWait(test.queue, 0, fence), mux_fence_not_ready);
  assert_int_equal(muxDispatch(test.queue, commands, fence, NULL, 0, NULL, 0, NULL, NULL), mux_success);
  uint64_t start = clock_now_ns();
  assert_int_equal(muxTryWait(test.queue, 0, fence), mux_fence_not_ready);
  assert_int_equal(muxTryWait(test.queue, 20 * MILLISECOND, fence), mux_fence_not_ready);
  assert_true(clock_now_ns() - start >= 20 * MILLISECOND);
  assert_int_equal(dispatch(test.queue, commands), mux_error_invalid_value);
  assert_int_equal(muxResetCommandBuffer(commands), mux_error_invalid_value);
  atomic_store(&gate, true);
  assert_int_equal(muxTryWait(test.queue, UINT64_MAX, fence), mux_success);
  assert_int_equal(muxTryWait(test.queue, 0, fence), mux_success);
  assert_int_equal(muxResetFence(fence), mux_success);
  assert_int_equal(muxTryWait(test.queue, 0, fence), mux_fence_not_ready);
  command_buffer_destroy(&test, commands);
  muxDestroyFence(test.device, fence, allocator);
}

static void work_goes_on_without_a_waiter(void **state) {
  (void)state;
  note_t note = {0};
  mux_command_buffer_t commands = noting(&note);
  atomic_store(&step, 0);
  assert_int_equal(dispatch(test.queue, commands), mux_success);
  for (int i = 0; i < 5000 && !atomic_load(&note.step); ++i) usleep(1000);
  assert_int_equal(atomic_load(&note.step), 1);
  assert_int_equal(muxWaitAll(test.queue), mux_success);
  command_buffer_destroy(&test, commands);
}

/* ---------------------------------------------------------------- failures */

static void failure_reaches_callback_fence_and_dependants(void **state) {
  (void)state;
  mux_kernel_t kernel;
  note_t note = {0};
  completion_t completions[3] = {0};
  mux_command_buffer_t first = failing(&kernel), second = noting(&note), third = noting(&note);
  mux_semaphore_t semaphores[] = {semaphore_create(), semaphore_create()};
  mux_fence_t fence = fence_create();
  assert_int_equal(muxDispatch(test.queue, third, fence, &semaphores[1], 1, NULL, 0, completion_note, &completions[2]),
                   mux_success);
  assert_int_equal(muxDispatch(test.queue, first, NULL, NULL, 0, &semaphores[0], 1, completion_note, &completions[0]),
                   mux_success);
  assert_int_equal(
      muxDispatch(test.queue, second, NULL, &semaphores[0], 1, &semaphores[1], 1, completion_note, &completions[1]),
      mux_success);
  assert_int_equal(muxWait(test.queue, fence), mux_error_fence_failure);
  assert_int_equal(muxWaitAll(test.queue), mux_success);
  for (int i = 0; i < 3; ++i) {
    assert_int_equal(atomic_load(&completions[i].calls), 1);
    assert_int_equal(atomic_load(&completions[i].error), mux_error_out_of_memory);
  }
  assert_int_equal(atomic_load(&note.step), 0);

  /* Reset, everything works again. */
  assert_int_equal(muxResetFence(fence), mux_success);
  assert_int_equal(muxDispatch(test.queue, second, fence, NULL, 0, NULL, 0, NULL, NULL), mux_success);
  assert_int_equal(muxWait(test.queue, fence), mux_success);
  assert_int_not_equal(atomic_load(&note.step), 0);
  command_buffer_destroy(&test, first);
  command_buffer_destroy(&test, second);
  command_buffer_destroy(&test, third);
  for (int i = 0; i < 2; ++i) muxDestroySemaphore(test.device, semaphores[i], allocator);
  muxDestroyFence(test.device, fence, allocator);
  kernel_destroy(&test, kernel);
}

/* ---------------------------------------------------------------- concurrency */

typedef struct meeting_t {
  atomic_int present;
  atomic_bool met;
} meeting_t;

/* Ends at once when two are there at the same time. */
static void meet(mux_queue_t queue, mux_command_buffer_t command_buffer, void *user_data) {
  meeting_t *meeting = user_data;
  (void)queue, (void)command_buffer;
  atomic_fetch_add(&meeting->present, 1);
  for (int i = 0; i < 100000 && atomic_load(&meeting->present) < 2; ++i) usleep(100);
  if (atomic_load(&meeting->present) == 2) atomic_store(&meeting->met, true);
}

static void independent_dispatches_run_at_the_same_time(void **state) {
  (void)state;
  if (test.info->compute_units < 2) skip();
  meeting_t meeting = {0};
  mux_command_buffer_t commands[2];
  for (int i = 0; i < 2; ++i) {
    commands[i] = command_buffer_create(&test);
    assert_int_equal(muxCommandUserCallback(commands[i], meet, &meeting, 0, NULL, NULL), mux_success);
    assert_int_equal(muxFinalizeCommandBuffer(commands[i]), mux_success);
  }
  assert_int_equal(dispatch(test.queue, commands[0]), mux_success);
  assert_int_equal(dispatch(test.queue, commands[1]), mux_success);
  assert_int_equal(muxWaitAll(test.queue), mux_success);
  assert_true(atomic_load(&meeting.met));
  for (int i = 0; i < 2; ++i) command_buffer_destroy(&test, commands[i]);
}

/* ---------------------------------------------------------------- callbacks that act */

typedef struct relay_t {
  atomic_int left;
  mux_fence_t fence;
} relay_t;

static void relay_pass(mux_command_buffer_t command_buffer, mux_result_t error, void *user_data) {
  relay_t *relay = user_data;
  assert_int_equal(error, mux_success);
  int left = atomic_fetch_sub(&relay->left, 1) - 1;
  mux_fence_t fence = left ? NULL : relay->fence;
  if (left < 0) return;
  assert_int_equal(muxDispatch(test.queue, command_buffer, fence, NULL, 0, NULL, 0, left ? relay_pass : NULL, relay),
                   mux_success);
}

static void callback_may_dispatch_its_command_buffer_again(void **state) {
  (void)state;
  note_t note = {0};
  relay_t relay = {.fence = fence_create()};
  mux_command_buffer_t commands = noting(&note);
  atomic_store(&relay.left, 100);
  atomic_store(&step, 0);
  assert_int_equal(muxDispatch(test.queue, commands, NULL, NULL, 0, NULL, 0, relay_pass, &relay), mux_success);
  assert_int_equal(muxWait(test.queue, relay.fence), mux_success);
  assert_int_equal(muxWaitAll(test.queue), mux_success);
  assert_int_equal(atomic_load(&step), 101);
  command_buffer_destroy(&test, commands);
  muxDestroyFence(test.device, relay.fence, allocator);
}

static void destroy_it(mux_command_buffer_t command_buffer, mux_result_t error, void *user_data) {
  (void)error, (void)user_data;
  command_buffer_destroy(&test, command_buffer);
}

static void callback_may_destroy_its_command_buffer(void **state) {
  (void)state;
  note_t note = {0};
  mux_semaphore_t semaphore = semaphore_create();
  assert_int_equal(muxDispatch(test.queue, noting(&note), NULL, NULL, 0, &semaphore, 1, destroy_it, NULL), mux_success);
  assert_int_equal(muxDispatch(test.queue, noting(&note), NULL, &semaphore, 1, NULL, 0, destroy_it, NULL), mux_success);
  assert_int_equal(muxWaitAll(test.queue), mux_success);
  muxDestroySemaphore(test.device, semaphore, allocator);
}

/* A command that launches a kernel on another queue and waits for it. */
static void nested_launch(mux_queue_t queue, mux_command_buffer_t command_buffer, void *user_data) {
  mux_command_buffer_t inner = user_data;
  mux_queue_t other = NULL;
  (void)queue, (void)command_buffer;
  assert_int_equal(muxGetQueue(test.device, mux_queue_type_compute, 1, &other), mux_success);
  assert_int_equal(dispatch(other, inner), mux_success);
  assert_int_equal(muxWaitAll(other), mux_success);
}

static void command_may_wait_for_another_queue(void **state) {
  (void)state;
  mux_kernel_t kernel = kernel_create(&test, "mark");
  host_test_buffer_t counts = buffer_create(&test, 5000 * sizeof(uint32_t));
  mux_descriptor_info_t arg = buffer_arg(counts.buffer);
  mux_command_buffer_t inner = command_buffer_create(&test), outer = command_buffer_create(&test);
  assert_int_equal(launch_record(inner, kernel, 5000, 1, &arg, 1), mux_success);
  assert_int_equal(muxFinalizeCommandBuffer(inner), mux_success);
  assert_int_equal(launch_record(outer, kernel, 5000, 1, &arg, 1), mux_success);
  assert_int_equal(muxCommandUserCallback(outer, nested_launch, inner, 0, NULL, NULL), mux_success);
  assert_int_equal(launch_record(outer, kernel, 5000, 1, &arg, 1), mux_success);
  run(&test, outer);
  for (int i = 0; i < 5000; ++i) assert_int_equal(((uint32_t *)counts.data)[i], 3);
  command_buffer_destroy(&test, inner);
  command_buffer_destroy(&test, outer);
  buffer_destroy(&test, &counts);
  kernel_destroy(&test, kernel);
}

typedef struct elsewhere_t {
  mux_queue_t queue;
  mux_command_buffer_t commands;
  mux_semaphore_t semaphore;
  mux_result_t result;
} elsewhere_t;

static void dispatch_elsewhere(mux_queue_t queue, mux_command_buffer_t command_buffer, void *user_data) {
  elsewhere_t *elsewhere = user_data;
  (void)queue, (void)command_buffer;
  /* The worker looks, finds that one thread executes already, and goes to sleep. */
  usleep(2000);
  elsewhere->result =
      muxDispatch(elsewhere->queue, elsewhere->commands, NULL, NULL, 0, &elsewhere->semaphore, 1, NULL, NULL);
}

/* The caller that waits executes the first dispatch, and with one thread keeps the worker from looking. What becomes
 * ready on another queue meanwhile is none of its business, but what it waits for depends on it: before it sleeps, it
 * has to see to it that somebody looks. A new device each time, as its worker is then slower than the caller. */
static void caller_that_sleeps_leaves_nothing_behind(void **state) {
  (void)state;
  alarm(60);
  for (int i = 0; i < 50; ++i) {
    host_test_end(&test);
    host_test_begin(&test);
    mux_semaphore_t semaphore = semaphore_create();
    mux_fence_t fence = fence_create();
    mux_command_buffer_t first = command_buffer_create(&test), last = command_buffer_create(&test);
    elsewhere_t elsewhere = {.commands = command_buffer_create(&test), .semaphore = semaphore};
    assert_int_equal(muxGetQueue(test.device, mux_queue_type_compute, 1, &elsewhere.queue), mux_success);
    assert_int_equal(muxCommandUserCallback(first, dispatch_elsewhere, &elsewhere, 0, NULL, NULL), mux_success);
    assert_int_equal(muxFinalizeCommandBuffer(first), mux_success);
    assert_int_equal(muxFinalizeCommandBuffer(last), mux_success);
    assert_int_equal(muxFinalizeCommandBuffer(elsewhere.commands), mux_success);
    assert_int_equal(dispatch(test.queue, first), mux_success);
    assert_int_equal(muxDispatch(test.queue, last, fence, &semaphore, 1, NULL, 0, NULL, NULL), mux_success);
    assert_int_equal(muxWait(test.queue, fence), mux_success);
    assert_int_equal(muxWaitAll(test.queue), mux_success);
    /* Written after the last one may have ended. */
    assert_int_equal(elsewhere.result, mux_success);
    assert_int_equal(muxWaitAll(elsewhere.queue), mux_success);
    command_buffer_destroy(&test, first);
    command_buffer_destroy(&test, last);
    command_buffer_destroy(&test, elsewhere.commands);
    muxDestroyFence(test.device, fence, allocator);
    muxDestroySemaphore(test.device, semaphore, allocator);
  }
  alarm(0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(chain_runs_in_order_and_its_semaphores_are_reused),
      cmocka_unit_test(later_dispatch_may_signal_an_earlier_one),
      cmocka_unit_test(many_waits_and_many_signals),
      cmocka_unit_test(signalled_semaphore_stays_so_until_reset),
      cmocka_unit_test(callback_comes_before_the_signals),
      cmocka_unit_test(fence_waits_at_most_as_long_as_asked),
      cmocka_unit_test(work_goes_on_without_a_waiter),
      cmocka_unit_test(failure_reaches_callback_fence_and_dependants),
      cmocka_unit_test(independent_dispatches_run_at_the_same_time),
      cmocka_unit_test(callback_may_dispatch_its_command_buffer_again),
      cmocka_unit_test(callback_may_destroy_its_command_buffer),
      cmocka_unit_test(command_may_wait_for_another_queue),
      cmocka_unit_test(caller_that_sleeps_leaves_nothing_behind),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
