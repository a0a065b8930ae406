/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The interpreter of recorded commands. A kernel launch decides here whether other threads are worth waking. */
#include "host/runtime/execute.h"

#include "host/runtime/choice.h"
#include "host/runtime/copy.h"
#include "host/runtime/counter.h"
#include "host/runtime/device.h"
#include "host/runtime/float_mode.h"
#include "host/runtime/futex.h"
#include "host/runtime/kernel.h"
#include "host/runtime/query.h"
#include "host/runtime/region.h"
#include "host/runtime/signals.h"
#include "host/runtime/stack.h"

/* A launch that costs less than this (about ten microseconds) is over before a sleeping thread would be awake. */
#define WORTH_HELP_TICKS 25000u
/* About a microsecond. */
#define QUICK_SUCCESSION_TICKS 2500u

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

/* Work-groups that cost about a quarter of WORTH_HELP_TICKS; 0 when nothing is known yet. */
static uint64_t cheap_run_length(const host_kernel_t *kernel, uint64_t items) {
  uint64_t cost = atomic_load_explicit(&kernel->cost, memory_order_relaxed);
  if (!cost) return 0;
  return (uint64_t)WORTH_HELP_TICKS / 4 * HOST_COST_UNIT / (cost * items);
}

/* ---------------------------------------------------------------- launches */

static host_launch_t launch_of(host_command_nd_range_t *command, const host_command_buffer_t *command_buffer) {
  return (host_launch_t){.entry = command->kernel->info->entry,
                         .chooses = command->kernel->info->single_entry ? command->kernel : NULL,
                         .flushes_denormals = command->kernel->info->flushes_denormals,
                         .args = host_command_args(command),
                         .ndrange = command->ndrange,
                         .local_size = command->local_size,
                         .scratch_size = command->scratch_size,
                         .memory_alignment = command->kernel->info->memory_alignment,
                         .stack_size = command->kernel->info->stack_size,
                         .groups = command->groups,
                         .counting = command_buffer->counting};
}

/* Runs work-groups on this thread alone until they are done, or until they prove to be worth help. `*out_first` is the
 * first one that has not run. */
static mux_result_t launch_run_alone(const host_launch_t *launch, host_kernel_t *kernel, host_thread_t *thread,
                                     uint64_t run, uint64_t items, uint64_t *out_first) {
  uint64_t start = host_ticks(), ticks = 0, first = 0;
  while (first < launch->groups && ticks < WORTH_HELP_TICKS) {
    uint64_t length = run < launch->groups - first ? run : launch->groups - first;
    if (!host_launch_run(launch, thread, first, length)) return mux_error_failure;
    first += length;
    ticks = host_ticks() - start;
  }
  cost_learn(kernel, ticks, first * items);
  *out_first = first;
  return mux_success;
}

/* Wakes the others at once. The cost is that of all threads, and so a little too high at the end of uneven work. */
static mux_result_t launch_run_together(const host_launch_t *launch, host_kernel_t *kernel, uint64_t first,
                                        const host_dispatch_t *dispatch, host_thread_t *thread, uint64_t items) {
  host_scheduler_t *scheduler = &host_device(dispatch->queue->base.device)->scheduler;
  uint64_t start = host_ticks(), groups = launch->groups - first;
  mux_result_t result = host_region_run(scheduler, dispatch->queue, dispatch->ticket, launch, first, thread);
  uint64_t threads = groups < scheduler->thread_limit ? groups : scheduler->thread_limit;
  if (!result) cost_learn(kernel, (host_ticks() - start) * threads, groups * items);
  return result;
}

static mux_result_t launch_run(const host_launch_t *launch, host_kernel_t *kernel, const host_dispatch_t *dispatch,
                               host_thread_t *thread) {
  if (launch->groups == 1 || host_device(dispatch->queue->base.device)->scheduler.thread_limit == 1)
    return host_launch_run(launch, thread, 0, launch->groups) ? mux_success : mux_error_failure;
  uint64_t items = host_items_per_group(launch->ndrange), first = 0;
  uint64_t run = cheap_run_length(kernel, items);
  mux_result_t result = run ? launch_run_alone(launch, kernel, thread, run, items, &first) : mux_success;
  if (result || first == launch->groups) return result;
  return launch_run_together(launch, kernel, first, dispatch, thread, items);
}

/* Once per command buffer, as it costs a system call; and not in quick succession, which leaves an application no time
 * to install handlers. */
static void handlers_look_after(host_thread_t *thread) {
  if (thread->guard.is_claimed) return;
  thread->guard.is_claimed = true;
  host_signals_claim(host_ticks());
}

