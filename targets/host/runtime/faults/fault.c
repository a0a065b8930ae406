/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What a fault was, from the processor's words to people's. */
#include "host/runtime/faults/fault.h"

#include <assert.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

#include "base/log.h"
#include "base/options.h"
#include "host/runtime/executable/kernel_table.h"

/* ---------------------------------------------------------------- in the signal handler */

#if defined(__x86_64__)
#define PAGE_FAULT 14
#define PAGE_FAULT_IS_WRITE 2

static void registers_read(host_fault_t *fault, const ucontext_t *context) {
  const greg_t *registers = context->uc_mcontext.gregs;
  fault->stack_pointer = (uint64_t)registers[REG_RSP];
  if (registers[REG_TRAPNO] != PAGE_FAULT) return;
  fault->access = registers[REG_ERR] & PAGE_FAULT_IS_WRITE ? host_fault_access_write : host_fault_access_read;
}
#elif defined(__aarch64__)
static void registers_read(host_fault_t *fault, const ucontext_t *context) {
  fault->stack_pointer = context->uc_mcontext.sp;
}
#else
static void registers_read(host_fault_t *fault, const ucontext_t *context) { (void)fault, (void)context; }
#endif

void host_fault_fill(host_fault_t *fault, const siginfo_t *info, const void *context) {
  *fault =
      (host_fault_t){.signal = info->si_signo, .code = info->si_code, .address = (uint64_t)(uintptr_t)info->si_addr};
  registers_read(fault, context);
}

void host_fault_release(host_fault_t *fault) {
  free(fault->assertion);
  fault->assertion = NULL;
}

void host_fault_move(host_fault_t *into, host_fault_t *fault) {
  assert(!into->assertion && "nothing is lost");
  *into = *fault;
  fault->assertion = NULL;
}

/* ---------------------------------------------------------------- telling */

/* The stack pointer is below the stack, as a frame did not fit; or close to its end (which is known roughly for the
 * main thread), and what was accessed is there too. */
static bool is_beyond(const host_fault_t *fault, uint64_t stack_end) {
  enum { near_end = 256 << 10, near_pointer = 64 << 10 };
  uint64_t distance = fault->address - fault->stack_pointer + near_pointer;
  if (fault->stack_pointer < stack_end) return true;
  return fault->stack_pointer - stack_end < near_end && distance < 2 * near_pointer;
}

void host_fault_examine(host_fault_t *fault) {
  pthread_attr_t attributes;
  void *stack = NULL;
  size_t size;
  if (fault->signal != SIGSEGV && fault->signal != SIGBUS) return;
  if (pthread_getattr_np(pthread_self(), &attributes)) return;
  if (!pthread_attr_getstack(&attributes, &stack, &size)) fault->is_stack_overflow = is_beyond(fault, (uintptr_t)stack);
  pthread_attr_destroy(&attributes);
}

static const char *fault_name(const host_fault_t *fault) {
  switch (fault->signal) {
    case SIGFPE: return fault->code == FPE_INTDIV ? "integer division by zero" : "arithmetic fault";
    case SIGILL: return "illegal instruction";
    case SIGTRAP: return "breakpoint";
    case SIGBUS: return "bus error";
    default: break;
  }
  if (fault->is_stack_overflow) return "stack overflow";
  if (fault->access == host_fault_access_write) return "invalid write";
  return fault->access == host_fault_access_read ? "invalid read" : "invalid memory access";
}

static void place_print(const host_fault_t *fault, char *text, size_t size) {
  /* An address that no pointer can have is not told by the processor. */
  if (fault->code == SI_KERNEL)
    snprintf(text, size, "an unknown address");
  else
    snprintf(text, size, "address 0x%" PRIx64, fault->address);
}

void host_fault_report_command(const host_fault_t *fault, const char *what, mux_callback_info_t callback_info) {
  char place[40], message[512];
  place_print(fault, place, sizeof place);
  snprintf(message, sizeof message, "%s: %s at %s; the command is terminated", what, fault_name(fault), place);
  log_warning("%s", message);
  if (callback_info) callback_info->callback(callback_info->user_data, message, NULL, 0);
}

/* The line itself is for people and tools that know its form; the context gets one message. */
static void assertion_report(const char *what, const char *assertion, mux_callback_info_t callback_info) {
  if (!assertion) assertion = "Assertion failed.";
  fprintf(stderr, "%s\n", assertion);
  log_warning("%s: an assertion failed; the command is terminated", what);
  if (callback_info) callback_info->callback(callback_info->user_data, assertion, NULL, 0);
}

/* Who asked knows. */
static void stop_report(const host_fault_t *fault, const char *what, mux_callback_info_t callback_info) {
  char message[512];
  if (!fault->is_late) return;
  snprintf(message, sizeof message, "%s: longer than %" PRIu64 " ms (QUERN_KERNEL_TIMEOUT); the command is terminated",
           what, options_get()->kernel_timeout);
  log_warning("%s", message);
  if (callback_info) callback_info->callback(callback_info->user_data, message, NULL, 0);
}

void host_fault_report(const host_fault_t *fault, const host_kernel_info_t *kernel, mux_callback_info_t callback_info) {
  enum { longest_name = 256 };
  char what[400];
  int length = kernel->name_length < longest_name ? (int)kernel->name_length : longest_name;
  snprintf(what, sizeof what, "kernel '%.*s', work-group (%" PRIu64 ", %" PRIu64 ", %" PRIu64 ")", length, kernel->name,
           fault->group[0], fault->group[1], fault->group[2]);
  if (fault->is_stopped)
    stop_report(fault, what, callback_info);
  else if (fault->is_assertion)
    assertion_report(what, fault->assertion, callback_info);
  else
    host_fault_report_command(fault, what, callback_info);
}
