/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What is taken first, who is woken for it, and what happens where the system gives no thread: over a device whose
 * workers have none, and whose command buffers are noted. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "host/runtime/device.h"
#include "host/runtime/machine/futex.h"
#include "host/runtime/scheduling/dispatch.h"
#include "host/runtime/scheduling/queue.h"
#include "host/runtime/scheduling/stack.h"
#include "host/runtime/scheduling/sync.h"
#include "scheduler.h"

enum { BUFFERS = 4 };

static host_queue_t *const queue = &device.queues[0];
static host_wakes_t wakes;

static struct mux_command_buffer_s buffers[BUFFERS];
static mux_result_t results[BUFFERS];
static int order[2 * BUFFERS], executed, ended, refused_threads;

/* The name that the linker gives: there are no threads. */
int __wrap_host_stack_thread_start(pthread_t *thread, void *(*function)(void *argument), void *argument);

/* NOLINTNEXTLINE(readability-non-const-parameter): pthread_create has it so */
int __wrap_host_stack_thread_start(pthread_t *thread, void *(*function)(void *argument), void *argument) {
  (void)thread, (void)function, (void)argument;
  ++refused_threads;
  return EAGAIN;
}

static bool buffer_begin(mux_command_buffer_t buffer) {
  (void)buffer;
  return true;
}

static void buffer_end(mux_command_buffer_t buffer) {
  (void)buffer;
  ++ended;
}

static mux_result_t buffer_execute(mux_command_buffer_t buffer, const host_dispatch_t *dispatch,
                                   host_thread_t *thread) {
  const int number = (int)(buffer - buffers);
  assert_ptr_equal(dispatch->thread, thread);
  assert_ptr_equal(thread->scheduler, scheduler);
  assert_non_null(thread->team);
  assert_int_equal(scheduler->executing, 1);
  order[executed++] = number;
  return results[number];
}

static const host_executor_t executor = {.begin = buffer_begin, .end = buffer_end, .execute = buffer_execute};

static int begin(void **state) {
  memset(results, 0, sizeof results);
  executed = ended = refused_threads = 0;
  host_wakes_init(&wakes);
  if (scheduler_begin(state)) return -1;
  scheduler->executor = &executor;
  for (uint32_t i = 0; i < HOST_QUEUE_COUNT; ++i) host_queue_init(&device.queues[i], &device);
  return 0;
}

/* ---------------------------------------------------------------- choosing */

static void the_oldest_is_taken_first(void **state) {
  (void)state;
  host_dispatch_t dispatches[3];
  host_queue_t *other = &device.queues[HOST_QUEUE_COUNT - 1];
  for (uint64_t i = 0; i < 3; ++i) {
    host_queue_t *of = i == 1 ? other : queue;
    dispatches[i] = (host_dispatch_t){.queue = of, .ticket = i + 1};
    host_scheduler_add_ready(scheduler, &dispatches[i]);
    list_append(&of->ready, &dispatches[i].queue_link);
  }
  if (other == queue) return;
  assert_int_equal(atomic_load(&scheduler->ready_count), 3);
  assert_null(host_scheduler_take(scheduler, queue, 0));
  assert_ptr_equal(host_scheduler_take(scheduler, queue, 1), &dispatches[0]);
  assert_int_equal(atomic_load(&scheduler->ready_count), 2);
  assert_ptr_equal(list_first(&scheduler->running), &dispatches[0].link);
  assert_null(host_scheduler_take(scheduler, queue, 2)); /* the next one came later */
  assert_ptr_equal(host_scheduler_take(scheduler, NULL, 0), &dispatches[1]);
  assert_true(list_is_empty(&other->ready));
  assert_ptr_equal(host_scheduler_take(scheduler, queue, 3), &dispatches[2]);
  assert_null(host_scheduler_take(scheduler, NULL, 0));
  assert_int_equal(atomic_load(&scheduler->ready_count), 0);
  list_init(&scheduler->running);
}

