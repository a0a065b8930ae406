/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The way out of a faulting kernel or copy: the signal handler makes the thread go on, once it has returned, in a
 * function that jumps out of the run. Returning restores signal mask, floating-point modes and stack, so that a run
 * pays for none of that. */
#include "host/runtime/faults/guard.h"

#include <stddef.h>
#include <string.h>
#include <ucontext.h>

#include "compiler/printf.h"
#include "host/abi.h"
#include "host/runtime/executable/kernel_table.h"
#include "host/runtime/faults/signals.h"
#include "host/runtime/faults/thread.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

_Thread_local host_guard_t *host_guard_current;

/* ---------------------------------------------------------------- faults */

static _Noreturn void guard_escape(host_guard_t *guard) { longjmp(guard->recovery, 1); }

/* Makes the interrupted thread call guard_escape, on the part of its stack that was the kernel's. False where it is not
 * known how. */
static bool context_redirect(ucontext_t *context, host_guard_t *guard) {
  uintptr_t stack = ((uintptr_t)guard->stack - 128) & ~(uintptr_t)15;
#if defined(__x86_64__)
  enum { direction_flag = 0x400 };
  greg_t *registers = context->uc_mcontext.gregs;
  /* As after a call instruction. */
  registers[REG_RSP] = (greg_t)(stack - 8);
  registers[REG_RDI] = (greg_t)(uintptr_t)guard;
  registers[REG_RIP] = (greg_t)(uintptr_t)guard_escape;
  registers[REG_EFL] &= ~(greg_t)direction_flag;
  return true;
#elif defined(__aarch64__)
  context->uc_mcontext.sp = stack;
  context->uc_mcontext.regs[0] = (uintptr_t)guard;
  context->uc_mcontext.pc = (uintptr_t)guard_escape;
  return true;
#else
  (void)context, (void)guard, (void)stack;
  return false;
#endif
}

/* AddressSanitizer takes frames that are left for memory not to be touched, and guard_escape runs where they lie. */
static void frames_forget(const host_guard_t *guard) {
#if defined(__SANITIZE_ADDRESS__)
  enum { red_zone = 128 };
  uintptr_t end = (uintptr_t)guard->stack, start = (uintptr_t)guard->fault.stack_pointer - red_zone;
  if (start < end) __asan_unpoison_memory_region((void *)start, end - start);
#else
  (void)guard;
#endif
}

static void group_note(host_guard_t *guard) {
  host_group_t start;
  const host_group_t *group = guard->group;
  if (!guard->run) return;
  if (!group) {
    host_group_first(guard->run->ndrange, guard->first, 1, &start);
    group = &start;
  }
  for (int d = 0; d < 3; ++d) guard->fault.group[d] = group->id[d];
}

/* True when the fault is a kernel's, which is then on its way out. */
static bool fault_take(host_guard_t *guard, const siginfo_t *info, void *context) {
  /* Not killed, raised and the like. */
  if (!guard || info->si_code <= 0) return false;
  host_fault_fill(&guard->fault, info, context);
  group_note(guard);
  frames_forget(guard);
  return context_redirect(context, guard);
}

static uintptr_t context_place(const ucontext_t *context) {
#if defined(__x86_64__)
  return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
  return (uintptr_t)context->uc_mcontext.pc;
#else
  (void)context;
  return 0;
#endif
}

/* True when the thread is in its kernel's own code, which holds nothing, and is on its way out. */
static bool stop_take(host_guard_t *guard, ucontext_t *context) {
  if (!guard || !guard->run || !guard->run->stop || !host_stop_is_wanted(guard->run->stop)) return false;
  const host_kernel_info_t *kernel = guard->run->kernel;
  if (context_place(context) - kernel->code >= kernel->code_size) return false;
  guard->fault = (host_fault_t){.is_stopped = true, .is_late = atomic_load(&guard->run->stop->is_late)};
#if defined(__x86_64__)
  guard->fault.stack_pointer = (uint64_t)context->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
  guard->fault.stack_pointer = context->uc_mcontext.sp;
#endif
  group_note(guard);
  frames_forget(guard);
  return context_redirect(context, guard);
}

static void signal_handle(int signal, siginfo_t *info, void *context) {
  host_guard_t *guard = host_guard_current;
  host_guard_current = NULL;
  if (host_stop_is_signal(info)) {
    if (!stop_take(guard, context)) host_guard_current = guard;
    return;
  }
  if (fault_take(guard, info, context)) return;
  host_signal_pass_on(signal, info, context);
  host_guard_current = guard;
}

void host_guard_leave(host_guard_t *guard, const char *assertion) {
  host_guard_current = NULL;
  guard->fault = (host_fault_t){.stack_pointer = (uint64_t)(uintptr_t)__builtin_frame_address(0),
                                .is_assertion = true,
                                .assertion = strdup(assertion)};
  group_note(guard);
  frames_forget(guard);
  guard_escape(guard);
}

void host_guard_install(void) { host_signals_install(signal_handle); }

/* ---------------------------------------------------------------- runs */

/* A function of its own, so that nothing that is needed afterwards lies below its frame. */
__attribute__((noinline)) static void guard_enter(host_guard_t *guard, void (*function)(const void *),
                                                  const void *argument) {
  guard->stack = __builtin_frame_address(0);
  host_guard_current = guard;
  function(argument);
  host_guard_current = NULL;
}

static void printf_unlock(host_guard_t *guard) {
  if (guard->printf_buffer) __atomic_store_n(&guard->printf_buffer->lock, 0u, __ATOMIC_RELEASE);
}

static bool guarded_call(host_guard_t *guard, void (*function)(const void *), const void *argument) {
  /* Without the signal mask, which would be a system call. */
  if (_setjmp(guard->recovery)) {
    printf_unlock(&host_thread_get()->guard);
    host_fault_examine(&host_thread_get()->guard.fault);
    return false;
  }
  guard_enter(guard, function, argument);
  return true;
}

typedef struct groups_t {
  const host_kernel_run_t *with;
  host_kernel_entry_t entry;
  const host_group_memory_t *memory;
  uint64_t first, count;
} groups_t;

/** Stores past the caches (compiler/passes.h) come before the news that the run is done. */
static void order_streaming_stores(void) {
#ifdef __x86_64__
  __builtin_ia32_sfence();
#endif
}

static void groups_run(const void *argument) {
  const groups_t *groups = argument;
  groups->entry(groups->with->args, groups->with->ndrange, groups->memory, groups->first, groups->count);
  order_streaming_stores();
}

bool host_guard_run(const host_kernel_run_t *run, host_kernel_entry_t entry, host_thread_t *thread, uint64_t first,
                    uint64_t count) {
  const groups_t groups = {run, entry, &thread->memory, first, count};
  host_guard_t *guard = &thread->guard;
  guard->run = run;
  atomic_store_explicit(&guard->stop, run->stop, memory_order_relaxed);
  if (run->stop && host_stop_is_wanted(run->stop)) {
    guard->fault = (host_fault_t){.is_stopped = true, .is_late = atomic_load(&run->stop->is_late)};
    return false;
  }
  guard->first = first;
  guard->group = NULL;
  guard->printf_buffer = NULL;
  const bool completed = guarded_call(guard, groups_run, &groups);
  atomic_store_explicit(&guard->stop, NULL, memory_order_relaxed);
  return completed;
}

bool host_guard_call(host_thread_t *thread, void (*function)(const void *), const void *argument) {
  host_guard_t *guard = &thread->guard;
  guard->run = NULL;
  guard->printf_buffer = NULL;
  return guarded_call(guard, function, argument);
}
