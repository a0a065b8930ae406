/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Guided self-scheduling of work-groups: runs shrink with what is left, so that uneven work still balances. */
#include "host/runtime/region.h"

#include "base/clock.h"
#include "host/runtime/choice.h"
#include "host/runtime/counter.h"
#include "host/runtime/float_mode.h"
#include "host/runtime/futex.h"
#include "host/runtime/scheduler.h"
#include "host/runtime/stack.h"

/* Runs per thread and halving of the rest. More balances better, fewer hand out less often. */
#define RUNS_PER_THREAD 8u
#define OWNER_SLEEPS 0x80000000u
#define SPIN_NS 20000u

/* Takes the next run: returns its length, 0 when nothing is left. Relaxed: the counter orders nothing but itself; the
 * owner's writes reach helpers through the scheduler's mutex, and theirs come back through `active`. */
static uint64_t run_claim(host_region_t *region, uint64_t *first) {
  uint64_t next = atomic_load_explicit(&region->next, memory_order_relaxed), length;
  do {
    if (next >= region->launch.groups) return 0;
    length = (region->launch.groups - next) / region->divisor;
    if (!length) length = 1;
  } while (!atomic_compare_exchange_weak_explicit(&region->next, &next, next + length, memory_order_relaxed,
                                                  memory_order_relaxed));
  *first = next;
  return length;
}

/* Nothing is left to be handed out: other threads stop when they are through with their runs. */
static void region_fault(host_region_t *region, const host_fault_t *fault) {
  atomic_store_explicit(&region->next, region->launch.groups, memory_order_relaxed);
  if (!atomic_exchange_explicit(&region->has_fault, true, memory_order_relaxed)) region->fault = *fault;
}

static void region_work(host_region_t *region, host_thread_t *thread) {
  const host_launch_t *launch = &region->launch;
  uint64_t first, length;
  while ((length = run_claim(region, &first)))
    if (!host_launch_run(launch, thread, first, length)) region_fault(region, &thread->guard.fault);
}

void host_region_join(host_region_t *region) {
  atomic_fetch_add_explicit(&region->active, 1, memory_order_relaxed);
  if (++region->joined == region->max_helpers) list_remove(&region->link);
}

void host_region_help(host_region_t *region, host_thread_t *thread) {
  const host_launch_t *launch = &region->launch;
  /* Without memory for a work-group it is no help: the others, among them the owner, run all. */
  if (host_stack_fits(launch->stack_size) &&
      host_thread_memory_reserve(thread, launch->local_size, launch->scratch_size, launch->memory_alignment)) {
    int *files = host_counting_join(launch->counting);
    const host_float_mode_t mode = host_float_mode_enter(launch->flushes_denormals);
    region_work(region, thread);
    host_float_mode_leave(mode);
    host_counting_leave(launch->counting, files);
  }
  /* Release: what the work-groups wrote, for the owner. From here on only the address of `active` is used. */
  if (atomic_fetch_sub_explicit(&region->active, 1, memory_order_release) == (OWNER_SLEEPS | 1u))
    host_futex_wake(&region->active);
}

static bool helpers_are_gone(host_region_t *region) {
  return !(atomic_load_explicit(&region->active, memory_order_acquire) & ~OWNER_SLEEPS);
}

static void helpers_await(host_region_t *region) {
  uint64_t end = clock_now_ns() + SPIN_NS;
  for (unsigned turn = 0; clock_now_ns() < end; ++turn) {
    if (helpers_are_gone(region)) return;
    host_spin_turn(turn);
  }
  uint32_t active = atomic_fetch_or_explicit(&region->active, OWNER_SLEEPS, memory_order_acquire) | OWNER_SLEEPS;
  while (!helpers_are_gone(region)) {
    host_futex_wait(&region->active, active, HOST_NO_DEADLINE);
    active = atomic_load_explicit(&region->active, memory_order_acquire);
  }
}

static void region_publish(host_scheduler_t *scheduler, host_region_t *region) {
  host_wakes_t wakes;
  host_wakes_init(&wakes);
  host_scheduler_lock(scheduler);
  list_append(&scheduler->regions, &region->link);
  host_scheduler_wake(scheduler, region->queue, region->ticket, region->max_helpers, &wakes);
  host_scheduler_unlock(scheduler, &wakes);
}

static bool region_withdraw(host_scheduler_t *scheduler, host_region_t *region) {
  host_scheduler_lock(scheduler);
  list_remove(&region->link);
  bool helped = region->joined != 0;
  pthread_mutex_unlock(scheduler->mutex);
  return helped;
}

mux_result_t host_region_run(host_scheduler_t *scheduler, struct host_queue_t *queue, uint64_t ticket,
                             const host_launch_t *launch, uint64_t first, host_thread_t *thread) {
  uint64_t helpers = launch->groups - first - 1;
  if (helpers > scheduler->thread_limit - 1) helpers = scheduler->thread_limit - 1;
  host_region_t region = {.launch = *launch, .queue = queue, .ticket = ticket, .max_helpers = (uint32_t)helpers};
  region.divisor = (region.max_helpers + 1) * RUNS_PER_THREAD;
  atomic_init(&region.next, first);
  list_init(&region.link);
  if (helpers) region_publish(scheduler, &region);
  region_work(&region, thread);
  if (helpers && region_withdraw(scheduler, &region)) helpers_await(&region);
  if (!atomic_load_explicit(&region.has_fault, memory_order_relaxed)) return mux_success;
  thread->guard.fault = region.fault;
  return mux_error_failure;
}