static void spinning_workers_give_others_some_time(void **state) {
  (void)state;
  uint64_t since = 7;
  assert_false(host_scheduler_calls(scheduler, &since));
  assert_int_equal(since, 0);
  atomic_store(&scheduler->ready_count, 1);
  const uint64_t before = host_ticks();
  assert_false(host_scheduler_calls(scheduler, &since));
  assert_true(since >= before && since <= host_ticks());
  /* A few microseconds. */
  since = host_ticks() - (uint64_t)HOST_MICROSECOND_TICKS * 3;
  assert_true(host_scheduler_calls(scheduler, &since));
  const uint64_t known = since;
  assert_true(host_scheduler_calls(scheduler, &since));
  assert_true(since == known);
}

static void who_executes_may_execute(void **state) {
  (void)state;
  atomic_store(&scheduler->weather.supply.allowed, 2);
  scheduler->executing = 1;
  assert_true(host_scheduler_may_execute(scheduler));
  scheduler->executing = 2;
  assert_false(host_scheduler_may_execute(scheduler));
  host_thread_get()->scheduler = scheduler; /* in a callback */
  assert_true(host_scheduler_may_execute(scheduler));
  host_thread_get()->scheduler = NULL;
  scheduler->executing = 0;
}

/* ---------------------------------------------------------------- waking */

static bool wakes_somebody(void) {
  const uint32_t before = scheduler->searching;
  host_scheduler_wake(scheduler, NULL, 0, &wakes);
  const bool any = !list_is_empty(&wakes.parked) || !list_is_empty(&wakes.starting);
  assert_int_equal(scheduler->searching, before + any);
  return any;
}

static void an_idle_worker_is_woken_for_what_is_ready(void **state) {
  (void)state;
  host_worker_t *second = worker_park(), *first = worker_park();
  atomic_store(&scheduler->ready_count, 1);
  assert_true(wakes_somebody());
  assert_ptr_equal(list_first(&wakes.parked), &first->parked.link);
  assert_false(first->parked.waits);
  assert_true(second->parked.waits);
  assert_false(is_woken(first));
  /* It is enough for one dispatch. */
  host_scheduler_lock(scheduler);
  host_scheduler_unlock(scheduler, &wakes);
  assert_true(is_woken(first));
  assert_true(list_is_empty(&wakes.parked));
  assert_false(wakes_somebody());
  atomic_store(&scheduler->ready_count, 2);
  assert_true(wakes_somebody());
  assert_ptr_equal(list_first(&wakes.parked), &second->parked.link);
  list_init(&wakes.parked);
  atomic_store(&scheduler->ready_count, 0);
}

static void nobody_is_woken_where_somebody_looks(void **state) {
  (void)state;
  worker_park();
  atomic_store(&scheduler->ready_count, 3);
  scheduler->searching = 1;
  scheduler->spinning = 2;
  assert_false(wakes_somebody());
  /* Members of a team that nobody owns look, too. */
  scheduler->spinning = 1;
  host_team_t *team = host_team_acquire(scheduler, host_thread_get());
  team->wants = 1;
  assert_true(host_team_find(scheduler, worker_make()));
  host_team_release(scheduler, team);
  assert_false(wakes_somebody());
  scheduler->spinning = 0;
  assert_true(wakes_somebody());
  list_init(&wakes.parked);
}

static void nobody_is_woken_where_all_processors_are_used(void **state) {
  (void)state;
  worker_park();
  host_team_t *team = host_team_acquire(scheduler, host_thread_get());
  scheduler->executing = 6;
  scheduler->searching = 1;
  scheduler->teams.members = 1;
  atomic_store(&scheduler->ready_count, 2);
  assert_int_equal(atomic_load(&team->keep), HOST_KEEP_ALL);
  assert_false(wakes_somebody());
  /* Teams become smaller instead. */
  assert_int_equal(atomic_load(&team->keep), 0);
  scheduler->executing = 5;
  scheduler->searching = 1;
  assert_true(wakes_somebody());
  list_init(&wakes.parked);
  scheduler->executing = scheduler->searching = scheduler->teams.members = 0;
}

