/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Stack for kernels: their private variables lie there, and an application's threads may have little. */
#ifndef HOST_RUNTIME_STACK_H
#define HOST_RUNTIME_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Bytes of stack of the threads that are made here: 8 MiB, or what the process's first thread may have. */
size_t host_stack_thread_size(void);

/** True when what is left of the calling thread's stack holds a kernel whose variables take `size` bytes, or when that
 * of a thread made here does not either. Looks only when that is much. */
bool host_stack_fits(uint64_t size);

/** Calls `function` in a thread that is made for it, and waits for it. False when there can be none. */
__attribute__((warn_unused_result)) bool host_stack_call(void (*function)(void *data), void *data);

#endif