static mux_result_t nd_range_execute_here(host_command_nd_range_t *command, const host_dispatch_t *dispatch,
                                          host_thread_t *thread) {
  host_kernel_t *kernel = command->kernel;
  host_launch_t launch = launch_of(command, dispatch->command_buffer);
  if (!host_thread_memory_reserve(thread, launch.local_size, launch.scratch_size, launch.memory_alignment))
    return mux_error_out_of_memory;
  handlers_look_after(thread);
  const host_float_mode_t mode = host_float_mode_enter(launch.flushes_denormals);
  mux_result_t result = launch_run(&launch, kernel, dispatch, thread);
  host_float_mode_leave(mode);
  if (result == mux_error_failure)
    host_fault_report(&thread->guard.fault, kernel->info, dispatch->command_buffer->callback_info);
  return result;
}

typedef struct elsewhere_t {
  host_command_nd_range_t *command;
  const host_dispatch_t *dispatch;
  struct host_scheduler_t *scheduler;
  mux_result_t result;
} elsewhere_t;

static void nd_range_execute_elsewhere(void *data) {
  elsewhere_t *run = data;
  host_thread_t *thread = host_thread_get();
  host_counting_t *counting = run->dispatch->command_buffer->counting;
  thread->scheduler = run->scheduler;
  int *files = host_counting_join(counting);
  run->result = nd_range_execute_here(run->command, run->dispatch, thread);
  host_counting_leave(counting, files);
  thread->scheduler = NULL;
}

/* In a thread of its own when the caller's stack is too small for the kernel. */
static mux_result_t nd_range_execute(host_command_nd_range_t *command, const host_dispatch_t *dispatch,
                                     host_thread_t *thread) {
  if (host_stack_fits(command->kernel->info->stack_size)) return nd_range_execute_here(command, dispatch, thread);
  elsewhere_t run = {.command = command, .dispatch = dispatch, .scheduler = thread->scheduler};
  return host_stack_call(nd_range_execute_elsewhere, &run) ? run.result : mux_error_out_of_memory;
}

/* ---------------------------------------------------------------- copies and fills */

static void memory_touch(const void *argument) {
  const host_command_t *command = argument;
  switch (command->kind) {
    case host_command_kind_copy: host_copy((const host_command_copy_t *)command); break;
    case host_command_kind_copy_regions: host_copy_regions((const host_command_copy_regions_t *)command); break;
    case host_command_kind_fill_box: host_fill_box((const host_command_fill_box_t *)command); break;
    default: host_fill((const host_command_fill_t *)command); break;
  }
}

/* Memory of the application, behind a buffer or not, may be gone: the rest of a file that was cut, say. */
static mux_result_t memory_execute(const host_command_t *command, const host_command_buffer_t *command_buffer,
                                   host_thread_t *thread) {
  host_thread_prepare(thread);
  handlers_look_after(thread);
  if (host_guard_call(thread, memory_touch, command)) return mux_success;
  bool fills = command->kind == host_command_kind_fill || command->kind == host_command_kind_fill_box;
  const char *what = fills ? "fill command" : "copy command";
  host_fault_report_command(&thread->guard.fault, what, command_buffer->callback_info);
  return mux_error_failure;
}

/* ---------------------------------------------------------------- commands */

static mux_result_t command_execute(host_command_t *command, host_command_buffer_t *command_buffer,
                                    const host_dispatch_t *dispatch, host_thread_t *thread) {
  switch (command->kind) {
    case host_command_kind_nd_range: return nd_range_execute((host_command_nd_range_t *)command, dispatch, thread);
    case host_command_kind_copy:
    case host_command_kind_copy_regions:
    case host_command_kind_fill:
    case host_command_kind_fill_box: return memory_execute(command, command_buffer, thread);
    case host_command_kind_user_callback: {
      const host_command_user_callback_t *callback = (const host_command_user_callback_t *)command;
      callback->function(&dispatch->queue->base, &command_buffer->base, callback->user_data);
      break;
    }
    case host_command_kind_begin_query:
    case host_command_kind_end_query:
    case host_command_kind_reset_queries:
      host_query_execute((const host_command_query_t *)command, &command_buffer->counting);
      break;
  }
  return mux_success;
}

mux_result_t host_command_buffer_execute(host_command_buffer_t *command_buffer, const host_dispatch_t *dispatch,
                                         host_thread_t *thread) {
  mux_result_t result = mux_success;
  uint32_t completed = 0;
  thread->guard.is_claimed = host_ticks() - thread->guard.last_end < QUICK_SUCCESSION_TICKS;
  for (host_command_t *command = command_buffer->first; command; command = command->next, ++completed)
    if ((result = command_execute(command, command_buffer, dispatch, thread))) break;
  /* Not all queries end when a command fails. */
  host_counting_stop_all(&command_buffer->counting);
  command_buffer->base.completed_count = completed;
  thread->guard.last_end = host_ticks();
  return result;
}