static void workers_are_created_up_to_the_limit(void **state) {
  (void)state;
  atomic_store(&scheduler->ready_count, 100);
  atomic_store(&scheduler->weather.supply.allowed, 100);
  for (uint32_t i = 0; i < LIMIT; ++i) {
    assert_true(wakes_somebody());
    host_worker_t *worker = &scheduler->workers[i];
    assert_ptr_equal(list_first(&wakes.starting), &worker->parked.link);
    assert_int_equal(scheduler->worker_count, i + 1);
    assert_true(worker->is_reserved);
    assert_int_equal(worker->state, host_worker_starting);
    assert_ptr_equal(worker->scheduler, scheduler);
    assert_null(worker->team);
    list_init(&wakes.starting);
  }
  scheduler->searching = 0;
  assert_false(wakes_somebody());
  scheduler->worker_count = 0;
  scheduler->stopping = true;
  assert_false(wakes_somebody());
}

static void who_stops_executing_hands_over_what_is_ready(void **state) {
  (void)state;
  host_worker_t *worker = worker_park();
  host_dispatch_t dispatch = {.queue = queue, .ticket = 1};
  host_scheduler_hand_over(scheduler, &wakes);
  assert_true(list_is_empty(&wakes.parked));
  host_scheduler_add_ready(scheduler, &dispatch);
  host_scheduler_hand_over(scheduler, &wakes);
  assert_ptr_equal(list_first(&wakes.parked), &worker->parked.link);
  list_init(&wakes.parked);
  list_init(&scheduler->ready);
}

static void a_caller_that_waits_for_it_comes_first(void **state) {
  (void)state;
  host_worker_t *worker = worker_park();
  host_waiter_t early = {.ticket = 4, .helps = true}, idle = {.ticket = 9}, late = {.ticket = 5, .helps = true};
  host_waiter_t *all[] = {&early, &idle, &late};
  for (int i = 0; i < 3; ++i) {
    host_parked_init(&all[i]->parked);
    list_append(&queue->waiters, &all[i]->parked.link);
  }
  atomic_store(&scheduler->ready_count, 1);
  /* One waits for what came before, one may not execute. */
  host_scheduler_wake(scheduler, queue, 5, &wakes);
  assert_ptr_equal(list_first(&wakes.parked), &late.parked.link);
  assert_false(late.parked.waits);
  assert_true(early.parked.waits && idle.parked.waits && worker->parked.waits);
  list_init(&wakes.parked);
  /* Where there is none, a worker. */
  host_scheduler_wake(scheduler, queue, 5, &wakes);
  assert_ptr_equal(list_first(&wakes.parked), &worker->parked.link);
  list_init(&wakes.parked);
  /* Where workers are pinned, they alone. */
  list_append(&queue->waiters, &late.parked.link);
  scheduler->pinned = true;
  assert_int_equal(host_queue_waiters_wake(queue, 5, 1, &wakes), 0);
  scheduler->worker_count = 0;
  assert_int_equal(host_queue_waiters_wake(queue, 1, 9, &wakes), 2);
  list_init(&wakes.parked);
  scheduler->worker_count = 1;
}

/* ---------------------------------------------------------------- callers that wait for what they dispatch */

/* Announces a wait on `announced`, null for none, and dispatches on `queue`: true when the worker that sleeps is woken
 * for it. Nothing is executed. */
static bool dispatch_wakes(const host_queue_t *announced) {
  host_worker_t *worker = worker_park();
  if (announced) assert_int_equal(host_announce_wait((mux_queue_t)&announced->base), mux_success);
  assert_int_equal(host_dispatch(&queue->base, &buffers[0], NULL, NULL, 0, NULL, 0, NULL, NULL), mux_success);
  assert_int_equal(executed, 0);
  const bool woken = is_woken(worker);
  assert_int_equal(scheduler->searching, woken);
  list_remove(&worker->parked.link);
  scheduler->searching = 0;
  return woken;
}

