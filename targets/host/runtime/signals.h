/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The signals of faults: a handler in front of those that the application has, and stacks to run it on. */
#ifndef HOST_RUNTIME_SIGNALS_H
#define HOST_RUNTIME_SIGNALS_H

#include <signal.h>
#include <stdint.h>

typedef void (*host_signal_handler_t)(int signal, siginfo_t *info, void *context);

/** Makes `handler` the process's handler of SIGSEGV, SIGBUS, SIGFPE and SIGILL; later calls do nothing. Thread safe. */
void host_signals_install(host_signal_handler_t handler);
/** Puts the handler in front again when the application has installed others since. That is seen at once
 * for SIGSEGV, at the cost of a system call; for another signal alone, some fifty microseconds after the last look.
 * `now`: host_ticks(). Thread safe. */
void host_signals_claim(uint64_t now);

/** Around fork: locks and unlocks what the two above change. */
void host_signals_lock(void);
void host_signals_unlock(void);

/** In the handler, for a signal that it does not want: does what would have happened without it. */
void host_signal_pass_on(int signal, siginfo_t *info, void *context);

/** Gives the calling thread a stack for signal handlers, so that one can run when the thread's own is used up. Null
 * when it has one already, or there is no memory: then only overflows of its stack are fatal. */
void *host_signal_stack_create(void);
/** Takes the stack away from the calling thread. Null is allowed. */
void host_signal_stack_destroy(void *stack);

#endif
