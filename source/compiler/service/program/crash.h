/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The signals that end the process. */
#ifndef COMPILER_SERVICE_PROGRAM_CRASH_H
#define COMPILER_SERVICE_PROGRAM_CRASH_H

/** Signals of faults and aborts are told on stderr by name, with the innermost functions, and end the process without a
 * dump. Also on a stack that is full, for threads that called crash_use_stack. */
void crash_install(void);

/** Gives the calling thread, which stays, a stack for these signals. */
void crash_use_stack(void);

#endif