static void what_its_caller_waits_for_is_left_to_it(void **state) {
  (void)state;
  assert_false(dispatch_wakes(queue));
  assert_int_equal(atomic_load(&scheduler->ready_count), 1);
  assert_int_equal(host_wait_all(&queue->base), mux_success);
  assert_int_equal(executed, 1);
  /* That was one dispatch. */
  executed = 0;
  assert_true(dispatch_wakes(NULL));
  /* Something else is ready, which the caller need not be waiting for. */
  assert_true(dispatch_wakes(queue));
  assert_int_equal(host_wait_all(&queue->base), mux_success);
  assert_int_equal(executed, 2);
}

static void what_its_caller_cannot_execute_is_not(void **state) {
  (void)state;
  const host_queue_t other = {.base = queue->base};
  assert_true(dispatch_wakes(&other));
  host_wait_all(&queue->base);
  executed = 0;
  /* Callers execute nothing where there are workers that are pinned. */
  scheduler->pinned = true;
  assert_true(dispatch_wakes(queue));
  scheduler->pinned = false;
  host_wait_all(&queue->base);
  executed = 0;
  /* All may execute already that may at the same time: who ends first hands over. */
  limit_set(2);
  scheduler->executing = 2;
  assert_false(dispatch_wakes(queue));
  scheduler->executing = 1;
  host_scheduler_hand_over(scheduler, &wakes);
  assert_false(list_is_empty(&wakes.starting));
  list_init(&wakes.starting);
  scheduler->executing = scheduler->searching = 0;
  host_wait_all(&queue->base);
}

static void pinned_workers_are_created_for_what_callers_wait_for(void **state) {
  (void)state;
  scheduler->pinned = true;
  assert_int_equal(host_announce_wait(&queue->base), mux_success);
  assert_int_equal(host_dispatch(&queue->base, &buffers[0], NULL, NULL, 0, NULL, 0, NULL, NULL), mux_success);
  assert_int_equal(refused_threads, 1);
  assert_int_equal(host_wait_all(&queue->base), mux_success);
}

static void what_becomes_ready_later_wakes_a_worker(void **state) {
  (void)state;
  host_semaphore_t semaphore = {.device = &device};
  mux_semaphore_t handle = &semaphore.base;
  host_wakes_t none;
  host_wakes_init(&none);
  list_init(&semaphore.waits);
  assert_int_equal(host_announce_wait(&queue->base), mux_success);
  assert_int_equal(host_dispatch(&queue->base, &buffers[1], NULL, &handle, 1, NULL, 0, NULL, NULL), mux_success);
  assert_int_equal(atomic_load(&scheduler->ready_count), 0);
  host_worker_t *worker = worker_park();
  /* The announcement was for that one, though the caller may still wait: what follows is not awaited. */
  assert_int_equal(host_dispatch(&queue->base, &buffers[0], NULL, NULL, 0, &handle, 1, NULL, NULL), mux_success);
  assert_true(is_woken(worker));
  scheduler->searching = 0;
  assert_int_equal(host_wait_all(&queue->base), mux_success);
  assert_int_equal(executed, 2);
}

/* ---------------------------------------------------------------- parking */

static void who_is_parked_sleeps_until_it_is_woken(void **state) {
  (void)state;
  host_parked_t parked;
  host_parked_init(&parked);
  assert_true(parked.waits);
  assert_false(host_parked_spin(&parked, &scheduler->weather));
  assert_false(host_parked_sleep(&parked, clock_now_ns()));
  assert_false(host_parked_sleep(&parked, clock_now_ns() + 1000000)); /* again */
  host_parked_rouse(&parked);
  assert_true(host_parked_sleep(&parked, 0));
  assert_true(host_parked_sleep(&parked, HOST_NO_DEADLINE));
  assert_true(host_parked_spin(&parked, &scheduler->weather));
  host_parked_init(&parked);
  assert_false(host_parked_spin(&parked, &scheduler->weather));
}

/* ---------------------------------------------------------------- without threads */

