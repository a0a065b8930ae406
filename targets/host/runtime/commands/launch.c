/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A launch decides here how many threads are worth having. */
#include "host/runtime/commands/launch.h"

#include "host/runtime/commands/choice.h"
#include "host/runtime/commands/kernel.h"
#include "host/runtime/machine/counter.h"
#include "host/runtime/machine/float_mode.h"
#include "host/runtime/machine/futex.h"
#include "host/runtime/scheduling/plan.h"
#include "host/runtime/scheduling/scheduler.h"
#include "host/runtime/scheduling/stack.h"

/* ---------------------------------------------------------------- cost of a kernel */

/* Half of what is new: one slow first launch, with its page faults, is soon forgotten. Stored only when it differs by
 * some percent, so that the cache line stays shared. */
static void cost_learn(host_kernel_t *kernel, uint64_t ticks, uint64_t items) {
  uint64_t known = atomic_load_explicit(&kernel->cost, memory_order_relaxed);
  uint64_t cost = (ticks << 8) / items + 1;
  if (known) cost = (known + cost) / 2;
  if (cost - known + known / 32 <= known / 16) return;
  atomic_store_explicit(&kernel->cost, cost, memory_order_relaxed);
}

/* Ticks that a launch of so many work-items is going to take on one thread; 0 when nothing is known yet. */
static uint64_t cost_expect(const host_kernel_t *kernel, uint64_t items) {
  uint64_t cost = atomic_load_explicit(&kernel->cost, memory_order_relaxed), ticks;
  return __builtin_mul_overflow(cost, items, &ticks) ? UINT64_MAX / HOST_COST_UNIT : ticks / HOST_COST_UNIT;
}

/* ---------------------------------------------------------------- work-groups as parts */

static const host_launch_t *launch_of(const host_job_t *job) { return (const host_launch_t *)(const void *)job; }

static bool groups_run(const host_job_t *job, host_thread_t *thread, uint64_t first, uint64_t count) {
  return host_launch_run(launch_of(job), thread, first, count);
}

/* Without memory for a work-group it is no help: the others, among them the owner, run all. */
static void groups_help(const host_job_t *job, host_helper_t *helper) {
  const host_launch_t *launch = launch_of(job);
  if (!host_stack_fits(launch->stack_size) ||
      !host_thread_memory_reserve(helper->thread, launch->local_size, launch->scratch_size, launch->memory_alignment))
    return;
  int *files = host_counting_join(launch->counting);
  const host_float_mode_t mode = host_float_mode_enter(launch->flushes_denormals);
  host_helper_work(helper);
  host_float_mode_leave(mode);
  host_counting_leave(launch->counting, files);
}

const host_job_t host_launch_job = {.run = groups_run, .help = groups_help};

/* ---------------------------------------------------------------- execution */

/* Work-groups that cost about a quarter of what is worth help, or an eighth of all. */
static uint64_t run_length(uint64_t expected, uint64_t groups) {
  const uint64_t length = HOST_WORTH_HELP_TICKS / 4 / (expected / groups + 1), part = groups / 8 + 1;
  return length > part ? length : part;
}

/* Runs work-groups on this thread until they are done, or take much longer than expected. `*out_first` is the first one
 * that has not run. */
static mux_result_t launch_run_alone(const host_launch_t *launch, host_kernel_t *kernel, host_thread_t *thread,
                                     uint64_t expected, uint64_t items, uint64_t *out_first) {
  const uint64_t run = run_length(expected, launch->groups), limit = HOST_WORTH_HELP_TICKS + 2 * expected;
  uint64_t start = host_ticks(), ticks = 0, first = 0;
  while (first < launch->groups && ticks < limit) {
    uint64_t length = run < launch->groups - first ? run : launch->groups - first;
    if (!host_launch_run(launch, thread, first, length)) return mux_error_failure;
    first += length;
    ticks = host_ticks() - start;
  }
  cost_learn(kernel, ticks, first * items);
  *out_first = first;
  return mux_success;
}

static mux_result_t launch_run_shared(const host_launch_t *launch, host_kernel_t *kernel, const host_plan_t *plan,
                                      host_scheduler_t *scheduler, host_thread_t *thread, uint64_t items) {
  uint64_t ticks;
  mux_result_t result = host_region_run(scheduler, thread->team, &launch->job, plan, thread, &ticks);
  if (!result) cost_learn(kernel, ticks, (plan->end - plan->first) * items);
  return result;
}

mux_result_t host_launch_execute(const host_launch_t *launch, host_kernel_t *kernel, host_scheduler_t *scheduler,
                                 host_thread_t *thread) {
  const uint64_t groups = launch->groups, items = host_items_per_group(launch->run.ndrange);
  host_plan_t plan = {.end = groups};
  if (groups == 1 || !thread->team) return host_launch_run(launch, thread, 0, groups) ? mux_success : mux_error_failure;
  const uint64_t expected = cost_expect(kernel, groups * items);
  host_plan_make(&plan, scheduler, thread->team, expected);
  if (!plan.helpers) {
    mux_result_t result = launch_run_alone(launch, kernel, thread, expected, items, &plan.first);
    if (result || plan.first == groups) return result;
    host_plan_make(&plan, scheduler, thread->team, cost_expect(kernel, (groups - plan.first) * items));
  }
  return launch_run_shared(launch, kernel, &plan, scheduler, thread, items);
}
