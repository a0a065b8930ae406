/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A fault of a kernel or copy: what is known about it, and telling people. */
#ifndef HOST_RUNTIME_FAULTS_FAULT_H
#define HOST_RUNTIME_FAULTS_FAULT_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "mux/mux.h"

struct host_kernel_info_t;

typedef struct host_fault_t {
  /** As in siginfo_t: SIGSEGV and so on, SEGV_MAPERR and so on. */
  int signal, code;
  /** The memory accessed, or the instruction where there is no such memory; 0 when the processor does not say. */
  uint64_t address;
  uint64_t stack_pointer;
  enum host_fault_access_e { host_fault_access_unknown, host_fault_access_read, host_fault_access_write } access;
  uint64_t group[3];
  bool is_stack_overflow;
  /** The kernel was ended (stop.h), as its time was up or as somebody asked for it. */
  bool is_stopped, is_late;
  /** The kernel has ended itself, and its own words, null without memory. On the heap, as faults are part of what each
   * thread has (thread.h), whose size other libraries' thread-local storage depends on. They belong to the fault, and
   * move with it (host_fault_move). */
  bool is_assertion;
  char *assertion;
} host_fault_t;

/** Frees what the fault has, and leaves it without. */
void host_fault_release(host_fault_t *fault);

/** Puts `fault` into `into`, which has no words, and leaves it without any. */
void host_fault_move(host_fault_t *into, host_fault_t *fault);

/** Fills `fault` from what the signal handler was given, except for the last members. Called in the handler. */
void host_fault_fill(host_fault_t *fault, const siginfo_t *info, const void *context);

/** Finds out what the handler could not: whether the stack overflowed. Called after it, on the same thread. */
void host_fault_examine(host_fault_t *fault);

/** Tells of the fault of a kernel on stderr and, when not null, through `callback_info`. Called with nothing locked:
 * the callback may do anything. */
void host_fault_report(const host_fault_t *fault, const struct host_kernel_info_t *kernel,
                       mux_callback_info_t callback_info);

/** The same for a command that is no kernel, `what` in people's words. */
void host_fault_report_command(const host_fault_t *fault, const char *what, mux_callback_info_t callback_info);

#endif