static void without_threads_the_caller_executes(void **state) {
  (void)state;
  for (int i = 0; i < 2; ++i) {
    assert_int_equal(host_dispatch(&queue->base, &buffers[i], NULL, NULL, 0, NULL, 0, NULL, NULL), mux_success);
    assert_int_equal(executed, i + 1); /* nobody need ever wait */
    assert_int_equal(order[i], i);
  }
  assert_int_equal(ended, 2);
  assert_int_equal(refused_threads, 2);
  assert_int_equal(scheduler->worker_count, 0);
  assert_int_equal(scheduler->searching, 0);
  assert_int_equal(scheduler->executing, 0);
  assert_null(host_thread_get()->scheduler);
  assert_null(host_thread_get()->team);
  for (int i = 0; i < LIMIT; ++i) assert_int_equal(scheduler->workers[i].state, host_worker_none);
  assert_int_equal(host_wait_all(&queue->base), mux_success);
}

static void a_place_without_thread_wakes_its_children(void **state) {
  (void)state;
  host_worker_t *parent = host_worker_reserve(scheduler), *child = worker_make(), *other = worker_make();
  host_team_t *team = host_team_acquire(scheduler, host_thread_get());
  parent->children[0] = child;
  parent->children[1] = other;
  ++scheduler->searching;
  host_worker_create(parent);
  assert_int_equal(parent->state, host_worker_none);
  assert_int_equal(scheduler->worker_count, 2);
  assert_int_equal(scheduler->searching, 0);
  assert_true(is_woken(child) && is_woken(other));
  /* A member of a team does not search, and leaves it. */
  parent = host_worker_reserve(scheduler);
  team->wants = 1;
  assert_true(host_team_find(scheduler, parent));
  host_worker_rouse(parent);
  assert_int_equal(refused_threads, 2);
  assert_null(parent->team);
  assert_int_equal(atomic_load(&team->count), 0);
  assert_int_equal(scheduler->searching, 0);
  assert_int_equal(scheduler->worker_count, 2);
}

static void a_place_without_thread_is_taken_by_an_idle_worker(void **state) {
  (void)state;
  host_worker_t *idle = worker_park(), *place = host_worker_reserve(scheduler);
  host_dispatch_t dispatch = {.queue = queue, .ticket = 1};
  host_scheduler_add_ready(scheduler, &dispatch);
  ++scheduler->searching;
  host_worker_create(place);
  assert_true(is_woken(idle));
  assert_int_equal(scheduler->searching, 1); /* that one */
  assert_int_equal(executed, 0);
  list_init(&scheduler->ready);
  scheduler->searching = 0;
}

static host_semaphore_t semaphore_make(void) {
  host_semaphore_t semaphore = {.device = &device};
  return semaphore;
}

static void what_has_failed_is_told_to_those_that_wait(void **state) {
  (void)state;
  host_semaphore_t first = semaphore_make(), second = semaphore_make();
  host_fence_t fence = {.device = &device};
  mux_semaphore_t after_first = &first.base, after_second = &second.base;
  list_init(&first.waits);
  list_init(&second.waits);
  results[0] = mux_error_failure;
  /* One waits before the failure, one comes after it. */
  assert_int_equal(host_dispatch(&queue->base, &buffers[1], NULL, &after_first, 1, &after_second, 1, NULL, NULL),
                   mux_success);
  assert_int_equal(executed, 0);
  assert_int_equal(host_dispatch(&queue->base, &buffers[0], NULL, NULL, 0, &after_first, 1, NULL, NULL), mux_success);
  assert_int_equal(executed, 1);
  assert_true(first.signalled && second.signalled);
  assert_int_equal(first.result, mux_error_failure);
  assert_int_equal(second.result, mux_error_failure);
  assert_int_equal(host_dispatch(&queue->base, &buffers[2], &fence.base, &after_second, 1, NULL, 0, NULL, NULL),
                   mux_success);
  assert_int_equal(executed, 1);
  assert_int_equal(ended, 3);
  assert_true(fence.signalled);
  assert_int_equal(fence.result, mux_error_failure);
  assert_int_equal(fence.ticket, 3);
  assert_int_equal(host_try_wait(&queue->base, 0, &fence.base), mux_error_fence_failure);
}

