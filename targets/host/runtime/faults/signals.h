/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The signals of faults: a handler in front of those that the application has, and stacks to run it on. */
#ifndef HOST_RUNTIME_FAULTS_SIGNALS_H
#define HOST_RUNTIME_FAULTS_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

typedef void (*host_signal_handler_t)(int signal, siginfo_t *info, void *context);

/** Makes `handler` the process's handler of SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGTRAP; later calls do nothing. Thread
 * safe. */
void host_signals_install(host_signal_handler_t handler);
/** Puts the handler in front again when the application has installed others since. That is seen at once
 * for SIGSEGV, at the cost of a system call; for another signal alone, some fifty microseconds after the last look.
 * `now`: host_ticks(). Thread safe. */
void host_signals_claim(uint64_t now);

/** False when the application's handler stands in front of SIGSEGV. */
bool host_signals_are_ours(void);

/** Around fork: locks and unlocks what the two above change. */
void host_signals_lock(void);
void host_signals_unlock(void);

/** In the handler, for a signal that it does not want: does what would have happened without it. */
void host_signal_pass_on(int signal, siginfo_t *info, void *context);

/** Unblocks the signals of faults in the calling thread. True when one of them was blocked: `*out_mask` is what the
 * mask was. */
bool host_signals_unblock(sigset_t *out_mask);

/** Gives the calling thread a stack for signal handlers, so that one can run when the thread's own is used up. Null
 * when it has one already, or there is no memory: then only overflows of its stack are fatal. */
void *host_signal_stack_create(void);
/** Puts a larger stack in place of the calling thread's when that is too small for a handler, or there is none: true
 * then, and `*out_stack` is what it had. `*memory` is a stack from the function above, made when it is null. */
bool host_signal_stack_replace(void **memory, stack_t *out_stack);
/** Takes the stack away from the calling thread. Null is allowed. */
void host_signal_stack_destroy(void *stack);

#endif
