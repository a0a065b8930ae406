/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The interpreter of recorded commands. */
#include "host/runtime/commands/execute.h"

#include "host/runtime/commands/command_buffer.h"
#include "host/runtime/commands/kernel.h"
#include "host/runtime/commands/launch.h"
#include "host/runtime/commands/query.h"
#include "host/runtime/commands/transfer.h"
#include "host/runtime/device.h"
#include "host/runtime/faults/signals.h"
#include "host/runtime/faults/thread.h"
#include "host/runtime/machine/counter.h"
#include "host/runtime/machine/float_mode.h"
#include "host/runtime/machine/futex.h"
#include "host/runtime/scheduling/dispatch.h"
#include "host/runtime/scheduling/queue.h"
#include "host/runtime/scheduling/stack.h"

/* ---------------------------------------------------------------- launches */

static host_command_buffer_t *buffer_of(const host_dispatch_t *dispatch) {
  return host_command_buffer(dispatch->command_buffer);
}

static host_launch_t launch_of(host_command_nd_range_t *command, const host_dispatch_t *dispatch) {
  host_kernel_t *kernel = command->kernel;
  const bool is_distinct = command->head.has_distinct_buffers;
  const host_kernel_code_t *code = is_distinct ? &kernel->info->distinct : &kernel->info->general;
  host_choice_t *choice = is_distinct ? &kernel->distinct_choice : &kernel->general_choice;
  return (host_launch_t){.job = host_launch_job,
                         .code = code,
                         .run = {.kernel = kernel->info,
                                 .args = host_command_args(command),
                                 .ndrange = command->ndrange,
                                 .stop = dispatch->stop},
                         .choice = code->single_entry ? choice : NULL,
                         .kernel = kernel,
                         .flushes_denormals = kernel->info->flushes_denormals,
                         .local_size = command->local_size,
                         .scratch_size = command->scratch_size,
                         .memory_alignment = kernel->info->memory_alignment,
                         .stack_size = kernel->info->stack_size,
                         .groups = command->groups,
                         .counting = buffer_of(dispatch)->counting};
}

/* Not in quick succession, as it costs a system call: a few microseconds leave an application no time to install
 * handlers and to enqueue what needs ours. Kernels and copies that take longer do. */
static void handlers_look_after(host_thread_t *thread) {
  const uint64_t now = host_ticks();
  if (now - thread->guard.last_look < HOST_QUICK_SUCCESSION_TICKS) return;
  thread->guard.last_look = now;
  host_signals_claim(now);
}

static mux_result_t nd_range_execute_here(host_command_nd_range_t *command, const host_dispatch_t *dispatch,
                                          host_thread_t *thread) {
  host_launch_t launch = launch_of(command, dispatch);
  if (!host_thread_memory_reserve(thread, launch.local_size, launch.scratch_size, launch.memory_alignment))
    return mux_error_out_of_memory;
  handlers_look_after(thread);
  const host_float_mode_t mode = host_float_mode_enter(launch.flushes_denormals);
  host_stop_begin(dispatch->stop);
  mux_result_t result = host_launch_execute(&launch, command->kernel, thread->scheduler, thread);
  host_stop_end(dispatch->stop);
  host_float_mode_leave(mode);
  if (result == mux_error_failure) {
    host_fault_report(&thread->guard.fault, command->kernel->info, buffer_of(dispatch)->callback_info);
    host_fault_release(&thread->guard.fault);
  }
  return result;
}

typedef struct elsewhere_t {
  host_command_nd_range_t *command;
  const host_dispatch_t *dispatch;
  /** The thread whose stack is too small. */
  const host_thread_t *caller;
  mux_result_t result;
} elsewhere_t;

static void nd_range_execute_elsewhere(void *data) {
  elsewhere_t *run = data;
  host_thread_t *thread = host_thread_get();
  host_counting_t *counting = buffer_of(run->dispatch)->counting;
  thread->scheduler = run->caller->scheduler;
  thread->team = run->caller->team;
  int *files = host_counting_join(counting);
  run->result = nd_range_execute_here(run->command, run->dispatch, thread);
  host_counting_leave(counting, files);
}

/* In a thread of its own when the caller's stack is too small for the kernel. */
static mux_result_t nd_range_execute(host_command_nd_range_t *command, const host_dispatch_t *dispatch,
                                     host_thread_t *thread) {
  if (host_stack_fits(command->kernel->info->stack_size)) return nd_range_execute_here(command, dispatch, thread);
  elsewhere_t run = {.command = command, .dispatch = dispatch, .caller = thread};
  return host_stack_call(nd_range_execute_elsewhere, &run) ? run.result : mux_error_out_of_memory;
}

/* ---------------------------------------------------------------- copies and fills */

/* Memory of the application, behind a buffer or not, may be gone: the rest of a file that was cut, say. */
static mux_result_t memory_execute(const host_command_t *command, const host_command_buffer_t *command_buffer,
                                   host_thread_t *thread) {
  const uint32_t streaming_mib = host_device(command_buffer->base.device)->streaming_mib;
  host_thread_prepare(thread);
  handlers_look_after(thread);
  if (host_transfer_execute(command, thread->scheduler, streaming_mib, thread) == mux_success) return mux_success;
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

static mux_result_t execute(mux_command_buffer_t handle, const host_dispatch_t *dispatch, host_thread_t *thread) {
  host_command_buffer_t *command_buffer = host_command_buffer(handle);
  mux_result_t result = mux_success;
  uint32_t completed = 0;
  for (host_command_t *command = command_buffer->first; command && !result; command = command->next) {
    result = host_stop_is_wanted(dispatch->stop) ? mux_error_failure
                                                 : command_execute(command, command_buffer, dispatch, thread);
    completed += !result;
  }
  /* Not all queries end when a command fails. */
  host_counting_stop_all(&command_buffer->counting);
  command_buffer->base.completed_count = completed;
  thread->guard.last_end = host_ticks();
  return result;
}

static bool begin(mux_command_buffer_t command_buffer) {
  return host_command_buffer_dispatch_begin(host_command_buffer(command_buffer));
}

static void end(mux_command_buffer_t command_buffer) {
  host_command_buffer_dispatch_end(host_command_buffer(command_buffer));
}

const host_executor_t host_executor = {.begin = begin, .end = end, .execute = execute};