static void records_are_used_again(void **state) {
  (void)state;
  host_semaphore_t many[6];
  mux_semaphore_t handles[6];
  for (int i = 0; i < 6; ++i) {
    many[i] = semaphore_make();
    list_init(&many[i].waits);
    handles[i] = &many[i].base;
  }
  assert_int_equal(host_dispatch(&queue->base, &buffers[0], NULL, NULL, 0, NULL, 0, NULL, NULL), mux_success);
  const list_t *record = list_first(&scheduler->unused);
  assert_non_null(record);
  assert_int_equal(host_dispatch(&queue->base, &buffers[1], NULL, NULL, 0, handles, 1, NULL, NULL), mux_success);
  assert_ptr_equal(list_first(&scheduler->unused), record);
  /* With room for more. */
  assert_int_equal(host_dispatch(&queue->base, &buffers[2], NULL, NULL, 0, handles, 6, NULL, NULL), mux_success);
  for (int i = 0; i < 6; ++i) assert_true(many[i].signalled);
  const host_dispatch_t *larger = LIST_ENTRY(list_first(&scheduler->unused), host_dispatch_t, link);
  assert_in_range(larger->signal_capacity, 6, 64);
  assert_int_equal(host_dispatch(&queue->base, &buffers[3], NULL, handles, 6, NULL, 0, NULL, NULL), mux_success);
  assert_int_equal(executed, 4);
  assert_true(list_is_empty(&scheduler->running));
  assert_true(list_is_empty(&queue->incomplete));
}

/* ---------------------------------------------------------------- fork */

static void a_fork_leaves_no_worker(void **state) {
  (void)state;
  host_dispatch_t running = {.queue = queue};
  host_team_t *team = host_team_acquire(scheduler, host_thread_get());
  team->wants = 1;
  assert_true(host_team_find(scheduler, worker_make()));
  worker_park();
  scheduler->searching = 2;
  scheduler->spinning = 1;
  scheduler->executing = 3;
  atomic_store(&scheduler->weather.supply.thread, 12345);
  list_append(&scheduler->running, &running.link);
  host_scheduler_after_fork(scheduler);
  assert_true(list_is_empty(&scheduler->idle));
  assert_int_equal(scheduler->worker_count, 0);
  assert_int_equal(scheduler->searching, 0);
  assert_int_equal(scheduler->spinning, 0);
  assert_int_equal(scheduler->executing, 1); /* the forking thread */
  assert_int_equal(scheduler->teams.members, 0);
  assert_int_equal(atomic_load(&scheduler->weather.supply.thread), 0);
  for (int i = 0; i < LIMIT; ++i) {
    assert_int_equal(scheduler->workers[i].state, host_worker_none);
    assert_null(scheduler->workers[i].team);
  }
  list_init(&scheduler->running);
  host_scheduler_after_fork(scheduler);
  assert_int_equal(scheduler->executing, 0);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, scheduler_end)
  const struct CMUnitTest tests[] = {
      TEST(the_oldest_is_taken_first),
      TEST(spinning_workers_give_others_some_time),
      TEST(who_executes_may_execute),
      TEST(an_idle_worker_is_woken_for_what_is_ready),
      TEST(nobody_is_woken_where_somebody_looks),
      TEST(nobody_is_woken_where_all_processors_are_used),
      TEST(workers_are_created_up_to_the_limit),
      TEST(who_stops_executing_hands_over_what_is_ready),
      TEST(a_caller_that_waits_for_it_comes_first),
      TEST(what_its_caller_waits_for_is_left_to_it),
      TEST(what_its_caller_cannot_execute_is_not),
      TEST(pinned_workers_are_created_for_what_callers_wait_for),
      TEST(what_becomes_ready_later_wakes_a_worker),
      TEST(who_is_parked_sleeps_until_it_is_woken),
      TEST(without_threads_the_caller_executes),
      TEST(a_place_without_thread_wakes_its_children),
      TEST(a_place_without_thread_is_taken_by_an_idle_worker),
      TEST(what_has_failed_is_told_to_those_that_wait),
      TEST(records_are_used_again),
      TEST(a_fork_leaves_no_worker),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
